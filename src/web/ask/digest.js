// digest.js: prepares an answer for the views, in the worker (worker.js): computes what takes a
// pass over all cells or lanes, and turns lists of many numbers into typed arrays.
import { Lattice } from "../draw/lattice.js";
import { DASHED, LANE, SPINE, theme } from "../draw/palette.js";
import { World } from "../draw/world.js";

// ---- countries and areas ----

/* A color for each label: the first that none of its neighbors has. */
function colorLabels(beside, colors) {
    const color = new Uint8Array(beside.length + 1);
    for (let label = 1; label <= beside.length; label++) {
        const lower = [...beside[label - 1]].filter((other) => other < label);
        const taken = new Set(lower.map((other) => color[other]));
        let pick = (label - 1) % colors;
        for (let tries = 0; tries < colors && taken.has(pick); tries++) pick = (pick + 1) % colors;
        color[label] = pick;
    }
    return color;
}

function findNeighbors(rows, lattice, labels) {
    const beside = Array.from({ length: rows }, () => new Set());
    for (let row = 0, cell = 0; row < lattice.height; row++)
        for (let column = 0; column < lattice.width; column++, cell++)
            for (let s = 0; labels[cell] && s < lattice.sides.length / 2; s++) {
                const other = labels[lattice.beyond(column, row, s)] ?? 0;
                if (!other || other === labels[cell]) continue;
                beside[labels[cell] - 1].add(other);
                beside[other - 1].add(labels[cell]);
            }
    return beside;
}

/* The sides of land cells towards water, as 8 * cell + side. */
function findShores(lattice, isSea) {
    const shores = [];
    for (let row = 0, cell = 0; row < lattice.height; row++)
        for (let column = 0; column < lattice.width; column++, cell++)
            for (let s = 0; !isSea(cell) && s < lattice.sides.length; s++) {
                const other = lattice.beyond(column, row, s);
                if (other >= 0 && isSea(other)) shores.push(8 * cell + s);
            }
    return Int32Array.from(shores);
}

/* The middle cell of each label's longest run in a row, which has most room for a name. */
function findRoom({ width }, labels, rows) {
    const middles = new Int32Array(rows + 1);
    const longest = new Int32Array(rows + 1);
    for (let cell = 0, start = 0; cell < labels.length; cell++) {
        if (cell % width === 0 || labels[cell] !== labels[cell - 1]) start = cell;
        const [label, length] = [labels[cell], cell - start + 1];
        if (length > longest[label])
            [longest[label], middles[label]] = [length, (start + cell) >> 1];
    }
    return middles;
}

function digestCells(result, { mask }) {
    const { width, height, grid, wrap, cells } = result;
    const rows = result.regions ?? result.areas;
    const lattice = new Lattice(width, height, grid, wrap);
    const isFree = (cell) =>
        Array.isArray(mask) && mask[Math.floor(cell / width)][cell % width] === "#";
    const beside = rows[0]?.neighbors
        ? rows.map(({ neighbors }) => neighbors)
        : findNeighbors(rows.length, lattice, cells);
    return {
        ...result,
        colors: colorLabels(beside, theme(false).countries.length),
        shores: findShores(lattice, (cell) => !cells[cell] && !isFree(cell)),
        room: findRoom(lattice, cells, rows.length),
    };
}

// ---- islands ----

/* A tint for each island, different from those of islands next to it along a row or a column. */
function tintIslands({ width, height, islands, cells }) {
    const beside = islands.map(({ neighbors }) => new Set(neighbors));
    const meet = (start, step, count) => {
        for (let i = 0, before = 0; i < count; i++) {
            const label = cells[start + i * step];
            if (label <= 0) continue;
            if (before && before !== label) {
                beside[before - 1].add(label);
                beside[label - 1].add(before);
            }
            before = label;
        }
    };
    for (let y = 0; y < height; y++) meet(y * width, 1, width);
    for (let x = 0; x < width; x++) meet(x, width, height);
    return colorLabels(beside, theme(false).land.tops.length);
}

function digestIslands(result) {
    const { cells, heights, bridges, ...rest } = result;
    const world = { ...new World(result), tints: tintIslands(result) };
    return { ...rest, bridges: bridges.length, world };
}

// ---- stars ----

/* Lanes are pairs of stars, one after the other; `kinds` says how each is drawn. */
function digestLanes({ stars, lanes, minimum, maximum, long, ...rest }) {
    const key = ([a, b]) => a * stars.length + b;
    const [all, least, dashed] = [lanes, minimum, long].map((some) => new Set(some?.map(key)));
    const kindOf = (lane) => (dashed.has(lane) ? DASHED : least.has(lane) ? SPINE : LANE);
    return {
        ...rest,
        xs: Float64Array.from(stars, ({ x }) => x),
        ys: Float64Array.from(stars, ({ y }) => y),
        names: stars[0]?.name && stars.map(({ name }) => name),
        homes: stars.flatMap(({ homeworld }, i) => (homeworld ? [i] : [])),
        lanes: Int32Array.from(lanes.flat()),
        kinds: Uint8Array.from(lanes, (lane) => kindOf(key(lane))),
        spare: Int32Array.from((maximum ?? []).filter((lane) => !all.has(key(lane))).flat()),
    };
}

// ---- all of them ----

function digestResult({ result, parameters }) {
    if (result?.cells && (result.regions ?? result.areas)) return digestCells(result, parameters);
    if (result?.islands && result.heights) return digestIslands(result);
    return result?.stars && result.lanes ? digestLanes(result) : result;
}

export const digest = (answer) => ({ ...answer, result: digestResult(answer) });
