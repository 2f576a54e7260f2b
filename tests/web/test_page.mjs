// test_page.mjs: the page at /: form, address, answers, problems; for eyes, keys, fingers and
// screen readers.
import assert from "node:assert";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { look, open, require, shot } from "./kit.mjs";

// By its text, as older Node takes a file that ends in .js for another kind of module.
const scale = readFileSync(new URL("../../src/web/choose/scale.js", import.meta.url), "utf8");
const { fromPlace, nudged, STEPS, toPlace } = await import(
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

/* Canvases are drawn frame by frame. */
const frames = (page) =>
    page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );

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
const linkTo = (address) => (address ? `/?generator=${address.slice(1).replace("?", "&")}` : "/");

/* All parameters, where there is a page to remember that. */
const unfold = (page) =>
    page.addInitScript(() => {
        if (location.protocol !== "about:") localStorage.setItem("unfolded", "true");
    });

async function visit(t, address, options) {
    const page = await kit.page(t, options);
    await unfold(page);
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

const selfOf = (page) => page.locator("#facts a").getAttribute("href");
const answerOf = async (page) => (await fetch(kit.base + (await selfOf(page)))).json();
const field = (page, name) => page.locator(`#field-${name}`);
const pasted = (page) => page.evaluate(() => navigator.clipboard.readText());

// ---- maps ----

for (const path of generators)
    test(`${path} is drawn`, async (t) => {
        const page = await visit(t, path);
        const seen = await look(page);
        assert(seen.colours > 3, `${seen.colours} colours`);
        assert((await page.locator("#caption").textContent()).length > 10, "and put into words");
        const properties = propertiesOf(path);
        const { parameters } = await answerOf(page);
        assert.strictEqual(
            await page.locator("#form .field").count(),
            Object.keys(parameters).length,
        );
        for (const name of Object.keys(parameters)) {
            const control = field(page, name);
            assert.strictEqual(await control.count(), 1, `a control for ${name}`);
            const help = await control.getAttribute("aria-describedby");
            const text = await page.locator(`#${help.split(" ")[0]}`).textContent();
            assert.strictEqual(text, properties[name].description.replaceAll("`", ""));
        }
        const [map, panel] = [
            await page.locator("#host").boundingBox(),
            await page.locator("#panel").boundingBox(),
        ];
        assert.strictEqual(map.x + map.width, panel.x, "beside each other");
        await shot(page, `page${path.replaceAll("/", "-")}`);
    });

test("a link opens the same picture", async (t) => {
    const page = await visit(t, "/regions?width=30&count=9&seed=beech");
    const [first, link] = [await look(page), page.url()];
    await next(page, () => page.locator("#dice").click());
    assert.notStrictEqual((await look(page)).hash, first.hash, "another seed, another picture");
    const other = await kit.page(t);
    await other.goto(link);
    await drawn(other);
    assert.strictEqual((await look(other)).hash, first.hash);
});

test("back and forward lead through the seeds", async (t) => {
    const page = await visit(t, "/areas?seed=1"),
        hashes = [await addressOf(page)];
    for (let i = 0; i < 2; i++) {
        await next(page, () => page.locator("#dice").click());
        hashes.push(await addressOf(page));
    }
    assert.strictEqual(new Set(hashes).size, 3);
    for (const hash of [hashes[1], hashes[0]]) {
        await next(page, () => page.goBack());
        assert.strictEqual(await addressOf(page), hash);
    }
    await next(page, () => page.goForward());
    assert.strictEqual(await page.locator("#seed").inputValue(), hashes[1].match(/seed=(\w+)/)[1]);
});

test("sliding is one step in the history, and only what differs is in the address", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    const steps = await page.evaluate(() => history.length);
    const slider = page.getByRole("slider", { name: "Count" });
    await slider.focus();
    for (let i = 0; i < 3; i++) await next(page, () => page.keyboard.press("ArrowRight"));
    assert.strictEqual(await addressOf(page), "/regions?count=9&seed=1");
    assert.strictEqual(await page.evaluate(() => history.length), steps + 1);
    for (let i = 0; i < 3; i++) await next(page, () => page.keyboard.press("ArrowLeft"));
    assert.strictEqual(await addressOf(page), "/regions?seed=1", "the default again");
});

test("the map follows a slider however slow it is: one request at a time, the newest next", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true });
    const asked = [],
        failed = [];
    let underWay = 0,
        most = 0;
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
            captions = new Set(),
            caption = () => document.querySelector("#caption").textContent;
        for (let count = 10; count < 40; count++) {
            box.value = count;
            box.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((done) => setTimeout(done, 50));
            captions.add(caption());
        }
        return captions.size;
    });
    await page.getByText(/^39 countries/).waitFor();
    assert.strictEqual(most, 1, "one at a time");
    assert.deepStrictEqual(failed, [], "none is given up");
    assert(seen >= 3, `${seen} maps were seen on the way`);
    assert(asked.length < 15, `${asked.length} requests`);
    assert.deepStrictEqual(
        asked,
        [...asked].sort((a, b) => a - b),
    );
    assert.strictEqual(asked.at(-1), 39);
});

test("old links, with the state behind #, still work, and so do states too long for a query", async (t) => {
    const page = await kit.page(t);
    await page.goto(`${kit.base}/#/regions?count=7&seed=3`);
    await drawn(page);
    assert.match(await page.locator("#caption").textContent(), /^7 countries/);
    assert.strictEqual(await addressOf(page), "/regions?count=7&seed=3");
    await page.evaluate(() => {
        location.hash = "#/areas?count=2&seed=3";
    });
    await page.getByText(/^2 areas/).waitFor();
    const mask = Array(90).fill("#".repeat(90)).join("/");
    await turnTo(page, `/regions?mask=${encodeURIComponent(mask)}&seed=1`);
    await page.getByText(/^6 countries on 90 by 90/).waitFor();
    assert.match(await page.evaluate(() => location.href), /\/#\/regions\?mask=/);
    await page.reload();
    await page.getByText(/^6 countries on 90 by 90/).waitFor();
});

test("the map follows a slider, and the last answer stands", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true }),
        asked = [];
    page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (pathname === "/regions") asked.push(pathname);
    });
    const slider = page.getByRole("slider", { name: "Count" });
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
    await page.mouse.down();
    for (let i = 20; i <= 40; i++)
        await page.mouse.move(box.x + (box.width * i) / 100, box.y + box.height / 2);
    await page.mouse.up();
    const count = await field(page, "count").inputValue();
    await page.waitForFunction(
        (last) => document.querySelector("#facts a").href.includes(`&count=${last}&`),
        count,
    );
    assert.strictEqual(await addressOf(page), `/regions?count=${count}&seed=1`);
    assert.match(await page.locator("#caption").textContent(), new RegExp(`^${count} countries`));
    assert(asked.length > 0 && asked.length <= 22, "one request a movement at most");
});

test("an answer that comes late is dropped: a step back does not wait for it", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true });
    let release;
    const released = new Promise((done) => {
        release = done;
    });
    await page.route("**/regions?*count=7*", async (route) => {
        await released;
        await route.continue().catch(() => {}); // nobody waits for it any more
    });
    const asked = page.waitForRequest(/count=7/);
    await field(page, "count").fill("7");
    await asked;
    await next(page, () => turnTo(page, "/regions?count=8&seed=1"));
    release();
    await next(page, () => field(page, "width").fill("41"));
    assert.match(await page.locator("#caption").textContent(), /^8 countries/);
});

// ---- large maps ----

