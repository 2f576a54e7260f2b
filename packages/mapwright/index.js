// index.js: maps made here, by the library itself as a WebAssembly module.
import { start } from "./engine.js";
import { toText } from "./text.js";
import { decode } from "./cbor.js";
import { MapProblem, refuseIfAborted, toMap } from "./ask.js";
import { reader } from "./read.js";

export { MapProblem };
export { remote } from "./remote.js";

/* The modules and their engines, promises that are set at first use. The one that draws is larger,
   and loaded for formats that the other lacks. */
const modules = {
    maps: { source: () => beside(new URL("libmapwright.wasm", import.meta.url)) },
    drawings: { source: () => beside(new URL("libmapwright-svg.wasm", import.meta.url)) },
};

/* Vite's dev server moves this file, but not the modules. */
const beside = (url) => String(url).replace(/\/\.vite\/deps\w*\//, "/mapwright/");

/* From a URL (as URL or text), a Response, bytes, or a Module. A bundler may give a URL without a
   host, which fetch resolves. */
async function compile(source) {
    const given = await source;
    if (given instanceof WebAssembly.Module) return given;
    const isPlace = typeof given === "string" || given instanceof URL;
    if (isPlace) return WebAssembly.compile(await reader.read(String(given)));
    return WebAssembly.compile(given.arrayBuffer ? await given.arrayBuffer() : given);
}

function open(module) {
    module.engine = compile(module.source()).then(start);
    module.engine.catch(() => {
        module.engine = undefined;
    });
    return module.engine;
}

/** Loads the module from another place than beside this file: a URL, a Response, bytes or a Module.
    The one that draws is loaded when it is needed. */
export function load(source, drawings) {
    if (source) modules.maps.source = () => source;
    if (drawings) modules.drawings = { source: () => drawings };
    return open(modules.maps).then(() => {});
}

const drawn = () => String(Math.floor(Math.random() * 2 ** 53));

const questionOf = (asked, parameters) => ({
    address: asked.startsWith("/") ? asked : `/${asked}`,
    json: parameters ? JSON.stringify(parameters) : undefined,
    seed: drawn(),
});

/* Called now and then: reports the progress; true if the time is over. */
function watch(steps, { timeout, progress }) {
    const end = performance.now() + (timeout ?? Infinity);
    return (counted) => {
        progress?.(Math.min(counted / steps, 0.99));
        return performance.now() > end;
    };
}

async function askOf(module, question, options) {
    refuseIfAborted(options);
    const { estimate, make: makeIt } = await (module.engine ?? open(module));
    refuseIfAborted(options);
    const steps = estimate(question)?.steps ?? 1;
    const { memory, steps: most } = options;
    const limits = {
        stop: watch(steps, options),
        ...(memory && { memory }),
        ...(most && { steps: most }),
    };
    const { status, media, bytes } = makeIt(question, limits);
    if (status === 200) return { media, bytes };
    return { problem: new MapProblem(JSON.parse(toText(bytes))) };
}

const lacksFormat = ({ problem }) => problem?.errors.some(({ pointer }) => pointer === "/format");

async function answer(asked, parameters, options) {
    const question = questionOf(asked, parameters);
    let told = await askOf(modules.maps, question, options);
    if (lacksFormat(told)) told = await askOf(modules.drawings, question, options);
    if (told.problem) throw told.problem;
    return told;
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
