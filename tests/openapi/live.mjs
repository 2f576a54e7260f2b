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

// What the document says of all answers, of those with a map, and of this one.
function headersOf(response, answer, asked) {
    const listed = answer.ok ? Object.keys(response.headers ?? {}) : [];
    const told = listed.includes("ETag") ? ["Vary", "Cache-Status", "Server-Timing"] : [];
    return ["X-Request-Id", ...told, ...listed].filter(
        (name) => name !== "Content-Location" || !asked.seeded,
    );
}

async function judge(operation, what, answer, asked) {
    const body = Buffer.from(await answer.arrayBuffer());
    judged++;
    if (answer.status === 304) {
        for (const name of ["ETag", "X-Request-Id"]) assert(answer.headers.has(name), what);
        assert.strictEqual(body.length, 0, `${what}: no body`);
        return null;
    }
    const listed =
        operation.responses[answer.status] ?? (answer.status >= 400 && operation.responses.default);
    assert(listed, `${what}: status ${answer.status} is documented`);
    const response = resolve(listed);
    for (const name of headersOf(response, answer, asked))
        assert(answer.headers.has(name), `${what}: has ${name}`);
    if (!response.content || asked.method === "HEAD") {
        assert.strictEqual(body.length, 0, `${what}: no body`);
        return null;
    }
    const type = (answer.headers.get("Content-Type") ?? "").split(";")[0];
    assert(response.content[type], `${what}: ${type} is documented`);
    const { schema } = response.content[type];
    const text = body.toString();
    const value =
        schema.format === "binary" || schema.type === "string"
            ? text
            : (/yaml$/.test(type) ? parse : JSON.parse)(text);
    const validate = validator(schema);
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

// The same map in one format, by suffix, by `format` and by type, GET and POST. `drawn` is the operation
// that has the format.
async function checkFormat(path, item, drawn, format) {
    const body = item.post.requestBody.content["application/json"].example;
    const post = { method: "POST", body: JSON.stringify(body), seeded: true, expect: 200 };
    const tail = format === "json" ? "" : `.${format}`;
    const url = `${path}?${query(item.get)}`,
        get = { seeded: true, expect: 200 };
    const first = await call(drawn, `${path}${tail}?${query(item.get)}`, get);
    const headers = { Accept: first.content.type },
        known = { ...headers, "If-None-Match": first.answer.headers.get("ETag") };
    for (const [where, asked] of [
        [`${url}&format=${format}`, get],
        [url, { ...get, headers }],
        [path + tail, post],
        [path, { ...post, headers }],
        [path, { ...post, body: JSON.stringify({ ...body, format }) }],
    ]) {
        const again = await call(drawn, where, asked);
        assert.deepStrictEqual(again.content, first.content, `${where} ${format}: the same`);
        assert.strictEqual(again.answer.headers.get("ETag"), first.answer.headers.get("ETag"));
    }
    await call(drawn, url, { ...get, headers: known, expect: 304 });
    await call(drawn, path, { ...post, headers: known, expect: 412 });
    await call(drawn, url, { ...get, method: "HEAD", headers });
}

async function checkMaps(path, item) {
    const body = item.post.requestBody.content["application/json"].example;
    const post = { method: "POST", body: JSON.stringify(body), seeded: true, expect: 200 };
    const url = `${path}?${query(item.get)}`,
        get = { seeded: true, expect: 200 };
    const drawn = doc.paths[`${path}.{suffix}`].get;
    const { enum: formats } = drawn.parameters.map(resolve).find((p) => p.name === "suffix").schema;
    await checkFormat(path, item, item.get, "json");
    for (const format of formats) await checkFormat(path, item, drawn, format);
    const { content } = await call(item.get, url, get);
    const kept = await call(doc.paths["/maps/{id}"].get, `/maps/${content.value.id}`, get);
    assert.deepStrictEqual(kept.content.value, content.value);
    await call(drawn, `/maps/${content.value.id}.svg`, get);
    assert.deepStrictEqual(
        (await call(item.get, content.value.self, get)).content.value,
        content.value,
    );
    await checkGrounds(path, item, post, body);
    await checkNulls(path, item, post, body);
    await provoke(path, item, url, post);
}

// What is read from another map is answered as the address of that. Not every map has what fits: points of
// stars lie on no map of the usual size.
async function checkGrounds(path, item, post, body) {
    const { properties } = resolve(item.post.requestBody.content["application/json"].schema);
    for (const [name, { "x-grounds": grounds }] of Object.entries(properties).filter(
        ([, field]) => field["x-grounds"],
    )) {
        let stood = 0;
        for (const ground of grounds) {
            const lying = { ...(body.grid && body), [name]: `/${ground}?seed=7` };
            const { answer, content } = await call(item.post, path, {
                ...post,
                expect: undefined,
                body: JSON.stringify(lying),
            });
            if (answer.status !== 200) continue;
            assert.match(content.value.parameters[name], /^\//, `${path}: ${name} is an address`);
            stood++;
        }
        assert(stood, `${path}: ${name} is read from one of ${grounds}`);
    }
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

for (const [path, item] of Object.entries(doc.paths).filter(([, i]) => i.post)) {
    item.post.requestBody = resolve(item.post.requestBody);
    await checkMaps(path, item);
}
await call(doc.paths["/regions"].get, "/regions?width=2&height=2&count=5&seed=7", { expect: 422 });
await call(doc.paths["/maps/{id}"].get, "/maps/00000000-0000-5000-8000-000000000000", {
    expect: 404,
});

// What takes long is answered with 202 at once, and with the map in the end.
const slow = await fetch(`${base}/islands?width=2000&height=2000&seed=7`, {
    headers: { Prefer: "respond-async" },
});
assert.strictEqual(slow.status, 202);
await judge(doc.paths["/maps/{id}"].get, "Prefer", slow, {});
const place = slow.headers.get("Location");
let waited;
do waited = await call(doc.paths["/maps/{id}"].get, place, { seeded: true });
while (waited.answer.status === 202);
assert.strictEqual(waited.answer.status, 200);

console.log(`openapi: ${judged} answers of the server are as the document says`);
server.kill();
