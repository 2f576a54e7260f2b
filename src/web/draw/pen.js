// pen.js: draws level and upright faces of a world that is seen at an angle.
//
// The picture is orthographic: the point (x, y, z) lies at a fixed sum of three vectors, east,
// south and up. A face is filled and outlined in one color, as edges that meet would let the sky
// shine through between them; where units are small it is made larger by a little instead, which is
// as good and takes half the time.
const OUTLINE = 0.8;
const OUTLINED = 6; // pixels of a unit from which on

export class Pen {
    /* look: cosine and sine of the turn (cos, sin) and of the tilt (rear, lean); (x, y): where the
       origin is. */
    constructor(context, scale, { cos, sin, lean, rear }) {
        Object.assign(this, { context, scale, x: 0, y: 0 });
        this.rim = scale < OUTLINED ? 0.5 / scale : 0;
        this.east = [cos * scale, sin * lean * scale];
        this.south = [-sin * scale, cos * lean * scale];
        this.up = -rear * scale;
        // Which way is nearer, and which of its colors a side has that faces the viewer: one to the
        // east, away from the sun, the darker one.
        [this.dx, this.dy] = [sin > 0 ? 1 : -1, cos > 0 ? 1 : -1];
        [this.sideX, this.sideY] = [sin > 0 ? 1 : 0, 0];
        context.lineJoin = "round";
        context.lineWidth = OUTLINE;
    }

    at(x, y, z) {
        return [
            this.x + x * this.east[0] + y * this.south[0],
            this.y + x * this.east[1] + y * this.south[1] + z * this.up,
        ];
    }

    face(color, a, b, c, d) {
        const { context } = this;
        context.fillStyle = context.strokeStyle = color;
        context.beginPath();
        context.moveTo(a[0], a[1]);
        context.lineTo(b[0], b[1]);
        context.lineTo(c[0], c[1]);
        context.lineTo(d[0], d[1]);
        context.closePath();
        context.fill();
        if (!this.rim) context.stroke();
    }

    floor(x0, y0, x1, y1, z, color) {
        const r = this.rim;
        const [a, b] = [this.at(x0 - r, y0 - r, z), this.at(x1 + r, y0 - r, z)];
        this.face(color, a, b, this.at(x1 + r, y1 + r, z), this.at(x0 - r, y1 + r, z));
    }

    /* From (x0, y0) to (x1, y1), east or south of it, between two heights. */
    wall(x0, y0, x1, y1, low, high, color) {
        const [rx, ry] = [x1 > x0 ? this.rim : 0, y1 > y0 ? this.rim : 0];
        const [a, b] = [this.at(x0 - rx, y0 - ry, high), this.at(x1 + rx, y1 + ry, high)];
        const down = (low - this.rim - high) * this.up;
        this.face(color, a, b, [b[0], b[1] + down], [a[0], a[1] + down]);
    }

    /* A stroke through points of three coordinates each. */
    line(points, width, color) {
        const { context } = this;
        context.beginPath();
        points.forEach((point, i) => context[i ? "lineTo" : "moveTo"](...this.at(...point)));
        context.lineCap = "round";
        context.lineWidth = width;
        context.strokeStyle = color;
        context.stroke();
        context.lineWidth = OUTLINE;
    }
}
