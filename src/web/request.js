/* request.js: asking the service. Whoever asks again is not told of what was asked before. */
import { toRequest } from "./address.js";

/* What the browser measured of it: bytes over the wire, none where it had the answer already. */
function wireOf(url) {
    const [entry] = performance
        .getEntriesByName(new URL(url, location.href.split("#")[0]).href)
        .slice(-1);
    performance.clearResourceTimings();
    return (
        entry && {
            kept: entry.transferSize === 0 && entry.decodedBodySize > 0,
            bytes: entry.encodedBodySize,
        }
    );
}

/* make;dur=0.31, encode;dur=0.02 -> { make: 0.31, encode: 0.02 } */
function timesOf(header) {
    const found = [...(header ?? "").matchAll(/([\w-]+);dur=([\d.]+)/g)];
    return Object.fromEntries(found.map(([, name, ms]) => [name, Number(ms)]));
}

async function fetchMap(state, signal) {
    const [url, init] = toRequest(state),
        began = performance.now();
    const response = await fetch(url, { ...init, signal });
    const bytes = await response.arrayBuffer();
    const facts = {
        trip: performance.now() - began,
        size: bytes.byteLength,
        times: timesOf(response.headers.get("Server-Timing")),
        cache: /hit/.test(response.headers.get("Cache-Status") ?? "") ? "hit" : "miss",
    };
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return { good: response.ok, value, facts: { ...facts, wire: wireOf(url) } };
}

/*
 * listener: { begin(), answer(value, facts, state), problem(problem) }. What changes on and on is
 * asked for every now and then, so that the map follows a slider; each question ends the one
 * before.
 */
export function makeAsker(listener) {
    let controller = new AbortController(),
        timer,
        wanted;
    async function send(state) {
        const { signal } = controller;
        listener.begin();
        const outcome = await fetchMap(state, signal).catch((error) => ({
            value: { title: "The service does not answer", detail: error.message },
        }));
        if (signal.aborted) return;
        if (outcome.good) listener.answer(outcome.value, outcome.facts, state);
        else listener.problem(outcome.value);
    }
    function fire() {
        clearTimeout(timer);
        timer = undefined;
        controller.abort();
        controller = new AbortController();
        send(wanted);
    }
    return (state, delay) => {
        wanted = state;
        if (delay) timer ??= setTimeout(fire, delay);
        else fire();
    };
}
