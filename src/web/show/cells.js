// cells.js: countries and areas on hexagons or squares.
import { Ground } from "../draw/ground.js";
import { Lattice } from "../draw/lattice.js";
import { fade, inkOn, mix } from "../draw/palette.js";
import { Rows } from "../draw/rows.js";
import { layUnder } from "../draw/under.js";
import { count, number, range, sum } from "./words.js";

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
        this.mask = parameters.mask;
        this.stands = typeof parameters.mask === "string"; // on another map, whose rows nobody told
        this.under = under;
        this.box = this.lattice.box;
        this.closest = 90;
        this.kind = `cells ${result.grid} ${result.wrap}`;
        this.lit = 0;
        this.layGround(frame.colours);
    }

    /* Whether a cell is land, where it has no label. */
    isFree(below) {
        const { lattice, mask, result } = this;
        if (below) return below.takes;
        if (!result.areas || this.stands) return () => false;
        if (!Array.isArray(mask)) return () => true;
        return (cell) => mask[Math.floor(cell / lattice.width)][cell % lattice.width] === "#";
    }

    /* Tones: water, free land, the countries' colours, then what lies under. */
    layGround(colours) {
        const { labels, lattice } = this;
        const below = this.under && layUnder(this.under, colours, true);
        const free = this.isFree(below);
        const first = 2 + colours.countries.length;
        const bare = below ? (cell) => first + below.tone(cell) : (cell) => Number(free(cell));
        this.ground = new Ground({
            lattice,
            labels,
            count: this.rows.length,
            covered: sum(this.rows.numbers("size")),
            tones: [colours.water, colours.ground, ...colours.countries, ...(below?.tones ?? [])],
            tone: (cell) => (labels[cell] ? this.tones[labels[cell]] + 2 : bare(cell)),
            outside: colours.back,
            border: colours.border,
            coast: colours.coast,
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
        context.strokeStyle = fade(this.frame.colours.coast, 0.55);
        context.lineWidth = Math.max(camera.scale * 0.14, 1);
        context.stroke(line);
    }

    /* A step across a seam. */
    torn(a, b) {
        return Math.abs(a[0] - b[0]) > 1 || Math.abs(a[1] - b[1]) > 1;
    }

    drawMarks(context, { camera }) {
        const { lattice, spots } = this;
        const { scale } = camera;
        const seen = camera.seen();
        const sizes = this.rows.numbers("size");
        for (let i = 0; i < sizes.length; i++) {
            const span = Math.sqrt(sizes[i]) * scale;
            if (span < 26) continue;
            const { x, y } = lattice.middle([spots[2 * i], spots[2 * i + 1]]);
            if (x < seen.x0 - 1 || x > seen.x1 + 1 || y < seen.y0 - 1 || y > seen.y1 + 1) continue;
            const radius = Math.min(Math.max(Math.min(scale * 0.32, span * 0.06), 2.5), 9);
            this.drawMark(context, camera.screenX(x), camera.screenY(y), radius, i + 1, span);
        }
    }

    /* Above its mark, or below where above it lies another's land or none. */
    drawMark(context, x, y, radius, id, span) {
        const { colours } = this.frame;
        const fill = colours.countries[this.tones[id]];
        context.beginPath();
        context.arc(x, y, radius, 0, 7);
        context.fillStyle = colours.mark;
        context.fill();
        context.strokeStyle = colours.halo;
        context.lineWidth = Math.max(radius * 0.4, 1.2);
        context.stroke();
        if (span < 44) return;
        const size = Math.round(Math.min(Math.max(span * 0.14, 10), 20));
        context.font = `600 ${size}px system-ui, sans-serif`;
        context.textAlign = "center";
        const gap = radius + 2;
        const mine = (far) => this.labelAt({ x, y: y + far }) === id;
        const below = !mine(-gap - size) && mine(gap + size);
        const edge = below ? y + gap : y - gap;
        context.textBaseline = below ? "top" : "bottom";
        context.lineJoin = "round";
        context.lineWidth = 3;
        context.strokeStyle = fade(fill, 0.85);
        context.fillStyle = inkOn(fill);
        context.strokeText(id, x, edge);
        context.fillText(id, x, edge);
    }

    get things() {
        const { rows, spots } = this;
        return {
            count: rows.length,
            place: (i) => this.lattice.middle([spots[2 * i], spots[2 * i + 1]]),
            beside: (i) => (rows.at(i).neighbours ?? []).map((id) => id - 1),
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
    labelAt(place) {
        return this.labels[this.cellAt(place)];
    }

    find(place) {
        const { lattice } = this;
        const cell = this.cellAt(place);
        if (cell < 0) return null;
        const label = this.labels[cell];
        const here = `${cell % lattice.width}, ${Math.floor(cell / lattice.width)}`;
        if (!label) return { label, text: `${this.free(cell) ? "free" : "no land"} at ${here}` };
        return { label, text: `${this.tell(this.rows.at(label - 1))}\ncell ${here}` };
    }

    tell(row) {
        const lines = [
            `${this.one === "country" ? "Country" : "Area"} ${row.id}: ${count(row.size, "cell")}`,
        ];
        if (row.capital)
            lines.push(
                `capital at ${row.capital.join(", ")}`,
                `${count(row.neighbours.length, "neighbour")}, border ${number(row.border)}`,
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
