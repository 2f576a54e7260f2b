// world.js: what a world of islands looks like beyond what the answer says: how deep the rock
// hangs, where shadows fall, which way the bridges run, which cells the way from start to end goes
// over; and the same world coarser, for looking at it from afar.
import { flatten } from "./lattice.js";
import { noise, theme } from "./palette.js";

// Layers of land and of earth, in cells; how many of earth there are at most: those of a drawing
// (src/enc/picture/scene/isles.c), whose cells are 8√2 units wide.
export const UNIT = 1 / (8 * Math.SQRT2);
const UP = UNIT / Math.cos(Math.PI / 6); // what is upright is seen at a slant
export const RISE = 6 * UP;
export const FALL = 7 * UP;
const DEEPEST = 16;

const COARSE = 1 << 16; // blocks that are halved in no time

// Directions as bits: up, right, down, left in the plan.
const AROUND = [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
];

export class World {
    constructor({ width, height, islands, bridges, start, end, route = [], cells, heights }) {
        Object.assign(this, { width, height });
        this.ids = flatten(cells, width);
        this.heights = flatten(heights, width);
        this.highest = this.heights.reduce((a, b) => (a > b ? a : b), 1);
        this.inland = this.measureInland();
        this.deepest = DEEPEST * FALL;
        this.planks = this.layPlanks(bridges);
        this.flags = [
            [this.anchor(islands[start - 1]), "start"],
            [this.anchor(islands[end - 1]), "end"],
        ];
        if (start === end) this.flags.pop();
        this.way = Int32Array.from(this.findWay(route, bridges));
        this.trail = this.layTrail(this.way);
        this.trees = this.plantTrees();
        this.levels = [
            { size: 1, width, height, ids: this.ids, heights: this.heights, inland: this.inland },
        ];
    }

    /* Of which of the layers of land (palette.js) the n-th has the colours. */
    layer(n) {
        const most = theme(false).land.layers.length;
        if (this.highest <= most) return n - 1;
        return Math.floor(((n - 1) * (most - 1)) / (this.highest - 1));
    }

    beside(cell, d) {
        const x = (cell % this.width) + AROUND[d][0];
        const y = Math.floor(cell / this.width) + AROUND[d][1];
        return x < 0 || y < 0 || x >= this.width || y >= this.height ? -1 : y * this.width + x;
    }

    /* Steps from each cell of land to the nearest that is none, by a sweep there and one back. */
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

    /* For each bridge's cells the directions in which it goes on. */
    layPlanks(bridges) {
        const planks = new Uint8Array(this.ids.length);
        const join = (a, b) => (planks[a] |= this.towards(a, b));
        for (const { from, to, cells } of bridges) {
            const line = cells.map(([x, y]) => y * this.width + x);
            line.forEach((cell, i) => i && (join(cell, line[i - 1]), join(line[i - 1], cell)));
            join(line[0], this.shore(line[0], from));
            join(line.at(-1), this.shore(line.at(-1), to));
        }
        return planks;
    }

    towards(a, b) {
        return b === a + 1 ? 2 : b === a - 1 ? 8 : b > a ? 4 : 1;
    }

    /* The cell of an island beside a cell. */
    shore(cell, id) {
        for (let d = 0; d < 4; d++) {
            const other = this.beside(cell, d);
            if (other >= 0 && this.ids[other] === id) return other;
        }
        return cell;
    }

    /* The island's own cell that is nearest to its centre. */
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

    /* Cells from flag to flag, over land and bridges, as src/enc/picture/isles/way.c goes. */
    findWay(route, bridges) {
        const lit = this.lightCells(route, bridges);
        const [[from], [to]] = [this.flags[0], this.flags.at(-1)];
        const came = new Map([[from, from]]);
        const queue = [from];
        for (let i = 0; i < queue.length && !came.has(to); i++)
            for (const d of [1, 2, 3, 0]) {
                const next = this.beside(queue[i], d);
                if (came.has(next) || !this.leads(queue[i], d, next, lit)) continue;
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
        const lit = bridges.filter(
            ({ from, to }) => after.get(from) === to || after.get(to) === from,
        );
        return new Set(lit.flatMap(({ cells }) => cells.map(([x, y]) => y * this.width + x)));
    }

    /* From a bridge to a bridge one goes along planks alone. */
    leads(cell, d, next, lit) {
        if (next < 0 || (this.ids[next] <= 0 && !lit.has(next))) return false;
        return this.ids[cell] > 0 || this.ids[next] > 0 || ((this.planks[cell] >> d) & 1) === 1;
    }

    layTrail(way) {
        const trail = new Uint8Array(this.ids.length);
        way.forEach((cell, i) => {
            if (i) trail[cell] |= this.towards(cell, way[i - 1]);
            if (i + 1 < way.length) trail[cell] |= this.towards(cell, way[i + 1]);
        });
        return trail;
    }

    // ---- trees ----

    /* Off the way and not beside another, as src/enc/picture/isles/trees.c has it. */
    plantTrees() {
        const takesRoot = (i) => noise(3 * i + 5) * 6 < 1;
        const highest = Math.max(2, Math.floor(this.highest / 2));
        const mayHave = (i) =>
            this.ids[i] > 0 &&
            this.heights[i] <= highest &&
            takesRoot(i) &&
            !takesRoot(i - 1) &&
            !takesRoot(i - this.width);
        return Uint8Array.from(this.trail, (ways, i) => (!ways && mayHave(i) ? 1 : 0));
    }

    // ---- from afar ----

    /* As much of it as takes its time. */
    prepare() {
        while (this.levels.at(-1).ids.length > COARSE) this.level(this.levels.length);
    }

    /* One that was prepared elsewhere. */
    static revive(world) {
        return Object.assign(Object.create(World.prototype), world);
    }

    /* The world in blocks of 2^n cells a side. */
    level(n) {
        while (this.levels.length <= n) this.levels.push(this.halve(this.levels.at(-1)));
        return this.levels[n];
    }

    /* A block is land the likelier the more of it is, and takes after one of its cells; so land
       stays as dense. */
    halve(fine) {
        const width = Math.ceil(fine.width / 2);
        const height = Math.ceil(fine.height / 2);
        const cells = width * height;
        const half = {
            size: fine.size * 2,
            width,
            height,
            ids: new Int32Array(cells),
            heights: new Uint8Array(cells),
            inland: new Uint8Array(cells),
        };
        for (let y = 0, i = 0; y < height; y++)
            for (let x = 0; x < width; x++, i++) this.gather(half, i, fine, 2 * x, 2 * y);
        return half;
    }

    gather(half, i, fine, x, y) {
        let land = 0;
        let bridge = 0;
        let from = -1;
        for (let k = 0; k < 4; k++) {
            const px = x + (k & 1);
            const py = y + (k >> 1);
            const j = py * fine.width + px;
            if (px >= fine.width || py >= fine.height || !fine.ids[j]) continue;
            if (fine.ids[j] < 0) bridge++;
            else if (noise(4 * i + k) * ++land < 1) from = j;
        }
        const enough = 0.6 + 2.8 * noise(i + half.size * 104729);
        if (land < enough) half.ids[i] = land + bridge >= enough ? -1 : 0;
        else
            [half.ids[i], half.heights[i], half.inland[i]] = [
                fine.ids[from],
                fine.heights[from],
                fine.inland[from],
            ];
    }

    /* How many layers of earth hang below a cell. */
    depth(level, i) {
        return Math.min(Math.max(2 * level.inland[i] - 1, 0), DEEPEST);
    }
}
