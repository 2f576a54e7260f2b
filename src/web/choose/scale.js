/* scale.js: sliders. Wide ranges get a logarithmic one, on which 40 of 4096 stands near the
   middle. */

export const STEPS = 200;
const WIDE = 250; /* integers: more than a slider tells apart */

const isWide = ({ whole, schema }) => whole && schema.maximum - schema.minimum > WIDE;

/* Two digits will do for a slider: 1300 rather than 1287. */
function tidied(value) {
    const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
    return Math.round(value / unit) * unit;
}

const clamped = (value, { minimum, maximum }) => Math.min(maximum, Math.max(minimum, value));
const exact = (value) => Number(value.toFixed(3)); /* 0.1 + 0.2 is 0.3 here */

function stepOf({ whole, schema }) {
    const range = schema.maximum - schema.minimum;
    return whole ? 1 : range > 10 ? 0.5 : 0.01;
}

/* Place on the slider, 0 to STEPS, of a value; and back. */
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

/* One step further by key; a large one is about a tenth of the way. */
export function nudged(field, value, direction, large) {
    const { minimum, maximum } = field.schema;
    const step = field.whole
        ? large
            ? Math.max(10, tidied(value / 10))
            : 1
        : (maximum - minimum) / (large ? 10 : 60);
    const fine = field.whole ? step : Math.max(stepOf(field), Number(step.toPrecision(1)));
    return exact(clamped(value + direction * fine, field.schema));
}
