// game.mjs SERVICE: plays examples/lamplighter.html as one does, by keys and taps, then runs through the rest of it.
// Says what it saw, as JSON.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { chromium } = createRequire(`${root}build/npm/web/`)("playwright-core");
const [service] = process.argv.slice(2);
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox"],
});
const faults = [];

async function open(query) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, hasTouch: true });
    page.on("pageerror", (fault) => faults.push(fault.message));
    await page.goto(`file://${root}examples/lamplighter.html?${query}`);
    return page;
}
const said = (page) => page.textContent("output");

// The page waits for a busy service, and for a proxy before it.
const page = await open(`base=${service}&seed=7`);
await page.waitForFunction("world && hero");
const begun = await said(page);

// A key goes to where there is land or a bridge, and comes to rest there.
const here = () => page.evaluate("[hero.at.x, hero.at.y]");
const before = await here();
await page.keyboard.press(
    await page.evaluate("Object.keys(STEPS).find((key) => beside(hero.at, STEPS[key]))"),
);
await page.waitForFunction(`!hero.path.length && String([hero.at.x, hero.at.y]) !== "${before}"`);
const after = await here();
assert.equal(Math.abs(after[0] - before[0]) + Math.abs(after[1] - before[1]), 1);

// A tap goes back.
const place = await page.evaluate(`new Promise((seen) => requestAnimationFrame(() => {
    const { x, y } = pen.getTransform().transformPoint(new DOMPoint(...project(world.rows[${before[1]}][${before[0]}])));
    seen([x, y]);
}))`);
await page.touchscreen.tap(...place);
await page.waitForFunction(`!hero.path.length && String([hero.at.x, hero.at.y]) === "${before}"`);

// Every lantern can be reached on foot, step by step.
await page.evaluate(`for (const { lamp } of world.islands) {
    for (walkTo(lamp); hero.path.length; arrive(hero.path.shift()))
        if (Math.hypot(hero.path[0].x - hero.at.x, hero.path[0].y - hero.at.y) !== 1) throw new Error("a leap");
    if (hero.at !== lamp) throw new Error("no way leads there");
}`);
const done = await said(page);
const colours = new Set(
    await page.evaluate(`new Promise((seen) => requestAnimationFrame(() => {
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height), few = [];
        for (let i = 0; i < data.length; i += 4 * 997) few.push((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        seen(few);
    }))`),
);
await page.keyboard.press("n");
await page.waitForFunction(`world && world.islands.some((one) => !one.lit) && seed !== "7"`);

// What is not there, and what is not the service.
const dead = await open("base=http://127.0.0.1:1");
await dead.waitForFunction(`!said.textContent.startsWith("asking")`);
const wrong = await open(`base=${service}&seed=${"x".repeat(65)}`);
await wrong.waitForFunction(`!said.textContent.startsWith("asking")`);
const stranger = await browser.newPage();
const headers = { "Access-Control-Allow-Origin": "*" };
await stranger.route("**/islands?*", (route) =>
    route.fulfill({ headers, contentType: "text/html", body: "<h1>Hello</h1>" }),
);
await stranger.goto(`file://${root}examples/lamplighter.html?base=${service}`);
await stranger.waitForFunction(`!said.textContent.startsWith("asking")`);
const told = {
    begun,
    done,
    colours: colours.size,
    dead: await said(dead),
    stranger: await said(stranger),
    wrong: await said(wrong),
    faults,
};
await wrong.tap("button"); // another sea is not wrong
await wrong.waitForFunction("world");

await browser.close();
console.log(JSON.stringify(told));
