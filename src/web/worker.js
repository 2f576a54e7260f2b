// worker.js: makes maps, if it was given the module, and decodes answers, so that the page stays
// responsive. Its results are those of digest.js.
import { decode } from "./ask/cbor.js";
import { digest } from "./ask/digest.js";
import { start } from "./ask/engine.js";

const SLOWER = 3; /* times as long as estimated, as estimates are for native code */

let engine; /* a promise, once there is a module */

/* Buffers that are handed over instead of being copied. */
function buffersIn(value, found = new Set()) {
    if (ArrayBuffer.isView(value)) found.add(value.buffer);
    else if (value && typeof value === "object")
        for (const one of Object.values(value)) buffersIn(one, found);
    return found;
}

function join(chunks) {
    const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of chunks) {
        all.set(chunk, at);
        at += chunk.length;
    }
    return all;
}

function parse(bytes, media) {
    const isBinary = media?.startsWith("application/cbor");
    return isBinary ? decode(bytes) : JSON.parse(new TextDecoder().decode(bytes));
}

/* A map with a long estimate is not begun, and one that takes long is given up. */
function makeMap({ estimate, make }, question, patience) {
    const cost = estimate(question),
        began = performance.now();
    if (cost && (cost.nanoseconds / 1e6) * SLOWER > patience) return { far: true };
    const { status, media, bytes } = make(question, {
        stop: () => performance.now() > began + patience,
    });
    const took = performance.now() - began;
    if (status === 504) return { far: true };
    const answer = parse(bytes, media);
    return status === 200
        ? { answer: digest(answer), took, size: bytes.length }
        : { problem: answer };
}

const answer = async ({ question, patience, chunks, media }) =>
    question
        ? makeMap(await engine, question, patience)
        : { answer: digest(parse(join(chunks), media)) };

addEventListener("message", async ({ data }) => {
    const { module, number, ...asked } = data;
    if (module) {
        engine = start(module);
        return;
    }
    const made = await answer(asked).catch(({ message }) => ({ fault: message }));
    postMessage({ ...made, number }, [...buffersIn(made)]);
});
