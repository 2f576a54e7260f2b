// mask.js: a mask, painted: land and water on a lattice, with a brush.
//
// The mouse or a finger paints. By keys: arrows move a cursor, the space bar puts the brush down and
// takes it up, L and W choose land and water, B the next brush, U undoes, Enter is Done.
import { Ground } from "../draw/ground.js";
import { Lattice } from "../draw/lattice.js";
import { count, sum } from "./words.js";

const BRUSHES = [1, 3, 5, 9, 17, 33]; // cells across
const MOST = 100; // strokes that can be undone

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class Mask {
    /* mask: { width, height, grid, wrap, rows: of # and ., or null: all of it is land } */
    constructor(frame, { width, height, grid, wrap, rows }) {
        this.frame = frame;
        this.lattice = new Lattice(width, height, grid, wrap);
        const text = rows?.join("");
        this.cells = Uint8Array.from({ length: width * height }, (_, i) => text?.[i] !== ".");
        this.past = [];
        this.paint = Number(this.cells.includes(0)); // the first stroke shows: in all land it is water
        this.brush = 2;
        this.cursor = null; // by keys: [column, row]
        this.down = false;
        this.box = this.lattice.box;
        this.closest = 90;
        this.kind = `mask ${grid} ${wrap}`;
        this.role = "application";
        this.help =
            "Drag to paint. Or move with the arrow keys; space puts the brush down and takes it up, L is land, W is water, B is the next brush, U undoes, Enter is done.";
        this.layGround(frame.colors);
        this.layButtons();
    }

    layGround(colors) {
        this.ground = new Ground({
            lattice: this.lattice,
            labels: this.cells,
            count: 1,
            covered: this.cells.length,
            tones: [colors.water, colors.countries[5]],
            tone: (cell) => this.cells[cell],
            outside: colors.back,
            border: colors.border,
            net: colors.net,
            seam: colors.seam,
            glow: colors.lit,
            netted: true,
        });
    }

    layButtons() {
        const choose = (name, paint) => ({
            name,
            text: name,
            press: () => (this.paint = paint),
            on: () => this.paint === paint,
        });
        const fill = (name, text, paint) => ({
            name,
            text,
            press: () => this.stroke(() => this.cells.fill(paint)),
        });
        this.buttons = [
            choose("Land", 1),
            choose("Water", 0),
            {
                name: "Next brush",
                text: () => `Brush ${BRUSHES[this.brush]}`,
                press: () => this.next(),
            },
            fill("All land", "Fill", 1),
            fill("All water", "Clear", 0),
            { name: "Done", text: "Done", press: () => this.frame.hooks.done() },
            { name: "Undo", icon: "left", press: () => this.undo(), idle: () => !this.past.length },
        ];
    }

    describe() {
        const { width, height, hex } = this.lattice;
        const land = count(sum(this.cells), "cell");
        return `A mask of ${width} by ${height} ${hex ? "hexagons" : "squares"} with ${land} of land. Drag to paint.`;
    }

    rows() {
        const { width } = this.lattice;
        const text = Array.from(this.cells, (land) => (land ? "#" : ".")).join("");
        return Array.from({ length: this.lattice.height }, (_, y) =>
            text.slice(y * width, (y + 1) * width),
        );
    }

    // ---- painting ----

    next() {
        this.brush = (this.brush + 1) % BRUSHES.length;
    }

    /* All that a stroke does is undone at once. */
    begin() {
        this.past = [...this.past.slice(1 - MOST), this.cells.slice()];
    }

    finish() {
        this.frame.hooks.painted(this.cells.includes(0) ? this.rows() : null);
        this.frame.showButtons();
        this.frame.redraw();
    }

    stroke(act) {
        this.begin();
        act();
        this.finish();
    }

    undo() {
        const before = this.past.pop();
        if (!before) return;
        this.cells.set(before);
        this.finish();
    }

    /* Every cell whose middle is under the brush. */
    dab([column, row]) {
        const { lattice } = this;
        const reach = BRUSHES[this.brush] / 2;
        const here = lattice.middle([column, row]);
        const far = Math.ceil(reach / lattice.rise);
        for (let r = row - far; r <= row + far; r++)
            for (let c = column - far - 1; c <= column + far + 1; c++) {
                const { x, y } = lattice.middle([c, r]);
                const cell = lattice.index(c, r);
                if (cell >= 0 && Math.hypot(x - here.x, y - here.y) < reach)
                    this.cells[cell] = this.paint;
            }
    }

    cellAt({ x, y }) {
        const { camera } = this.frame;
        return this.lattice.at(camera.planeX(x), camera.planeY(y));
    }

    grab(at, event) {
        if (event.button > 0) return null;
        this.cursor = null;
        this.begin();
        this.dab(this.cellAt(at));
        this.frame.redraw();
        return {
            move: (to, by) => {
                const steps = Math.ceil(Math.hypot(by.x, by.y) / this.frame.camera.scale) + 1;
                for (let k = steps - 1; k >= 0; k--)
                    this.dab(
                        this.cellAt({ x: to.x - (by.x * k) / steps, y: to.y - (by.y * k) / steps }),
                    );
            },
            end: (cancelled) => (cancelled ? this.undo() : this.finish()),
        };
    }

    takes() {
        return true;
    }

    // ---- by keys ----

    key({ key, shiftKey, ctrlKey }) {
        const acts = {
            l: () => (this.paint = 1),
            w: () => (this.paint = 0),
            b: () => this.next(),
            u: () => this.undo(),
            z: () => this.undo(),
            " ": () => this.lower(),
            Enter: () => this.frame.hooks.done(),
        };
        const act = ARROWS[key] && !shiftKey ? () => this.move(ARROWS[key]) : acts[key];
        if (!act || (ctrlKey && key !== "z")) return false;
        act();
        this.frame.showButtons();
        this.frame.redraw();
        return true;
    }

    lower() {
        this.cursor ??= this.middle();
        this.down = !this.down;
        if (this.down) this.begin();
        if (this.down) this.dab(this.cursor);
        else this.finish();
        this.tell();
    }

    middle() {
        return [Math.floor(this.lattice.width / 2), Math.floor(this.lattice.height / 2)];
    }

    move([dx, dy]) {
        const [column, row] = this.cursor ?? this.middle();
        const inside = this.lattice.index(column + dx, row + dy) >= 0;
        if (this.cursor && inside) this.cursor = [column + dx, row + dy];
        else this.cursor = [column, row];
        if (this.down) this.dab(this.cursor);
        this.tell();
    }

    tell() {
        const [column, row] = this.cursor;
        const what = this.cells[this.lattice.index(column, row)] ? "land" : "water";
        this.frame.whisper(
            `row ${row + 1}, column ${column + 1}: ${what}${this.down ? ", the brush is down" : ""}`,
        );
    }

    // ---- drawing ----

    draw(context, view) {
        this.ground.draw(context, view, 0);
        if (this.cursor) this.drawCursor(context, view.camera);
    }

    drawCursor(context, camera) {
        const { x, y } = this.lattice.middle(this.cursor);
        context.beginPath();
        const radius = Math.max((BRUSHES[this.brush] * camera.scale) / 2, 4);
        context.arc(camera.screenX(x), camera.screenY(y), radius, 0, 7);
        context.setLineDash(this.down ? [] : [6, 4]);
        context.lineWidth = 3;
        context.strokeStyle = this.frame.colors.cursor;
        context.stroke();
        context.setLineDash([]);
    }
}

export const mask = { make: (frame, given) => new Mask(frame, given) };
