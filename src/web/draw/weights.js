// weights.js: how heavy lines, marks and numbers of a map of cells are, as drawings have them
// (weights_of in src/enc/picture/scene/cells.c), in cells.
const UNITS = { hex: 14, square: 12 }; // of a drawing, across a cell

/* labels: how many there are. */
export function weigh(lattice, labels) {
    const { width, height, hex, rise } = lattice;
    const unit = 1 / UNITS[hex ? "hex" : "square"];
    const longer = Math.max(width, height * rise);
    const usual = Math.ceil(Math.sqrt((width * height) / Math.max(labels, 1)));
    return {
        unit,
        border: Math.max(Math.min(longer / 700, usual / 100), 1.5 * unit),
        net: unit / 2,
        mark: Math.max(Math.min(longer / 320, usual / 15), 4 * unit),
        number: Math.max(longer / 40, 8 * unit),
    };
}
