// lanes.js: stars and the lanes between them, on a night sky, or by day on the map that gave their
// places.
//
// Few lanes are strokes, and few stars have a glow each. Thousands are drawn into an image, a lane
// as a row of dots that add their light to what is there: 400,000 of them take as long as a few
// thousand strokes.
import { Ground } from "../draw/ground.js";
import { SPACE, fade, mix, noise, starKind, word } from "../draw/palette.js";
import { Rows } from "../draw/rows.js";
import { layUnder } from "../draw/under.js";
import { count, extent } from "./words.js";

const STROKES = 6000; // lanes in sight up to which they are strokes
const SPRITES = 4000; // stars in sight up to which each has its glow

function bounds(xs, ys) {
    const [[x0, x1], [y0, y1]] = [extent(xs), extent(ys)];
    const rim = Math.max(x1 - x0, y1 - y0, 1) * 0.03;
    return { x0: x0 - rim, y0: y0 - rim, x1: x1 + rim, y1: y1 + rim };
}

/* A soft disc of light, drawn once for each colour. */
function glow(colour) {
    const sheet = document.createElement("canvas");
    const size = 64;
    sheet.width = sheet.height = size;
    const pen = sheet.getContext("2d");
    const light = pen.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
    light.addColorStop(0, fade(colour, 0.55));
    light.addColorStop(0.2, fade(colour, 0.22));
    light.addColorStop(0.5, fade(colour, 0.06));
    light.addColorStop(1, fade(colour, 0));
    pen.fillStyle = light;
    pen.fillRect(0, 0, size, size);
    return sheet;
}

/* Over land: dark lines with light along them, as src/enc/picture/scene/graph.c draws them. */
const byDay = ({ ink, halo, lit }) => ({
    ...SPACE,
    ...{ lane: ink, spine: ink, spare: ink, centre: ink, lit, rim: ink, casing: halo },
});

class Lanes {
    constructor(frame, { result, under }) {
        this.frame = frame;
        this.result = result;
        this.kind = "lanes";
        this.dark = !under;
        this.colours = under ? byDay(frame.colours) : { ...SPACE, rim: SPACE.gold };
        const stars = new Rows(result.stars);
        this.count = stars.length;
        [this.columns, this.rows] = [stars.numbers("x"), stars.numbers("y")];
        [this.xs, this.ys] = [this.columns, this.rows];
        this.homes = result.homes;
        if (under) this.layGround(under);
        else this.box = bounds(this.xs, this.ys);
        this.apart = Math.sqrt(
            ((this.box.x1 - this.box.x0) * (this.box.y1 - this.box.y0)) / this.count,
        );
        this.closest = 260 / this.apart;
        this.lit = -1;
        this.glows = SPACE.stars.map(glow);
        this.gold = glow(SPACE.gold);
        this.sheet = document.createElement("canvas");
    }

    /* Stars are in the middle of cells of the map that lies under. */
    layGround(under) {
        const { colours } = this.frame;
        const below = layUnder(under, colours, false);
        const middles = Array.from(this.columns, (x, i) => below.lattice.middle([x, this.rows[i]]));
        this.xs = Float64Array.from(middles, ({ x }) => x);
        this.ys = Float64Array.from(middles, ({ y }) => y);
        this.kind = "lanes on land";
        this.box = below.lattice.box;
        this.ground = new Ground({
            ...below,
            outside: colours.back,
            border: colours.border,
            coast: colours.coast,
            seam: colours.seam,
            glow: colours.lit,
        });
    }

    describe() {
        const { lanes, backbone } = this.result;
        const least = backbone ? `, ${count(backbone, "lane")} of them the minimum graph` : "";
        const what = `${count(this.count, "star")} and ${count(lanes.length / 2, "lane")} between them${least}`;
        return `${what}; ${count(this.homes.length, "homeworld")}.`;
    }

    /* Of pairs of stars, the numbers of those that holds(a, b, number) is true for. */
    pick(pairs, holds) {
        const found = [];
        for (let i = 0; i < pairs.length; i += 2)
            if (holds(pairs[i], pairs[i + 1], i / 2)) found.push(i / 2);
        return found;
    }

    /* The lanes at a star, and the stars at their other ends. */
    lanesAt(star) {
        return this.pick(this.result.lanes, (a, b) => a === star || b === star);
    }
    beside(star) {
        const { lanes } = this.result;
        return this.lanesAt(star).map((i) => lanes[2 * i] + lanes[2 * i + 1] - star);
    }

    // ---- drawing ----

