// worker.js: reads answers aside, so that the page goes on meanwhile: bytes in, out comes what
// digest.js makes of them, and the beginning of the JSON to read.
import { digest } from "./digest.js";
import { pretty } from "./pretty.js";

/* What is handed over instead of being copied. */
function buffersIn(value, found = new Set()) {
    if (ArrayBuffer.isView(value)) found.add(value.buffer);
    else if (value && typeof value === "object")
        for (const one of Object.values(value)) buffersIn(one, found);
    return found;
}

addEventListener("message", ({ data }) => {
    const answer = JSON.parse(new TextDecoder().decode(data));
    const read = { answer: digest(answer), json: pretty(answer) };
    postMessage(read, [...buffersIn(read)]);
});
