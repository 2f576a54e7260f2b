// test_views.mjs: each view in a real browser, on a stage of its own.
import assert from "node:assert";
import { after, test } from "node:test";
import { findBackbone } from "../../src/web/ask/backbone.js";
import { FEET } from "../../src/web/draw/decor.js";
import { inkOn, noise, starKind, theme } from "../../src/web/draw/palette.js";
import { World } from "../../src/web/draw/world.js";
import { look, open, require, shot } from "./kit.mjs";

const kit = await open();
after(() => kit.close());

const EACH = {
    regions: "/regions?seed=1",
    areas: "/areas?seed=4&width=60&height=40&count=3&area=420&algorithm=mixed",
    islands: "/islands?seed=1",
    starlanes: "/starlanes?seed=3&stars=120&graphs=true",
    generate: "/puzzle/generate?seed=3",
    solve: "/puzzle/solve?grid=A..B/..../A..B",
};

async function staged(t, path, options) {
    const page = await kit.page(t, { still: true, width: 900, height: 600, ...options });
    await page.goto(kit.stage);
    await page.waitForFunction(() => globalThis.stage);
    await page.evaluate((url) => globalThis.stage.address(url), kit.base + path);
    return page;
}

/* What is seen when nothing moves any more. */
async function settled(page) {
    await page.locator(".mw-view:not([data-moving])").waitFor();
    await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    return look(page);
}

const answerOf = (page) => page.evaluate(() => globalThis.stage.answer);
const describe = (page) => page.evaluate(() => globalThis.stage.view.describe());
const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

/* Where a place of a map is on the screen as it is fitted: 20 pixels left, right and above, 62
   below. */
function fitted({ width, height, top = 20 }, view = { width: 900, height: 600 }, closest = 90) {
    const scale = Math.min((view.width - 40) / width, (view.height - top - 62) / height, closest);
    const left = (view.width - scale * width) / 2;
    const upper = top + (view.height - top - 62 - scale * height) / 2;
    return { scale, at: (x, y) => [left + x * scale, upper + y * scale] };
}

function hexMiddle(x, y) {
    const rise = Math.sqrt(3) / 2;
    return [x + (y & 1) / 2 + 0.5, y * rise + (rise * 2) / 3];
}

/* How much light a colour gives, as WCAG defines it. */
function luminance(hex) {
    const parts = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
    const linear = parts.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

function contrast(a, b) {
    const [less, more] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (more + 0.05) / (less + 0.05);
}

test("letters are read on every track, by night and in each palette", () => {
    for (const dark of [false, true])
        for (const palette of ["default", "colorblind", "print"])
            for (let n = 0; n < 62; n++) {
                const colour = theme(dark, palette).tracks[n];
                const seen = contrast(colour, inkOn(colour));
                assert(seen >= 4.3, `${palette}, ${dark}, track ${n}, ${colour}: ${seen}`);
            }
});

// ---- what is downloaded ----

/* Stars of a drawing by number: the colour and width of their discs. */
function starsIn(drawing) {
    const discs = drawing.matchAll(
        /<circle id="star-(\d+)" class="star" fill="([^"]*)" cx="\d+" cy="\d+" r="([\d.]+)"/g,
    );
    return new Map(
        [...discs].map(([, id, colour, radius]) => [
            Number(id),
            { colour, width: 2 * Number(radius) },
        ]),
    );
}

test("a star has the same colour on the page and in a drawing", async () => {
    const drawing = await (await fetch(`${kit.base}/starlanes.svg?stars=300&seed=2`)).text();
    const stars = starsIn(drawing);
    assert(stars.size > 290, `${stars.size} stars`);
    for (const [i, { colour, width }] of stars) {
        const { kind, size } = starKind(i);
        if (colour === theme(false).space.gold) continue;
        assert.strictEqual(colour, theme(false).space.stars[kind], `star ${i}`);
        const least = Math.min(...[...stars.values()].map((star) => star.width));
        assert(Math.abs(width / least - size / 0.9) < 0.1, `star ${i} is ${width} wide`);
    }
});

/* Where ways begin, of a path of relative steps. */
function beginnings(path) {
    const found = [];
    let [x, y, command] = [0, 0, ""];
    const numbers = path.match(/[a-z]|-?\d+/g);
    for (let i = 0; i < numbers.length; ) {
        if (/[a-z]/.test(numbers[i])) command = numbers[i++];
        if (command !== "v") x += Number(numbers[i++]);
        if (command !== "h") y += Number(numbers[i++]);
        if (command === "m") found.push([x, y]);
    }
    return found;
}

test("trees stand where they stand in a drawing", async () => {
    for (const query of ["seed=5", "seed=9&width=40&height=30&layers=6&size=40,90&islands=4,9"]) {
        const ask = async (form) => fetch(`${kit.base}/islands.${form}?${query}`);
        const { result } = await (await ask("json")).json();
        const drawing = await (await ask("svg")).text();
        const groups = [
            ...drawing.matchAll(/stroke="#6f4d2f"[^>]*>\n<path fill="none" d="([^"]*)"/g),
        ];
        const drawn = groups.flatMap(([, path]) => beginnings(path));
        const world = new World(result);
        const rows = Array.from(world.trees, (is, i) => (is ? [i % world.width, i] : null));
        const grown = rows.filter(Boolean).map(([x, i]) => {
            const foot = FEET[Math.floor(noise(i + 3) * FEET.length)];
            const [east, south] = [x + foot[0], Math.floor(i / world.width) + foot[1]];
            return [8 * (east - south), 4 * (east + south) - 6 * world.heights[i]];
        });
        assert(grown.length > 9, `${grown.length} trees`);
        const [ours, theirs] = [grown, drawn].map((feet) => {
            const [left, top] = [0, 1].map((k) => Math.min(...feet.map((foot) => foot[k])));
            return feet.map(([x, y]) => `${x - left} ${y - top}`).sort();
        });
        assert.deepStrictEqual(ours, theirs);
    }
});

// ---- every view ----

for (const [name, path] of Object.entries(EACH))
    for (const dark of [false, true])
        test(`${name} is drawn, ${dark ? "dark" : "light"}, the same each time`, async (t) => {
            const page = await staged(t, path, { dark });
            const seen = await settled(page);
            assert.deepStrictEqual([seen.width, seen.height], [900, 600]);
            assert(seen.colours > 12, `${seen.colours} colours`);
            const again = await staged(t, path, { dark });
            assert.strictEqual((await settled(again)).hash, seen.hash);
            await shot(page, `view-${name}-${dark ? "dark" : "light"}`);
        });

