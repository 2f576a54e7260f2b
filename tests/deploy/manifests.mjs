// Reads manifests of Kubernetes (YAML, from standard input) by the schemas of its own OpenAPI; a line for
// each: its kind and name, or what is wrong with it, and then the exit code is 1.
//
//     TOOLS=build/npm/deploy node tests/deploy/manifests.mjs <manifest.yaml
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.env.TOOLS}/`);
const { parseAllDocuments } = require("yaml");

for (const document of parseAllDocuments(readFileSync(0, "utf8"))) {
    const manifest = document.toJS();
    try {
        const model = require(`kubernetes-models/${manifest.apiVersion}`)[manifest.kind];
        new model(manifest).validate();
        console.log(`${manifest.kind} ${manifest.metadata.name}`);
    } catch (error) {
        console.log(`${manifest.apiVersion} ${manifest.kind}: ${error.message}`);
        process.exitCode = 1;
    }
}
