/* presets.js: maps to begin with, as pictures that are taken with a click. */
import { toUrl } from "../ask/address.js";
import { presetsOf } from "./kinds.js";
import { make } from "./make.js";

const SEED = "12"; /* of the pictures */
const SCALE = { regions: 3, areas: 3, islands: 5, "puzzle/generate": 16 }; /* pixels a cell */

/* Small, and without what could not be read. */
function pictureOf(generator, given) {
    const looks = [
        ["labels", "false"],
        ["scale", String(SCALE[generator.name] ?? "")],
    ].filter(([name, text]) => text && generator.looks.some((look) => look.name === name));
    return toUrl({ generator, given: [...given, ["seed", SEED], ...looks] }, "png");
}

/* Fills `host`; take(given) is called with what was chosen. */
export function showPresets(host, generator, take) {
    host.hidden = !presetsOf(generator).length;
    host.replaceChildren(
        ...presetsOf(generator).map(({ name, given }) =>
            make(
                "button",
                { type: "button", className: "preset", onclick: () => take(given) },
                make("img", { alt: "", loading: "lazy", src: pictureOf(generator, given) }),
                make("span", {}, name),
            ),
        ),
    );
}