test("dark is not light", async (t) => {
    const [light, dark] = [
        await staged(t, EACH.regions),
        await staged(t, EACH.regions, { dark: true }),
    ];
    assert.notStrictEqual((await settled(light)).hash, (await settled(dark)).hash);
});

test("device pixels are used, also when there are suddenly more", async (t) => {
    const page = await staged(t, EACH.regions, { scale: 2 });
    assert.deepStrictEqual([(await settled(page)).width, (await look(page)).height], [1800, 1200]);
    const session = await page.context().newCDPSession(page);
    const screen = { width: 901, height: 600, deviceScaleFactor: 3, mobile: false };
    await session.send("Emulation.setDeviceMetricsOverride", screen);
    await page.waitForFunction(() => document.querySelector("canvas").width === 2703);
    assert.strictEqual((await settled(page)).height, 1800);
});

test("axe finds nothing to say against the frame", async (t) => {
    for (const path of Object.values(EACH)) {
        const page = await staged(t, path);
        await page.evaluate(require("axe-core").source);
        const { violations } = await page.evaluate(() => globalThis.axe.run());
        assert.deepStrictEqual(
            violations.map((v) => `${v.id}: ${v.help}`),
            [],
            path,
        );
    }
});

test("what is not known is refused", async (t) => {
    const page = await staged(t, EACH.regions);
    const said = await page.evaluate(() => {
        try {
            return globalThis.stage.show({ generator: "null", parameters: {}, result: {} });
        } catch (error) {
            return String(error);
        }
    });
    assert.match(said, /no view draws what null makes/);
    await assert.rejects(
        page.evaluate((url) => globalThis.stage.address(url), `${kit.base}/version`),
        /no view draws what this makes/,
    );
});

test("a view that is ended leaves nothing behind", async (t) => {
    const page = await staged(t, EACH.islands);
    await page.evaluate(() => globalThis.stage.view.destroy());
    assert.strictEqual(await page.locator("#host").innerHTML(), "");
});

// ---- countries and areas ----

const COUNTRIES = [
    "#a4d195",
    "#eab169",
    "#fdefa6",
    "#d78386",
    "#78c4b3",
    "#b08bc0",
    "#dfeecc",
    "#e5c8f9",
    "#87985b",
];

test("countries have the colours that their drawing as SVG has", async (t) => {
    const page = await staged(t, EACH.regions);
    const seen = await settled(page);
    const { result } = await answerOf(page);
    const svg = await (
        await fetch(`${kit.base}${EACH.regions.replace("regions", "regions.svg")}`)
    ).text();
    const fills = [...svg.matchAll(/<path[^>]* fill="(#[0-9a-f]{6})"/g)].map((m) => m[1]);
    const place = fitted({ width: 40.5, height: (30 * Math.sqrt(3)) / 2 + Math.sqrt(3) / 6 });
    for (const region of result.regions) {
        const [x, y] = result.cells
            .flatMap((row, j) => row.flatMap((id, i) => (id === region.id ? [[i, j]] : [])))
            .find(
                ([i, j]) =>
                    Math.abs(i - region.capital[0]) > 2 || Math.abs(j - region.capital[1]) > 3,
            );
        assert.strictEqual(
            seen.at(...place.at(...hexMiddle(x, y))),
            fills[region.id - 1],
            `country ${region.id} at ${x}, ${y}`,
        );
    }
});

test("neighbours have different colours of the palette", async (t) => {
    const page = await staged(t, "/areas?seed=6&width=30&height=20&count=28&area=20&edge=open");
    const seen = await settled(page);
    const { result } = await answerOf(page);
    const place = fitted({ width: 30, height: 20 });
    // Numbers lie over cells: what most of a cell has.
    const most = (colours) => {
        const times = (colour) => colours.filter((other) => other === colour).length;
        return colours.reduce((a, b) => (times(b) > times(a) ? b : a), colours[0]);
    };
    const shares = [0.2, 0.35, 0.5, 0.65, 0.8];
    const colour = (x, y) =>
        most(
            shares
                .flatMap((i) => shares.map((j) => seen.at(...place.at(x + i, y + j))))
                .filter((one) => COUNTRIES.includes(one)), // not letters and their halo
        );
    let borders = 0;
    for (let y = 0; y < 20; y++)
        for (let x = 0; x < 29; x++) {
            const [a, b] = [result.cells[y][x], result.cells[y][x + 1]];
            // Marks lie over cells, too.
            if (
                result.areas.some(
                    ({ origin: [i, j] }) => Math.abs(i - x) < 2 && Math.abs(j - y) < 2,
                )
            )
                continue;
            if (!a || !b || a === b || !colour(x, y) || !colour(x + 1, y)) continue; // or a name
            borders++;
            assert.notStrictEqual(
                colour(x, y),
                colour(x + 1, y),
                `areas ${a} and ${b} at ${x}, ${y}`,
            );
        }
    assert(borders > 10);
});

test("the number of an area whose origin lies at the rim is on its land", async (t) => {
    const page = await staged(t, "/areas?width=20&height=2&area=40&seed=1");
    const seen = await settled(page);
    const [{ origin }] = (await answerOf(page)).result.areas;
    assert.strictEqual(origin[1], 0);
    const { at, scale } = fitted({ width: 20, height: 2 });
    const inks = (y0, y1) => {
        const found = new Set();
        for (let y = y0; y < y1; y += 1 / scale)
            for (let x = 0; x < 1; x += 1 / scale) found.add(seen.at(...at(origin[0] + x, y)));
        return found.size;
    };
    assert.strictEqual(inks(-0.4, -0.1), 1, "above it is nothing");
    assert(inks(0.8, 1.1) > 3, "below the mark is the number");
});

/* What canvases are told to draw from here on: words and discs, with their places in CSS pixels. */
const overhear = (page) =>
    page.evaluate(() => {
        const { stroke, arc } = CanvasRenderingContext2D.prototype;
        Object.assign(globalThis, { words: [], discs: [] });
        Object.assign(CanvasRenderingContext2D.prototype, {
            stroke(path) {
                const { a, e, f } = this.getTransform();
                const high = (16 * a) / devicePixelRatio;
                if (path?.word && this.lineWidth < 3) {
                    const half = (high * path.across) / 2;
                    const [left, top] = [e / devicePixelRatio, f / devicePixelRatio];
                    words.push({ word: path.word, half, x: left + half, y: top + high, high });
                }
                stroke.apply(this, arguments);
            },
            arc(x, y, radius) {
                discs.push({ x, y, radius });
                arc.apply(this, arguments);
            },
        });
        stage.view.redraw();
    });

