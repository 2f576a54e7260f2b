// cells.js: countries and areas on hexagons or squares.
import { Ground } from "../draw/ground.js";
import { Lattice } from "../draw/lattice.js";
import { wordWidth, writeWord } from "../draw/letters.js";
import { mix } from "../draw/palette.js";
import { layUnder } from "../draw/under.js";
import { weigh } from "../draw/weights.js";
import { count, number, range, sum } from "./words.js";

const LEAST = 6; // pixels that letters are high, to be read
const SAMPLES = [-1, 1, 0, -0.5, 0.5, -0.75, 0.75, -0.25, 0.25]; // across a name: its ends first

class Cells {
    constructor(frame, answer) {
        const { result, parameters, under } = answer;
        this.frame = frame;
        this.result = result;
        this.rows = result.regions ?? result.areas;
        this.one = result.regions ? "country" : "area";
        this.lattice = new Lattice(result.width, result.height, result.grid, result.wrap);
        this.labels = result.cells;
        this.mask = parameters.mask;
        this.under = under;
        this.box = this.lattice.box;
        this.closest = 90;
        this.kind = `cells ${result.grid} ${result.wrap}`;
        this.lit = 0;
        this.weights = weigh(this.lattice, this.rows.length);
        this.layGround(frame.colors);
    }

    /* Whether a cell is land, where it has no label. */
    isFree(below) {
        const { lattice, mask, result } = this;
        if (below) return below.takes;
        if (!result.areas || !Array.isArray(mask)) return () => false;
        return (cell) => mask[Math.floor(cell / lattice.width)][cell % lattice.width] === "#";
    }

    /* Tones: water, free land, the countries' colors, of each as many as there are layers of land,
       then what lies under. */
    layGround(colors) {
        const { labels, lattice, result } = this;
        const below = this.under && layUnder(this.under, colors, true);
        const free = this.isFree(below);
        const reliefs = below?.layer ? colors.reliefs : colors.countries.map((color) => [color]);
        const own = reliefs.flat();
        const first = 2 + own.length;
        const tone = (cell) =>
            result.colors[labels[cell]] * reliefs[0].length + (below?.layer?.(cell) ?? 0);
        const bare = below ? (cell) => first + below.tone(cell) : (cell) => Number(free(cell));
        this.ground = new Ground({
            lattice,
            labels,
            count: this.rows.length,
            covered: sum(this.rows.map(({ size }) => size)),
            tones: [colors.water, colors.ground, ...own, ...(below?.tones ?? [])],
            tone: (cell) => (labels[cell] ? tone(cell) + 2 : bare(cell)),
            outside: colors.back,
            border: colors.border,
            net: colors.net,
            seam: colors.seam,
            glow: colors.lit,
            shores: !below && result.shores.length ? result.shores : null,
            shallows: colors.shallows,
            sea: 0,
        });
        this.free = free;
    }

    describe() {
        const { width, height, grid } = this.result;
        const plural = this.one === "country" ? "countries" : "areas";
        const what = count(this.rows.length, this.one, plural);
        const sizes = range(this.rows.map(({ size }) => size));
        const seam =
            { x: ", joined left to right", xy: ", joined left to right and top to bottom" }[
                this.result.wrap
            ] ?? "";
        return `${what} on ${width} by ${height} ${grid === "hex" ? "hexagons" : "squares"}${seam}, ${sizes}.`;
    }

    draw(context, view) {
        const { colors } = this.frame;
        if (this.lit)
            this.ground.glow = mix(
                colors.countries[this.result.colors[this.lit]],
                colors.lit,
                0.45,
            );
        this.ground.draw(context, view, this.lit);
        this.drawWalks(context, view);
        this.drawMarks(context, view);
        if (!this.rows[0]?.walk) this.drawNames(context, view.camera);
    }

    /* The walk that an area may be; steps across a seam are left out. */
    drawWalks(context, { camera }) {
        if (camera.scale < 4) return;
        const { lattice } = this;
        const torn = (a, b) => !a || Math.abs(a[0] - b[0]) > 1 || Math.abs(a[1] - b[1]) > 1;
        const line = new Path2D();
        for (const { walk = [] } of this.rows)
            walk.forEach((cell, i) => {
                const { x, y } = lattice.middle(cell);
                const step = torn(walk[i - 1], cell) ? "moveTo" : "lineTo";
                line[step](camera.screenX(x), camera.screenY(y));
            });
        context.lineJoin = context.lineCap = "round";
        context.strokeStyle = this.frame.colors.walk;
        context.lineWidth = Math.max(camera.scale * 0.16, 1);
        context.stroke(line);
    }

