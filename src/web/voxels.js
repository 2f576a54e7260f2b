// voxels.js: a world of islands seen from above at an angle, by a painter's algorithm.
//
// Cells are columns from the underside of the rock to the grass. The picture is an orthographic one, so that a point
// (x, y, z) lies at a fixed sum of three vectors: east, south and up. Rows are drawn from the far ones to the near
// ones, and within a row cells likewise: a plane between two rows, or between two cells of a row, has the viewer on
// its near side, so nothing behind it can hide what is before it. Of a column's sides two at most face the viewer, and
// of those only what the neighbour there leaves open is drawn.
//
// How much is drawn is bounded: worlds that are large on the screen are drawn in blocks of 2, 4, 8 ... cells, coarser
// ones while they move.
import { drawFlag } from "./flags.js";
import { LAND, fade, mix, noise } from "./palette.js";

const YAW = 0.62, TILT = 0.66;
const BUDGET = { moving: 9000, still: 60000 }; // columns in sight
const SHADES = 16;
const TURF = 0.2, SOIL = 0.55, STRATUM = 0.7; // heights of what a cliff shows, from the top

/* A colour in SHADES steps from dark to lit; the middle one is the colour itself. */
function shades(colour) {
    const steps = Array.from({ length: SHADES }, (_, i) => (i / (SHADES - 1)) * 2 - 1);
    return steps.map((t) => (t < 0 ? mix(colour, "#1d2233", -t * 0.62) : mix(colour, "#fffbe8", t * 0.5)));
}

const PAINT = {
    tops: LAND.tops.map(shades), turf: shades(LAND.turf), soil: shades(LAND.soil), rock: shades(LAND.rock), deep: shades(LAND.deep),
    plank: shades(LAND.plank), beam: shades(LAND.beam), tree: shades(LAND.tree),
};

function paint(steps, light) {
    return steps[Math.min(Math.max(Math.round((light + 1) / 2 * (SHADES - 1)), 0), SHADES - 1)];
}

export class Voxels {
    constructor(world, before) {
        this.world = world;
        this.yaw = before?.yaw ?? YAW;
        this.tilt = before?.tilt ?? TILT;
        const [w, h] = [world.width / 2, world.height / 2], up = world.highest * world.rise;
        const wide = w * Math.cos(YAW) + h * Math.sin(YAW), high = (w * Math.sin(YAW) + h * Math.cos(YAW)) * Math.sin(TILT);
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
        return { cos: Math.cos(this.yaw), sin: Math.sin(this.yaw), lean: Math.sin(this.tilt), rear: Math.cos(this.tilt) };
    }

    /* The place in the plan that is seen at (u, v) when it is z high. */
    planAt(u, v, z) {
        const { cos, sin, lean, rear } = this.look(), far = (v + z * rear) / lean;
        return [u * cos + far * sin + this.world.width / 2, -u * sin + far * cos + this.world.height / 2];
    }

    /* The cell that is seen at (u, v), or -1: down the line of sight from the highest land on. */
    pick(u, v) {
        const { width, height, ids, heights, rise, highest } = this.world;
        for (let z = highest * rise; z > -0.5; z -= 0.1) {
            const [x, y] = this.planAt(u, v, z).map(Math.floor);
            if (x < 0 || y < 0 || x >= width || y >= height) continue;
            const cell = y * width + x, top = ids[cell] < 0 ? rise : heights[cell] * rise;
            if (ids[cell] && top >= z - 0.05) return cell;
        }
        return -1;
    }

    // ---- a picture ----

    draw(context, view, colours, lit) {
        this.drawSky(context, view, colours);
        const { camera } = view, { cos, sin, lean, rear } = this.look(), scale = camera.scale, { world } = this;
        const pen = {
            context, scale, lit, haze: colours.sky[1],
            east: [cos * scale, sin * lean * scale], south: [-sin * scale, cos * lean * scale], up: -rear * scale,
            // A side's light: by how it is turned to the sun in the north-west.
            sideX: sin > 0 ? -0.34 : 0.1, sideY: cos > 0 ? -0.1 : 0.24, dx: sin > 0 ? 1 : -1, dy: cos > 0 ? 1 : -1,
        };
        pen.x = camera.screenX(0) - (pen.east[0] * world.width + pen.south[0] * world.height) / 2;
        pen.y = camera.screenY(0) - (pen.east[1] * world.width + pen.south[1] * world.height) / 2;
        const range = this.rangeIn(camera), level = this.chooseLevel(range, view.moving ? BUDGET.moving : BUDGET.still);
        this.drawColumns(pen, level, range);
        if (level.size > 1) this.drawWay(pen);
        for (const [cell, kind] of world.flags) this.plantFlag(pen, cell, kind);
    }

