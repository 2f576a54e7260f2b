// decor.js: trees on the land, bridges between islands, and the way that is lit
// with planks and ropes.
//
// Ways are bits: 1 north, 2 east, 4 south, 8 west; coordinates are those of the cell's
// north-western corner.
import { fade, noise } from "./palette.js";
import { UNIT } from "./world.js";

const DECK = 0.25; // half of a bridge's width
const THICK = 2 * UNIT; // of its planks
const FROM = { tree: 6, rope: 11 }; // pixels of a cell from which on they are drawn

const ARMS = [
    { way: 1, x: 0, y: -0.5 },
    { way: 2, x: 0.5, y: 0 },
    { way: 4, x: 0, y: 0.5 },
    { way: 8, x: -0.5, y: 0 },
];

/* For each way a strip about the middle (x, y) of a cell to its side: [x0, y0, x1, y1]. */
function strips(x, y, ways, half) {
    const from = (v) => (v < 0 ? -0.5 : -half);
    const to = (v) => (v > 0 ? 0.5 : half);
    const arms = ARMS.filter(({ way }) => ways & way);
    return arms.map((arm) => [x + from(arm.x), y + from(arm.y), x + to(arm.x), y + to(arm.y)]);
}

// Of a tree's lower cone and its upper one: how high its rim and its tip are, half of its width. In
// 23rds of two cells, and as in src/enc/picture/isles/trees.c.
const TREES = [
    [
        [2, 8, 3],
        [7, 10, 2],
    ],
    [
        [2, 9, 4],
        [7, 11, 3],
    ],
    [
        [2, 9, 5],
        [7, 12, 4],
    ],
];
export const FEET = [
    [0.25, 0.25],
    [0.25, 0.5],
    [0.5, 0.25],
];

/* The tree of cell i, where there is room. */
export function drawTree(pen, x, y, z, i) {
    if (pen.scale < FROM.tree) return;
    const { context } = pen;
    const size = (pen.scale * 2) / 23;
    const [east, south] = FEET[Math.floor(noise(i + 3) * FEET.length)];
    const [px, py] = pen.at(x + east, y + south, z);
    context.fillStyle = pen.land.trunk;
    context.fillRect(px - size / 2, py - size * 3, size, size * 3);
    const half = (side, [rim, tip, wide], colour) => {
        context.fillStyle = colour;
        context.beginPath();
        context.moveTo(px, py - tip * size);
        context.lineTo(px + side * wide * size, py - rim * size);
        context.lineTo(px, py - (rim - 1) * size);
        context.fill();
    };
    const cones = TREES[Math.floor(noise(i + 77) * TREES.length)];
    cones.forEach((cone, k) =>
        [-1, 1].forEach((side, i) => half(side, cone, pen.land.tree[2 * k + i])),
    );
}

/* lit: the way goes over it. From nearby one sees planks and ropes. */
export function drawBridge(pen, x, y, z, ways, lit) {
    const [cx, cy] = [x + 0.5, y + 0.5];
    const boxes = strips(cx, cy, ways, DECK);
    const [top, left] = lit ? pen.land.litDeck : pen.land.deck;
    for (const box of boxes) pen.floor(...box, z - THICK, left);
    for (const box of boxes) pen.floor(...box, z, top);
    if (!pen.near || pen.scale < FROM.rope) return;
    if (!lit) drawPlanks(pen, cx, cy, z, ways);
    drawRopes(pen, cx, cy, z, ways);
}

function drawPlanks(pen, x, y, z, ways) {
    const lines = [];
    const across = (x0, y0, x1, y1) =>
        lines.push([
            [x + x0, y + y0, z],
            [x + x1, y + y1, z],
        ]);
    for (const t of [0.04, 0.2, 0.36, 0.5]) {
        if (ways & 1) across(-DECK, -t, DECK, -t);
        if (ways & 2) across(t, -DECK, t, DECK);
        if (ways & 4) across(-DECK, t, DECK, t);
        if (ways & 8) across(-t, -DECK, -t, DECK);
    }
    pen.lines(lines, 0.8, fade(pen.land.deck[2], 0.6));
}

/* At the sides of a straight piece, slack between their posts. */
function drawRopes(pen, x, y, z, ways) {
    if (ways !== 5 && ways !== 10) return;
    const spot = (t, side, h) => (ways === 5 ? [x + side, y + t, z + h] : [x + t, y + side, z + h]);
    const rope = (side) =>
        [-0.5, -0.25, 0, 0.25, 0.5].map((t) => spot(t, side, 0.24 + 0.4 * t * t));
    const post = (side) => [spot(-0.5, side, -0.04), spot(-0.5, side, 0.34)];
    const sides = [-DECK, DECK];
    pen.lines(
        [...sides.map(rope), ...sides.map(post)],
        Math.max(pen.scale * 0.05, 1),
        pen.land.rope,
    );
}
