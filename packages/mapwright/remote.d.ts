import type { Ask, Options } from "./ask.js";

export { MapProblem, type Answer, type Ask, type Options } from "./ask.js";
export type * from "./maps.js";

export interface Asking extends Options {
    /** How often it is asked in all, where the service is busy or cannot be reached; 5. */
    tries?: number;
    /** { Authorization: "Bearer ..." } */
    headers?: Record<string, string>;
}

/** The service at a URL, with the interface of this package. */
export function remote(base: string | { readonly href: string }, defaults?: Asking): Ask<Asking>;
