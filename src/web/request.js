/*
 * request.js: asking the service. Whoever asks again is not told of what was asked before.
 *
 * What takes longer than a second is made while nobody waits (Prefer: respond-async): events tell
 * how far it is, and it is ended by DELETE.
 */
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

/* Ends what was begun, even where the page is being left. */
const endWork = (place) => fetch(place, { method: "DELETE", keepalive: true }).catch(() => {});

/* Until the map is at that place: then undefined, or the problem that is there instead. */
function followWork(place, signal, tell) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const events = new EventSource(place);
    const problem = ({ data }) => resolve(JSON.parse(data));
    events.addEventListener("progress", ({ data }) => tell(JSON.parse(data).progress));
    events.addEventListener("done", () => resolve());
    events.addEventListener("failed", problem);
    events.addEventListener("draining", problem);
    events.addEventListener("error", () => {
        if (events.readyState === EventSource.CLOSED) reject(new Error("its events ended"));
    });
    signal.addEventListener("abort", () => {
        endWork(place);
        reject(signal.reason);
    });
    return promise.finally(() => events.close());
}

async function fetchMap(state, signal, tell) {
    const [address, init] = toRequest(state),
        began = performance.now();
    const headers = { ...init.headers, Prefer: "respond-async, wait=1" };
    let url = address,
        response = await fetch(url, { ...init, headers, signal });
    if (response.status === 202) {
        url = response.headers.get("Location").slice(1);
        const problem = await followWork(url, signal, tell);
        if (problem) return { value: problem };
        response = await fetch(url, { headers: init.headers, signal });
    }
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
 * listener: { begin(state), progress(part), answer(value, facts, state), problem(problem) }. What
 * changes on and on is asked for every now and then, so that the map follows a slider; each question
 * ends the one before. Returns { ask(state, delay), cancel() }.
 */
export function makeAsker(listener) {
    let controller = new AbortController(),
        timer,
        wanted;
    async function send(state) {
        const { signal } = controller;
        const tell = (part) => signal.aborted || listener.progress(part);
        listener.begin(state);
        const outcome = await fetchMap(state, signal, tell).catch((error) => ({
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
    function cancel() {
        clearTimeout(timer);
        timer = undefined;
        controller.abort();
    }
    addEventListener("pagehide", ({ persisted }) => persisted || cancel());
    return {
        ask(state, delay) {
            wanted = state;
            if (delay) timer ??= setTimeout(fire, delay);
            else fire();
        },
        cancel,
    };
}
