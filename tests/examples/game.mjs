// game.mjs SERVICE: plays examples/lamplighter.html as one does, by keys and clicks, then runs through the rest of it.
// phaser.html is opened beside it, on a stand-in of Phaser. Says what it saw, as JSON.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { chromium } = createRequire(`${root}build/npm/web/`)("playwright-core");
const [service] = process.argv.slice(2);
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
const faults = [];

async function open(query) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    page.on("pageerror", (fault) => faults.push(fault.message));
    await page.goto(`file://${root}examples/lamplighter.html?${query}`);
    return page;
}
const said = (page) => page.textContent("#said");

// The page waits for a busy service, and for what stands before it.
const page = await open(`base=${service}&seed=7`);
await page.waitForFunction("world && hero");
const begun = await said(page);

// A key goes to where there is land or a bridge.
const step = await page.evaluate("STEPS.findIndex(([dx, dy]) => cellAt(hero.x + dx, hero.y + dy))");
const before = await page.evaluate("[hero.x, hero.y]");
await page.keyboard.press(await page.evaluate(`KEYS[${step}]`));
await page.waitForFunction(`!hero.path.length && String([hero.x, hero.y]) !== "${before}"`);
const after = await page.evaluate("[hero.x, hero.y]");
assert.equal(Math.abs(after[0] - before[0]) + Math.abs(after[1] - before[1]), 1);

// A click goes back.
await page.evaluate("(camera = project(hero.x, hero.y, 1.5))");
const place = await page.evaluate(`(([x, y]) => {
    const [px, py] = project(x, y, heightAt(x, y));
    return [(px - camera[0]) * zoom() + innerWidth / 2, (py - camera[1]) * zoom() + innerHeight / 2];
})(${JSON.stringify(before)})`);
await page.mouse.click(...place);
await page.waitForFunction(`!hero.path.length && String([hero.x, hero.y]) === "${before}"`);

// Every lantern can be reached on foot, and then the lighthouse.
await page.evaluate(`for (const one of [...world.islands, world.islands[world.end - 1]]) {
    walkTo(...one.lamp);
    while (hero.path.length) move(1);
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
await page.waitForFunction(`world && !world.done && seed !== "7"`);

// What is not there, and what is not the service.
const dead = await open("base=http://127.0.0.1:1");
await dead.waitForFunction(`!said.textContent.startsWith("asking")`);
const wrong = await open(`base=${service}&seed=${"x".repeat(65)}`);
await wrong.waitForFunction(`!said.textContent.startsWith("asking")`);
const stranger = await browser.newPage();
const headers = { "Access-Control-Allow-Origin": "*" };
await stranger.route("**/islands", (route) =>
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

// Countries in Phaser, as far as it is asked for.
const types = { html: "text/html", mjs: "text/javascript", js: "text/javascript" };
const site = http.createServer(({ url }, answer) => {
    const name = new URL(url, "http://site").pathname;
    const file =
        name === "/phaser.js" ? `${root}tests/examples/phaser.js` : `${root}examples${name}`;
    answer.writeHead(fs.existsSync(file) ? 200 : 404, {
        "Content-Type": types[file.split(".").pop()] ?? "text/plain",
    });
    answer.end(fs.existsSync(file) ? fs.readFileSync(file) : "");
});
await new Promise((ready) => site.listen(0, "127.0.0.1", ready));
const scene = await browser.newPage();
scene.on("pageerror", (fault) => faults.push(fault.message));
const asked = `base=${service}&phaser=/phaser.js&width=20&height=10&count=4`;
await scene.goto(`http://127.0.0.1:${site.address().port}/phaser.html?${asked}`);
await scene.waitForFunction("window.drawn?.label === 'point at a country'");
told.drawn = await scene.evaluate("drawn");
site.close();
await browser.close();
console.log(JSON.stringify(told));
