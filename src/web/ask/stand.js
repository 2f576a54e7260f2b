/*
 * stand.js: maps that are built on base maps. A field may hold the address of another map, so a
 * link names a tree; the page shows one map of it, identified by the names of the fields that lead
 * there from the top. `above` of a state has the maps that are built on it, from the top down: {
 * generator, given, name }, where `name` is the field that holds the next.
 */
const isAddress = (text) => /^\/[a-z]/.test(text);

/* The map that an address names, or null. */
function read(address, generators) {
    const [path, rest = ""] = address.split(/\?(.*)/s);
    const generator = generators.find((one) => one.path === path);
    return generator ? { generator, given: [...new URLSearchParams(rest)] } : null;
}

const valueOf = ({ given }, name) => given.find(([one]) => one === name)?.[1] ?? "";

function below(state, name, generators) {
    const value = valueOf(state, name);
    const found = isAddress(value) ? read(value, generators) : null;
    if (!found) return null;
    const { generator, given, above = [] } = state;
    return { ...found, above: [...above, { generator, given, name }] };
}

/* The map that the names lead to, or the last one on the way. */
export function descend(top, names, generators) {
    let state = top;
    for (const name of names) state = below(state, name, generators) ?? state;
    return state;
}

/* The map at the top, with the current maps below it; `write` makes an address. */
export const ascend = ({ above = [], ...state }, write) =>
    above.reduceRight(
        (under, { generator, given, name }) => ({
            generator,
            given: given.map(([one, text]) => [one, one === name ? write(under) : text]),
        }),
        state,
    );

export const namesOf = ({ above = [] }) => above.map(({ name }) => name);

/* The maps that were asked for to make an answer: { state, of, field }. */
export const groundsOf = ({ generator }, { parameters }, generators) =>
    generator.fields
        .filter(({ grounds }) => grounds.length)
        .map(({ name }) => ({ field: name, address: String(parameters[name] ?? "") }))
        .filter(({ address }) => isAddress(address))
        .map(({ field, address }) => {
            const { given, ...state } = read(address, generators);
            const [picked, own] = [true, false].map((is) =>
                given.filter(([name]) => (name === "of") === is),
            );
            const of = picked.flatMap(([, text]) => text.split(",").map(Number));
            return { field, of, state: { ...state, given: own } };
        });

/* The base maps of a map, the lowest first, and itself last. */
function under(state, generators) {
    const fields = state.generator.fields.filter(({ grounds }) => grounds.length);
    return [
        ...fields
            .map(({ name }) => below(state, name, generators))
            .filter(Boolean)
            .flatMap((one) => under(one, generators)),
        state,
    ];
}

/* The trail, from the lowest map up; empty for a map without base maps. */
export function trail(state, generators, write) {
    const top = ascend(state, write);
    const all = under(top, generators);
    return all.length > 1 ? all : [];
}

/* The maps that can be built on one of the generator, by optional fields: { generator, field }. */
export const builders = (generators, { name }) =>
    generators.flatMap((generator) =>
        generator.fields
            .filter(({ grounds, first }) => grounds.includes(name) && first === "")
            .map((field) => ({ generator, field })),
    );
