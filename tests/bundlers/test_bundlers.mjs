// test_bundlers.mjs: the package for npm in fresh projects, as its users build them: each bundler makes
// a page of it, and Chromium opens the page. The package is unpacked from its tarball.
import assert from "node:assert";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const tools = `${root}build/npm/bundlers`; // projects below it find the bundlers
const require = createRequire(`${tools}/`);
const { chromium } = createRequire(`${root}build/npm/web/`)("playwright-core");
const use = (name) => import(pathToFileURL(require.resolve(name)));

const packed = `${root}build/package/mapwright`;
const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json"], { cwd: packed, encoding: "utf8" }),
);

const MAIN = `
import { encode, make } from "mapwright";
const { result } = await make("regions", { width: 12, height: 8, count: 3, seed: 7 });
const svg = await encode("/regions.svg?seed=7");
document.title = \`made \${result.regions.length} \${svg.length > 100}\`;
`;
const PAGE = (script) =>
    `<!doctype html><title>…</title><script type="module" src="${script}"></script>`;

/* A project of its own, with the package installed and these files. */
function project(name, files) {
    const folder = `${tools}/projects/${name}`;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(`${folder}/node_modules/mapwright`, { recursive: true });
    const own = { "package.json": JSON.stringify({ name, type: "module" }), ...files };
    for (const [path, text] of Object.entries(own)) {
        mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
        writeFileSync(`${folder}/${path}`, text);
    }
    const into = ["--strip-components=1", "-C", `${folder}/node_modules/mapwright`];
    execFileSync("tar", ["xzf", `${packed}/${filename}`, ...into]);
    return folder;
}

const run = (folder, words, env) =>
    execFileSync(process.execPath, words, {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env },
        stdio: ["ignore", "pipe", "pipe"],
    });

// ---- pages, served and opened ----

const MEDIA = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

