/*
 * form.js: the form of a generator, made from its fields. It holds each value in the spelling of a
 * query and knows nothing of what the values mean.
 */
import { make } from "./make.js";
import { fromPlace, STEPS, stepOf, toPlace } from "./scale.js";

const helpOf = (id) => `${id}-help ${id}-problem`;

/* `#` is code. */
const worded = (text) =>
    text.split("`").map((piece, i) => (i % 2 ? make("code", {}, piece) : piece));

/* Label and description, before the control itself. */
const named = (field, id, help) =>
    make("div", { className: "name" }, make("label", { htmlFor: id }, field.label), help);

const line = (field, id, help, control) =>
    make("div", { className: "line" }, named(field, id, help), control);

/* ---- one control for each kind: { parts, target, write(text), read(), note(text) } ----------- */

/* A number box with a slider. `note` shows the value that an empty box got: the default, or what
   replaces it, as a mask has its own width. */
function numberControl(field, id, help, onInput) {
    const { minimum, maximum } = field.schema;
    let instead = false;
    const box = make("input", {
        type: "number",
        id,
        min: minimum,
        max: maximum,
        step: stepOf(field),
        inputMode: field.whole ? "numeric" : "decimal",
        autocomplete: "off",
        placeholder: field.fallback,
        "aria-describedby": helpOf(id),
    });
    const slider = make("input", {
        type: "range",
        min: 0,
        max: STEPS,
        step: 1,
        "aria-label": `${field.label}, slider`,
    });
    const shown = () => {
        const value = Number(box.value || box.placeholder || minimum);
        return Number.isFinite(value) ? value : minimum;
    };
    const tellSlider = () => {
        slider.setAttribute("aria-valuetext", box.value || box.placeholder || "by default");
        slider.classList.toggle("open", box.value === "");
    };
    const slide = () => {
        slider.value = toPlace(field, shown());
        tellSlider();
    };
    box.addEventListener("input", () => {
        slide();
        onInput();
    });
    /* The slider stays where it was put, so that arrow keys move it past places with the same
       value. */
    slider.addEventListener("input", () => {
        const value = String(fromPlace(field, Number(slider.value)));
        if (value === box.value) return;
        box.value = value;
        tellSlider();
        onInput();
    });
    return {
        parts: [line(field, id, help, box), slider],
        target: box,
        read: () => box.value,
        write: (text) => {
            instead = false;
            box.placeholder = field.fallback;
            box.value = text;
            slide();
        },
        note: (text) => {
            const plain = !text || text === field.fallback || !field.fallback;
            if (plain && instead) box.value = field.fallback;
            if (!plain && box.value === field.fallback) box.value = "";
            instead = !plain && box.value === "";
            box.placeholder = instead ? text : field.fallback || text;
            slide();
        },
    };
}

/* `plain`: the value if none is given: the default, or what replaces it. */
function choiceControl(field, id, help, onInput) {
    let instead = null;
    const open = field.fallback ? [] : [make("option", { value: "" }, "")];
    const select = make(
        "select",
        { id, onchange: onInput, "aria-describedby": helpOf(id) },
        open,
        field.schema.enum.map((choice) => make("option", { value: choice }, choice)),
    );
    return {
        parts: [line(field, id, help, select)],
        target: select,
        read: () => select.value,
        write: (text) => {
            instead = null;
            select.value = text || field.fallback;
        },
        note: (text) => {
            if (!text || text === select.value) return;
            instead = select.value = text;
        },
        plain: () => instead ?? field.fallback,
    };
}

function switchControl(field, id, help, onInput) {
    const box = make("input", {
        type: "checkbox",
        role: "switch",
        id,
        onchange: onInput,
        "aria-describedby": helpOf(id),
    });
    return {
        parts: [line(field, id, help, box)],
        target: box,
        read: () => String(box.checked),
        write: (text) => {
            box.checked = (text || field.fallback) === "true";
        },
    };
}

/* Lists are typed as text, separated by commas, blanks or new lines. */
const spelled = {
    text: (typed) => typed,
    list: (typed) =>
        typed
            .trim()
            .replace(/[\s,;]+/g, ",")
            .replace(/^,|,$/g, ""),
    points: (typed) =>
        typed
            .trim()
            .replace(/\s*,\s*/g, ",")
            .replace(/[\s;]+/g, ";")
            .replace(/^;|;$/g, ""),
    rows: (typed) =>
        typed
            .replace(/[^\S\n]/g, "")
            .split(/[\n/]+/)
            .filter(Boolean)
            .join("/"),
};
const laidOut = {
    text: (text) => text,
    list: (text) => text.replaceAll(",", ", "),
    points: (text) => text.replaceAll(";", "\n"),
    rows: (text) => text.replaceAll("/", "\n"),
};

/* The control of a field that is read from another map. */
const isAddress = (text) => /^\s*\/[a-z]/.test(text);

