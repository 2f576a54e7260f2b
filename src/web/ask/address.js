/* address.js: a map is its address: in the page's own URL, in requests, in commands to copy. */
import { read } from "./generators.js";
import { ascend, descend, namesOf } from "./stand.js";

export const LONGEST = 6000; /* characters of an address that is still sent as one */

/* Escapes as few characters as possible, so that the URL can be read. */
const escaped = (text) => encodeURIComponent(text).replace(/%(2C|3B|2F|3A)/g, decodeURIComponent);

export const query = (given) =>
    given.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&");

const joined = (path, given) => (given.length ? `${path}?${query(given)}` : path);

/* The address of a map, as the value of another map's parameter. */
export const toAddress = (state) => `/${toUrl(state)}`;

/* The page's own URL: ?generator=regions&width=60&seed=7, which the service sees as well; what is
   too long for it stands behind #, as every state once did: #/regions?width=60&seed=7. It names all
   that stands on the map that is shown, which the fields behind another # lead to: #mask. */
export function toLink(state) {
    const { generator, given } = ascend(state, toAddress);
    const all = query([["generator", generator.name], ...given]),
        names = namesOf(state).map((name) => `#${name}`);
    return all.length > LONGEST
        ? `./#${joined(generator.path, given)}${names.join("")}`
        : `./?${all}${names.join("")}`;
}

export function fromLink({ search, hash }, generators) {
    const [first, ...names] = hash.replace(/^#/, "").split("#");
    const { unknown, ...top } = topOf(search, first, generators);
    const behind = first.startsWith("/") ? names : [first, ...names];
    return { ...descend(top, behind.filter(Boolean), generators), unknown };
}

/* `unknown`: the generator of the link if there is no such generator. */
function topOf(search, behindHash, generators) {
    const [path, rest = ""] = behindHash.split(/\?(.*)/s);
    const behind = generators.find((one) => one.path === path);
    if (behind) return { generator: behind, given: [...new URLSearchParams(rest)] };
    const given = [...new URLSearchParams(search)];
    const name = given.find(([key]) => key === "generator")?.[1];
    const asked = generators.find((one) => one.name === name);
    return {
        generator: asked ?? generators[0],
        given: asked ? given.filter(([key]) => key !== "generator") : [],
        unknown: asked ? undefined : name,
    };
}

const seedOf = (text) =>
    /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;

function valueOf(generator, [name, text]) {
    const field = generator.fields.find((one) => one.name === name);
    if (name === "seed" && !field) return [name, seedOf(text)];
    return [name, read(field ? field.kind : "number", text)];
}

const toBody = ({ generator, given }) =>
    JSON.stringify(Object.fromEntries(given.map((pair) => valueOf(generator, pair))));

export function toUrl({ generator, given }, suffix = "") {
    return joined(`${generator.path}${suffix && `.${suffix}`}`, given).slice(1);
}

export const isLong = (state) => toUrl(state).length > LONGEST;

/* Parameters that the picture needs in addition to the form's: the minimum graph of a star map. */
function forPicture({ generator, given }) {
    const others = given.filter(([name, text]) => name !== "graphs" || text !== "false");
    const asks = others.some(([name]) => name === "graphs");
    const has = generator.fields.some(({ name }) => name === "graphs");
    return { generator, given: has && !asks ? [...others, ["graphs", "true"]] : given };
}

/* The request to send. If a large mask makes the address too long, it is a POST. */
export function toRequest(state) {
    const headers = { Accept: "application/cbor" };
    if (!isLong(state)) return [toUrl(forPicture(state)), { headers }];
    return [
        state.generator.path.slice(1),
        {
            method: "POST",
            headers: { ...headers, "Content-Type": "application/json" },
            body: toBody(forPicture(state)),
        },
    ];
}

/* The same for the engine (engine.js), with a seed to use where none is given. */
export function toQuestion(state) {
    const [, { body }] = toRequest(state),
        given = body ? [] : forPicture(state).given,
        seed = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    return { address: `/${toUrl({ ...state, given }, "cbor")}`, json: body, seed };
}

/* Lines of code that fetch the map. */
const whole = (state) => new URL(toUrl(state), location.href).href;
export const snippets = {
    js: (state) =>
        `const map = await fetch(${JSON.stringify(whole(state))}).then((r) => r.json());`,
    python: (state) =>
        `import json, urllib.request\nmap = json.load(urllib.request.urlopen(${JSON.stringify(whole(state))}))`,
    csharp: (state) =>
        `var map = await new HttpClient().GetStringAsync(${JSON.stringify(whole(state))});`,
    gdscript: (state) =>
        [
            "var http := HTTPRequest.new()",
            "add_child(http)",
            `http.request(${JSON.stringify(whole(state))})`,
            "var map = JSON.parse_string((await http.request_completed)[3].get_string_from_utf8())",
        ].join("\n"),
};

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const absolute = (url) => new URL(url, location.href).href;

export const curlGet = (state) => `curl ${quoted(absolute(toUrl(state)))}`;
export const curlPost = (state) =>
    `curl -d ${quoted(toBody(state))} ${absolute(state.generator.path.slice(1))}`;
