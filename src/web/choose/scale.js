/* scale.js: sliders. Wide ranges get a logarithmic one, with 40 of 4096 near the middle. */

export const STEPS = 200;
const WIDE = 250; /* integers: more than a slider tells apart */

const isWide = ({ whole, schema }) => whole && schema.maximum - schema.minimum > WIDE;

/* Rounds to two digits: 1300 rather than 1287. */
function tidied(value) {
    const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
    return Math.round(value / unit) * unit;
}

const clamped = (value, { minimum, maximum }) => Math.min(maximum, Math.max(minimum, value));
const exact = (value) => Number(value.toFixed(3)); /* 0.1 + 0.2 is 0.3 here */

/* The step of arrow keys. */
export function stepOf({ whole, schema }) {
    const range = schema.maximum - schema.minimum;
    return whole ? 1 : range > 10 ? 0.5 : 0.01;
}

/* From a value to its place on the slider, 0 to STEPS; and back. */
export function toPlace(field, value) {
    const { minimum, maximum } = field.schema,
        at = clamped(value, field.schema) - minimum;
    const share = isWide(field)
        ? Math.log1p(at) / Math.log1p(maximum - minimum)
        : at / (maximum - minimum || 1);
    return Math.round(share * STEPS);
}

export function fromPlace(field, place) {
    const { minimum, maximum } = field.schema,
        share = place / STEPS;
    if (isWide(field))
        return clamped(
            tidied(minimum + Math.expm1(share * Math.log1p(maximum - minimum))),
            field.schema,
        );
    const step = stepOf(field);
    return exact(
        clamped(minimum + Math.round((share * (maximum - minimum)) / step) * step, field.schema),
    );
}