    draw(context, view) {
        const { camera } = view;
        const seen = camera.seen();
        const rim = 40 / camera.scale;
        const box = { x0: seen.x0 - rim, y0: seen.y0 - rim, x1: seen.x1 + rim, y1: seen.y1 + rim };
        this.drawSpace(context, view);
        const { lanes: pairs, spare } = this.result;
        const lanes = this.pick(pairs, (a, b) => this.crosses(a, b, box));
        const stars = this.starsIn(box);
        const few = stars.length <= SPRITES;
        if (lanes.length > STROKES || !few) this.drawLight(context, view, lanes, few ? [] : stars);
        else
            this.strokeLanes(
                context,
                camera,
                lanes,
                this.pick(spare, (a, b) => this.crosses(a, b, box)),
            );
        this.strokeLit(context, camera);
        if (few) this.drawStars(context, camera, stars);
        this.drawCentre(context, camera);
        this.drawHomes(context, camera);
    }

    crosses(a, b, { x0, y0, x1, y1 }) {
        const { xs, ys } = this;
        return (
            Math.min(xs[a], xs[b]) < x1 &&
            Math.max(xs[a], xs[b]) > x0 &&
            Math.min(ys[a], ys[b]) < y1 &&
            Math.max(ys[a], ys[b]) > y0
        );
    }

    drawSpace(context, view) {
        if (this.ground) return this.ground.draw(context, view, 0);
        const { width, height } = view;
        const night = context.createLinearGradient(0, 0, 0, height);
        night.addColorStop(0, SPACE.top);
        night.addColorStop(1, SPACE.bottom);
        context.fillStyle = night;
        context.fillRect(0, 0, width, height);
        context.fillStyle = SPACE.dust;
        for (let i = 0; i < 160; i++) {
            context.globalAlpha = 0.06 + noise(3 * i + 2) * 0.2;
            context.fillRect(noise(3 * i) * width, noise(3 * i + 1) * height, 1, 1);
        }
        context.globalAlpha = 1;
    }

    path(camera, pairs, which) {
        const path = new Path2D();
        for (const i of which) {
            const [a, b] = [pairs[2 * i], pairs[2 * i + 1]];
            path.moveTo(camera.screenX(this.xs[a]), camera.screenY(this.ys[a]));
            path.lineTo(camera.screenX(this.xs[b]), camera.screenY(this.ys[b]));
        }
        return path;
    }

    strokeLanes(context, camera, lanes, spare) {
        const { colours } = this;
        const { lanes: pairs, spare: others, spine } = this.result;
        const near =
            Math.min(Math.max((this.apart * camera.scale) / 40, 0.35), 1.5) *
            (this.ground ? 1.4 : 1);
        const stroke = (path, colour, width, alpha, dash = []) => {
            context.setLineDash(dash);
            context.strokeStyle = fade(colour, alpha);
            context.lineWidth = width;
            context.stroke(path);
        };
        const part = (bold) =>
            this.path(
                camera,
                pairs,
                lanes.filter((i) => spine[i] === bold),
            );
        context.lineCap = "round";
        if (spare.length <= STROKES)
            stroke(this.path(camera, others, spare), colours.spare, 1, 0.9, [2, 5]);
        for (const [path, colour, width, alpha] of [
            [part(0), colours.lane, 1.3 * near, 0.75],
            [part(1), colours.spine, 2.3 * near, 0.85],
        ]) {
            if (this.ground) stroke(path, colours.casing, 2 * width, alpha);
            stroke(path, colour, width, alpha);
        }
    }

    drawLight(context, view, lanes, stars) {
        const { width, height, ratio, camera } = view;
        const across = Math.ceil(width * ratio);
        const down = Math.ceil(height * ratio);
        if (this.sheet.width !== across || this.sheet.height !== down)
            [this.sheet.width, this.sheet.height] = [across, down];
        const light = new Uint8Array(across * down);
        const near = this.apart * camera.scale;
        const level = Math.min(Math.max(near * 18, 10), 110);
        const bright = Math.min(Math.max(near * 40, 30), 230);
        for (const lane of lanes)
            this.dot(
                light,
                across,
                down,
                ratio,
                camera,
                lane,
                this.result.spine[lane] ? level * 2 : level,
            );
        for (const i of stars) {
            const x = (camera.screenX(this.xs[i]) * ratio) | 0;
            const y = (camera.screenY(this.ys[i]) * ratio) | 0;
            const at = y * across + x;
            if (x >= 0 && x < across && y >= 0 && y < down)
                light[at] = Math.min(light[at] + bright, 255);
        }
        this.develop(light, across, down);
        context.drawImage(this.sheet, 0, 0, across / ratio, down / ratio);
    }

    develop(light, across, down) {
        const pen = this.sheet.getContext("2d");
        const image = pen.createImageData(across, down);
        const pixels = new Uint32Array(image.data.buffer);
        const colour = word(mix(this.colours.lane, this.colours.spine, 0.7)) & 0xffffff;
        for (let i = 0; i < light.length; i++) if (light[i]) pixels[i] = (light[i] << 24) | colour;
        pen.putImageData(image, 0, 0);
    }