function textControl(field, id, help, onInput) {
    const long = field.kind === "rows" || field.kind === "points" || field.aside;
    const box = make(long ? "textarea" : "input", {
        id,
        className: field.kind,
        spellcheck: false,
        autocomplete: "off",
        autocapitalize: "off",
        oninput: onInput,
        "aria-describedby": helpOf(id),
        placeholder: laidOut[field.kind](field.fallback),
        ...(long ? {} : { type: "text" }),
    });
    const fit = () => {
        if (long)
            box.rows = Math.min(
                16,
                Math.max(field.aside ? 3 : 5, box.value.split("\n").length + 1),
            );
    };
    return {
        parts: [make("div", { className: long ? "stack" : "line" }, named(field, id, help), box)],
        target: box,
        read: () => (isAddress(box.value) ? box.value.trim() : spelled[field.kind](box.value)),
        write: (text) => {
            box.value = isAddress(text) ? text : laidOut[field.kind](text || field.fallback);
            fit();
        },
    };
}

const controls = { number: numberControl, choice: choiceControl, switch: switchControl };

function entryOf(field, onInput) {
    const id = `field-${field.name}`,
        help = make("p", { className: "help", id: `${id}-help` }, worded(field.help));
    const control = (controls[field.kind] ?? textControl)(field, id, help, () =>
        onInput(field.name),
    );
    const problem = make("p", { className: "problem", id: `${id}-problem`, role: "alert" });
    const element = make("div", { className: `field ${field.kind}` }, control.parts, problem);
    return { ...control, field, problem, element };
}

/* ---- the form -------------------------------------------------------------------------------- */

export function tell(target, problem, text) {
    problem.textContent = text;
    if (text) target.setAttribute("aria-invalid", "true");
    else target.removeAttribute("aria-invalid");
}

/* A pointer may go on into the value: /mask/1 is the second of its rows. */
function placed({ pointer, detail }, { kind }) {
    const place = pointer.split("/")[2];
    return place ? `${kind === "rows" ? "row" : "entry"} ${place} (from 0) ${detail}` : detail;
}

/* In the words of the service. */
function wrongIn({ kind, whole, schema: { minimum, maximum } }, text) {
    const value = Number(text);
    const fits = value >= minimum && value <= maximum && (!whole || Number.isInteger(value));
    if (kind !== "number" || text === "" || fits) return "";
    return `must be ${whole ? "an integer" : "a number"} from ${minimum} to ${maximum}`;
}

/* Fills `host`. `onInput(name)` is called after each change by the user. */
export function buildForm(host, fields, onInput) {
    const entries = fields.map((field) => entryOf(field, onInput));
    const aside = entries.filter(({ field }) => field.aside),
        main = entries.filter(({ field }) => !field.aside);
    const more =
        aside.length &&
        make(
            "details",
            { className: "more" },
            make(
                "summary",
                {},
                `All: ${aside.map(({ field }) => field.label.toLowerCase()).join(", ")}`,
            ),
            aside.map(({ element }) => element),
        );
    host.replaceChildren(...main.map(({ element }) => element), ...(more ? [more] : []));
    return {
        /* The values that differ from the default, or from what replaces it, as pairs of name and
           text. */
        read: () =>
            entries
                .filter(({ field, read, plain }) => {
                    const text = read();
                    return text !== "" && text !== (plain?.() ?? field.fallback);
                })
                .map(({ field, read }) => [field.name, read()]),
        write(given) {
            const texts = new Map(given);
            for (const { field, write } of entries) write(texts.get(field.name) ?? field.fallback);
            if (more && aside.some(({ field }) => texts.has(field.name))) more.open = true;
        },
        set: (name, text) => entries.find(({ field }) => field.name === name).write(text),
        /* Shows the values of fields that were left empty. */
        note(parameters) {
            for (const { field, note } of entries) note?.(String(parameters[field.name] ?? ""));
        },
        /* Whether all values are in range; shows those that are not. For parameters of links, which
           the service does not see. */
        check() {
            const texts = entries.map(({ field, read }) => wrongIn(field, read()));
            entries.forEach(({ target, problem }, i) => tell(target, problem, texts[i]));
            return !texts.some(Boolean);
        },
        /* Shows each problem at the field that its pointer names; returns the wrong fields, and the
           problems that name no field. */
        tell(errors) {
            const rest = new Set(errors),
                wrong = [];
            for (const { field, target, problem } of entries) {
                const mine = errors.filter(({ pointer }) => pointer.split("/")[1] === field.name);
                const text = mine.map((one) => placed(one, field)).join("; ");
                tell(target, problem, text);
                for (const one of mine) rest.delete(one);
                if (mine.length) wrong.push({ text: `${field.label}: ${text}`, target });
                if (mine.length && field.aside) more.open = true;
            }
            return { wrong, rest: [...rest] };
        },
    };
}
