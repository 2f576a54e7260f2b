// test_page.mjs: the page at /: form, address, answers, problems; for eyes, keys, fingers and
// screen readers.
import assert, { deepEqual, doesNotMatch, equal, match, notEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { frames, judge, look, open, press, text } from "./kit.mjs";

// By its text, as older Node takes a file that ends in .js for another kind of module.
const scale = readFileSync(new URL("../../src/web/choose/scale.js", import.meta.url), "utf8");
const { fromPlace, STEPS, toPlace } = await import(
    `data:text/javascript,${encodeURIComponent(scale)}`
);

const kit = await open();
after(() => kit.close());

const run = promisify(execFile);
const api = await fetch(`${kit.base}/openapi.json`).then((reply) => reply.json());
const generators = Object.keys(api.paths).filter((path) => api.paths[path].post);
const PHONE = { width: 390, height: 844, touch: true };
// Said by the browser, whatever a page does.
const REFUSED = [/Failed to load resource: .* status of 4\d\d/];

const named = (kind, { $ref }) => api.components[kind][$ref.split("/").pop()];
const bodyOf = (path) =>
    named("requestBodies", api.paths[path].post.requestBody).content["application/json"];
const propertiesOf = (path) => named("schemas", bodyOf(path).schema).properties;
const formatsOf = (path) => [
    "json",
    ...api.paths[`${path}.{suffix}`].get.parameters.find(({ name }) => name === "suffix").schema
        .enum,
];

// ---- how it is used ----

async function drawn(page) {
    await page.waitForFunction(
        () =>
            !document.querySelector("#host[aria-busy]") &&
            document.querySelector("#facts dd") &&
            document.querySelector("#host canvas"),
    );
    await frames(page);
}

/* The next map: the one whose answer has another self than now. */
async function next(page, act) {
    const self = () => document.querySelector("#facts dt + dd a")?.textContent;
    const before = await page.evaluate(self);
    await act();
    await page.waitForFunction(
        (was) =>
            document.querySelector("#facts dt + dd a")?.textContent !== was &&
            !document.querySelector("#host[aria-busy]"),
        before,
    );
    await frames(page);
}

/* The page's own URL for the map at an address: /regions?seed=1 -> /?generator=regions&seed=1 */
const linkTo = (address) => `/?generator=${address.slice(1).replace("?", "&")}`;

async function visit(t, address, options) {
    const page = await kit.page(t, options);
    await page.goto(kit.base + linkTo(address));
    await drawn(page);
    return page;
}

/* Goes on within the page, as «back» does. */
const turnTo = (page, address) =>
    page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
    }, linkTo(address));

async function walk(page, address) {
    await turnTo(page, address);
    await page.waitForFunction(
        (path) =>
            !document.querySelector("#host[aria-busy]") &&
            document.querySelector("#facts a")?.getAttribute("href").startsWith(`${path}?`),
        address.split("?")[0],
    );
    await frames(page);
}

/* The address in the URL, where it is in the end: it is not written at every step of a slider. */
async function addressOf(page) {
    await page.waitForFunction(
        () => document.querySelector("nav [aria-current]").href === location.href,
    );
    const query = await page.evaluate(() => decodeURIComponent(location.search));
    return query.replace("?generator=", "/").replace("&", "?");
}

const unfold = (page) =>
    page.evaluate(() => {
        for (const fold of document.querySelectorAll("details")) fold.open = true;
    });
const caption = (page) => text(page, "#caption");
const alerted = (page) => text(page, "#alert");
const selfOf = (page) => page.locator("#facts a").getAttribute("href");
const answerOf = async (page) => (await fetch(kit.base + (await selfOf(page)))).json();
const field = (page, name) => page.locator(`#field-${name}`);
const wrong = (page, name) => page.locator(`#field-${name}[aria-invalid]`).waitFor();
const roll = (page) => page.locator("#dice").click();
const fill = (page, name, value) => next(page, () => field(page, name).fill(value));
const pasted = (page) => page.evaluate(() => navigator.clipboard.readText());
const rises = (list) => list.every((value, i) => !i || list[i - 1] <= value);
const boxOf = (page, selector) => page.locator(selector).first().boundingBox();
const focused = (page) => page.evaluate(() => document.activeElement.id);

// ---- maps ----

const CAPTIONS = {
    "/regions": /^12 countries on 72 by 50 hexagons, sizes \d+ to \d+\.$/,
    "/areas": /^1 area on 72 by 50 squares, each of 1,150 cells\.$/,
    "/islands": /^\d+ islands in a sky of 24 by 24, \d+ bridges, sizes \d+ to \d+\. The way from/,
    "/starlanes":
        /^240 stars and \d+ lanes .* the minimum graph; 8 homeworlds\. The largest realm is/,
    "/puzzle/solve":
        /^Easy, effort 11\. A board of 4 by 4 cells with 4 pairs .* the only solution\.$/,
    "/puzzle/generate": /^[A-Z][a-z]+, effort \d+\. A board of 6 by 6 cells with 5 pairs of ends;/,
};

for (const path of generators)
    test(`${path} is drawn, with a control for each parameter`, async (t) => {
        const page = await visit(t, path);
        const seen = await look(page);
        assert(seen.colors > 3, `${seen.colors} colors`);
        match(await caption(page), CAPTIONS[path]);
        await unfold(page);
        const { parameters } = await answerOf(page);
        equal(await page.locator("#form .field").count(), Object.keys(parameters).length);
        for (const name of Object.keys(parameters)) {
            const help = await field(page, name).getAttribute("aria-describedby");
            const told = await text(page, `#${help.split(" ")[0]}`);
            equal(told, propertiesOf(path)[name].description.replaceAll("`", ""));
        }
        const [map, panel] = [await boxOf(page, "#host"), await boxOf(page, "#panel")];
        equal(map.x + map.width, panel.x, "beside each other");
        if (path === "/puzzle/solve") return;
        await page.waitForFunction(() => {
            const pictures = [...document.querySelectorAll("#presets img")];
            return pictures.length >= 4 && pictures.every((one) => one.naturalWidth > 0);
        });
        await next(page, () => page.locator("#presets button").nth(1).click());
    });

test("back and forward lead through the seeds", async (t) => {
    const page = await visit(t, "/areas?seed=1"),
        addresses = [await addressOf(page)];
    for (let i = 0; i < 2; i++) {
        await next(page, () => roll(page));
        addresses.push(await addressOf(page));
    }
    equal(new Set(addresses).size, 3, "another seed, another map");
    for (const address of [addresses[1], addresses[0]]) {
        await next(page, () => page.goBack());
        equal(await addressOf(page), address);
    }
    await next(page, () => page.goForward());
    equal(await page.locator("#seed").inputValue(), addresses[1].match(/seed=(\w+)/)[1]);
});