    dot(light, across, down, ratio, camera, lane, level) {
        const { lanes } = this.result;
        const [a, b] = [lanes[2 * lane], lanes[2 * lane + 1]];
        let x = camera.screenX(this.xs[a]) * ratio;
        let y = camera.screenY(this.ys[a]) * ratio;
        const dx = camera.screenX(this.xs[b]) * ratio - x;
        const dy = camera.screenY(this.ys[b]) * ratio - y;
        const steps = Math.max(Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))), 1);
        for (let i = 0; i < steps; i++, x += dx / steps, y += dy / steps) {
            if (x < 0 || y < 0 || x >= across || y >= down) continue;
            const at = (y | 0) * across + (x | 0);
            light[at] = Math.min(light[at] + level, 200);
        }
    }

    strokeLit(context, camera) {
        if (this.lit < 0) return;
        const mine = this.lanesAt(this.lit);
        context.setLineDash([]);
        context.strokeStyle = this.colours.lit;
        context.lineWidth = 2.5;
        context.stroke(this.path(camera, this.result.lanes, mine));
        for (const i of [this.lit, ...this.beside(this.lit)]) {
            context.beginPath();
            context.arc(
                camera.screenX(this.xs[i]),
                camera.screenY(this.ys[i]),
                i === this.lit ? 8 : 5,
                0,
                7,
            );
            context.stroke();
        }
    }

    starsIn({ x0, y0, x1, y1 }) {
        const found = [];
        this.xs.forEach((x, i) => {
            const y = this.ys[i];
            if (x > x0 && x < x1 && y > y0 && y < y1) found.push(i);
        });
        return found;
    }

    drawStars(context, camera, seen) {
        const near = Math.min(Math.max((this.apart * camera.scale) / 22, 0.45), 2.1);
        for (const i of seen) {
            const { kind, size } = starKind(i);
            context.fillStyle = this.ground ? this.colours.rim : SPACE.stars[kind];
            this.drawStar(
                context,
                camera.screenX(this.xs[i]),
                camera.screenY(this.ys[i]),
                near * (this.ground ? 1.4 : 1.15 * size),
                this.glows[kind],
            );
        }
    }

    drawStar(context, x, y, size, light) {
        const wide = size * 9;
        if (!this.ground) context.drawImage(light, x - wide, y - wide, 2 * wide, 2 * wide);
        context.beginPath();
        context.arc(x, y, size * 1.35, 0, 7);
        context.fill();
    }

    drawCentre(context, camera) {
        const { centre } = this.result;
        const [px, py] = [camera.screenX(this.xs[centre]), camera.screenY(this.ys[centre])];
        context.setLineDash([]);
        context.strokeStyle = this.colours.centre;
        context.lineWidth = 1.6;
        context.beginPath();
        for (const [dx, dy] of [
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
        ]) {
            context.moveTo(px + dx * 6, py + dy * 6);
            context.lineTo(px + dx * 11, py + dy * 11);
        }
        context.stroke();
    }

    drawHomes(context, camera) {
        const size = Math.min(Math.max((this.apart * camera.scale) / 9, 3.2), 7);
        context.setLineDash([]);
        for (const i of this.homes) {
            const [x, y] = [camera.screenX(this.xs[i]), camera.screenY(this.ys[i])];
            if (!this.ground)
                context.drawImage(this.gold, x - size * 6, y - size * 6, size * 12, size * 12);
            context.fillStyle = SPACE.gold;
            context.strokeStyle = this.colours.rim;
            context.lineWidth = 1.8;
            context.beginPath();
            context.arc(x, y, size, 0, 7);
            context.fill();
            if (!this.ground) {
                context.beginPath();
                context.arc(x, y, size + 4, 0, 7);
            }
            context.stroke();
        }
    }

    // ---- under the pointer, and walked to ----

    get things() {
        return {
            count: this.count,
            place: (i) => ({ x: this.xs[i], y: this.ys[i] }),
            beside: (i) => this.beside(i),
            light: (i) => (this.lit = i),
            tell: (i) => this.tell(i),
        };
    }

    point(at) {
        this.lit = at ? this.nearest(at) : -1;
        return this.lit < 0 ? null : { key: this.lit, text: this.tell(this.lit) };
    }

    nearest({ x, y }) {
        const { camera } = this.frame;
        const [px, py] = [camera.planeX(x), camera.planeY(y)];
        let best = -1;
        let least = (14 / camera.scale) ** 2;
        this.xs.forEach((x, i) => {
            const far = (x - px) ** 2 + (this.ys[i] - py) ** 2;
            if (far < least) [best, least] = [i, far];
        });
        return best;
    }

    tell(i) {
        const what = this.homes.includes(i)
            ? "Homeworld"
            : i === this.result.centre
              ? "Central star"
              : "Star";
        return `${what} ${i} at ${this.columns[i]}, ${this.rows[i]}\n${count(this.lanesAt(i).length, "lane")}`;
    }
}

export const lanes = {
    fits: ({ result }) => Boolean(result.stars && result.spine),
    make: (frame, answer) => new Lanes(frame, answer),
};
