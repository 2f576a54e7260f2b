// lanes.js: stars and the lanes between them, on a night sky, or by day on the map that their
// positions were read from. The look is that of src/enc/picture/scene/star_chart.c.
import { Ground } from "../draw/ground.js";
import { writeNames } from "../draw/letters.js";
import { DASHED, fade, LANE, noise, SPINE, starKind } from "../draw/palette.js";
import { layUnder } from "../draw/under.js";
import { count, extent, fairnessInWords } from "./words.js";

const FEW = 4000; // stars in sight up to which each is a disc with its glow
const BRIGHT = 2; // kinds of stars with a glow
const NAMED = 400; // stars in sight up to which names are written
const LEAST = 8; // pixels that letters of a name are high

function bounds(xs, ys) {
    const [[x0, x1], [y0, y1]] = [extent(xs), extent(ys)];
    const rim = Math.max(x1 - x0, y1 - y0, 1) * 0.03;
    return { x0: x0 - rim, y0: y0 - rim, x1: x1 + rim, y1: y1 + rim };
}

/* A soft disc of light, drawn once for each color. */
function glow(color) {
    const sheet = document.createElement("canvas");
    const size = 64;
    sheet.width = sheet.height = size;
    const pen = sheet.getContext("2d");
    const light = pen.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
    light.addColorStop(0, fade(color, 0.3));
    light.addColorStop(0.45, fade(color, 0.17));
    light.addColorStop(0.7, fade(color, 0.08));
    light.addColorStop(1, fade(color, 0));
    pen.fillStyle = light;
    pen.fillRect(0, 0, size, size);
    return sheet;
}

/* Over land: dark lines with light along them. */
const byDay = ({ mark: ink, net, halo, lit, space }) => ({
    ...space,
    ...{ lane: ink, spine: ink, spare: net, lit, rim: ink, casing: halo },
});

class Lanes {
    constructor(frame, { result, under, parameters, asked }) {
        this.frame = frame;
        this.result = result;
        this.kind = "lanes";
        const { space, paper } = frame.colors;
        this.dark = !under && !paper;
        this.colors = under ? byDay(frame.colors) : { ...space, rim: space.top };
        this.count = result.xs.length;
        [this.xs, this.ys] = [result.xs, result.ys];
        this.homes = new Set(result.homes);
        this.spare = (asked ? asked.graphs === "true" : parameters.graphs) ? result.spare : [];
        if (under) this.layGround(under);
        else this.box = bounds(this.xs, this.ys);
        this.measure(under ? this.box : { x0: 0, y0: 0, x1: result.width, y1: result.height });
        this.closest = 260 / this.apart;
        this.lit = -1;
        this.glows = this.colors.stars.slice(0, BRIGHT).map(glow);
        this.gold = glow(this.colors.gold);
    }

    /* Stars are in the middle of cells of the map that lies under. */
    layGround(under) {
        const { colors } = this.frame;
        const { xs, ys } = this.result;
        const below = layUnder(under, colors, false);
        const middles = Array.from(xs, (x, i) => below.lattice.middle([x, ys[i]]));
        this.xs = Float64Array.from(middles, ({ x }) => x);
        this.ys = Float64Array.from(middles, ({ y }) => y);
        this.places = (under.result.regions ?? [])
            .filter(({ name }) => name)
            .map(({ name, capital }) => ({ name, ...below.lattice.middle(capital) }));
        this.kind = "lanes on land";
        this.box = below.lattice.box;
        this.ground = new Ground({
            ...below,
            outside: colors.back,
            border: colors.border,
            net: colors.net,
            seam: colors.seam,
            glow: colors.lit,
        });
    }

    /* As large as there is room, in units of the plane. */
    measure({ x0, y0, x1, y1 }) {
        const [width, height] = [x1 - x0, y1 - y0];
        const side = Math.max(width, height, 1);
        this.apart = Math.min(Math.sqrt((width * height) / this.count), width) || 1;
        const within = (room, most) => Math.min(room * this.apart, most * side);
        const star = within(0.12, 0.008);
        this.sizes = {
            star,
            home: star + 0.003 * side,
            lane: within(0.04, 0.002),
            spine: within(0.07, 0.004),
            spare: within(0.03, 0.001),
            center: within(0.09, 0.003),
            ring: within(0.06, 0.002),
            rim: within(0.03, 0.001),
            letter: side / 100,
        };
    }

