// test_package.mjs: the package for npm, as `make npm` leaves it: packed, unpacked, linted, typed, and
// run in Node, Deno, Bun and Chromium. MAPWRIGHTD names the service that it is compared with.
import assert from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import {
    cpSync,
    existsSync,
    mkdirSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const [built, tools] = [`${root}build/package`, `${root}build/npm/package/node_modules`];
const user = `${built}/user`;
const run = (command, words, options) =>
    execFileSync(command, words, { encoding: "utf8", cwd: user, ...options });
const node = (script, ...words) => run(process.execPath, [script, ...words]);

// ---- packed, and unpacked where a user has it ----

rmSync(user, { recursive: true, force: true });
mkdirSync(`${user}/node_modules/mapwright`, { recursive: true });
writeFileSync(
    `${user}/package.json`,
    JSON.stringify({ type: "module", dependencies: { mapwright: "*" } }),
);
const [packed] = JSON.parse(run("npm", ["pack", "--json"], { cwd: `${built}/mapwright` }));
const tarball = `${built}/mapwright/${packed.filename}`;
run("tar", ["xzf", tarball, "--strip-components=1", "-C", "node_modules/mapwright"]);
for (const [name, from] of [
    ["phaser", tools],
    ["three", `${root}build/npm/web/node_modules`],
])
    symlinkSync(`${from}/${name}`, `${user}/node_modules/${name}`);
const { make, encode, remote, MapProblem } = await import(
    pathToFileURL(`${user}/node_modules/mapwright/node.js`)
);

// ---- a service beside it ----

const listen = (server) =>
    new Promise((done) => server.listen(0, "127.0.0.1", () => done(server.address().port)));

async function startService() {
    const idle = createServer(),
        port = await listen(idle);
    await new Promise((done) => idle.close(done));
    const child = spawn(
        process.env.MAPWRIGHTD ?? `${root}build/release/mapwrightd`,
        [`--port=${port}`, "--host=127.0.0.1", "--log=off"],
        { stdio: "ignore" },
    );
    after(() => child.kill());
    const base = `http://127.0.0.1:${port}`;
    await remote(base, { tries: 10 }).encode("/regions?seed=1");
    return base;
}
const base = await startService(),
    service = remote(base);

// ---- what is in it ----

test("it holds what is needed, and no more", () => {
    const files = packed.files.map(({ path }) => path).sort();
    assert.deepStrictEqual(files, [
        "LICENSE",
        "README.md",
        "ask.d.ts",
        "ask.js",
        "cbor.js",
        "engine.js",
        "examples/islands.html",
        "examples/node.mjs",
        "examples/regions.html",
        "index.d.ts",
        "index.js",
        "libmapwright-svg.wasm",
        "libmapwright.wasm",
        "maps.d.ts",
        "node.js",
        "package.json",
        "read.js",
        "remote.d.ts",
        "remote.js",
        "text.js",
    ]);
    const version = /MW_VERSION "(.*)"/.exec(readFileSync(`${root}include/mapwright.h`, "utf8"));
    assert.strictEqual(packed.version, version[1]);
});

test("linters have nothing to say", () => {
    node(`${tools}/publint/src/cli.js`, "--strict", `${user}/node_modules/mapwright`);
    node(
        `${tools}/@arethetypeswrong/cli/dist/index.js`,
        ...[
            tarball,
            "--profile",
            "esm-only",
            "--exclude-entrypoints",
            "libmapwright.wasm",
            "libmapwright-svg.wasm",
        ],
    );
});

test("its types hold what a program does, and refuse what would fail", () => {
    cpSync(`${root}tests/package/user.ts`, `${user}/user.ts`);
    for (const resolution of ["nodenext", "bundler"])
        node(
            `${tools}/typescript/lib/tsc.js`,
            ...["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom"],
            ...["--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"],
            ...["--module", resolution === "bundler" ? "esnext" : "nodenext"],
            ...["--moduleResolution", resolution, "--moduleDetection", "force", "user.ts"],
        );
});

test("a program that only asks a service gets no module", () => {
    const bundle = (text) =>
        run(`${tools}/esbuild/bin/esbuild`, ["--bundle", "--format=esm", "--platform=node"], {
            input: text,
        });
    const alone = bundle('import { remote } from "mapwright"; remote("http://x").make("regions");');
    assert.doesNotMatch(alone, /mw_catch|libmapwright/);
    assert.match(bundle('import { make } from "mapwright"; make("regions");'), /mw_catch/);
});

// ---- what it makes ----

const ADDRESSES = [
    "/regions?width=30&seed=7",
    "/areas?count=3&area=60&seed=o'ak",
    "/islands?seed=3",
    "/starlanes?stars=60&graphs=true&seed=4",
    "/puzzle/generate?seed=5",
    "/puzzle/solve?grid=A.B/.../A.B&rule=flow",
];

/* JSON has grids as rows, the package as one array of all cells. */
function flat(value) {
    if (ArrayBuffer.isView(value)) return Array.from(value);
    if (Array.isArray(value)) return value.map(flat);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
            name,
            ["cells", "heights"].includes(name) && Array.isArray(one) ? one.flat() : flat(one),
        ]),
    );
}

