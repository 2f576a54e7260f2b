import type { Maps } from "./maps.js";

/** What is wrong with a question, or why there is no answer (RFC 9457). */
export class MapProblem extends Error {
    type: string;
    title: string;
    status: number;
    detail: string;
    /** Each thing that is wrong: a JSON pointer to it, and what would be right. */
    errors: { pointer: string; detail: string }[];
}

/** "regions" of "/regions?seed=7", "/regions.svg" or "regions". */
export type GeneratorOf<Asked extends string> = {
    [G in keyof Maps]: Asked extends `${"" | "/"}${G}${"" | `?${string}` | `.${string}`}` ? G : never;
}[keyof Maps];

export interface Answer<G extends keyof Maps = keyof Maps> {
    /** The UUID of `self`. */
    id: string;
    /** The address of this very map. */
    self: string;
    generator: G;
    version: number;
    seed?: number | string;
    parameters: Maps[G]["shown"];
    result: Maps[G]["result"];
}

/** What an AbortSignal is, also where its type is not declared (TypeScript without DOM). */
export interface Signal {
    readonly aborted: boolean;
    readonly reason?: unknown;
    addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
    removeEventListener(type: "abort", listener: () => void): void;
}

export interface Options {
    signal?: Signal;
    /** Told from time to time how far it is, 0 to 1. */
    progress?: (part: number) => void;
}

export interface Ask<O extends Options = Options> {
    make<Asked extends string>(
        asked: Asked,
        parameters?: Maps[GeneratorOf<Asked>]["parameters"] | null,
        options?: O,
    ): Promise<Answer<GeneratorOf<Asked>>>;
    encode<Asked extends string>(
        asked: Asked,
        parameters?: Maps[GeneratorOf<Asked>]["parameters"] | null,
        options?: O,
    ): Promise<Uint8Array>;
}
