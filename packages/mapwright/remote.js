// remote.js: the same maps from a service, over HTTP.
//
// Requests that fail for other reasons than their parameters are retried: when the service says
// (429, 503), or after a pause that doubles. With `progress` the service makes the map in the
// background and reports its progress as events.
import { MapProblem, refuseIfAborted, toMap } from "./ask.js";
import { decode } from "./cbor.js";

export { MapProblem };

const FIRST_PAUSE = 250; /* ms */
const AGAIN = new Set([429, 502, 503, 504]);

function pause(ms, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, ms);
        signal?.addEventListener("abort", stop, { once: true });
    });
}

/* The problem in the body, or a general one. */
async function problemOf(answer) {
    const { status, statusText } = answer;
    const body = await answer.json().catch(() => ({}));
    return new MapProblem({
        title: statusText,
        detail: "the service gave no reason",
        ...body,
        status,
    });
}

/* ms to wait before the next try. */
function pauseOf(answer, time) {
    const seconds = Number(answer?.headers.get("Retry-After") ?? NaN);
    return Number.isFinite(seconds) ? seconds * 1000 : FIRST_PAUSE * 2 ** time;
}

async function fetchAgain(url, init, { tries = 5, signal }) {
    for (let time = 0; ; time++) {
        refuseIfAborted({ signal });
        const last = time + 1 >= tries;
        const answer = await fetch(url, { ...init, signal }).catch((error) => {
            if (last || signal?.aborted) throw error;
        });
        if (answer && (last || !AGAIN.has(answer.status))) return answer;
        await answer?.body?.cancel();
        await pause(pauseOf(answer, time), signal);
    }
}

/* The events of a stream (text/event-stream), as [name, data]. */
async function* eventsOf(answer) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const blocks = (text + value).split("\n\n");
        text = blocks.pop();
        for (const block of blocks)
            yield [/^event: (.*)$/m.exec(block)?.[1], /^data: (.*)$/m.exec(block)?.[1]];
    }
}

/* Waits for the map at that location. */
async function follow(place, init, { progress, signal }) {
    const events = await fetch(place, {
        headers: { ...init.headers, Accept: "text/event-stream" },
        signal,
    });
    if (!events.ok) throw await problemOf(events);
    for await (const [name, data] of eventsOf(events)) {
        if (name === "progress") progress(JSON.parse(data).progress);
        else if (name === "done") return;
        else if (name) throw new MapProblem(JSON.parse(data));
    }
}

/* Makes the map in the background, with its progress. Aborting ends the work. */
async function fetchWatched(url, init, options, root) {
    const headers = { ...init.headers, Prefer: "respond-async, wait=1" };
    const answer = await fetchAgain(url, { ...init, headers }, options);
    if (answer.status !== 202) return answer;
    // the Location, below the prefix at which a proxy serves the service
    const place = `${root}/maps/${answer.headers.get("Location").split("/").pop()}`;
    const end = () => fetch(place, { method: "DELETE", headers: init.headers }).catch(() => {});
    options.signal?.addEventListener("abort", end, { once: true });
    await follow(place, init, options);
    options.signal?.removeEventListener("abort", end);
    return fetchAgain(place, { headers: init.headers }, options);
}

/** The service at a URL: { make, encode }, as those of this package. */
export function remote(base, defaults = {}) {
    const root = String(base).replace(/\/$/, "");

    async function answer(asked, parameters, given, accept) {
        const options = { ...defaults, ...given };
        const url = `${root}/${asked.replace(/^\//, "")}`;
        const headers = { ...options.headers, Accept: accept };
        const init = parameters
            ? {
                  method: "POST",
                  headers: { ...headers, "Content-Type": "application/json" },
                  body: JSON.stringify(parameters),
              }
            : { headers };
        const get = options.progress ? fetchWatched : fetchAgain;
        const reply = await get(url, init, options, root);
        if (!reply.ok) throw await problemOf(reply);
        return new Uint8Array(await reply.arrayBuffer());
    }
    return {
        make: async (asked, parameters, options) =>
            decode(await answer(...toMap(asked, parameters), options, "application/cbor")),
        encode: (asked, parameters, options) => answer(asked, parameters, options, "*/*"),
    };
}