for (const [what, path] of Object.entries({
    "a large map on a small screen": "/regions?width=2500&height=2000&seed=9",
    "many countries": "/regions?grid=square&count=30&seed=9",
    "countries of many sizes": "/regions?width=80&height=60&count=60&variation=1&seed=9",
    "few cells": "/regions?width=10&height=5&count=3&seed=7",
}))
    test(`numbers do not touch marks: ${what}`, async (t) => {
        const page = await staged(t, path, { width: 390, height: 390 });
        await settled(page);
        await overhear(page);
        await settled(page);
        const { words, discs } = await page.evaluate(() => ({ words, discs }));
        assert(words.length > 1 && discs.length >= words.length);
        for (const { word, half, x, y, high } of words) {
            assert(high > 5.9, `${word} is ${high} pixels high`);
            for (const disc of discs) {
                const across = Math.max(Math.abs(disc.x - x) - half, 0);
                const down = Math.max(disc.y - y, y - high - disc.y, 0);
                const far = Math.hypot(across, down) - 1.15 * disc.radius;
                assert(far > 0.5, `${word} is ${far} pixels from the mark`);
            }
        }
    });

test("what is no land is water, and what is free is ground", async (t) => {
    const rows = ["####....", "########", "########", "....####"];
    const mask = rows.join("/").replaceAll("#", "%23");
    const page = await staged(t, `/areas?seed=1&width=8&height=4&area=4&mask=${mask}`);
    const seen = await settled(page);
    const { result } = await answerOf(page);
    const place = fitted({ width: 8, height: 4 });
    const wanted = { "#": "#f6f3ec", ".": "#bfd9e8" };
    rows.forEach((row, y) =>
        [...row].forEach((sign, x) => {
            if (!result.cells[y][x])
                assert.strictEqual(
                    seen.at(...place.at(x + 0.3, y + 0.3)),
                    wanted[sign],
                    `${x}, ${y}`,
                );
        }),
    );
});

test("the wheel zooms about the pointer, dragging moves, and the button fits again", async (t) => {
    const page = await staged(t, EACH.regions);
    const whole = await settled(page);
    await page.mouse.move(300, 200);
    await page.mouse.wheel(0, -500);
    const near = await settled(page);
    assert.notStrictEqual(near.hash, whole.hash);
    await page.mouse.down();
    await page.mouse.move(400, 260, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(899, 599);
    const aside = await settled(page);
    assert.notStrictEqual(aside.hash, near.hash);
    await press(page, "Whole map");
    await page.mouse.move(899, 1);
    assert.strictEqual((await settled(page)).hash, whole.hash);
});

test("what was under the pointer stays under it", async (t) => {
    const page = await staged(t, EACH.regions);
    await page.mouse.move(300, 200);
    const before = await page.locator(".mw-tip").textContent();
    await page.mouse.wheel(0, -1200);
    await settled(page);
    await page.mouse.move(301, 200);
    assert.strictEqual(await page.locator(".mw-tip").textContent(), before);
    assert.match(
        before,
        /^Country \d+: 200 cells\ncapital at \d+, \d+\n\d neighbours?, border \d+\ncell \d+, \d+$/,
    );
});

test("keys and double clicks move the map", async (t) => {
    const page = await staged(t, EACH.regions);
    const hashes = new Set([(await settled(page)).hash]);
    await page.locator("canvas").focus();
    for (const key of [
        "+",
        "Shift+ArrowLeft",
        "Shift+ArrowUp",
        "-",
        "-",
        "Shift+ArrowRight",
        "Shift+ArrowDown",
    ]) {
        await page.keyboard.press(key);
        hashes.add((await settled(page)).hash);
    }
    assert.strictEqual(hashes.size, 8);
    await page.keyboard.press("0");
    const whole = await settled(page);
    assert(hashes.has(whole.hash));
    await page.mouse.dblclick(300, 300);
    assert(!hashes.has((await settled(page)).hash));
});

test("fingers move and zoom", async (t) => {
    const page = await staged(t, EACH.regions, { touch: true });
    const whole = await settled(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) =>
        session.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: points.map(([x, y], id) => ({ x, y, id })),
        });
    await touch("touchStart", [300, 300], [500, 300]);
    await touch("touchMove", [200, 300], [600, 300]);
    await touch("touchEnd");
    const near = await settled(page);
    assert.notStrictEqual(near.hash, whole.hash);
    await touch("touchStart", [300, 300]);
    await touch("touchMove", [350, 340]);
    await touch("touchEnd");
    assert.notStrictEqual((await settled(page)).hash, near.hash);
    await touch("touchStart", [400, 300]);
    await touch("touchEnd");
    await page.getByText(/^Country/).waitFor();
});

test("the camera stays for a map of the same size, and not for another", async (t) => {
    const page = await staged(t, EACH.regions);
    await press(page, "Zoom in");
    const show = (path) => page.evaluate((url) => globalThis.stage.address(url), kit.base + path);
    const camera = async () => (await settled(page)).hash;
    const near = await camera();
    await show("/regions?seed=2");
    const other = await camera();
    await show(EACH.regions);
    assert.strictEqual(await camera(), near);
    assert.notStrictEqual(other, near);
    await show("/regions?seed=1&width=41");
    await show(EACH.regions);
    assert.notStrictEqual(await camera(), near);
});

test("who is on a button stays there, map after map", async (t) => {
    const page = await staged(t, EACH.generate);
    const button = page.getByRole("button", { name: "Solve, then Tell the result" });
    await button.focus();
    const next = `${kit.base}/puzzle/generate?seed=4`;
    await page.evaluate((url) => globalThis.stage.address(url), next);
    assert(await button.evaluate((one) => one === document.activeElement));
    const before = (await settled(page)).hash;
    await button.click();
    assert.notStrictEqual((await settled(page)).hash, before, "it is the new map's");
});

test("a host that changes its size is filled again", async (t) => {
    const page = await staged(t, EACH.regions);
    const seen = await settled(page);
    await page.setViewportSize({ width: 500, height: 700 });
    assert.deepStrictEqual([(await settled(page)).width, (await look(page)).height], [500, 700]);
    await page.setViewportSize({ width: 900, height: 600 });
    assert.strictEqual((await settled(page)).hash, seen.hash);
});

