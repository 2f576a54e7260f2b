// kit.mjs: a service, a browser, and a stage on which views are shown without the page around them.
//
//   const kit = await open();
//   test("...", async (t) => {
//       const page = await kit.page(t, { dark: true });
//       await page.goto(kit.base + "/");
//   });
//   after(() => kit.close());
//
// A page ends with its test, and fails it when it said anything on the console, threw an error, or
// asked anything of another host. `allow` lists what a test means to provoke.
import assert from "node:assert";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

const root = new URL("../../", import.meta.url);
// What run installed; axe-core too is had by require("axe-core").
export const require = createRequire(new URL("build/npm/web/", root));
const { chromium } = require("playwright-core");

const PATIENCE = 180_000; // milliseconds after which a wait is a hang
// ---- the service ----

async function freePort() {
    const server = createServer();
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address();
    await new Promise((done) => server.close(done));
    return port;
}

async function startService() {
    const binary =
        process.env.MAPWRIGHTD ?? fileURLToPath(new URL("build/release/mapwrightd", root));
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const child = spawn(binary, [`--port=${port}`, "--host=127.0.0.1", "--log=off"], {
        stdio: "ignore",
    });
    const stop = () => child.kill();
    process.on("exit", stop);
    const ready = () =>
        fetch(`${base}/readyz`)
            .then(({ ok }) => ok)
            .catch(() => false);
    for (let end = Date.now() + PATIENCE; Date.now() < end; ) {
        if (await ready()) return { base, stop };
        await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error("the service is never ready");
}

/* The stage stands among the service's own files, under rules as strict as the page's. */
const serveStage = (route) =>
    route.fulfill({
        path: fileURLToPath(new URL(`tests/web${new URL(route.request().url()).pathname}`, root)),
        headers: { "Content-Security-Policy": "default-src 'self'" },
    });

// ---- pages ----

function watch(page, hosts, allow) {
    const faults = [];
    const fault = (text) => allow.some((pattern) => pattern.test(text)) || faults.push(text);
    page.on("console", (message) => fault(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => fault(`error: ${error.stack ?? error}`));
    page.on("request", (request) => {
        const url = new URL(request.url());
        if (/^(https?|wss?):$/.test(url.protocol) && !hosts.has(url.host))
            fault(`request to ${url.href}`);
    });
    return faults;
}

/*
 * options: width, height, scale (device pixels a pixel), dark, touch, still (reduced motion),
 *          allow: patterns of messages that the test means to provoke,
 *          served: the page has no module, and asks the service for every map.
 */
async function openPage(browser, hosts, t, options = {}) {
    const context = await browser.newContext({
        viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
        deviceScaleFactor: options.scale ?? 1,
        colorScheme: options.dark ? "dark" : "light",
        reducedMotion: options.still ? "reduce" : "no-preference",
        hasTouch: Boolean(options.touch),
        permissions: ["clipboard-read", "clipboard-write"],
    });
    context.setDefaultTimeout(PATIENCE);
    await context.route(/\/stage\.(html|js|css)$/, serveStage);
    if (options.served)
        await context.route("**/libmapwright.wasm", (route) => route.fulfill({ body: "" }));
    const page = await context.newPage();
    const faults = watch(page, hosts, options.allow ?? []);
    t.after(async () => {
        await context.close();
        assert.deepStrictEqual(faults, [], "nothing on the console, no error, no other host");
    });
    return page;
}

export const launch = (...args) =>
    chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
        args: ["--no-sandbox", ...args],
        timeout: PATIENCE,
    });

/* { base: the service, stage: the stage, page(t, options), close() }; pages may ask `others`, too. */
export async function open(others = []) {
    const service = await startService();
    const browser = await launch("--disable-gpu");
    const bases = [service.base, ...others];
    const hosts = new Set(bases.map((base) => new URL(base).host));
    return {
        base: service.base,
        stage: `${service.base}/stage.html`,
        page: (t, options) => openPage(browser, hosts, t, options),
        async close() {
            await browser.close();
            service.stop();
        },
    };
}

// ---- steps that tests share ----

export const text = (page, selector) => page.locator(selector).first().textContent();
export const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

/* Canvases are drawn frame by frame. */
export const frames = (page) =>
    page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/* Whether axe, a checker of accessibility, finds nothing. */
export async function judge(page, what) {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run());
    const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    assert.deepStrictEqual(found, [], what);
}

/* Touches at places of a page, in CSS pixels; none ends them. */
export async function fingers(page) {
    const session = await page.context().newCDPSession(page);
    return (type, ...points) =>
        session.send("Input.dispatchTouchEvent", {
            type,
            touchPoints: points.map(([x, y], id) => ({ x, y, id })),
        });
}

/* A view on the stage: show(page, path) promises the words for it. */
export async function staged(kit, t, path, options) {
    const page = await kit.page(t, { still: true, width: 900, height: 600, ...options });
    await page.goto(kit.stage);
    await page.waitForFunction(() => globalThis.stage);
    page.show = (one, look) =>
        page.evaluate((given) => globalThis.stage.address(...given), [kit.base + one, look]);
    if (path) await page.show(path);
    return page;
}

/* Where a box of a map is on the screen as it is fitted: 20 pixels left, right and above, 62 below. */
export function fitted({ x0 = 0, y0 = 0, x1, y1 }, { top = 20, closest = 90 } = {}) {
    const [wide, high] = [900 - 40, 600 - top - 62];
    const scale = Math.min(wide / (x1 - x0), high / (y1 - y0), closest);
    const x = 20 + (wide - scale * (x1 - x0)) / 2 - x0 * scale;
    const y = top + (high - scale * (y1 - y0)) / 2 - y0 * scale;
    return { x, y, scale, at: (a, b) => [x + a * scale, y + b * scale] };
}

/* Of a map of stars. */
export function boxOfStars({ stars }) {
    const [xs, ys] = ["x", "y"].map((k) => stars.map((star) => star[k]));
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const rim = Math.max(x1 - x0, y1 - y0) * 0.03;
    return { x0: x0 - rim, x1: x1 + rim, y0: y0 - rim, y1: y1 + rim };
}

// ---- looking ----

/* What a canvas shows: { width, height, hash of its pixels, colors: how many different, at(x, y)
   in CSS pixels }. */
export async function look(page, selector = "canvas") {
    const seen = await page
        .locator(selector)
        .first()
        .evaluate(async (canvas) => {
            const { width, height } = canvas;
            const copy = new OffscreenCanvas(width, height).getContext("2d", {
                willReadFrequently: true,
            });
            copy.drawImage(canvas, 0, 0);
            const { data } = copy.getImageData(0, 0, width, height);
            const packed = new Blob([data]).stream().pipeThrough(new CompressionStream("deflate"));
            const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
            let text = "";
            for (let i = 0; i < bytes.length; i += 8192)
                text += String.fromCharCode(...bytes.subarray(i, i + 8192));
            return { width, height, ratio: width / canvas.clientWidth, data: btoa(text) };
        });
    const bytes = inflateSync(Buffer.from(seen.data, "base64"));
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const at = (x, y) => {
        const i = 4 * (Math.floor(y * seen.ratio) * seen.width + Math.floor(x * seen.ratio));
        return `#${bytes.subarray(i, i + 3).toString("hex")}`;
    };
    const hash = createHash("sha256").update(bytes).digest("hex");
    return { width: seen.width, height: seen.height, hash, colors: new Set(words).size, at };
}
