/* pretty.js: JSON to read: what is small stays on one line; cut where it grows too long. */

const SMALL = 12,
    MOST = 40000; /* values on a line; characters in all */

const isPlain = (value) => typeof value !== "object" || value === null;

/* Whether a value holds at most `room` others: counted no further than that. */
function isSmall(value) {
    let room = SMALL;
    const count = (one) => --room >= 0 && (isPlain(one) || Object.values(one).every(count));
    return count(value);
}

/* A row of a grid is one line, however long. */
const isRow = (value) => Array.isArray(value) && value.length > 0 && value.every(isPlain);

function inline(value) {
    if (isPlain(value)) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
    return `{${Object.entries(value)
        .map(([key, one]) => `${JSON.stringify(key)}: ${inline(one)}`)
        .join(", ")}}`;
}

function* pieces(value, indent) {
    if (isSmall(value) || isRow(value)) {
        yield inline(value);
        return;
    }
    const list = Array.isArray(value),
        inner = `${indent}  `;
    let comma = "";
    yield list ? "[" : "{";
    for (const key of Object.keys(value)) {
        yield `${comma}\n${inner}${list ? "" : `${JSON.stringify(key)}: `}`;
        yield* pieces(value[key], inner);
        comma = ",";
    }
    yield `\n${indent}${list ? "]" : "}"}`;
}

/* { text, cut } */
export function pretty(value) {
    let text = "";
    for (const piece of pieces(value, "")) {
        text += piece;
        if (text.length > MOST) return { text: text.slice(0, MOST), cut: true };
    }
    return { text, cut: false };
}