    /* Calls draw(label, x, y) for each mark in sight. */
    forSeen(camera, draw) {
        const seen = camera.seen();
        for (let label = 1; label <= this.rows.length; label++) {
            const { x, y } = this.spotOf(label);
            if (x < seen.x0 - 2 || x > seen.x1 + 2 || y < seen.y0 - 2 || y > seen.y1 + 2) continue;
            draw(label, camera.screenX(x), camera.screenY(y));
        }
    }

    /* Where a label is marked. */
    spotOf(label) {
        const { capital, origin } = this.rows[label - 1];
        return this.lattice.middle(capital ?? origin);
    }

    /* In pixels. */
    markRadius(camera) {
        return Math.max(this.weights.mark * camera.pen, 1.5);
    }

    drawMarks(context, { camera }) {
        const { mark, halo } = this.frame.colors;
        const radius = this.markRadius(camera);
        if (this.ground.span * camera.scale < 8) return;
        context.fillStyle = mark;
        context.strokeStyle = halo;
        context.lineWidth = 0.3 * radius;
        this.forSeen(camera, (label, x, y) => {
            context.beginPath();
            context.arc(x, y, radius, 0, 7);
            context.fill();
            context.stroke();
        });
    }

    // ---- names ----

    drawNames(context, camera) {
        const { text, textHalo } = this.frame.colors;
        this.forSeen(camera, (label, x, y) => {
            const word = String(this.rows[label - 1].name ?? label);
            const spot = this.findSpot(label, word, { x, y }, camera);
            if (spot) writeWord(context, word, spot.x, spot.y, spot.height, text, textHalo);
        });
    }

    /* Below the mark, unless letters are half as high again above it or where the label is widest. */
    findSpot(label, word, mark, camera) {
        const gap = 2 * this.markRadius(camera);
        const half = wordWidth(word) / 2;
        const widest = this.widestOf(label, camera);
        const covers = (height) =>
            Math.abs(widest.x - mark.x) < half * height + gap &&
            Math.abs(widest.y - mark.y) < height / 2 + gap;
        const places = [
            (height) => ({ x: mark.x, y: mark.y + gap + height / 2, height }),
            (height) => ({ x: mark.x, y: mark.y - gap - height / 2, height }),
            (height) => (covers(height) ? null : { ...widest, height }),
        ];
        let best = null;
        for (const place of places)
            for (let high = this.weights.number * camera.pen; high >= LEAST; high *= 0.85) {
                if (best && high < 1.5 * best.height) break;
                const spot = place(high);
                if (!spot || !this.holds(label, spot, half * high, camera)) continue;
                best = spot;
                break;
            }
        return best;
    }

    /* The middle of a label's longest row, on the screen. */
    widestOf(label, camera) {
        const { lattice, result } = this;
        const cell = result.room[label];
        const at = lattice.middle([cell % lattice.width, Math.floor(cell / lattice.width)]);
        return { x: camera.screenX(at.x), y: camera.screenY(at.y) };
    }

    /* Whether a name has room around it: all samples of a larger box lie in its label. */
    holds(label, { x, y, height }, half, camera) {
        return [-1.3, 1.3, 0].every((up) =>
            SAMPLES.every((share) => {
                const at = { x: x + share * (half + height / 2), y: y + up * height };
                return this.labels[this.cellAt(at, camera)] === label;
            }),
        );
    }

    // ---- under the pointer, and walked to ----

    get things() {
        const { rows } = this;
        return {
            count: rows.length,
            place: (i) => this.spotOf(i + 1),
            beside: (i) => (rows[i].neighbors ?? []).map((id) => id - 1),
            light: (i) => (this.lit = i + 1),
            tell: (i) => this.tell(rows[i]),
        };
    }

    point(at) {
        const found = at && this.find(at);
        this.lit = found?.label ?? 0;
        return found && { key: this.lit, text: found.text };
    }

    /* The cell at a place on the screen; none: -1. */
    cellAt({ x, y }, camera = this.frame.camera) {
        return this.lattice.index(...this.lattice.at(camera.planeX(x), camera.planeY(y)));
    }

    find(place) {
        const { lattice } = this;
        const cell = this.cellAt(place);
        if (cell < 0) return null;
        const label = this.labels[cell];
        const here = `${cell % lattice.width}, ${Math.floor(cell / lattice.width)}`;
        if (!label) return { label, text: `${this.free(cell) ? "free" : "water"} at ${here}` };
        return { label, text: `${this.tell(this.rows[label - 1])}\ncell ${here}` };
    }

    tell(row) {
        const lines = [
            `${row.name ?? `${this.one === "country" ? "Country" : "Area"} ${row.id}`}: ${count(row.size, "cell")}`,
        ];
        if (row.capital)
            lines.push(
                `capital at ${row.capital.join(", ")}`,
                `${count(row.neighbors.length, "neighbor")}, border ${number(row.border)}`,
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
