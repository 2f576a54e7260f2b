// test_views.mjs: each view in a real browser, on a stage of its own.
import assert, { deepEqual, equal, match, notEqual } from "node:assert/strict";
import { after, test } from "node:test";
import { decode } from "../../src/web/ask/cbor.js";
import { theme } from "../../src/web/draw/palette.js";
import { walk } from "../../src/web/frame/walk.js";
import { Play } from "../../src/web/show/play.js";
import * as kits from "./kit.mjs";
import { boxOfStars, fingers, fitted, frames, look, open, press, text } from "./kit.mjs";

const kit = await open();
after(() => kit.close());
const staged = (t, path, options) => kits.staged(kit, t, path, options);

const EACH = {
    regions: "/regions?seed=1",
    areas: "/areas?seed=4&width=60&height=40&count=3&area=420&algorithm=mixed&names=latin",
    islands: "/islands?seed=1",
    starlanes: "/starlanes?seed=3&stars=120&graphs=true&names=nordic",
    generate: "/puzzle/generate?seed=3",
    solve: "/puzzle/solve?grid=A..B/..../A..B",
};

/* What is seen when nothing moves any more. */
async function settled(page) {
    await page.locator(".mw-view:not([data-moving])").waitFor();
    await frames(page);
    return look(page);
}

const answerOf = (page) => page.evaluate(() => globalThis.stage.answer);
const describe = (page) => page.evaluate(() => globalThis.stage.view.describe());
const status = (page) => text(page, ".mw-status");
const spoken = (page) => text(page, ".mw-spoken");
const tip = (page) => text(page, ".mw-tip");
const hashOf = async (page) => (await settled(page)).hash;

async function keys(page, ...all) {
    await page.locator("canvas").focus();
    for (const key of all) await page.keyboard.press(key);
}

function hexMiddle(x, y) {
    const rise = Math.sqrt(3) / 2;
    return [x + (y & 1) / 2 + 0.5, y * rise + (rise * 2) / 3];
}

// ---- answers in CBOR ----

const hex = (digits) => Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));

test("CBOR is decoded as RFC 8949 and RFC 8746 have it", () => {
    for (const [digits, value] of [
        ["00", 0],
        ["1903e8", 1000],
        ["1a000f4240", 1000000],
        ["1b000000e8d4a51000", 1000000000000],
        ["3863", -100],
        ["fb3ff199999999999a", 1.1],
        ["83f5f4f6", [true, false, null]],
        ["63c3bc21", "ü!"],
        ["a26161016162820203", { a: 1, b: [2, 3] }],
        ["d84043010203", Uint8Array.of(1, 2, 3)],
        ["d8454401000001", Uint16Array.of(1, 256)],
        ["d84d44ffff0200", Int16Array.of(-1, 2)],
        ["d84e4400000080", Int32Array.of(-(2 ** 31))],
    ])
        deepEqual(decode(hex(digits)), value, digits);
    for (const digits of ["18", "8201", "0000", "5f", "d84143010203", "f7"])
        assert.throws(() => decode(hex(digits)), Error, digits);
});

// ---- every view ----

test("every view is drawn, the same each time, and in other colors when dark", async (t) => {
    const hashes = new Set();
    for (const dark of [false, true]) {
        const page = await staged(t, EACH.islands, { dark });
        const first = new Map();
        for (const [name, path] of [...Object.entries(EACH), ...Object.entries(EACH)]) {
            await page.show(path);
            const seen = await settled(page);
            deepEqual([seen.width, seen.height], [900, 600]);
            assert(seen.colors > 12, `${name} has ${seen.colors} colors`);
            equal(seen.hash, first.get(name) ?? seen.hash, name);
            first.set(name, seen.hash);
            hashes.add(seen.hash);
        }
    }
    assert(hashes.size > Object.keys(EACH).length + 3); // the sky of stars is always dark
});

