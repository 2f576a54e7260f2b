// decor.js: trees on the land and bridges between islands. Coordinates are those of a cell's
// north-western corner.
import { TREES } from "./colors.js";
import { noiseBelow } from "./palette.js";
import { UNIT } from "./world.js";

const DECK = 0.25; // half of a bridge's width
const THICK = 2 * UNIT; // of its planks
const LEAST = 6; // pixels of a cell from which on trees are drawn

/* The tree of cell i, where there is room: a trunk and two cones, each of a light half and one in the
   shade. */
export function drawTree(pen, x, y, z, i) {
    if (pen.scale < LEAST) return;
    const { context } = pen;
    const size = (pen.scale * 2) / 23; // of a unit: two cells have 23
    const [px, py] = pen.at(x + 0.35, y + 0.35, z);
    context.fillStyle = pen.land.trunk;
    context.fillRect(px - size / 2, py - size * 3, size, size * 3);
    TREES[noiseBelow(i + 77, TREES.length)].forEach(([rim, tip, half], cone) =>
        [-half, half].forEach((across, shade) => {
            context.fillStyle = pen.land.tree[2 * cone + shade];
            context.beginPath();
            context.moveTo(px, py - tip * size);
            context.lineTo(px + across * size, py - rim * size);
            context.lineTo(px, py - (rim - 1) * size);
            context.fill();
        }),
    );
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
