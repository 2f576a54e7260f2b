// intro.js: the world of the start page, shown step by step: land, the countries on it, the lanes
// between their capitals. It is an address like any other.
import { toAddress } from "./ask/address.js";
import { askOnce } from "./ask/request.js";
import { groundsOf } from "./ask/stand.js";
import { show } from "./show/view.js";

const PACE = 650; // milliseconds from step to step
const CULTURES = ["latin", "nordic", "slavic", "persian", "polynesian", "japanese"];

/* The maps of a world, each built on the one before. */
export function worldOf(seed, generators) {
    const find = (name) => generators.find((one) => one.name === name);
    const names = CULTURES[Number(seed) % CULTURES.length];
    const state = (name, given) => ({
        generator: find(name),
        given: [...Object.entries(given), ["seed", seed]],
    });
    const land = state("areas", {
        ...{ width: "84", height: "56", grid: "hex", area: "760", count: "3" },
    });
    const countries = state("regions", {
        ...{ mask: toAddress(land), count: "16", variation: "0.6", roughness: "0.75", names },
    });
    const lanes = state("starlanes", {
        ...{ positions: toAddress(countries), density: "0.3", homeworlds: "2" },
    });
    return [land, countries, lanes];
}

const rest = (ms) => new Promise((done) => setTimeout(done, ms));

/* tell(view, world) is called after each step, with the state of the last one. look() is the
   page's. */
export function makeIntro(host, generators, { look, tell }) {
    let round = 0; /* the current world; steps of earlier ones are dropped */
    let last = null;
    const still = matchMedia("(prefers-reduced-motion: reduce)");

    function draw() {
        if (last) tell(show(host, last.answer, look()), last.world);
    }
    async function play(seed) {
        const mine = ++round,
            steps = worldOf(seed, generators);
        for (const state of still.matches ? steps.slice(-1) : steps) {
            const began = performance.now();
            const answer = await askOnce(state, (made) => groundsOf(state, made, generators));
            if (mine === round && last) await rest(PACE - (performance.now() - began));
            if (mine !== round) return;
            if (!answer.result) continue; // a problem
            last = { answer, world: steps.at(-1) };
            draw();
        }
    }
    function stop() {
        round++;
        last = null;
    }
    return { play, draw, stop };
}
