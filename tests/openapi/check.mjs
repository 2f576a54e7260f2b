// check.mjs: whether the OpenAPI document is sound, and its examples fit it.
//
//   node check.mjs <redocly's findings, JSON>
//
// Run by lint.sh, beside the two documents. Judges by Ajv, which knows nothing of the tables that
// the document was made from. Bounds and answers of the service are tested in tests/http.
import assert from "node:assert";
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

const [findings] = process.argv.slice(2);
const text = readFileSync("openapi.yaml", "utf8");
const doc = JSON.parse(readFileSync("openapi.json", "utf8"));
const components = doc.components;

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats(ajv);
ajv.addVocabulary(["example", "x-grounds"]);

// A compiled schema; references into the document are found there. Objects may have no members but those
// that are described.
function compile(schema) {
    const local = structuredClone({ ...schema, components: { schemas: components.schemas } });
    const close = (node) => {
        if (!node || typeof node !== "object") return;
        if (node.properties) node.additionalProperties = false;
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
        const validate = compile(node.schema);
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

assert(examples > 6);
console.log(`openapi: ${examples} examples agree with the document`);
