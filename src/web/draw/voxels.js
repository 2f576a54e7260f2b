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
import { paintSky } from "./sky.js";
import { drawBridge, drawTree } from "./decor.js";
import { drawFlag, flagLetter } from "./flags.js";
import { mix } from "./palette.js";
import { Pen } from "./pen.js";
import { FALL, RISE, UNIT } from "./world.js";

// As drawings see it: cells are twice as wide as they are high.
const YAW = Math.PI / 4;
const TILT = Math.PI / 6;
const LIGHT = "#fffbe8"; // on what is under the pointer
const WAY = 2.6; // units that it is wide
const BUDGET = { moving: 9000, still: 60000 }; // columns in sight

export class Voxels {
    constructor(world, before) {
        this.world = world;
        this.yaw = before?.yaw ?? YAW;
        this.tilt = before?.tilt ?? TILT;
        const [w, h] = [world.width / 2, world.height / 2];
        const up = world.highest * RISE;
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
        const { width, height, ids, heights, highest } = this.world;
        for (let z = highest * RISE; z > -0.5; z -= 0.1) {
            const [x, y] = this.planAt(u, v, z).map(Math.floor);
            if (x < 0 || y < 0 || x >= width || y >= height) continue;
            const cell = y * width + x;
            const top = ids[cell] < 0 ? RISE : heights[cell] * RISE;
            if (ids[cell] && top >= z - 0.05) return cell;
        }
        return -1;
    }

    // ---- a picture ----

    draw(context, view, colours, lit) {
        const { camera } = view;
        paintSky(context, view, colours);
        const pen = new Pen(context, camera.scale, this.look());
        pen.near = camera.near;
        pen.land = colours.land;
        const [x, y] = pen.at(this.world.width / 2, this.world.height / 2, 0);
        [pen.x, pen.y] = [camera.screenX(0) - x, camera.screenY(0) - y];
        const range = this.rangeIn(camera);
        const level = this.chooseLevel(range, view.moving ? BUDGET.moving : BUDGET.still);
        this.drawColumns(pen, level, range, lit);
        this.drawWay(pen, camera);
        this.plantFlags(pen, camera, colours);
    }

    /* Cells that may be in sight. */
    rangeIn(camera) {
        const { width, height, highest, deepest } = this.world;
        const { x0, y0, x1, y1 } = camera.seen();
        const corners = [-deepest, highest * RISE + 2].flatMap((z) =>
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
        const top = level.heights[i];
        const bottom = -world.depth(level, i);
        const [west, north, east, south] = [x * size, y * size, (x + 1) * size, (y + 1) * size];
        const [nearX, nearY] = [pen.dx > 0 ? east : west, pen.dy > 0 ? south : north];
        const sideX = { ends: [nearX, north, nearX, south], side: pen.sideX };
        const sideY = { ends: [west, nearY, east, nearY], side: pen.sideY };
        this.drawSide(pen, level, x + pen.dx, y, bottom, top, sideX);
        this.drawSide(pen, level, x, y + pen.dy, bottom, top, sideY);
        const colour = pen.land.layers[world.layer(top)][(x + y) % 2 ? 0 : 3];
        pen.floor(west, north, east, south, top * RISE, lit ? mix(colour, LIGHT, 0.45) : colour);
        if (size === 1 && world.trees[i]) drawTree(pen, x, y, top * RISE, i);
    }

    /* What of a side the neighbour at (x, y) leaves open: above its top, below its underside. */
    drawSide(pen, level, x, y, bottom, top, side) {
        const { world } = this;
        const inside = x >= 0 && y >= 0 && x < level.width && y < level.height;
        const i = y * level.width + x;
        if (!inside || level.ids[i] <= 0) return this.drawCliff(pen, side, bottom, top);
        this.drawCliff(pen, side, bottom, -world.depth(level, i));
        this.drawCliff(pen, side, level.heights[i], top);
    }

    /* Layers from one up to another: of earth below 0, by twos of a colour, of land above. */
    drawCliff(pen, { ends, side }, low, high) {
        for (let n = low; n < high; n++) {
            const { earth, layers } = pen.land;
            const colour =
                n < 0
                    ? earth[Math.min(Math.floor(-n / 2), earth.length - 1)][side]
                    : layers[this.world.layer(n + 1)][1 + side];
            const step = n < 0 ? FALL : RISE;
            pen.wall(...ends, n * step, (n + 1) * step, colour);
        }
    }

    // ---- what is not land ----

    drawBridge(pen, level, x, y) {
        const { planks, trail, width } = this.world;
        const { size } = level;
        const i = y * width + x;
        if (size === 1) return drawBridge(pen, x, y, RISE, planks[i], trail[i] > 0);
        const [a, b] = [0.25 * size, 0.75 * size];
        pen.floor(x * size + a, y * size + a, x * size + b, y * size + b, RISE, pen.land.deck[0]);
    }

    /* The middle of a cell's top. */
    summit(cell) {
        const { width, heights } = this.world;
        return [
            (cell % width) + 0.5,
            Math.floor(cell / width) + 0.5,
            Math.max(heights[cell], 1) * RISE,
        ];
    }

    /* A line over all, from the rim of a cell to that of the next at the height of the higher. */
    drawWay(pen, camera) {
        const way = Array.from(this.world.way, (cell) => this.summit(cell));
        const line = way.flatMap((to, i) => {
            if (!i) return [to];
            const from = way[i - 1];
            const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
            return [[x, y, from[2]], [x, y, to[2]], to];
        });
        pen.lines([line], Math.max(WAY * UNIT * camera.pen, 1), pen.land.litDeck[0]);
    }

    plantFlags(pen, camera, colours) {
        const letter = flagLetter(this.world, camera);
        for (const [cell, kind] of this.world.flags)
            drawFlag(pen.context, camera, pen.at(...this.summit(cell)), letter, kind, colours);
    }
}
