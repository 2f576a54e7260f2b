// map.mjs: a map from Mapwright in Node.
//
//   node map.mjs regions width=30 height=12 count=4 seed=hello
//
// MAPWRIGHT says where the service is.
import { getMap } from "./mapwright.mjs";

const [generator, ...pairs] = process.argv.slice(2);
if (!generator) {
    console.error("usage: node map.mjs generator [name=value ...]");
    process.exit(2);
}

/** 60 as a number, true as a truth, hello as a word. @param {string} text @returns {unknown} */
function value(text) {
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

/** A letter for each region, area or island, + for a bridge. @param {number} cell */
const letter = (cell) =>
    cell ? (cell < 0 ? "+" : String.fromCharCode(65 + ((cell - 1) % 26))) : ".";

/** Odd rows of hexagons are shoved. @param {{ cells: number[][], grid?: string }} result */
const drawCells = ({ cells, grid }) =>
    cells.map((row, y) => (grid === "hex" && y % 2 ? " " : "") + row.map(letter).join(" "));

/**
 * Each star with those that its lanes lead to; a homeworld has an at sign.
 *
 * @param {{ stars: { x: number, y: number, homeworld: boolean }[], lanes: [number, number][] }} result
 */
function drawStars({ stars, lanes }) {
    const ends = stars.map(() => /** @type {number[]} */ ([]));
    for (const [a, b] of lanes) {
        ends[a]?.push(b);
        ends[b]?.push(a);
    }
    return stars.map(
        ({ x, y, homeworld }, i) =>
            `${homeworld ? "@" : "*"} ${i} at ${x},${y}: ${ends[i]?.join(" ")}`,
    );
}

/** What a map is, whatever its kind. @param {any} result @returns {string[]} */
function draw(result) {
    if (result.stars) {
        return drawStars(result);
    }
    const puzzle = result.solution ? [...result.grid, "", ...result.solution] : result.grid;
    return result.cells ? drawCells(result) : puzzle;
}

try {
    const parameters = Object.fromEntries(
        pairs.map((pair) => {
            const [name, ...rest] = pair.split("=");
            return [name, value(rest.join("="))];
        }),
    );
    const { self, result } = await getMap(generator, parameters, { base: process.env.MAPWRIGHT });
    console.log([self, ...draw(result)].join("\n"));
} catch (problem) {
    const { message, cause } = /** @type {Error & { cause?: Error }} */ (problem);
    console.error(`map.mjs: ${message}${cause ? `: ${cause.message}` : ""}`);
    process.exitCode = 1;
}
