// ground.js: paints a lattice of labelled cells.
//
// Cells are painted pixel by pixel: each asks which cell it lies in. Borders of small cells are
// pixels too, where the one on the left or above lies in another label's; those of large cells are
// strokes over them, which also hide the steps of the pixels. Either way the cost follows what is
// seen, not the map.
import { word } from "./palette.js";

const STROKES = 5; // pixels of a cell from which on borders are strokes
const REGION = 7; // pixels of an average label from which on it has a border at all

/*
 * ground = {lattice, labels: a number a cell, tone(cell): index into `tones`, tones: colours,
 *           count: of labels, covered: cells that have one, outside, border, coast, seam, glow: colours}; labels of 0 are
 *           bordered by the coast.
 */
export class Ground {
    constructor(ground) {
        Object.assign(this, ground);
        this.words = Uint32Array.from(this.tones, word);
        this.span = Math.sqrt(this.covered / this.count);
        this.sheet = document.createElement("canvas");
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
        const paths = {
            lines: new Path2D(),
            coast: new Path2D(),
            net: camera.scale > 10 ? new Path2D() : null,
        };
        for (let row = r0; row < r1; row++)
            for (let column = c0; column < c1; column++) {
                const x = camera.screenX(lattice.left(column, row));
                const y = camera.screenY(lattice.top(row));
                this.addSides(paths, lattice.index(column, row), column, row, x, y, camera.scale);
            }
        this.strokeAll(context, paths, camera.scale);
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
            const path =
                own === theirs
                    ? other < 0
                        ? null
                        : paths.net
                    : own > 0 && theirs > 0
                      ? paths.lines
                      : paths.coast;
            if (!path) continue;
            const [a, b] = [corners[s], corners[(s + 1) % corners.length]];
            path.moveTo(x + a[0] * scale, y + a[1] * scale);
            path.lineTo(x + b[0] * scale, y + b[1] * scale);
        }
    }

    strokeAll(context, { lines, coast, net }, scale) {
        context.lineCap = context.lineJoin = "round";
        if (net) this.stroke(context, net, this.coast, 1, Math.min((scale - 10) / 60, 0.16));
        this.stroke(context, lines, this.border, Math.min(Math.max(scale * 0.1, 1.1), 3.5), 0.9);
        this.stroke(context, coast, this.coast, Math.min(Math.max(scale * 0.12, 1.3), 4), 0.9);
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
        if (this.sheet.width !== across || this.sheet.height !== down)
            [this.sheet.width, this.sheet.height] = [across, down];
        const pen = this.sheet.getContext("2d");
        const image = pen.createImageData(across, down);
        this.paint(new Uint32Array(image.data.buffer), across, down, camera, coarse / ratio, lit);
        pen.putImageData(image, 0, 0);
        context.imageSmoothingEnabled = false;
        context.drawImage(this.sheet, 0, 0, (across * coarse) / ratio, (down * coarse) / ratio);
    }

    paint(pixels, across, down, camera, size, lit) {
        const { labels, words } = this;
        const above = new Int32Array(across).fill(-1);
        const [outside, border, coast, glow] = [
            this.outside,
            this.border,
            this.coast,
            this.glow,
        ].map(word);
        const step = size / camera.scale;
        const x0 = camera.planeX(size / 2);
        const y0 = camera.planeY(size / 2);
        const flat = camera.scale >= STROKES || this.span * camera.scale < REGION;
        for (let py = 0, i = 0, line = NaN; py < down; py++) {
            const finder = this.rowFinder(y0 + py * step);
            if (flat && finder.row === line) {
                pixels.copyWithin(i, i - across, i);
                i += across;
                continue;
            }
            line = finder.row;
            for (let px = 0, left = -1; px < across; px++, i++) {
                const cell = finder.find(x0 + px * step);
                const label = cell < 0 ? -1 : labels[cell];
                const other =
                    label !== left && px > 0
                        ? left
                        : label !== above[px] && py > 0
                          ? above[px]
                          : label;
                if (flat || other === label)
                    pixels[i] =
                        cell < 0
                            ? outside
                            : label === lit && lit > 0
                              ? glow
                              : words[this.tone(cell)];
                else pixels[i] = label > 0 && other > 0 ? border : coast;
                left = above[px] = label;
            }
        }
    }

    /* Which cell lies at x, for one line of pixels; `row` where the line cuts one row alone, as the
       next may too. */
    rowFinder(y) {
        const { lattice } = this;
        const { rise, cap, hex, width } = lattice;
        const row = Math.floor(y / rise);
        const steep = hex ? (y - row * rise) / cap : 2;
        const shove = hex ? (row & 1) / 2 : 0;
        const here = this.rowStart(row);
        const before = steep < 1 ? this.rowStart(row - 1) : here;
        const find = (x) => {
            const along = x - shove;
            let column = Math.floor(along);
            let start = here;
            if (steep < 1 && steep < Math.abs(2 * (along - column) - 1)) {
                start = before;
                column = Math.floor(x - 0.5 + shove);
            }
            if (start < 0) return -1;
            if (column >= 0 && column < width) return start + column;
            return lattice.wrapX ? start + (((column % width) + width) % width) : -1;
        };
        return { find, row: steep < 1 ? NaN : row };
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
