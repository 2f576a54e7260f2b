// test_looks.mjs: what the page shows is what is downloaded. The page's picture of the whole map is
// laid over the service's PNG of it, both made small, and they are compared pixel by pixel.
import assert from "node:assert";
import { after, test } from "node:test";
import { theme, word } from "../../src/web/draw/palette.js";
import { open } from "./kit.mjs";

const kit = await open();
after(() => kit.close());

const VIEW = { width: 900, height: 600 };

/* Shows one address after the other on a stage: show(path) promises the answer's result. */
async function stage(t, dark) {
    const page = await kit.page(t, { still: true, dark, ...VIEW });
    await page.goto(kit.stage);
    await page.waitForFunction(() => globalThis.stage);
    const show = (url, options) =>
        page.evaluate(
            async (asked) => {
                await globalThis.stage.address(...asked);
                await new Promise((done) =>
                    requestAnimationFrame(() => requestAnimationFrame(done)),
                );
                return globalThis.stage.answer.result;
            },
            [url, options],
        );
    return { page, show };
}

/* Where a box of the plane is on the screen when it is fitted: 20 pixels left and right, 62 below. */
function fitted({ x0 = 0, y0 = 0, x1, y1 }, { closest = 90, top = 20 } = {}) {
    const [wide, high] = [VIEW.width - 40, VIEW.height - top - 62];
    const scale = Math.min(wide / (x1 - x0), high / (y1 - y0), closest);
    return {
        x: 20 + (wide - scale * (x1 - x0)) / 2 - x0 * scale,
        y: top + (high - scale * (y1 - y0)) / 2 - y0 * scale,
        scale,
    };
}

/* How far the page's canvas, where it shows the sheet, and a PNG are apart: the mean, in 255ths, of
   squares of four by four pixels. */
function apart(page, url, sheet) {
    return page.evaluate(
        async ([address, { x, y, width, height }]) => {
            const [across, down] = [width, height].map((side) => Math.round(side / 4));
            const small = (picture, ...from) => {
                const pen = new OffscreenCanvas(across, down).getContext("2d");
                pen.imageSmoothingQuality = "high";
                pen.drawImage(picture, ...from, 0, 0, across, down);
                return pen.getImageData(0, 0, across, down).data;
            };
            const drawing = await createImageBitmap(await (await fetch(address)).blob());
            const canvas = document.querySelector("canvas");
            const ours = small(canvas, x, y, width, height);
            const theirs = small(drawing, 0, 0, drawing.width, drawing.height);
            const gaps = Array.from({ length: across * down }, (_, i) =>
                Math.max(...[0, 1, 2].map((k) => Math.abs(ours[4 * i + k] - theirs[4 * i + k]))),
            );
            return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
        },
        [url, sheet],
    );
}

function cellsSheet({ width, height, grid }) {
    const rise = grid === "hex" ? Math.sqrt(3) / 2 : 1;
    const box = {
        x1: width + (grid === "hex" ? 0.5 : 0),
        y1: height * rise + (grid === "hex" ? rise / 3 : 0),
    };
    const { x, y, scale } = fitted(box);
    return { x, y, width: box.x1 * scale, height: box.y1 * scale };
}

function starsSheet({ stars, width, height }) {
    const [xs, ys] = ["x", "y"].map((k) => stars.map((star) => star[k]));
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const rim = Math.max(x1 - x0, y1 - y0) * 0.03;
    const { x, y, scale } = fitted(
        { x0: x0 - rim, x1: x1 + rim, y0: y0 - rim, y1: y1 + rim },
        { closest: Infinity },
    );
    return { x, y, width: width * scale, height: height * scale };
}

function boardSheet({ grid }) {
    const [x1, y1] = [grid[0].length, grid.length];
    const { x, y, scale } = fitted({ x1, y1 }, { closest: 110, top: 54 });
    return { x, y, width: x1 * scale, height: y1 * scale };
}

