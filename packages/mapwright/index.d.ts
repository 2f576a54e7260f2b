import type { Ask, Options } from "./ask.js";

export type * from "./maps.js";
export { MapProblem, type Answer, type Ask, type GeneratorOf, type Options, type Signal } from "./ask.js";
export { remote, type Asking } from "./remote.js";

/** The bounds of a map that is made here. */
export interface Limits extends Options {
    /** Bytes that it may take; 512 MB. */
    memory?: number;
    /** Steps that it may take, if fewer than its generator allows: the same everywhere. */
    steps?: number;
    /** Milliseconds, after which it is given up. */
    timeout?: number;
}

/** The map as an object: make("regions", { width: 60 }) or make("/regions?width=60"). */
export const make: Ask<Limits>["make"];
/** The bytes that the service would send: encode("/regions.svg?seed=7"). JSON, CBOR, SVG. */
export const encode: Ask<Limits>["encode"];

/** What a module is loaded from. */
export type Source =
    | string
    | { readonly href: string } /* a URL */
    | ArrayBuffer
    | ArrayBufferView
    | { arrayBuffer(): Promise<ArrayBuffer> } /* a Response */
    | PromiseLike<{ arrayBuffer(): Promise<ArrayBuffer> }>
    | object; /* a WebAssembly.Module */

/** Loads the module from elsewhere than beside index.js; `drawings`, which draws, when SVG is wanted. */
export function load(source?: Source, drawings?: Source): Promise<void>;