    drawSky(context, { width, height }, { sky, cloud }) {
        const air = context.createLinearGradient(0, 0, 0, height);
        sky.forEach((colour, i) => air.addColorStop(i / (sky.length - 1), colour));
        context.fillStyle = air;
        context.fillRect(0, 0, width, height);
        for (let i = 0; i < 9; i++) this.drawCloud(context, noise(i * 5 + 1) * width, (0.12 + 0.88 * noise(i * 5 + 2)) * height, 40 + 70 * noise(i * 5 + 3), cloud, i);
    }

    drawCloud(context, x, y, size, colour, seed) {
        for (let k = 0; k < 5; k++) {
            const px = x + (k - 2) * size * 0.75, py = y + (noise(seed * 31 + k) - 0.5) * size * 0.3, r = size * (0.55 + 0.5 * noise(seed * 17 + k));
            context.save();
            context.translate(px, py);
            context.scale(1, 0.42);
            const mist = context.createRadialGradient(0, 0, 0, 0, 0, r);
            mist.addColorStop(0, fade(colour, 0.2));
            mist.addColorStop(1, fade(colour, 0));
            context.fillStyle = mist;
            context.fillRect(-r, -r, 2 * r, 2 * r);
            context.restore();
        }
    }

    /* Cells that may be in sight. */
    rangeIn(camera) {
        const { world } = this, { x0, y0, x1, y1 } = camera.seen(), deep = 6, high = world.highest * world.rise + 2;
        const corners = [[x0, y0, -deep], [x1, y0, -deep], [x0, y1, high], [x1, y1, high], [x0, y0, high], [x1, y0, high], [x0, y1, -deep], [x1, y1, -deep]]
            .map(([u, v, z]) => this.planAt(u, v, z));
        const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
        const clamp = (v, most) => Math.min(Math.max(Math.floor(v), 0), most);
        return {
            x0: clamp(Math.min(...xs) - 2, world.width), x1: clamp(Math.max(...xs) + 3, world.width),
            y0: clamp(Math.min(...ys) - 2, world.height), y1: clamp(Math.max(...ys) + 3, world.height),
        };
    }

    chooseLevel({ x0, x1, y0, y1 }, budget) {
        let n = 0;
        while ((x1 - x0) * (y1 - y0) / 4 ** n > budget) n++;
        return this.world.level(n);
    }

    drawColumns(pen, level, range) {
        const { size } = level, [x0, x1] = [Math.floor(range.x0 / size), Math.min(Math.ceil(range.x1 / size), level.width)];
        const [y0, y1] = [Math.floor(range.y0 / size), Math.min(Math.ceil(range.y1 / size), level.height)];
        pen.context.lineJoin = "round";
        pen.context.lineWidth = 0.8;
        for (let j = 0; j < y1 - y0; j++) {
            const y = pen.dy > 0 ? y0 + j : y1 - 1 - j;
            for (let i = 0; i < x1 - x0; i++) {
                const x = pen.dx > 0 ? x0 + i : x1 - 1 - i, id = level.ids[y * level.width + x];
                if (id > 0) this.drawColumn(pen, level, x, y);
                else if (id < 0) this.drawBridge(pen, level, x, y);
            }
        }
    }

    // ---- faces ----

    /* A side from corner (x, y) along east or south, between two heights. */
    wall(pen, x, y, along, length, low, high, colour) {
        const { context } = pen, px = pen.x + x * pen.east[0] + y * pen.south[0], py = pen.y + x * pen.east[1] + y * pen.south[1];
        const ax = along[0] * length, ay = along[1] * length;
        context.fillStyle = context.strokeStyle = colour;
        context.beginPath();
        context.moveTo(px, py + high * pen.up);
        context.lineTo(px + ax, py + ay + high * pen.up);
        context.lineTo(px + ax, py + ay + low * pen.up);
        context.lineTo(px, py + low * pen.up);
        context.closePath();
        context.fill();
        context.stroke();
    }

    /* A level rectangle. */
    floor(pen, x0, y0, x1, y1, z, colour) {
        const { context, east, south } = pen;
        const point = (x, y) => [pen.x + x * east[0] + y * south[0], pen.y + x * east[1] + y * south[1] + z * pen.up];
        context.fillStyle = context.strokeStyle = colour;
        context.beginPath();
        context.moveTo(...point(x0, y0));
        context.lineTo(...point(x1, y0));
        context.lineTo(...point(x1, y1));
        context.lineTo(...point(x0, y1));
        context.closePath();
        context.fill();
        context.stroke();
    }

