/* facts.js: time, size and cache status of a map, in words. */
import { LONGEST } from "../ask/address.js";
import { make } from "./make.js";

const SHOWN = 400; /* characters of an address */

function stamp(ms) {
    if (ms >= 1000) return `${(ms / 1000).toFixed(1)}\u00a0s`;
    return `${ms < 10 ? ms.toFixed(2) : Math.round(ms)}\u00a0ms`;
}

function weight(bytes) {
    if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)}\u00a0MB`;
    return bytes < 1000 ? `${bytes}\u00a0B` : `${(bytes / 1000).toFixed(1)}\u00a0KB`;
}

const CACHES = {
    here: "none: made by this page",
    hit: "hit: it was there already",
    miss: "miss: made for you",
};

function timeWords({ times, trip }) {
    const stages = Object.entries(times).map(([name, ms]) => `${name} ${stamp(ms)}`);
    return [...stages, `in all ${stamp(trip)}`].join(", ");
}

/* A long address breaks between its parameters. */
const breakable = (address) => address.split(/(?<=[?&])/).flatMap((piece) => [piece, make("wbr")]);

function selfLink({ self, id }) {
    const text = make("code", {}, breakable(self.slice(0, SHOWN)));
    return make("a", { href: self.length > LONGEST ? `maps/${id}` : self }, text);
}

/* All facts, as a list of terms. */
export function listFacts(answer, facts) {
    const rows = {
        Size: `${weight(facts.size)} of CBOR`,
        Cache: CACHES[facts.cache],
        Time: timeWords(facts),
        Id: make("code", {}, answer.id),
        Self: selfLink(answer),
    };
    return Object.entries(rows).flatMap(([name, value]) => [
        make("dt", {}, name),
        make("dd", {}, value),
    ]);
}

/* The facts in one line. */
export function sumUp({ times, trip, size, cache }) {
    if (cache === "here") return `made here in ${stamp(times.make)}, ${weight(size)}`;
    const cached = times.make === undefined;
    return `${cached ? "from the cache" : `${stamp(times.make)} to make`}, ${stamp(trip)} in all, ${weight(size)}`;
}
