/*
 * request.js: asks for maps, as CBOR. Only the answer to the newest request is used.
 *
 * Small maps are made in the browser by the module, with the same bytes as the service's. Maps that
 * take the service longer than a second are made in the background (Prefer: respond-async): events
 * report the progress, and DELETE ends it. If the service cannot be reached, larger maps are made
 * here too.
 */
import { isLong, toQuestion, toRequest, toUrl } from "./address.js";
import { makeHere, makesMaps, readAnswer } from "../reader.js";
import { liesUnder } from "../draw/under.js";

const SMALL = 60; /* ms that a map may take in the browser; beyond that the service is faster */
const ALONE = 60_000; /* the same without a service */

/* make;dur=0.31, encode;dur=0.02 -> { make: 0.31, encode: 0.02 } */
function timesOf(header) {
    const found = [...(header ?? "").matchAll(/([\w-]+);dur=([\d.]+)/g)];
    return Object.fromEntries(found.map(([, name, ms]) => [name, Number(ms)]));
}

/* Ends an operation, also when the page is being left. */
const endWork = (place) => fetch(place, { method: "DELETE", keepalive: true }).catch(() => {});

/* Waits for the map at that location; returns undefined, or the problem that came instead. */
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

/* Returns null if the service has to make it. */
async function makeMap(state, patience, signal) {
    const began = performance.now(),
        made = await makeHere(toQuestion(state), patience, signal);
    if (!made) return null;
    if (made.problem) return { value: made.problem };
    const { answer, took, size } = made,
        trip = performance.now() - began;
    return {
        good: true,
        value: answer,
        facts: { trip, size, cache: "here", times: { make: took } },
    };
}

/* The body in chunks: joining them would block the page. */
async function chunksOf({ body }) {
    const chunks = [],
        reader = body.getReader();
    for (let next; !(next = await reader.read()).done; ) chunks.push(next.value);
    return chunks;
}

/* hooks: { progress(part), slow() }; slow() is called when the map is made in the background. */
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
    if (!response.ok) return readProblem(response);
    const chunks = await chunksOf(response);
    const facts = {
        trip: performance.now() - began,
        size: chunks.reduce((sum, { length }) => sum + length, 0),
        times: timesOf(response.headers.get("Server-Timing")),
        cache: /hit/.test(response.headers.get("Cache-Status") ?? "") ? "hit" : "miss",
    };
    const { answer } = await readAnswer(chunks, response.headers.get("Content-Type"), signal);
    return { good: true, value: answer, facts };
}

const AGAIN = 2; /* seconds until a service that does not answer is asked again */

/* The problem when there is no answer at all; it is retried. */
export const lost = {
    value: {
        title: "The service does not answer",
        detail: "It is down, or cannot be reached from here.",
    },
    again: AGAIN,
};
const unread = ({ message }) => ({
    value: { title: "The answer cannot be read", detail: message },
    again: AGAIN,
});

/* Seconds after which a failed request is retried; undefined: it is not. */
const againOf = (response) => Number(response.headers.get("Retry-After")) || undefined;

/* A proxy that answers for a service that is down has its own texts: they are not shown. */
const readProblem = (response) =>
    response.json().then(
        (value) => ({ value, again: againOf(response) }),
        () => lost,
    );

const rest = (ms) => new Promise((done) => setTimeout(done, ms));

/* The service must know maps with long addresses, as links name them by id. */
async function findMap(state, signal, hooks, delay) {
    const here = isLong(state) ? null : await makeMap(state, SMALL, signal);
    if (here) return here;
    if (delay && makesMaps()) await rest(delay);
    if (signal.aborted) throw signal.reason;
    try {
        return await fetchMap(state, signal, hooks);
    } catch (error) {
        const alone = signal.aborted ? null : await makeMap(state, ALONE, signal);
        if (alone) return alone;
        throw error;
    }
}

/* The answer with the parameters as given, without those that the page adds (address.js). */
async function getMap(state, ...rest) {
    const made = await findMap(state, ...rest);
    return made.good
        ? { ...made, value: { ...made.value, asked: Object.fromEntries(state.given) } }
        : made;
}

/* The answer, or the problem, with the map that it is drawn over; grounds(answer) as below. */
export async function askOnce(state, grounds = () => []) {
    const { signal } = new AbortController(),
        hooks = { progress() {}, slow() {} };
    const made = await getMap(state, signal, hooks).catch(() => lost);
    return (await lay(made, grounds, signal, hooks)).value;
}

let lowest = { address: null, result: null }; /* the base map of the last picture */

/* The base map for another map's picture; it is kept for the next picture. */
async function getGround(state, signal, hooks) {
    const address = toUrl(state);
    if (lowest.address === address) return lowest.result;
    const { good, value } = await getMap(state, signal, hooks);
    if (good) lowest = { address, result: value.result };
    return good ? value.result : null;
}

/* The answer with the base map to draw below it: the first of `grounds` that fits, if any. */
async function lay(made, grounds, signal, hooks) {
    for (const { state, ...ground } of made.good ? grounds(made.value) : []) {
        const result = await getGround(state, signal, hooks).catch(() => null);
        if (result && liesUnder(result, made.value.result))
            return { ...made, value: { ...made.value, under: { ...ground, result } } };
    }
    return made;
}

/*
 * listener: { begin(state), progress(part), answer(value, facts, state), problem(problem, again),
 * grounds(state, value) }; `again`: seconds until the request is retried, if it is; grounds: the
 * base maps (stand.js).
 *
 * At most one request is under way, so that the map follows a slider however slow the service is:
 * changes wait for the answer, and the newest is sent next. Only a map that is made in the
 * background is given up for it. Returns { ask(state, delay), cancel() }; ask() without delay ends
 * the request before, unless it is the same.
 */
export function makeAsker(listener) {
    let underWay = null /* { controller, state, slow } */,
        wanted = null,
        pause = 0 /* ms before the request is sent */,
        pace,
        retry;

    async function send(state, delay) {
        const controller = new AbortController(),
            mine = { controller, state, slow: false },
            { signal } = controller;
        underWay = mine;
        listener.begin(state);
        const hooks = {
            progress: (part) => signal.aborted || listener.progress(part),
            slow() {
                mine.slow = true;
                next();
            },
        };
        const grounds = (answer) => listener.grounds(state, answer);
        const outcome = await getMap(state, signal, hooks, delay)
            .then((made) => lay(made, grounds, signal, hooks))
            .catch((error) => (error instanceof SyntaxError ? unread(error) : lost));
        if (signal.aborted) return;
        underWay = null;
        if (outcome.good) listener.answer(outcome.value, outcome.facts, state);
        else listener.problem(outcome.value, outcome.again);
        if (outcome.again) retry = setTimeout(() => ask(wanted ?? state, 0), outcome.again * 1000);
        else next();
    }
    /* Sends the newest request, unless it has to wait for its pause or for the answer under way. */
    function next() {
        if (!wanted || pace || (underWay && !underWay.slow)) return;
        const state = wanted;
        cancel();
        send(state, pause);
    }
    function cancel() {
        for (const timer of [pace, retry]) clearTimeout(timer);
        underWay?.controller.abort();
        underWay = wanted = pace = null;
    }
    function ask(state, delay) {
        if (underWay?.state === state) return;
        if (!delay) cancel();
        wanted = state;
        pause = delay;
        if (!delay || makesMaps()) return next();
        pace ??= setTimeout(() => {
            pace = null;
            next();
        }, delay);
    }
    addEventListener("pagehide", ({ persisted }) => persisted || cancel());
    return { ask, cancel };
}
