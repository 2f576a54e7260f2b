// camera.js: which part of a plane is seen, and how large.
//
// The plane has units of its own; (x, y) is the point in the middle of the screen, `scale` the CSS
// pixels of a unit. A camera that nobody has moved yet fits the whole into whatever size it gets.

// Room around the whole.
const ROOM = { side: 20, top: 20, bottom: 20 };

export class Camera {
    /* box: {x0, y0, x1, y1} that is worth seeing; closest: pixels of a unit at most; top, bottom:
       room above and below. */
    constructor(box, closest, { top = ROOM.top, bottom = ROOM.bottom }) {
        this.box = box;
        this.top = top;
        this.bottom = bottom;
        this.closest = closest;
        this.width = this.height = 1;
        this.touched = false;
        this.fit();
    }

    fitting() {
        const side = Math.min(ROOM.side, this.width / 40); // less on a phone
        const wide = (this.width - 2 * side) / (this.box.x1 - this.box.x0);
        const high = (this.height - this.top - this.bottom) / (this.box.y1 - this.box.y0);
        return Math.max(Math.min(wide, high, this.closest), 1e-9);
    }

    fit() {
        this.scale = this.fitting();
        this.x = (this.box.x0 + this.box.x1) / 2;
        this.y = (this.box.y0 + this.box.y1 + (this.bottom - this.top) / this.scale) / 2;
        this.touched = false;
    }

    resize(width, height, bottom = this.bottom) {
        this.bottom = bottom;
        this.width = Math.max(width, 1);
        this.height = Math.max(height, 1);
        if (!this.touched) this.fit();
        else this.settle();
    }

    /* Keeps the map on the screen. */
    settle() {
        const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
        const fitting = this.fitting();
        this.scale = clamp(this.scale, fitting / 2, Math.max(this.closest, fitting * 2));
        this.x = clamp(this.x, this.box.x0, this.box.x1);
        this.y = clamp(this.y, this.box.y0, this.box.y1);
    }

    /* Pixels of a unit of lines and marks, which grow and shrink less than the map does. */
    get pen() {
        return Math.sqrt(this.scale * this.fitting());
    }

    /* Whether more detail is shown than in a drawing of the whole map. */
    get near() {
        return this.scale > 1.2 * this.fitting();
    }

    screenX(x) {
        return (x - this.x) * this.scale + this.width / 2;
    }
    screenY(y) {
        return (y - this.y) * this.scale + this.height / 2;
    }
    planeX(px) {
        return (px - this.width / 2) / this.scale + this.x;
    }
    planeY(py) {
        return (py - this.height / 2) / this.scale + this.y;
    }

    /* The visible part of the plane. */
    seen() {
        return {
            x0: this.planeX(0),
            y0: this.planeY(0),
            x1: this.planeX(this.width),
            y1: this.planeY(this.height),
        };
    }

    pan(dx, dy) {
        this.x -= dx / this.scale;
        this.y -= dy / this.scale;
        this.touched = true;
        this.settle();
    }

    /* What is under (px, py) stays under it. */
    zoom(factor, px = this.width / 2, py = this.height / 2) {
        const [x, y] = [this.planeX(px), this.planeY(py)];
        this.scale *= factor;
        this.touched = true;
        this.settle();
        this.x += x - this.planeX(px);
        this.y += y - this.planeY(py);
        this.settle();
    }

    /* Takes over the position of another camera of a plane of the same size. */
    follow(other) {
        if (!other.touched) return;
        this.touched = true;
        [this.x, this.y, this.scale] = [other.x, other.y, other.scale];
    }
}
