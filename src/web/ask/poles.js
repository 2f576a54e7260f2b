// poles.js: where in each label there is most room for its number, as src/enc/poles.c finds it: the
// cell that is the most steps from another label, and of those the nearest to the middle of all.

/* Steps from each cell to the nearest of another label, the rim being one: a sweep there and one
   back. */
function depthsOf({ width, height, hex }, labels) {
    const depths = new Int16Array(labels.length);
    const sweep = (from, to, step) => {
        for (let row = from; row !== to; row += step)
            for (let i = 0; i < width; i++) {
                const column = step > 0 ? i : width - 1 - i;
                const cell = row * width + column;
                const past = row - step;
                let least = 32766;
                const ask = (x, y) => {
                    const inside = x >= 0 && y >= 0 && x < width && y < height;
                    const other = y * width + x;
                    if (!inside || labels[other] !== labels[cell]) least = 0;
                    else least = Math.min(least, depths[other]);
                };
                ask(column - step, row);
                ask(column, past);
                if (hex) ask(column + (row & 1 ? 1 : -1), past);
                depths[cell] = step > 0 ? least + 1 : Math.min(depths[cell], least + 1);
            }
    };
    sweep(0, height, 1);
    sweep(height - 1, -1, -1);
    return depths;
}

/* For each label, by number from 1 on, two numbers: its pole, and how deep that lies. */
export function findPoles(lattice, labels, count) {
    const { width } = lattice;
    const depths = depthsOf(lattice, labels);
    const sums = new Float64Array(3 * (count + 1));
    labels.forEach((label, cell) => {
        if (label <= 0) return;
        sums[3 * label] += cell % width;
        sums[3 * label + 1] += Math.floor(cell / width);
        sums[3 * label + 2]++;
    });
    const middle = (label, k) => Math.floor(sums[3 * label + k] / sums[3 * label + 2]);
    const poles = new Int32Array(2 * (count + 1));
    const nearest = new Float64Array(count + 1);
    labels.forEach((label, cell) => {
        const depth = depths[cell];
        if (label <= 0 || depth < poles[2 * label + 1]) return;
        const far =
            (middle(label, 0) - (cell % width)) ** 2 +
            (middle(label, 1) - Math.floor(cell / width)) ** 2;
        if (depth === poles[2 * label + 1] && far >= nearest[label]) return;
        [poles[2 * label], poles[2 * label + 1], nearest[label]] = [cell, depth, far];
    });
    return poles;
}