function serve(folder) {
    const server = createServer(({ url }, reply) => {
        const path = join(folder, url.endsWith("/") ? `${url}index.html` : url.split("?")[0]);
        try {
            const bytes = readFileSync(path);
            reply
                .writeHead(200, { "Content-Type": MEDIA[extname(path)] ?? "text/plain" })
                .end(bytes);
        } catch {
            reply.writeHead(404).end();
        }
    });
    after(() => server.close());
    return new Promise((done) =>
        server.listen(0, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/`)),
    );
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
});
after(() => browser.close());

async function opens(url) {
    const page = await browser.newPage(),
        said = [];
    page.on("console", (line) => said.push(line.text()));
    page.on("pageerror", (error) => said.push(String(error)));
    await page.goto(url);
    await page
        .waitForFunction(() => document.title.startsWith("made"), null, { timeout: 600_000 })
        .catch(() => assert.fail(said.join("\n") || "the page says nothing"));
    assert.strictEqual(await page.title(), "made 3 true");
    await page.close();
}

// ---- bundlers ----

test("webpack 5", async () => {
    const folder = project("webpack", { "main.js": MAIN, "out/index.html": PAGE("main.js") });
    const { default: webpack } = await use("webpack");
    const stats = await new Promise((done, fail) =>
        webpack(
            {
                mode: "production",
                context: folder,
                entry: "./main.js",
                output: { path: `${folder}/out`, filename: "main.js" },
            },
            (error, made) => (error ? fail(error) : done(made)),
        ),
    );
    assert(!stats.hasErrors(), stats.toString());
    await opens(await serve(`${folder}/out`));
});

/* It does not bring the modules along: the README says to copy them. */
const copyModules = (folder) => {
    for (const name of readdirSync(`${folder}/node_modules/mapwright`))
        if (name.endsWith(".wasm"))
            cpSync(`${folder}/node_modules/mapwright/${name}`, `${folder}/out/${name}`);
};

test("esbuild, for browsers, and in a worker", async () => {
    const folder = project("esbuild", {
        "main.js": MAIN,
        "worker.js": MAIN.replace("document.title =", "postMessage(").replace(/;\n$/, ");\n"),
        "out/index.html": PAGE("main.js"),
        "out/in-worker/index.html": `<!doctype html><script type="module">
            const worker = new Worker("../worker.js", { type: "module" });
            worker.onmessage = ({ data }) => { document.title = data; };</script>`,
    });
    const { build } = await use("esbuild");
    await build({
        absWorkingDir: folder,
        entryPoints: ["main.js", "worker.js"],
        bundle: true,
        format: "esm",
        outdir: "out",
    });
    copyModules(folder);
    const base = await serve(`${folder}/out`);
    await opens(base);
    await opens(`${base}in-worker/`);
});

test("Rollup", async () => {
    const folder = project("rollup", { "main.js": MAIN, "out/index.html": PAGE("main.js") });
    const { rollup } = await use("rollup");
    const { nodeResolve } = await use("@rollup/plugin-node-resolve");
    const bundle = await rollup({
        input: `${folder}/main.js`,
        plugins: [nodeResolve({ browser: true })],
    });
    await bundle.write({ dir: `${folder}/out`, format: "es" });
    copyModules(folder);
    await opens(await serve(`${folder}/out`));
});

for (const vite of ["vite7", "vite"]) {
    const files = { "main.js": MAIN, "index.html": PAGE("/main.js") };
    const configuration = (folder) => ({
        root: folder,
        configFile: false,
        logLevel: "error",
        build: { target: "esnext" },
    });
    test(`${vite}: a build`, async () => {
        const folder = project(`${vite}-build`, files);
        const { build } = await import(
            pathToFileURL(`${tools}/node_modules/${vite}/dist/node/index.js`)
        );
        await build(configuration(folder));
        await opens(await serve(`${folder}/dist`));
    });
    test(`${vite}: the dev server`, async () => {
        const folder = project(`${vite}-dev`, files);
        const { createServer: create } = await import(
            pathToFileURL(`${tools}/node_modules/${vite}/dist/node/index.js`)
        );
        const server = await create({ ...configuration(folder), server: { host: "127.0.0.1" } });
        await server.listen();
        await opens(server.resolvedUrls.local[0]).finally(() => server.close());
    });
}

test("Parcel", () => {
    const folder = project("parcel", { "main.js": MAIN, "index.html": PAGE("main.js") });
    const words = ["build", "index.html", "--no-cache", "--no-source-maps", "--public-url", "./"];
    run(folder, [`${tools}/node_modules/.bin/parcel`, ...words]);
    return serve(`${folder}/dist`).then(opens);
});

for (const how of ["--turbopack", "--webpack"])
    test(`Next 16, ${how}`, async () => {
        const folder = project(`next${how}`, {
            "app/layout.js":
                "export default ({ children }) => <html><body>{children}</body></html>;",
            "app/page.js": `"use client";
                import { useEffect } from "react";
                import { encode, make } from "mapwright";
                export default function Page() {
                    useEffect(() => void (async () => {
                        ${MAIN.split("\n").slice(2).join("\n")}
                    })());
                }`,
            "next.config.js": `export default { turbopack: { root: ${JSON.stringify(tools)} } };`,
        });
        const next = `${tools}/node_modules/next/dist/bin/next`;
        run(folder, [next, "build", how]);
        const child = spawn(process.execPath, [next, "start", "-p", "0", "-H", "127.0.0.1"], {
            cwd: folder,
            stdio: ["ignore", "pipe", "inherit"],
            env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
        });
        let said = "";
        for await (const chunk of child.stdout) {
            said += chunk;
            if (/http:\/\/127\.0\.0\.1:[1-9]\d*/.test(said) && /Ready/i.test(said)) break;
        }
        const [url] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(said);
        await opens(url).finally(() => child.kill());
    });

// ---- without a bundler ----

const JEST = (load) => `
import { readFileSync } from "node:fs";
import { encode, load, make } from "mapwright";
test("a map", async () => {
    ${load}
    const { result } = await make("regions", { seed: "né" });
    expect(result.regions.length).toBe(6);
    expect((await encode("/regions?seed=7")).length).toBeGreaterThan(100);
});
`;
for (const [environment, load] of [
    ["node", ""],
    ["jsdom", 'await load(readFileSync("node_modules/mapwright/libmapwright.wasm"));'],
])
    test(`Jest, ${environment}`, () => {
        const folder = project(`jest-${environment}`, {
            "map.test.js": JEST(load),
            "jest.config.json": JSON.stringify({
                testEnvironment: environment === "node" ? "node" : "jest-environment-jsdom",
                transform: {},
                watchman: false,
                haste: { forceNodeFilesystemAPI: true },
            }),
        });
        const words = ["--experimental-vm-modules", `${tools}/node_modules/jest/bin/jest.js`];
        run(folder, words, { NODE_ENV: "test" });
    });

test("CommonJS, by import()", () => {
    const folder = project("commonjs", {
        "package.json": "{}",
        "main.cjs":
            'import("mapwright").then(({ make }) => make("areas?seed=1")).then(() => console.log("made"));',
    });
    assert.strictEqual(run(folder, ["main.cjs"]).trim(), "made");
});

test("TypeScript without the DOM's types compiles what is declared", () => {
    const folder = project("types", {
        "main.ts": `import { load, make, remote } from "mapwright";
            const map = await make("regions", { seed: 7 });
            const far = remote("http://localhost").make("areas");
            await load("/libmapwright.wasm");
            export { far, map };`,
    });
    const tsc = `${root}build/npm/package/node_modules/typescript/lib/tsc.js`;
    const words = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022", "--types", ""];
    run(folder, [tsc, ...words.slice(0, -2), "--module", "nodenext", "main.ts"]);
});
