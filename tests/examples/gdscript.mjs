// gdscript.mjs FILE ...: whether they are GDScript of Godot 4, by the grammar that editors use.
import fs from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const Parser = require("tree-sitter"),
    grammar = require("tree-sitter-gdscript");

function* faults(node) {
    if (node.type === "ERROR" || node.isMissing) {
        yield `line ${node.startPosition.row + 1}: ${node.text.split("\n")[0] || "something is missing"}`;
    }
    for (const child of node.children) {
        yield* faults(child);
    }
}

const parser = new Parser();
parser.setLanguage(grammar);
for (const file of process.argv.slice(2)) {
    for (const fault of faults(parser.parse(fs.readFileSync(file, "utf8")).rootNode)) {
        console.error(`${file}, ${fault}`);
        process.exitCode = 1;
    }
}