test("a map that wraps goes on beyond its seam", async (t) => {
    const page = await staged(t, "/regions?seed=5&width=20&height=20&wrap=xy");
    const place = fitted({ width: 20.5, height: (20 * Math.sqrt(3)) / 2 + Math.sqrt(3) / 6 });
    const tipAt = async (x, y) => {
        await page.mouse.move(...place.at(...hexMiddle(x, y)));
        return page.locator(".mw-tip").textContent();
    };
    assert.strictEqual(await tipAt(-3, 8), await tipAt(17, 8));
    assert.match(await describe(page), /joined left to right and top to bottom/);
});

test("describe() tells what is seen", async (t) => {
    const told = async (path) => describe(await staged(t, path));
    assert.strictEqual(
        await told("/regions?seed=1&count=7&width=10&height=10"),
        "7 countries on 10 by 10 hexagons, sizes 14 to 15.",
    );
    assert.strictEqual(await told(EACH.areas), "3 areas on 60 by 40 squares, each of 420 cells.");
    assert.match(
        await told(EACH.islands),
        /^\d+ islands in a sky of 24 by 24, \d+ bridges, sizes 18 to 23\. The way from island \d+ to island \d+ takes \d+ bridges\.$/,
    );
    assert.match(
        await told(EACH.starlanes),
        /^120 stars and \d+ lanes between them, 119 lanes of them the minimum graph; 4 homeworlds\. The largest realm is [\d.]+ times the smallest\.$/,
    );
    assert.match(
        await told(EACH.generate),
        /^[A-Z][a-z]+, effort \d+\. A board of 7 by 7 cells with [67] pairs of ends; every cell on a track, and no track beside itself\./,
    );
});

// ---- odd maps ----

const ODD = [
    "/regions?width=1&height=1&count=1",
    "/regions?width=2&height=2&wrap=xy&count=2",
    "/regions?width=400&height=1&count=5&wrap=x",
    "/areas?width=9&height=10&grid=hex&algorithm=dfs-backtrack&wrap=xy&area=40",
    "/islands?bridges=false",
    "/islands?width=1&height=1&islands=1,1&size=1,1",
    "/islands?layers=64&width=100&height=100&islands=1,3&size=1000,9000&land=0.6",
    "/starlanes?stars=2&homeworlds=1",
    "/starlanes?positions=0,0;5,0;9,0&homeworlds=1",
    "/starlanes?stars=50&width=8388608&height=8388608&graphs=true&density=1",
    "/puzzle/generate?width=2&height=9&rule=flow",
    "/puzzle/solve?grid=AA",
    "/puzzle/solve?grid=A.A/.%23./B.B&rule=classic&count=exact",
];

for (const path of ODD)
    test(`${path} is drawn, and bears to be moved`, async (t) => {
        const page = await staged(t, path.startsWith("/puzzle/solve") ? path : `${path}&seed=1`);
        const seen = await settled(page);
        assert(seen.colours > 2, `${seen.colours} colours`);
        await page.locator("canvas").focus();
        for (const key of [" ", "ArrowRight", "q", "PageUp", "+", "-", "u", "0"])
            await page.keyboard.press(key);
        for (let x = 20; x < 900; x += 90) await page.mouse.move(x, 280);
        for (const button of await page.getByRole("button").all())
            await button.click({ force: true });
        assert((await settled(page)).colours > 2);
    });

// ---- large maps ----

for (const [what, path, text] of [
    [
        "a map of a million cells",
        "/regions?seed=3&width=1000&height=1000&count=100",
        /^100 countries on 1000 by 1000/,
    ],
    ["20,000 stars", "/starlanes?seed=3&stars=20000", /^20,000 stars/],
    [
        "a world of 512 by 512",
        "/islands?seed=1&width=512&height=512&islands=4000,5500",
        /islands in a sky of 512 by 512, .* sizes 18 to 23/,
    ],
])
    test(`${what} is drawn, and moves`, async (t) => {
        const page = await staged(t, path);
        const whole = await settled(page);
        assert(whole.colours > 12);
        assert.match(await describe(page), text);
        await page.mouse.move(450, 280);
        for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -700);
        const near = await settled(page);
        assert.notStrictEqual(near.hash, whole.hash);
        assert(near.colours > 8);
    });

// ---- islands ----

for (const [shape, query, buttons] of [
    ["a long world", "width=24&height=4096&islands=9,100000&seed=1", []],
    ["a wide plan", "width=60&height=12&islands=1,99&seed=2", ["In three dimensions"]],
    ["a world", "seed=1", []],
])
    test(`flags fly where they are seen whole: ${shape}`, async (t) => {
        const page = await staged(t, `/islands?${query}`);
        for (const button of buttons) await press(page, button);
        await settled(page);
        await overhear(page);
        await settled(page);
        const words = await page.evaluate(() => words);
        assert.deepStrictEqual(new Set(words.map(({ word }) => word)), new Set(["start", "end"]));
        for (const { word, x, high } of words) {
            const half = (word.length * high * 3) / 8 + high;
            assert(x - half >= 0 && x + half <= 900, `${word} at ${x}`);
        }
    });

test("a world turns by mouse, keys and buttons, and lies flat as a plan", async (t) => {
    const page = await staged(t, EACH.islands);
    const hashes = [(await settled(page)).hash];
    const note = async () => hashes.push((await settled(page)).hash);
    await page.mouse.move(450, 500);
    await page.mouse.down();
    await page.mouse.move(520, 520, { steps: 5 });
    await page.mouse.up();
    await note();
    await page.keyboard.press("q");
    await note();
    await press(page, "Turn right");
    await note();
    await press(page, "In three dimensions");
    await note();
    assert.strictEqual(
        new Set(hashes).size,
        hashes.length - 1,
        "the key and the button undo each other",
    );
    assert.strictEqual(hashes[1], hashes[3]);
    await press(page, "In three dimensions");
    await press(page, "Whole map");
    assert.strictEqual((await settled(page)).hash, hashes[0]);
});