test("sliding is one step in the history, and only what differs is in the address", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    const steps = await page.evaluate(() => history.length);
    const slider = page.getByRole("slider", { name: "Count" });
    await slider.focus();
    const press = async (key) => {
        const before = await field(page, "count").inputValue();
        while ((await field(page, "count").inputValue()) === before) await page.keyboard.press(key);
    };
    for (let i = 0; i < 3; i++) await next(page, () => press("ArrowRight"));
    equal(await addressOf(page), "/regions?count=9&seed=1");
    equal(await page.evaluate(() => history.length), steps + 1);
    for (let i = 0; i < 3; i++) await next(page, () => press("ArrowLeft"));
    equal(await addressOf(page), "/regions?seed=1", "the default again");
});

test("a slider sends one request at a time, and then its newest value", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true });
    const [asked, failed] = [[], []];
    let [underWay, most] = [0, 0];
    await page.route("**/regions?*", async (route) => {
        most = Math.max(most, ++underWay);
        asked.push(Number(new URL(route.request().url()).searchParams.get("count")));
        await new Promise((done) => setTimeout(done, 300)); // five times what a slider pauses
        underWay--;
        await route.continue().catch(() => {}); // given up meanwhile
    });
    page.on("requestfailed", (request) => failed.push(request.url()));
    const seen = await page.evaluate(async () => {
        const box = document.querySelector("#field-count"),
            captions = new Set();
        for (let count = 10; count < 40; count++) {
            box.value = count;
            box.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((done) => setTimeout(done, 50));
            captions.add(document.querySelector("#caption").textContent);
        }
        return captions.size;
    });
    await page.getByText(/^39 countries/).waitFor();
    equal(most, 1, "one at a time");
    deepEqual(failed, [], "none is given up");
    assert(seen >= 3, `${seen} maps were seen on the way`);
    assert(asked.length < 15, `${asked.length} requests`);
    assert(rises(asked), `${asked}`);
    equal(asked.at(-1), 39);
});

test("a late answer is dropped after a step back", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true });
    const held = [];
    await page.route("**/regions?*count=7*", (route) => held.push(route));
    const asked = page.waitForRequest(/count=7/);
    await field(page, "count").fill("7");
    await asked;
    await next(page, () => turnTo(page, "/regions?count=8&seed=1"));
    for (const route of held) await route.continue().catch(() => {}); // nobody waits for it
    await fill(page, "width", "41");
    match(await caption(page), /^8 countries/);
});

test("a link opens the same picture, also with its state behind # or too long for a query", async (t) => {
    const page = await kit.page(t);
    await page.goto(`${kit.base}/#/regions?count=7&seed=3`);
    await drawn(page);
    match(await caption(page), /^7 countries/);
    equal(await addressOf(page), "/regions?count=7&seed=3");
    const first = await look(page);
    await page.goto(page.url());
    await drawn(page);
    equal((await look(page)).hash, first.hash);
    await page.evaluate(() => {
        location.hash = "#/areas?count=2&seed=3";
    });
    await page.getByText(/^2 areas/).waitFor();
    const mask = Array(90).fill("#".repeat(90)).join("/");
    await turnTo(page, `/regions?mask=${encodeURIComponent(mask)}&seed=1`);
    await page.getByText(/^6 countries on 90 by 90/).waitFor();
    match(await page.evaluate(() => location.href), /\/#\/regions\?mask=/);
    await page.reload();
    await page.getByText(/^6 countries on 90 by 90/).waitFor();
    const svg = await page.locator("#downloads a", { hasText: "svg" }).getAttribute("href");
    match(svg, /^maps\/[0-9a-f-]{36}\.svg$/);
    equal((await fetch(`${kit.base}/${svg}`)).status, 200);
});

// ---- large maps ----

test("answers come as CBOR, and the page itself parses none, however large", async (t) => {
    const page = await kit.page(t, { served: true });
    const media = new Set();
    page.on("response", (reply) => {
        if (/\/(regions|islands|starlanes)\?/.test(reply.url()) && reply.status() === 200)
            media.add(reply.headers()["content-type"]);
    });
    await page.addInitScript(() => {
        const { parse } = JSON;
        JSON.parse = (words) => ((globalThis.parsed = words.length), parse(words));
    });
    await page.goto(kit.base + linkTo("/areas?seed=1"));
    await drawn(page);
    for (const address of [
        "/regions?width=300&height=300&count=3000&seed=1",
        "/starlanes?stars=3000&seed=1",
        "/islands?width=1100&height=1100&islands=1000,90000&iterations=4&seed=1",
    ]) {
        await next(page, () => turnTo(page, address));
        assert((await look(page)).colors > 5, address);
    }
    assert((await page.evaluate(() => globalThis.parsed ?? 0)) < 1000);
    deepEqual([...media], ["application/cbor"]);
});

test("a truncated answer and one that no view can draw are reported", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true, allow: [/no view draws/] });
    const answer = await answerOf(page);
    await page.route("**/regions?*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.body()).subarray(0, 300) });
    });
    await roll(page);
    await page.locator("#alert").getByText("cannot be read").waitFor();
    await page.unroute("**/regions?*");
    await page.route("**/regions?*", (route) =>
        route.fulfill({ json: { ...answer, self: "/x", result: { tune: "la" } } }),
    );
    await page.getByText("cannot be drawn here").waitFor();
    equal(await alerted(page), "");
    assert((await page.locator("#downloads a[href]").count()) > 3);
});

// ---- what takes long ----

/* A second or more; its rounds are told one by one. */
const HOPEFUL = "/islands?width=4096&height=4096&iterations=1000&islands=1000,90000&seed=";
const ENDLESS = "/regions?width=4096&height=4096&count=20000&seed="; /* ten times that */

async function underWay() {
    const metrics = await (await fetch(`${kit.base}/metrics`)).text();
    return Number(metrics.match(/mapwright_operations (\d+)/)[1]);
}

async function nothingUnderWay() {
    for (let i = 0; (await underWay()) > 0; i++) {
        assert(i < 500, "it is still being made");
        await new Promise((done) => setTimeout(done, 20));
    }
}

