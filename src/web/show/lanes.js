// lanes.js: stars and the lanes between them, on a night sky, or by day on the map that gave their
// places.
//
// Few lanes are strokes, and few stars have a glow each. Thousands are drawn into an image, a lane
// as a row of dots that add their light to what is there: 400,000 of them take as long as a few
// thousand strokes.
import { Ground } from "../draw/ground.js";
import { fade, mix, noise, starKind, word } from "../draw/palette.js";
import { Rows } from "../draw/rows.js";
import { layUnder } from "../draw/under.js";
import { count, extent, fairnessInWords } from "./words.js";

const STROKES = 6000; // lanes in sight up to which they are strokes
const SPRITES = 4000; // stars in sight up to which each is a disc
const BRIGHT = 2; // kinds of stars with light around them

function bounds(xs, ys) {
    const [[x0, x1], [y0, y1]] = [extent(xs), extent(ys)];
    const rim = Math.max(x1 - x0, y1 - y0, 1) * 0.03;
    return { x0: x0 - rim, y0: y0 - rim, x1: x1 + rim, y1: y1 + rim };
}

/* A soft disc of light, drawn once for each colour: rings of it as in a drawing, but without rims. */
function glow(colour) {
    const sheet = document.createElement("canvas");
    const size = 64;
    sheet.width = sheet.height = size;
    const pen = sheet.getContext("2d");
    const light = pen.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
    light.addColorStop(0, fade(colour, 0.3));
    light.addColorStop(0.45, fade(colour, 0.17));
    light.addColorStop(0.7, fade(colour, 0.08));
    light.addColorStop(1, fade(colour, 0));
    pen.fillStyle = light;
    pen.fillRect(0, 0, size, size);
    return sheet;
}

/* Over land: dark lines with light along them, as src/enc/picture/scene/star_chart.c draws them. */
const byDay = ({ mark: ink, net, halo, lit, space }) => ({
    ...space,
    ...{ lane: ink, spine: ink, spare: net, lit, rim: ink, casing: halo },
});

/* Where the countries that lie under have their names: { x, y, name }. */
function placesOf({ regions }, lattice) {
    const names = regions?.columns.name?.values ?? [];
    const { numbers } = regions?.columns.capital ?? {};
    return Array.from(names, (name, i) => ({
        ...lattice.middle([numbers[2 * i], numbers[2 * i + 1]]),
        name,
    }));
}

class Lanes {
    constructor(frame, { result, under }) {
        this.frame = frame;
        this.result = result;
        this.kind = "lanes";
        const { space, paper } = frame.colours;
        this.dark = !under && !paper;
        this.colours = under ? byDay(frame.colours) : { ...space, rim: space.top };
        const stars = new Rows(result.stars);
        this.count = stars.length;
        [this.columns, this.rows] = [stars.numbers("x"), stars.numbers("y")];
        [this.xs, this.ys] = [this.columns, this.rows];
        this.homes = result.homes;
        this.isHome = new Uint8Array(this.count);
        for (const i of this.homes) this.isHome[i] = 1;
        if (under) this.layGround(under);
        else this.box = bounds(this.xs, this.ys);
        this.measure(under ? this.box : { x0: 0, y0: 0, x1: result.width, y1: result.height });
        this.closest = 260 / this.apart;
        this.lit = -1;
        this.glows = this.colours.stars.slice(0, BRIGHT).map(glow);
        this.gold = glow(this.colours.gold);
        this.sheet = document.createElement("canvas");
    }

    /* Stars are in the middle of cells of the map that lies under. */
    layGround(under) {
        const { colours } = this.frame;
        const below = layUnder(under, colours, false);
        const middles = Array.from(this.columns, (x, i) => below.lattice.middle([x, this.rows[i]]));
        this.xs = Float64Array.from(middles, ({ x }) => x);
        this.ys = Float64Array.from(middles, ({ y }) => y);
        this.places = placesOf(under.result, below.lattice);
        this.kind = "lanes on land";
        this.box = below.lattice.box;
        this.ground = new Ground({
            ...below,
            outside: colours.back,
            border: colours.border,
            net: colours.net,
            seam: colours.seam,
            glow: colours.lit,
        });
    }

