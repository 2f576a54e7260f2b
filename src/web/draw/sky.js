// sky.js: the sky behind a world, from light to light.
export function paintSky(context, { width, height }, { sky }) {
    const air = context.createLinearGradient(0, 0, 0, height);
    sky.forEach((colour, i) => air.addColorStop(i / (sky.length - 1), colour));
    context.fillStyle = air;
    context.fillRect(0, 0, width, height);
}