/* Asked for so that no machine is quick enough to answer it directly. */
async function working(page, address) {
    await page.route(/(islands|regions)\?.*4096/, (route) =>
        route.continue({ headers: { ...route.request().headers(), prefer: "respond-async" } }),
    );
    await turnTo(page, address);
    await page.locator("#work").waitFor();
}

test("a slow map shows its name, progress and time", async (t) => {
    const page = await visit(t, "/islands?seed=1");
    assert(!(await page.locator("#work").isVisible()), "nothing of the kind for a quick one");
    await working(page, `${HOPEFUL}11`);
    const name = await text(page, "#work-name");
    match(name, /^islands, width 4096, height 4096, iterations 1000, .*, seed 11$/);
    equal(await text(page, "#said"), `Making ${name}`);
    const told = await page.evaluate(async () => {
        const seen = [];
        while (!document.getElementById("work").hidden) {
            const [bar, time] = ["work-bar", "work-time"].map((id) => document.getElementById(id));
            seen.push([bar.value, time.textContent]);
            await new Promise((done) => setTimeout(done, 50));
        }
        return seen;
    });
    const bars = told.map(([bar]) => bar);
    assert(rises(bars), "it never goes back");
    assert(new Set(bars).size >= 3, `${bars}`);
    match(told.at(-1)[1], /^\d+ %, \d+\.\d s$/);
    await drawn(page);
    match(await caption(page), /4096 by 4096/);
    match(await text(page, "#cost"), /to make/);
});

test("Cancel ends the work, and Enter starts none", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    const before = await look(page);
    let asked = 0;
    await working(page, `${ENDLESS}12`);
    page.on("request", () => asked++);
    await page.locator("#seed").press("Enter");
    await frames(page);
    deepEqual([asked, await underWay()], [0, 1]);
    await page.locator("#work-end").focus();
    await page.keyboard.press("Enter");
    await page.locator("#work").waitFor({ state: "hidden" });
    await nothingUnderWay();
    equal(await caption(page), "Cancelled. This is the map from before. Ask again");
    equal((await look(page)).hash, before.hash);
    equal(await focused(page), "panel");
    await walk(page, "/islands?seed=1");
    await turnTo(page, `${ENDLESS}14`);
    await page.locator("#work-end").click();
    await page.locator("#host:not(:has(canvas))").waitFor({ state: "attached" });
    equal(await caption(page), "Cancelled. Ask again");
    const [stage, said] = [await boxOf(page, "#host"), await boxOf(page, "#caption")];
    assert(said.y > stage.y && said.y + said.height < stage.y + stage.height, "on the stage");
    for (const leave of [() => walk(page, "/regions?seed=5"), () => page.goto("about:blank")]) {
        await turnTo(page, `${ENDLESS}15`);
        await page.locator("#work").waitFor();
        equal(await underWay(), 1);
        await leave();
        await nothingUnderWay();
    }
});

// ---- the form ----

test("a seed may be any text; the title shows it without control characters", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    await page.locator("#seed").fill("");
    await page.locator("#seed").pressSequentially("two words & a%sign");
    await page.waitForFunction(() =>
        document.querySelector("#facts a").href.endsWith("seed=two%20words%20%26%20a%25sign"),
    );
    await frames(page);
    const picture = await look(page);
    match(await addressOf(page), /seed=two words & a%sign$/);
    await page.reload();
    await drawn(page);
    equal((await look(page)).hash, picture.hash);
    await walk(
        page,
        `/regions?seed=${encodeURIComponent("a\u0007\u0085\u061c\u200e\u202e\u2067b é")}`,
    );
    equal(await page.title(), "Countries ab é · Mapwright");
});

test("choices, switches, lists and rows reach the service; Defaults keeps the seed", async (t) => {
    const page = await visit(t, "/areas?seed=1");
    await unfold(page);
    await next(page, () => field(page, "grid").selectOption("hex"));
    await next(page, () => field(page, "holes").uncheck());
    await next(page, () => field(page, "algorithm").selectOption("mixed"));
    await fill(page, "mask", "####\n####\n.##.\n");
    const { width, height, grid, mask, algorithm, holes } = (await answerOf(page)).parameters;
    deepEqual([width, height, grid, algorithm, holes], [4, 3, "hex", "mixed", false]);
    deepEqual(mask, ["####", "####", ".##."]);
    const { version } = await (await fetch(`${kit.base}/regions?seed=5`)).json();
    await walk(page, `/regions?count=9&roughness=0.2&v=${version}&seed=5`);
    await next(page, () => page.locator("#defaults").click());
    equal(await addressOf(page), "/regions?seed=5");
    assert(await page.locator("#defaults").isDisabled());
    await next(page, () => page.goBack());
    equal(await field(page, "count").inputValue(), "9");
});

test("sliders reach both ends, and rise from one to the other", () => {
    for (const [whole, minimum, maximum] of [
        [false, 0, 1],
        [true, 1, 64],
        [true, 1, 16777216],
    ]) {
        const one = { whole, schema: { minimum, maximum } };
        const values = Array.from({ length: STEPS + 1 }, (_, place) => fromPlace(one, place));
        deepEqual([values[0], values.at(-1)], [minimum, maximum]);
        assert(rises(values) && (!whole || values.every(Number.isInteger)), `${values}`);
        const places = values.map((value) => toPlace(one, value));
        deepEqual([places[0], places.at(-1), rises(places)], [0, STEPS, true]);
    }
});

// ---- masks ----

const masked = async (page) => (await answerOf(page)).parameters.mask;
const paint = (page) => press(page, "Paint a mask");

test("with a mask, width and height are those of the mask", async (t) => {
    const page = await visit(t, "/regions?mask=######/######/######&seed=1".replaceAll("#", "%23"));
    const shown = (name) => field(page, name).evaluate((box) => [box.value, box.placeholder]);
    deepEqual(await shown("width"), ["", "6"]);
    deepEqual(await shown("height"), ["", "3"]);
    const slider = page.getByRole("slider", { name: "Width" });
    equal(await slider.getAttribute("aria-valuetext"), "6");
    await fill(page, "count", "2");
    equal(await addressOf(page), "/regions?count=2&mask=######/######/######&seed=1");
    await fill(page, "mask", "");
    deepEqual(await shown("width"), ["40", "40"]);
    await fill(page, "width", "41");
    deepEqual(await shown("width"), ["41", "40"], "what is given stays");
    await walk(page, `/areas?mask=${encodeURIComponent("/regions?seed=3")}&area=80&seed=1`);
    await unfold(page);
    equal(await field(page, "grid").inputValue(), "hex", "the grid of the map below");
    await next(page, () => field(page, "grid").selectOption("square"));
    match(await selfOf(page), /grid=square/);
});

