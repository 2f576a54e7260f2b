// check.mjs: whether the OpenAPI document says what the program does.
//
//   node check.mjs <command> <redocly's findings, JSON>
//
// Run by lint.sh, beside the two documents. Judges by Ajv, which knows nothing of the tables that
// the document was made from.
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

function times(n, element) {
    return Array.from({ length: n }, element);
}

// Values on both sides of every bound.
function probes(schema) {
    if ([schema.type].flat().includes("string") && schema.maxLength)
        // a seed is text here, also where it is a number
        return ["a", "7", "a".repeat(schema.maxLength), "a".repeat(schema.maxLength + 1)];
    if (schema.enum) return [...schema.enum.filter((e) => e !== null), "no such"];
    const type = [schema.type].flat()[0];
    if (type === "boolean") return [true, false, "maybe"];
    if (type === "integer")
        return [schema.minimum, schema.maximum, schema.minimum - 1, schema.maximum + 1, 1.5, "x"];
    if (type === "number")
        return [schema.minimum, schema.maximum, schema.minimum - 1, schema.maximum + 1, "x"];
    return listProbes(schema);
}

function listProbes(schema) {
    const of = (element) =>
        [schema.minItems, schema.minItems - 1, schema.maxItems, schema.maxItems + 1]
            .filter((n) => n > 0 && n <= 5000)
            .map((n) => times(n, element));
    const { items } = schema;
    if (items.type === "string") {
        const c = new RegExp(items.pattern.replace(/\+\$$/, "$"));
        const good = [..." !\"#$%&'()*+,-.:;<=>?@[]^_`{|}~abc012"].find((x) => c.test(x));
        return [
            ...of(() => good),
            [good.repeat(items.maxLength + 1)],
            [`${good}\u00e9`],
            [good, good + good],
        ].filter((rows) => new Set(rows.map((r) => r.length)).size === 1);
    }
    if (items.type === "array") {
        const { minimum, maximum } = items.items;
        let n = 0;
        return [
            ...of(() => [minimum + n++, maximum]),
            times(schema.minItems, () => [minimum, maximum + 1]),
            [[minimum]],
        ];
    }
    return [
        ...of(() => items.minimum),
        times(schema.minItems, () => items.maximum + 1),
        times(schema.minItems, () => items.minimum - 1),
    ];
}

// In so small a block no map gets made, but every parameter is looked at.
function isRefused(generator, key, body) {
    const { status, stderr } = run("--memory=2M", generator.name, ...words(generator, body));
    assert(
        [0, 2, 3].includes(status),
        `${generator.name} ${JSON.stringify(body).slice(0, 200)}: ${stderr}`,
    );
    return (
        status === 2 &&
        stderr.split("\n").some((line) => /^mapwright: (\w+)[:[]/.exec(line)?.[1] === key)
    );
}

function isRows(schema) {
    return schema.items?.type === "string";
}

let bounds = 0;
for (const generator of generators) {
    for (const [key, schema] of Object.entries(generator.request.properties)) {
        if (key === "v" || key === "seed") continue;
        const validate = compile(schema);
        for (const value of probes(schema)) {
            const body = { ...generator.example, [key]: value };
            const refused = isRefused(generator, key, body),
                said = `${generator.name} ${key}=${JSON.stringify(value)}`;
            if (!isRows(schema) || !validate(value))
                // rows may be refused for what they mean
                assert.strictEqual(
                    refused,
                    !validate(value),
                    `${said.slice(0, 100)}: refused just where the schema does`,
                );
            bounds++;
        }
    }
}

// What is required is refused when it is left out; what is not, is not.
for (const generator of generators) {
    const required = generator.request.required ?? [];
    const least = Object.fromEntries(required.map((key) => [key, generator.example[key]]));
    for (const key of Object.keys(generator.request.properties)) {
        const { [key]: _, ...without } = least;
        assert.strictEqual(
            isRefused(generator, key, without),
            required.includes(key),
            `${generator.name} without ${key}: refused just where the schema requires it`,
        );
    }
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
assert(answers >= generators.length && examples > generators.length && bounds > generators.length);

console.log(
    `openapi: ${examples} examples, ${bounds} bounds and ${answers} answers agree with the document`,
);
