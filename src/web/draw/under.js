// under.js: the map that another one is built on, drawn below it.
//
//   under = { result, of, field }     of: the labels that were taken, empty for all; field: the name
//                                     of the one that was read from it
import { Lattice } from "./lattice.js";
import { mix } from "./palette.js";
import { World } from "./world.js";

const PALE = 0.22; // how much is left of a color that has countries over it

/* Cells alone: { width, height, grid, wrap, labels }; null where a map has none. */
function cellsOf({ world, cells, colors, ...rest }) {
    if (world) return { ...rest, grid: "square", wrap: "none", labels: world.ids };
    return colors?.length ? { ...rest, labels: cells } : null;
}

/* Whether a map is drawn over the other: its cells are the same, or it is of points on them. */
export function liesUnder(below, above) {
    const [low, high] = [below, above].map(cellsOf);
    if (!low || (!high && !above.xs)) return false;
    return !high || ["width", "height", "grid"].every((name) => low[name] === high[name]);
}

/* { lattice, labels, tones: colors, tone(cell): which of them, takes(cell): whether it was taken,
   layer(cell): of land, where it has heights, count, covered } */
export function layUnder({ result, of }, colors, pale) {
    const { width, height, grid, wrap, labels } = cellsOf(result);
    const world = result.world && World.revive(result.world);
    const { deck, layers } = colors.land;
    const shades = world ? [deck[0], ...layers.map(([top]) => top)] : colors.countries;
    const layer = world && ((cell) => world.layer(Math.max(world.heights[cell], 1))); // bridges, too
    const shade = world
        ? (cell) => (labels[cell] < 0 ? 0 : 1 + layer(cell))
        : (cell) => result.colors[labels[cell]];
    const quiet = (color) => mix(colors.ground, color, PALE);
    return {
        lattice: new Lattice(width, height, grid, wrap),
        labels,
        tones: [colors.water, ...(pale ? shades.map(quiet) : shades)],
        tone: (cell) => (labels[cell] ? 1 + shade(cell) : 0),
        layer,
        takes: (cell) => (of.length ? of.includes(labels[cell]) : labels[cell] !== 0),
        count: (result.regions ?? result.areas ?? result.islands).length,
        covered: labels.reduce((sum, label) => sum + (label !== 0), 0),
    };
}