    sizeOf(what, camera) {
        return this.sizes[what] * camera.pen;
    }

    describe() {
        const { lanes, kinds } = this.result;
        const least = kinds.filter((kind) => kind !== LANE).length;
        const which = least ? `, ${count(least, "lane")} of them the minimum graph` : "";
        const what = `${count(this.count, "star")} and ${count(lanes.length / 2, "lane")} between them${which}`;
        return `${what}; ${count(this.homes.size, "homeworld")}.${fairnessInWords(this.result.fairness)}`;
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

    pixelOf(star, camera) {
        return [camera.screenX(this.xs[star]), camera.screenY(this.ys[star])];
    }

    // ---- drawing ----

    draw(context, view) {
        const { camera } = view;
        const seen = camera.seen();
        const rim = 40 / camera.scale;
        const box = { x0: seen.x0 - rim, y0: seen.y0 - rim, x1: seen.x1 + rim, y1: seen.y1 + rim };
        const stars = this.starsIn(box);
        const few = stars.length <= FEW;
        this.drawSpace(context, view);
        if (!this.ground) this.drawGlow(context, camera, few ? stars : []);
        this.drawLanes(context, camera, box);
        this.strokeLit(context, camera);
        this.drawStars(context, camera, stars, few);
        this.drawCenter(context, camera);
        this.drawHomes(context, camera);
        this.drawNames(context, camera, stars);
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
        night.addColorStop(0, this.colors.top);
        night.addColorStop(1, this.colors.bottom);
        context.fillStyle = night;
        context.fillRect(0, 0, width, height);
        context.fillStyle = this.colors.dust;
        for (let i = 0; i < 160; i++) {
            context.globalAlpha = 0.06 + noise(3 * i + 2) * 0.2;
            context.fillRect(noise(3 * i) * width, noise(3 * i + 1) * height, 1, 1);
        }
        context.globalAlpha = 1;
    }

    path(camera, pairs, which) {
        const path = new Path2D();
        for (const i of which) {
            path.moveTo(...this.pixelOf(pairs[2 * i], camera));
            path.lineTo(...this.pixelOf(pairs[2 * i + 1], camera));
        }
        return path;
    }

    /* With a lighter line along it, over land. */
    stroke(context, path, color, width, casing = this.colors.casing) {
        const strokes = casing ? [{ ink: casing, times: 2 }] : [];
        for (const { ink, times } of [...strokes, { ink: color, times: 1 }]) {
            context.strokeStyle = ink;
            context.lineWidth = width * times;
            context.stroke(path);
        }
    }

    drawLanes(context, camera, box) {
        const { lanes, kinds } = this.result;
        const draw = (pairs, what, is, ...casing) => {
            const holds = (a, b, i) => is(i) && this.crosses(a, b, box);
            const path = this.path(camera, pairs, this.pick(pairs, holds));
            const width = Math.max(this.sizeOf(what, camera), 0.3);
            this.stroke(context, path, this.colors[what], width, ...casing);
        };
        context.lineCap = context.lineJoin = "round";
        context.setLineDash([]);
        draw(this.spare, "spare", () => true, null);
        draw(lanes, "lane", (i) => kinds[i] === LANE);
        draw(lanes, "spine", (i) => kinds[i] === SPINE);
        const dash = 3 * Math.max(this.sizeOf("spine", camera), 1);
        context.setLineDash([dash, dash]);
        draw(lanes, "spine", (i) => kinds[i] === DASHED);
        context.setLineDash([]);
    }

    strokeLit(context, camera) {
        if (this.lit < 0) return;
        context.strokeStyle = this.colors.lit;
        context.lineWidth = 2.5;
        context.stroke(this.path(camera, this.result.lanes, this.lanesAt(this.lit)));
        for (const i of [this.lit, ...this.beside(this.lit)]) {
            context.beginPath();
            context.arc(...this.pixelOf(i, camera), i === this.lit ? 8 : 5, 0, 7);
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

    /* Around stars of the hottest kinds, and around homes, under all lanes. */
    drawGlow(context, camera, seen) {
        const shine = (i, light, wide) => {
            const [x, y] = this.pixelOf(i, camera);
            context.drawImage(light, x - wide, y - wide, 2 * wide, 2 * wide);
        };
        const star = this.sizeOf("star", camera);
        for (const i of seen) {
            const { kind, size } = starKind(i);
            if (kind < BRIGHT && !this.homes.has(i)) shine(i, this.glows[kind], 2 * star * size);
        }
        for (const i of this.homes) shine(i, this.gold, 3.8 * this.sizeOf("home", camera));
    }

    drawStars(context, camera, seen, few) {
        const width = this.sizeOf("star", camera);
        for (const i of seen) {
            const { kind, size } = starKind(i);
            const [x, y] = this.pixelOf(i, camera);
            const radius = Math.max((width * (this.ground ? 1 : size)) / 2, 0.7);
            context.fillStyle = this.ground ? this.colors.rim : this.colors.stars[kind];
            if (!few) {
                context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
                continue;
            }
            context.beginPath();
            context.arc(x, y, radius, 0, 7);
            context.fill();
        }
    }

    /* Four strokes around it. */
    drawCenter(context, camera) {
        const [px, py] = this.pixelOf(this.result.center, camera);
        const near = this.sizeOf("home", camera);
        const path = new Path2D();
        for (const way of [-near, near]) {
            path.moveTo(px + way, py);
            path.lineTo(px + 2 * way, py);
            path.moveTo(px, py + way);
            path.lineTo(px, py + 2 * way);
        }
        context.lineCap = "round";
        const width = Math.max(this.sizeOf("center", camera), 0.8);
        this.stroke(context, path, this.colors.spine, width);
    }

    drawHomes(context, camera) {
        const size = Math.max(this.sizeOf("home", camera), 2);
        context.fillStyle = this.colors.gold;
        for (const i of this.homes)
            for (const [radius, color, what] of [
                [1.75 * size, this.ground ? null : this.colors.gold, "ring"],
                [size, this.colors.rim, "rim"],
            ]) {
                context.beginPath();
                context.arc(...this.pixelOf(i, camera), radius, 0, 7);
                if (what === "rim") context.fill();
                context.strokeStyle = color;
                context.lineWidth = Math.max(this.sizeOf(what, camera), 0.5);
                if (color) context.stroke();
            }
    }

    /* Of stars, homes first, or of the countries that lie under. */
    drawNames(context, camera, seen) {
        const { names } = this.result;
        const { text, textHalo } = this.frame.colors;
        const { gold, spine, top } = this.colors;
        const letter = Math.max(this.sizeOf("letter", camera), LEAST);
        const mark = this.sizeOf("star", camera) / 2;
        const place = (name, x, y, ink, first) => ({
            ...{ name, x: camera.screenX(x), y: camera.screenY(y), ink, first },
            mark: first ? 1.75 * this.sizeOf("home", camera) : mark,
        });
        const star = (i) => {
            const home = this.homes.has(i);
            const ink = this.ground ? text : home ? gold : spine;
            return place(names[i], this.xs[i], this.ys[i], ink, home);
        };
        const crowded = seen.length > NAMED || this.apart * camera.scale < 5 * letter;
        const stars = seen.filter((i) => names && (!crowded || this.homes.has(i)));
        const below = names || crowded ? [] : (this.places ?? []);
        const all = [
            ...stars.map(star).sort((a, b) => b.first - a.first),
            ...below.map(({ name, x, y }) => place(name, x, y, text, false)),
        ];
        writeNames(context, all, letter, this.ground ? textHalo : top);
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
        const { names, xs, ys, center } = this.result;
        const what = this.homes.has(i) ? "Homeworld" : i === center ? "Central star" : "Star";
        const who = names ? `${names[i]}, ${what.toLowerCase()}` : what;
        return `${who} ${i} at ${xs[i]}, ${ys[i]}\n${count(this.lanesAt(i).length, "lane")}`;
    }
}

export const lanes = {
    fits: ({ result }) => Boolean(result.xs && result.lanes),
    make: (frame, answer) => new Lanes(frame, answer),
};
