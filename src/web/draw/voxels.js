// voxels.js: a world of islands seen from above at an angle, by a painter's algorithm.
//
// Cells are columns from the underside of the rock to the grass. Rows are drawn from the far ones
// to the near ones, and within a row cells likewise: a plane between two rows, or between two cells
// of a row, has the viewer on its near side, so nothing behind it can hide what is before it. Of a
// column's sides two at most face the viewer, and of those only what the neighbour there leaves
// open is drawn.
//
// How much is drawn is bounded: worlds that are large on the screen are drawn in blocks of 2, 4, 8
// ... cells, coarser ones while they move.
import { Sky } from "./clouds.js";
import { drawBridge, drawTrail, drawTree } from "./decor.js";
import { drawFlag } from "./flags.js";
import { LAND, noise } from "./palette.js";
import { PAINT, Pen, paint } from "./pen.js";

const YAW = 0.62;
const TILT = 0.66;
const BUDGET = { moving: 9000, still: 60000 }; // columns in sight
// Where grass, earth and each stratum of rock end, from the top of a cliff.
const TURF = 0.2;
const SOIL = 0.55;
const STRATUM = 0.7;

export class Voxels {
    constructor(world, before) {
        this.world = world;
        this.sky = before?.sky ?? new Sky();
        this.yaw = before?.yaw ?? YAW;
        this.tilt = before?.tilt ?? TILT;
        const [w, h] = [world.width / 2, world.height / 2];
        const up = world.highest * world.rise;
        const wide = w * Math.cos(YAW) + h * Math.sin(YAW);
        const high = (w * Math.sin(YAW) + h * Math.cos(YAW)) * Math.sin(TILT);
        this.box = { x0: -wide, x1: wide, y0: -high - up * 0.7 - 0.6, y1: high + 1.4 };
    }

    reset() {
        [this.yaw, this.tilt] = [YAW, TILT];
    }

    /* Turns about what is in the middle of the screen. */
    turn(camera, yaw, tilt) {
        const [x, y] = this.planAt(camera.x, camera.y, 0);
        this.yaw += yaw;
        this.tilt = Math.min(Math.max(this.tilt + tilt, 0.3), 1.4);
        if (!camera.touched) return;
        const { cos, sin, lean } = this.look();
        const [dx, dy] = [x - this.world.width / 2, y - this.world.height / 2];
        camera.x = dx * cos - dy * sin;
        camera.y = (dx * sin + dy * cos) * lean;
        camera.settle();
    }

    look() {
        const { yaw, tilt } = this;
        return {
            cos: Math.cos(yaw),
            sin: Math.sin(yaw),
            lean: Math.sin(tilt),
            rear: Math.cos(tilt),
        };
    }

    /* The place in the plan that is seen at (u, v) when it is z high. */
    planAt(u, v, z) {
        const { cos, sin, lean, rear } = this.look();
        const far = (v + z * rear) / lean;
        return [
            u * cos + far * sin + this.world.width / 2,
            -u * sin + far * cos + this.world.height / 2,
        ];
    }

    /* Where a cell's top is seen. */
    placeOf(cell) {
        const { cos, sin, lean, rear } = this.look();
        const [x, y, z] = this.summit(cell);
        const [dx, dy] = [x - this.world.width / 2, y - this.world.height / 2];
        return { x: dx * cos - dy * sin, y: (dx * sin + dy * cos) * lean - z * rear };
    }

    /* The cell that is seen at (u, v), or -1: down the line of sight from the highest land on. */
    pick(u, v) {
        const { width, height, ids, heights, rise, highest } = this.world;
        for (let z = highest * rise; z > -0.5; z -= 0.1) {
            const [x, y] = this.planAt(u, v, z).map(Math.floor);
            if (x < 0 || y < 0 || x >= width || y >= height) continue;
            const cell = y * width + x;
            const top = ids[cell] < 0 ? rise : heights[cell] * rise;
            if (ids[cell] && top >= z - 0.05) return cell;
        }
        return -1;
    }

    // ---- a picture ----

    draw(context, view, colours, lit) {
        this.sky.draw(context, view, colours);
        const { camera } = view;
        const pen = new Pen(context, camera.scale, this.look());
        const [x, y] = pen.at(this.world.width / 2, this.world.height / 2, 0);
        [pen.x, pen.y] = [camera.screenX(0) - x, camera.screenY(0) - y];
        const range = this.rangeIn(camera);
        const level = this.chooseLevel(range, view.moving ? BUDGET.moving : BUDGET.still);
        this.drawColumns(pen, level, range, lit);
        if (level.size > 1) this.drawWay(pen);
        for (const [cell, kind] of this.world.flags) this.plantFlag(pen, cell, kind);
    }

    /* Cells that may be in sight. */
    rangeIn(camera) {
        const { width, height, highest, rise, deepest } = this.world;
        const { x0, y0, x1, y1 } = camera.seen();
        const corners = [-deepest, highest * rise + 2].flatMap((z) =>
            [y0, y1].flatMap((v) => [this.planAt(x0, v, z), this.planAt(x1, v, z)]),
        );
        const xs = corners.map(([x]) => x);
        const ys = corners.map(([, y]) => y);
        const clamp = (v, most) => Math.min(Math.max(Math.floor(v), 0), most);
        return {
            x0: clamp(Math.min(...xs) - 2, width),
            x1: clamp(Math.max(...xs) + 3, width),
            y0: clamp(Math.min(...ys) - 2, height),
            y1: clamp(Math.max(...ys) + 3, height),
        };
    }

