/*
 * request.js: asks for maps, as CBOR. Only the answer to the newest request is used.
 *
 * Small maps are made here by the module, with the same bytes as the service's. What takes the
 * service longer than a second is made in the background (Prefer: respond-async): events report the
 * progress, and DELETE ends it. Where the service cannot be reached, larger maps are made here too.
 */
import { isLong, toQuestion, toRequest, toUrl } from "./address.js";
import { makeHere, makesMaps, readAnswer } from "../reader.js";
import { liesUnder } from "../draw/under.js";

const SMALL = 60; /* ms that a map may take here: longer, and the service is faster */
const ALONE = 60_000; /* where there is no service */

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

/* Null: it is for the service. */
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

/* Bytes as they come: put together in one they would hold up the page. */
async function chunksOf({ body }) {
    const chunks = [],
        reader = body.getReader();
    for (let next; !(next = await reader.read()).done; ) chunks.push(next.value);
    return chunks;
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

const AGAIN = 2; /* seconds until who does not answer is asked again */

/* What is asked again by itself, whatever the browser calls it. */
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

/* When what failed by no fault of the question may be asked again; undefined: it may not. */
const againOf = (response) => Number(response.headers.get("Retry-After")) || undefined;

/* What stands before the service, and speaks for it when it is down, says so in its own words. */
const readProblem = (response) =>
    response.json().then(
        (value) => ({ value, again: againOf(response) }),
        () => lost,
    );

const rest = (ms) => new Promise((done) => setTimeout(done, ms));

/* What is long has to be known to the service, for its links. */
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

/* The answer with the parameters as they were given, as the page asks for more (address.js). */
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

let lowest = { address: null, result: null }; /* what lay under the last picture */

/* A map for the ground of another's picture, which may go on for long. */
async function getGround(state, signal, hooks) {
    const address = toUrl(state);
    if (lowest.address === address) return lowest.result;
    const { good, value } = await getMap(state, signal, hooks);
    if (good) lowest = { address, result: value.result };
    return good ? value.result : null;
}

/* The answer with the map that it is drawn over, the first of `grounds` that fits; without one its
   picture is its own. */
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
 * grounds(state, value) }, `again` being the seconds after which it is asked anew by itself, if it
 * is, and grounds what the map stands on (stand.js).
 *
 * At most one question is under way, so that the map follows a slider however slow it is: what
 * changes on and on waits for the answer, and the newest is asked next. Only a map that is made in
 * the background is given up for it. Returns { ask(state, delay), cancel() }; asked without delay, a
 * question ends the one before, unless it is that.
 */
export function makeAsker(listener) {
    let underWay = null /* { controller, state, slow } */,
        wanted = null,
        pause = 0 /* before the service is asked */,
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
    /* Asks for the newest, unless that has to wait: for its time, or for the answer under way. */
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
