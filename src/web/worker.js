// worker.js: makes maps, where it was given the module, and reads answers, aside, so that the page
// goes on meanwhile. Out comes what digest.js makes of an answer, and the beginning of the JSON to
// read.
import { digest } from "./ask/digest.js";
import { start } from "./ask/engine.js";
import { pretty } from "./ask/pretty.js";

const SLOWER = 3; /* than estimated: an estimate is of a native program */

let engine; /* a promise, once there is a module */

/* What is handed over instead of being copied. */
function buffersIn(value, found = new Set()) {
    if (ArrayBuffer.isView(value)) found.add(value.buffer);
    else if (value && typeof value === "object")
        for (const one of Object.values(value)) buffersIn(one, found);
    return found;
}

function parse(chunks) {
    const decoder = new TextDecoder();
    return JSON.parse(chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join(""));
}

function read(chunks) {
    const answer = parse(chunks);
    return { answer: digest(answer), json: pretty(answer) };
}

/* What is estimated to take long is not begun, and what takes long nevertheless is given up. */
function makeMap({ estimate, make }, question, patience) {
    const cost = estimate(question),
        began = performance.now();
    if (cost && (cost.nanoseconds / 1e6) * SLOWER > patience) return { far: true };
    const { status, bytes } = make(question, { stop: () => performance.now() > began + patience });
    const took = performance.now() - began;
    if (status === 504) return { far: true };
    if (status !== 200) return { problem: parse([bytes]) };
    return { ...read([bytes]), took, size: bytes.length };
}

addEventListener("message", async ({ data: { module, number, chunks, question, patience } }) => {
    if (module) {
        engine = start(module);
        return;
    }
    const made = question ? makeMap(await engine, question, patience) : read(chunks);
    postMessage({ ...made, number }, [...buffersIn(made)]);
});
