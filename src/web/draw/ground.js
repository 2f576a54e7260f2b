// ground.js: paints a lattice of labelled cells.
//
// Cells are painted pixel by pixel: each asks which cell it lies in. Borders of small cells are
// pixels too, where the one on the left or above lies in another label's; those of large cells are
// strokes over them, which also hide the steps of the pixels. Either way the cost follows what is
// seen, not the map.
import { word } from "./palette.js";
import { Sheet } from "./sheet.js";
import { weigh } from "./weights.js";

const STROKES = 5; // pixels of a cell from which on borders are strokes
const REGION = 7; // pixels of an average label from which on it has a border at all

const sheet = new Sheet();

/*
 * ground = {lattice, labels: a number a cell, tone(cell): index into `tones`, tones: colours,
 *           count: of labels, covered: cells that have one, outside, border, net, seam, glow:
 *           colours, netted: there are lines between cells not only from nearby}
 */
export class Ground {
    constructor(ground) {
        Object.assign(this, ground);
        this.words = Uint32Array.from(this.tones, word);
        this.span = Math.sqrt(this.covered / this.count);
        this.weights = weigh(this.lattice, this.count);
    }

    draw(context, view, lit) {
        this.drawPixels(context, view, lit);
        if (view.camera.scale >= STROKES) this.drawBorders(context, view);
        this.veilCopies(context, view);
    }

    // ---- strokes ----

    drawBorders(context, { camera }) {
        const { lattice } = this;
        const { c0, c1, r0, r1 } = lattice.range(camera.seen());
        const shows = camera.scale > 10 && (this.netted || camera.near);
        const paths = { borders: new Path2D(), net: shows ? new Path2D() : null };
        for (let row = r0; row < r1; row++)
            for (let column = c0; column < c1; column++) {
                const x = camera.screenX(lattice.left(column, row));
                const y = camera.screenY(lattice.top(row));
                this.addSides(paths, lattice.index(column, row), column, row, x, y, camera.scale);
            }
        this.strokeAll(context, paths, camera);
    }

    /* Each side once: by the cell that has it among the first half of its sides, or that is at the
       rim. */
    addSides(paths, cell, column, row, x, y, scale) {
        const { lattice, labels } = this;
        const { corners, sides } = lattice;
        const own = labels[cell];
        for (let s = 0; s < sides.length; s++) {
            const other = lattice.beyond(column, row, s);
            if (other >= 0 && s >= sides.length / 2) continue;
            const theirs = other < 0 ? 0 : labels[other];
            const path = own !== theirs ? paths.borders : other < 0 ? null : paths.net;
            if (!path) continue;
            const [a, b] = [corners[s], corners[(s + 1) % corners.length]];
            path.moveTo(x + a[0] * scale, y + a[1] * scale);
            path.lineTo(x + b[0] * scale, y + b[1] * scale);
        }
    }

    strokeAll(context, { borders, net }, camera) {
        const { weights } = this;
        context.lineCap = context.lineJoin = "round";
        const faint = Math.min((camera.scale - 10) / 25, 0.4);
        if (net) this.stroke(context, net, this.net, Math.max(weights.net * camera.pen, 1), faint);
        this.stroke(context, borders, this.border, Math.max(weights.border * camera.pen, 1), 1);
    }

    stroke(context, path, colour, width, alpha) {
        context.globalAlpha = alpha;
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.stroke(path);
        context.globalAlpha = 1;
    }

    // ---- pixels ----

    drawPixels(context, view, lit) {
        const { width, height, ratio, camera, moving } = view;
        const coarse = moving && width * height * ratio * ratio > 1.5e6 ? 2 : 1;
        const across = Math.ceil((width * ratio) / coarse);
        const down = Math.ceil((height * ratio) / coarse);
        const pixels = sheet.open(across, down);
        const paint = camera.scale >= STROKES ? this.paintRuns : this.paintPixels;
        const { outside, border, glow } = this;
        this.inks = {
            outside: word(outside),
            border: word(border),
            glow: word(glow),
        };
        this.lit = lit;
        paint.call(this, pixels, across, down, camera, coarse / ratio);
        context.imageSmoothingEnabled = false;
        sheet.draw(context, (across * coarse) / ratio, (down * coarse) / ratio);
    }

    /* Large cells: a line of pixels is runs of a cell each, and mostly the line before again. */
    paintRuns(pixels, across, down, camera, size) {
        const { rise, cap, hex } = this.lattice;
        const step = size / camera.scale;
        const [x0, y0] = [camera.planeX(size / 2), camera.planeY(size / 2)];
        for (let py = 0, i = 0, before = NaN; py < down; py++, i += across) {
            const y = y0 + py * step;
            const row = Math.floor(y / rise);
            const steep = hex ? (y - row * rise) / cap : 1;
            if (row === before) pixels.copyWithin(i, i - across, i);
            else this.paintLine(pixels.subarray(i, i + across), row, steep, x0, step);
            before = steep < 1 ? NaN : row;
        }
    }