test("a mask is painted with the mouse: land, water, brushes, undo", async (t) => {
    const page = await visit(t, "/regions?width=20&height=10&grid=square&seed=1");
    await paint(page);
    match(await caption(page), /mask of 20 by 10 squares with 200 cells/);
    const box = await boxOf(page, "#host canvas");
    const scale = Math.min((box.width - 40) / 20, (box.height - 82) / 10, 90);
    const place = (x, y) => [
        box.x + box.width / 2 + (x + 0.5 - 10) * scale,
        box.y + 20 + (box.height - 82) / 2 + (y + 0.5 - 5) * scale,
    ];
    const drag = async (land, ...cells) => {
        await page.mouse.move(...place(...cells[0]));
        await page.mouse.down();
        for (const cell of cells.slice(1)) await page.mouse.move(...place(...cell));
        await page.mouse.up();
        match(await caption(page), new RegExp(`with ${land} cells`));
    };
    // In what is all land the brush is one of water to begin with.
    for (let i = 0; i < 4; i++) await press(page, "Next brush"); // 5, 9, 17, 33, and around to 1
    await drag(180, [0, 4], [19, 4]); // one quick movement leaves no gap
    await press(page, "Land");
    await drag(183, [3, 4], [5, 4]);
    await press(page, "Next brush");
    await press(page, "Water");
    await drag(174, [10, 8], [10, 8]);
    await press(page, "Undo");
    match(await caption(page), /with 183 cells/);
    const lines = (await field(page, "mask").inputValue()).split("\n");
    await next(page, () => press(page, "Done"));
    equal(await focused(page), "paint");
    const rows = Array(10).fill("#".repeat(20));
    rows[4] = "...###..............";
    deepEqual(await masked(page), rows);
    deepEqual(lines, rows, "each stroke was in the form");
    match(await caption(page), /^6 countries/);
    await paint(page);
    match(await caption(page), /with 183 cells/, "painting goes on with the same mask");
    await press(page, "All land");
    await next(page, () => press(page, "Done"));
    equal(await masked(page), null, "all land is no mask");
});

test("a mask is painted by keys, and announced", async (t) => {
    const page = await visit(t, "/areas?width=9&height=5&area=3&seed=1");
    await paint(page);
    await page.locator("#host canvas").focus();
    const spoken = () => text(page, ".mw-spoken");
    for (const key of ["b", "b", "b", "b", "w", "ArrowLeft"]) await page.keyboard.press(key);
    equal(await spoken(), "row 3, column 5: land");
    await page.keyboard.press(" ");
    equal(await spoken(), "row 3, column 5: water, the brush is down");
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowLeft"); // and stays within the map
    await page.keyboard.press(" ");
    equal(await spoken(), "row 3, column 1: water");
    await next(page, () => page.keyboard.press("Enter"));
    const land = "#########";
    deepEqual(await masked(page), [land, land, ".....####", land, land]);
});

// ---- seeds and presets to choose from ----

test("the gallery loads twelve pictures one by one, and one is chosen", async (t) => {
    const page = await visit(t, "/regions?count=9&seed=1", { dark: true, allow: REFUSED });
    const asked = [];
    let underWay = 0,
        most = 0;
    await page.route("**/regions.png?*", async (route) => {
        const params = new URL(route.request().url()).searchParams;
        if (params.has("scale")) return route.continue(); // of a preset: it may come late
        most = Math.max(most, ++underWay);
        asked.push(params);
        await new Promise((done) => setTimeout(done, 20));
        underWay--;
        if (asked.length === 14) await route.fulfill({ status: 422, body: "" });
        else await route.continue();
    });
    await press(page, "Twelve seeds to choose from");
    await page.waitForFunction(() => {
        const pictures = [...document.querySelectorAll("#gallery img")];
        return pictures.length === 12 && pictures.every((one) => one.naturalWidth > 0);
    });
    equal(new Set(asked.map((one) => one.get("seed"))).size, 12);
    for (const one of asked)
        deepEqual(
            ["count", "theme", "labels"].map((name) => one.getAll(name)),
            [["9"], ["dark"], ["false"]],
        );
    equal(most, 1, "one at a time");
    await judge(page, "with the gallery");
    await press(page, "Twelve others");
    await page.locator("#gallery-seeds button:disabled").getByAltText("no picture").waitFor();
    const seed = await page.locator("#gallery-seeds span").nth(4).textContent();
    await page.locator("#gallery-seeds button").nth(4).focus();
    await next(page, () => page.keyboard.press("Enter"));
    assert(await page.locator("#gallery").isHidden());
    equal(await addressOf(page), `/regions?count=9&seed=${seed}`);
});

test("seen and kept maps are listed, and two are compared", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    await page.locator("#keep").click();
    await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("seen"))?.length === 1);
    await next(page, () => page.locator("#seed").fill("2"));
    await page.locator("#seen-maps a", { hasText: /^1$/ }).waitFor();
    await page.locator("#kept-maps a", { hasText: /^1$/ }).waitFor();
    await page.locator("#compare").click();
    await page.waitForFunction(() =>
        [...document.querySelectorAll("#pair img")].every((one) => one.naturalWidth > 0),
    );
    await page.locator("#comparison-close").click();
    for (const [id, seed] of [
        ["#kept-maps a", 1],
        ["#back", 2],
        ["#forth", 1],
    ]) {
        await next(page, () => page.locator(id).click());
        match(await selfOf(page), new RegExp(`seed=${seed}$`));
    }
});

// ---- maps on maps ----

test("a map is built on another, and each step of the trail can be edited", async (t) => {
    const page = await visit(t, "/areas?width=30&height=20&seed=4");
    assert(await page.locator("#trail").isHidden(), "one map is no trail");
    await next(page, () => press(page, "Countries: mask"));
    match(await addressOf(page), /^\/regions\?mask=\/areas\?width=30&height=20&seed=4&seed=/);
    const steps = () => page.locator("#trail a").allTextContents();
    deepEqual(await steps(), ["Land", "Countries"]);
    await next(page, () => page.locator("#trail a").first().click());
    await next(page, () => page.locator("#seed").fill("9"));
    match(await selfOf(page), /^\/areas\?.*seed=9$/, "the lower map, alone");
    await page.waitForFunction(() => location.hash === "#mask" && /seed%3D9/.test(location.search));
    deepEqual(await steps(), ["Land", "Countries"]);
    await page.reload();
    await drawn(page);
    match(await selfOf(page), /^\/areas\?.*seed=9$/, "the link holds where one was");
    await next(page, () => page.locator("#trail a").last().click());
    const { parameters } = await answerOf(page);
    match(parameters.mask, /^\/areas\?.*width=30.*seed=9$/);
    equal(parameters.width, 30);
});

