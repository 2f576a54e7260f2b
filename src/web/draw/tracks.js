// tracks.js: draws a board with its ends, and the tracks that lie on it so far.
import { writeWord } from "./letters.js";
import { inkOn, mix } from "./palette.js";

const PALE = 0.17; // how much of its track's color a cell has

/*
 * picture = {play, tracks: cells of each label, touches: pairs of cells,
 *            over: label under the pointer,
 *            cursor: cell or null, hinted: cells}
 */
export function drawBoard(context, { width, height, camera }, colors, picture) {
    context.fillStyle = colors.back;
    context.fillRect(0, 0, width, height);
    new Drawing(context, camera, colors, picture).draw();
}

class Drawing {
    constructor(context, camera, colors, picture) {
        Object.assign(this, { context, colors, ...picture });
        this.size = camera.scale;
        this.left = camera.screenX(0);
        this.top = camera.screenY(0);
        this.inks = this.play.labels.map((_, i) => colors.tracks[i]);
        this.pale = this.inks.map((ink, i) =>
            mix(colors.board, ink, i === this.over ? 2 * PALE : PALE),
        );
    }

    draw() {
        this.drawTiles();
        this.tracks.forEach((cells, i) => cells.length > 1 && this.drawTrack(cells, this.inks[i]));
        for (const [a, b] of this.touches) this.drawTouch(a, b);
        this.play.ends.forEach((ends, i) => ends.forEach((cell) => this.drawEnd(i, cell)));
        for (const cell of this.hinted) this.drawHint(cell);
        if (this.cursor !== null) this.drawCursor();
    }

    /* The upper left corner of a cell, or what is (x, y) cells from it. */
    at(cell, x = 0, y = 0) {
        const row = Math.floor(cell / this.play.width);
        return [
            this.left + (cell - row * this.play.width + x) * this.size,
            this.top + (row + y) * this.size,
        ];
    }

    middle(cell) {
        return this.at(cell, 0.5, 0.5);
    }

    square(cell, inset) {
        const side = this.size - 2 * inset;
        const [x, y] = this.at(cell);
        this.context.beginPath();
        this.context.roundRect(x + inset, y + inset, side, side, this.size * 0.14);
    }

    /* Cells, and the rules between them over all. */
    drawTiles() {
        const { context, play, size, left, top } = this;
        const [right, bottom] = [left + play.width * size, top + play.height * size];
        context.fillStyle = this.colors.board;
        context.fillRect(left, top, right - left, bottom - top);
        const owners = new Int8Array(play.width * play.height).fill(-1);
        this.tracks.forEach((track, i) => track.forEach((cell) => (owners[cell] = i)));
        owners.forEach((owner, cell) => {
            const wall = play.sign(cell) === "#";
            if (owner < 0 && !wall) return;
            context.fillStyle = wall ? this.colors.wall : this.pale[owner];
            context.fillRect(...this.at(cell), size, size);
        });
        context.beginPath();
        for (let x = 0; x <= play.width; x++) {
            context.moveTo(left + x * size, top);
            context.lineTo(left + x * size, bottom);
        }
        for (let y = 0; y <= play.height; y++) {
            context.moveTo(left, top + y * size);
            context.lineTo(right, top + y * size);
        }
        context.lineCap = "round";
        context.lineWidth = Math.max(size / 30, 0.5);
        context.strokeStyle = this.colors.boardLine;
        context.stroke();
    }

    drawTrack(cells, ink) {
        const { context, size } = this;
        context.beginPath();
        cells.forEach((cell, i) => context[i ? "lineTo" : "moveTo"](...this.middle(cell)));
        context.lineCap = context.lineJoin = "round";
        context.lineWidth = (size * 13) / 30;
        context.strokeStyle = ink;
        context.stroke();
    }

    /* Where a track lies beside itself and must not: a bar across the side between the two

       cells. */
    drawTouch(a, b) {
        const { context, size } = this;
        const [from, to] =
            b === a + 1
                ? [
                      [1, 0.2],
                      [1, 0.8],
                  ]
                : [
                      [0.2, 1],
                      [0.8, 1],
                  ];
        context.beginPath();
        context.moveTo(...this.at(a, ...from));
        context.lineTo(...this.at(a, ...to));
        context.lineWidth = Math.max(size * 0.07, 1.5);
        context.strokeStyle = this.colors.wrong;
        context.stroke();
    }

    drawEnd(i, cell) {
        const { context, size, inks, play } = this;
        const [x, y] = this.middle(cell);
        context.beginPath();
        context.arc(x, y, size * 0.4, 0, 7);
        context.fillStyle = inks[i];
        context.fill();
        if (i === this.over || play.stroke?.which === i) {
            context.lineWidth = Math.max(size * 0.05, 1.5);
            context.strokeStyle = this.colors.ink;
            context.stroke();
        }
        if (size < 11) return;
        writeWord(context, play.labels[i], x, y, size * 0.4, inkOn(inks[i]));
    }

    drawHint(cell) {
        const { context, size } = this;
        context.lineWidth = Math.max(size * 0.08, 2.5);
        context.strokeStyle = this.colors.done;
        this.square(cell, size * 0.08);
        context.stroke();
    }

    drawCursor() {
        const { context, size } = this;
        context.lineWidth = Math.max(size * 0.07, 2);
        context.strokeStyle = this.colors.cursor;
        context.setLineDash(this.play.stroke ? [] : [size * 0.16, size * 0.1]);
        this.square(this.cursor, size * 0.06);
        context.stroke();
        context.setLineDash([]);
    }
}
