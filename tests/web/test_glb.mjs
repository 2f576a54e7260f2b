// test_glb.mjs: scenes of islands (glTF), checked by Khronos' validator, and drawn by three.js in a
// browser. (The laws in tests/prop judge labels and volumes of all scenes.)
import assert, { deepEqual, equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, test } from "node:test";
import { launch, open, require } from "./kit.mjs";

const validator = require("gltf-validator");
const modules = new URL("../../build/npm/web/node_modules/three/", import.meta.url);

const kit = await open();
const browser = await launch("--use-angle=swiftshader", "--enable-unsafe-swiftshader");
after(async () => {
    await browser.close();
    kit.close();
});

const ISLANDS = encodeURIComponent("/islands?layers=6&width=40&height=24&seed=4");

const HOST = "http://stage.test/";
const STAGE = `<!doctype html><script type="importmap">{"imports": {"three": "${HOST}build/three.module.js"}}</script>
<script type="module">
import * as three from "three";
import { GLTFLoader } from "${HOST}examples/jsm/loaders/GLTFLoader.js";
globalThis.load = (bytes) => new GLTFLoader().parseAsync(new Uint8Array(bytes).buffer, "");
globalThis.three = three;
</script><canvas id="canvas"></canvas>`;

// three.js from where npm put it, the stage before it.
async function stage(t) {
    const page = await browser.newPage();
    t.after(() => page.close());
    await page.route(`${HOST}**`, (route) => {
        const path = new URL(route.request().url()).pathname.slice(1);
        if (!path) return route.fulfill({ contentType: "text/html", body: STAGE });
        const file = fileURLToPath(new URL(path, modules));
        return route.fulfill({ contentType: "text/javascript", body: readFileSync(file) });
    });
    await page.goto(HOST);
    await page.waitForFunction(() => globalThis.load);
    return page;
}

async function fetched(path) {
    const glb = await fetch(kit.base + path);
    equal(glb.status, 200);
    equal(glb.headers.get("content-type"), "model/gltf-binary");
    return new Uint8Array(await glb.arrayBuffer());
}

for (const [path, solids] of [
    ["/islands.glb?seed=7", []],
    ["/islands.glb?layers=6&width=40&height=24&size=40,70&islands=3,6&seed=4", []],
    ["/islands.glb?bridges=false&voxel=3&seed=2&collision=true", []],
    [`/regions.glb?mask=${ISLANDS}&count=20&seed=5`, ["region 20", "bridge 1", "start"]],
    [`/regions.glb?mask=${ISLANDS}&count=20&seed=5&collision=true`, ["region 20-col", "start"]],
])
    test(`the validator finds no fault: ${path}`, async () => {
        const bytes = await fetched(path);
        const { issues, info } = await validator.validateBytes(bytes, { maxIssues: 5 });
        deepEqual(issues.messages, []);
        equal(info.version, "2.0");
        const length = new DataView(bytes.buffer).getUint32(12, true);
        const { nodes } = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
        const meshes = nodes.filter(({ mesh }) => mesh >= 0).map(({ name }) => name);
        for (const name of solids) equal(meshes.filter((one) => one === name).length, 1, name);
    });

/* In the page: the colors of the middles of cells, as seen from straight above, and the names and data of
   objects. */
async function drawFromAbove([glb, width, height]) {
    const { three } = globalThis;
    const { scene } = await globalThis.load(glb);
    const all = scene.children[0].children;
    for (const node of all) node.visible = / |_/.test(node.name); // poles would hide cells
    const canvas = document.querySelector("canvas");
    const renderer = new three.WebGLRenderer({ canvas, preserveDrawingBuffer: true });
    const camera = new three.OrthographicCamera(
        -width / 2,
        width / 2,
        height / 2,
        -height / 2,
        1,
        1000,
    );
    camera.position.set(width / 2, 500, height / 2);
    camera.up.set(0, 0, -1);
    camera.lookAt(width / 2, 0, height / 2);
    scene.add(new three.AmbientLight(0xffffff, Math.PI));
    renderer.setClearColor(0xff00ff, 1);
    renderer.setPixelRatio(1);
    renderer.setSize(width * 4, height * 4);
    renderer.render(scene, camera);
    const flat = new OffscreenCanvas(width * 4, height * 4).getContext("2d");
    flat.drawImage(canvas, 0, 0);
    const colorAt = (x, y) => [...flat.getImageData(x * 4 + 2, y * 4 + 2, 1, 1).data.slice(0, 3)];
    return {
        objects: all.map(({ name, userData }) => [name, userData]),
        cells: Array.from({ length: height }, (_, y) =>
            Array.from({ length: width }, (_, x) => colorAt(x, y)),
        ),
    };
}

test("three.js shows land in its colors and air where the answer has them", async (t) => {
    const query = "islands?layers=6&width=40&height=24&size=40,70&islands=3,6&seed=4";
    const { result } = await (await fetch(`${kit.base}/${query}`)).json();
    const bytes = await fetched(`/${query.replace("?", ".glb?")}`);
    const page = await stage(t);
    const given = [[...bytes], result.width, result.height];
    const { objects, cells } = await page.evaluate(drawFromAbove, given);
    for (const { id, size } of result.islands) {
        const [, data] = objects.find(([name]) => RegExp(`^island[ _]${id}$`).test(name));
        deepEqual([data.id, data.size], [id, size]);
    }
    const low = new Set();
    for (const [y, row] of result.cells.entries())
        for (const [x, label] of row.entries()) {
            equal(`${cells[y][x]}` === "255,0,255", label === 0, `cell ${x}, ${y} is ${label}`);
            if (label > 0 && result.heights[y][x] === 1) low.add(`${cells[y][x]}`);
        }
    const greens = [111, 174, 92, 125, 182, 108]; // those of drawings, which light may round down
    const seen = [...low].sort().join().split(",");
    equal(seen.length, greens.length);
    assert.ok(
        greens.every((value, i) => [0, 1].includes(value - seen[i])),
        `${seen}`,
    );
});