/* Colors of some thousand places of what is drawn. */
async function colorsOf(page) {
    const { at, width, height } = await look(page, "#host canvas"),
        found = new Set();
    for (let y = 2; y < height; y += 7) for (let x = 2; x < width; x += 7) found.add(at(x, y));
    return found;
}

test("a map is drawn over the one below it", async (t) => {
    const countries = ["#a4d195", "#eab169", "#fdefa6", "#d78386", "#78c4b3", "#b08bc0"],
        pale = ["#e4ecd9", "#f3e4cf", "#f8f2dd", "#efdad6"],
        below = encodeURIComponent("/regions?count=12&seed=3"),
        world = encodeURIComponent("/islands?seed=5"),
        page = await visit(t, "/regions?seed=1");
    for (const [address, colors, least] of [
        [`/starlanes?positions=${below}&seed=4`, [...countries, "#223344"], 6],
        [`/areas?mask=${below}%26of%3D2,4,5&area=80&seed=1`, pale, 3],
        [`/starlanes?positions=${world}&seed=5`, ["#6fae5c"], 1],
    ]) {
        await next(page, () => turnTo(page, address));
        const seen = await colorsOf(page);
        assert(colors.filter((one) => seen.has(one)).length >= least, address);
    }
});

// ---- puzzles ----

test("a board goes from the generator to the solver, which starts with the example of the document", async (t) => {
    const page = await visit(t, "/puzzle/solve");
    const { example } = bodyOf("/puzzle/solve");
    equal(await field(page, "grid").inputValue(), example.grid.join("\n"));
    await walk(page, "/puzzle/generate?width=6&height=6&seed=3");
    const { result } = await answerOf(page);
    await next(page, () => press(page, "Take it to the solver"));
    const address = await addressOf(page);
    match(address, /^\/puzzle\/solve\?grid=[^&]+&rule=strict$/, "with its rule, and no seed");
    equal(await field(page, "grid").inputValue(), result.grid.join("\n"));
    assert(await page.locator("#seeds").isHidden());
});

const status = (page) => text(page, ".mw-status");

test("a pack has boards of rising effort, one link and one PDF", async (t) => {
    const page = await visit(t, "/puzzle/generate?width=6&height=6&seed=3");
    const board = (n) => page.locator("#caption", { hasText: `Board ${n} of 6. ` }).waitFor();
    await press(page, "6 boards");
    await board(1);
    const link = await page.evaluate(() => location.search);
    match(link, /width=6&height=6&seed=3&pack=6&board=1$/);
    const efforts = [],
        seeds = new Set();
    for (let n = 1; n <= 6; n++) {
        await board(n);
        efforts.push(Number((await caption(page)).match(/effort (\d+)/)[1]));
        seeds.add(await page.locator("#seed").inputValue());
        if (n < 6) await press(page, n % 2 ? "Next puzzle" : "Next");
    }
    assert(rises(efforts), `${efforts}`);
    deepEqual([...seeds].sort(), ["3", "4", "5", "6", "7", "8"]);
    equal(await page.getByRole("button", { name: "Next puzzle" }).count(), 0, "the last");
    const last = await page.evaluate(() => location.href);
    await page.goBack();
    await board(5);
    const other = await kit.page(t);
    await other.goto(last);
    await drawn(other);
    match(await caption(other), /^Board 6 of 6/, "a link opens the board");
    const pdf = await page.getByRole("link", { name: "PDF of 6" }).getAttribute("href");
    match(pdf, /^puzzle\/generate\.pdf\?.*seed=3&maps=6$/);
    const sheets = await fetch(`${kit.base}/${pdf}`);
    equal(sheets.headers.get("content-type"), "application/pdf");
    await press(page, "Leave");
    await page.getByRole("button", { name: "24 boards" }).waitFor();
    doesNotMatch(await page.evaluate(() => location.search), /pack/);
});

test("hints come from the solver, and a second press draws the deduction", async (t) => {
    const page = await visit(t, "/puzzle/generate?seed=3", { served: true, allow: [/ERR_FAILED/] });
    const asked = [];
    page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.pathname === "/puzzle/solve") asked.push(Object.fromEntries(url.searchParams));
    });
    const { result, parameters } = await answerOf(page);
    const before = await status(page);
    await press(page, "Hint");
    await page.locator(".mw-status", { hasText: /: they are linked|only|must|cannot/ }).waitFor();
    deepEqual(asked, [{ grid: result.grid.join("/"), rule: parameters.rule, hint: "true" }]);
    await press(page, "Hint");
    await page.locator(".mw-status", { hasText: /cells left/ }).waitFor();
    notEqual(await status(page), before, "a step was drawn");
    await page.route("**/puzzle/solve?**", (route) => route.abort());
    await press(page, "Clear");
    await press(page, "Hint");
    await page.getByText("goes on here").waitFor();
});

// ---- problems ----

test("a problem is shown at its field, beside the last map", async (t) => {
    const page = await visit(t, "/regions?seed=7", { allow: REFUSED });
    const before = await text(page, "#facts"),
        width = field(page, "width");
    await width.fill("0");
    await wrong(page, "width");
    const problem = page.locator("#field-width-problem");
    equal(await problem.textContent(), "must be an integer from 1 to 4096");
    equal(await problem.getAttribute("role"), "alert");
    assert((await width.getAttribute("aria-describedby")).includes("field-width-problem"));
    equal(await page.locator("[aria-invalid]").count(), 1);
    equal(await text(page, "#facts"), before);
    equal(await page.locator("#stage.stale").count(), 1);
    await fill(page, "width", "30");
    equal(await page.locator("[aria-invalid], #stage.stale").count(), 0);
    equal(await problem.textContent(), "");
});