    drawColumn(pen, level, x, y) {
        const i = y * level.width + x, { world } = this, { size } = level;
        const top = level.heights[i] * world.rise, bottom = -world.depth(level, i);
        const wallX = (low, high) => this.cliff(pen, (x + (pen.dx > 0 ? 1 : 0)) * size, y * size, pen.south, size, low, high, top, pen.sideX, i);
        const wallY = (low, high) => this.cliff(pen, x * size, (y + (pen.dy > 0 ? 1 : 0)) * size, pen.east, size, low, high, top, pen.sideY, i);
        this.openSide(level, x + pen.dx, y, bottom, top, wallX);
        this.openSide(level, x, y + pen.dy, bottom, top, wallY);
        const lit = pen.lit === level.ids[i], light = this.lightOf(level, i) + (lit ? 0.5 : 0);
        this.floor(pen, x * size, y * size, (x + 1) * size, (y + 1) * size, top, paint(PAINT.tops[world.top(level.heights[i])], light));
        if (size === 1) this.drawUpon(pen, x, y, i, top);
    }

    lightOf(level, i) {
        const grain = (noise(i + 11) - 0.5) * 0.16;
        return level.size === 1 ? grain - this.world.shade[i] * 0.13 : grain;
    }

    /* What of a side the neighbour leaves open: above its top, below its underside. */
    openSide(level, x, y, bottom, top, wall) {
        const { world } = this, inside = x >= 0 && y >= 0 && x < level.width && y < level.height, i = y * level.width + x;
        if (!inside || level.ids[i] <= 0) return wall(bottom, top);
        const theirTop = level.heights[i] * world.rise, theirBottom = -world.depth(level, i);
        if (bottom < theirBottom) wall(bottom, Math.min(theirBottom, top));
        if (theirTop < top) wall(Math.max(theirTop, bottom), top);
    }

    /* Grass, earth, then rock in strata that fade into the haze. */
    cliff(pen, x, y, along, length, low, high, top, light, i) {
        if (pen.scale * length < 5) return this.wall(pen, x, y, along, length, low, high, paint(low < 0 ? PAINT.rock : PAINT.soil, light));
        const bands = [[top - TURF, PAINT.turf, light], [top - SOIL, PAINT.soil, light]];
        for (let z = top - SOIL - STRATUM, k = 0; z > low - STRATUM; z -= STRATUM, k++) {
            const deep = Math.min(k / 5, 1);
            bands.push([z, k < 2 ? PAINT.rock : PAINT.deep, light - deep * 0.25 + (noise(i * 13 + k) - 0.5) * 0.22]);
        }
        let upper = top;
        for (const [z, steps, shade] of bands) {
            const [a, b] = [Math.max(z, low), Math.min(upper, high)];
            if (a < b) this.wall(pen, x, y, along, length, a, b, paint(steps, shade));
            upper = z;
        }
    }

    // ---- what stands on the land, and what spans the air ----

    drawUpon(pen, x, y, i, z) {
        const { world } = this, trail = world.trail[i];
        if (trail) this.drawTrail(pen, x, y, z, trail);
        else if (pen.scale >= 9 && world.heights[i] <= Math.max(2, world.highest / 2) && noise(i * 3 + 5) < 0.13) this.drawTree(pen, x, y, z, i);
    }

    at(pen, x, y, z) {
        return [pen.x + x * pen.east[0] + y * pen.south[0], pen.y + x * pen.east[1] + y * pen.south[1] + z * pen.up];
    }

    drawTrail(pen, x, y, z, trail) {
        const { context } = pen;
        for (const [width, colour] of [[0.42, fade(LAND.route, 0.35)], [0.2, LAND.route]]) {
            context.beginPath();
            for (const [dx, dy, bit] of [[0, -0.5, 1], [0.5, 0, 2], [0, 0.5, 4], [-0.5, 0, 8]])
                if (trail & bit) {
                    context.moveTo(...this.at(pen, x + 0.5, y + 0.5, z));
                    context.lineTo(...this.at(pen, x + 0.5 + dx, y + 0.5 + dy, z));
                }
            context.lineCap = width > 0.3 ? "butt" : "round";
            context.lineWidth = Math.max(width * pen.scale, 1);
            context.strokeStyle = colour;
            context.stroke();
        }
        context.lineWidth = 0.8;
    }

