// clouds.js: the sky behind a world: it stays where it is while the world turns, so it is painted
// once for each size.
import { fade, noise } from "./palette.js";

function paintCloud(context, x, y, size, colour, seed) {
    for (let k = 0; k < 5; k++) {
        const radius = size * (0.55 + 0.5 * noise(seed * 17 + k));
        const mist = context.createRadialGradient(0, 0, 0, 0, 0, radius);
        mist.addColorStop(0, fade(colour, 0.2));
        mist.addColorStop(1, fade(colour, 0));
        context.save();
        context.translate(x + (k - 2) * size * 0.75, y + (noise(seed * 31 + k) - 0.5) * size * 0.3);
        context.scale(1, 0.42);
        context.fillStyle = mist;
        context.fillRect(-radius, -radius, 2 * radius, 2 * radius);
        context.restore();
    }
}

function paintSky(context, width, height, { sky, cloud }) {
    const air = context.createLinearGradient(0, 0, 0, height);
    sky.forEach((colour, i) => air.addColorStop(i / (sky.length - 1), colour));
    context.fillStyle = air;
    context.fillRect(0, 0, width, height);
    for (let i = 0; i < 9; i++) {
        const [x, y] = [noise(i * 5 + 1) * width, (0.12 + 0.88 * noise(i * 5 + 2)) * height];
        paintCloud(context, x, y, 40 + 70 * noise(i * 5 + 3), cloud, i);
    }
}

export class Sky {
    draw(context, { width, height, ratio }, colours) {
        const wanted = [width, height, ratio, ...colours.sky].join();
        if (this.painted !== wanted) {
            this.painted = wanted;
            this.sheet = document.createElement("canvas");
            this.sheet.width = Math.ceil(width * ratio);
            this.sheet.height = Math.ceil(height * ratio);
            const pen = this.sheet.getContext("2d", { alpha: false });
            pen.scale(ratio, ratio);
            paintSky(pen, width, height, colours);
        }
        context.drawImage(this.sheet, 0, 0, this.sheet.width / ratio, this.sheet.height / ratio);
    }
}
