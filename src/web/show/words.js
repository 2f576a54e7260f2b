// words.js: numbers in sentences.
const format = new Intl.NumberFormat("en");

export function number(n) {
    return format.format(n);
}

/* 1 cell, 2 cells; another plural where an s will not do. */
export function count(n, one, more = `${one}s`) {
    return `${number(n)} ${n === 1 ? one : more}`;
}

export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/* The least and the most, of many thousands too. */
export function extent(numbers) {
    let [least, most] = [Infinity, -Infinity];
    for (const n of numbers) {
        least = Math.min(least, n);
        most = Math.max(most, n);
    }
    return [least, most];
}

/* How large the smallest and the largest are. */
export function range(sizes) {
    const [least, most] = extent(sizes);
    return least === most
        ? `each of ${count(most, "cell")}`
        : `sizes ${number(least)} to ${number(most)}`;
}

/* How many times the least the most is; null where there is none. */
function worstRatio(fairness) {
    const realms = (fairness ?? []).map(({ realm }) => realm);
    return realms.length > 1 ? Math.max(...realms) / Math.max(Math.min(...realms), 1) : null;
}

export const fairnessInWords = (fairness) => {
    const worst = worstRatio(fairness);
    return worst ? ` The largest realm is ${worst.toFixed(2)} times the smallest.` : "";
};
