// cells.js: countries and areas on hexagons or squares.
import { Ground } from "../draw/ground.js";
import { Lattice } from "../draw/lattice.js";
import { wordWidth, writeWord } from "../draw/letters.js";
import { mix } from "../draw/palette.js";
import { Rows } from "../draw/rows.js";
import { layUnder } from "../draw/under.js";
import { weigh } from "../draw/weights.js";
import { count, number, range, sum } from "./words.js";

const LEAST = 6; // pixels that digits are high, to be read

/* Of a circle of cells that are fewer than `depth` steps from a pole, in cells. */
const radiusWithin = (depth, rise) => Math.max(depth - 2 / 3, 1 / 2) * rise;

/* Whether they hold a box about the pole, with so much around it, as has_room in
   src/enc/picture/scene/signs.c has it; in units of a drawing, each `unit` of a cell. */
function hasRoom({ hex, rise }, unit, line, depth, across, up) {
    const reaches = (v) => Math.floor((v + line) * unit + 0.5);
    if (!hex) return reaches(across) + reaches(up) < depth;
    const radius = Math.max(radiusWithin(depth, rise) / unit - line, 0);
    return across ** 2 + up ** 2 <= radius ** 2;
}

class Cells {
    constructor(frame, answer) {
        const { result, parameters, under } = answer;
        this.frame = frame;
        this.result = result;
        this.rows = new Rows(result.regions ?? result.areas);
        this.one = result.regions ? "country" : "area";
        this.lattice = new Lattice(result.width, result.height, result.grid, result.wrap);
        this.labels = result.cells;
        this.tones = result.colours;
        this.spots = this.rows.numbers(result.regions ? "capital" : "origin");
        this.names = this.rows.columns.name?.values;
        this.mask = parameters.mask;
        this.stands = typeof parameters.mask === "string"; // on another map, whose rows nobody told
        this.under = under;
        this.box = this.lattice.box;
        this.closest = 90;
        this.kind = `cells ${result.grid} ${result.wrap}`;
        this.lit = 0;
        this.weights = weigh(this.lattice, this.rows.length);
        this.layGround(frame.colours);
    }

    /* Whether a cell is land, where it has no label. */
    isFree(below) {
        const { lattice, mask, result } = this;
        if (below) return below.takes;
        if (!result.areas || this.stands || !Array.isArray(mask)) return () => false;
        return (cell) => mask[Math.floor(cell / lattice.width)][cell % lattice.width] === "#";
    }

    /* Tones: water, free land, the countries' colours, of each as many as there are layers of land,
       then what lies under. */
    layGround(colours) {
        const { labels, lattice } = this;
        const below = this.under && layUnder(this.under, colours, true);
        const free = this.isFree(below);
        const reliefs = below?.layer
            ? colours.reliefs
            : colours.countries.map((colour) => [colour]);
        const own = reliefs.flat();
        const first = 2 + own.length;
        const tone = (cell) =>
            this.tones[labels[cell]] * reliefs[0].length + (below?.layer?.(cell) ?? 0);
        const bare = below ? (cell) => first + below.tone(cell) : (cell) => Number(free(cell));
        this.ground = new Ground({
            lattice,
            labels,
            count: this.rows.length,
            covered: sum(this.rows.numbers("size")),
            tones: [colours.water, colours.ground, ...own, ...(below?.tones ?? [])],
            tone: (cell) => (labels[cell] ? tone(cell) + 2 : bare(cell)),
            outside: colours.back,
            border: colours.border,
            net: colours.net,
            seam: colours.seam,
            glow: colours.lit,
        });
        this.free = free;
    }

    describe() {
        const { width, height, grid } = this.result;
        const what = count(
            this.rows.length,
            this.one,
            this.one === "country" ? "countries" : "areas",
        );
        const sizes = range(this.rows.numbers("size"));
        const seam =
            { x: ", joined left to right", xy: ", joined left to right and top to bottom" }[
                this.result.wrap
            ] ?? "";
        return `${what} on ${width} by ${height} ${grid === "hex" ? "hexagons" : "squares"}${seam}, ${sizes}.`;
    }

    draw(context, view) {
        const { colours } = this.frame;
        if (this.lit)
            this.ground.glow = mix(colours.countries[this.tones[this.lit]], colours.lit, 0.45);
        this.ground.draw(context, view, this.lit);
        this.drawWalks(context, view);
        this.drawMarks(context, view);
        if (!this.rows.columns.walk) this.drawNames(context, view);
    }

    /* The one walk that an area may be. */
    drawWalks(context, { camera }) {
        if (camera.scale < 4) return;
        const { lattice } = this;
        const line = new Path2D();
        const { numbers = [], starts = [] } = this.rows.columns.walk ?? {};
        const begins = new Set(starts);
        for (let i = 0; i < numbers.length; i += 2) {
            const cell = [numbers[i], numbers[i + 1]];
            const { x, y } = lattice.middle(cell);
            const torn = begins.has(i) || this.torn([numbers[i - 2], numbers[i - 1]], cell);
            line[torn ? "moveTo" : "lineTo"](camera.screenX(x), camera.screenY(y));
        }
        context.lineJoin = context.lineCap = "round";
        context.strokeStyle = this.frame.colours.walk;
        context.lineWidth = Math.max(camera.scale * 0.16, 1);
        context.stroke(line);
    }

    /* A step across a seam. */
    torn(a, b) {
        return Math.abs(a[0] - b[0]) > 1 || Math.abs(a[1] - b[1]) > 1;
    }