test("device pixels are used, also when there are suddenly more", async (t) => {
    const page = await staged(t, EACH.regions, { scale: 2 });
    deepEqual([(await settled(page)).width, (await look(page)).height], [1800, 1200]);
    const session = await page.context().newCDPSession(page);
    const screen = { width: 901, height: 600, deviceScaleFactor: 3, mobile: false };
    await session.send("Emulation.setDeviceMetricsOverride", screen);
    await page.waitForFunction(() => document.querySelector("canvas").width === 2703);
    equal((await settled(page)).height, 1800);
});

test("a destroyed view leaves nothing behind", async (t) => {
    const page = await staged(t, EACH.islands);
    await page.evaluate(() => globalThis.stage.view.destroy());
    equal(await page.locator("#host").innerHTML(), "");
});

// ---- countries and areas ----

/* What canvases are told to draw from here on: words and discs, with their places in CSS pixels, and
   the patterns of dashes. */
async function overhear(page) {
    await page.evaluate(() => {
        const { stroke, arc, setLineDash } = (globalThis.real ??= {
            ...Object.getOwnPropertyDescriptors(CanvasRenderingContext2D.prototype),
        });
        Object.assign(globalThis, { words: [], discs: [], dashes: [] });
        Object.assign(CanvasRenderingContext2D.prototype, {
            stroke(path) {
                const { a, e, f } = this.getTransform();
                const high = (16 * a) / devicePixelRatio;
                if (path?.word && this.lineWidth < 3) {
                    const half = (high * path.across) / 2;
                    const [left, top] = [e / devicePixelRatio, f / devicePixelRatio];
                    words.push({ word: path.word, half, x: left + half, y: top + high, high });
                }
                stroke.value.apply(this, arguments);
            },
            arc(x, y, radius) {
                discs.push({ x, y, radius });
                arc.value.apply(this, arguments);
            },
            setLineDash(dash) {
                if (dash.length) dashes.push(dash);
                setLineDash.value.apply(this, arguments);
            },
        });
        stage.view.redraw();
    });
    await settled(page);
    return page.evaluate(() => ({ words, discs, dashes }));
}

test("numbers do not touch marks, however large the map and small the screen", async (t) => {
    const page = await staged(t, null, { width: 390, height: 390 });
    for (const path of [
        "/regions?width=2500&height=2000&seed=9",
        "/regions?grid=square&count=30&seed=9",
        "/regions?width=80&height=60&count=60&variation=1&seed=9",
        "/regions?width=10&height=5&count=3&seed=7",
    ]) {
        await page.show(path);
        const { words, discs } = await overhear(page);
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
    }
});

test("names lie within their countries, and nearly all countries have theirs", async (t) => {
    const path =
        "/regions?width=60&height=40&count=20&grid=square&variation=0.5&names=latin&seed=3";
    const page = await staged(t, path);
    const { words } = await overhear(page);
    const { result } = await answerOf(page);
    const place = fitted({ x1: 60, y1: 40 });
    assert(words.length >= 18, `${words.length} of 20 have names`);
    for (const { word, half, x, y, high } of words) {
        const { id } = result.regions.find(({ name }) => name === word);
        for (const [px, py] of [-1, 0, 1].flatMap((s) =>
            [0, high].map((up) => [x + s * half, y - up]),
        )) {
            const cell = [px - place.x, py - place.y].map((v) => Math.floor(v / place.scale));
            equal(result.cells[cell[1]][cell[0]], id, word);
        }
    }
});

test("water is shallow along the shore", async (t) => {
    const mask = ["####....", "########", "########", "....####"].join("/").replaceAll("#", "%23");
    const page = await staged(t, `/areas?seed=1&width=8&height=4&area=4&mask=${mask}`);
    const seen = await settled(page);
    const place = fitted({ x1: 8, y1: 4 });
    const { water, shallows } = theme(false);
    const colors = [4.15, 6.5].map((x) => seen.at(...place.at(x, 0.5)));
    deepEqual(colors, [shallows, water]);
});

// ---- moving ----