    drawTree(pen, x, y, z, i) {
        const { context, scale } = pen, size = scale * (0.55 + 0.4 * noise(i + 77));
        const [px, py] = this.at(pen, x + 0.3 + 0.4 * noise(i + 3), y + 0.3 + 0.4 * noise(i + 4), z);
        context.fillStyle = LAND.trunk;
        context.fillRect(px - size * 0.06, py - size * 0.28, size * 0.12, size * 0.3);
        for (const [wide, low, high, light] of [[0.34, 0.2, 0.8, -0.1], [0.26, 0.5, 1.15, 0.08]]) {
            for (const [side, shade] of [[-1, 0.22], [1, -0.18]]) {
                context.fillStyle = paint(PAINT.tree, light + shade);
                context.beginPath();
                context.moveTo(px, py - high * size);
                context.lineTo(px + side * wide * size, py - low * size);
                context.lineTo(px, py - (low - 0.06) * size);
                context.fill();
            }
        }
    }

    drawBridge(pen, level, x, y) {
        const { size } = level, z = this.world.rise;
        if (size > 1) return this.floor(pen, (x + 0.2) * size, (y + 0.2) * size, (x + 0.8) * size, (y + 0.8) * size, z, PAINT.plank[8]);
        const i = y * level.width + x, ways = this.world.planks[i], half = 0.3;
        const arms = [[-half, -0.5, half, half, 1], [-half, -half, 0.5, half, 2], [-half, -half, half, 0.5, 4], [-0.5, -half, half, half, 8]].filter((arm) => ways & arm[4]);
        for (const [x0, y0, x1, y1] of arms) this.floor(pen, x + 0.5 + x0, y + 0.5 + y0, x + 0.5 + x1, y + 0.5 + y1, z - 0.16, PAINT.beam[6]);
        for (const [x0, y0, x1, y1] of arms) this.floor(pen, x + 0.5 + x0, y + 0.5 + y0, x + 0.5 + x1, y + 0.5 + y1, z - 0.04, paint(PAINT.plank, 0.1));
        if (pen.scale >= 8) this.drawPlanks(pen, x + 0.5, y + 0.5, z - 0.04, ways, half);
        if (this.world.trail[i]) this.drawTrail(pen, x, y, z, this.world.trail[i]);
        if (pen.scale >= 11) this.drawRopes(pen, x + 0.5, y + 0.5, z, ways, half);
    }

    drawPlanks(pen, x, y, z, ways, half) {
        const { context } = pen;
        context.beginPath();
        const line = (x0, y0, x1, y1) => {
            context.moveTo(...this.at(pen, x + x0, y + y0, z));
            context.lineTo(...this.at(pen, x + x1, y + y1, z));
        };
        for (const t of [0.04, 0.2, 0.36, 0.5]) {
            if (ways & 1) line(-half, -t, half, -t);
            if (ways & 4) line(-half, t, half, t);
            if (ways & 2) line(t, -half, t, half);
            if (ways & 8) line(-t, -half, -t, half);
        }
        context.strokeStyle = fade(LAND.beam, 0.75);
        context.stroke();
    }

    /* Ropes at the sides of a straight piece. */
    drawRopes(pen, x, y, z, ways, half) {
        const { context } = pen, hand = z + 0.34, south = ways === 5;
        if (!south && ways !== 10) return;
        const spot = (t, side) => (south ? [x + side, y + t] : [x + t, y + side]);
        context.beginPath();
        for (const side of [-half, half]) {
            context.moveTo(...this.at(pen, ...spot(-0.5, side), hand));
            context.quadraticCurveTo(...this.at(pen, ...spot(0, side), hand - 0.16), ...this.at(pen, ...spot(0.5, side), hand));
            context.moveTo(...this.at(pen, ...spot(-0.5, side), z - 0.04));
            context.lineTo(...this.at(pen, ...spot(-0.5, side), hand));
        }
        context.strokeStyle = LAND.rope;
        context.lineWidth = Math.max(pen.scale * 0.05, 1);
        context.stroke();
        context.lineWidth = 0.8;
    }

    /* From afar the way is a line over all. */
    drawWay(pen) {
        const { context } = pen, { way, width, heights, rise } = this.world;
        context.beginPath();
        way.forEach((cell, i) => context[i ? "lineTo" : "moveTo"](...this.at(pen, cell % width + 0.5, Math.floor(cell / width) + 0.5, Math.max(heights[cell], 1) * rise)));
        context.lineWidth = 2;
        context.strokeStyle = LAND.route;
        context.stroke();
    }

    plantFlag(pen, cell, kind) {
        const { width, heights, rise } = this.world;
        const [x, y] = this.at(pen, cell % width + 0.5, Math.floor(cell / width) + 0.5, heights[cell] * rise);
        drawFlag(pen.context, x, y, Math.min(Math.max(pen.scale, 14), 44), kind);
    }
}
