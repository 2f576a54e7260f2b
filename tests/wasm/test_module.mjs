// The module: the bytes of the command line, problems, limits, and no access beyond the block of a
// map. MAPWRIGHT names the command.
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

import { start } from "../../src/web/ask/engine.js";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root));
const command = process.env.MAPWRIGHT ?? fileURLToPath(new URL("build/release/mapwright", root));
const file = read("build/wasm/libmapwright.wasm");
const module = new WebAssembly.Module(file);
const engine = await start(module);
const drawing = await start(new WebAssembly.Module(read("build/wasm/libmapwright-svg.wasm")));

const GENERATORS = ["regions", "areas", "islands", "starlanes", "puzzle/solve", "puzzle/generate"];
const text = (bytes) => new TextDecoder().decode(bytes);

const golden = readdirSync(new URL("tests/golden", root))
    .filter((name) => name.endsWith(".txt"))
    .map((name) => text(read(`tests/golden/${name}`)).split("\n")[0]);

test("it is small, and imports three functions", () => {
    const imports = WebAssembly.Module.imports(module).map(({ name, kind }) => `${kind} ${name}`);
    assert.deepStrictEqual(imports.sort(), [
        "function mw_catch",
        "function mw_stop",
        "function mw_throw",
    ]);
    const size = brotliCompressSync(file).length;
    assert(size <= 110 * 1024, `${size} bytes`);
});

test("it makes the bytes that the command makes", () => {
    assert(golden.length > 10);
    for (const address of golden)
        for (const format of ["json", "cbor", "svg"]) {
            const asked = address.replace("?", `.${format}?`);
            const { stdout } = spawnSync(command, [asked], { encoding: "buffer" });
            const { status, bytes } = (format === "svg" ? drawing : engine).make({
                address: asked,
            });
            assert.strictEqual(status, 200);
            assert(stdout.equals(bytes), asked);
        }
});

test("a JSON object says what an address says", () => {
    const { bytes } = engine.make({ address: "/regions", json: '{"width": 60, "seed": 7}' });
    assert.deepStrictEqual(bytes, engine.make({ address: "/regions?width=60&seed=7" }).bytes);
    const seeded = engine.make({ address: "/regions?width=60", seed: "7" });
    assert.deepStrictEqual(bytes, seeded.bytes);
});

test("problems are those of the service", () => {
    const { status, media, bytes } = engine.make({
        address: "/regions?wdth=1",
        json: '{"height": "x"}',
    });
    const problem = JSON.parse(text(bytes));
    assert.strictEqual(status, 400);
    assert.strictEqual(media, "application/problem+json");
    assert.strictEqual(problem.type, "/problems/invalid-parameter");
    assert.deepStrictEqual(
        problem.errors.map(({ pointer }) => pointer),
        ["/height", "/wdth"],
    );
    assert.strictEqual(engine.make({ address: "/nothing" }).status, 400);
    assert.match(text(engine.make({ address: "/regions.svg" }).bytes), /one of: json, cbor"/);
    assert.match(text(drawing.make({ address: "/regions.png" }).bytes), /one of: json, cbor, svg"/);
});

test("with little memory or few steps there is a problem, or the same map", () => {
    const addresses = GENERATORS.filter((name) => name !== "puzzle/solve").map(
        (name) => `/${name}?seed=3`,
    );
    for (const address of addresses) {
        const whole = engine.make({ address }).bytes;
        const ends = new Set();
        for (let size = 2 ** 16; size <= 2 ** 22; size = Math.ceil(size * 1.3))
            for (const steps of [0, 10, 1000, 5000]) {
                const { status, bytes } = engine.make({ address }, { memory: size, steps });
                ends.add(status);
                if (status === 200) assert.deepStrictEqual(bytes, whole);
                else assert.match(text(bytes), /problems\/too-(hard|big)/, `${address} ${size}`);
            }
        assert.deepStrictEqual([...ends].sort(), [200, 422], address);
    }
});

test("the caller can stop a map", () => {
    const asked = { address: "/regions?width=2000&height=2000&count=50&seed=1" };
    const counts = [];
    const stop = (steps) => counts.push(steps) > 2;
    const { status, bytes } = engine.make(asked, { stop });
    assert.strictEqual(status, 504);
    assert.match(text(bytes), /was stopped/);
    assert(counts.length === 3 && counts[0] < counts[1], String(counts));
});

test("memory beyond the block of a map is not written", async () => {
    const other = await start(module);
    const address = "/regions?width=300&height=300&seed=1";
    other.make({ address: "/regions?width=1000&height=1000&seed=1" }); // takes memory
    const memory = new Uint8Array(other.memory());
    const size = 2 ** 21,
        above = memory.length - 2 ** 22;
    memory.fill(0xa5, above);
    for (const wanted of [size, size / 2, size / 8, size / 30])
        other.make({ address }, { memory: wanted });
    assert(memory.length > 2 ** 23 && memory.subarray(above).every((byte) => byte === 0xa5));
});