test("the plan has land, air and bridges where the answer has them", async (t) => {
    const page = await staged(t, EACH.islands);
    await press(page, "In three dimensions");
    const seen = await settled(page);
    const { result } = await answerOf(page);
    const place = fitted({ width: 24, height: 24, top: 40 });
    const kinds = { air: new Set(), bridge: new Set(), land: new Set() };
    result.cells.forEach((row, y) =>
        row.forEach((id, x) => {
            if (
                result.islands.some(
                    ({ id, center: [cx, cy] }) =>
                        [result.start, result.end].includes(id) &&
                        Math.abs(cx + 2 - x) < 5 &&
                        Math.abs(cy - 2 - y) < 5,
                )
            )
                return; // flags are over it
            kinds[id > 0 ? "land" : id < 0 ? "bridge" : "air"].add(
                seen.at(...place.at(x + 0.25, y + 0.25)),
            );
        }),
    );
    assert.strictEqual(kinds.air.size, 1);
    assert.strictEqual(kinds.bridge.size, 1);
    assert.strictEqual(
        new Set([...kinds.air, ...kinds.bridge, ...kinds.land]).size,
        2 + kinds.land.size,
    );
});

test("an island under the pointer is told, in three dimensions too", async (t) => {
    const page = await staged(t, EACH.islands);
    const { result } = await answerOf(page);
    const found = new Set();
    for (let y = 40; y < 540; y += 25)
        for (let x = 100; x < 800; x += 30) {
            await page.mouse.move(x, y);
            const tip = page.locator(".mw-tip");
            if (await tip.isVisible())
                found.add((await tip.textContent()).match(/^(?:Island (\d+)|Bridge)/)[1]);
        }
    for (const { id } of result.islands) assert(found.has(String(id)), `island ${id}`);
});

// ---- stars ----

test("the backbone is the minimum graph, whether the answer has it or not", async () => {
    for (const asked of [
        ...[1, 2, 3].map((seed) => `stars=300&shape=clusters&density=0.${3 * seed}&seed=${seed}`),
        "stars=400&jitter=0&homeworlds=7&seed=4", // a lattice: many lanes are as long as others
        "positions=0,0;5,0;5,5;0,5&homes=0,2",
        "stars=2&homeworlds=1",
    ]) {
        const reply = await fetch(`${kit.base}/starlanes?graphs=true&${asked}`);
        const { stars, lanes, center, minimum } = (await reply.json()).result;
        const homes = [...stars.keys()].filter((i) => stars[i].homeworld);
        const backbone = findBackbone(stars, Int32Array.from(lanes.flat()), center, homes);
        assert.deepStrictEqual(
            lanes.filter((_, i) => backbone[i]),
            minimum,
            asked,
        );
    }
});

test("among thousands of stars the light of homeworlds is seen", async (t) => {
    const page = await staged(t, "/starlanes?stars=10000&seed=3");
    await settled(page);
    await page.evaluate(() => {
        const { drawImage } = CanvasRenderingContext2D.prototype;
        globalThis.lights = [];
        CanvasRenderingContext2D.prototype.drawImage = function (image, x, y, wide) {
            if (image.width === 64) lights.push(wide);
            drawImage.apply(this, arguments);
        };
        stage.view.redraw();
    });
    await settled(page);
    const lights = await page.evaluate(() => globalThis.lights);
    assert.strictEqual(lights.length, 4);
    assert(
        lights.every((wide) => wide > 14),
        `${lights}`,
    );
});

test("homeworlds are golden, and a star under the pointer lights its lanes", async (t) => {
    const page = await staged(t, EACH.starlanes);
    const seen = await settled(page);
    const { result } = await answerOf(page);
    const xs = result.stars.map((s) => s.x);
    const ys = result.stars.map((s) => s.y);
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const rim = Math.max(x1 - x0, y1 - y0) * 0.03;
    const place = fitted({ width: x1 - x0 + 2 * rim, height: y1 - y0 + 2 * rim });
    const at = ({ x, y }) => place.at(x - x0 + rim, y - y0 + rim);
    for (const star of result.stars.filter((s) => s.homeworld))
        assert.strictEqual(seen.at(...at(star)), theme(false).space.gold);
    const inBoth = (i) =>
        result.lanes.some(([a]) => a === i) && result.lanes.some(([, b]) => b === i);
    const index = result.stars.findIndex((star, i) => star.homeworld && inBoth(i));
    const lanes = result.lanes.filter((lane) => lane.includes(index));
    await page.mouse.move(...at(result.stars[index]));
    const lit = await settled(page);
    for (const [a, b] of lanes) {
        const [p, q] = [at(result.stars[a]), at(result.stars[b])];
        assert.match(
            lit.at((p[0] + q[0]) / 2, (p[1] + q[1]) / 2),
            /^#f.f.[e-f].$/,
            `lane ${a} ${b}`,
        );
    }
    const { x, y } = result.stars[index];
    assert.strictEqual(
        await page.locator(".mw-tip").textContent(),
        `Homeworld ${index} at ${x}, ${y}\n${lanes.length} lane${lanes.length === 1 ? "" : "s"}`,
    );
});

// ---- by keys ----

const spoken = (page) => page.locator(".mw-spoken").textContent();

/* Where each thing of a map is in the plane, and which are beside it. */
const NEIGHBOURS = {
    regions: ({ regions, grid }) => [
        regions.map(({ capital: [x, y] }) => (grid === "hex" ? hexMiddle(x, y) : [x, y])),
        regions.map(({ neighbors }) => neighbors.map((id) => id - 1)),
        /^Country (\d+): 200 cells, capital at/,
        1,
    ],
    starlanes: ({ stars, lanes }) => [
        stars.map(({ x, y }) => [x, y]),
        stars.map((_, i) => lanes.filter((lane) => lane.includes(i)).map(([a, b]) => a + b - i)),
        /^(?:Star|Homeworld|Central star) (\d+) at \d+, \d+, \d+ lanes?$/,
        0,
    ],
};