    /* As large as there is room, in units of the plane: all as in src/enc/picture/scene/star_chart.c. */
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
            centre: within(0.09, 0.003),
            ring: within(0.06, 0.002),
            rim: within(0.03, 0.001),
        };
    }

    sizeOf(what, camera) {
        return this.sizes[what] * camera.pen;
    }

    describe() {
        const { lanes, backbone } = this.result;
        const least = backbone ? `, ${count(backbone, "lane")} of them the minimum graph` : "";
        const what = `${count(this.count, "star")} and ${count(lanes.length / 2, "lane")} between them${least}`;
        return `${what}; ${count(this.homes.length, "homeworld")}.${fairnessInWords(this.result.fairness)}`;
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
        if (!this.ground) this.drawGlow(context, camera, few ? stars : []);
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
        this.drawPlaces(context, camera);
    }

    /* The names of the countries below, under their capitals, where there is room. */
    drawPlaces(context, camera) {
        if (!this.places?.length || this.apart * camera.scale < 44) return;
        const height = Math.min(Math.max((this.apart * camera.scale) / 7, 10), 20);
        context.font = `600 ${height}px system-ui, sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "top";
        context.lineJoin = "round";
        context.lineWidth = height / 4;
        context.strokeStyle = this.frame.colours.halo;
        context.fillStyle = this.frame.colours.ink;
        for (const { x, y, name } of this.places) {
            const [px, py] = [camera.screenX(x), camera.screenY(y) + height / 2];
            context.strokeText(name, px, py);
            context.fillText(name, px, py);
        }
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
        night.addColorStop(0, this.colours.top);
        night.addColorStop(1, this.colours.bottom);
        context.fillStyle = night;
        context.fillRect(0, 0, width, height);
        context.fillStyle = this.colours.dust;
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
        const stroke = (path, what, casing) => {
            context.strokeStyle = casing ?? colours[what];
            context.lineWidth = Math.max(this.sizeOf(what, camera), 0.3) * (casing ? 2 : 1);
            context.stroke(path);
        };
        const part = (bold) =>
            this.path(
                camera,
                pairs,
                lanes.filter((i) => spine[i] === bold),
            );
        context.setLineDash([]);
        context.lineCap = context.lineJoin = "round";
        if (spare.length <= STROKES) stroke(this.path(camera, others, spare), "spare");
        for (const [path, what] of [
            [part(0), "lane"],
            [part(1), "spine"],
        ]) {
            if (this.ground) stroke(path, what, colours.casing);
            stroke(path, what);
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

    /* Around stars of the hottest kinds, and around homes, under all lanes. */
    drawGlow(context, camera, seen) {
        const { xs, ys } = this;
        const shine = (i, light, wide) =>
            context.drawImage(
                light,
                camera.screenX(xs[i]) - wide,
                camera.screenY(ys[i]) - wide,
                2 * wide,
                2 * wide,
            );
        const star = this.sizeOf("star", camera);
        for (const i of seen) {
            const { kind, size } = starKind(i);
            if (kind < BRIGHT && !this.isHome[i]) shine(i, this.glows[kind], 2 * star * size);
        }
        for (const i of this.homes) shine(i, this.gold, 3.8 * this.sizeOf("home", camera));
    }

    drawStars(context, camera, seen) {
        const width = this.sizeOf("star", camera);
        for (const i of seen) {
            const { kind, size } = starKind(i);
            context.fillStyle = this.ground ? this.colours.rim : this.colours.stars[kind];
            context.beginPath();
            context.arc(
                camera.screenX(this.xs[i]),
                camera.screenY(this.ys[i]),
                Math.max((width * (this.ground ? 1 : size)) / 2, 0.7),
                0,
                7,
            );
            context.fill();
        }
    }

    /* Four strokes around it. */
    drawCentre(context, camera) {
        const { center } = this.result;
        const [px, py] = [camera.screenX(this.xs[center]), camera.screenY(this.ys[center])];
        const near = this.sizeOf("home", camera);
        context.setLineDash([]);
        context.lineCap = "round";
        context.beginPath();
        for (const [dx, dy] of [
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
        ]) {
            context.moveTo(px + dx * near, py + dy * near);
            context.lineTo(px + 2 * dx * near, py + 2 * dy * near);
        }
        const width = Math.max(this.sizeOf("centre", camera), 0.8);
        for (const [colour, times] of [
            [this.colours.casing, 2],
            [this.colours.spine, 1],
        ]) {
            context.strokeStyle = colour;
            context.lineWidth = width * times;
            if (colour) context.stroke();
        }
    }

    drawHomes(context, camera) {
        const size = Math.max(this.sizeOf("home", camera), 2);
        context.setLineDash([]);
        context.fillStyle = this.colours.gold;
        for (const i of this.homes) {
            const [x, y] = [camera.screenX(this.xs[i]), camera.screenY(this.ys[i])];
            for (const [radius, colour, what] of [
                [1.75 * size, this.ground ? null : this.colours.gold, "ring"],
                [size, this.colours.rim, "rim"],
            ]) {
                context.beginPath();
                context.arc(x, y, radius, 0, 7);
                if (what === "rim") context.fill();
                context.strokeStyle = colour;
                context.lineWidth = Math.max(this.sizeOf(what, camera), 0.5);
                if (colour) context.stroke();
            }
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
            : i === this.result.center
              ? "Central star"
              : "Star";
        return `${this.result.names ? `${this.result.names[i]}, ${what.toLowerCase()}` : what} ${i} at ${this.columns[i]}, ${this.rows[i]}\n${count(this.lanesAt(i).length, "lane")}`;
    }
}

export const lanes = {
    fits: ({ result }) => Boolean(result.stars && result.spine),
    make: (frame, answer) => new Lanes(frame, answer),
};