test("large answers are read and worked out aside: the page itself does neither", async (t) => {
    const page = await kit.page(t);
    await page.addInitScript(() => {
        globalThis.parsed = 0;
        const { parse } = JSON;
        JSON.parse = (text, ...rest) => {
            globalThis.parsed = Math.max(globalThis.parsed, text.length);
            return parse(text, ...rest);
        };
    });
    await page.goto(`${kit.base}/?generator=areas&seed=1`);
    await drawn(page);
    await page.evaluate(async () => {
        globalThis.worked = [];
        const { World } = await import("/web/draw/world.js");
        for (const name of ["measureInland", "castShadows", "findWay", "halve", "gather"])
            World.prototype[name] = () => globalThis.worked.push(name);
        const { arrayBuffer } = Response.prototype;
        Response.prototype.arrayBuffer = async function () {
            const whole = await arrayBuffer.call(this);
            if (whole.byteLength > 1e6) globalThis.worked.push("put in one piece");
            return whole;
        };
    });
    await next(page, () =>
        turnTo(page, "/islands?width=1100&height=1100&islands=1000,90000&iterations=4&seed=1"),
    );
    assert.match(await page.locator("#caption").textContent(), /in a sky of 1,?100 by/);
    assert((await look(page)).colours > 5);
    await page.getByRole("button", { name: "In three dimensions" }).click();
    await frames(page);
    assert((await look(page)).colours > 5);
    assert.deepStrictEqual(await page.evaluate(() => globalThis.worked), []);
    assert((await page.evaluate(() => globalThis.parsed)) < 1000, "no answer, however small");
    assert.strictEqual(page.workers().length, 1);
    await page.getByRole("button", { name: "Show JSON" }).click();
    assert.match(await page.locator("#json-text").textContent(), /^\{\n {2}"id": ".*…$/s);
});

test("what is handed over between threads is not copied", async (t) => {
    const page = await kit.page(t, { served: true });
    await page.addInitScript(() => {
        globalThis.copied = 0;
        const Real = globalThis.Worker;
        globalThis.Worker = class extends Real {
            postMessage(message, handed) {
                if (!message.chunks?.every(({ buffer }) => handed?.includes(buffer)))
                    globalThis.copied++;
                super.postMessage(message, handed);
            }
            addEventListener(type, listen) {
                super.addEventListener(type, (event) => {
                    const count = (value) =>
                        Array.isArray(value)
                            ? value.length
                            : ArrayBuffer.isView(value) || !value || typeof value !== "object"
                              ? 0
                              : Math.max(0, ...Object.values(value).map(count));
                    if (type === "message") globalThis.longest = count(event.data);
                    listen(event);
                });
            }
        };
    });
    for (const address of [
        "/regions?width=300&height=300&count=3000&seed=1",
        "/areas?width=60&height=60&area=2000&algorithm=dfs-backtrack&holes=false&seed=1",
        "/islands?width=300&height=300&islands=100,9000&seed=1",
        "/starlanes?stars=3000&graphs=true&seed=1",
    ]) {
        await page.goto(kit.base + linkTo(address.replace("seed=1", "seed=2")));
        await drawn(page);
        await page.workers()[0].evaluate(() => {
            const left = (value) =>
                ArrayBuffer.isView(value)
                    ? value.buffer.byteLength
                    : value && typeof value === "object"
                      ? Object.values(value).reduce((sum, one) => sum + left(one), 0)
                      : 0;
            const real = globalThis.postMessage.bind(globalThis);
            globalThis.postMessage = (read, handed) => {
                real(read, handed);
                globalThis.kept = left(read);
            };
        });
        await next(page, () => turnTo(page, address));
        assert.strictEqual(await page.workers()[0].evaluate(() => globalThis.kept), 0, address);
        const [copied, longest] = await page.evaluate(() => [
            globalThis.copied,
            globalThis.longest,
        ]);
        assert.strictEqual(copied, 0);
        assert(longest < 100, `${address}: a list of ${longest} that is no array of numbers`);
    }
});

// ---- what takes long ----

/* Asked for so that no machine is quick enough to answer it directly. */
async function slowly(page) {
    await page.route(/(islands|regions)\?.*4096/, (route) =>
        route.continue({ headers: { ...route.request().headers(), prefer: "respond-async" } }),
    );
}
/* A second or more; its rounds are told one by one. */
const HOPEFUL = "/islands?width=4096&height=4096&iterations=1000&islands=1000,90000&seed=";
const ENDLESS = "/regions?width=4096&height=4096&count=20000&seed="; /* ten times that */

const underWay = async () =>
    Number(
        (await (await fetch(`${kit.base}/metrics`)).text()).match(/mapwright_operations (\d+)/)[1],
    );

async function nothingUnderWay() {
    for (let i = 0; (await underWay()) > 0; i++) {
        assert(i < 500, "it is still being made");
        await new Promise((done) => setTimeout(done, 20));
    }
}

async function working(page, address) {
    await slowly(page);
    await turnTo(page, address);
    await page.locator("#work").waitFor();
}

test("a map that takes long tells what it is, how far and for how long", async (t) => {
    const page = await visit(t, "/islands?seed=1");
    assert(!(await page.locator("#work").isVisible()), "nothing of the kind for a quick one");
    await working(page, `${HOPEFUL}11`);
    const name = await page.locator("#work-name").textContent();
    assert.match(name, /^islands, width 4096, height 4096, iterations 1000, .*, seed 11$/);
    assert.strictEqual(await page.locator("#said").textContent(), `Making ${name}`);
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
    assert.deepStrictEqual(
        bars,
        [...bars].sort((a, b) => a - b),
        "it never goes back",
    );
    assert(new Set(bars).size >= 3, `${bars}`);
    assert.match(told.at(-1)[1], /^\d+ %, \d+\.\d s$/);
    await drawn(page);
    assert.match(await page.locator("#caption").textContent(), /4096 by 4096/);
    assert.match(await page.locator("#cost").textContent(), /to make/);
});

test("Cancel ends the work, and the map from before stays", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    const before = await look(page);
    await working(page, `${ENDLESS}12`);
    assert.strictEqual(await underWay(), 1);
    await shot(page, "page-slow");
    await page.locator("#work-end").focus();
    await page.keyboard.press("Enter");
    await page.locator("#work").waitFor({ state: "hidden" });
    await nothingUnderWay();
    const said = "Cancelled. This is the map from before. Ask again";
    assert.strictEqual(await page.locator("#caption").textContent(), said);
    assert.strictEqual((await look(page)).hash, before.hash);
    assert.strictEqual(await page.evaluate(() => document.activeElement.id), "panel");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.locator("#work").waitFor();
    assert.strictEqual(await underWay(), 1);
    await walk(page, "/regions?seed=5");
});

test("Cancel where there was no map says so in its place, and how to ask again", async (t) => {
    const page = await visit(t, "/islands?seed=1");
    await working(page, `${ENDLESS}14`);
    await page.locator("#work-end").click();
    await page.locator("#host:not(:has(canvas))").waitFor({ state: "attached" });
    assert.strictEqual(await page.locator("#caption").textContent(), "Cancelled. Ask again");
    const [stage, said] = [
        await page.locator("#host").boundingBox(),
        await page.locator("#caption").boundingBox(),
    ];
    assert(said.y > stage.y && said.y + said.height < stage.y + stage.height, "on the stage");
    await shot(page, "page-cancelled");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.locator("#work-end").click();
    await nothingUnderWay();
});

for (const [what, leave] of [
    ["another question", (page) => walk(page, "/regions?seed=6")],
    ["leaving the page", (page) => page.goto("about:blank")],
])
    test(`${what} ends the work of the one before`, async (t) => {
        const page = await visit(t, "/islands?seed=1");
        await working(page, `${ENDLESS}13`);
        assert.strictEqual(await underWay(), 1);
        await leave(page);
        await nothingUnderWay();
    });

test("what cannot be made after all says why", async (t) => {
    const page = await visit(t, "/islands?seed=1", { allow: REFUSED });
    await page.route("**/puzzle/generate?*", (route) =>
        route.continue({ headers: { ...route.request().headers(), prefer: "respond-async" } }),
    );
    await turnTo(page, "/puzzle/generate?width=30&height=30&colors=4&seed=1");
    await page.locator("#field-colors[aria-invalid]").waitFor();
    assert(!(await page.locator("#work").isVisible()));
});

test("a seed may be any words", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    await page.locator("#seed").fill("");
    await page.locator("#seed").pressSequentially("two words & a%sign");
    await page.waitForFunction(() =>
        document.querySelector("#facts a").href.endsWith("seed=two%20words%20%26%20a%25sign"),
    );
    await frames(page);
    assert.strictEqual(await page.locator("#seed").inputValue(), "two words & a%sign");
    const picture = await look(page);
    assert.match(await addressOf(page), /seed=two words & a%sign$/);
    await page.reload();
    await drawn(page);
    assert.strictEqual((await look(page)).hash, picture.hash);
});

test("the title shows a seed without what controls how text is shown", async (t) => {
    const seed = encodeURIComponent("a\u0007\u0085\u061c\u200e\u202e\u2067b é");
    const page = await visit(t, `/regions?seed=${seed}`);
    assert.strictEqual(await page.title(), "Countries ab é · Mapwright");
});

