// digest.mjs: runs a program in Node, or in Chromium, and says what it says.
//
//   node tests/wasm/digest.mjs node|chromium build/portable/wasm/digest.wasm [words ...]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";

import { run } from "./wasi.mjs";

const [where, file, ...words] = process.argv.slice(2);

/* What the page asks for: itself, the program and wasi.mjs. */
function serve() {
    const page = `<!doctype html><meta charset="utf-8"><title>digest</title>`;
    const files = {
        "/": ["text/html", page],
        "/wasi.mjs": ["text/javascript", readFileSync(new URL("wasi.mjs", import.meta.url))],
        "/program": ["application/wasm", readFileSync(file)],
    };
    const server = createServer(({ url }, reply) => {
        const [type, body] = files[url] ?? ["text/plain", ""];
        reply.writeHead(files[url] ? 200 : 204, { "Content-Type": type }).end(body);
    });
    return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

async function runInChromium() {
    const root = new URL("../../", import.meta.url);
    const { chromium } = createRequire(new URL("build/npm/web/", root))("playwright-core");
    const server = await serve();
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
        args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        return await page.evaluate(
            async (given) => {
                const { run: runHere } = await import("/wasi.mjs");
                const module = await WebAssembly.compileStreaming(fetch("/program"));
                return runHere(module, given);
            },
            ["digest", ...words],
        );
    } finally {
        await browser.close();
        server.close();
    }
}

const { status, said } =
    where === "chromium"
        ? await runInChromium()
        : await run(new WebAssembly.Module(readFileSync(file)), ["digest", ...words]);
process.stdout.write(said);
process.exitCode = status;