test("all problems are shown at once, those of no field above the form", async (t) => {
    const page = await kit.page(t, { allow: REFUSED });
    await page.goto(`${kit.base}/?generator=regions&count=0&roughness=2&sizes=3,x&seed=1`);
    await wrong(page, "sizes");
    for (const name of ["count", "roughness"])
        match(await text(page, `#field-${name}-problem`), /^must be/);
    const problem = page.locator("#field-sizes-problem");
    match(await problem.textContent(), /^entry 1 \(from 0\) must be an integer/);
    assert(await problem.isVisible());
    await turnTo(page, "/regions?v=99&seed=1");
    await page.locator("#alert strong", { hasText: "version" }).waitFor();
    await page.route("**/puzzle/generate?*", (route) =>
        route.continue({ headers: { ...route.request().headers(), prefer: "respond-async" } }),
    );
    await turnTo(page, "/puzzle/generate?width=30&height=30&colors=4&seed=1");
    await wrong(page, "colors"); // which the work in the background found
    await page.goto(`${kit.base}/?generator=foo`);
    await page.locator("#alert", { hasText: "There is no generator foo" }).waitFor();
});

test("the caption names the first problem and leads to it", async (t) => {
    const page = await visit(t, "/regions?seed=1", { ...PHONE, allow: REFUSED });
    await page.evaluate(() => scrollTo(0, 0));
    await turnTo(page, "/regions?seed=1&roughness=2&capitals=1,1;2");
    const foot = page.locator("#caption");
    await foot.getByRole("button").waitFor();
    const said =
        "Roughness: must be a number from 0 to 1 (and 1 more). This is the map from before.";
    equal(await foot.textContent(), said);
    await page.locator("details.more summary").click();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await foot.getByRole("button").click();
    const { y, height } = await boxOf(page, "#field-roughness:focus");
    const stage = await boxOf(page, "#stage");
    assert(y >= stage.y + stage.height && y + height <= PHONE.height, "it is in sight");
    for (const [query, lead, target] of [
        [`seed=${"x".repeat(65)}&grid=round`, /^Seed: must be .*\(and 1 more\)/, "#seed:focus"],
        ["seed=1&capitals=1,1;2", "Capitals", "details.more[open] #field-capitals:focus"],
        ["seed=1&v=99", "The generator has another version", "#alert:focus"],
    ]) {
        await turnTo(page, `/regions?${query}`);
        await foot.getByText(lead).click();
        await page.locator(target).waitFor();
    }
});

test("a service that is down is reported and asked again", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true, allow: [/ERR_FAILED/] });
    await page.route("**/regions?*", (route) => route.abort());
    await roll(page);
    await page.locator("#alert strong").waitFor();
    const told = await alerted(page);
    match(told, /does not answer.*down, or cannot be reached.*asked again/);
    doesNotMatch(told, /fetch/i, "in plain words");
    match(await caption(page), /answer. It is tried again. This/);
    await page.evaluate(() => document.querySelector("#alert strong").setAttribute("id", "once"));
    await page.locator("#caption button").focus();
    await page.waitForRequest(/regions/);
    await page.waitForRequest(/regions/);
    equal(await page.locator("#once").count(), 1, "and is not said again and again");
    equal(await page.locator("#caption button:focus").count(), 1);
    await next(page, () => page.unroute("**/regions?*"));
    equal(await alerted(page), "");
    equal(await page.locator("#stage.stale").count(), 0);
});

test("a page that is opened while the service is down waits for it", async (t) => {
    const page = await kit.page(t, { allow: [/ERR_FAILED/] });
    await page.route("**/openapi.json", (route) => route.abort());
    await page.goto(kit.base + linkTo("/regions?seed=1"));
    await page.locator("#alert strong").waitFor();
    match(await alerted(page), /does not answer.*down, or cannot be reached.*asked again/);
    const said = "The service does not answer. It is tried again.";
    equal(await caption(page), said, "where a map would be");
    const buttons = await page.locator("button:visible").count();
    equal(buttons, 3, "nothing to press but back, forward and light");
    await page.unroute("**/openapi.json");
    await drawn(page);
    equal(await alerted(page), "");
});

test("Enter asks again at once, and Retry-After is obeyed", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true, allow: [/status of 503/] });
    let asked = 0;
    await page.route("**/regions?*", (route) =>
        route.fulfill({
            status: 503,
            headers: { "Retry-After": asked < 2 ? "1000" : "1" },
            json: { title: `The service is busy (${++asked})`, status: 503 },
        }),
    );
    const told = (n) => page.getByText(`(${n})`).first().waitFor();
    await field(page, "count").fill("7");
    await told(1);
    await page.locator("#seed").press("Enter");
    await told(2);
    await field(page, "count").press("Enter");
    await told(3);
    await next(page, () => page.unroute("**/regions?*"));
    match(await caption(page), /^7 countries/);
    await unfold(page);
    await field(page, "mask").press("Enter");
    equal(await field(page, "mask").inputValue(), "\n", "where it is a new line");
});

test("an error hides the map of another generator", async (t) => {
    const page = await visit(t, "/regions?seed=1", { allow: REFUSED });
    await turnTo(page, "/areas?count=0&seed=1");
    await wrong(page, "count");
    equal(await page.locator("#host canvas").count(), 0);
    const [said, host] = [await boxOf(page, "#caption button"), await boxOf(page, "#host")];
    const off = said.x + said.width / 2 - host.x - host.width / 2;
    assert(Math.abs(off) < 1 && said.y < host.y + host.height / 2, "what is wrong is in its place");
    doesNotMatch(await caption(page), /before|countries/);
    equal(await text(page, "#facts"), "");
    equal(await page.locator("#show-json").getAttribute("href"), null);
    await page.evaluate(() => document.querySelector("#theme").click());
    await fill(page, "count", "2");
    match(await caption(page), /^2 areas/);
});

// ---- taking it away ----

test("copied commands make the same map", async (t) => {
    const page = await visit(t, "/islands?width=20&height=20&islands=3,5&seed=o'ak");
    const { id } = await answerOf(page);
    await press(page, "link");
    equal(await pasted(page), page.url());
    for (const name of ["curl GET", "curl POST"]) {
        await press(page, name);
        const { stdout } = await run("sh", ["-c", `${await pasted(page)} -s`]);
        equal(JSON.parse(stdout).id, id, name);
    }
    const url = `${kit.base}/islands?width=20&height=20&islands=3,5&seed=o%27ak`;
    for (const name of ["JS", "Python", "C#", "GDScript"]) {
        await press(page, name);
        assert((await pasted(page)).includes(url), name);
    }
    const raw = await page.locator("#show-json").getAttribute("href");
    equal((await (await fetch(`${kit.base}/${raw}`)).json()).id, id);
});

