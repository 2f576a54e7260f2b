/* generators.js: the generators and their fields, read from the OpenAPI document. */

function resolver(document) {
    return (node) => {
        while (node?.$ref)
            node = node.$ref
                .slice(2)
                .split("/")
                .reduce((at, key) => at[key], document);
        return node;
    };
}

const typesOf = (schema) => [schema.type].flat();

/* The kind of control for a value. */
function kindOf(schema) {
    if (schema.enum) return "choice";
    const types = typesOf(schema);
    if (types.includes("boolean")) return "switch";
    if (types.includes("integer") || types.includes("number")) return "number";
    if (!types.includes("array")) return "text";
    const inner = typesOf(schema.items);
    return inner.includes("string") ? "rows" : inner.includes("array") ? "points" : "list";
}

/* Every value has one spelling, that of a query: 7, true, 9,13, 3,4;7,8, ..#./.##. */
function spell(kind, value) {
    if (value === undefined || value === null) return "";
    if (typeof value === "string") return value; // of rows, an address
    if (kind === "rows") return value.join("/");
    if (kind === "points") return value.map((point) => point.join(",")).join(";");
    return String(value);
}

const number = (text) =>
    text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;

/* The value in JSON. Text that cannot be parsed is passed on: the service says what would be right.
 */
export function read(kind, text) {
    if (text.startsWith("/")) return text; // the address of another map
    if (kind === "switch") return text === "true" ? true : text === "false" ? false : text;
    if (kind === "number") return number(text);
    if (kind === "list") return text.split(",").map(number);
    if (kind === "points") return text.split(";").map((point) => point.split(",").map(number));
    return kind === "rows" ? text.split("/") : text;
}

const titled = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

function fieldOf(name, schema, required, example) {
    if (schema.enum) schema = { ...schema, enum: schema.enum.filter((choice) => choice !== null) };
    const kind = kindOf(schema),
        fallback = spell(kind, schema.default);
    return {
        name,
        kind,
        schema,
        fallback,
        label: titled(name),
        help: schema.description ?? "",
        whole: typesOf(schema).includes("integer"),
        first: required ? spell(kind, example) : "" /* the value if none is given */,
        grounds: schema["x-grounds"] ?? [] /* generators whose maps it can be read from */,
        paints: kind === "rows" && schema.items.pattern === "^[#.]+$" /* land and water */,
        aside: !required && fallback === "" && ["rows", "points", "list"].includes(kind),
    };
}

/* Parameters of the suffix paths that the map itself does not have: the look. */
function looksOf(parameters, own) {
    return parameters
        .filter(({ name, in: place }) => place === "query" && !(name in own))
        .map(({ name, description, schema }) => fieldOf(name, { description, ...schema }));
}

function generatorOf(path, { post }, drawn, resolve) {
    const content = resolve(post.requestBody).content["application/json"];
    const { properties, required = [] } = resolve(content.schema);
    const { seed, v, ...own } = properties;
    const parameters = drawn.parameters.map(resolve),
        suffix = parameters.find(({ name }) => name === "suffix");
    return {
        path,
        name: path.slice(1),
        summary: titled(post.summary ?? ""),
        seed,
        formats: ["json", ...suffix.schema.enum],
        fields: Object.entries(own).map(([name, schema]) =>
            fieldOf(name, resolve(schema), required.includes(name), content.example?.[name]),
        ),
        looks: looksOf(parameters, properties),
    };
}

export function readGenerators(document) {
    const resolve = resolver(document);
    return Object.entries(document.paths)
        .filter(([, item]) => item.post)
        .map(([path, item]) =>
            generatorOf(path, item, document.paths[`${path}.{suffix}`].get, resolve),
        );
}

/* The same board for a generator that needs one, such as the solver, with the choices that both
   have; or null. */
export function carryBoard(generators, { generator, result, parameters }) {
    const needs = (one) => one.fields.find(({ kind, first }) => kind === "rows" && first !== "");
    const to = generators.find((one) => one.name !== generator && needs(one));
    const { name } = to ? needs(to) : {};
    if (!Array.isArray(result[name])) return null;
    const shared = to.fields.filter(
        ({ kind, schema, name: one, fallback }) =>
            kind === "choice" &&
            schema.enum.includes(parameters[one]) &&
            parameters[one] !== fallback,
    );
    return {
        generator: to,
        given: [
            [name, result[name].join("/")],
            ...shared.map(({ name: one }) => [one, parameters[one]]),
        ],
    };
}
