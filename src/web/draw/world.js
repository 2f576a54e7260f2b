// world.js: what a picture of a world of islands needs beyond the answer: how deep the rock hangs, in
// which directions bridges go on, where trees stand, and the cells of the way from start to end.
import { TREE_CELLS } from "./colors.js";
import { noiseBelow, theme } from "./palette.js";

// Heights of layers of land and of earth, in cells, as in src/enc/picture/scene/isles.c, whose cells
// are 8√2 units wide.
export const UNIT = 1 / (8 * Math.SQRT2);
const UP = UNIT / Math.cos(Math.PI / 6); // what is upright is seen at a slant
export const RISE = 6 * UP;
export const FALL = 7 * UP;
const DEEPEST = 16; // layers of earth

// Directions as bits: up, right, down, left in the plan.
const AROUND = [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
];

export class World {
    constructor({ width, height, islands, bridges, start, end, route = [], cells, heights }) {
        Object.assign(this, { width, height, ids: cells, heights });
        this.highest = heights.reduce((a, b) => (a > b ? a : b), 1);
        this.inland = this.measureInland();
        this.deepest = DEEPEST * FALL;
        this.planks = this.layPlanks(bridges);
        this.flags = [
            [this.anchor(islands[start - 1]), "start"],
            [this.anchor(islands[end - 1]), "end"],
        ];
        if (start === end) this.flags.pop();
        this.lit = Uint8Array.from(cells, () => 0); // cells of bridges on the route
        for (const cell of this.lightCells(route, bridges)) this.lit[cell] = 1;
        this.way = Int32Array.from(this.findWay());
        this.trees = this.plantTrees();
    }

    /* One that was computed elsewhere. */
    static revive(world) {
        return Object.assign(Object.create(World.prototype), world);
    }

    /* Which of the layers of land (palette.js) has the colors of the n-th. */
    layer(n) {
        const most = theme(false).land.layers.length;
        if (this.highest <= most) return n - 1;
        return Math.floor(((n - 1) * (most - 1)) / (this.highest - 1));
    }

    /* How many layers of earth hang below a cell. */
    depth(cell) {
        return Math.min(Math.max(2 * this.inland[cell] - 1, 0), DEEPEST);
    }

    beside(cell, d) {
        const x = (cell % this.width) + AROUND[d][0];
        const y = Math.floor(cell / this.width) + AROUND[d][1];
        return x < 0 || y < 0 || x >= this.width || y >= this.height ? -1 : y * this.width + x;
    }

    /* Steps from each cell of land to the nearest that is none, in a pass forward and one back. */
    measureInland() {
        const { width, height, ids } = this;
        const far = new Uint8Array(width * height);
        const at = (x, y) => (x < 0 || y < 0 || x >= width || y >= height ? 0 : far[y * width + x]);
        for (let y = 0, i = 0; y < height; y++)
            for (let x = 0; x < width; x++, i++)
                if (ids[i] > 0) far[i] = Math.min(at(x - 1, y), at(x, y - 1), 254) + 1;
        for (let y = height - 1, i = width * height - 1; y >= 0; y--)
            for (let x = width - 1; x >= 0; x--, i--)
                if (ids[i] > 0) far[i] = Math.min(far[i], at(x + 1, y) + 1, at(x, y + 1) + 1);
        return far;
    }

    /* For each cell of a bridge the directions in which it goes on. */
    layPlanks(bridges) {
        const planks = new Uint8Array(this.ids.length);
        const towards = (a, b) => [0, 1, 2, 3].find((d) => this.beside(a, d) === b);
        const join = (a, b) => (planks[a] |= 1 << towards(a, b));
        for (const { from, to, cells } of bridges) {
            const line = cells.map(([x, y]) => y * this.width + x);
            line.forEach((cell, i) => i && (join(cell, line[i - 1]), join(line[i - 1], cell)));
            join(line[0], this.shore(line[0], from));
            join(line.at(-1), this.shore(line.at(-1), to));
        }
        return planks;
    }

    /* The cell of an island beside a cell. */
    shore(cell, id) {
        const sides = [0, 1, 2, 3].map((d) => this.beside(cell, d));
        return sides.find((other) => this.ids[other] === id) ?? cell;
    }

    /* The island's own cell that is nearest to its center. */
    anchor({ id, center: [cx, cy], bounds: [x0, y0, x1, y1] }) {
        let best = 0;
        let least = Infinity;
        for (let y = y0; y <= y1; y++)
            for (let x = x0; x <= x1; x++) {
                const far = (x - cx) ** 2 + (y - cy) ** 2;
                if (this.ids[y * this.width + x] === id && far < least)
                    [best, least] = [y * this.width + x, far];
            }
        return best;
    }

    // ---- the way ----

    /* Cells from flag to flag, over land and lit bridges, breadth first. */
    findWay() {
        const [[from], [to]] = [this.flags[0], this.flags.at(-1)];
        const came = new Map([[from, from]]);
        const queue = [from];
        for (let i = 0; i < queue.length && !came.has(to); i++)
            for (const d of [1, 2, 3, 0]) {
                const next = this.beside(queue[i], d);
                if (came.has(next) || !this.leads(queue[i], d, next)) continue;
                came.set(next, queue[i]);
                queue.push(next);
            }
        const way = from !== to && came.has(to) ? [to] : [];
        while (way.length && way.at(-1) !== from) way.push(came.get(way.at(-1)));
        return way.reverse();
    }

    /* Those of bridges between islands that follow each other on the route. */
    lightCells(route, bridges) {
        const after = new Map(Array.from(route, (id, i) => [id, route[i + 1]]));
        return bridges
            .filter(({ from, to }) => after.get(from) === to || after.get(to) === from)
            .flatMap(({ cells }) => cells.map(([x, y]) => y * this.width + x));
    }

    /* Between two cells of bridges the way follows the planks. */
    leads(cell, d, next) {
        if (next < 0 || (this.ids[next] <= 0 && !this.lit[next])) return false;
        return this.ids[cell] > 0 || this.ids[next] > 0 || ((this.planks[cell] >> d) & 1) === 1;
    }

    /* Scattered on low land, no two beside each other, off the way: those of the pictures
       (src/enc/picture/isles/trees.c). */
    plantTrees() {
        const { ids, heights, width } = this;
        const highest = Math.max(2, Math.floor(this.highest / 2));
        const takesRoot = (i) => noiseBelow(3 * i + 5, TREE_CELLS) === 0;
        const alone = (i) => takesRoot(i) && !takesRoot(i - 1) && !takesRoot(i - width);
        const grows = (id, i) => id > 0 && heights[i] <= highest && alone(i);
        const trees = Uint8Array.from(ids, (id, i) => (grows(id, i) ? 1 : 0));
        for (const cell of this.way) trees[cell] = 0;
        return trees;
    }
}