test("defaults again", async (t) => {
    const { version } = await (await fetch(`${kit.base}/regions?seed=5`)).json();
    const page = await visit(t, `/regions?count=9&roughness=0.2&v=${version}&seed=5`);
    await next(page, () => page.locator("#defaults").click());
    assert.strictEqual(await addressOf(page), "/regions?seed=5");
    assert(await page.locator("#defaults").isDisabled());
    await next(page, () => page.goBack());
    assert.strictEqual(await field(page, "count").inputValue(), "9");
});

test("the seed stays while it is locked", async (t) => {
    const page = await visit(t, "/regions?seed=7");
    await next(page, () => field(page, "count").fill("8"));
    assert.strictEqual(await addressOf(page), "/regions?count=8&seed=7");
    await page.locator("#lock").click();
    assert.strictEqual(await page.locator("#lock").getAttribute("aria-pressed"), "false");
    await next(page, () => field(page, "count").fill("9"));
    assert.match(await addressOf(page), /count=9&seed=(?!7$)\d+$/);
});

test("a value that is left open shows what became of it", async (t) => {
    const page = await visit(t, "/areas?width=30&height=30&seed=1");
    assert.strictEqual(await field(page, "area").inputValue(), "");
    assert.strictEqual(await field(page, "area").getAttribute("placeholder"), "261");
    assert(!(await addressOf(page)).includes("area="));
});

test("choices, switches, lists and rows reach the service", async (t) => {
    const page = await visit(t, "/areas?seed=1");
    const parameters = async () => (await answerOf(page)).parameters;
    await next(page, () => page.locator(".segments label", { hasText: "hex" }).click());
    await next(page, () => field(page, "holes").uncheck());
    await next(page, () => field(page, "algorithm").selectOption("mixed"));
    await next(page, () => field(page, "mask").fill("####\n####\n.##.\n"));
    assert.deepStrictEqual(await parameters(), {
        width: 4,
        height: 3,
        grid: "hex",
        wrap: "none",
        mask: ["####", "####", ".##."],
        area: 1,
        count: 1,
        edge: "sea",
        algorithm: "mixed",
        ratio: 0.75,
        first: 0.25,
        burst: 0.1,
        holes: false,
        names: "none",
    });
});

test("a mask too long for an address is posted", async (t) => {
    const mask = Array(90).fill("#".repeat(90)).join("/");
    const page = await kit.page(t);
    await page.goto(`${kit.base}/#/regions?mask=${encodeURIComponent(mask)}&seed=1`);
    await drawn(page);
    assert.match(await page.locator("#caption").textContent(), /90/);
    const svg = await page.locator("#downloads a", { hasText: "svg" }).getAttribute("href");
    assert.match(svg, /^maps\/[0-9a-f-]{36}\.svg$/);
    assert.strictEqual((await fetch(`${kit.base}/${svg}`)).status, 200);
});

test("the form follows the document alone", async (t) => {
    const page = await kit.page(t, { allow: REFUSED });
    await unfold(page);
    const own = structuredClone(api);
    const { AreasRequest, AreasAnswer } = own.components.schemas;
    AreasRequest.properties.wobble = {
        description: "How far.",
        type: "integer",
        minimum: 1,
        maximum: 9,
        default: 3,
    };
    AreasAnswer.properties.parameters.properties.wobble = {};
    await page.route("**/openapi.json", (route) => route.fulfill({ json: own }));
    await page.goto(`${kit.base}/?generator=areas&seed=1`);
    await drawn(page);
    assert.strictEqual(await field(page, "wobble").inputValue(), "3");
    await field(page, "wobble").fill("5");
    await page.locator("#field-wobble[aria-invalid]").waitFor();
    const said = await page.locator("#field-wobble-problem").textContent();
    assert.match(said, /\w/, "the service has no such parameter, and says so there");
});

// ---- masks ----

test("with a mask, width and height show the mask's, and are not asked for", async (t) => {
    const page = await visit(t, "/regions?mask=######/######/######&seed=1".replaceAll("#", "%23"));
    const shown = (name) =>
        field(page, name).evaluate((box) => [
            box.value,
            box.placeholder,
            box.value || box.placeholder,
        ]);
    assert.deepStrictEqual(await shown("width"), ["", "6", "6"]);
    assert.deepStrictEqual(await shown("height"), ["", "3", "3"]);
    const slider = page.getByRole("slider", { name: "Width" });
    assert.strictEqual(await slider.getAttribute("aria-valuetext"), "6");
    await next(page, () => field(page, "count").fill("2"));
    assert.strictEqual(await addressOf(page), "/regions?count=2&mask=######/######/######&seed=1");
    await next(page, () => field(page, "mask").fill(""));
    assert.deepStrictEqual(await shown("width"), ["40", "40", "40"]);
    await next(page, () => field(page, "width").fill("41"));
    assert.deepStrictEqual(await shown("width"), ["41", "40", "41"], "what is given stays");
});

const masked = async (page) => (await answerOf(page)).parameters.mask;

test("a mask is painted with the mouse: land, water, brushes, undo", async (t) => {
    const page = await visit(t, "/regions?width=20&height=10&grid=square&seed=1");
    await page.getByRole("button", { name: "Paint a mask" }).click();
    assert.match(
        await page.locator("#caption").textContent(),
        /mask of 20 by 10 squares with 200 cells/,
    );
    const press = (name) => page.getByRole("button", { name, exact: true }).click();
    const box = await page.locator("#host canvas").boundingBox();
    const scale = Math.min((box.width - 40) / 20, (box.height - 82) / 10, 90);
    const place = (x, y) => [
        box.x + box.width / 2 + (x + 0.5 - 10) * scale,
        box.y + 20 + (box.height - 82) / 2 + (y + 0.5 - 5) * scale,
    ];
    const drag = async (...cells) => {
        await page.mouse.move(...place(...cells[0]));
        await page.mouse.down();
        for (const cell of cells.slice(1)) await page.mouse.move(...place(...cell));
        await page.mouse.up();
    };
    // In what is all land the brush is one of water to begin with.
    for (let i = 0; i < 4; i++) await press("Next brush"); // 5, 9, 17, 33, and around to 1
    await drag([0, 4], [19, 4]); // one quick movement leaves no gap
    assert.match(await page.locator("#caption").textContent(), /180 cells/);
    await press("Land");
    await drag([3, 4], [5, 4]);
    await press("Next brush");
    await press("Water");
    await drag([10, 8], [10, 8]);
    assert.match(await page.locator("#caption").textContent(), /with 174 cells/);
    await press("Undo");
    assert.match(await page.locator("#caption").textContent(), /with 183 cells/);
    await shot(page, "page-mask");
    const lines = (await field(page, "mask").inputValue()).split("\n");
    await next(page, () => press("Done"));
    assert.strictEqual(await page.evaluate(() => document.activeElement.id), "paint");
    const rows = Array(10).fill("#".repeat(20));
    rows[4] = "...###..............";
    assert.deepStrictEqual(await masked(page), rows);
    assert.deepStrictEqual(lines, rows, "each stroke was in the form");
    assert.match(await page.locator("#caption").textContent(), /^6 countries/);
    await page.getByRole("button", { name: "Paint a mask" }).click();
    assert.match(
        await page.locator("#caption").textContent(),
        /with 183 cells/,
        "it is gone on with",
    );
    for (let i = 0; i < 4; i++) await press("Next brush");
    await drag([0, 4], [1, 4]);
    assert.match(await page.locator("#caption").textContent(), /with 185 cells/, "by land");
    await press("All land");
    await next(page, () => press("Done"));
    assert.strictEqual(await masked(page), null, "all land is no mask");
});

test("a mask is painted by keys, and told", async (t) => {
    const page = await visit(t, "/areas?width=9&height=5&area=3&seed=1");
    await page.getByRole("button", { name: "Paint a mask" }).click();
    await page.locator("#host canvas").focus();
    const spoken = () => page.locator(".mw-spoken").textContent();
    for (const key of ["b", "b", "b", "b", "w", "ArrowLeft"]) await page.keyboard.press(key);
    assert.strictEqual(await spoken(), "row 3, column 5: land");
    await page.keyboard.press(" ");
    assert.strictEqual(await spoken(), "row 3, column 5: water, the brush is down");
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowLeft"); // and stays within the map
    await page.keyboard.press(" ");
    assert.strictEqual(await spoken(), "row 3, column 1: water");
    await next(page, () => page.keyboard.press("Enter"));
    assert.deepStrictEqual(await masked(page), [
        "#########",
        "#########",
        ".....####",
        "#########",
        "#########",
    ]);
});