for (const [name, about] of Object.entries(NEIGHBOURS))
    test(`arrow keys walk over ${name}: to a neighbour, in that direction, and it is told`, async (t) => {
        const page = await staged(t, EACH[name]);
        const [places, beside, words, first] = about((await answerOf(page)).result);
        const canvas = page.locator("canvas");
        await canvas.focus();
        assert.strictEqual(await canvas.getAttribute("role"), "application");
        assert.match(await canvas.getAttribute("aria-description"), /Arrow keys/);
        assert.strictEqual(await page.locator(".mw-spoken").getAttribute("aria-live"), "polite");
        const press = async (key) => {
            await page.keyboard.press(key);
            const text = await spoken(page);
            return text === "Nothing that way" ? -1 : Number(text.match(words)[1]) - first;
        };
        let here = await press("ArrowRight"); // the one in the middle
        const seen = [await settled(page)];
        let steps = 0;
        for (const key of ["Right", "Down", "Left", "Up", "Up", "Left", "Left", "Down", "Right"]) {
            const to = await press(`Arrow${key}`);
            if (to < 0) continue;
            const [dx, dy] = [places[to][0] - places[here][0], places[to][1] - places[here][1]];
            const along = { Right: dx, Left: -dx, Down: dy, Up: -dy }[key];
            assert(along > 0, `${key} from ${here} to ${to}`);
            // Where a neighbour lies that way, it is one of them.
            const straight = beside[here].some((i) => {
                const [ex, ey] = [places[i][0] - places[here][0], places[i][1] - places[here][1]];
                const [on, off] = /Left|Right/.test(key) ? [ex, ey] : [ey, ex];
                return on * (/Right|Down/.test(key) ? 1 : -1) > Math.abs(off);
            });
            if (straight) assert(beside[here].includes(to), `${key} from ${here} to ${to}`);
            here = to;
            steps++;
        }
        assert(steps >= 4, `${steps} steps`);
        for (let i = 0; i < 2; i++) {
            await press("n");
            seen.push(await settled(page));
        }
        assert.notStrictEqual(seen[1].hash, seen[2].hash, "and seen");
        assert.strictEqual(await page.locator(".mw-tip").isVisible(), true);
        const all = new Set();
        for (let i = 0; i < places.length; i++) all.add(await press("n"));
        assert.strictEqual(all.size, places.length, "N reaches every one");
    });

test("islands are walked in three dimensions and on the plan, and what is walked to is in sight", async (t) => {
    const page = await staged(t, EACH.islands);
    await page.locator("canvas").focus();
    for (const flat of [false, true]) {
        if (flat) await press(page, "In three dimensions");
        await page.locator("canvas").focus();
        for (let i = 0; i < 4; i++) await page.keyboard.press("+");
        for (let i = 0; i < 12; i++) {
            await page.keyboard.press("n");
            const [, id] = (await spoken(page)).match(/^Island (\d+).*: \d+ cells/);
            const tip = page.locator(".mw-tip");
            assert((await tip.textContent()).startsWith(`Island ${id}`));
            const { x, y, width, height } = await tip.boundingBox();
            assert(x >= 0 && y >= 0 && x + width <= 900 && y + height <= 600, `${id} is in sight`);
            await settled(page);
        }
    }
});

// ---- puzzles ----

const status = (page) => page.getByRole("status").textContent();
/* Cells of a board that no track is on before the first move. */
const freeCells = ({ result }) => [...result.grid.join("")].filter((sign) => sign === ".").length;
const played = (page) => page.evaluate(() => globalThis.stage.played);

function boardPlace({ result }) {
    const place = fitted(
        { width: result.grid[0].length, height: result.grid.length, top: 54 },
        undefined,
        110,
    );
    return ([x, y]) => place.at(x + 0.5, y + 0.5);
}

async function drawPath(page, place, cells) {
    await page.mouse.move(...place(cells[0]));
    await page.mouse.down();
    for (const cell of cells.slice(1)) await page.mouse.move(...place(cell));
    await page.mouse.up();
}

test("a puzzle is played to its end with the mouse", async (t) => {
    const page = await staged(t, EACH.generate);
    const answer = await answerOf(page);
    const place = boardPlace(answer);
    const count = answer.result.paths.length;
    assert.strictEqual(await status(page), `0 of ${count} joined, ${freeCells(answer)} cells left`);
    for (const path of answer.result.paths) {
        assert.deepStrictEqual(await played(page), []);
        await drawPath(page, place, path.cells);
    }
    assert.match(await status(page), /^Solved in \d+:\d\d$/);
    assert.deepStrictEqual(await played(page), [true]);
    await press(page, "Undo");
    assert((await status(page)).startsWith(`${count - 1} of ${count} joined`));
    assert.deepStrictEqual(await played(page), [true, false]);
});

test("a puzzle is played to its end with the keyboard", async (t) => {
    const page = await staged(t, "/puzzle/generate?seed=8&width=5&height=5");
    const { result } = await answerOf(page);
    await page.locator("canvas").focus();
    await page.keyboard.press("ArrowUp");
    let [x, y] = result.paths[0].cells[0];
    const first = result.grid.flatMap((row, j) =>
        [...row].flatMap((sign, i) => (sign === "A" ? [[i, j]] : [])),
    )[0];
    [x, y] = first;
    const go = async ([tx, ty]) => {
        for (; x !== tx; x += Math.sign(tx - x))
            await page.keyboard.press(tx > x ? "ArrowRight" : "ArrowLeft");
        for (; y !== ty; y += Math.sign(ty - y))
            await page.keyboard.press(ty > y ? "ArrowDown" : "ArrowUp");
    };
    for (const { cells, label } of result.paths) {
        await go(cells[0]);
        assert.match(
            await page.locator(".mw-spoken").textContent(),
            new RegExp(`^row ${y + 1}, column ${x + 1}: end of ${label}`),
        );
        await page.keyboard.press(" ");
        for (const cell of cells.slice(1)) await go(cell);
        await page.keyboard.press(" ");
    }
    assert.match(await status(page), /^Solved in \d+:\d\d$/);
    assert.deepStrictEqual(await played(page), [true]);
});

test("on a narrow screen no button lies over the board", async (t) => {
    const page = await staged(t, EACH.generate, { width: 360, height: 380 });
    await page.evaluate(() =>
        globalThis.stage.show(globalThis.stage.answer, { hooks: { hint() {}, next() {} } }),
    );
    await settled(page);
    const { result } = await answerOf(page);
    const groups = await page.locator(".mw-group").all();
    const top = Math.min(
        ...(await Promise.all(groups.map((one) => one.boundingBox()))).map(({ y }) => y),
    );
    const bottom = await page.evaluate(() => document.querySelector(".mw-view").clientHeight);
    assert(top < bottom - 80, "they are in two rows");
    // The lowest row of cells is still played with the mouse.
    const height = result.grid.length;
    const end = (await look(page)).at(180, top - 4);
    const back = (await look(page)).at(2, top - 4);
    assert.strictEqual(end, back, `${height} rows end above the buttons`);
});