test("it makes what the service makes", async () => {
    for (const address of ADDRESSES) {
        const json = JSON.parse(await fetch(base + address).then((reply) => reply.text()));
        const here = await make(address);
        assert.deepStrictEqual(flat(here), flat(json), address);
        assert.deepStrictEqual(await service.make(address), here);
        for (const format of ["json", "svg", "cbor"]) {
            const asked = address.replace("?", `.${format}?`);
            assert.deepStrictEqual(await encode(asked), await service.encode(asked), asked);
        }
    }
});

test("parameters are given as an object, too", async () => {
    const parameters = { width: 12, height: 9, count: 3, mask: null, seed: "é/&" };
    const here = await make("regions", parameters);
    assert.deepStrictEqual(await service.make("regions", parameters), here);
    assert(here.result.cells instanceof Uint16Array && here.result.cells.length === 108);
    assert.deepStrictEqual(await make(here.self), here);
    assert.deepStrictEqual(
        await make("/regions.svg?seed=1&format=svg"),
        await make("regions", { seed: 1 }),
    );
    const [one, other] = await Promise.all([make("regions"), make("regions")]);
    assert.notStrictEqual(one.seed, other.seed);
});

test("what is wrong is thrown, alike here and there", async () => {
    for (const from of [{ make, encode }, service]) {
        const problem = await from.make("regions", { width: 0, hieght: 3 }).catch((one) => one);
        assert(problem instanceof MapProblem);
        assert.strictEqual(problem.status, 400);
        assert.deepStrictEqual(
            problem.errors.map(({ pointer }) => pointer),
            ["/width", "/hieght"],
        );
    }
    const late = encode("/regions?width=2000&height=2000&seed=1", null, { timeout: 0 });
    await assert.rejects(late, { status: 504 });
    await assert.rejects(make("regions", { width: 300 }, { memory: 2 ** 17 }), { status: 422 });
    await assert.rejects(make("regions", {}, { signal: AbortSignal.abort() }), {
        name: "AbortError",
    });
});

test("a large map tells how far it is, here and there", async () => {
    for (const from of [{ make }, service]) {
        const parts = [];
        const asked = `/regions?width=2500&height=2500&count=${from === service ? 1000 : 900}&seed=1`;
        await from.make(asked, null, { progress: (part) => parts.push(part) });
        assert(parts.every((part, i) => part >= 0 && part <= 1 && part >= (parts[i - 1] ?? 0)));
        assert(from === service || parts.length > 3, `${parts.length} times`);
    }
});

test("a busy service is asked again when it says so, and no longer when it was given up", async () => {
    let asked = 0;
    const server = createServer((request, reply) => {
        asked++;
        if (asked === 1) return request.destroy();
        const busy = asked < 4;
        reply.writeHead(busy ? 503 : 200, busy ? { "Retry-After": "0" } : {});
        return reply.end(busy ? "{}" : new Uint8Array([0xa0]));
    });
    const place = `http://127.0.0.1:${await listen(server)}`;
    assert.deepStrictEqual(await remote(place).make("regions"), {});
    assert.strictEqual(asked, 4);
    asked = 1;
    await assert.rejects(remote(place, { tries: 2 }).make("regions"), { status: 503 });
    asked = -100;
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const given = remote(place, { signal: controller.signal, tries: 1000 }).make("regions");
    await assert.rejects(given, { name: "AbortError" });
    server.closeAllConnections();
    server.close();
});

// ---- where it runs ----

const example = "node_modules/mapwright/examples/node.mjs";
const RUNTIMES = {
    Deno: [`${tools}/@deno/linux-x64-glibc/deno`, "run", "--allow-read"],
    Bun: [`${tools}/@oven/bun-linux-x64/bin/bun`, "run"],
};
for (const [name, [command, ...words]] of Object.entries(RUNTIMES))
    test(`it runs in ${name}`, { skip: !existsSync(command) && "npm has none here" }, () => {
        assert.strictEqual(run(command, [...words, example, "7"]), node(example, "7"));
    });

test("the examples for browsers are drawn", async (t) => {
    const { open } = await import("../web/kit.mjs");
    const TYPES = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
    const server = createServer(({ url }, reply) => {
        const path = new URL(url, "http://x").pathname;
        if (!existsSync(user + path)) return reply.writeHead(204).end();
        const type = TYPES[path.split(".").pop()] ?? "text/plain";
        return reply.writeHead(200, { "Content-Type": type }).end(readFileSync(user + path));
    });
    const place = `http://127.0.0.1:${await listen(server)}`;
    const kit = await open([place]);
    try {
        for (const name of ["islands", "regions"]) {
            const page = await kit.page(t, { allow: [/GL Driver|GPU stall|WebGL|Phaser v/] });
            await page.goto(`${place}/node_modules/mapwright/examples/${name}.html`);
            await page.waitForFunction(() => document.body.dataset.drawn);
        }
    } finally {
        await kit.close();
        server.closeAllConnections();
        server.close();
    }
});
