// decor.js: trees on the land and bridges between islands. Coordinates are those of a cell's
// north-western corner.
import { noise } from "./palette.js";
import { UNIT } from "./world.js";

const DECK = 0.25; // half of a bridge's width
const THICK = 2 * UNIT; // of its planks
const LEAST = 6; // pixels of a cell from which on trees are drawn
const WIDE = [3, 4, 5]; // half of a tree's lower cone, in 23rds of two cells

/* The tree of cell i, where there is room: a trunk and two cones, each of a light half and one in the
   shade. */
export function drawTree(pen, x, y, z, i) {
    if (pen.scale < LEAST) return;
    const { context } = pen;
    const size = (pen.scale * 2) / 23;
    const wide = WIDE[Math.floor(noise(i + 77) * WIDE.length)];
    const [px, py] = pen.at(x + 0.35, y + 0.35, z);
    context.fillStyle = pen.land.trunk;
    context.fillRect(px - size / 2, py - size * 3, size, size * 3);
    const half = (side, rim, tip, across, color) => {
        context.fillStyle = color;
        context.beginPath();
        context.moveTo(px, py - tip * size);
        context.lineTo(px + side * across * size, py - rim * size);
        context.lineTo(px, py - (rim - 1) * size);
        context.fill();
    };
    [-1, 1].forEach((side, k) => half(side, 2, wide + 5, wide, pen.land.tree[k]));
    [-1, 1].forEach((side, k) => half(side, 7, wide + 7, wide - 1, pen.land.tree[k + 2]));
}

/* ways: bits, 1 north, 2 east, 4 south, 8 west; lit: the way goes over it. */
export function drawBridge(pen, x, y, z, ways, lit) {
    const [top, left] = lit ? pen.land.litDeck : pen.land.deck;
    const [cx, cy] = [x + 0.5, y + 0.5];
    const from = (way) => (ways & way ? 0.5 : DECK);
    const boxes = [
        [cx - DECK, cy - from(1), cx + DECK, cy + from(4)],
        [cx - from(8), cy - DECK, cx + from(2), cy + DECK],
    ];
    for (const box of boxes) pen.floor(...box, z - THICK, left);
    for (const box of boxes) pen.floor(...box, z, top);
}
