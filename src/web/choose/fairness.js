/* fairness.js: what the homeworlds of a star map have, side by side. */
import { make } from "./make.js";

const HEADS = ["Home", "From centre", "Next rival", "Within 1 to 5 jumps", "Realm"];

/* How many times the least the most is; null where there is none. */
export function worstRatio(fairness) {
    const realms = (fairness ?? []).map(({ realm }) => realm);
    return realms.length > 1 ? Math.max(...realms) / Math.max(Math.min(...realms), 1) : null;
}

export const inWords = (fairness) => {
    const worst = worstRatio(fairness);
    return worst ? ` The largest realm is ${worst.toFixed(2)} times the smallest.` : "";
};

export function showFairness(host, fairness) {
    if (!fairness?.length) return host.replaceChildren();
    const row = ({ star, distance, rival, reach, realm }) =>
        [star, distance, rival ?? "–", reach.join(" "), realm].map((text) =>
            make("td", {}, String(text)),
        );
    host.replaceChildren(
        make(
            "table",
            {},
            make("caption", {}, `Fairness.${inWords(fairness)}`),
            make(
                "thead",
                {},
                make("tr", {}, ...HEADS.map((text) => make("th", { scope: "col" }, text))),
            ),
            make("tbody", {}, ...fairness.map((one) => make("tr", {}, ...row(one)))),
        ),
    );
}
