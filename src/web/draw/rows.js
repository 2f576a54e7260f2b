// rows.js: many like objects as columns of numbers, which go from thread to thread uncopied.

/* Numbers as they are; lists of numbers one behind the other, with where each begins; anything else
   as it is. */
function packColumn(values) {
    if (values.every(Number.isInteger)) return { numbers: Int32Array.from(values) };
    if (!values.every((list) => Array.isArray(list) && list.every(Number.isInteger)))
        return { values };
    const starts = new Int32Array(values.length + 1);
    values.forEach((list, i) => (starts[i + 1] = starts[i] + list.length));
    const numbers = new Int32Array(starts.at(-1));
    values.forEach((list, i) => numbers.set(list, starts[i]));
    return { starts, numbers };
}

export function pack(rows) {
    const names = Object.keys(rows[0] ?? {});
    const column = (name) => [name, packColumn(rows.map((row) => row[name]))];
    return { length: rows.length, columns: Object.fromEntries(names.map(column)) };
}

function valueIn({ starts, numbers, values }, i) {
    if (values) return values[i];
    return starts ? [...numbers.subarray(starts[i], starts[i + 1])] : numbers[i];
}

export class Rows {
    constructor({ length, columns }) {
        this.length = length;
        this.columns = columns;
    }

    has(name) {
        return name in this.columns;
    }

    /* All numbers of a column. */
    numbers(name) {
        return this.columns[name]?.numbers ?? new Int32Array(0);
    }

    /* One object again. */
    at(i) {
        const value = ([name, column]) => [name, valueIn(column, i)];
        return Object.fromEntries(Object.entries(this.columns).map(value));
    }
}