test("the mask on the stage stays when the colours change, and ends with the next map", async (t) => {
    const page = await visit(t, "/regions?width=20&height=10&seed=1");
    await page.getByRole("button", { name: "Paint a mask" }).click();
    await page.getByRole("button", { name: "All water" }).click();
    const said = await page.locator("#caption").textContent();
    assert.match(said, /with 0 cells/);
    await page.locator("#theme").click();
    assert.strictEqual(await page.locator("#caption").textContent(), said);
    await next(page, () => turnTo(page, "/regions?count=3&seed=2"));
    assert.match(await page.locator("#caption").textContent(), /^3 countries/);
    assert.strictEqual(await page.getByRole("button", { name: "Done" }).count(), 0);
    await walk(page, "/starlanes?seed=1");
    assert(await page.locator("#paint").isHidden(), "stars have no mask");
});

// ---- seeds to choose from ----

test("twelve seeds to choose from: their pictures come one by one, and one is taken", async (t) => {
    const page = await visit(t, "/regions?count=9&seed=1", { dark: true });
    const asked = [];
    let underWay = 0,
        most = 0;
    await page.route("**/regions.png?*", async (route) => {
        most = Math.max(most, ++underWay);
        asked.push(new URL(route.request().url()).searchParams);
        await new Promise((done) => setTimeout(done, 20));
        underWay--;
        await route.continue();
    });
    await page.getByRole("button", { name: "Twelve seeds" }).click();
    await page.waitForFunction(() => {
        const pictures = [...document.querySelectorAll("#gallery img")];
        return pictures.length === 12 && pictures.every((one) => one.naturalWidth > 0);
    });
    await shot(page, "page-gallery");
    for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 780 });
        const boxes = await page
            .locator("#gallery-seeds img")
            .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
        const apart = (a, b) =>
            a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        boxes.forEach((a, i) =>
            boxes.slice(i + 1).forEach((b) => assert(apart(a, b), `${width}: they lie apart`)),
        );
    }
    assert.strictEqual(new Set(asked.map((one) => one.get("seed"))).size, 12);
    for (const one of asked)
        assert.deepStrictEqual(
            ["count", "theme", "labels"].map((name) => one.getAll(name)),
            [["9"], ["dark"], ["false"]],
        );
    assert.strictEqual(most, 1, "one at a time");
    await judge(page, "with the gallery");
    const before = asked.map((one) => one.get("seed"));
    await page.getByRole("button", { name: "Twelve others" }).click();
    await page.waitForFunction(
        (old) => !old.includes(document.querySelector("#gallery-seeds span").textContent),
        before,
    );
    const seed = await page.locator("#gallery-seeds span").nth(4).textContent();
    await page.locator("#gallery-seeds button").nth(4).focus();
    await next(page, () => page.keyboard.press("Enter"));
    assert(await page.locator("#gallery").isHidden());
    assert.strictEqual(await addressOf(page), `/regions?count=9&seed=${seed}`);
    await next(page, () => page.goBack());
    assert.strictEqual(await addressOf(page), "/regions?count=9&seed=1");
});

test("seeds that make no map cannot be taken, and closing ends the asking", async (t) => {
    const page = await visit(t, "/areas?seed=1", { allow: REFUSED });
    let asked = 0,
        held;
    await page.route("**/areas.png?*", (route) => {
        asked++;
        if (asked === 1) return route.fulfill({ status: 422, body: "" });
        if (asked === 3) return void (held = route);
        return route.continue();
    });
    await page.getByRole("button", { name: "Twelve seeds" }).click();
    await page.locator("#gallery-seeds button:disabled").getByAltText("no picture").waitFor();
    while (!held) await frames(page);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector("#gallery-seeds button"));
    const last = page.waitForResponse(/areas\.png/);
    await held.continue();
    await last;
    await next(page, () => page.locator("#dice").click());
    assert.strictEqual(asked, 3);
});

// ---- puzzles ----

test("a board goes from the generator to the solver", async (t) => {
    const page = await visit(t, "/puzzle/generate?width=6&height=6&seed=3");
    await next(page, () => page.getByRole("button", { name: "Take it to the solver" }).click());
    const hash = await addressOf(page);
    assert.match(hash, /^\/puzzle\/solve\?grid=[^&]+&rule=strict$/, "with its rule, and no seed");
    const made = await fetch(`${kit.base}/puzzle/generate?width=6&height=6&seed=3`).then((reply) =>
        reply.json(),
    );
    assert.strictEqual(await field(page, "grid").inputValue(), made.result.grid.join("\n"));
    assert(await page.locator("#seeds").isHidden());
});

test("a map is built on another, and each step of the trail is edited within the whole", async (t) => {
    const page = await visit(t, "/areas?width=30&height=20&seed=4");
    assert(await page.locator("#trail").isHidden(), "one map is no trail");
    await next(page, () => page.getByRole("button", { name: "Countries: mask" }).click());
    assert.match(
        await addressOf(page),
        /^\/regions\?mask=\/areas\?width=30&height=20&seed=4&seed=/,
    );
    const steps = () => page.locator("#trail a").allTextContents();
    assert.deepStrictEqual(await steps(), ["Land", "Countries"]);
    await next(page, () => page.locator("#trail a").first().click());
    await next(page, () => page.locator("#seed").fill("9"));
    assert.match(await selfOf(page), /^\/areas\?.*seed=9$/, "the lower map, alone");
    await page.waitForFunction(() => location.hash === "#mask" && /seed%3D9/.test(location.search));
    assert.deepStrictEqual(await steps(), ["Land", "Countries"]);
    await page.reload();
    await drawn(page);
    assert.match(await selfOf(page), /^\/areas\?.*seed=9$/, "the link holds where one was");
    await next(page, () => page.locator("#trail a").last().click());
    const { parameters } = await answerOf(page);
    assert.match(parameters.mask, /^\/areas\?.*width=30.*seed=9$/);
    assert.strictEqual(parameters.width, 30);
});

/* Colours of some thousand places of what is drawn. */
async function coloursOf(page) {
    const { at, width, height } = await look(page, "#host canvas"),
        found = new Set();
    for (let y = 2; y < height; y += 7) for (let x = 2; x < width; x += 7) found.add(at(x, y));
    return found;
}

test("a choice is shown as the ground has it, until another is made", async (t) => {
    const below = encodeURIComponent("/regions?seed=3"),
        page = await visit(t, `/areas?mask=${below}&area=80&seed=1`),
        choose = (name) => page.locator("#field-grid label", { hasText: name }).click();
    assert(await page.locator("#field-grid-hex").isChecked());
    await next(page, () => choose("square"));
    assert.match(await selfOf(page), /grid=square/);
    await next(page, () => page.locator("#seed").fill("2"));
    assert.match(await selfOf(page), /grid=square.*&seed=2$/, "and it stays");
    await next(page, () => choose("hex"));
    assert.match(await selfOf(page), /^[^%]*grid=hex/);
});

test("a map is drawn over the one that it stands on", async (t) => {
    const countries = ["#a4d195", "#eab169", "#fdefa6", "#d78386", "#78c4b3", "#b08bc0"],
        below = encodeURIComponent("/regions?count=12&seed=3"),
        page = await visit(t, `/starlanes?positions=${below}&seed=4`);
    await shot(page, "lanes-on-land");
    const [land, ink] = [await coloursOf(page), "#223344"];
    assert(countries.filter((one) => land.has(one)).length >= 5, "countries, and lanes by day");
    assert(land.has(ink));
    await next(page, () => turnTo(page, `/areas?mask=${below}%26of%3D2,4,5&area=80&seed=1`));
    await shot(page, "areas-on-land");
    const pale = await coloursOf(page),
        quiet = ["#e4ecd9", "#f3e4cf", "#f8f2dd", "#efdad6"];
    assert(quiet.filter((one) => pale.has(one)).length >= 3, "countries, pale");
    await next(page, () => turnTo(page, `/regions?mask=%2Fislands%3Fseed%3D5&count=20&seed=5`));
    await shot(page, "regions-on-islands");
    await next(page, () => turnTo(page, `/starlanes?positions=%2Fislands%3Fseed%3D5&seed=5`));
    await shot(page, "lanes-on-islands");
    assert((await coloursOf(page)).has("#6fae5c"), "meadows");
});

