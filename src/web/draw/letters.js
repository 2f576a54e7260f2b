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

/* Centred at a point, its capitals `height` pixels high, with a halo if that has a colour. */
export function writeWord(context, word, x, y, height, ink, halo) {
    const path = pathOf(String(word));
    const scale = height / CAPITAL;
    context.save();
    context.translate(x - (wordWidth(word) * height) / 2, y - height / 2);
    context.scale(scale, scale);
    context.lineJoin = context.lineCap = "round";
    context.setLineDash([]);
    for (const [colour, share] of halo
        ? [
              [halo, HALO],
              [ink, STEM],
          ]
        : [[ink, STEM]]) {
        context.strokeStyle = colour;
        context.lineWidth = share * CAPITAL;
        context.stroke(path);
    }
    context.restore();
}
