// decor.js: what stands on the land and what spans the air: the way that is lit, trees, bridges with planks and ropes.
//
// Ways are bits: 1 north, 2 east, 4 south, 8 west; coordinates are those of the cell's north-western corner.
import { LAND, fade, noise } from "./palette.js";
import { PAINT, paint } from "./pen.js";

const HALF = 0.3; // of a bridge's width
const FROM = { tree: 9, plank: 8, rope: 11 }; // pixels of a cell from which on they are drawn

const ARMS = [
    { way: 1, x: 0, y: -0.5, box: [-HALF, -0.5, HALF, HALF] },
    { way: 2, x: 0.5, y: 0, box: [-HALF, -HALF, 0.5, HALF] },
    { way: 4, x: 0, y: 0.5, box: [-HALF, -HALF, HALF, 0.5] },
    { way: 8, x: -0.5, y: 0, box: [-0.5, -HALF, HALF, HALF] },
];

/* floorAt(x, y): how high one walks there; where that is lower, and in sight, the way goes down. */
export function drawTrail(pen, x, y, z, ways, floorAt) {
    const lines = ARMS.filter(({ way }) => ways & way).map((arm) => {
        const line = [
            [x + 0.5, y + 0.5, z],
            [x + 0.5 + arm.x, y + 0.5 + arm.y, z],
        ];
        const near = arm.x * pen.dx > 0 || arm.y * pen.dy > 0;
        const there = near ? floorAt(x + 2 * arm.x, y + 2 * arm.y) : z;
        return there < z ? [...line, [line[1][0], line[1][1], there]] : line;
    });
    pen.lines(lines, Math.max(0.42 * pen.scale, 1), fade(LAND.route, 0.35), "butt");
    pen.lines(lines, Math.max(0.2 * pen.scale, 1), LAND.route);
}

/* Here and there, where there is room. */
export function drawTree(pen, x, y, z, i) {
    if (pen.scale < FROM.tree || noise(i * 3 + 5) >= 0.13) return;
    const { context } = pen;
    const size = pen.scale * (0.55 + 0.4 * noise(i + 77));
    const [px, py] = pen.at(x + 0.3 + 0.4 * noise(i + 3), y + 0.3 + 0.4 * noise(i + 4), z);
    context.fillStyle = LAND.trunk;
    context.fillRect(px - size * 0.06, py - size * 0.28, size * 0.12, size * 0.3);
    const half = (side, wide, low, high, light) => {
        context.fillStyle = paint(PAINT.tree, light - side * 0.2);
        context.beginPath();
        context.moveTo(px, py - high * size);
        context.lineTo(px + side * wide * size, py - low * size);
        context.lineTo(px, py - (low - 0.06) * size);
        context.fill();
    };
    for (const side of [-1, 1]) half(side, 0.34, 0.2, 0.8, -0.1);
    for (const side of [-1, 1]) half(side, 0.26, 0.5, 1.15, 0.08);
}

export function drawBridge(pen, x, y, z, ways, trail, floorAt) {
    const [cx, cy] = [x + 0.5, y + 0.5];
    const boxes = ARMS.filter(({ way }) => ways & way).map(({ box: [a, b, c, d] }) => [
        cx + a,
        cy + b,
        cx + c,
        cy + d,
    ]);
    for (const box of boxes) pen.floor(...box, z - 0.16, paint(PAINT.beam, -0.2));
    for (const box of boxes) pen.floor(...box, z - 0.04, paint(PAINT.plank, 0.1));
    if (pen.scale >= FROM.plank) drawPlanks(pen, cx, cy, z - 0.04, ways);
    if (trail) drawTrail(pen, x, y, z, trail, floorAt);
    if (pen.scale >= FROM.rope) drawRopes(pen, cx, cy, z, ways);
}

function drawPlanks(pen, x, y, z, ways) {
    const lines = [];
    const across = (x0, y0, x1, y1) =>
        lines.push([
            [x + x0, y + y0, z],
            [x + x1, y + y1, z],
        ]);
    for (const t of [0.04, 0.2, 0.36, 0.5]) {
        if (ways & 1) across(-HALF, -t, HALF, -t);
        if (ways & 2) across(t, -HALF, t, HALF);
        if (ways & 4) across(-HALF, t, HALF, t);
        if (ways & 8) across(-t, -HALF, -t, HALF);
    }
    pen.lines(lines, 0.8, fade(LAND.beam, 0.75));
}

/* At the sides of a straight piece, slack between their posts. */
function drawRopes(pen, x, y, z, ways) {
    if (ways !== 5 && ways !== 10) return;
    const spot = (t, side, h) => (ways === 5 ? [x + side, y + t, z + h] : [x + t, y + side, z + h]);
    const rope = (side) => [-0.5, -0.25, 0, 0.25, 0.5].map((t) => spot(t, side, 0.24 + 0.4 * t * t));
    const post = (side) => [spot(-0.5, side, -0.04), spot(-0.5, side, 0.34)];
    const sides = [-HALF, HALF];
    pen.lines([...sides.map(rope), ...sides.map(post)], Math.max(pen.scale * 0.05, 1), LAND.rope);
}
