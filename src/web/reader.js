// reader.js: the worker, which makes small maps and decodes answers of the service.
//
// The library comes as a WebAssembly module. Its file is empty if the service was built without
// one: then the service makes all maps.

let module = null,
    asked = 0,
    worker = begin(); // at once, as loading takes time

/* A new worker in place of one that was ended; it gets the compiled module. */
function begin() {
    const another = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    if (module) another.postMessage({ module });
    return another;
}

async function load() {
    const file = await fetch(new URL("libmapwright.wasm", import.meta.url));
    const bytes = await file.arrayBuffer();
    if (!file.ok || !bytes.byteLength) return;
    module = await WebAssembly.compile(bytes);
    worker.postMessage({ module });
}
load().catch(() => {});

/* Whether maps can be made here. */
export const makesMaps = () => module !== null;

/* An aborted request ends the worker, which a large answer would keep busy for seconds. */
function ask(message, given, signal) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const [mine, number] = [worker, ++asked];
    const take = ({ data }) => {
        if (data.number !== number) return;
        if (data.fault) reject(new SyntaxError(data.fault));
        else resolve(data);
    };
    const fail = (event) => reject(new SyntaxError(event.message || "it cannot be read"));
    const stop = () => {
        mine.terminate();
        if (worker === mine) worker = begin();
        reject(signal.reason);
    };
    mine.addEventListener("message", take);
    mine.addEventListener("error", fail);
    signal.addEventListener("abort", stop);
    mine.postMessage({ ...message, number }, given);
    return promise.finally(() => {
        mine.removeEventListener("message", take);
        mine.removeEventListener("error", fail);
        signal.removeEventListener("abort", stop);
    });
}

/* The bytes of an answer, in chunks that are given away, as { answer }. */
export const readAnswer = (chunks, media, signal) =>
    ask(
        { chunks, media },
        chunks.map(({ buffer }) => buffer),
        signal,
    );

/* { answer, size, took } or { problem } of a question for the engine. Null: it takes longer
   than `patience` (ms), or there is no module. */
export async function makeHere(question, patience, signal) {
    if (!module) return null;
    const made = await ask({ question, patience }, [], signal);
    return made.far ? null : made;
}
