// play.js: the state of a path puzzle that is being played, without its picture.
//
// Cells are numbered row by row. A track is the cells from one end onwards. A stroke begins at an
// end, or anywhere on a track, and is drawn cell by cell; what it crosses is cut there, and whole
// again when the stroke steps back, as each state of a stroke is worked out from the tracks before
// it.

export class Play {
    constructor(rows, rule) {
        this.rows = rows;
        this.rule = rule;
        this.width = rows[0].length;
        this.height = rows.length;
        this.signs = [...rows.join("")];
        // In the order of their first cells: that of the answer's paths, and so of colors.
        this.labels = [...new Set(this.signs.filter((sign) => sign !== "." && sign !== "#"))];
        this.ends = this.labels.map((label) =>
            this.signs.flatMap((sign, cell) => (sign === label ? [cell] : [])),
        );
        this.open = this.signs.filter((sign) => sign !== "#").length;
        this.tracks = this.labels.map(() => []);
        this.past = []; /* for undo and redo */
        this.future = [];
        this.stroke = null;
    }

    sign(cell) {
        return this.signs[cell];
    }

    beside(a, b) {
        const across = Math.abs((a % this.width) - (b % this.width));
        return across + Math.abs(Math.floor(a / this.width) - Math.floor(b / this.width)) === 1;
    }

    /* The number of the label whose track or end a cell is, or -1. */
    owner(cell) {
        const drawn = this.tracks.findIndex((track) => track.includes(cell));
        return drawn >= 0 ? drawn : this.labels.indexOf(this.signs[cell]);
    }

    // ---- strokes ----

    /* Takes up the track at a cell; false where there is none. */
    begin(cell) {
        const which = this.owner(cell);
        if (which < 0) return false;
        const track = this.tracks[which];
        const at = track.indexOf(cell);
        const before = this.tracks.map((t) => [...t]);
        const end = this.ends[which].includes(cell);
        this.stroke = { which, before, cells: end ? [cell] : track.slice(0, at + 1) };
        this.apply();
        return true;
    }

    /* Draws on to a cell, by steps from cell to cell; false when something stands in the way. */
    reach(cell) {
        if (!this.stroke) return false;
        for (let steps = this.width + this.height; steps > 0; steps--) {
            const head = this.stroke.cells.at(-1);
            if (head === cell) return true;
            if (!this.nearer(head, cell).some((next) => this.step(next))) return false;
        }
        return false;
    }

    /* The neighbors of a that are nearer to b, the one on the longer way first. */
    nearer(a, b) {
        const dx = (b % this.width) - (a % this.width);
        const dy = Math.floor(b / this.width) - Math.floor(a / this.width);
        const across = dx ? [a + Math.sign(dx)] : [];
        const down = dy ? [a + Math.sign(dy) * this.width] : [];
        return Math.abs(dx) >= Math.abs(dy) ? [...across, ...down] : [...down, ...across];
    }

    /* One step, to a neighbor of the head. */
    step(cell) {
        const { cells } = this.stroke;
        const at = cells.indexOf(cell);
        if (at >= 0) cells.length = at + 1;
        else if (!this.free(cell)) return false;
        else cells.push(cell);
        this.apply();
        return true;
    }

    free(cell) {
        const { cells, which } = this.stroke;
        const sign = this.signs[cell];
        const joined = cells.length > 1 && this.ends[which].includes(cells.at(-1));
        return !joined && (sign === "." || sign === this.labels[which]);
    }

    apply() {
        const { which, before, cells } = this.stroke;
        const taken = new Set(cells);
        this.tracks = before.map((track, i) => {
            if (i === which) return cells;
            const cut = track.findIndex((cell) => taken.has(cell));
            return cut < 0 ? track : track.slice(0, cut);
        });
    }

    /* Puts the stroke down; cancelled: as if it had not been. */
    end(cancelled) {
        if (!this.stroke) return;
        const { before } = this.stroke;
        this.stroke = null;
        if (cancelled) return void (this.tracks = before);
        this.tracks = this.tracks.map((track) => (track.length > 1 ? [...track] : []));
        if (JSON.stringify(before) !== JSON.stringify(this.tracks)) this.remember(before);
    }

    set(tracks) {
        this.end(true);
        if (JSON.stringify(tracks) === JSON.stringify(this.tracks)) return;
        this.remember(this.tracks);
        this.tracks = tracks;
    }

    /* One track; others that are in its way are cut. */
    lay(which, cells) {
        const taken = new Set(cells);
        const cut = (track) => {
            const at = track.findIndex((cell) => taken.has(cell));
            return at < 0 ? track : track.slice(0, at > 1 ? at : 0);
        };
        this.set(this.tracks.map((track, i) => (i === which ? cells : cut(track))));
    }

    remember(tracks) {
        this.past.push(tracks);
        this.future = [];
    }

    clear() {
        this.set(this.labels.map(() => []));
    }

    undo() {
        this.end(true);
        this.go(this.past, this.future);
    }

    redo() {
        this.end(true);
        this.go(this.future, this.past);
    }

    go(from, to) {
        if (!from.length) return;
        to.push(this.tracks);
        this.tracks = from.pop();
    }

    // ---- state ----

    joined(which) {
        const track = this.tracks[which];
        return (
            track.length > 1 &&
            this.ends[which].includes(track[0]) &&
            this.ends[which].includes(track.at(-1))
        );
    }

    /* Whether two cells are one behind the other on a track. */
    joins([a, b]) {
        return this.tracks.some(
            (track) =>
                Math.abs(track.indexOf(a) - track.indexOf(b)) === 1 &&
                track.includes(a) &&
                track.includes(b),
        );
    }

    covered() {
        return this.tracks.reduce(
            (sum, track, i) =>
                sum +
                (track.length || this.ends[i].length) +
                (track.length && !this.joined(i) ? 1 : 0),
            0,
        );
    }

    /* Pairs of cells where a track lies beside itself, which the strict rule forbids. */
    touches() {
        if (this.rule !== "strict") return [];
        return this.tracks.flatMap((track) => {
            const place = new Map(track.map((cell, i) => [cell, i]));
            const apart = (a, b) =>
                this.beside(a, b) && place.has(b) && Math.abs(place.get(a) - place.get(b)) > 1;
            return track.flatMap((a) =>
                [a + 1, a + this.width].filter((b) => apart(a, b)).map((b) => [a, b]),
            );
        });
    }

    state() {
        const joined = this.labels.filter((_, i) => this.joined(i)).length;
        const left = this.open - this.covered();
        const touches = this.touches().length;
        const full = this.rule === "classic" || left === 0;
        return {
            joined,
            left,
            touches,
            done: joined === this.labels.length && full && touches === 0,
        };
    }
}