test("wheel, drag, keys and double clicks move the map, and it can be fitted again", async (t) => {
    const page = await staged(t, EACH.regions);
    const whole = await hashOf(page);
    let last = whole;
    const note = async (key) => {
        const hash = await hashOf(page);
        notEqual(hash, last, `after ${key}`);
        last = hash;
    };
    await page.mouse.move(300, 200);
    const before = await tip(page);
    match(
        before,
        /^Country \d+: 200 cells\ncapital at \d+, \d+\n\d neighbors?, border \d+\ncell \d+, \d+$/,
    );
    await page.mouse.wheel(0, -1200);
    await settled(page);
    await page.mouse.move(301, 200);
    equal(await tip(page), before, "what was under the pointer stays under it");
    await page.mouse.move(300, 200);
    await note();
    await page.mouse.down();
    await page.mouse.move(400, 260, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(899, 599);
    await note();
    for (const key of ["-", "Shift+ArrowLeft", "Shift+ArrowUp", "+", "Shift+ArrowRight"]) {
        await keys(page, key);
        await note(key);
    }
    await keys(page, "0");
    await page.mouse.move(899, 1);
    equal(await hashOf(page), whole);
    await page.mouse.dblclick(300, 300);
    notEqual(await hashOf(page), whole);
    await press(page, "Whole map");
    await page.mouse.move(899, 1);
    equal(await hashOf(page), whole);
});

test("fingers move and zoom", async (t) => {
    const page = await staged(t, EACH.regions, { touch: true });
    const touch = await fingers(page);
    const seen = [await hashOf(page)];
    const at = (x, y = 300) => [x, y];
    const move = async (from, to) => {
        await touch("touchStart", ...from);
        await touch("touchMove", ...to);
        await touch("touchEnd");
        seen.push(await hashOf(page));
    };
    await move([at(300), at(500)], [at(200), at(600)]);
    await move([at(300)], [at(350, 340)]);
    equal(new Set(seen).size, 3);
    await touch("touchStart", [400, 300]);
    await touch("touchEnd");
    await page.getByText(/^Country/).waitFor();
});

test("the camera stays for a map of the same size, and when the window changes", async (t) => {
    const page = await staged(t, EACH.regions);
    const whole = await hashOf(page);
    await press(page, "Zoom in");
    const near = await hashOf(page);
    const button = page.getByRole("button", { name: "Zoom in" });
    await page.show("/regions?seed=2");
    notEqual(await hashOf(page), near);
    assert(await button.evaluate((one) => one === document.activeElement), "as does the focus");
    await page.show(EACH.regions);
    equal(await hashOf(page), near);
    await page.show("/regions?seed=1&width=41");
    await page.show(EACH.regions);
    equal(await hashOf(page), whole);
    await page.setViewportSize({ width: 500, height: 700 });
    deepEqual([(await settled(page)).width, (await look(page)).height], [500, 700]);
    await page.setViewportSize({ width: 900, height: 600 });
    equal(await hashOf(page), whole);
});

test("a map that wraps continues beyond its edge", async (t) => {
    const page = await staged(t, "/regions?seed=5&width=20&height=20&wrap=xy");
    const place = fitted({ x1: 20.5, y1: (20 * Math.sqrt(3)) / 2 + Math.sqrt(3) / 6 });
    const tipAt = async (x, y) => {
        await page.mouse.move(...place.at(...hexMiddle(x, y)));
        return tip(page);
    };
    equal(await tipAt(-3, 8), await tipAt(17, 8));
    match(await describe(page), /joined left to right and top to bottom/);
});

// ---- odd maps ----

test("odd maps are drawn, and any key, pointer or button works on them", async (t) => {
    const page = await staged(t);
    for (const path of [
        "/regions?width=1&height=1&count=1&seed=1",
        "/regions?width=2&height=2&wrap=xy&count=2&seed=1",
        "/regions?width=400&height=1&count=5&wrap=x&seed=1",
        "/areas?width=9&height=10&grid=hex&algorithm=dfs-backtrack&wrap=xy&area=40&seed=1",
        "/islands?bridges=false&seed=1",
        "/islands?width=1&height=1&islands=1,1&size=1,1&seed=1",
        "/islands?layers=64&width=100&height=100&islands=1,3&size=1000,9000&land=0.6&seed=1",
        "/starlanes?stars=2&homeworlds=1&seed=1",
        "/starlanes?positions=0,0;5,0;9,0&homeworlds=1&seed=1",
        "/starlanes?stars=50&width=8388608&height=8388608&graphs=true&density=1&seed=1",
        "/puzzle/generate?width=2&height=9&rule=flow&seed=1",
        "/puzzle/solve?grid=AA",
        "/puzzle/solve?grid=A.A/.%23./B.B&rule=classic&count=exact",
    ]) {
        await page.show(path);
        assert((await settled(page)).colors > 2, path);
        await keys(page, " ", "ArrowRight", "q", "PageUp", "+", "-", "u", "0");
        for (let x = 20; x < 900; x += 90) await page.mouse.move(x, 280);
        for (const button of await page.getByRole("button").all())
            await button.click({ force: true });
        assert((await settled(page)).colors > 2, path);
    }
});

// ---- islands ----

test("flags are drawn within the canvas: of a long world, a wide plan and a world", async (t) => {
    const page = await staged(t);
    for (const [query, flips] of [
        ["width=12&height=4096&islands=9,100000&seed=1", false],
        ["width=60&height=12&islands=1,99&seed=2", true],
        ["seed=1", false],
    ]) {
        await page.show(`/islands?${query}`);
        if (flips) await press(page, "In three dimensions");
        const { words } = await overhear(page);
        deepEqual(new Set(words.map(({ word }) => word)), new Set(["start", "end"]));
        for (const { word, x, high } of words) {
            const half = (word.length * high * 3) / 8 + high;
            assert(x - half >= 0 && x + half <= 900, `${word} at ${x}`);
        }
        if (flips) await press(page, "In three dimensions");
    }
});

test("a world turns by mouse, keys and buttons, and flattens to a plan", async (t) => {
    const page = await staged(t, EACH.islands);
    const hashes = [await hashOf(page)];
    const turn = async (act) => {
        await act();
        hashes.push(await hashOf(page));
    };
    await page.mouse.move(450, 500);
    await page.mouse.down();
    await page.mouse.move(520, 520, { steps: 5 });
    await turn(() => page.mouse.up());
    await turn(() => page.keyboard.press("q"));
    await turn(() => press(page, "Turn right"));
    await turn(() => press(page, "In three dimensions"));
    equal(new Set(hashes).size, hashes.length - 1, "the key and the button undo each other");
    equal(hashes[1], hashes[3]);
    await press(page, "In three dimensions");
    await press(page, "Whole map");
    equal(await hashOf(page), hashes[0]);
});

test("the plan has land, air and bridges where the answer has them", async (t) => {
    const page = await staged(t, "/islands?seed=1&width=24&height=24");
    await press(page, "In three dimensions");
    const seen = await settled(page);
    const { cells } = (await answerOf(page)).result;
    const place = fitted({ x1: 24, y1: 24 }, { top: 40 });
    const { deck, tops: tints } = theme(false).land;
    const tops = tints.flat().map(([top]) => top);
    const counts = { land: 0, bridge: 0, air: 0, other: 0 };
    cells.forEach((row, y) =>
        row.forEach((id, x) => {
            const color = seen.at(...place.at(x + 0.25, y + 0.25));
            const kind = id > 0 ? "land" : id < 0 ? "bridge" : "air";
            const drawn = tops.includes(color) ? "land" : color === deck[0] ? "bridge" : "air";
            counts[kind === drawn ? kind : "other"]++;
        }),
    );
    assert(counts.land > 100 && counts.bridge > 5 && counts.air > 100, JSON.stringify(counts));
    assert(counts.other < 40, "flags lie over some");
});

test("islands have names, and a tip under the pointer", async (t) => {
    const page = await staged(t, "/islands?seed=1&names=polynesian");
    const names = (await answerOf(page)).result.islands.map(({ name }) => name);
    const { words } = await overhear(page);
    const written = words.filter(({ word }) => names.includes(word));
    assert(written.length >= names.length - 2, `${written.length} of ${names.length} names`);
    const found = new Set();
    for (let y = 40; y < 540; y += 48)
        for (let x = 100; x < 800; x += 48) {
            await page.mouse.move(x, y);
            if (await page.locator(".mw-tip").isVisible())
                found.add((await tip(page)).match(/^\w+/)[0]);
        }
    for (const name of names) assert(found.has(name), name);
});

// ---- stars ----

test("homeworlds are golden, and a star under the pointer lights its lanes", async (t) => {
    const page = await staged(t, EACH.starlanes.replace("&names=nordic", ""));
    const seen = await settled(page);
    const { result } = await answerOf(page);
    const place = fitted(boxOfStars(result), { closest: Infinity });
    const at = ({ x, y }) => place.at(x, y);
    for (const star of result.stars.filter((s) => s.homeworld))
        equal(seen.at(...at(star)), theme(false).space.gold);
    const ofStar = (i) => result.lanes.filter((lane) => lane.includes(i));
    const index = result.stars.findIndex((star, i) => star.homeworld && ofStar(i).length > 1);
    await page.mouse.move(...at(result.stars[index]));
    const lit = await settled(page);
    for (const lane of ofStar(index)) {
        const [p, q] = lane.map((i) => at(result.stars[i]));
        match(lit.at((p[0] + q[0]) / 2, (p[1] + q[1]) / 2), /^#f.f.[e-f].$/, `lane ${lane}`);
    }
    const { x, y } = result.stars[index];
    equal(await tip(page), `Homeworld ${index} at ${x}, ${y}\n${ofStar(index).length} lanes`);
});

test("stars have names where there is room, homeworlds always, and long lanes are dashed", async (t) => {
    const query = "stars=60&shape=clusters&graphs=true&names=nordic&max_lane=1.5&seed=3";
    const page = await staged(t, `/starlanes?${query}`);
    const { stars, long } = (await answerOf(page)).result;
    const { words, dashes } = await overhear(page);
    const written = new Set(words.map(({ word }) => word));
    for (const { name } of stars.filter(({ homeworld }) => homeworld))
        assert(written.has(name), name);
    assert(written.size > 30, `${written.size} names`);
    assert(long.length > 0 && dashes.length > 0, `${long.length} lanes are long`);
});

// ---- by keys ----

test("arrow keys lead to a neighbor in that direction if there is one, and N reaches everything", () => {
    const place = (i) => ({ x: (i * 7) % 23, y: (i * 5) % 19 });
    const beside = (i) => [1, 4, 9].flatMap((d) => [(i + d) % 40, (i + 40 - d) % 40]);
    const things = { count: 40, place, beside };
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    for (const [key, [dx, dy]] of Object.entries(ways))
        for (let from = 0; from < 40; from++) {
            const to = walk(things, from, key, { x: 0, y: 0 });
            const towards = (i) => {
                const [x, y] = [place(i).x - place(from).x, place(i).y - place(from).y];
                return { along: x * dx + y * dy, aside: Math.abs(x * dy - y * dx) };
            };
            const straight = beside(from).some((i) => towards(i).along > towards(i).aside);
            assert(to < 0 || towards(to).along > 0, `${key} from ${from} to ${to}`);
            assert(!straight || beside(from).includes(to), `${key} from ${from} to ${to}`);
        }
    const all = new Set();
    for (let n = 0, i = 0; n < 40; n++) all.add((i = walk(things, i, "n")));
    equal(all.size, 40);
    equal(walk(things, 0, "x"), undefined);
});

test("arrow keys select a thing, which is announced and marked", async (t) => {
    const page = await staged(t);
    for (const [path, words] of [
        [EACH.regions, /^Country \d+: 200 cells, capital at/],
        [EACH.starlanes, /(?:star|homeworld|central star) \d+ at \d+, \d+, \d+ lanes?$/],
    ]) {
        await page.show(path);
        const canvas = page.locator("canvas");
        equal(await canvas.getAttribute("role"), "application");
        match(await canvas.getAttribute("aria-description"), /Arrow keys/);
        equal(await page.locator(".mw-spoken").getAttribute("aria-live"), "polite");
        const before = await hashOf(page);
        await keys(page, "ArrowRight"); // the one in the middle
        match(await spoken(page), words);
        notEqual(await hashOf(page), before);
        assert(await page.locator(".mw-tip").isVisible());
    }
});

test("selected islands are in view, in three dimensions and on the plan", async (t) => {
    const page = await staged(t, EACH.islands);
    for (const flat of [false, true]) {
        if (flat) await press(page, "In three dimensions");
        await keys(page, "+", "+", "+", "+");
        for (let i = 0; i < 6; i++) {
            await page.keyboard.press("n");
            const [, id] = (await spoken(page)).match(/^Island (\d+).*: \d+ cells/);
            assert((await tip(page)).startsWith(`Island ${id}`));
            const { x, y, width, height } = await page.locator(".mw-tip").boundingBox();
            assert(x >= 0 && y >= 0 && x + width <= 900 && y + height <= 600, `${id} is in sight`);
            await settled(page);
        }
    }
});

// ---- puzzles ----

/* Cells of a board that no track is on before the first move. */
const freeCells = ({ result }) => [...result.grid.join("")].filter((sign) => sign === ".").length;
const played = (page) => page.evaluate(() => globalThis.stage.played);
const DONE = /^Solved in \d+:\d\d$/;

function boardPlace({ result: { grid } }) {
    const place = fitted({ x1: grid[0].length, y1: grid.length }, { top: 54, closest: 110 });
    return ([x, y]) => place.at(x + 0.5, y + 0.5);
}

async function drawPath(page, place, cells) {
    await page.mouse.move(...place(cells[0]));
    await page.mouse.down();
    for (const cell of cells.slice(1)) await page.mouse.move(...place(cell));
    await page.mouse.up();
}

/* The stage's board again, where that is the hint, and there is a next board. */
const withHint = (page, told) =>
    page.evaluate((hint) => {
        globalThis.asked = 0;
        const hooks = { hint: async () => (globalThis.asked++, hint), next() {} };
        globalThis.stage.show(globalThis.stage.answer, { hooks });
    }, told);

test("a puzzle is solved with the mouse, with undo and redo", async (t) => {
    const page = await staged(t, EACH.generate);
    const answer = await answerOf(page);
    const place = boardPlace(answer);
    const { paths } = answer.result;
    equal(await status(page), `0 of ${paths.length} joined, ${freeCells(answer)} cells left`);
    for (const { cells } of paths) {
        deepEqual(await played(page), []);
        await drawPath(page, place, cells);
    }
    match(await status(page), DONE);
    deepEqual(await played(page), [true]);
    await press(page, "Undo");
    assert((await status(page)).startsWith(`${paths.length - 1} of ${paths.length} joined`));
    deepEqual(await played(page), [true, false]);
    const once = await status(page);
    await press(page, "Undo");
    await keys(page, "r");
    equal(await status(page), once);
    await keys(page, "Control+y");
    match(await status(page), DONE);
    const redo = page.getByRole("button", { name: "Redo" });
    const idle = () => redo.getAttribute("aria-disabled");
    equal(await idle(), "true");
    await press(page, "Undo");
    equal(await idle(), "false");
    await press(page, "Clear");
    equal(await idle(), "true", "until something else is done");
});

test("a puzzle is solved with the keyboard", async (t) => {
    const page = await staged(t, "/puzzle/generate?seed=8&width=5&height=5");
    const { result } = await answerOf(page);
    await keys(page, "ArrowUp");
    const first = result.grid.findIndex((row) => row.includes("A"));
    let [x, y] = [result.grid[first].indexOf("A"), first];
    const go = async ([tx, ty]) => {
        for (; x !== tx; x += Math.sign(tx - x))
            await page.keyboard.press(tx > x ? "ArrowRight" : "ArrowLeft");
        for (; y !== ty; y += Math.sign(ty - y))
            await page.keyboard.press(ty > y ? "ArrowDown" : "ArrowUp");
    };
    for (const { cells, label } of result.paths) {
        await go(cells[0]);
        match(await spoken(page), new RegExp(`^row ${y + 1}, column ${x + 1}: end of ${label}`));
        await page.keyboard.press(" ");
        for (const cell of cells.slice(1)) await go(cell);
        await page.keyboard.press(" ");
    }
    match(await status(page), DONE);
    deepEqual(await played(page), [true]);
});

test("a puzzle is solved with a finger; a second finger ends the stroke and zooms", async (t) => {
    const page = await staged(t, EACH.generate, { touch: true });
    const answer = await answerOf(page);
    const place = boardPlace(answer);
    const finger = await fingers(page);
    const touch = (type, ...cells) => finger(type, ...cells.map(place));
    const { paths } = answer.result;
    const before = await hashOf(page);
    const [from, to] = paths[0].cells;
    await touch("touchStart", from);
    await touch("touchMove", to);
    assert((await status(page)).endsWith(` ${freeCells(answer) - 1} cells left`));
    await touch("touchStart", to, [6, 6]);
    await touch("touchMove", to, [3, 6]);
    await touch("touchEnd");
    assert((await status(page)).endsWith(` ${freeCells(answer)} cells left`));
    notEqual(await hashOf(page), before);
    await press(page, "Whole map");
    for (const { cells } of paths) {
        await touch("touchStart", cells[0]);
        for (const cell of cells.slice(1)) await touch("touchMove", cell);
        await touch("touchEnd");
    }
    match(await status(page), DONE);
});

test("on a narrow screen neither buttons nor hints cover their subject", async (t) => {
    const page = await staged(t, EACH.generate, { width: 360, height: 380 });
    const { grid } = (await answerOf(page)).result;
    const reason = "because it is so ".repeat(9);
    for (const row of [0, grid.length - 1]) {
        await withHint(page, { cells: [0, 1].map((x) => [x, row]), reason });
        await settled(page);
        const boxes = await page
            .locator(".mw-group")
            .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
        const seen = await look(page);
        const above = Math.min(...boxes) - 4;
        equal(seen.at(180, above), seen.at(2, above), "the board ends above them");
        await press(page, "Hint");
        await page.getByText("because").waitFor();
        const { y, height } = await page.locator(".mw-status").boundingBox();
        assert(height > 40 && (row ? y < 54 : y > 100), `row ${row}: at ${y}`);
    }
});

/* A board that is played without a screen: draw(cells) tells how it stands after a stroke. */
function playing(rows, rule) {
    const play = new Play(rows, rule);
    const draw = (first, ...cells) => {
        play.begin(first);
        const states = cells.map((cell) => (play.reach(cell), play.state()));
        play.end();
        return states.map(({ joined, left }) => `${joined} joined, ${left} left`);
    };
    return { play, draw };
}

test("a track cuts another until it steps back; ends and walls stop it", () => {
    const { play, draw } = playing([".B#", "A.A", ".B."], "flow");
    deepEqual(draw(3, 4, 5), ["0 joined, 3 left", "1 joined, 3 left"]);
    const [cut, whole, ...stopped] = draw(1, 4, 1, 2, 4, 3);
    deepEqual([cut, whole], ["0 joined, 3 left", "1 joined, 3 left"]);
    equal(stopped.at(-1), cut, "neither wall nor the other's end is entered");
    play.undo();
    deepEqual([play.state().joined, play.state().left], [1, 3]);
    play.clear();
    deepEqual([play.state().joined, play.state().left], [0, 4]);
});

test("under the strict rule a track beside itself is no solution", () => {
    for (const [rule, done, touches] of [
        ["flow", true, 0],
        ["strict", false, 1],
    ]) {
        const { play, draw } = playing(["AA", ".."], rule);
        draw(0, 2, 3, 1);
        deepEqual([play.state().done, play.state().touches], [done, touches]);
    }
});

test("moves on each board survive a reload, as does that the solution was shown", async (t) => {
    const page = await staged(t, EACH.generate);
    const answer = await answerOf(page);
    await drawPath(page, boardPlace(answer), answer.result.paths[0].cells);
    const before = await status(page);
    match(before, /^1 of/);
    const show = async (path) => {
        await page.reload();
        await page.waitForFunction(() => globalThis.stage);
        await page.show(path);
        return status(page);
    };
    match(await show("/puzzle/generate?seed=4"), /^0 of/);
    equal(await show(EACH.generate), before);
    await press(page, "Solve, then Tell the result");
    equal(await status(page), "This is the solution");
    deepEqual(await played(page), [false], "it is not taken for the player's");
    equal(await show(EACH.generate), "This is the solution");
    await press(page, "Clear");
    match(await show(EACH.generate), /^0 of/, "and so does clearing");
    const kept = await page.evaluate(() => {
        const boards = Array.from({ length: 50 }, (_, i) => [i, 0]);
        localStorage.setItem("played", JSON.stringify(boards));
        document.querySelector(".mw-button[title^=Solve]").click();
        return JSON.parse(localStorage.getItem("played")).map(([address]) => address);
    });
    deepEqual(kept.slice(1), [...Array(49).keys()], "the latest fifty");
});

test("a hint gives its reason, and a second press draws it", async (t) => {
    const page = await staged(t, EACH.generate);
    equal(await page.getByRole("button", { name: "Hint" }).count(), 0);
    const answer = await answerOf(page);
    const place = boardPlace(answer);
    const { grid, paths } = answer.result;
    const [a] = paths;
    const free = freeCells(answer);
    const left = async () => Number((await status(page)).match(/(\d+) cells left/)[1]);
    await withHint(page, { cells: a.cells.slice(0, 2), reason: "it has no other way" });
    const plain = await hashOf(page);
    await press(page, "Hint");
    await page.getByText("it has no other way").waitFor();
    notEqual(await hashOf(page), plain, "it is marked");
    await keys(page, "h");
    equal(await left(), free - 1, "and drawn");
    await keys(page, "h");
    await page.getByText("A goes on here").waitFor();
    await keys(page, "h");
    equal(await left(), free - 2, "the next step, too");
    await press(page, "Clear");
    await drawPath(page, place, [...a.cells].reverse());
    match(await status(page), /^1 of/, "a move takes the mark away");
    await press(page, "Hint");
    await page.getByText("B goes on here").waitFor();
    equal(await page.evaluate(() => globalThis.asked), 3, "each new hint is asked for");
    await press(page, "Clear");
    await withHint(page, null);
    const [[x, y], second] = a.cells;
    const around = [-1, 1].flatMap((d) => [
        [x + d, y],
        [x, y + d],
    ]);
    const astray = around.find(([i, j]) => grid[j]?.[i] === "." && `${[i, j]}` !== `${second}`);
    await drawPath(page, place, [a.cells[0], astray]);
    await keys(page, "h");
    await page.getByText("A goes elsewhere").waitFor();
    await keys(page, "h");
    equal(await left(), free, "what is wrong is taken back");
});

test("a late hint is not shown on another board", async (t) => {
    const page = await staged(t, EACH.generate);
    await page.evaluate(() => {
        const told = { cells: [[0, 0]], reason: "too late" };
        const hint = () => new Promise((done) => (globalThis.tell = () => done(told)));
        globalThis.stage.show(globalThis.stage.answer, { hooks: { hint } });
    });
    await press(page, "Hint");
    await page.show(EACH.solve);
    const said = await status(page);
    await page.evaluate(() => globalThis.tell());
    equal(await status(page), said);
});

test("a solved board shows how many solutions there are", async (t) => {
    const page = await staged(t);
    for (const [query, said] of [
        ["grid=A..B/..../A..B", /^Solved; there are others$/],
        ["grid=AB/../AB", /^Solved: the only solution$/],
        ["grid=A..B/.%23../B..A", /^There is no solution$/],
        ["grid=A..B/..../A..B&count=exact", /^Solved: one of \d+ solutions$/],
        ["grid=A..B/..../A..B&count=first", /^Solved$/],
        ["grid=A.B./C.D./.A.B/.C.D&hint=true", /^Hint: a cell here has only as many ways left/],
    ]) {
        await page.show(`/puzzle/solve?${query}`);
        match(await status(page), said);
    }
});