test("the solver opens with the example of the document", async (t) => {
    const page = await visit(t, "/puzzle/solve");
    const { example } = bodyOf("/puzzle/solve");
    assert.strictEqual(await field(page, "grid").inputValue(), example.grid.join("\n"));
});

// ---- puzzles ----

/* The document with `hint` among what the solver takes, or without. */
async function withHint(page, there) {
    const own = structuredClone(api);
    const { PuzzleSolveRequest, PuzzleSolveAnswer } = own.components.schemas;
    const answered = PuzzleSolveAnswer.properties.parameters;
    const hint = { description: "The next deduction.", type: "boolean", default: false };
    for (const one of [PuzzleSolveRequest.properties, answered.properties])
        if (there) one.hint = hint;
        else delete one.hint;
    await page.route("**/openapi.json", (route) => route.fulfill({ json: own }));
}

test("a puzzle's progress survives reload and «back», and there is a next one", async (t) => {
    const page = await visit(t, "/puzzle/generate?seed=3");
    const status = () => page.locator(".mw-status").textContent();
    const before = await status();
    const [{ cells }] = (await answerOf(page)).result.paths;
    const ends = [cells, [...cells].reverse()].sort(([[ax, ay]], [[bx, by]]) => ay - by || ax - bx);
    const [[x, y], [tx, ty]] = ends[0];
    const key = tx === x ? (ty > y ? "ArrowDown" : "ArrowUp") : tx > x ? "ArrowRight" : "ArrowLeft";
    await page.locator("#host canvas").focus();
    for (const one of ["ArrowUp", " ", key, " "]) await page.keyboard.press(one); // the first only shows the cursor
    const played = await status();
    assert.notStrictEqual(played, before);
    await page.reload();
    await drawn(page);
    assert.strictEqual(await status(), played);
    await next(page, () => page.getByRole("button", { name: "Next puzzle" }).click());
    assert.match(await addressOf(page), /^\/puzzle\/generate\?seed=(?!3$)/);
    assert.match(await status(), /^0 of/);
    await next(page, () => page.goBack());
    assert.strictEqual(await status(), played);
});

test("hints are asked of who solves puzzles, where it gives any", async (t) => {
    const page = await kit.page(t, { served: true, allow: [/ERR_FAILED/] });
    await withHint(page, true);
    const asked = [];
    await page.route("**/puzzle/solve?**", (route) => {
        asked.push(new URL(route.request().url()).searchParams);
        return route.fulfill({
            json: {
                result: {
                    hint: [
                        {
                            cells: [
                                [0, 0],
                                [1, 0],
                            ],
                            reason: "because",
                        },
                    ],
                },
            },
        });
    });
    await page.goto(`${kit.base}/?generator=puzzle/generate&seed=3`);
    await drawn(page);
    const { result, parameters } = await answerOf(page);
    await page.getByRole("button", { name: "Hint" }).click();
    await page.getByText("because").waitFor();
    assert.deepStrictEqual(Object.fromEntries(asked[0]), {
        grid: result.grid.join("/"),
        rule: parameters.rule,
        hint: "true",
    });
    await page.route("**/puzzle/solve?**", (route) => route.abort());
    await page.reload();
    await page.getByRole("button", { name: "Hint" }).click();
    await page.getByText("goes on here").waitFor();
});

test("without hints in the document there is no button for them", async (t) => {
    const page = await kit.page(t);
    await withHint(page, false);
    await page.goto(`${kit.base}/?generator=puzzle/generate&seed=3`);
    await drawn(page);
    assert.strictEqual(await page.getByRole("button", { name: "Hint" }).count(), 0);
    assert.strictEqual(await page.getByRole("button", { name: "Next puzzle" }).count(), 1);
});

// ---- problems ----

test("a problem is shown at its field, and the last map stays", async (t) => {
    const page = await visit(t, "/regions?seed=7", { allow: REFUSED });
    const before = await look(page),
        width = field(page, "width");
    await width.fill("0");
    await page.locator("#field-width[aria-invalid=true]").waitFor();
    const problem = page.locator("#field-width-problem");
    assert.strictEqual(await problem.textContent(), "must be an integer from 1 to 4096");
    assert.strictEqual(await problem.getAttribute("role"), "alert");
    assert((await width.getAttribute("aria-describedby")).includes("field-width-problem"));
    assert.strictEqual(await page.locator("[aria-invalid]").count(), 1);
    assert.strictEqual((await look(page)).hash, before.hash);
    assert.strictEqual(await page.locator("#stage.stale").count(), 1);
    await shot(page, "page-problem");
    await next(page, () => width.fill("30"));
    assert.strictEqual(await page.locator("[aria-invalid], #stage.stale").count(), 0);
    assert.strictEqual(await problem.textContent(), "");
});

test("all problems at once, in the folded part of the form too", async (t) => {
    const page = await kit.page(t, { allow: REFUSED });
    await page.goto(`${kit.base}/?generator=regions&count=0&roughness=2&sizes=3,x&seed=1`);
    await page.locator("#field-sizes[aria-invalid]").waitFor();
    for (const name of ["count", "roughness"])
        assert.match(await page.locator(`#field-${name}-problem`).textContent(), /^must be/);
    const problem = page.locator("#field-sizes-problem");
    assert.match(await problem.textContent(), /^entry 1 \(from 0\) must be an integer/);
    assert(await problem.isVisible());
});

test("the foot of the map says what is wrong, and leads to it", async (t) => {
    const page = await visit(t, "/regions?seed=1", { ...PHONE, allow: REFUSED });
    await page.evaluate(() => scrollTo(0, 0));
    await turnTo(page, "/regions?seed=1&roughness=2&capitals=1,1;2");
    const foot = page.locator("#caption");
    await foot.getByRole("button").waitFor();
    const said =
        "Roughness: must be a number from 0 to 1 (and 1 more). This is the map from before.";
    assert.strictEqual(await foot.textContent(), said);
    await page.locator("details.more summary").click();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await foot.getByRole("button").click();
    const { y, height } = await page.locator("#field-roughness:focus").boundingBox();
    const stage = await page.locator("#stage").boundingBox();
    assert(y >= stage.y + stage.height && y + height <= PHONE.height, "it is in sight");
    await turnTo(page, "/regions?seed=1&capitals=1,1;2");
    await page.locator("#field-roughness:not([aria-invalid])").waitFor();
    await page.locator("details.more summary").click();
    await foot.getByRole("button").click();
    await page.locator("details.more[open] #field-capitals:focus").waitFor();
    await turnTo(page, `/regions?seed=${"x".repeat(65)}&grid=round`);
    await foot.getByText(/^Seed: must be .*\(and 1 more\)/).click();
    await page.locator("#seed:focus").waitFor();
    await turnTo(page, "/regions?seed=1&grid=round");
    await foot.getByText("Grid: must be").click();
    await page.locator("#field-grid input:focus").waitFor();
    await turnTo(page, "/regions?seed=1&v=99");
    await foot.getByText("The generator has another version").click();
    assert(await page.locator("#alert:focus").getByText("version").first().isVisible());
});

test("a problem of no field is shown above", async (t) => {
    const page = await kit.page(t, { allow: REFUSED });
    await page.goto(`${kit.base}/?generator=regions&v=99&seed=1`);
    await page.locator("#alert strong").waitFor();
    assert.match(await page.locator("#alert").textContent(), /version/);
});

test("a service that is down says so, and comes back by itself", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true, allow: [/ERR_FAILED/] });
    await page.route("**/regions?*", (route) => route.abort());
    await page.locator("#dice").click();
    await page.locator("#alert strong").waitFor();
    const told = await page.locator("#alert").textContent();
    assert.match(told, /does not answer.*down, or cannot be reached.*asked again/);
    assert.doesNotMatch(told, /fetch/i, "in plain words");
    assert.match(await page.locator("#caption").textContent(), /answer. It is tried again. This/);
    await page.evaluate(() => document.querySelector("#alert strong").setAttribute("id", "once"));
    await page.locator("#caption button").focus();
    await page.waitForRequest(/regions/);
    await page.waitForRequest(/regions/);
    assert.strictEqual(await page.locator("#once").count(), 1, "and is not said again and again");
    assert.strictEqual(await page.locator("#caption button:focus").count(), 1);
    await next(page, () => page.unroute("**/regions?*"));
    assert.strictEqual(await page.locator("#alert").textContent(), "");
    assert.strictEqual(await page.locator("#stage.stale").count(), 0);
});

