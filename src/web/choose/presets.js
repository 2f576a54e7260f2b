/* presets.js: pictures of attractive maps; a click takes over their parameters. */
import { toUrl } from "../ask/address.js";
import { presetsOf } from "./kinds.js";
import { button, make } from "./make.js";

const SEED = "12"; /* of the pictures */
const SCALE = { regions: 3, areas: 3, islands: 5, "puzzle/generate": 16 }; /* pixels a cell */

/* Without labels, which could not be read at that size. */
export const unlabeled = ({ looks }, given) =>
    looks.some(({ name }) => name === "labels")
        ? [...given.filter(([name]) => name !== "labels"), ["labels", "false"]]
        : given;

function pictureOf(generator, given) {
    const scale = SCALE[generator.name] ? [["scale", String(SCALE[generator.name])]] : [];
    const all = unlabeled(generator, [...given, ["seed", SEED], ...scale]);
    return toUrl({ generator, given: all }, "png");
}

/* Waits until the picture is loaded or has failed. */
export const loaded = (picture, url) =>
    new Promise((done) => {
        picture.onload = () => done(true);
        picture.onerror = () => done(false);
        picture.src = url;
    });

/* Fills `host`; take(given) is called with the chosen preset. Pictures are loaded one by one. */
export async function showPresets(host, generator, take) {
    const entries = presetsOf(generator).map(({ name, given }) => {
        const picture = make("img", { alt: "" });
        const parts = [picture, make("span", {}, name)];
        const own = button(parts, () => take(given), { className: "preset" });
        return { own, picture, url: pictureOf(generator, given) };
    });
    host.hidden = !entries.length;
    host.replaceChildren(...entries.map(({ own }) => own));
    for (const { picture, url } of entries) if (picture.isConnected) await loaded(picture, url);
}
