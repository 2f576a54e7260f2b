// index.js: maps made here, by the library itself as a WebAssembly module.
import { start } from "./engine.js";
import { decode } from "./cbor.js";
import { MapProblem, refuseIfAborted, toMap } from "./ask.js";

export { MapProblem };
export { remote } from "./remote.js";

let engine; // a promise, from the first question on

async function read(place) {
    if (place.protocol === "file:" && typeof process === "object") {
        const { readFile } = await import("node:fs/promises");
        return readFile(place);
    }
    const answer = await fetch(place);
    if (!answer.ok) throw new Error(`${place}: ${answer.status} ${answer.statusText}`);
    return answer.arrayBuffer();
}

async function compile(source) {
    if (source instanceof WebAssembly.Module) return source;
    const response = await source;
    const bytes = response instanceof Response ? await response.arrayBuffer() : response;
    return WebAssembly.compile(
        bytes instanceof URL || typeof bytes === "string" ? await read(new URL(bytes)) : bytes,
    );
}

/** Loads the module from elsewhere than beside this file: a URL, a Response, bytes or a Module. */
export function load(source = new URL("libmapwright.wasm", import.meta.url)) {
    engine = compile(source).then(start);
    engine.catch(() => {
        engine = undefined;
    });
    return engine.then(() => {});
}

const drawn = () => String(Math.floor(Math.random() * 2 ** 53));

const questionOf = (asked, parameters) => ({
    address: asked.startsWith("/") ? asked : `/${asked}`,
    json: parameters ? JSON.stringify(parameters) : undefined,
    seed: drawn(),
});

/* Asked now and then: tells how far it is, and whether the time is over. */
function watch(steps, { timeout, progress }) {
    const end = performance.now() + (timeout ?? Infinity);
    return (counted) => {
        progress?.(Math.min(counted / steps, 0.99));
        return performance.now() > end;
    };
}

async function answer(asked, parameters, options) {
    refuseIfAborted(options);
    if (!engine) load();
    const { estimate, make: makeIt } = await engine;
    refuseIfAborted(options);
    const question = questionOf(asked, parameters),
        steps = estimate(question)?.steps ?? 1;
    const { memory, steps: most } = options;
    const limits = {
        stop: watch(steps, options),
        ...(memory && { memory }),
        ...(most && { steps: most }),
    };
    const { status, media, bytes } = makeIt(question, limits);
    if (status !== 200) throw new MapProblem(JSON.parse(new TextDecoder().decode(bytes)));
    return { media, bytes };
}

/** The map as an object: make("regions", { width: 60 }) or make("/regions?width=60"). */
export async function make(asked, parameters, options = {}) {
    const { bytes } = await answer(...toMap(asked, parameters), options);
    return decode(bytes);
}

/** The bytes that the service would send: encode("/regions.svg?seed=7"). */
export async function encode(asked, parameters, options = {}) {
    return (await answer(asked, parameters, options)).bytes;
}