    /* Where sides slant, the cells of the row above reach down between those of this one. */
    paintLine(line, row, steep, x0, step) {
        const odd = this.lattice.hex ? row & 1 : 0;
        const [here, above] = [this.rowStart(row), this.rowStart(row - 1)];
        const slant = Math.max((1 - steep) / 2, 0);
        let column = Math.floor(x0) - 1;
        for (let at = 0; at < line.length; column++) {
            const end = (column + 1 + odd / 2 - x0) / step;
            at = this.paintRun(line, at, end - slant / step, here, column);
            if (slant) at = this.paintRun(line, at, end + slant / step, above, column + odd);
        }
    }

    paintRun(line, from, end, start, column) {
        const to = Math.min(Math.ceil(end), line.length);
        if (from >= to) return from;
        const ink = this.inkOf(this.cellIn(start, column));
        for (let i = from; i < to; i++) line[i] = ink;
        return to;
    }

    inkOf(cell) {
        if (cell < 0) return this.inks.outside;
        if (this.lit > 0 && this.labels[cell] === this.lit) return this.inks.glow;
        return this.words[this.tone(cell)];
    }

    /* Small ones: each pixel asks which cell it lies in, and is a border where its label begins. */
    paintPixels(pixels, across, down, camera, size) {
        const { labels } = this;
        const { border } = this.inks;
        const above = new Int32Array(across).fill(-1);
        const step = size / camera.scale;
        const [x0, y0] = [camera.planeX(size / 2), camera.planeY(size / 2)];
        const flat = this.span * camera.scale < REGION;
        for (let py = 0, i = 0; py < down; py++) {
            const find = this.finder(y0 + py * step);
            for (let px = 0, left = -1; px < across; px++, i++) {
                const cell = find(x0 + px * step);
                const label = cell < 0 ? -1 : labels[cell];
                const other =
                    label !== left && px > 0
                        ? left
                        : label !== above[px] && py > 0
                          ? above[px]
                          : label;
                if (flat || other === label) pixels[i] = this.inkOf(cell);
                else pixels[i] = border;
                left = above[px] = label;
            }
        }
    }

    /* Which cell lies at x, for one line of pixels. */
    finder(y) {
        const { rise, cap, hex } = this.lattice;
        const row = Math.floor(y / rise);
        const steep = hex ? (y - row * rise) / cap : 1;
        const shove = hex ? (row & 1) / 2 : 0;
        const [here, above] = [this.rowStart(row), this.rowStart(row - 1)];
        return (x) => {
            const along = x - shove;
            const column = Math.floor(along);
            return steep < Math.abs(2 * (along - column) - 1)
                ? this.cellIn(above, Math.floor(x - 0.5 + shove))
                : this.cellIn(here, column);
        };
    }

    /* The cell of a row that begins with cell `start`; -1: there is none. */
    cellIn(start, column) {
        const { width, wrapX } = this.lattice;
        if (start < 0 || (column >= 0 && column < width)) return start < 0 ? -1 : start + column;
        return wrapX ? start + (((column % width) + width) % width) : -1;
    }

    rowStart(row) {
        const { lattice } = this;
        if (lattice.wrapY) row = ((row % lattice.height) + lattice.height) % lattice.height;
        return row < 0 || row >= lattice.height ? -1 : row * lattice.width;
    }

    /* Beyond a seam the map goes on; paler, as it is the same again. */
    veilCopies(context, { camera, width, height }) {
        const { lattice } = this;
        if (!lattice.wrapX) return;
        const [x0, x1] = [camera.screenX(0), camera.screenX(lattice.width)];
        const [y0, y1] = lattice.wrapY
            ? [camera.screenY(0), camera.screenY(lattice.height * lattice.rise)]
            : [0, height];
        const veil = new Path2D();
        veil.rect(0, 0, width, height);
        veil.rect(x0, y0, x1 - x0, y1 - y0);
        context.globalAlpha = 0.55;
        context.fillStyle = this.outside;
        context.fill(veil, "evenodd");
        context.globalAlpha = 1;
        context.strokeStyle = this.seam;
        context.setLineDash([6, 5]);
        context.lineWidth = 1.5;
        context.strokeRect(
            x0,
            lattice.wrapY ? y0 : -9,
            x1 - x0,
            lattice.wrapY ? y1 - y0 : height + 18,
        );
        context.setLineDash([]);
    }
}