test("a page that is opened while the service is down waits for it", async (t) => {
    const page = await kit.page(t, { allow: [/ERR_FAILED/] });
    await page.route("**/openapi.json", (route) => route.abort());
    await page.goto(`${kit.base}/?generator=regions&seed=1`);
    await page.locator("#alert strong").waitFor();
    const told = await page.locator("#alert").textContent();
    assert.match(told, /does not answer.*down, or cannot be reached.*asked again/);
    assert.doesNotMatch(told, /fetch/i);
    const said = "The service does not answer. It is tried again.";
    assert.strictEqual(await page.locator("#caption").textContent(), said, "where a map would be");
    assert.strictEqual(
        await page.locator("button:visible").count(),
        3,
        "nothing to press but back, forward and light",
    );
    await page.unroute("**/openapi.json");
    await drawn(page);
    assert((await page.locator("button:visible").count()) > 8);
    assert.strictEqual(await page.locator("#alert").textContent(), "");
});

test("the page of a proxy is not quoted when the service is down", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true, allow: [/status of 502/] });
    await page.route("**/regions?*", (route) =>
        route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }),
    );
    await page.locator("#dice").click();
    await page.locator("#alert").getByText("cannot be reached").waitFor();
    await next(page, () => page.unroute("**/regions?*"));
    assert.strictEqual(await page.locator("#alert").textContent(), "");
});

test("Enter in a field asks again, at once", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true, allow: [/status of 503/] });
    let asked = 0;
    await page.route("**/regions?*", (route) =>
        route.fulfill({
            status: 503,
            headers: { "Retry-After": "1000" },
            json: { title: `The service is busy (${++asked})`, status: 503 },
        }),
    );
    const told = (n) => page.getByText(`(${n})`).first().waitFor();
    await field(page, "count").fill("7");
    await told(1);
    for (const [n, target] of [
        [2, field(page, "count")],
        [3, page.locator("#seed")],
        [4, page.locator("[name=field-grid]").first()],
    ]) {
        await target.press("Enter");
        await told(n);
    }
    await page.unroute("**/regions?*");
    await next(page, () => field(page, "count").press("Enter"));
    assert.match(await page.locator("#caption").textContent(), /^7 countries/);
    await field(page, "mask").press("Enter");
    assert.strictEqual(await field(page, "mask").inputValue(), "\n", "where it is a new line");
});

test("Enter does not begin anew what is being made", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    let asked = 0;
    await working(page, `${ENDLESS}15`);
    page.on("request", () => asked++);
    await page.locator("#seed").press("Enter");
    await frames(page);
    assert.strictEqual(asked, 0);
    assert.strictEqual(await underWay(), 1);
    await page.locator("#work-end").click();
    await nothingUnderWay();
});

test("a busy service is asked again when it says so", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true, allow: [/status of 503/] });
    let refused = 0;
    await page.route("**/regions?*", (route) =>
        refused++
            ? route.continue()
            : route.fulfill({
                  status: 503,
                  headers: { "Retry-After": "1" },
                  json: { title: "The service is busy", status: 503 },
              }),
    );
    await next(page, () => page.locator("#dice").click());
    assert.strictEqual(refused, 2);
});

test("an error shows nothing of another generator's map", async (t) => {
    const page = await visit(t, "/regions?seed=1", { allow: REFUSED });
    await turnTo(page, "/areas?count=0&seed=1");
    await page.locator("#field-count[aria-invalid]").waitFor();
    assert.strictEqual(await page.locator("#host canvas").count(), 0);
    const [said, host] = [
        await page.locator("#caption button").boundingBox(),
        await page.locator("#host").boundingBox(),
    ];
    const off = said.x + said.width / 2 - host.x - host.width / 2;
    assert(Math.abs(off) < 1 && said.y < host.y + host.height / 2, "what is wrong is in its place");
    assert.doesNotMatch(await page.locator("#caption").textContent(), /before|countries/);
    assert.strictEqual(await page.locator("#facts").textContent(), "");
    assert(await page.locator("#show-json").isDisabled());
    await page.evaluate(() => document.querySelector("#theme").click());
    await next(page, () => field(page, "count").fill("2"));
    assert.match(await page.locator("#caption").textContent(), /^2 areas/);
});

test("what no view can draw is said to be so, and can still be downloaded", async (t) => {
    const page = await visit(t, "/regions?seed=1", { served: true, allow: [/no view draws/] });
    await page.route("**/regions?*", async (route) => {
        const reply = await route.fetch(),
            answer = await reply.json();
        await route.fulfill({ response: reply, json: { ...answer, result: { tune: "la" } } });
    });
    await next(page, () => page.locator("#dice").click());
    assert.match(await page.locator("#caption").textContent(), /cannot be drawn here/);
    assert((await page.locator("#downloads a[href]").count()) > 3);
});

// ---- taking it away ----

test("what is copied makes the same map", async (t) => {
    const page = await visit(t, "/islands?width=20&height=20&islands=3,5&seed=o'ak");
    const { id } = await answerOf(page);
    await page.getByRole("button", { name: "link" }).click();
    assert.strictEqual(await pasted(page), page.url());
    for (const name of ["curl GET", "curl POST"]) {
        await page.getByRole("button", { name }).click();
        const { stdout } = await run("sh", ["-c", `${await pasted(page)} -s`]);
        assert.strictEqual(JSON.parse(stdout).id, id, name);
    }
});

for (const path of generators)
    test(`${path} is downloaded in every format`, async (t) => {
        const formats = formatsOf(path);
        let page;
        for (const i of formats.keys()) {
            if (i % 8 === 0) page = await visit(t, path); // a browser refuses the eleventh
            const links = page.locator("#downloads a");
            const beside = formats.includes("tmj") ? ["tmj tiles"] : [];
            if (path === "/puzzle/generate") beside.push("pdf of 12");
            if (i === 0)
                assert.deepStrictEqual(await links.allTextContents(), [...formats, ...beside]);
            const [download] = await Promise.all([
                page.waitForEvent("download"),
                links.nth(i).click(),
            ]);
            assert(readFileSync(await download.path()).length > 50, download.url());
            assert.match(download.suggestedFilename(), /^[\w-]+\.\w+$/);
        }
    });

test("downloads are drawn as asked, which is no part of the address", async (t) => {
    const page = await visit(t, "/regions?seed=1"),
        svg = page.locator("#downloads a", { hasText: "svg" });
    await page.getByText("How downloads are drawn").click();
    await field(page, "scale").fill("3");
    assert.match(await svg.getAttribute("href"), /^regions\.svg\?seed=1&scale=3$/);
    assert.strictEqual(await addressOf(page), "/regions?seed=1");
    for (const [palette, colour] of [
        ["print", "#ffffff"],
        ["default", "#eef2f6"],
    ]) {
        await page.locator(`label[for=field-palette-${palette}]`).click();
        await frames(page);
        assert.strictEqual((await look(page)).at(4, 300), colour, `beside the map, ${palette}`);
    }
    await field(page, "scale").fill("2.5");
    assert.strictEqual(await svg.getAttribute("href"), null, "there is no such drawing");
    assert(await page.locator("#many").isDisabled(), "nor twelve");
    const said = await page.locator("#field-scale-problem").textContent();
    const refused = await (await fetch(`${kit.base}/regions.svg?scale=2.5`)).json();
    assert.strictEqual(said, refused.errors[0].detail);
    for (const beyond of ["0", "1000"]) {
        await field(page, "scale").fill(beyond);
        assert.strictEqual(await page.locator("#looks [aria-invalid]").count(), 1);
    }
    await field(page, "scale").fill("3");
    assert(await page.locator("#many").isEnabled());
    assert.strictEqual(await page.locator("#looks [aria-invalid]").count(), 0);
    await walk(page, "/areas?seed=1");
    assert.match(
        await svg.getAttribute("href"),
        /scale=3$/,
        "it stays from one generator to the next",
    );
});

