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

/* How large the smallest and the largest are. */
export function range(sizes) {
    const least = sizes.reduce((a, b) => Math.min(a, b), Infinity);
    const most = sizes.reduce((a, b) => Math.max(a, b), 0);
    return least === most
        ? `each of ${count(most, "cell")}`
        : `sizes ${number(least)} to ${number(most)}`;
}