    /* Calls draw(label, x, y) for what is near enough to be seen: place(label) is where it is. */
    forSeen(camera, place, draw) {
        const seen = camera.seen();
        for (let label = 1; label <= this.rows.length; label++) {
            const { x, y } = place(label);
            if (x < seen.x0 - 2 || x > seen.x1 + 2 || y < seen.y0 - 2 || y > seen.y1 + 2) continue;
            draw(label, camera.screenX(x), camera.screenY(y));
        }
    }

    /* Where a label is marked. */
    spotOf(label) {
        return this.lattice.middle([this.spots[2 * label - 2], this.spots[2 * label - 1]]);
    }

    /* In pixels. */
    markRadius(camera) {
        return Math.max(this.weights.mark * camera.pen, 1.5);
    }

    drawMarks(context, { camera }) {
        const { mark, halo } = this.frame.colours;
        const radius = this.markRadius(camera);
        if (this.ground.span * camera.scale < 8) return;
        context.fillStyle = mark;
        context.strokeStyle = halo;
        context.lineWidth = 0.3 * radius;
        this.forSeen(
            camera,
            (label) => this.spotOf(label),
            (label, x, y) => {
                context.beginPath();
                context.arc(x, y, radius, 0, 7);
                context.fill();
                context.stroke();
            },
        );
    }

    /* A label's name, or its number: below its mark, above it, or where there is most room. */
    drawNames(context, { camera }) {
        const { lattice } = this;
        const { poles } = this.result;
        const { text, textHalo } = this.frame.colours;
        const poleOf = (label) => {
            const cell = poles[2 * label];
            return lattice.middle([cell % lattice.width, Math.floor(cell / lattice.width)]);
        };
        this.forSeen(camera, poleOf, (label, x, y) => {
            const word = this.rows.at(label - 1).name ?? label;
            const { height, off } = this.layName(label, word, poleOf(label), camera);
            if (height >= LEAST) writeWord(context, word, x, y + off, height, text, textHalo);
        });
    }

    /* How high its letters are, and how far below its pole their middle lies; in pixels. */
    layName(label, word, pole, camera) {
        const { unit, border, number: most } = this.weights;
        const units = (v) => (v * camera.pen) / camera.scale / unit; // of what is drawn by a pen
        const mark = this.markRadius(camera) / camera.scale / unit;
        const half = (height) => (wordWidth(word) * height) / 2 + height / 10;
        const line = Math.floor(units(border) / 2) + 1;
        const depth = this.result.poles[2 * label + 1];
        const fits = (height, up) =>
            hasRoom(this.lattice, unit, line, depth, half(height), up(height));
        const highest = (up) => {
            let height = Math.min(units(most), radiusWithin(depth, this.lattice.rise) / unit);
            while (height > 1 && !fits(height, up)) height = Math.ceil(height) - 1;
            return height;
        };
        const spot = this.spotOf(label);
        const [dx, dy] = [(spot.x - pole.x) / unit, (spot.y - pole.y) / unit];
        let [height, off] = [highest((height) => height / 2), 0];
        const covered =
            Math.abs(dx) < half(height) + 2 * mark && Math.abs(dy) < height / 2 + 2 * mark;
        if (covered) {
            const gap = 1.75 * mark;
            const beside = (way) => highest((height) => Math.max(way * dy, 0) + gap + height);
            const [below, above] = [beside(1), beside(-1)];
            const way = 3 * below >= 2 * above ? 1 : -1;
            height = way > 0 ? below : above;
            off = dy + way * (gap + height / 2);
        }
        const pixels = unit * camera.scale;
        return { height: height * pixels, off: off * pixels };
    }

    get things() {
        const { rows } = this;
        return {
            count: rows.length,
            place: (i) => this.spotOf(i + 1),
            beside: (i) => (rows.at(i).neighbors ?? []).map((id) => id - 1),
            light: (i) => (this.lit = i + 1),
            tell: (i) => this.tell(rows.at(i)),
        };
    }

    point(at) {
        const found = at && this.find(at);
        this.lit = found?.label ?? 0;
        return found && { key: this.lit, text: found.text };
    }

    /* The cell at a place on the screen; none: -1. */
    cellAt({ x, y }) {
        const { camera } = this.frame;
        return this.lattice.index(...this.lattice.at(camera.planeX(x), camera.planeY(y)));
    }

    find(place) {
        const { lattice } = this;
        const cell = this.cellAt(place);
        if (cell < 0) return null;
        const label = this.labels[cell];
        const here = `${cell % lattice.width}, ${Math.floor(cell / lattice.width)}`;
        if (!label) return { label, text: `${this.free(cell) ? "free" : "water"} at ${here}` };
        return { label, text: `${this.tell(this.rows.at(label - 1))}\ncell ${here}` };
    }

    tell(row) {
        const lines = [
            `${row.name ?? `${this.one === "country" ? "Country" : "Area"} ${row.id}`}: ${count(row.size, "cell")}`,
        ];
        if (row.capital)
            lines.push(
                `capital at ${row.capital.join(", ")}`,
                `${count(row.neighbors.length, "neighbour")}, border ${number(row.border)}`,
            );
        if (row.origin) lines.push(`grown from ${row.origin.join(", ")}`);
        if (row.holes > 0) lines.push(count(row.holes, "hole"));
        return lines.join("\n");
    }
}

export const cells = {
    fits: ({ result }) => Boolean(result.cells && (result.regions ?? result.areas)),
    make: (frame, answer) => new Cells(frame, answer),
};