test("downloads are as light or dark as the page, where the service draws both", async (t) => {
    const page = await kit.page(t, { dark: true });
    const own = structuredClone(api);
    own.components.parameters.Theme.schema = {
        type: "string",
        enum: ["light", "dark"],
        default: "light",
    };
    await page.route("**/openapi.json", (route) => route.fulfill({ json: own }));
    await page.goto(`${kit.base}/?generator=regions&seed=1`);
    await drawn(page);
    const svg = page.locator("#downloads a", { hasText: "svg" });
    assert.match(await svg.getAttribute("href"), /seed=1&theme=dark$/);
    await page.locator("#theme").click();
    assert.match(await svg.getAttribute("href"), /seed=1$/);
    await page.locator("#theme").click();
    await page.getByText("How downloads are drawn").click();
    assert.strictEqual(await addressOf(page), "/regions?seed=1", "it is no part of the map");
});

test("what is seen is downloaded: from where, how near, light or dark", async (t) => {
    const page = await visit(t, "/islands?seed=o ak", { dark: true });
    await page.locator("#host canvas").focus();
    const save = async () => {
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            page.getByRole("button", { name: "as seen" }).click(),
        ]);
        assert.strictEqual(download.suggestedFilename(), "islands-o-ak-seen.png");
        const file = readFileSync(await download.path());
        assert.strictEqual(file.subarray(1, 4).toString(), "PNG");
        const hash = await page.evaluate(async (text) => {
            const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
            const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }), {
                colorSpaceConversion: "none",
            });
            const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
            canvas.drawImage(picture, 0, 0);
            const digest = (data) => data.reduce((sum, byte) => (sum * 31 + byte) >>> 0, 7);
            const shown = document.querySelector("#host canvas");
            const copy = new OffscreenCanvas(shown.width, shown.height).getContext("2d");
            copy.drawImage(shown, 0, 0);
            return [
                digest(canvas.getImageData(0, 0, picture.width, picture.height).data),
                digest(copy.getImageData(0, 0, shown.width, shown.height).data),
            ];
        }, file.toString("base64"));
        assert.strictEqual(hash[0], hash[1], "the file is what the canvas shows");
        return hash[0];
    };
    const whole = await save();
    await page.keyboard.press("+");
    await page.locator("#host canvas").focus();
    await page.keyboard.press("q");
    await frames(page);
    await page.locator(".mw-view:not([data-moving])").waitFor();
    await frames(page);
    assert.notStrictEqual(await save(), whole);
});

test("JSON is shown, cut where it is long", async (t) => {
    const page = await visit(t, "/regions?width=300&height=300&seed=1");
    await page.getByRole("button", { name: "Show JSON" }).click();
    const text = await page.locator("#json-text").textContent();
    assert(text.startsWith('{\n  "id": "') && text.length < 50000 && text.endsWith("…"));
    assert.match(await page.locator("#json-note").textContent(), /40,\d{3} characters/);
    await page.keyboard.press("Escape");
    assert(!(await page.locator("#json").isVisible()));
    await next(page, () => field(page, "width").fill("3"));
    await next(page, () => field(page, "height").fill("3"));
    await page.getByRole("button", { name: "Show JSON" }).click();
    assert.deepStrictEqual(
        JSON.parse(await page.locator("#json-text").textContent()),
        await answerOf(page),
    );
});

test("time, size and cache are told", async (t) => {
    const page = await visit(t, `/regions?seed=cost${Date.now()}`);
    assert.match(
        await page.locator("#cost").textContent(),
        /^[\d.]+\u00a0m?s to make, [\d.]+\u00a0m?s in all, 3\.\d\u00a0KB$/,
    );
    assert.match(
        await page.locator("#facts").textContent(),
        /over the wire.*miss.*make [\d.]+\u00a0ms.*in all/,
    );
    await page.reload();
    await drawn(page);
    assert.match(await page.locator("#facts").textContent(), /kept by the browser|hit/);
});

// ---- for everybody ----

test("by keyboard alone", async (t) => {
    const page = await visit(t, "/regions?seed=7");
    const focused = () => page.evaluate(() => document.activeElement.id);
    const tabTo = async (what) => {
        for (let i = 0; i < 40; i++) {
            await page.keyboard.press("Tab");
            if (await page.evaluate((selector) => document.activeElement.matches(selector), what))
                return;
        }
        assert.fail(`${what} is not reached: at ${await focused()}`);
    };
    await page.keyboard.press("Tab");
    assert.strictEqual(await focused(), "skip");
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
    assert.strictEqual(await field(page, "width").inputValue(), "73");
    await tabTo("[name=field-grid]");
    await next(page, () => page.keyboard.press("ArrowLeft"));
    await tabTo("#field-holes");
    await next(page, () => page.keyboard.press("Space"));
    assert.match(
        await addressOf(page),
        /^\/areas\?width=73&grid=hex&area=1150&holes=false&names=latin&seed=/,
    );
    const outline = await page.evaluate(
        () => getComputedStyle(document.activeElement).outlineStyle,
    );
    assert.strictEqual(outline, "solid", "focus is seen");
});

test("a map is announced once it has come to rest", async (t) => {
    const page = await visit(t, "/regions?seed=1");
    assert.strictEqual(await page.locator("#said").getAttribute("role"), "status");
    await page.waitForFunction(
        () =>
            document.querySelector("#said").textContent ===
            document.querySelector("#caption").textContent,
    );
    assert.match(await page.locator("#said").textContent(), /6 countries/);
});

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

async function judge(page, what) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    assert.deepStrictEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        [],
        what,
    );
}

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
        await walk(page, "/regions?seed=1");
        await page.getByRole("button", { name: "Show JSON" }).click();
        await judge(page, "with JSON");
        await page.goto(kit.base + "/");
        await page.waitForFunction(() =>
            /stars and/.test(document.querySelector("#caption").textContent),
        );
        await judge(page, "what is seen first");
    });

test("no target is smaller than 24 pixels", async (t) => {
    const page = await visit(t, "/areas?seed=1", { width: 360, height: 740, touch: true });
    const targets = page.locator(
        "button, input, select, textarea, summary, nav a, .button, .segments label",
    );
    const small = await targets.evaluateAll((all) =>
        all
            .filter((one) => !one.closest(".segments") || one.matches("label"))
            .map((one) => [one.id || one.textContent, one.getBoundingClientRect()])
            .filter(([, { width, height }]) => width && (width < 24 || height < 24))
            .map(([name]) => name),
    );
    assert.deepStrictEqual(small, []);
});

test("on a phone another seed and the address are at hand", async (t) => {
    const another = (page) => page.getByRole("button", { name: "Another seed" });
    const page = await visit(t, "/regions?seed=7", PHONE);
    await next(page, () => another(page).click());
    assert.strictEqual(await page.evaluate(() => scrollY), 0);
    assert.notStrictEqual(await page.locator("#seed").inputValue(), "7");
    await page.getByRole("button", { name: "Copy address" }).click();
    assert.strictEqual(await pasted(page), page.url());
    await walk(page, "/puzzle/generate");
    assert.strictEqual(await another(page).count(), 0, "Next does it");
    await page.setViewportSize({ width: 1280, height: 800 });
    await walk(page, "/regions");
    assert.strictEqual(await another(page).count(), 0, "it is beside the map");
});

for (const width of [320, 360, 390])
    test(`on a phone ${width} pixels wide`, async (t) => {
        const page = await visit(t, "/regions?seed=7", {
            width,
            height: 780,
            touch: true,
            scale: 2,
        });
        for (const path of generators) {
            await walk(page, path);
            await page.evaluate(() => {
                for (const fold of document.querySelectorAll("details")) fold.open = true;
            });
            const { scroll, client } = await page.evaluate(() => ({
                scroll: document.documentElement.scrollWidth,
                client: document.documentElement.clientWidth,
            }));
            assert.strictEqual(scroll, client, `${path} scrolls sideways`);
            const tools = await page.locator(".mw-tools").boundingBox();
            assert(width < 390 || tools.height < 50, "one row of buttons, and room for the map");
            const [map, form] = [
                await page.locator("#host").boundingBox(),
                await page.locator("#form").boundingBox(),
            ];
            assert(
                map.y + map.height <= form.y && form.width <= width,
                "the form lies under the map",
            );
            await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
            const first = page.locator("#form input, #form textarea").first();
            await first.focus();
            const [top, strip] = [
                await first.boundingBox(),
                await page.locator("#strip").boundingBox(),
            ];
            assert(top.y >= strip.y + strip.height, "what has the focus is seen");
        }
        await page.setViewportSize({ width, height: 568 });
        await frames(page);
        const { height } = await page.locator("#host").boundingBox();
        assert(height > 400, "where the map goes out of sight it may be large");
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        const { y } = await page.locator("#host").boundingBox();
        assert(y + height < 0, "and it does");
    });

