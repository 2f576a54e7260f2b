/*
 * request.js: asking the service. Whoever asks again is not told of what was asked before.
 *
 * What takes longer than a second is made while nobody waits (Prefer: respond-async): events tell
 * how far it is, and it is ended by DELETE.
 */
import { toRequest } from "./address.js";
import { readAnswer } from "./reader.js";

/* What the browser measured of it: bytes over the wire, none where it had the answer already. */
function wireOf(url) {
    const [entry] = performance.getEntriesByName(new URL(url, location.href).href).slice(-1);
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
    let lost = 0; /* times in a row that the connection broke */
    events.addEventListener("progress", ({ data }) => {
        lost = 0;
        tell(JSON.parse(data).progress);
    });
    events.addEventListener("done", () => resolve());
    events.addEventListener("failed", problem);
    events.addEventListener("draining", problem);
    events.addEventListener("error", () => {
        if (events.readyState === EventSource.CLOSED || ++lost > 1)
            reject(new Error("its events ended"));
    });
    signal.addEventListener("abort", () => {
        endWork(place);
        reject(signal.reason);
    });
    return promise.finally(() => events.close());
}

/* hooks: { progress(part), slow() }: it is made in the background from now on. */
async function fetchMap(state, signal, { progress, slow }) {
    const [address, init] = toRequest(state),
        began = performance.now();
    const headers = { ...init.headers, Prefer: "respond-async, wait=1" };
    let url = address,
        response = await fetch(url, { ...init, headers, signal });
    if (response.status === 202) {
        url = response.headers.get("Location").slice(1);
        slow();
        const problem = await followWork(url, signal, progress);
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
    if (!response.ok)
        return { value: JSON.parse(new TextDecoder().decode(bytes)), again: againOf(response) };
    const { answer, json } = await readAnswer(bytes, signal);
    return { good: true, value: answer, facts: { ...facts, json, wire: wireOf(url) } };
}

const LOST = { title: "The service does not answer" };
const AGAIN = 2; /* seconds until it is asked again */

/* When what failed by no fault of the question may be asked again; undefined: it may not. */
const againOf = (response) => Number(response.headers.get("Retry-After")) || undefined;

/*
 * listener: { begin(state), progress(part), answer(value, facts, state), problem(problem, again) },
 * `again` being the seconds after which it is asked anew by itself, if it is.
 *
 * At most one question is under way, so that the map follows a slider however slow it is: what
 * changes on and on waits for the answer, and the newest is asked next. Only a map that is made in
 * the background is given up for it. Returns { ask(state, delay), cancel() }; asked without delay, a
 * question ends the one before.
 */
export function makeAsker(listener) {
    let underWay = null /* { controller, slow } */,
        wanted = null,
        pace,
        retry;

    async function send(state) {
        const controller = new AbortController(),
            mine = { controller, slow: false },
            { signal } = controller;
        underWay = mine;
        listener.begin(state);
        const outcome = await fetchMap(state, signal, {
            progress: (part) => signal.aborted || listener.progress(part),
            slow() {
                mine.slow = true;
                next();
            },
        }).catch((error) => ({ value: { ...LOST, detail: error.message }, again: AGAIN }));
        if (signal.aborted) return;
        underWay = null;
        if (outcome.good) listener.answer(outcome.value, outcome.facts, state);
        else listener.problem(outcome.value, outcome.again);
        if (outcome.again) retry = setTimeout(() => ask(wanted ?? state, 0), outcome.again * 1000);
        else next();
    }
    /* Asks for the newest, unless that has to wait: for its time, or for the answer under way. */
    function next() {
        if (!wanted || pace || (underWay && !underWay.slow)) return;
        const state = wanted;
        cancel();
        send(state);
    }
    function cancel() {
        for (const timer of [pace, retry]) clearTimeout(timer);
        underWay?.controller.abort();
        underWay = wanted = pace = null;
    }
    function ask(state, delay) {
        if (!delay) cancel();
        wanted = state;
        if (!delay) return next();
        pace ??= setTimeout(() => {
            pace = null;
            next();
        }, delay);
    }
    addEventListener("pagehide", ({ persisted }) => persisted || cancel());
    return { ask, cancel };
}
