// lattice.js: cells of a map as places of a plane.
//
// A cell is one unit wide. Hexagons stand on a corner, odd rows shoved half a cell to the right
// («odd-r»): rows are √3/2 apart, and a third of that is how high the slanting part of a side is.
// Columns and rows go on beyond the map's rim where it wraps, so that a seam can be looked at from
// both sides.

const SIDES = {
    // [column in even rows, column in odd rows, row], clockwise from the upper right; corner s
    // begins side s.
    hex: [
        [0, 1, -1],
        [1, 1, 0],
        [0, 1, 1],
        [-1, 0, 1],
        [-1, -1, 0],
        [-1, 0, -1],
    ],
    square: [
        [1, 1, 0],
        [0, 0, 1],
        [-1, -1, 0],
        [0, 0, -1],
    ],
};

export class Lattice {
    constructor(width, height, grid, wrap) {
        Object.assign(this, { width, height, hex: grid === "hex" });
        this.wrapX = wrap === "x" || wrap === "xy";
        this.wrapY = wrap === "xy";
        this.rise = this.hex ? Math.sqrt(3) / 2 : 1;
        this.cap = this.hex ? this.rise / 3 : 0;
        this.sides = SIDES[this.hex ? "hex" : "square"];
        const [top, bottom] = [this.cap, this.rise];
        this.corners = this.hex
            ? [
                  [0.5, 0],
                  [1, top],
                  [1, bottom],
                  [0.5, bottom + top],
                  [0, bottom],
                  [0, top],
              ]
            : [
                  [1, 0],
                  [1, 1],
                  [0, 1],
                  [0, 0],
              ];
        this.box = {
            x0: 0,
            y0: 0,
            x1: width + (this.hex && height > 1 ? 0.5 : 0),
            y1: height * this.rise + this.cap,
        };
    }

    left(column, row) {
        return this.hex ? column + (row & 1) / 2 : column;
    }
    top(row) {
        return row * this.rise;
    }
    middle([column, row]) {
        return { x: this.left(column, row) + 0.5, y: this.top(row) + (this.rise + this.cap) / 2 };
    }

    /* The number of a cell, also beyond a seam; -1 beyond the rim. */
    index(column, row) {
        if (this.wrapX) column = ((column % this.width) + this.width) % this.width;
        else if (column < 0 || column >= this.width) return -1;
        if (this.wrapY) row = ((row % this.height) + this.height) % this.height;
        else if (row < 0 || row >= this.height) return -1;
        return row * this.width + column;
    }

    beyond(column, row, side) {
        const [even, odd, down] = this.sides[side];
        return this.index(column + (row & 1 ? odd : even), row + down);
    }

    /* [column, row] of the cell at a point. */
    at(x, y) {
        let row = Math.floor(y / this.rise);
        if (this.hex) {
            const along = x - (row & 1) / 2;
            const across = along - Math.floor(along);
            if ((y - row * this.rise) / this.cap < Math.abs(2 * across - 1)) row--;
        }
        return [Math.floor(x - (this.hex ? (row & 1) / 2 : 0)), row];
    }

    /* The columns and rows that may be seen. */
    range({ x0, y0, x1, y1 }) {
        const clamp = (v, most, wraps) => (wraps ? v : Math.min(Math.max(v, 0), most));
        return {
            c0: clamp(Math.floor(x0 - 1), this.width, this.wrapX),
            c1: clamp(Math.ceil(x1 + 1), this.width, this.wrapX),
            r0: clamp(Math.floor((y0 - this.cap) / this.rise) - 1, this.height, this.wrapY),
            r1: clamp(Math.ceil(y1 / this.rise) + 1, this.height, this.wrapY),
        };
    }
}
