// test_here.mjs: the page makes small maps itself, the same bytes, and asks for the large ones.
import assert from "node:assert";
import { after, test } from "node:test";
import { open } from "./kit.mjs";

const kit = await open();
after(() => kit.close());

const module = await fetch(`${kit.base}/web/libmapwright.wasm`).then((reply) =>
    reply.arrayBuffer(),
);
const skip = module.byteLength ? false : "the service was built without the module";
const api = await fetch(`${kit.base}/openapi.json`).then((reply) => reply.json());
const generators = Object.keys(api.paths).filter((path) => api.paths[path].post);

const summary = (page) => page.locator("#cost").textContent();
const told = (page, pattern) =>
    page.waitForFunction(
        (wanted) => new RegExp(wanted).test(document.querySelector("#cost").textContent),
        pattern,
    );

/* Counts in the page: questions to the worker, and the pictures that are drawn before what its answer
   began is over (`prompt`). */
function count() {
    const counts = (globalThis.counts = { questions: 0, pictures: 0, prompt: 0 });
    let answered = false;
    const { postMessage, addEventListener } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...given) {
        if (message.question) counts.questions++;
        return postMessage.call(this, message, ...given);
    };
    Worker.prototype.addEventListener = function (name, take) {
        return addEventListener.call(this, name, (event) => {
            answered = true;
            setTimeout(() => (answered = false));
            take(event);
        });
    };
    const { setTransform } = CanvasRenderingContext2D.prototype; // once a picture: frame.js
    CanvasRenderingContext2D.prototype.setTransform = function (...given) {
        counts.pictures++;
        if (answered) counts.prompt++;
        return setTransform.call(this, ...given);
    };
}

/* What is begun in the page is not given up, however busy the machine; what is not begun is still for
   the service. */
async function beginPatiently(page) {
    await page.route("**/web/worker.js", async (route) => {
        const response = await route.fetch(),
            text = await response.text();
        const body = text.replace("began + patience", "began + 1000 * patience");
        assert.notStrictEqual(body, text);
        await route.fulfill({ response, body });
    });
}

/* A page that makes maps itself from now on, and what it asks for. */
async function visit(t, query, options) {
    const page = await kit.page(t, options),
        asked = [];
    await page.addInitScript(count);
    await beginPatiently(page);
    await page.goto(`${kit.base}/?generator=${query}`);
    await page.waitForFunction(() => document.querySelector("#facts dd"));
    await page.waitForFunction(() => import("/web/reader.js").then(({ makesMaps }) => makesMaps()));
    page.on("request", (request) => /\/web\//.test(request.url()) || asked.push(request.url()));
    await page.locator("#dice").click();
    await told(page, "^made here");
    return { page, asked };
}

test("its bytes are those of the service", { skip }, async (t) => {
    const page = await kit.page(t);
    await page.goto(`${kit.base}/`);
    for (const path of generators.filter((one) => one !== "/puzzle/solve"))
        for (const address of [`${path}?seed=1`, `${path}?seed=o'ak`, `${path}.cbor?seed=2`]) {
            const same = await page.evaluate(async (wanted) => {
                const { start } = await import("/web/ask/engine.js");
                const file = await fetch("/web/libmapwright.wasm");
                const { make } = await start(await WebAssembly.compileStreaming(file));
                const made = make({ address: wanted });
                const reply = await fetch(wanted),
                    bytes = new Uint8Array(await reply.arrayBuffer());
                return (
                    made.media === reply.headers.get("Content-Type") &&
                    made.bytes.length === bytes.length &&
                    made.bytes.every((byte, i) => byte === bytes[i])
                );
            }, address);
            assert(same, address);
        }
});

const SLIDERS = {
    regions: "count",
    areas: "width",
    islands: "width",
    starlanes: "stars",
    "puzzle/generate": "width",
};

for (const [name, field] of Object.entries(SLIDERS))
    test(
        `a slider of ${name} asks for a map a move, here, and its picture waits for nothing`,
        { skip },
        async (t) => {
            const { page, asked } = await visit(t, `${name}&seed=1`);
            const { took, counts } = await page.evaluate(async (id) => {
                const box = document.getElementById(id),
                    first = Number(box.value) || 6,
                    took = [];
                Object.assign(globalThis.counts, { questions: 0, pictures: 0, prompt: 0 });
                const facts = document.getElementById("facts");
                const told = () => {
                    const { promise, resolve } = Promise.withResolvers(),
                        observer = new MutationObserver(() => (observer.disconnect(), resolve()));
                    observer.observe(facts, { childList: true });
                    return promise;
                };
                for (let i = 1; i <= 20; i++) {
                    const [answer, began] = [told(), performance.now()];
                    box.value = first + (i % 8);
                    box.dispatchEvent(new Event("input", { bubbles: true }));
                    await answer;
                    took.push(performance.now() - began);
                    await new Promise((done) => setTimeout(done));
                }
                return { took, counts: globalThis.counts };
            }, `field-${field}`);
            assert.deepStrictEqual(asked, []);
            const { questions, pictures, prompt } = counts;
            assert(questions === 20 && prompt >= 20 && pictures < 30, JSON.stringify(counts));
            const sorted = took.sort((one, other) => one - other);
            t.diagnostic(
                `${name}: ms to the picture: median ${sorted[10].toFixed(1)}, most ${sorted[19].toFixed(1)}`,
            );
        },
    );

test("what is wrong is told without the service", { skip }, async (t) => {
    const { page, asked } = await visit(t, "regions&seed=1");
    await page.locator("#field-count").fill("0");
    await page.locator("#field-count[aria-invalid]").waitFor();
    assert.deepStrictEqual(asked, []);
});

test("large maps are for the service", { skip }, async (t) => {
    const { page, asked } = await visit(t, "regions&seed=1");
    await page.locator("#field-width").fill("3000");
    await page.locator("#field-height").fill("2000");
    await page.waitForFunction(() =>
        /width=3000&height=2000/.test(document.querySelector("#facts a").textContent),
    );
    assert(asked.some((url) => /width=3000.*height=2000/.test(url)));
    assert.match(await summary(page), /in all/);
    await page.locator("#field-height").fill("20");
    await page.locator("#field-width").fill("30");
    await told(page, "^made here");
});

test("without the service it still makes maps, large ones too", { skip }, async (t) => {
    const { page } = await visit(t, "regions&seed=1", { allow: [/ERR_FAILED/] });
    await page.route("**/*", (route) => route.abort());
    const before = await page.locator("#facts a").textContent();
    await page.locator("#dice").click();
    await page.waitForFunction(
        (was) => document.querySelector("#facts a").textContent !== was,
        before,
    );
    await page.locator("#field-width").fill("1500");
    await page.locator("#field-height").fill("1000");
    await page.waitForFunction(() =>
        /width=1500&height=1000/.test(document.querySelector("#facts a").textContent),
    );
    assert.match(await summary(page), /^made here/);
    assert.strictEqual(await page.locator("#alert").textContent(), "");
});

test("without the module all comes from the service", async (t) => {
    const page = await kit.page(t, { served: true }),
        asked = [];
    await page.goto(`${kit.base}/?generator=islands&seed=1`);
    await page.waitForFunction(() => document.querySelector("#facts dd"));
    page.on("request", (request) => asked.push(request.url()));
    const before = await page.locator("#facts a").textContent();
    await page.locator("#dice").click();
    await page.waitForFunction(
        (was) => document.querySelector("#facts a").textContent !== was,
        before,
    );
    assert.match(await summary(page), /in all/);
    assert.strictEqual(asked.filter((url) => /islands\?/.test(url)).length, 1);
});