test("a long hint hides nothing that it speaks of", async (t) => {
    const page = await staged(t, EACH.generate, { width: 360, height: 380 });
    const { result } = await answerOf(page);
    const last = result.grid.length - 1;
    for (const row of [0, last]) {
        const cells = [
            [0, row],
            [1, row],
        ];
        await page.evaluate((cells) => {
            const hint = async () => ({ cells, reason: "because it is so ".repeat(9) });
            globalThis.stage.show(globalThis.stage.answer, { hooks: { hint } });
        }, cells);
        await press(page, "Hint");
        await page.getByText("because").waitFor();
        const { y, height } = await page.locator(".mw-status").boundingBox();
        assert(height > 40 && (row ? y < 54 : y > 100), `row ${row}: at ${y}`);
    }
});

test("a puzzle is played with a finger", async (t) => {
    const page = await staged(t, EACH.generate, { touch: true });
    const answer = await answerOf(page);
    const place = boardPlace(answer);
    const session = await page.context().newCDPSession(page);
    const touch = (type, point) =>
        session.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: point ? [{ x: point[0], y: point[1] }] : [],
        });
    for (const { cells } of answer.result.paths) {
        await touch("touchStart", place(cells[0]));
        for (const cell of cells.slice(1)) await touch("touchMove", place(cell));
        await touch("touchEnd");
    }
    assert.match(await status(page), /^Solved in \d+:\d\d$/);
});

test("a second finger ends the stroke of the first, and zooms", async (t) => {
    const page = await staged(t, EACH.generate, { touch: true });
    const answer = await answerOf(page);
    const place = boardPlace(answer);
    const free = freeCells(answer);
    const before = await settled(page);
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...cells) => {
        const touchPoints = cells.map(place).map(([x, y], id) => ({ x, y, id }));
        return session.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    const [from, to] = answer.result.paths[0].cells;
    await touch("touchStart", from);
    await touch("touchMove", to);
    assert((await status(page)).endsWith(` ${free - 1} cells left`));
    await touch("touchStart", to, [6, 6]);
    await touch("touchMove", to, [3, 6]);
    await touch("touchEnd");
    assert((await status(page)).endsWith(` ${free} cells left`));
    assert.notStrictEqual((await settled(page)).hash, before.hash);
});

test("a track cuts another, which is whole again when it steps back; other ends and walls stop it", async (t) => {
    const page = await staged(t, EACH.regions);
    const paths = [
        {
            label: "A",
            length: 3,
            cells: [
                [0, 1],
                [1, 1],
                [2, 1],
            ],
        },
        {
            label: "B",
            length: 3,
            cells: [
                [1, 0],
                [1, 1],
                [1, 2],
            ],
        },
    ];
    const result = {
        grid: [".B#", "A.A", ".B."],
        solution: ["AAA", "AAA", "AAA"],
        colours: 2,
        unique: true,
        paths,
    };
    await page.evaluate(
        (r) =>
            globalThis.stage.show({
                generator: "puzzle/generate",
                self: "x",
                parameters: { rule: "flow" },
                result: r,
            }),
        result,
    );
    const place = boardPlace({ result });
    const to = (cell) => page.mouse.move(...place(cell));
    await drawPath(page, place, paths[0].cells);
    assert.strictEqual(await status(page), "1 of 2 joined, 3 cells left");
    await to([1, 0]);
    await page.mouse.down();
    await to([1, 1]);
    assert.strictEqual(await status(page), "0 of 2 joined, 3 cells left");
    await to([1, 0]);
    assert.strictEqual(await status(page), "1 of 2 joined, 3 cells left");
    await to([2, 0]);
    await to([1, 1]);
    await to([0, 1]);
    await page.mouse.up();
    assert.strictEqual(
        await status(page),
        "0 of 2 joined, 3 cells left",
        "neither wall nor the other's end is entered",
    );
    await press(page, "Undo");
    assert.strictEqual(await status(page), "1 of 2 joined, 3 cells left");
    await press(page, "Clear");
    assert.strictEqual(await status(page), "0 of 2 joined, 4 cells left");
});

test("under the strict rule a track beside itself is not done", async (t) => {
    const page = await staged(t, EACH.regions);
    const cells = [
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 0],
    ];
    const result = {
        grid: ["AA", ".."],
        solution: ["AA", "AA"],
        paths: [{ label: "A", length: 4, cells }],
    };
    const played = async (rule) => {
        await page.evaluate(
            ([r, rule]) =>
                globalThis.stage.show({
                    generator: "puzzle/generate",
                    self: rule,
                    parameters: { rule },
                    result: r,
                }),
            [result, rule],
        );
        await drawPath(page, boardPlace({ result }), cells);
        return status(page);
    };
    assert.match(await played("flow"), /^Solved in/);
    assert.strictEqual(await played("strict"), "1 of 1 joined, a track lies beside itself");
});

test("what was undone is done again, until something else is done", async (t) => {
    const page = await staged(t, EACH.generate);
    const answer = await answerOf(page);
    const place = boardPlace(answer);
    const [first, second] = answer.result.paths;
    await drawPath(page, place, first.cells);
    await drawPath(page, place, second.cells);
    const both = await status(page);
    await press(page, "Undo");
    await press(page, "Undo");
    assert.match(await status(page), /^0 of/);
    await page.locator("canvas").focus();
    for (const key of ["r", "Control+y"]) await page.keyboard.press(key);
    assert.strictEqual(await status(page), both);
    const redo = page.getByRole("button", { name: "Redo" });
    assert.strictEqual(await redo.getAttribute("aria-disabled"), "true");
    await press(page, "Undo");
    assert.strictEqual(await redo.getAttribute("aria-disabled"), "false");
    await press(page, "Clear");
    assert.strictEqual(await redo.getAttribute("aria-disabled"), "true");
});

test("what was played survives a reload, each board its own; so does that it was given", async (t) => {
    const page = await staged(t, EACH.generate);
    const answer = await answerOf(page);
    await drawPath(page, boardPlace(answer), answer.result.paths[0].cells);
    const played = await status(page);
    assert.match(played, /^1 of/);
    const show = async (path) => {
        await page.reload();
        await page.waitForFunction(() => globalThis.stage);
        await page.evaluate((url) => globalThis.stage.address(url), kit.base + path);
        return status(page);
    };
    assert.match(await show("/puzzle/generate?seed=4"), /^0 of/);
    assert.strictEqual(await show(EACH.generate), played);
    await press(page, "Solve, then Tell the result");
    assert.strictEqual(await show(EACH.generate), "This is the solution");
    await press(page, "Clear");
    assert.match(await show(EACH.generate), /^0 of/, "and so does clearing");
    const kept = () =>
        page.evaluate(() => JSON.parse(localStorage.getItem("played")).map(([address]) => address));
    await page.evaluate(() =>
        localStorage.setItem(
            "played",
            JSON.stringify(Array.from({ length: 50 }, (_, i) => [i, 0])),
        ),
    );
    await press(page, "Solve, then Tell the result");
    assert.deepStrictEqual((await kept()).slice(1), [...Array(49).keys()], "the latest fifty");
});

