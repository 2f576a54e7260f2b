// gallery.js: twelve seeds to choose from, by their pictures. They are asked for one after the
// other, as a large map keeps the service busy.
import { toUrl } from "../ask/address.js";
import { button, make } from "./make.js";
import { loaded, unlabeled } from "./presets.js";

const SEEDS = 12;

const at = (id) => document.getElementById(id);

/* choose(seed) is called with the chosen seed; roll() draws a new one. Returns open(generator,
   given), where `given` has no seed. */
export function makeGallery({ choose, roll }) {
    let round = 0; /* the current round; pictures of earlier rounds are dropped */

    function entryOf(seed) {
        const picture = make("img", { alt: "" });
        const own = button([picture, make("span", {}, seed)], () => take(seed));
        return { seed, picture, button: own };
    }
    function take(seed) {
        at("gallery").close();
        choose(seed);
    }
    async function fill(generator, given) {
        const mine = ++round;
        const entries = Array.from({ length: SEEDS }, () => entryOf(roll()));
        at("gallery-seeds").replaceChildren(...entries.map(({ button }) => button));
        for (const { seed, picture, button } of entries) {
            const url = toUrl({ generator, given: [...given, ["seed", seed]] }, "png");
            const good = await loaded(picture, url);
            if (mine !== round) return;
            button.disabled = !good;
            if (!good) picture.alt = "no picture";
        }
    }
    at("gallery").addEventListener("close", () => {
        round++;
        at("gallery-seeds").replaceChildren();
    });
    at("gallery-close").addEventListener("click", () => at("gallery").close());
    return (generator, given) => {
        const begin = () => fill(generator, unlabeled(generator, given));
        at("gallery-more").onclick = begin;
        at("gallery").showModal();
        begin();
    };
}
