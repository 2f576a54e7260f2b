// flags.js: the flags at the start and at the end, standing on a point of the screen, as in
// src/enc/picture/scene/isles.c.
import { writeWord } from "./letters.js";
import { UNIT } from "./world.js";

/* How high their letters are, in pixels. */
export function flagLetter({ width, height }, camera) {
    const units = Math.max(Math.floor(((width + height) * 8) / 100), 7);
    return Math.max(units * UNIT * camera.pen, 6);
}

/* It flies to the right, but to the left where the screen would cut it off. Returns the box that it
   takes: its middle, and half of its sides. */
export function drawFlag(context, camera, [x, y], letter, word, colors) {
    const top = y - 5 * letter;
    const wide = (word.length * letter * 3) / 4 + 3 * letter;
    const cut = x <= camera.width && x + wide > camera.width && x - wide >= 0;
    const along = (way) => (cut ? x - way : x + way);
    context.lineCap = "round";
    context.lineWidth = letter / 5;
    context.strokeStyle = colors.mark;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x, top);
    context.stroke();
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(along(wide), top);
    context.lineTo(along(wide - letter), top + letter);
    context.lineTo(along(wide), top + 2 * letter);
    context.lineTo(x, top + 2 * letter);
    context.fillStyle = colors.land.flags[word];
    context.fill();
    writeWord(context, word, along((wide - letter) / 2), top + letter, letter, "#ffffff");
    return { x: along(wide / 2), y: top + letter, half: wide / 2, up: letter };
}
