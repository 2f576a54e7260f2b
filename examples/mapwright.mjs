// mapwright.mjs: maps from Mapwright in JavaScript, for browsers and Node 18 or later alike.
//
//   import { getMap } from "./mapwright.mjs";
//   const answer = await getMap("regions", { width: 60, count: 8, seed: "hello" });
//
// See index.html for a browser and map.mjs for Node.

/** What the service says is wrong: `errors` are {pointer, detail}. */
export class Problem extends Error {
    constructor(body) {
        const lines = (body.errors ?? []).map(
            ({ pointer, detail }) => `${pointer.slice(1)}${pointer && ": "}${detail}`,
        );
        super(
            [`${body.status} ${body.title}`, ...(lines.length ? lines : [body.detail])].join("\n"),
        );
        Object.assign(this, { name: "Problem", status: body.status, errors: body.errors ?? [] });
    }
}

const kept = new Map(); // by request: a map with a seed is the same for ever

async function ask(url, body, tries) {
    const answer = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
    });
    if (answer.ok) {
        return answer.json();
    }
    if (answer.status !== 503 || tries <= 1) {
        throw new Problem(await answer.json());
    }
    const seconds = Number(answer.headers.get("Retry-After") ?? 1);
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    return ask(url, body, tries - 1);
}

/** The answer as an object. Problems are thrown; a busy service is asked again when it says. */
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
    if (!kept.has(key)) {
        const asked = ask(url, body, tries);
        kept.set(key, asked);
        asked.catch(() => kept.delete(key));
    }
    return kept.get(key);
}