/* Beyond what letters of another font and rims of half a pixel are apart. */
const EACH = [
    ["/regions?seed=1", cellsSheet, 3],
    ["/regions?seed=2&grid=square&width=24&height=18&count=5", cellsSheet, 2],
    ["/regions?seed=4&width=300&height=200&count=60", cellsSheet, 10],
    ["/areas?seed=3&algorithm=dfs-backtrack&width=20&height=14&area=80", cellsSheet, 4],
    ["/starlanes?seed=3", starsSheet, 5],
    ["/starlanes?seed=4&stars=300&graphs=true", starsSheet, 7],
    ["/puzzle/generate?seed=3", boardSheet, 4],
    ["/puzzle/solve?grid=A..B/..../A..B", boardSheet, 6],
];

/* One of each view does for a palette. */
const ONE_OF_EACH = EACH.filter((_, i) => [0, 3, 4, 6].includes(i));

for (const [dark, palette, each] of [
    [false, "default", EACH],
    [true, "default", EACH],
    [true, "colorblind", ONE_OF_EACH],
    [true, "print", ONE_OF_EACH],
])
    test(`maps look alike, ${dark ? "dark" : "light"}, palette ${palette}`, async (t) => {
        const { page, show } = await stage(t, dark);
        for (const [path, sheetOf, most] of each) {
            const result = await show(kit.base + path, { palette });
            const [route, query] = path.split("?");
            const look = `margin=0&theme=${dark ? "dark" : "light"}&palette=${palette}`;
            const url = `${kit.base}${route}.png?${query}&${look}`;
            const gap = await apart(page, url, sheetOf(result));
            assert(gap < most, `${path} is ${gap} apart`);
        }
    });

/* The strokes of a colour in a drawing, from [x, y] to [x, y] each, of its last figure. */
function strokesIn(drawing, colour) {
    const figures = new RegExp(`stroke="${colour}"[^>]*>\\n<path[^>]* d="([^"]*)"`, "g");
    const path = [...drawing.matchAll(figures)].at(-1)[1];
    const strokes = [];
    let [at, command, moves] = [[0, 0], "", false];
    const words = path.match(/[a-z]|-?\d+/g);
    for (let i = 0; i < words.length; ) {
        if (/[a-z]/.test(words[i])) [command, moves] = [words[i], words[i++] === "m"];
        const by = [
            command === "v" ? 0 : Number(words[i++]),
            command === "h" ? 0 : Number(words[i++]),
        ];
        const to = at.map((v, k) => v + by[k]);
        if (!moves) strokes.push([at, to]);
        [at, moves] = [to, false];
    }
    return strokes;
}

test("the star at the centre has four strokes around it, and what lanes were spared is faint", async () => {
    const query = "stars=60&seed=5&graphs=true";
    const { result } = await (await fetch(`${kit.base}/starlanes?${query}`)).json();
    const drawing = await (await fetch(`${kit.base}/starlanes.svg?${query}`)).text();
    const centre = result.stars[result.center];
    const sides = strokesIn(drawing, theme(false).space.spine).map(([from, to]) => {
        const middle = [0, 1].map((k) => (from[k] + to[k]) / 2 - [centre.x, centre.y][k]);
        assert(Math.hypot(...middle) < 30, `${from} to ${to} is near the star`);
        return middle.map(Math.sign).join();
    });
    assert.deepStrictEqual(sides.sort(), ["-1,0", "0,-1", "0,1", "1,0"]);
    const key = (ends) =>
        ends
            .map((end) => end.join())
            .sort()
            .join(" ");
    const lane = (ends) => key(ends.map((i) => [result.stars[i].x, result.stars[i].y]));
    const kept = new Set(result.lanes.map(lane));
    assert.deepStrictEqual(
        strokesIn(drawing, theme(false).space.spare).map(key).sort(),
        result.maximum
            .map(lane)
            .filter((spare) => !kept.has(spare))
            .sort(),
    );
});

/* Shares of the colours of a picture that are not in its first column: of all that is no sky. */
const sharesOf = (page, source) =>
    page.evaluate(async (address) => {
        const picture = address
            ? await createImageBitmap(await (await fetch(address)).blob())
            : document.querySelector("canvas");
        const { width, height } = picture;
        const pen = new OffscreenCanvas(width, height).getContext("2d");
        pen.drawImage(picture, 0, 0);
        const words = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer);
        const sky = new Set(Array.from({ length: height }, (_, y) => words[y * width]));
        const counts = new Map();
        for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
        const solid = [...counts].filter(([word]) => !sky.has(word));
        const all = solid.reduce((sum, [, count]) => sum + count, 0);
        return solid.map(([word, count]) => [word, count / all]);
    }, source);

