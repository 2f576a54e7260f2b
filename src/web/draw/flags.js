// flags.js: the flags at the start (plain) and the end (chequered), standing on a point of the
// screen.
import { LAND } from "./palette.js";

export function drawFlag(context, x, y, size, kind) {
    const top = y - size * 1.75;
    const wide = size * 0.95;
    const high = size * 0.62;
    context.lineCap = "round";
    context.lineWidth = Math.max(size * 0.1, 1.6);
    context.strokeStyle = LAND.pole;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x, top);
    context.stroke();
    context.lineWidth = Math.max(size * 0.04, 1);
    if (kind === "start") drawPennant(context, x, top, wide, high);
    else drawChequers(context, x, top, wide, high);
}

function drawPennant(context, x, top, wide, high) {
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x + wide, top + high / 2);
    context.lineTo(x, top + high);
    context.closePath();
    context.fillStyle = LAND.start;
    context.fill();
    context.stroke();
}

function drawChequers(context, x, top, wide, high) {
    context.fillStyle = "#ffffff";
    context.fillRect(x, top, wide, high);
    context.fillStyle = "#1b222b";
    for (let i = 0; i < 4; i++)
        for (let j = 0; j < 3; j++)
            if ((i + j) % 2 === 0)
                context.fillRect(x + (i * wide) / 4, top + (j * high) / 3, wide / 4, high / 3);
    context.strokeRect(x, top, wide, high);
}
