// node.js: the package where there are files: Node, Deno, Bun. No bundler for browsers sees it.
import { readFile } from "node:fs/promises";
import { reader } from "./read.js";

export * from "./index.js";

const { read } = reader;
reader.read = (place) => (place.startsWith("file:") ? readFile(new URL(place)) : read(place));