test("a board has the colours of its downloads: those of the answer's paths, in their order", async (t) => {
    // The same board, to be played and solved; letters in no order of their own.
    const grid = ["Z..B", "....", "Z..B"];
    const reply = await fetch(`${kit.base}/puzzle/solve?grid=${grid.join("/")}`);
    const { result } = await reply.json();
    assert.deepStrictEqual(
        result.paths.map(({ label }) => label),
        ["Z", "B"],
    );
    const page = await staged(t, `/puzzle/solve?grid=${grid.join("/")}`);
    const question = {
        generator: "puzzle/generate",
        self: "y",
        parameters: { rule: "flow" },
        result: { ...result, solution: result.grid, grid },
    };
    const place = fitted({ width: 4, height: 3, top: 54 }, undefined, 110);
    const ends = async () => {
        const seen = await settled(page);
        return [0, 3].map((x) => seen.at(...place.at(x + 0.3, 0.5)));
    };
    const solved = await ends();
    await page.evaluate((answer) => globalThis.stage.show(answer), question);
    assert.deepStrictEqual(await ends(), solved);
    assert.deepStrictEqual(solved, ["#4477aa", "#ee6677"]);
});

test("a hint is what the service deduces, then the next step of the solution", async (t) => {
    const page = await staged(t, EACH.generate);
    assert.strictEqual(await page.getByRole("button", { name: "Hint" }).count(), 0);
    const { result } = await answerOf(page);
    const place = boardPlace({ result });
    const [a] = result.paths;
    await page.evaluate(
        (cells) => {
            globalThis.asked = 0;
            const hint = async () => (globalThis.asked++, { cells, reason: "it has no other way" });
            globalThis.stage.show(globalThis.stage.answer, { hooks: { hint } });
        },
        a.cells.slice(0, 2),
    );
    const plain = await settled(page);
    await press(page, "Hint");
    await page.getByText("it has no other way").waitFor();
    assert.notStrictEqual((await settled(page)).hash, plain.hash, "it is marked");
    await page.locator("canvas").focus();
    await page.keyboard.press("h");
    await page.getByText("A goes on here").waitFor();
    const beside = ([x, y]) => [
        [x + 1, y],
        [x - 1, y],
        [x, y + 1],
        [x, y - 1],
    ];
    const [[label, end, astray]] = result.paths.flatMap(({ label, cells: [end, second] }) =>
        beside(end)
            .filter(([x, y]) => result.grid[y]?.[x] === "." && `${second}` !== `${[x, y]}`)
            .map((cell) => [label, end, cell]),
    );
    for (const [cells, ...said] of [
        [[end, astray], "it has no other way", `${label} goes elsewhere`],
        [[...a.cells].reverse().slice(0, 2), "it has no other way", "A goes on here"],
        [a.cells.slice(0, 2), "A goes on here"],
        [a.cells, "B goes on here"],
    ]) {
        await drawPath(page, place, cells);
        assert.match(await status(page), /joined/, "a move takes the mark away");
        await page.locator("canvas").focus();
        for (const one of said) {
            await page.keyboard.press("h");
            await page.getByText(one).waitFor();
        }
        await press(page, "Clear");
    }
    assert.strictEqual(await page.evaluate(() => globalThis.asked), 5);
});

test("a hint that comes late is no other board's", async (t) => {
    const page = await staged(t, EACH.generate);
    await page.evaluate(() => {
        const told = { cells: [[0, 0]], reason: "too late" };
        const hint = () => new Promise((done) => (globalThis.tell = () => done(told)));
        globalThis.stage.show(globalThis.stage.answer, { hooks: { hint } });
    });
    await press(page, "Hint");
    await page.evaluate((url) => globalThis.stage.address(url), kit.base + EACH.solve);
    const said = await status(page);
    await page.evaluate(() => globalThis.tell());
    assert.strictEqual(await status(page), said);
});

test("the solution is given on demand, and is not taken for the player's", async (t) => {
    const page = await staged(t, EACH.generate);
    await press(page, "Solve, then Tell the result");
    assert.strictEqual(await status(page), "This is the solution");
    assert.deepStrictEqual(await played(page), [false]);
    await page.evaluate(() => globalThis.stage.show(globalThis.stage.answer, { dark: true }));
    assert.strictEqual(await status(page), "This is the solution", "kept when shown again");
});

test("a solution drawn with motion ends the same", async (t) => {
    const page = await staged(t, EACH.generate, { still: false });
    await press(page, "Solve, then Tell the result");
    await page.getByText("This is the solution").waitFor();
});

test("where a hint is asked for, the answer is the hint", async (t) => {
    const page = await staged(t, "/puzzle/solve?grid=A.B./C.D./.A.B/.C.D&hint=true");
    assert.match(await status(page), /^Hint: a cell here has only as many ways left/);
    assert.match(await describe(page), /every cell on a track\. Hint: a cell/);
    const marked = await settled(page);
    await shot(page, "board-hint");
    await page.evaluate(() => {
        const { answer } = globalThis.stage;
        globalThis.stage.show({ ...answer, result: { ...answer.result, hint: null } });
    });
    assert.notStrictEqual((await settled(page)).hash, marked.hash, "and stands on its cells");
});

test("a solved board tells how many solutions there are", async (t) => {
    const told = async (query) => status(await staged(t, `/puzzle/solve?${query}`));
    assert.strictEqual(await told("grid=A..B/..../A..B"), "Solved; there are others");
    assert.strictEqual(await told("grid=AB/../AB"), "Solved: the only solution");
    assert.strictEqual(await told("grid=A..B/.%23../B..A"), "There is no solution");
    assert.match(await told("grid=A..B/..../A..B&count=exact"), /^Solved: one of \d+ solutions$/);
    assert.strictEqual(await told("grid=A..B/..../A..B&count=first"), "Solved");
});
