// letters.js: writes words with the strokes that pictures have (src/enc/picture/glyphs.c).
import { GLYPHS } from "./colors.js";

const [CAPITAL, GAP, STEM, HALO] = [16, 4, 0.14, 0.38]; // half steps; shares of the height

/* How wide a word is whose capitals are 1 high. */
export function wordWidth(word) {
    const widths = Array.from(String(word), (letter) => GLYPHS[letter]?.[0] ?? GAP / 2);
    return widths.reduce((sum, width) => sum + width + GAP, -GAP) / CAPITAL;
}

function pathOf(word) {
    const path = new Path2D();
    let left = 0;
    for (const letter of word) {
        const [width, strokes] = GLYPHS[letter] ?? [GAP / 2, ""];
        path.addPath(new Path2D(strokes), new DOMMatrix([1, 0, 0, 1, left, 0]));
        left += width + GAP;
    }
    return Object.assign(path, { word, across: (left - GAP) / CAPITAL });
}

/* Centered at a point, its capitals `height` pixels high, with a halo if that has a color. */
export function writeWord(context, word, x, y, height, ink, halo) {
    const path = pathOf(String(word));
    const scale = height / CAPITAL;
    const strokes = [
        [halo, HALO],
        [ink, STEM],
    ];
    context.save();
    context.translate(x - (wordWidth(word) * height) / 2, y - height / 2);
    context.scale(scale, scale);
    context.lineJoin = context.lineCap = "round";
    context.setLineDash([]);
    for (const [color, share] of halo ? strokes : strokes.slice(1)) {
        context.strokeStyle = color;
        context.lineWidth = share * CAPITAL;
        context.stroke(path);
    }
    context.restore();
}

/* Names of places on the screen, below each mark or above it, so that none lies over another or over
   a mark; what has no room is left out, but for what is `first`.
   places: [{ name, x, y, mark: radius, ink, first }]; others: boxes of what else is drawn */
export function writeNames(context, places, height, halo, others = []) {
    const taken = [...others, ...places.map(({ x, y, mark }) => ({ x, y, half: mark, up: mark }))];
    const overlaps = (a, b) =>
        Math.abs(a.x - b.x) < a.half + b.half && Math.abs(a.y - b.y) < a.up + b.up;
    for (const { name, x, y, mark, ink, first } of places) {
        const half = (wordWidth(name) * height) / 2 + height / 4;
        const away = mark + height;
        const spots = [away, -away].map((off) => ({ x, y: y + off, half, up: 0.6 * height }));
        const free = spots.find((one) => !taken.some((other) => overlaps(one, other)));
        const spot = free ?? (first ? spots[0] : null);
        if (!spot) continue;
        taken.push(spot);
        writeWord(context, name, spot.x, spot.y, height, ink, halo);
    }
}
