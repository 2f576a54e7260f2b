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
    const { minimum, maximum } = field.schema;
    const [at, range] = [clamped(value, field.schema) - minimum, maximum - minimum];
    const share = isWide(field) ? Math.log1p(at) / Math.log1p(range) : at / (range || 1);
    return Math.round(share * STEPS);
}

export function fromPlace(field, place) {
    const { minimum, maximum } = field.schema;
    const [share, range, step] = [place / STEPS, maximum - minimum, stepOf(field)];
    const value = isWide(field)
        ? tidied(minimum + Math.expm1(share * Math.log1p(range)))
        : minimum + Math.round((share * range) / step) * step;
    return exact(clamped(value, field.schema));
}
