/* presets.js: maps to begin with, as pictures that are taken with a click. */
import { toUrl } from "../ask/address.js";
import { presetsOf } from "./kinds.js";
import { button, make } from "./make.js";

const SEED = "12"; /* of the pictures */
const SCALE = { regions: 3, areas: 3, islands: 5, "puzzle/generate": 16 }; /* pixels a cell */

/* With nothing that could not be read on a small picture. */
export const unlabeled = ({ looks }, given) =>
    looks.some(({ name }) => name === "labels")
        ? [...given.filter(([name]) => name !== "labels"), ["labels", "false"]]
        : given;

function pictureOf(generator, given) {
    const scale = SCALE[generator.name] ? [["scale", String(SCALE[generator.name])]] : [];
    const all = unlabeled(generator, [...given, ["seed", SEED], ...scale]);
    return toUrl({ generator, given: all }, "png");
}

/* Fills `host`; take(given) is called with what was chosen. */
export function showPresets(host, generator, take) {
    const presets = presetsOf(generator);
    host.hidden = !presets.length;
    host.replaceChildren(
        ...presets.map(({ name, given }) => {
            const src = pictureOf(generator, given);
            const picture = make("img", { alt: "", loading: "lazy", src });
            const parts = [picture, make("span", {}, name)];
            return button(parts, () => take(given), { className: "preset" });
        }),
    );
}
