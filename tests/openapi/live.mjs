// live.mjs: whether a running server answers as the OpenAPI document says.
//
//   node live.mjs <server binary>
//
// Run by lint.sh, beside openapi.json. Every operation is called with the document's own examples,
// in every format that it lists; then each status is provoked. An answer must be of a documented
// status and type, with the documented headers, and fit its schema.
import assert from "node:assert";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

const doc = JSON.parse(readFileSync("openapi.json", "utf8"));
const schemas = doc.components.schemas;

function resolve(node) {
    return node?.$ref
        ? node.$ref
              .slice(2)
              .split("/")
              .reduce((at, key) => at[key], doc)
        : node;
}

function validator(schema) {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
    addFormats(ajv);
    ajv.addVocabulary(["components"]);
    return ajv.compile({ ...schema, components: { schemas } });
}

// ---- the server ----

function freePort() {
    return new Promise((done) => {
        const server = createServer().listen(0, () => {
            const { port } = server.address();
            server.close(() => done(port));
        });
    });
}

const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const server = spawn(process.argv[2], [`--port=${port}`, "--log=off"], { stdio: "ignore" });
process.on("exit", () => server.kill());
let ready = false;
for (let i = 0; i < 200 && !ready; i++) {
    ready = await fetch(`${base}/readyz`).then(
        (r) => r.ok,
        () => false,
    );
    if (!ready) await new Promise((done) => setTimeout(done, 50));
}
assert(ready, "the server is ready within ten seconds");

// ---- one exchange, judged ----

let judged = 0;

function headersOf(response, asked) {
    return Object.keys(response.headers ?? {}).filter(
        (name) => name !== "Content-Location" || !asked.seeded,
    );
}

async function judge(operation, what, answer, asked) {
    const listed =
        operation.responses[answer.status] ?? (answer.status >= 400 && operation.responses.default);
    assert(listed, `${what}: status ${answer.status} is documented`);
    const response = resolve(listed);
    for (const name of headersOf(response, asked))
        if (
            answer.status !== 304 ||
            ["ETag", "X-Request-Id", "Vary", "Cache-Control"].includes(name)
        )
            assert(answer.headers.has(name), `${what}: has ${name}`);
    const body = Buffer.from(await answer.arrayBuffer());
    judged++;
    if (!response.content || asked.method === "HEAD") {
        assert.strictEqual(body.length, 0, `${what}: no body`);
        return null;
    }
    const type = (answer.headers.get("Content-Type") ?? "").split(";")[0];
    assert(response.content[type], `${what}: ${type} is documented`);
    const text = body.toString();
    const value = /json$/.test(type) ? JSON.parse(text) : /yaml$/.test(type) ? parse(text) : text;
    const validate = validator(response.content[type].schema);
    assert(validate(value), `${what}: ${JSON.stringify(validate.errors)}`);
    return { type, value };
}

async function call(operation, path, asked = {}) {
    const what = `${asked.method ?? "GET"} ${path} ${JSON.stringify(asked.headers ?? {})}`;
    const headers = { ...(asked.body && { "Content-Type": "application/json" }), ...asked.headers };
    const answer = await fetch(base + path, { ...asked, headers });
    const content = await judge(operation, what, answer, asked);
    if (asked.expect)
        assert.strictEqual(
            answer.status,
            asked.expect,
            `${what}: ${JSON.stringify(content?.value)}`,
        );
    return { answer, content };
}

// ---- pages ----

for (const [path, item] of Object.entries(doc.paths).filter(
    ([, i]) => i.get.tags[0] === "service",
)) {
    const { content } = await call(item.get, path.replace("{slug}", "no-result"), { expect: 200 });
    await call(item.get, path.replace("{slug}", "no-result"), { method: "HEAD", expect: 200 });
    await call(item.get, path.replace("{slug}", "no-result"), { method: "DELETE", expect: 405 });
    if (path === "/openapi.json" || path === "/openapi.yaml")
        assert.deepStrictEqual(content.value, doc, path);
}
await call(doc.paths["/problems/{slug}"].get, "/problems/none", { expect: 404 });

// ---- maps ----

function query(operation) {
    const pairs = operation.parameters
        .map(resolve)
        .filter((p) => p.in === "query" && "example" in p)
        .map((p) => `${p.name}=${encodeURIComponent(String(p.example))}`);
    return pairs.join("&");
}

