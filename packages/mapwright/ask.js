// ask.js: what a question is, and what is wrong with one; of maps made here and by a service.

/** What is wrong: `errors` are { pointer, detail }, each with what would be right. */
export class MapProblem extends Error {
    constructor({ type, title, status, detail, errors = [] }) {
        super(`${status} ${title}: ${detail}`);
        this.name = "MapProblem";
        Object.assign(this, { type, title, status, detail, errors });
    }
}

export function refuseIfAborted({ signal }) {
    if (signal?.aborted) throw signal.reason;
}

/* The same question, answered in CBOR, whatever format it names. */
export function toMap(asked, parameters) {
    const [, path, query = ""] = /^([^?]*)(\?.*)?$/s.exec(asked);
    const rest = query
        .slice(1)
        .split("&")
        .filter((pair) => pair && !pair.startsWith("format="))
        .join("&");
    const { format, ...others } = parameters ?? {};
    return [
        `${path.replace(/\.\w*$/, "")}.cbor${rest && `?${rest}`}`,
        parameters ? others : undefined,
    ];
}
