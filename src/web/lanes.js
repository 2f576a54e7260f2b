// lanes.js: stars and the lanes between them, on a night sky.
//
// Few lanes are strokes, and few stars have a glow each. Thousands are drawn into an image, a lane
// as a row of dots that add their light to what is there: 400,000 of them take as long as a few
// thousand strokes.
import { SPACE, fade, mix, noise, word } from "./palette.js";
import { count } from "./words.js";

const STROKES = 6000; // lanes in sight up to which they are strokes
const SPRITES = 4000; // stars in sight up to which each has its glow

function bounds(stars) {
    const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
    for (const { x, y } of stars) {
        box.x0 = Math.min(box.x0, x);
        box.x1 = Math.max(box.x1, x);
        box.y0 = Math.min(box.y0, y);
        box.y1 = Math.max(box.y1, y);
    }
    const rim = Math.max(box.x1 - box.x0, box.y1 - box.y0, 1) * 0.03;
    return { x0: box.x0 - rim, y0: box.y0 - rim, x1: box.x1 + rim, y1: box.y1 + rim };
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

class Lanes {
    constructor(frame, { result }) {
        this.frame = frame;
        this.result = result;
        this.kind = "lanes";
        this.dark = true;
        this.stars = result.stars;
        this.homes = result.stars.flatMap((star, i) => (star.homeworld ? [i] : []));
        this.box = bounds(result.stars);
        this.apart = Math.sqrt(
            ((this.box.x1 - this.box.x0) * (this.box.y1 - this.box.y0)) / result.stars.length,
        );
        this.closest = 260 / this.apart;
        this.spine = new Set(result.minimum?.map(([a, b]) => a * result.stars.length + b));
        this.spare = this.without(result.maximum ?? [], result.lanes);
        this.lit = -1;
        this.glows = SPACE.stars.map(glow);
        this.gold = glow(SPACE.gold);
        this.sheet = document.createElement("canvas");
    }

    without(lanes, taken) {
        const key = ([a, b]) => a * this.stars.length + b;
        const known = new Set(taken.map(key));
        return lanes.filter((lane) => !known.has(key(lane)));
    }

    isSpine([a, b]) {
        return this.spine.has(a * this.stars.length + b);
    }

    describe() {
        const { stars, lanes, minimum } = this.result;
        const least = minimum ? `, ${count(minimum.length, "lane")} of them the minimum graph` : "";
        const what = `${count(stars.length, "star")} and ${count(lanes.length, "lane")} between them${least}`;
        return `${what}; ${count(this.homes.length, "homeworld")}.`;
    }

    // ---- drawing ----

    draw(context, view) {
        const { camera } = view;
        const seen = camera.seen();
        const rim = 40 / camera.scale;
        const box = { x0: seen.x0 - rim, y0: seen.y0 - rim, x1: seen.x1 + rim, y1: seen.y1 + rim };
        this.drawSpace(context, view);
        const lanes = this.result.lanes.filter((lane) => this.crosses(lane, box));
        const stars = this.starsIn(box);
        const few = stars.length <= SPRITES;
        if (lanes.length > STROKES || !few) this.drawLight(context, view, lanes, few ? [] : stars);
        else
            this.strokeLanes(
                context,
                camera,
                lanes,
                this.spare.filter((lane) => this.crosses(lane, box)),
            );
        this.strokeLit(context, camera);
        if (few) this.drawStars(context, camera, stars);
        this.drawCentre(context, camera);
        this.drawHomes(context, camera);
    }

    crosses([a, b], { x0, y0, x1, y1 }) {
        const [p, q] = [this.stars[a], this.stars[b]];
        return (
            Math.min(p.x, q.x) < x1 &&
            Math.max(p.x, q.x) > x0 &&
            Math.min(p.y, q.y) < y1 &&
            Math.max(p.y, q.y) > y0
        );
    }

    drawSpace(context, { width, height }) {
        const night = context.createLinearGradient(0, 0, width * 0.4, height);
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

    path(camera, lanes) {
        const path = new Path2D();
        for (const [a, b] of lanes) {
            const [p, q] = [this.stars[a], this.stars[b]];
            path.moveTo(camera.screenX(p.x), camera.screenY(p.y));
            path.lineTo(camera.screenX(q.x), camera.screenY(q.y));
        }
        return path;
    }

    strokeLanes(context, camera, lanes, spare) {
        const near = Math.min(Math.max((this.apart * camera.scale) / 40, 0.35), 1.5);
        const stroke = (part, colour, width, alpha, dash = []) => {
            context.setLineDash(dash);
            context.strokeStyle = fade(colour, alpha);
            context.lineWidth = width;
            context.stroke(this.path(camera, part));
        };
        context.lineCap = "round";
        if (spare.length <= STROKES) stroke(spare, SPACE.spare, 1, 0.9, [2, 5]);
        stroke(
            lanes.filter((lane) => !this.isSpine(lane)),
            SPACE.lane,
            1.3 * near,
            0.75,
        );
        stroke(
            lanes.filter((lane) => this.isSpine(lane)),
            SPACE.spine,
            3.2 * near,
            0.85,
        );
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
                this.isSpine(lane) ? level * 2 : level,
            );
        for (const i of stars) {
            const x = (camera.screenX(this.stars[i].x) * ratio) | 0;
            const y = (camera.screenY(this.stars[i].y) * ratio) | 0;
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
        const colour = word(mix(SPACE.lane, SPACE.spine, 0.7)) & 0xffffff;
        for (let i = 0; i < light.length; i++) if (light[i]) pixels[i] = (light[i] << 24) | colour;
        pen.putImageData(image, 0, 0);
    }

    dot(light, across, down, ratio, camera, [a, b], level) {
        const [p, q] = [this.stars[a], this.stars[b]];
        let x = camera.screenX(p.x) * ratio;
        let y = camera.screenY(p.y) * ratio;
        const dx = camera.screenX(q.x) * ratio - x;
        const dy = camera.screenY(q.y) * ratio - y;
        const steps = Math.max(Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))), 1);
        for (let i = 0; i < steps; i++, x += dx / steps, y += dy / steps) {
            if (x < 0 || y < 0 || x >= across || y >= down) continue;
            const at = (y | 0) * across + (x | 0);
            light[at] = Math.min(light[at] + level, 200);
        }
    }

    strokeLit(context, camera) {
        if (this.lit < 0) return;
        const mine = this.result.lanes.filter(([a, b]) => a === this.lit || b === this.lit);
        context.setLineDash([]);
        context.strokeStyle = SPACE.lit;
        context.lineWidth = 2.5;
        context.stroke(this.path(camera, mine));
        for (const i of [this.lit, ...mine.map(([a, b]) => a + b - this.lit)]) {
            context.beginPath();
            context.arc(
                camera.screenX(this.stars[i].x),
                camera.screenY(this.stars[i].y),
                i === this.lit ? 8 : 5,
                0,
                7,
            );
            context.stroke();
        }
    }

    starsIn({ x0, y0, x1, y1 }) {
        const found = [];
        this.stars.forEach(({ x, y }, i) => x > x0 && x < x1 && y > y0 && y < y1 && found.push(i));
        return found;
    }

    drawStars(context, camera, seen) {
        const near = Math.min(Math.max((this.apart * camera.scale) / 22, 0.45), 2.1);
        for (const i of seen) {
            const { x, y } = this.stars[i];
            const kind = Math.floor(noise(i) * SPACE.stars.length);
            context.fillStyle = SPACE.stars[kind];
            this.drawStar(
                context,
                camera.screenX(x),
                camera.screenY(y),
                near * (0.8 + noise(i + 7e6) * 0.7),
                this.glows[kind],
            );
        }
    }

    drawStar(context, x, y, size, light) {
        const wide = size * 9;
        context.drawImage(light, x - wide, y - wide, 2 * wide, 2 * wide);
        context.beginPath();
        context.arc(x, y, size * 1.35, 0, 7);
        context.fill();
    }

    drawCentre(context, camera) {
        const { x, y } = this.stars[this.result.centre] ?? {};
        if (x === undefined) return;
        const [px, py] = [camera.screenX(x), camera.screenY(y)];
        context.setLineDash([]);
        context.strokeStyle = SPACE.centre;
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
            const x = camera.screenX(this.stars[i].x);
            const y = camera.screenY(this.stars[i].y);
            context.drawImage(this.gold, x - size * 6, y - size * 6, size * 12, size * 12);
            context.fillStyle = context.strokeStyle = SPACE.gold;
            context.lineWidth = 1.8;
            context.beginPath();
            context.arc(x, y, size, 0, 7);
            context.fill();
            context.beginPath();
            context.arc(x, y, size + 4, 0, 7);
            context.stroke();
        }
    }

    // ---- under the pointer ----

    point(at) {
        this.lit = at ? this.nearest(at) : -1;
        return this.lit < 0 ? null : { key: this.lit, text: this.tell(this.lit) };
    }

    nearest({ x, y }) {
        const { camera } = this.frame;
        const [px, py] = [camera.planeX(x), camera.planeY(y)];
        let best = -1;
        let least = (14 / camera.scale) ** 2;
        this.stars.forEach((star, i) => {
            const far = (star.x - px) ** 2 + (star.y - py) ** 2;
            if (far < least) [best, least] = [i, far];
        });
        return best;
    }

    tell(i) {
        const { x, y, homeworld } = this.stars[i];
        const lanes = this.result.lanes.filter(([a, b]) => a === i || b === i).length;
        const what = homeworld ? "Homeworld" : i === this.result.centre ? "Central star" : "Star";
        return `${what} ${i} at ${x}, ${y}\n${count(lanes, "lane")}`;
    }
}

export const lanes = {
    fits: ({ result }) => Boolean(result.stars && result.lanes),
    make: (frame, answer) => new Lanes(frame, answer),
};