    chooseLevel({ x0, x1, y0, y1 }, budget) {
        let n = 0;
        while (((x1 - x0) * (y1 - y0)) / 4 ** n > budget) n++;
        return this.world.level(n);
    }

    drawColumns(pen, level, range, lit) {
        const { size, width, height } = level;
        const [x0, x1] = [Math.floor(range.x0 / size), Math.min(Math.ceil(range.x1 / size), width)];
        const [y0, y1] = [
            Math.floor(range.y0 / size),
            Math.min(Math.ceil(range.y1 / size), height),
        ];
        for (let j = 0; j < y1 - y0; j++) {
            const y = pen.dy > 0 ? y0 + j : y1 - 1 - j;
            for (let i = 0; i < x1 - x0; i++) {
                const x = pen.dx > 0 ? x0 + i : x1 - 1 - i;
                const id = level.ids[y * width + x];
                if (id > 0) this.drawColumn(pen, level, x, y, id === lit);
                else if (id < 0) this.drawBridge(pen, level, x, y);
            }
        }
    }

    drawColumn(pen, level, x, y, lit) {
        const { world } = this;
        const { size } = level;
        const i = y * level.width + x;
        const top = level.heights[i] * world.rise;
        const bottom = -world.depth(level, i);
        const [west, north, east, south] = [x * size, y * size, (x + 1) * size, (y + 1) * size];
        const [nearX, nearY] = [pen.dx > 0 ? east : west, pen.dy > 0 ? south : north];
        const sideX = { ends: [nearX, north, nearX, south], size, top, light: pen.lightX, seed: i };
        const sideY = { ends: [west, nearY, east, nearY], size, top, light: pen.lightY, seed: i };
        this.drawSide(pen, level, x + pen.dx, y, bottom, top, sideX);
        this.drawSide(pen, level, x, y + pen.dy, bottom, top, sideY);
        const light = this.lightOf(level, i) + (lit ? 0.5 : 0);
        pen.floor(
            west,
            north,
            east,
            south,
            top,
            paint(PAINT.tops[world.top(level.heights[i])], light),
        );
        if (size === 1) this.drawUpon(pen, x, y, i, top);
    }

    /* No two cells quite alike, and shadows; from afar there are none to be seen. */
    lightOf(level, i) {
        const grain = (noise(i + 11) - 0.5) * 0.16;
        return level.size === 1 ? grain - this.world.shade[i] * 0.13 : grain;
    }

    /* What of a side the neighbour at (x, y) leaves open: above its top, below its underside. */
    drawSide(pen, level, x, y, bottom, top, side) {
        const { world } = this;
        const inside = x >= 0 && y >= 0 && x < level.width && y < level.height;
        const i = y * level.width + x;
        if (!inside || level.ids[i] <= 0) return this.drawCliff(pen, side, bottom, top);
        const theirTop = level.heights[i] * world.rise;
        const theirBottom = -world.depth(level, i);
        if (bottom < theirBottom) this.drawCliff(pen, side, bottom, Math.min(theirBottom, top));
        if (theirTop < top) this.drawCliff(pen, side, Math.max(theirTop, bottom), top);
    }

    /* Grass, earth, then rock in strata that grow darker. */
    drawCliff(pen, { ends, size, top, light, seed }, low, high) {
        const wall = (a, b, colour) => a < b && pen.wall(...ends, a, b, colour);
        if (pen.scale * size < 5)
            return wall(low, high, paint(low < 0 ? PAINT.rock : PAINT.soil, light));
        wall(Math.max(low, top - TURF), high, paint(PAINT.turf, light));
        wall(Math.max(low, top - SOIL), Math.min(high, top - TURF), paint(PAINT.soil, light));
        for (let z = top - SOIL, k = 0; z > low; z -= STRATUM, k++) {
            const dim = light - Math.min(k / 5, 1) * 0.25 + (noise(seed * 13 + k) - 0.5) * 0.22;
            wall(
                Math.max(low, z - STRATUM),
                Math.min(high, z),
                paint(k < 2 ? PAINT.rock : PAINT.deep, dim),
            );
        }
    }

    // ---- what is not land ----

    drawUpon(pen, x, y, i, z) {
        const { trail, trees } = this.world;
        if (trail[i]) drawTrail(pen, x, y, z, trail[i], (px, py) => this.floorAt(px, py));
        else if (trees[i]) drawTree(pen, x, y, z, i);
    }

    drawBridge(pen, level, x, y) {
        const { planks, trail, rise, width } = this.world;
        const { size } = level;
        const i = y * width + x;
        const floorAt = (px, py) => this.floorAt(px, py);
        if (size === 1) return drawBridge(pen, x, y, rise, planks[i], trail[i], floorAt);
        const [a, b] = [0.2 * size, 0.8 * size];
        pen.floor(x * size + a, y * size + a, x * size + b, y * size + b, rise, PAINT.plank[8]);
    }

    /* How high one walks on a cell. */
    floorAt(x, y) {
        const { width, heights, rise } = this.world;
        return Math.max(heights[y * width + x], 1) * rise;
    }

    /* The middle of a cell's top. */
    summit(cell) {
        const { width, heights, rise } = this.world;
        return [
            (cell % width) + 0.5,
            Math.floor(cell / width) + 0.5,
            Math.max(heights[cell], 1) * rise,
        ];
    }

    /* From afar the way is a line over all. */
    drawWay(pen) {
        pen.lines([Array.from(this.world.way, (cell) => this.summit(cell))], 2, LAND.route);
    }

    plantFlag(pen, cell, kind) {
        const size = Math.min(Math.max(pen.scale, 14), 44);
        drawFlag(pen.context, ...pen.at(...this.summit(cell)), size, kind);
    }
}