test("there is a download for every format of every generator", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    for (const path of generators) {
        await walk(page, path === "/puzzle/solve" ? path : `${path}?seed=2`);
        const formats = formatsOf(path);
        const links = page.locator("#downloads a");
        const beside = formats.includes("tmj") ? ["tmj tiles"] : [];
        deepEqual(await links.allTextContents(), [...formats, ...beside]);
        const download = page.waitForEvent("download");
        await links.nth(3).click();
        match((await download).suggestedFilename(), /^[\w-]+\.\w+$/);
    }
});

test("downloads are drawn as asked, which is no part of the address", async (t) => {
    const page = await visit(t, "/regions?seed=1"),
        svg = page.locator("#downloads a", { hasText: "svg" });
    await page.getByText("How downloads are drawn").click();
    await field(page, "scale").fill("3");
    match(await svg.getAttribute("href"), /^regions\.svg\?seed=1&scale=3$/);
    equal(await addressOf(page), "/regions?seed=1");
    for (const [palette, color] of [
        ["print", "#ffffff"],
        ["default", "#eef2f6"],
    ]) {
        await field(page, "palette").selectOption(palette);
        await frames(page);
        equal((await look(page)).at(4, 300), color, `beside the map, ${palette}`);
    }
    await field(page, "scale").fill("2.5");
    equal(await svg.getAttribute("href"), null, "there is no such drawing");
    assert(await page.locator("#many").isDisabled(), "nor twelve");
    const refused = await (await fetch(`${kit.base}/regions.svg?scale=2.5`)).json();
    equal(await text(page, "#field-scale-problem"), refused.errors[0].detail);
    await field(page, "scale").fill("3");
    assert(await page.locator("#many").isEnabled());
    equal(await page.locator("#looks [aria-invalid]").count(), 0);
});

test('the download "as seen" has the place and scale on the screen', async (t) => {
    const page = await visit(t, "/islands?seed=o ak", { still: true });
    const save = async () => {
        const download = page.waitForEvent("download");
        await press(page, "as seen");
        equal((await download).suggestedFilename(), "islands-o-ak-seen.png");
        const file = readFileSync(await (await download).path());
        equal(file.subarray(1, 4).toString(), "PNG");
        return file.toString("base64");
    };
    const whole = await save();
    equal(await save(), whole);
    await page.locator("#host canvas").focus();
    await page.keyboard.press("+");
    await frames(page);
    notEqual(await save(), whole);
});

test("time, size and cache status are shown", async (t) => {
    const page = await visit(t, `/regions?seed=cost${Date.now()}`, { served: true });
    match(
        await text(page, "#cost"),
        /^[\d.]+\u00a0m?s to make, [\d.]+\u00a0m?s in all, 3\.\d\u00a0KB$/,
    );
    match(await text(page, "#facts"), /KB of CBOR.*miss.*make [\d.]+\u00a0ms.*in all/);
    const again = await kit.page(t, { served: true });
    await again.goto(page.url());
    await drawn(again);
    match(await text(again, "#facts"), /hit/);
});

// ---- for everybody ----

test("the page works by keyboard alone", async (t) => {
    const page = await visit(t, "/regions?seed=7");
    const tabTo = async (what) => {
        for (let i = 0; i < 40; i++) {
            await page.keyboard.press("Tab");
            if (await page.evaluate((selector) => document.activeElement.matches(selector), what))
                return;
        }
        assert.fail(`${what} is not reached: at ${await focused(page)}`);
    };
    await page.keyboard.press("Tab");
    equal(await focused(page), "skip");
    await tabTo("nav a[data-path='/areas']");
    await next(page, () => page.keyboard.press("Enter"));
    await tabTo("canvas");
    const before = await look(page);
    await page.keyboard.press("+");
    while ((await look(page)).hash === before.hash); // the map is zoomed by a key, in its own time
    await tabTo("#dice");
    await next(page, () => page.keyboard.press("Enter"));
    await tabTo("#field-width");
    await next(page, () => page.keyboard.press("ArrowUp"));
    equal(await field(page, "width").inputValue(), "73");
    await tabTo("details.more summary");
    await page.keyboard.press("Enter");
    await tabTo("#field-grid");
    await next(page, () => page.keyboard.press("ArrowUp"));
    await tabTo("#field-holes");
    await next(page, () => page.keyboard.press("Space"));
    match(
        await addressOf(page),
        /^\/areas\?width=73&grid=hex&area=1150&holes=false&names=latin&seed=/,
    );
    const outline = await page.evaluate(
        () => getComputedStyle(document.activeElement).outlineStyle,
    );
    equal(outline, "solid", "focus is seen");
});

test("a map is announced when it is complete, and a tip moves with its subject", async (t) => {
    const page = await visit(t, "/regions?seed=7", { still: true });
    equal(await page.locator("#said").getAttribute("role"), "status");
    await page.locator("#said", { hasText: await caption(page) }).waitFor({ state: "attached" });
    await page.locator("#host canvas").focus();
    await page.keyboard.press("ArrowRight");
    const place = () => page.locator(".mw-tip").evaluate(({ style }) => [style.left, style.top]);
    const seen = [await place()];
    for (const key of ["+", "Shift+ArrowRight"]) {
        await page.keyboard.press(key);
        await frames(page);
        seen.push(await place());
    }
    equal(new Set(seen.map(String)).size, 3);
});

const atHome = (page) =>
    page.waitForFunction(() => /stars and/.test(document.querySelector("#caption")?.textContent));

for (const dark of [false, true])
    test(`a checker of accessibility finds nothing, ${dark ? "dark" : "light"}`, async (t) => {
        const page = await visit(t, "/regions?seed=1", { dark, still: true, allow: REFUSED });
        for (const path of generators) {
            await walk(page, path);
            await judge(page, path);
        }
        await page.goto(`${kit.base}/?generator=regions&width=0&grid=x&mask=y&v=99`);
        await page.locator("[aria-invalid]").first().waitFor();
        await judge(page, "with problems");
        await page.goto(kit.base + linkTo("/puzzle/generate?width=6&height=6&seed=3&pack=6"));
        await drawn(page);
        await judge(page, "with a pack");
        await page.goto(`${kit.base}/`);
        await atHome(page);
        await judge(page, "what is seen first");
    });

test("light or dark as the system has it or as chosen; print shows the map alone", async (t) => {
    const page = await visit(t, "/regions?seed=7", { dark: true, width: 850, height: 1200 });
    const paper = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const [dark, picture] = [await paper(), await look(page)];
    await page.locator("#theme").click();
    const light = await paper();
    notEqual(light, dark);
    notEqual((await look(page)).hash, picture.hash, "the map as well");
    await page.reload();
    await drawn(page);
    equal(await paper(), light, "it is kept");
    await page.emulateMedia({ media: "print" });
    equal(await page.locator("button:visible, input:visible").count(), 0);
    assert(await page.locator("#caption").isVisible());
    assert(await page.locator("#cost").isHidden());
    const { width, height } = await boxOf(page, "#host canvas");
    assert(width > 800 && height > 1000, `${width} by ${height}: a sheet`);
});

