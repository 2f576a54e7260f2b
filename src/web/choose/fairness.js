/* fairness.js: what the homeworlds of a star map have, side by side. */
import { fairnessInWords } from "../show/words.js";
import { make } from "./make.js";

const HEADS = ["Home", "From center", "Next rival", "Within 1 to 5 jumps", "Realm"];

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
            make("caption", {}, `Fairness.${fairnessInWords(fairness)}`),
            make(
                "thead",
                {},
                make("tr", {}, ...HEADS.map((text) => make("th", { scope: "col" }, text))),
            ),
            make("tbody", {}, ...fairness.map((one) => make("tr", {}, ...row(one)))),
        ),
    );
}
