// voxels.js: a world of islands seen from above at an angle, by a painter's algorithm.
//
// Cells are columns from the underside of the rock to the grass. Rows are drawn from the far ones
// to the near ones, and within a row cells likewise: a plane between two rows, or between two cells
// of a row, has the viewer on its near side, so nothing behind it can hide what is before it. Of a
// column's sides two at most face the viewer, and of those only what the neighbor there leaves open
// is drawn. The cost follows the number of columns in sight, so very large worlds are shown as plans
// (isles.js).
import { drawBridge, drawTree } from "./decor.js";
import { drawFlag, flagLetter } from "./flags.js";
import { mix } from "./palette.js";
import { Pen } from "./pen.js";
import { FALL, RISE, UNIT } from "./world.js";

// As in drawings: cells are twice as wide as they are high.
const YAW = Math.PI / 4;
const TILT = Math.PI / 6;
const LIGHT = "#fffbe8"; // on what is under the pointer
const WAY = 2.6; // units that it is wide

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
        Object.assign(camera, this.project(x, y, 0));
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

    project(x, y, z) {
        const { cos, sin, lean, rear } = this.look();
        const [dx, dy] = [x - this.world.width / 2, y - this.world.height / 2];
        return { x: dx * cos - dy * sin, y: (dx * sin + dy * cos) * lean - z * rear };
    }

    /* Where a cell's top is seen. */
    placeOf(cell) {
        return this.project(...this.summit(cell));
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

    /* Returns the boxes of its flags. */
    draw(context, { width, height, camera }, colors, lit) {
        const sky = context.createLinearGradient(0, 0, 0, height);
        colors.sky.forEach((color, i) => sky.addColorStop(i / (colors.sky.length - 1), color));
        context.fillStyle = sky;
        context.fillRect(0, 0, width, height);
        const pen = new Pen(context, camera.scale, this.look());
        pen.land = colors.land;
        const [x, y] = pen.at(this.world.width / 2, this.world.height / 2, 0);
        [pen.x, pen.y] = [camera.screenX(0) - x, camera.screenY(0) - y];
        this.drawColumns(pen, this.rangeIn(camera), lit);
        this.drawWay(pen, camera);
        return this.plantFlags(pen, camera, colors);
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

    drawColumns(pen, { x0, x1, y0, y1 }, lit) {
        const { ids, width, planks, lit: onWay } = this.world;
        for (let j = 0; j < y1 - y0; j++) {
            const y = pen.dy > 0 ? y0 + j : y1 - 1 - j;
            for (let i = 0; i < x1 - x0; i++) {
                const x = pen.dx > 0 ? x0 + i : x1 - 1 - i;
                const cell = y * width + x;
                if (ids[cell] > 0) this.drawColumn(pen, x, y, cell, ids[cell] === lit);
                else if (ids[cell] < 0) drawBridge(pen, x, y, RISE, planks[cell], onWay[cell] > 0);
            }
        }
    }

    drawColumn(pen, x, y, cell, lit) {
        const { world } = this;
        const top = world.heights[cell];
        const bottom = -world.depth(cell);
        const [nearX, nearY] = [pen.dx > 0 ? x + 1 : x, pen.dy > 0 ? y + 1 : y];
        const sideX = { ends: [nearX, y, nearX, y + 1], side: pen.sideX };
        const sideY = { ends: [x, nearY, x + 1, nearY], side: pen.sideY };
        this.drawSide(pen, x + pen.dx, y, bottom, top, sideX);
        this.drawSide(pen, x, y + pen.dy, bottom, top, sideY);
        const tint = world.tints[world.ids[cell]];
        const color = pen.land.tops[tint][world.layer(top)][(x + y + 1) % 2];
        pen.floor(x, y, x + 1, y + 1, top * RISE, lit ? mix(color, LIGHT, 0.45) : color);
        if (world.trees[cell]) drawTree(pen, x, y, top * RISE, cell);
    }

    /* What of a side the neighbor at (x, y) leaves open: above its top, below its underside. */
    drawSide(pen, x, y, bottom, top, side) {
        const { world } = this;
        const inside = x >= 0 && y >= 0 && x < world.width && y < world.height;
        const cell = y * world.width + x;
        if (!inside || world.ids[cell] <= 0) return this.drawCliff(pen, side, bottom, top);
        this.drawCliff(pen, side, bottom, -world.depth(cell));
        this.drawCliff(pen, side, world.heights[cell], top);
    }

    /* Layers from one up to another: of earth below 0, by twos of a color, of land above. */
    drawCliff(pen, { ends, side }, low, high) {
        const { earth, layers } = pen.land;
        for (let n = low; n < high; n++) {
            const color =
                n < 0
                    ? earth[Math.min(Math.floor(-n / 2), earth.length - 1)][side]
                    : layers[this.world.layer(n + 1)][1 + side];
            const step = n < 0 ? FALL : RISE;
            pen.wall(...ends, n * step, (n + 1) * step, color);
        }
    }

    // ---- what is not land ----

    /* The middle of a cell's top. */
    summit(cell) {
        const { width, heights } = this.world;
        const [x, y] = [(cell % width) + 0.5, Math.floor(cell / width) + 0.5];
        return [x, y, Math.max(heights[cell], 1) * RISE];
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
        pen.line(line, Math.max(WAY * UNIT * camera.pen, 1), pen.land.litDeck[0]);
    }

    plantFlags(pen, camera, colors) {
        const letter = flagLetter(this.world, camera);
        return this.world.flags.map(([cell, kind]) =>
            drawFlag(pen.context, camera, pen.at(...this.summit(cell)), letter, kind, colors),
        );
    }
}
