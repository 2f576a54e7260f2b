// test_looks.mjs: what the page shows is what is downloaded. The page's picture of the whole map is
// laid over the service's PNG of it, both made small, and they are compared pixel by pixel.
import assert, { deepEqual, equal } from "node:assert/strict";
import { after, test } from "node:test";
import { theme, word } from "../../src/web/draw/palette.js";
import { World } from "../../src/web/draw/world.js";
import * as kits from "./kit.mjs";
import { boxOfStars, fitted, frames, open } from "./kit.mjs";

const kit = await open();
after(() => kit.close());

/* Shows one address after the other on a stage: show(path) promises the answer's result. */
async function stage(t, dark) {
    const page = await kits.staged(kit, t, null, { dark });
    const show = async (path, options) => {
        await page.show(path, options);
        await frames(page);
        return page.evaluate(() => globalThis.stage.answer.result);
    };
    return { page, show };
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

/* Where the sheet of a drawing lies on the screen. */
function sheetOf(box, { width, height }, options) {
    const { scale, at } = fitted(box, options);
    const [x, y] = at(0, 0);
    return { x, y, width: width * scale, height: height * scale };
}

function cellsSheet({ width, height, grid }) {
    const rise = grid === "hex" ? Math.sqrt(3) / 2 : 1;
    const x1 = width + (grid === "hex" ? 0.5 : 0);
    const y1 = height * rise + (grid === "hex" ? rise / 3 : 0);
    return sheetOf({ x1, y1 }, { width: x1, height: y1 });
}

const starsSheet = (result) => sheetOf(boxOfStars(result), result, { closest: Infinity });

function boardSheet({ grid }) {
    const [x1, y1] = [grid[0].length, grid.length];
    return sheetOf({ x1, y1 }, { width: x1, height: y1 }, { closest: 110, top: 54 });
}

/* Half of it is land. */
const MASK = Array.from({ length: 18 }, (_, y) => "%23".repeat(3 + y) + ".".repeat(21 - y)).join(
    "/",
);

/* Beyond what letters of another font and rims of half a pixel are apart. */
const EACH = [
    ["/regions?seed=1", cellsSheet, 3],
    ["/regions?seed=2&grid=square&width=24&height=18&count=5", cellsSheet, 2],
    ["/regions?seed=4&width=300&height=200&count=60", cellsSheet, 10],
    ["/areas?seed=3&algorithm=dfs-backtrack&width=20&height=14&area=80", cellsSheet, 4],
    [`/areas?seed=1&area=90&mask=${MASK}`, cellsSheet, 5],
    ["/starlanes?seed=3&graphs=true", starsSheet, 5],
    ["/starlanes?seed=4&stars=300&graphs=true", starsSheet, 7],
    ["/puzzle/generate?seed=3", boardSheet, 4],
    ["/puzzle/solve?grid=Z..B/..../Z..B", boardSheet, 6], // in the colors of paths, not of letters
];

/* One of each view does for a palette. */
const ONE_OF_EACH = EACH.filter((_, i) => [0, 3, 5, 7].includes(i));

for (const [dark, palette, each] of [
    [false, "default", EACH],
    [true, "default", EACH],
    [true, "colorblind", ONE_OF_EACH],
    [true, "print", ONE_OF_EACH],
])
    test(`maps look alike, ${dark ? "dark" : "light"}, palette ${palette}`, async (t) => {
        const { page, show } = await stage(t, dark);
        for (const [path, sheetOf, most] of each) {
            const result = await show(path, { palette });
            const [route, query] = path.split("?");
            const look = `margin=0&theme=${dark ? "dark" : "light"}&palette=${palette}`;
            const url = `${kit.base}${route}.png?${query}&${look}`;
            const gap = await apart(page, url, sheetOf(result));
            assert(gap < most, `${path} is ${gap} apart`);
        }
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
        await show("/islands?seed=5", { palette });
        const look = `theme=${dark ? "dark" : "light"}&palette=${palette}`;
        const { tops } = theme(dark, palette).land;
        /* Which island has which tint differs: the tops of a layer count together. */
        const merged = (shares) => {
            const all = new Map();
            for (const [color, share] of shares) {
                const layer = tops.flatMap((tint) =>
                    tint.findIndex((pair) => pair.some((one) => word(one) === color)),
                );
                const key = Math.max(...layer) < 0 ? color : `top ${Math.max(...layer)}`;
                all.set(key, (all.get(key) ?? 0) + share);
            }
            return all;
        };
        const url = `${kit.base}/islands.png?seed=5&scale=40&${look}`;
        const theirs = [...merged(await sharesOf(page, url))];
        const ours = merged(await sharesOf(page, ""));
        const most = theirs.sort(([, a], [, b]) => b - a).slice(0, 12);
        /* A drawing shows mixtures of near colours, as at edges, in one of them. */
        for (const [key, share] of most)
            assert(
                Math.abs(share - (ours.get(key) ?? 0)) < 0.02 + share / 3,
                `${key}: ${share} of a drawing, ${ours.get(key)} of the page`,
            );
    }
});

test("a world has as many trees on the page as in drawings", async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
        const address = `${kit.base}/islands?width=60&height=40&seed=${seed}`;
        const { result } = await (await fetch(address)).json();
        const cells = Int32Array.from(result.cells.flat());
        const heights = Int32Array.from(result.heights.flat());
        const { trees } = new World({ ...result, cells, heights });
        const drawing = await (await fetch(address.replace("?", ".svg?"))).text();
        const trunks = drawing.match(/[Mm][\d -]*v-3/g);
        assert(trunks.length > 5);
        equal(
            trees.reduce((sum, one) => sum + one),
            trunks.length,
        );
    }
});

test("countries on islands are the lighter the higher, on the page and in drawings", async (t) => {
    const query = `mask=${encodeURIComponent("/islands?seed=2&layers=4")}&seed=3&count=20&grid=square`;
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
