// test_glb.mjs: scenes of islands (glTF), checked by Khronos' validator, and drawn by three.js in a
// browser: seen from straight above, each cell is what the answer says.
import assert, { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, test } from "node:test";
import { open, require } from "./kit.mjs";

const { chromium } = require("playwright-core");
const validator = require("gltf-validator");
const modules = new URL("../../build/npm/web/node_modules/three/", import.meta.url);

const kit = await open();
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: [
        "--no-sandbox",
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
    ],
});
after(async () => {
    await browser.close();
    kit.close();
});

const MAPS = [
    "seed=7",
    "layers=6&width=40&height=24&size=40,70&islands=3,6&seed=4",
    "bridges=false&voxel=3&seed=2&collision=true",
];

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

async function validated(bytes) {
    const { issues, info } = await validator.validateBytes(bytes, { maxIssues: 5 });
    deepEqual(issues.messages, []);
    equal(info.version, "2.0");
}

async function fetched(query) {
    const glb = await fetch(`${kit.base}/islands.glb?${query}`);
    equal(glb.status, 200);
    equal(glb.headers.get("content-type"), "model/gltf-binary");
    const said = await (await fetch(`${kit.base}/islands?${query}`)).json();
    return { bytes: new Uint8Array(await glb.arrayBuffer()), result: said.result };
}

for (const query of MAPS) {
    test(`the validator finds no fault: ${query}`, async () => {
        const { bytes } = await fetched(query);
        await validated(bytes);
    });

    test(`three.js shows the cells: ${query}`, async (t) => {
        const { bytes, result } = await fetched(query);
        const metres = Number(/voxel=(\d)/.exec(query)?.[1] ?? 1);
        const page = await stage(t);
        const seen = await page.evaluate(
            async ([glb, { width, height }, side]) => {
                const { three } = globalThis;
                const { scene } = await globalThis.load(glb);
                const parts = (node) => {
                    const meshes = [];
                    node.traverse(({ isMesh, material }) => {
                        if (isMesh && material.map)
                            meshes.push([material.name, material.map.image.width]);
                    });
                    return meshes;
                };
                const objects = scene.children[0].children.map((node) => {
                    const box = new three.Box3().setFromObject(node);
                    return {
                        name: node.name,
                        extras: node.userData,
                        parts: parts(node),
                        low: box.min.toArray(),
                        high: box.max.toArray(),
                    };
                });
                // poles would hide the cells that they stand on
                for (const node of scene.children[0].children) node.visible = / |_/.test(node.name);
                const canvas = document.querySelector("canvas");
                const renderer = new three.WebGLRenderer({ canvas, preserveDrawingBuffer: true });
                const [w, h] = [width * side, height * side];
                const camera = new three.OrthographicCamera(-w / 2, w / 2, h / 2, -h / 2, 1, 1000);
                camera.position.set(w / 2, 500, h / 2);
                camera.up.set(0, 0, -1);
                camera.lookAt(w / 2, 0, h / 2);
                scene.add(new three.AmbientLight(0xffffff, Math.PI));
                renderer.setClearColor(0xff00ff, 1);
                renderer.setPixelRatio(1);
                renderer.setSize(width * 4, height * 4);
                renderer.render(scene, camera);
                const flat = document.createElement("canvas");
                [flat.width, flat.height] = [width * 4, height * 4];
                const context = flat.getContext("2d");
                context.drawImage(canvas, 0, 0);
                const { data } = context.getImageData(0, 0, width * 4, height * 4);
                const cells = Array.from({ length: height }, (_, y) =>
                    Array.from({ length: width }, (_, x) => [
                        ...data.slice(((y * 4 + 2) * width * 4 + x * 4 + 2) * 4).slice(0, 3),
                    ]),
                );
                return { objects, cells };
            },
            [[...bytes], { width: result.width, height: result.height }, metres],
        );

        const islands = seen.objects.filter(({ name }) => name.startsWith("island"));
        equal(islands.length, result.islands.length);
        for (const [i, island] of islands.entries()) {
            const { id, bounds, size } = result.islands[i];
            match(island.name, new RegExp(`^island[ _]${id}$`));
            assert.ok(island.extras.id === id && island.extras.size === size);
            deepEqual(island.parts, [
                ["land", 16],
                ["earth", 16],
            ]);
            deepEqual(
                [island.low[0], island.low[2], island.high[0], island.high[2]].map(
                    (n) => n / metres,
                ),
                [bounds[0], bounds[1], bounds[2] + 1, bounds[3] + 1],
            );
            const most = Math.max(
                ...result.heights.flat().filter((_, c) => result.cells.flat()[c] === id),
            );
            deepEqual([island.low[1], island.high[1]], [-most * metres, most * metres]);
        }
        const names = seen.objects.map(({ name }) => name);
        assert.ok(names.includes("start") && names.includes("end"));
        const shades = new Set();
        for (const [y, row] of result.cells.entries())
            for (const [x, label] of row.entries()) {
                const [r, g, b] = seen.cells[y][x];
                const air = r === 255 && g === 0 && b === 255;
                equal(air, label === 0, `cell ${x},${y} is ${label}: ${r} ${g} ${b}`);
                // land of the lowest layer has the two greens of drawings
                if (label > 0 && result.heights[y][x] === 1) shades.add(`${r},${g},${b}`);
            }
        const greens = [
            [111, 174, 92],
            [125, 182, 108],
        ]; // which light may round down
        for (const [i, shade] of [...shades].sort().entries())
            for (const [k, value] of shade.split(",").entries())
                assert.ok([0, 1].includes(greens[i][k] - value), shade);
        equal(shades.size, 2);
    });
}

test("countries on islands are nodes of such a scene", async () => {
    const below = encodeURIComponent("/islands?layers=6&width=40&height=24&seed=4");
    for (const [look, suffix] of [
        ["", ""],
        ["&collision=true", "-col"],
    ]) {
        const glb = await fetch(`${kit.base}/regions.glb?mask=${below}&count=20&seed=5${look}`);
        equal(glb.status, 200);
        const bytes = new Uint8Array(await glb.arrayBuffer());
        await validated(bytes);
        const length = new DataView(bytes.buffer).getUint32(12, true);
        const { nodes } = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
        for (let id = 1; id <= 20; id++) {
            const solid = nodes.filter(({ name }) => name === `region ${id}${suffix}`);
            assert.ok(solid.length === 1 && solid[0].mesh >= 0);
            equal(nodes.find(({ name }) => name === `region ${id}`).extras.id, id);
        }
        assert.ok(nodes.some(({ name, mesh }) => name === `bridge 1${suffix}` && mesh >= 0));
        assert.ok(nodes.some(({ name, mesh }) => name === "start" && mesh >= 0));
    }
});
