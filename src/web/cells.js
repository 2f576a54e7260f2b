// cells.js: countries and areas on hexagons or squares.
import { Ground } from "./ground.js";
import { Lattice, flatten } from "./lattice.js";
import { fade, inkOn, mix } from "./palette.js";
import { count, number, range } from "./words.js";

/* Colours for the labels, so that neighbours differ: the first that is free, as src/enc/labels.c
   chooses. */
function colourLabels(rows, lattice, labels, colours) {
    const beside = rows[0]?.neighbours
        ? rows.map((row) => row.neighbours)
        : findNeighbours(rows.length, lattice, labels);
    const colour = new Uint8Array(rows.length + 1);
    for (let label = 1; label <= rows.length; label++) {
        const taken = new Set(
            beside[label - 1].filter((other) => other < label).map((other) => colour[other]),
        );
        let pick = (label - 1) % colours;
        for (let tries = 0; tries < colours && taken.has(pick); tries++)
            pick = (pick + 1) % colours;
        colour[label] = pick;
    }
    return colour;
}

function findNeighbours(rows, lattice, labels) {
    const beside = Array.from({ length: rows }, () => new Set());
    if (rows < 2) return [[]];
    const note = (a, b) =>
        a !== b && a > 0 && b > 0 && (beside[a - 1].add(b), beside[b - 1].add(a));
    for (let row = 0, cell = 0; row < lattice.height; row++)
        for (let column = 0; column < lattice.width; column++, cell++)
            for (let s = 0; labels[cell] && s < lattice.sides.length / 2; s++) {
                const other = lattice.beyond(column, row, s);
                if (other >= 0) note(labels[cell], labels[other]);
            }
    return beside.map((set) => [...set]);
}

class Cells {
    constructor(frame, answer) {
        const { result, parameters } = answer;
        this.frame = frame;
        this.result = result;
        this.rows = result.regions ?? result.areas;
        this.one = result.regions ? "country" : "area";
        this.lattice = new Lattice(result.width, result.height, result.grid, result.wrap);
        this.labels = flatten(result.cells, result.width);
        this.mask = parameters.mask;
        this.box = this.lattice.box;
        this.closest = 90;
        this.kind = `cells ${result.grid} ${result.wrap}`;
        this.lit = 0;
        this.layGround(frame.colours);
    }

    /* Tones: water, free land, then the countries' colours. */
    layGround(colours) {
        const { labels, lattice, mask } = this;
        const colour = colourLabels(this.rows, lattice, labels, colours.countries.length);
        const bare = this.result.areas ? 1 : 0;
        const free = mask
            ? (cell) =>
                  mask[Math.floor(cell / lattice.width)][cell % lattice.width] === "#" ? bare : 0
            : () => bare;
        this.ground = new Ground({
            lattice,
            labels,
            count: this.rows.length,
            tones: [colours.water, colours.ground, ...colours.countries],
            tone: (cell) => (labels[cell] ? colour[labels[cell]] + 2 : free(cell)),
            outside: colours.back,
            border: colours.border,
            coast: colours.coast,
            seam: colours.seam,
            glow: colours.lit,
        });
        this.free = free;
        this.tones = colour;
    }

    describe() {
        const { width, height, grid } = this.result;
        const what = count(
            this.rows.length,
            this.one,
            this.one === "country" ? "countries" : "areas",
        );
        const sizes = range(this.rows.map((row) => row.size));
        const seam =
            { x: ", joined left to right", xy: ", joined left to right and top to bottom" }[
                this.result.wrap
            ] ?? "";
        return `${what} on ${width} by ${height} ${grid === "hex" ? "hexagons" : "squares"}${seam}, ${sizes}.`;
    }

    draw(context, view) {
        const row = this.rows[this.lit - 1];
        const { colours } = this.frame;
        if (row) this.ground.glow = mix(colours.countries[this.tones[this.lit]], colours.lit, 0.45);
        this.ground.draw(context, view, this.lit);
        this.drawWalks(context, view);
        this.drawMarks(context, view);
    }

    /* The one walk that an area may be. */
    drawWalks(context, { camera }) {
        if (camera.scale < 4) return;
        const { lattice } = this;
        const line = new Path2D();
        for (const { walk } of this.rows.filter((row) => row.walk))
            walk.forEach((cell, i) => {
                const { x, y } = lattice.middle(cell);
                const torn = i && this.torn(walk[i - 1], cell);
                line[i && !torn ? "lineTo" : "moveTo"](camera.screenX(x), camera.screenY(y));
            });
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
        const { lattice, rows } = this;
        const { scale } = camera;
        const seen = camera.seen();
        for (const row of rows) {
            const span = Math.sqrt(row.size) * scale;
            if (span < 26) continue;
            const { x, y } = lattice.middle(row.capital ?? row.origin);
            if (x < seen.x0 - 1 || x > seen.x1 + 1 || y < seen.y0 - 1 || y > seen.y1 + 1) continue;
            const radius = Math.min(Math.max(Math.min(scale * 0.32, span * 0.06), 2.5), 9);
            this.drawMark(context, camera.screenX(x), camera.screenY(y), radius, row, span);
        }
    }

    drawMark(context, x, y, radius, row, span) {
        const { colours } = this.frame;
        const fill = colours.countries[this.tones[row.id]];
        context.beginPath();
        context.arc(x, y, radius, 0, 7);
        context.fillStyle = row.capital ? colours.mark : fill;
        context.fill();
        context.strokeStyle = colours.coast;
        context.lineWidth = Math.max(radius * 0.4, 1.2);
        context.stroke();
        if (span < 44) return;
        const size = Math.round(Math.min(Math.max(span * 0.14, 10), 20));
        context.font = `600 ${size}px system-ui, sans-serif`;
        context.textAlign = "center";
        context.textBaseline = "bottom";
        context.lineJoin = "round";
        context.lineWidth = 3;
        context.strokeStyle = fade(fill, 0.85);
        context.fillStyle = inkOn(fill);
        context.strokeText(row.id, x, y - radius - 2);
        context.fillText(row.id, x, y - radius - 2);
    }

    point(at) {
        const found = at && this.find(at);
        this.lit = found?.label ?? 0;
        return found && { key: this.lit, text: found.text };
    }

    find({ x, y }) {
        const { camera } = this.frame;
        const { lattice, labels } = this;
        const [column, row] = lattice.at(camera.planeX(x), camera.planeY(y));
        const cell = lattice.index(column, row);
        if (cell < 0) return null;
        const label = labels[cell];
        const here = `${cell % lattice.width}, ${Math.floor(cell / lattice.width)}`;
        if (!label) return { label, text: `${this.free(cell) ? "free" : "no land"} at ${here}` };
        return { label, text: `${this.tell(this.rows[label - 1])}\ncell ${here}` };
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
