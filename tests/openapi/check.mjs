// check.mjs: whether the OpenAPI document is sound, and its examples and answers of the command fit it.
//
//   node check.mjs <command> <redocly's findings, JSON>
//
// Run by lint.sh, beside the two documents. Judges by Ajv, which knows nothing of the tables that
// the document was made from. Bounds and answers of the service are tested in tests/http.
import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

const [command, findings] = process.argv.slice(2);
const text = readFileSync("openapi.yaml", "utf8");
const doc = JSON.parse(readFileSync("openapi.json", "utf8"));
const components = doc.components;

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats(ajv);
ajv.addVocabulary(["example", "x-grounds"]);

function run(...words) {
    return spawnSync(command, words, { encoding: "utf8", maxBuffer: 1 << 30 });
}

// A compiled schema; references into the document are found there. With `closed`, objects may have
// no members but those that are described.
function compile(schema, closed = false) {
    const local = structuredClone({ ...schema, components: { schemas: components.schemas } });
    const close = (node) => {
        if (!node || typeof node !== "object") return;
        if (node.properties && closed) node.additionalProperties = false;
        Object.values(node).forEach(close);
    };
    close(local);
    delete local.example;
    return new Ajv2020({
        strict: true,
        allowUnionTypes: true,
        allErrors: true,
        formats: ajv.formats,
    })
        .addVocabulary(["components", "x-grounds"])
        .compile(local);
}

function expect(validate, value, what) {
    assert(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`);
}

// ---- the documents ----

assert.deepStrictEqual(parse(text), doc, "YAML and JSON say the same");
assert(text.length < 90_000, "the document stays small: many programs read all of it");
assert.deepStrictEqual(JSON.parse(findings).problems, [], "redocly has nothing to say");

// ---- examples ----

let examples = 0;
function checkExamples(node, path) {
    if (!node || typeof node !== "object") return;
    if (node.schema) {
        const validate = compile(node.schema, true);
        const all = Object.values(node.examples ?? {}).map((e) => e.value);
        if ("example" in node) all.push(node.example);
        for (const value of all) expect(validate, value, path);
        examples += all.length;
    }
    for (const [key, child] of Object.entries(node))
        if (key !== "example" && key !== "value") checkExamples(child, `${path}/${key}`);
}
checkExamples(doc, "");
for (const [name, response] of Object.entries(components.responses))
    if (response.content?.["application/json"]?.schema?.$ref)
        assert(
            "example" in response.content["application/json"] || /^(KeptMap|Later)$/.test(name),
            `${name} has an example`,
        );

// ---- requests and answers ----

const generators = Object.entries(doc.paths)
    .filter(([, item]) => item.post)
    .map(([path, item]) => {
        const body = components.requestBodies[item.post.requestBody.$ref.split("/").pop()];
        const media = body.content["application/json"];
        const request = components.schemas[media.schema.$ref.split("/").pop()];
        const answer = components.responses[item.get.responses["200"].$ref.split("/").pop()];
        return {
            name: path.slice(1),
            request,
            example: media.example,
            get: item.get,
            answer: compile(answer.content["application/json"].schema, true),
        };
    });

// A value as it is written on a command line.
function spell(schema, value) {
    if (!Array.isArray(value)) return String(value);
    if (schema.items.type === "string") return value.join("/");
    return schema.items.type === "array"
        ? value.map((p) => p.join(",")).join(";")
        : value.join(",");
}

function words(generator, body) {
    return Object.entries(body).map(
        ([k, v]) => `${k}=${spell(generator.request.properties[k], v)}`,
    );
}

let answers = 0;
function checkAnswer(generator, body) {
    const { status, stdout, stderr } = run(
        generator.name,
        ...words(generator, body),
        "format=json",
    );
    assert([0, 3].includes(status), `${generator.name} ${JSON.stringify(body)}: ${stderr}`);
    if (status) return;
    const answer = JSON.parse(stdout);
    expect(generator.answer, answer, `${generator.name} ${JSON.stringify(body)}`);
    for (const [key, value] of Object.entries(body))
        if (key in answer.parameters)
            assert.deepStrictEqual(answer.parameters[key], value, `${key} comes back`);
    answers++;
}

for (const generator of generators) {
    checkAnswer(generator, generator.example);
    for (const [key, schema] of Object.entries(generator.request.properties))
        for (const value of schema.enum ??
            ([schema.type].flat()[0] === "boolean" ? [true, false] : []))
            if (key !== "format" && value !== null)
                checkAnswer(generator, { ...generator.example, [key]: value });
    for (const seed of ["7", "hello", "\u00e9", 9007199254740991])
        if (generator.request.properties.seed)
            checkAnswer(generator, { ...generator.example, seed });
}
assert(answers >= generators.length && examples > generators.length);

console.log(`openapi: ${examples} examples and ${answers} answers agree with the document`);
