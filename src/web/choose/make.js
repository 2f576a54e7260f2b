/* make.js: elements, in one line. */

/* make("button", { type: "button", onclick }, "Copy"): own properties by name, all others as
   attributes. */
export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === null) continue;
        if (name in element) element[name] = value;
        else element.setAttribute(name, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

export const button = (label, onclick, properties = {}) =>
    make("button", { type: "button", onclick, ...properties }, label);

/* A link that looks like a button. */
export const linkButton = (label, href, properties = {}) =>
    make("a", { className: "button", href, ...properties }, label);
