// ground.js: paints a lattice of labeled cells.
//
// Each pixel takes the color of the cell that it lies in, so the cost depends on the screen, not on
// the map. Borders of small cells are pixels too; those of large cells are strokes, which also hide
// the steps of the pixels. The sea is left out of the pixels where there are shallows, as these are
// strokes along the shore, half of which the land covers.
import { word } from "./palette.js";
import { weigh } from "./weights.js";

const STROKES = 5; // pixels of a cell from which on borders are strokes
const REGION = 7; // pixels of an average label from which on it has a border at all

// As large as the screen, and slow to allocate: one for all pictures.
const sheet = document.createElement("canvas");
const pen = sheet.getContext("2d");
let image = null;

function openSheet(across, down) {
    if (image?.width !== across || image.height !== down) {
        [sheet.width, sheet.height] = [across, down];
        image = pen.createImageData(across, down);
    }
    return new Uint32Array(image.data.buffer);
}

/*
 * ground = {lattice, labels: a number a cell, tone(cell): index into `tones`, tones: colors,
 *           count: of labels, covered: cells that have one, outside, border, net, seam, glow: colors,
 *           netted: lines between cells are always drawn,
 *           shores: sides of land, shallows: their color, sea: the tone beside them; or none}
 */
export class Ground {
    constructor(ground) {
        Object.assign(this, ground);
        this.words = Uint32Array.from(this.tones, word);
        if (this.shores) this.words[this.sea] = 0;
        this.span = Math.sqrt(this.covered / this.count);
        this.weights = weigh(this.lattice, this.count);
    }

    draw(context, view, lit) {
        if (this.shores) this.drawShallows(context, view);
        this.drawPixels(context, view, lit);
        if (view.camera.scale >= STROKES) this.drawBorders(context, view);
        this.veilCopies(context, view);
    }

    // ---- strokes ----

    /* A side of a cell, whose corner is at (x, y) on the screen. */
    addSide(path, side, x, y, scale) {
        const { corners } = this.lattice;
        const [a, b] = [corners[side], corners[(side + 1) % corners.length]];
        path.moveTo(x + a[0] * scale, y + a[1] * scale);
        path.lineTo(x + b[0] * scale, y + b[1] * scale);
    }

    drawShallows(context, { width, height, camera }) {
        const { lattice, weights } = this;
        const path = new Path2D();
        for (const shore of this.shores) {
            const cell = shore >> 3;
            const row = Math.floor(cell / lattice.width);
            const x = camera.screenX(lattice.left(cell % lattice.width, row));
            const y = camera.screenY(lattice.top(row));
            if (x > -99 && y > -99 && x < width && y < height)
                this.addSide(path, shore & 7, x, y, camera.scale);
        }
        context.fillStyle = this.tones[this.sea];
        context.fillRect(0, 0, width, height);
        context.lineCap = context.lineJoin = "round";
        const band = Math.max(0.6 * camera.scale, 4 * weights.border * camera.pen);
        this.stroke(context, path, this.shallows, band, 1);
    }

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
        const { sides } = lattice;
        for (let s = 0; s < sides.length; s++) {
            const other = lattice.beyond(column, row, s);
            if (other >= 0 && s >= sides.length / 2) continue;
            const theirs = other < 0 ? 0 : labels[other];
            const differs = labels[cell] !== theirs;
            const path = differs ? paths.borders : other < 0 ? null : paths.net;
            if (path) this.addSide(path, s, x, y, scale);
        }
    }

    strokeAll(context, { borders, net }, camera) {
        const { weights } = this;
        context.lineCap = context.lineJoin = "round";
        const faint = Math.min((camera.scale - 10) / 25, 0.4);
        if (net) this.stroke(context, net, this.net, Math.max(weights.net * camera.pen, 1), faint);
        this.stroke(context, borders, this.border, Math.max(weights.border * camera.pen, 1), 1);
    }

    stroke(context, path, color, width, alpha) {
        context.globalAlpha = alpha;
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke(path);
        context.globalAlpha = 1;
    }

    // ---- pixels ----

    drawPixels(context, { width, height, ratio, camera, moving }, lit) {
        const coarse = moving && width * height * ratio * ratio > 1.5e6 ? 2 : 1;
        const across = Math.ceil((width * ratio) / coarse);
        const down = Math.ceil((height * ratio) / coarse);
        this.inks = {
            outside: word(this.outside),
            border: word(this.border),
            glow: word(this.glow),
        };
        this.lit = lit;
        this.paintPixels(openSheet(across, down), across, down, camera, coarse / ratio);
        pen.putImageData(image, 0, 0);
        context.imageSmoothingEnabled = false;
        context.drawImage(sheet, 0, 0, (across * coarse) / ratio, (down * coarse) / ratio);
    }

    inkOf(cell) {
        if (cell < 0) return this.inks.outside;
        if (this.lit > 0 && this.labels[cell] === this.lit) return this.inks.glow;
        return this.words[this.tone(cell)];
    }

    /* A pixel where a label begins is a border if cells are small. */
    paintPixels(pixels, across, down, camera, size) {
        const { labels } = this;
        const above = new Int32Array(across).fill(-1);
        const step = size / camera.scale;
        const [x0, y0] = [camera.planeX(size / 2), camera.planeY(size / 2)];
        const flat = this.span * camera.scale < REGION || camera.scale >= STROKES;
        for (let py = 0, i = 0; py < down; py++) {
            const find = this.finder(y0 + py * step);
            let [before, ink, left] = [-2, 0, 0];
            for (let px = 0; px < across; px++, i++) {
                const cell = find(x0 + px * step);
                if (cell !== before) ink = this.inkOf(cell);
                before = cell;
                pixels[i] = ink;
                if (flat) continue;
                const label = cell < 0 ? -1 : labels[cell];
                const begins = (px > 0 && label !== left) || (py > 0 && label !== above[px]);
                if (begins) pixels[i] = this.inks.border;
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

    /* Beyond a seam the map is drawn again, paler. */
    veilCopies(context, { camera, width, height }) {
        const { lattice } = this;
        if (!lattice.wrapX) return;
        const [x0, x1] = [camera.screenX(0), camera.screenX(lattice.width)];
        const [y0, y1] = lattice.wrapY
            ? [camera.screenY(0), camera.screenY(lattice.height * lattice.rise)]
            : [-9, height + 9];
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
        context.strokeRect(x0, y0, x1 - x0, y1 - y0);
        context.setLineDash([]);
    }
}