async function checkMaps(path, item) {
    const body = item.post.requestBody.content["application/json"].example;
    const post = { method: "POST", body: JSON.stringify(body), seeded: true, expect: 200 };
    const url = `${path}?${query(item.get)}`,
        get = { seeded: true, expect: 200 };
    const types = Object.keys(resolve(item.get.responses["200"]).content).filter(
        (type) => type !== "text/event-stream",
    );
    for (const type of types) {
        const one = await call(item.get, url, { ...get, headers: { Accept: type } });
        const two = await call(item.post, path, { ...post, headers: { Accept: type } });
        assert.strictEqual(one.content.type, type);
        assert.deepStrictEqual(
            one.content.value,
            two.content.value,
            `${url} ${type}: GET and POST give the same`,
        );
        assert.strictEqual(one.answer.headers.get("ETag"), two.answer.headers.get("ETag"));
        const tag = { Accept: type, "If-None-Match": one.answer.headers.get("ETag") };
        await call(item.get, url, { ...get, headers: tag, expect: 304 });
        await call(item.post, path, { ...post, headers: tag, expect: 412 });
        await call(item.get, url, { ...get, method: "HEAD", headers: { Accept: type } });
    }
    const suffixed = doc.paths[`${path}.{suffix}`].get;
    const formats = suffixed.parameters.map(resolve).find((p) => p.name === "suffix").schema.enum;
    for (const format of formats) {
        await call(suffixed, `${path}.${format}?${query(suffixed)}`, get);
        await call(item.get, `${url}&format=${format}`, get);
        await call(item.post, path, { ...post, body: JSON.stringify({ ...body, format }) });
    }
    const { content } = await call(item.get, url, get);
    const kept = await call(doc.paths["/maps/{id}"].get, `/maps/${content.value.id}`, get);
    assert.deepStrictEqual(kept.content.value, content.value);
    assert.deepStrictEqual(
        (await call(item.get, content.value.self, get)).content.value,
        content.value,
    );
    await checkNulls(path, item, post, body);
    await provoke(path, item, url, post);
}

// null counts as left out, of every parameter.
async function checkNulls(path, item, post, body) {
    const { properties, required = [] } = resolve(
        item.post.requestBody.content["application/json"].schema,
    );
    const nulls = Object.fromEntries(Object.keys(properties).map((key) => [key, null]));
    const whole = await call(item.post, path, post);
    const more = await call(item.post, path, {
        ...post,
        body: JSON.stringify({ ...nulls, ...body }),
    });
    assert.deepStrictEqual(more.content.value, whole.content.value);
    for (const key of required)
        await call(item.post, path, {
            ...post,
            body: JSON.stringify({ ...body, [key]: null }),
            expect: 400,
        });
}

async function provoke(path, item, url, post) {
    await call(item.get, `${url}&no-such=1`, { expect: 400 });
    await call(item.post, path, { ...post, body: "[", expect: 400 });
    await call(item.post, path, { ...post, body: '{"no-such": 1, "v": "x"}', expect: 400 });
    await call(item.get, `${url}&format=no-such`, { expect: 406 });
    await call(item.get, url, { headers: { Accept: "video/mp4" }, expect: 406 });
    await call(item.get, `${url}&v=2000000000`, { expect: 410 });
    await call(item.post, path, { ...post, body: " ".repeat((1 << 20) + 1), expect: 413 });
    await call(item.post, path, { ...post, headers: { "Content-Type": "text/csv" }, expect: 415 });
    await call(item.get, path, { method: "PUT", body: "{}", expect: 405 });
    const { example } = item.post.requestBody.content["application/json"];
    if (!("seed" in example)) return;
    const fresh = JSON.stringify({ ...example, seed: undefined });
    const { answer, content } = await call(item.post, path, {
        method: "POST",
        body: fresh,
        expect: 200,
    });
    assert.match(answer.headers.get("Content-Location"), /seed=/);
    const again = await call(item.get, answer.headers.get("Content-Location"), {
        seeded: true,
        expect: 200,
    });
    assert.deepStrictEqual(again.content.value, content.value);
}

for (const [path, item] of Object.entries(doc.paths).filter(([, i]) => i.post))
    await checkMaps(path, item);
await call(doc.paths["/regions"].get, "/regions?width=2&height=2&count=5&seed=7", { expect: 422 });
await call(doc.paths["/maps/{id}"].get, "/maps/00000000-0000-5000-8000-000000000000", {
    expect: 404,
});

console.log(`openapi: ${judged} answers of the server are as the document says`);
server.kill();
