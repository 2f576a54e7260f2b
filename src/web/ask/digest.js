// digest.js: an answer as the views take it: grids and long lists are arrays of numbers, and what a
// view has to work out of all of them is worked out.
//
// A large answer takes seconds here, so that the page does it in a worker (reader.js).
import { findBackbone } from "./backbone.js";
import { flatten, Lattice } from "../draw/lattice.js";
import { findPoles } from "./poles.js";
import { theme } from "../draw/palette.js";
import { pack } from "../draw/rows.js";
import { World } from "../draw/world.js";

// ---- countries and areas ----

/* Colours for the labels, so that neighbours differ: the first that is free, as src/enc/labels.c
   chooses. */
function colourLabels(rows, lattice, labels) {
    const colours = theme(false).countries.length;
    const beside = rows[0]?.neighbors
        ? rows.map((row) => row.neighbors)
        : findNeighbours(rows.length, lattice, labels);
    const colour = new Uint8Array(rows.length + 1);
    for (let label = 1; label <= rows.length; label++) {
        const taken = new Set(
            beside[label - 1].filter((other) => other < label).map((other) => colour[other]),
        );
        let pick = (label - 1) % colours;
        for (let tries = 0; tries < colours && taken.has(pick); tries++)
            pick = (pick + 1) % colours;
        colour[label] = pick;
    }
    return colour;
}

function findNeighbours(rows, lattice, labels) {
    const beside = Array.from({ length: rows }, () => new Set());
    if (rows < 2) return [[]];
    const note = (a, b) =>
        a !== b && a > 0 && b > 0 && (beside[a - 1].add(b), beside[b - 1].add(a));
    for (let row = 0, cell = 0; row < lattice.height; row++)
        for (let column = 0; column < lattice.width; column++, cell++)
            for (let s = 0; labels[cell] && s < lattice.sides.length / 2; s++) {
                const other = lattice.beyond(column, row, s);
                if (other >= 0) note(labels[cell], labels[other]);
            }
    return beside.map((set) => [...set]);
}

function digestCells(result) {
    const { width, height, grid, wrap, cells, regions, areas, ...rest } = result;
    const labels = flatten(cells, width);
    const rows = (regions ?? areas).map((row) =>
        row.walk ? { ...row, walk: row.walk.flat() } : row,
    );
    const lattice = new Lattice(width, height, grid, wrap);
    return {
        ...rest,
        width,
        height,
        grid,
        wrap,
        cells: labels,
        [regions ? "regions" : "areas"]: pack(rows),
        colours: colourLabels(rows, lattice, labels),
        poles: findPoles(lattice, labels, rows.length),
    };
}

// ---- islands ----

function digestIslands({ bridges, islands, ...result }) {
    const world = new World({ bridges, islands, ...result });
    world.prepare();
    const { width, height, start, end, route } = result;
    return {
        ...{ width, height, start, end },
        route: Int32Array.from(route ?? []),
        bridges: bridges.length,
        islands: pack(islands),
        world: { ...world },
    };
}

// ---- stars ----

/* Lanes are pairs of numbers, one behind the other. */
function digestLanes({ stars, lanes, minimum, maximum, ...rest }) {
    const key = ([a, b]) => a * stars.length + b;
    const kept = new Set(maximum && lanes.map(key));
    const homes = stars.flatMap((star, i) => (star.homeworld ? [i] : []));
    const pairs = Int32Array.from(lanes.flat());
    return {
        ...rest,
        stars: pack(stars.map(({ x, y }) => ({ x, y }))),
        names: stars[0]?.name && stars.map(({ name }) => name),
        homes,
        lanes: pairs,
        spine: findBackbone(stars, pairs, rest.center, homes),
        spare: Int32Array.from((maximum ?? []).filter((lane) => !kept.has(key(lane))).flat()),
        backbone: minimum && minimum.length,
    };
}

// ---- all of them ----

function digestResult(result) {
    if (result?.cells && (result.regions ?? result.areas)) return digestCells(result);
    if (result?.islands && result.heights) return digestIslands(result);
    return result?.stars && result.lanes ? digestLanes(result) : result;
}

export const digest = (answer) => ({ ...answer, result: digestResult(answer.result) });
