// mapwright.mjs: maps from Mapwright in JavaScript, for browsers and Node 18 or later alike.
//
//   import { getMap } from "./mapwright.mjs";
//   const answer = await getMap("regions", { width: 60, count: 8, seed: "hello" });
//
// See index.html and phaser.html for browsers and map.mjs for Node.

/**
 * @typedef {{ id: string, self: string, generator: string, version: number, seed?: number | string,
 *     parameters: Record<string, unknown>, result: any }} Answer what the result is, openapi.yaml tells of each kind
 * @typedef {{ title?: string, detail?: string, errors?: { pointer: string, detail: string }[] }} Told
 */

/** @type {Told} */
const STRANGER = { title: "says something that is not JSON", detail: "is that Mapwright?" };

/** Why there is no map: `errors` are {pointer, detail}. */
export class Problem extends Error {
    /** @param {number} status @param {Told | null} told null: what came was not JSON */
    constructor(status, told) {
        const { title, detail, errors = [] } = told ?? STRANGER;
        const lines = errors.map((e) => `${e.pointer.slice(1)}${e.pointer && ": "}${e.detail}`);
        super([`${status} ${title}`, ...(lines.length ? lines : [detail])].join("\n"));
        this.name = "Problem";
        this.status = status;
        this.errors = errors;
    }
}

/** @type {Map<string, Promise<Answer>>} by request: a map with a seed is the same for ever */
const kept = new Map();

const BUSY = [429, 502, 503, 504]; // pass: from the service, or from a proxy before it

/** @param {string} url @param {string} body @param {number} tries @returns {Promise<Answer>} */
async function ask(url, body, tries) {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(url, { method: "POST", headers, body });
    if (BUSY.includes(answer.status) && tries > 1) {
        const seconds = Number(answer.headers.get("Retry-After")) || 1;
        await new Promise((done) => setTimeout(done, 1000 * seconds));
        return ask(url, body, tries - 1);
    }
    const told = await answer.json().catch(() => null); // null: a page in HTML, say
    if (!answer.ok || !told) {
        throw new Problem(answer.status, told);
    }
    return told;
}

/**
 * The answer as an object. Problems are thrown; a busy service is asked again when it says.
 *
 * @param {string} generator @param {Record<string, unknown>} [parameters]
 * @param {{ base?: string, tries?: number }} [options] @returns {Promise<Answer>}
 */
export function getMap(
    generator,
    parameters = {},
    { base = "http://localhost:8080", tries = 5 } = {},
) {
    const url = `${base}/${generator}`,
        body = JSON.stringify(parameters),
        key = `${url} ${body}`;
    if (parameters.seed === undefined) {
        return ask(url, body, tries);
    }
    const before = kept.get(key);
    if (before) {
        return before;
    }
    const asked = ask(url, body, tries);
    kept.set(key, asked);
    asked.catch(() => kept.delete(key));
    return asked;
}
