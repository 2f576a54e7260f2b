/*
 * pack.js: packs of puzzles: the boards of a seed and of those after it, from the easiest on. A pack
 * is { first: the seed, size, board: which of them, from 1 }; links say pack=12&board=3.
 */
import { askOnce } from "../ask/request.js";

export const SIZES = [6, 12, 24];

const LAST = Number.MAX_SAFE_INTEGER;

/* As sheets to print have them (src/enc/picture/vector/pdf.c): 7, 8, 9, or "a", "a 2", "a 3". */
function seedAfter(seed, n) {
    if (/^(0|[1-9]\d{0,15})$/.test(seed)) return String((Number(seed) + n) % (LAST + 1));
    return n ? `${seed} ${n + 1}` : seed;
}

const withSeed = (given, seed) => [...given.filter(([name]) => name !== "seed"), ["seed", seed]];

/* Takes pack and board out of what a link says; `first` is the seed of the link. */
export function readPack(given) {
    const texts = new Map(given);
    const [size, board] = ["pack", "board"].map((name) => Number(texts.get(name)));
    const rest = given.filter(([name]) => name !== "pack" && name !== "board");
    if (!SIZES.includes(size)) return { given: rest };
    const pack = { first: texts.get("seed") ?? "1", size, board: 1 };
    if (board > 1 && board <= size) pack.board = Math.floor(board);
    return { given: rest, pack };
}

/* What a link says of a state that is a board of a pack. */
export const writePack = ({ given, pack: { first, size, board } }) => [
    ...withSeed(given, first),
    ["pack", String(size)],
    ["board", String(board)],
];

let known = { key: null, seeds: null }; /* the pack that was sorted last */

/* The seeds of a pack by rising effort; of equal ones the earlier seed first. */
async function sortPack({ generator, given, pack: { first, size } }) {
    const key = JSON.stringify([generator.name, withSeed(given, first), size]);
    if (known.key === key) return known.seeds;
    const boards = [];
    for (let n = 0; n < size; n++) {
        const seed = seedAfter(first, n);
        const { result } = await askOnce({ generator, given: withSeed(given, seed) });
        if (result) boards.push({ seed, effort: result.effort ?? 0 });
    }
    const seeds = boards.sort((a, b) => a.effort - b.effort).map(({ seed }) => seed);
    known = { key, seeds };
    return seeds;
}

/* The state with the seed of its board. */
export async function findBoard(state) {
    const seeds = await sortPack(state);
    const seed = seeds[state.pack.board - 1] ?? state.pack.first;
    return { ...state, given: withSeed(state.given, seed) };
}