// ---- sizes of screens ----

const TARGETS = "button, select, textarea, summary, nav a, .button, input:not([type=range])";

/* Targets that are smaller than so many pixels. */
const smallTargets = (page, least) =>
    page.locator(TARGETS).evaluateAll(
        (all, size) =>
            all
                .map((one) => [one.id || one.textContent, one.getBoundingClientRect()])
                .filter(([, { width, height }]) => width && (width < size || height < size))
                .map(([name, { width, height }]) => `${name}: ${width} by ${height}`),
        least,
    );

/* The share of the stage's canvas between the left and the right, and the upper and the lower end of
   what is not its background. */
async function filled(page) {
    const { at } = await look(page, "#host canvas");
    const { width, height } = await boxOf(page, "#host canvas");
    const back = at(2, 2);
    const spots = [];
    for (let y = 2; y < height - 80; y += 6)
        for (let x = 2; x < width; x += 6) if (at(x, y) !== back) spots.push([x, y]);
    const span = (k) => {
        const all = spots.map((spot) => spot[k]);
        return Math.max(...all) - Math.min(...all);
    };
    return { across: span(0) / width, area: (span(0) * span(1)) / (width * height) };
}

for (const [name, size] of Object.entries({
    desktop: { width: 1440, height: 900 },
    laptop: { width: 1280, height: 720 },
    tablet: { width: 820, height: 1180, touch: true },
    phone: PHONE,
}))
    test(`a ${name} has the map, its caption and its downloads in place`, async (t) => {
        const page = await visit(t, "/puzzle/generate?width=8&height=8&seed=1", size);
        const { across, area } = await filled(page);
        if (name === "phone") assert(across >= 0.94, `the board has ${across} of the width`);
        for (const path of ["/puzzle/generate", "/regions?seed=1&width=40&height=30", "/areas"]) {
            await walk(page, path);
            assert((await boxOf(page, "#caption")).width >= 200, path);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert(wide <= size.width, `${path} is ${wide} wide`);
            const share = (await filled(page)).area;
            if (name === "tablet") assert(share >= 0.6, `${path} fills ${share} of the stage`);
        }
        const tools = await boxOf(page, ".mw-tools");
        assert(tools.height < 60, "one row of buttons");
        if (size.touch) {
            deepEqual(await smallTargets(page, 44), []);
            assert((await boxOf(page, "#panel")).width === size.width, "one column");
            return;
        }
        assert(area > 0.3, `${area}`);
        const [panel, last] = [await boxOf(page, "#panel"), await boxOf(page, "#downloads")];
        assert(last.y + last.height - panel.y <= 400, `${last.y + last.height - panel.y}`);
    });

test("on a phone, Another seed and Copy address are on the map", async (t) => {
    const another = (page) => page.getByRole("button", { name: "Another seed" });
    const page = await visit(t, "/regions?seed=7", PHONE);
    await next(page, () => another(page).click());
    equal(await page.evaluate(() => scrollY), 0);
    notEqual(await page.locator("#seed").inputValue(), "7");
    await press(page, "Copy address");
    equal(await pasted(page), page.url());
    await walk(page, "/puzzle/generate");
    equal(await another(page).count(), 0, "Next does it");
    await page.setViewportSize({ width: 1280, height: 800 });
    await walk(page, "/regions");
    equal(await another(page).count(), 0, "it is beside the map");
    for (const [width, x] of [
        [901, 497],
        [900, 0],
    ]) {
        await page.setViewportSize({ width, height: 800 });
        equal((await boxOf(page, "#panel")).x, x, "one column at 900 pixels");
    }
});

test("on the smallest phone nothing scrolls sideways, and the focus is visible", async (t) => {
    const page = await visit(t, "/regions?seed=7", { ...PHONE, width: 320, height: 780, scale: 2 });
    for (const path of generators) {
        await walk(page, path);
        await unfold(page);
        equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, path);
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        const first = page.locator("#form input, #form textarea").first();
        await first.focus();
        const [top, strip] = [await first.boundingBox(), await boxOf(page, "#strip")];
        assert(top.y >= strip.y + strip.height, path);
    }
    await page.setViewportSize({ width: 320, height: 568 });
    await frames(page);
    const { height } = await boxOf(page, "#host");
    assert(height > 400, "where the map goes out of sight it may be large");
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const { y } = await boxOf(page, "#host");
    assert(y + height < 0, "and it does");
});

// ---- the first minute, and what it costs ----

test("the first visit shows a world within 12 requests and 200,000 bytes", async (t) => {
    const page = await kit.page(t);
    const replies = [];
    page.on("response", (reply) => replies.push(reply));
    await page.goto(`${kit.base}/`);
    await atHome(page);
    const files = replies.filter((reply) => !/\.wasm$/.test(reply.url()));
    let bytes = 0;
    for (const reply of files) {
        const { responseBodySize, responseHeadersSize } = await reply.request().sizes();
        const packed = reply.headers()["content-encoding"];
        assert(responseBodySize < 900 || packed, `${reply.url()} is coded`);
        bytes += responseBodySize + responseHeadersSize;
    }
    t.diagnostic(`${replies.length} requests, ${bytes} bytes without the module`);
    assert(replies.length <= 12, `${replies.length} requests`);
    assert(bytes <= 200_000, `${bytes} bytes`);
    await page.getByText("The same seed, the same map, for ever.").waitFor();
    const first = await page.locator("#open-world").getAttribute("href");
    await press(page, "Roll another world");
    await page.waitForFunction(
        (was) => document.querySelector("#open-world").getAttribute("href") !== was,
        first,
    );
    deepEqual(await page.locator("#kinds a").allTextContents(), [
        ...["Countries", "Land", "Sky islands", "Star lanes", "Puzzles", "Solver"],
    ]);
    await page.locator("#open-world").click();
    await drawn(page);
    match(await selfOf(page), /^\/starlanes\?.*positions=\/regions/);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.locator("#to-home").click();
    await page.waitForFunction(() => document.querySelector("#caption")?.textContent);
    match(
        await caption(page),
        /stars and/,
        "where motion is not wanted, all of it is there at once",
    );
});