test("a world is made of the same colours, as much of each, and seen from the same side", async (t) => {
    for (const [dark, palette] of [
        [false, "default"],
        [true, "default"],
        [true, "print"],
    ]) {
        const { page, show } = await stage(t, dark);
        await show(`${kit.base}/islands?seed=5`, { palette });
        const look = `theme=${dark ? "dark" : "light"}&palette=${palette}`;
        const theirs = await sharesOf(page, `${kit.base}/islands.png?seed=5&scale=40&${look}`);
        const ours = new Map(await sharesOf(page, ""));
        const most = theirs.sort(([, a], [, b]) => b - a).slice(0, 12);
        for (const [word, share] of most)
            assert(
                Math.abs(share - (ours.get(word) ?? 0)) < 0.02 + share / 4,
                `${(word & 0xffffff).toString(16)} (bgr): ${share} of a drawing, ${ours.get(word)} of the page`,
            );
    }
});

test("islands that lanes lie on are land with heights, on the page and in a drawing", async () => {
    const url = `${kit.base}/starlanes.svg?positions=%2Fislands%3Fseed%3D5&seed=5`;
    const drawing = await (await fetch(url)).text();
    for (const colour of [
        theme(false).land.layers[0][0],
        theme(false).land.layers[1][0],
        theme(false).land.deck[0],
    ])
        assert(drawing.includes(`fill="${colour}"`), colour);
    for (const colour of theme(false).countries) assert(!drawing.includes(`"${colour}"`), colour);
});

test("countries on islands are the lighter the higher, on the page and in drawings", async (t) => {
    const query = `mask=${encodeURIComponent("/islands?seed=5&layers=4")}&seed=3&count=20&grid=square`;
    const [path, home] = [`${kit.base}/regions`, `${kit.base}/?generator=regions&${query}`];
    for (const dark of [false, true]) {
        const page = await kit.page(t, { still: true, dark, width: 1280, height: 800 });
        await page.goto(home);
        await page.waitForFunction(
            () => document.querySelector("#facts dd") && document.querySelector("#host canvas"),
        );
        const look = `margin=0&scale=24&theme=${dark ? "dark" : "light"}`;
        const shares = new Map(await sharesOf(page, `${path}.png?${query}&${look}`));
        const ours = new Map(await sharesOf(page, ""));
        const tops = theme(dark)
            .reliefs.flatMap((layers) => layers.slice(0, 4))
            .map(word);
        const seen = tops.filter((top) => shares.get(top) > 0.005);
        const all = (of) => seen.reduce((sum, top) => sum + (of.get(top) ?? 0), 0);
        assert(seen.length > 15, `${seen.length} colours of land`);
        for (const top of seen) {
            const [theirs, mine] = [shares, ours].map((of) => (of.get(top) ?? 0) / all(of));
            assert(Math.abs(theirs - mine) < 0.01, `${theirs} of a drawing, ${mine} of the page`);
        }
    }
    const ground = await (await fetch(`${kit.base}/islands?seed=5&layers=4`)).json();
    const highest = Math.max(...ground.result.heights.flat());
    const drawing = await (await fetch(`${path}.svg?${query}`)).text();
    const flat = await (await fetch(`${path}.svg?${query}&under=false`)).text();
    assert.strictEqual(drawing.match(/ fill-opacity="/g).length, highest - 1, "a figure each");
    assert(drawing.length < flat.length * 1.6, `${flat.length} and ${drawing.length}`);
});

test("the sky has no bands that are seen, however large it is drawn", async (t) => {
    const { page } = await stage(t, false);
    const url = `${kit.base}/islands.png?seed=5&width=12&height=12&islands=2,3&scale=48`;
    const steps = await page.evaluate(async (address) => {
        const drawing = await createImageBitmap(await (await fetch(address)).blob());
        const pen = new OffscreenCanvas(1, drawing.height).getContext("2d");
        pen.drawImage(drawing, 0, 0);
        const { data } = pen.getImageData(0, 0, 1, drawing.height);
        return data.slice(4).map((v, i) => Math.abs(v - data[i]));
    }, url);
    assert(Math.max(...Object.values(steps)) <= 2, `${Math.max(...Object.values(steps))}`);
});