test("light and dark, as the system has it or as chosen", async (t) => {
    const page = await visit(t, "/regions?seed=7", { dark: true });
    const paper = () =>
        page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const [dark, picture] = [await paper(), await look(page)];
    await page.locator("#theme").click();
    assert.notStrictEqual(await paper(), dark);
    assert.notStrictEqual((await look(page)).hash, picture.hash, "the map as well");
    const light = await paper();
    await page.reload();
    await drawn(page);
    assert.strictEqual(await paper(), light, "it is kept");
});

test("on paper there is the map and what it is, and nothing to press", async (t) => {
    const page = await visit(t, "/puzzle/generate?seed=1", { width: 850, height: 1200 });
    await page.emulateMedia({ media: "print" });
    assert.strictEqual(await page.locator("button:visible, input:visible").count(), 0);
    assert(await page.locator("#caption").isVisible());
    assert(await page.locator("#cost").isHidden());
    const { width, height } = await page.locator("#host canvas").boundingBox();
    assert(width > 800 && height > 1000, `${width} by ${height}: a sheet`);
    await shot(page, "page-print");
});

// ---- what it costs ----

test("all of it is small over the wire", async (t) => {
    const page = await kit.page(t),
        requests = [];
    page.on("requestfinished", (request) => requests.push(request));
    await page.goto(`${kit.base}/?generator=regions&seed=1`);
    await drawn(page);
    let all = 0;
    for (const request of requests) {
        const { responseBodySize, responseHeadersSize } = await request.sizes();
        const coding = (await request.response()).headers()["content-encoding"];
        const packed = coding || new URL(request.url()).pathname.endsWith(".png");
        assert(responseBodySize < 900 || packed, `${request.url()} is coded`);
        all += responseBodySize + responseHeadersSize;
    }
    assert(
        requests.some((request) => request.url().endsWith("/openapi.json")) && requests.length > 10,
    );
    t.diagnostic(`${requests.length} requests, ${all} bytes with their headers`);
    assert(all < 290_000, `${all} bytes`); // half of it the library, where it is there
});

// ---- sliders, by numbers ----

test("sliders reach both ends and keep their value", () => {
    const fields = [
        [1, 4096, true],
        [0, 1000, true],
        [1, 64, true],
        [1, 16777216, true],
        [0, 1, false],
        [0, 60, false],
    ].map(([minimum, maximum, whole]) => ({ whole, schema: { minimum, maximum } }));
    for (const one of fields) {
        const { minimum, maximum } = one.schema;
        assert.deepStrictEqual([fromPlace(one, 0), fromPlace(one, STEPS)], [minimum, maximum]);
        let before = -1;
        for (let place = 0; place <= STEPS; place++) {
            const value = fromPlace(one, place);
            assert(
                value >= before && (!one.whole || Number.isInteger(value)),
                `${value} at ${place}`,
            );
            // Small integers lie far apart on a logarithmic one.
            const far = maximum > 200 && value < 30 ? 40 : 6;
            assert(Math.abs(toPlace(one, value) - place) < far, `${value} stands at ${place}`);
            before = value;
        }
        assert.strictEqual(nudged(one, minimum, -1, true), minimum);
        assert.strictEqual(nudged(one, maximum, 1, false), maximum);
        assert(nudged(one, minimum, 1, false) > minimum);
    }
});

// ---- the first minute ----

test("what is seen first is a world that puts itself together, with a button for another", async (t) => {
    const page = await kit.page(t, { still: false });
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(kit.base + "/");
    await page.waitForFunction(() =>
        /stars and/.test(document.querySelector("#caption").textContent),
    );
    await page.getByText("The same seed, the same map, for ever.").waitFor();
    const first = await page.locator("#open-world").getAttribute("href");
    await page.getByRole("button", { name: "Roll another world" }).click();
    await page.waitForFunction(
        (was) => document.querySelector("#open-world").getAttribute("href") !== was,
        first,
    );
    const kinds = await page.locator("#kinds a").allTextContents();
    assert.deepStrictEqual(kinds, [
        ...["Countries", "Land", "Sky islands", "Star lanes", "Puzzles", "Solver"],
    ]);
    await page.locator("#open-world").click();
    await drawn(page);
    assert.match(await selfOf(page), /^\/starlanes\?.*positions=\/regions/);
    await page.locator("#to-home").click();
    await page.getByRole("button", { name: "Roll another world" }).waitFor();
});

test("where motion is not wanted, the world is there at once", async (t) => {
    const page = await kit.page(t, { still: true });
    await page.goto(kit.base + "/");
    const captions = new Set();
    await page.waitForFunction(() => document.querySelector("#caption").textContent);
    captions.add(await page.locator("#caption").textContent());
    assert.match([...captions][0], /stars and/);
});

test("a kind without parameters shows a lovely map, and presets are taken with a click", async (t) => {
    const page = await kit.page(t);
    for (const kind of generators.filter((path) => path !== "/puzzle/solve")) {
        await page.goto(`${kit.base}/?generator=${kind.slice(1)}`);
        await drawn(page);
        const presets = page.locator("#presets button");
        assert((await presets.count()) >= 4, kind);
        await page.waitForFunction(() =>
            [...document.querySelectorAll("#presets img")].every((one) => one.naturalWidth > 0),
        );
        const before = await selfOf(page);
        await next(page, () => presets.nth(1).click());
        assert.notStrictEqual(await selfOf(page), before);
    }
});

test("a generator that there is not is told", async (t) => {
    const page = await kit.page(t);
    await page.goto(`${kit.base}/?generator=foo`);
    await page.locator("#alert", { hasText: "There is no generator foo" }).waitFor();
});

test("maps that were seen and kept are at hand, and two stand side by side", async (t) => {
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
    await next(page, () => page.locator("#kept-maps a").click());
    assert.match(await selfOf(page), /seed=1$/);
    await next(page, () => page.locator("#back").click());
    assert.match(await selfOf(page), /seed=2$/);
    await next(page, () => page.locator("#forth").click());
    assert.match(await selfOf(page), /seed=1$/);
});

test("a tip called by keyboard goes with what it speaks of", async (t) => {
    const page = await visit(t, "/regions?seed=7", { still: true });
    await page.locator("#host canvas").focus();
    await page.keyboard.press("ArrowRight");
    const place = () => page.locator(".mw-tip").evaluate(({ style }) => [style.left, style.top]);
    const before = await place();
    await page.keyboard.press("+");
    await page.keyboard.press("Shift+ArrowRight");
    await frames(page);
    assert.notDeepStrictEqual(await place(), before);
});

for (const [name, size] of Object.entries({
    desktop: { width: 1440, height: 900 },
    laptop: { width: 1366, height: 768 },
    tablet: { width: 820, height: 1180, touch: true },
    phone: { width: 390, height: 844, touch: true },
}))
    test(`a ${name} has the map, its caption and what to take in their places`, async (t) => {
        const page = await visit(t, "/puzzle/generate?width=8&height=8&seed=1", size);
        const box = (id) => page.locator(id).boundingBox();
        assert((await box("#caption")).width >= 200);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert(wide <= size.width, `${wide} wide`);
        const panel = await box("#panel");
        const last = await box("#downloads");
        const far = await page.locator("#panel").evaluate((panel) => panel.scrollTop);
        if (!size.touch)
            assert(
                last.y + last.height + far - panel.y <= 400,
                `${last.y + last.height - panel.y}`,
            );
        else assert((await box("#dice")).height >= 44 && (await box("#dice")).width >= 44);
    });

test("a first visit asks for little: 12 files, 200 KB without the module", async (t) => {
    const page = await kit.page(t);
    const replies = [];
    page.on("response", (reply) => replies.push(reply));
    await page.goto(kit.base + "/");
    await page.waitForFunction(() =>
        /stars and/.test(document.querySelector("#caption").textContent),
    );
    const sizes = await Promise.all(
        replies
            .filter((reply) => !/\.wasm$/.test(reply.url()))
            .map((reply) =>
                reply
                    .request()
                    .sizes()
                    .then((sizes) => sizes.responseBodySize),
            ),
    );
    const bytes = sizes.reduce((a, b) => a + b, 0);
    assert(replies.length <= 12, `${replies.length} files`);
    assert(bytes <= 200_000, `${bytes} bytes`);
});
