// test_here.mjs: the page makes small maps itself, and asks the service for large ones. (tests/wasm and
// tests/package compare the bytes.)
import assert, { deepEqual, equal, match } from "node:assert/strict";
import { after, test } from "node:test";
import { open, text } from "./kit.mjs";

const kit = await open();
after(() => kit.close());

const reply = await fetch(`${kit.base}/web/libmapwright.wasm`);
const skip = (await reply.arrayBuffer()).byteLength ? false : "the service has no module";

const self = (page) => page.waitForFunction(() => document.querySelector("#facts dd a")?.text);
const waitForSelf = (page, pattern) =>
    page.waitForFunction(
        (one) => RegExp(one).test(document.querySelector("#facts a").text),
        pattern,
    );
const waitForCost = (page, pattern) =>
    page.waitForFunction(
        (one) => RegExp(one).test(document.querySelector("#cost").textContent),
        pattern,
    );

async function rollAnother(page) {
    const before = await (await self(page)).jsonValue();
    await page.locator("#dice").click();
    await page.waitForFunction((was) => document.querySelector("#facts a").text !== was, before);
}

/* Counts in the page the questions to its worker. */
function countQuestions() {
    globalThis.questions = 0;
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...given) {
        if (message.question) globalThis.questions++;
        return postMessage.call(this, message, ...given);
    };
}

/* A page that makes maps itself from now on, and what it asks for. What is begun in the page is not
   given up, however busy the machine. */
async function visit(t, query, options) {
    const page = await kit.page(t, options),
        asked = [];
    await page.addInitScript(countQuestions);
    await page.route("**/web/worker.js", async (route) => {
        const response = await route.fetch(),
            body = await response.text();
        assert(body.includes("began + patience"));
        const patient = body.replace("began + patience", "began + 1000 * patience");
        await route.fulfill({ response, body: patient });
    });
    await page.goto(`${kit.base}/?generator=${query}`);
    await self(page);
    await page.waitForFunction(() => import("/web/reader.js").then(({ makesMaps }) => makesMaps()));
    page.on("request", (request) => /\/web\//.test(request.url()) || asked.push(request.url()));
    await page.locator("#dice").click();
    await waitForCost(page, "^made here");
    return { page, asked };
}

/* Moves a slider 20 times, each time after the map of the last; how many questions that takes. */
async function slide(page, id) {
    await page.locator(`#${id}`).waitFor();
    return page.evaluate(async (one) => {
        const [box, facts] = [one, "facts"].map((name) => document.getElementById(name));
        const first = Number(box.value) || 6;
        globalThis.questions = 0;
        for (let i = 1; i <= 20; i++) {
            const { promise, resolve } = Promise.withResolvers();
            const observer = new MutationObserver(resolve);
            observer.observe(facts, { childList: true });
            box.value = first + (i % 8);
            box.dispatchEvent(new Event("input", { bubbles: true }));
            await promise;
            observer.disconnect();
            await new Promise((done) => setTimeout(done));
        }
        return globalThis.questions;
    }, id);
}

test("sliders ask the page itself for a map a move", { skip }, async (t) => {
    const { page, asked } = await visit(t, "regions&seed=1");
    for (const [name, field] of [
        ["regions", "count"],
        ["areas", "width"],
        ["islands", "width"],
        ["starlanes", "stars"],
        ["puzzle/generate", "width"],
    ]) {
        await page.evaluate((to) => {
            history.pushState(null, "", to);
            dispatchEvent(new PopStateEvent("popstate"));
        }, `/?generator=${name}&seed=1`);
        await waitForSelf(page, `^/${name}\\?`);
        equal(await slide(page, `field-${field}`), 20, name);
    }
    const maps = asked.filter((url) => !/\.png\?/.test(url));
    deepEqual(maps, []);
});

test("problems come without the service, large maps from it", { skip }, async (t) => {
    const { page, asked } = await visit(t, "regions&seed=1");
    await page.locator("#field-count").fill("0");
    await page.locator("#field-count[aria-invalid]").waitFor();
    const maps = asked.filter((url) => !/\.png\?/.test(url)); // presets have pictures
    deepEqual(maps, []);
    await page.locator("#field-count").fill("6");
    await page.locator("#field-width").fill("3000");
    await page.locator("#field-height").fill("2000");
    await waitForSelf(page, "width=3000&height=2000");
    assert(asked.some((url) => /width=3000.*height=2000/.test(url)));
    match(await text(page, "#cost"), /in all/);
    await page.locator("#field-height").fill("20");
    await page.locator("#field-width").fill("30");
    await waitForCost(page, "^made here");
});

test("without the service the page makes maps of all sizes", { skip }, async (t) => {
    const { page } = await visit(t, "regions&seed=1", { allow: [/ERR_FAILED/] });
    await page.route("**/*", (route) => route.abort());
    await rollAnother(page);
    await page.locator("#field-width").fill("1500");
    await page.locator("#field-height").fill("1000");
    await waitForSelf(page, "width=1500&height=1000");
    match(await text(page, "#cost"), /^made here/);
    equal(await text(page, "#alert"), "");
});
