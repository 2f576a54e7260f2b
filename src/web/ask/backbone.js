// backbone.js: which lanes of a star map are its minimum graph, which an answer need not say.
//
// That graph is made of the maximum graph's lanes: shortest ways from the centre to every homeworld,
// then again and again the shortest lane to a star outside (src/gen/starlanes/minimum.c). All it
// takes is in the answer, and what is shortest among many lanes is so among fewer that still hold
// it: the answer's own lanes give the same.

/* The squares of lengths, and the lanes from the shortest on; of equal ones first that whose ends
   come first, x before y. */
function order(stars, lanes) {
    const places = Float64Array.from(stars, ({ x, y }) => x * 2 ** 23 + y);
    const [squares, low, high] = [0, 1, 2].map(() => new Float64Array(lanes.length / 2));
    for (let i = 0; i < squares.length; i++) {
        const [a, b] = [lanes[2 * i], lanes[2 * i + 1]];
        squares[i] = (stars[a].x - stars[b].x) ** 2 + (stars[a].y - stars[b].y) ** 2;
        low[i] = Math.min(places[a], places[b]);
        high[i] = Math.max(places[a], places[b]);
    }
    const earlier = (i, j) => squares[i] - squares[j] || low[i] - low[j] || high[i] - high[j];
    return { squares, ordered: Uint32Array.from(squares.keys()).sort(earlier) };
}

/* The lanes at each star: those of star i are at[first[i]] and on. */
function gather(count, lanes) {
    const first = new Int32Array(count + 2);
    const at = new Int32Array(lanes.length);
    for (const star of lanes) first[star + 2]++;
    for (let i = 2; i < count + 2; i++) first[i] += first[i - 1];
    lanes.forEach((star, i) => (at[first[star + 1]++] = i >> 1));
    return { first, at };
}

/* A heap of stars, the least key on top. */
class Heap {
    keys = [];
    stars = [];

    put(i, key, star) {
        this.keys[i] = key;
        this.stars[i] = star;
    }
    push(key, star) {
        const { keys, stars } = this;
        let i = keys.length;
        for (let up; i && keys[(up = (i - 1) >> 1)] > key; i = up) this.put(i, keys[up], stars[up]);
        this.put(i, key, star);
    }
    pop() {
        const { keys, stars } = this;
        const top = stars[0];
        const [key, star] = [keys.pop(), stars.pop()];
        let i = 0;
        for (let down = 1; down < keys.length; i = down, down = 2 * i + 1) {
            if (keys[down + 1] < keys[down]) down++;
            if (keys[down] >= key) break;
            this.put(i, keys[down], stars[down]);
        }
        if (keys.length) this.put(i, key, star);
        return top;
    }
}

/* The last lane of the shortest way to each star (Dijkstra); of equally short ways the one counts
   whose last lane comes first. */
function findWays(count, lanes, { squares, ordered }, centre) {
    const { first, at } = gather(count, lanes);
    const lengths = squares.map((square) => Math.round(Math.sqrt(square) * 2 ** 20));
    const rank = new Uint32Array(ordered.length);
    ordered.forEach((lane, i) => (rank[lane] = i));
    const via = new Int32Array(count).fill(-1);
    const far = new Float64Array(count).fill(Infinity);
    const [gone, heap] = [new Uint8Array(count), new Heap()];
    far[centre] = 0;
    heap.push(0, centre);
    while (heap.keys.length) {
        const a = heap.pop();
        for (let i = first[a]; i < first[a + 1] && !gone[a]; i++) {
            const lane = at[i];
            const b = lanes[2 * lane] + lanes[2 * lane + 1] - a;
            const length = far[a] + lengths[lane];
            if (length < far[b]) heap.push(length, b);
            if (length < far[b] || (length === far[b] && rank[lane] < rank[via[b]])) via[b] = lane;
            far[b] = Math.min(length, far[b]);
        }
        gone[a] = 1;
    }
    return via;
}

/* For each lane whether it is one of them; lanes are pairs of stars, one behind the other. */
export function findBackbone(stars, lanes, centre, homes) {
    const inOrder = order(stars, lanes);
    const via = findWays(stars.length, lanes, inOrder, centre);
    const set = Int32Array.from(stars.keys());
    const find = (star) => {
        while (set[star] !== star) star = set[star] = set[set[star]];
        return star;
    };
    const backbone = new Uint8Array(lanes.length / 2);
    const keep = (lane) => {
        const [a, b] = [find(lanes[2 * lane]), find(lanes[2 * lane + 1])];
        if (a !== b) backbone[lane] = 1;
        set[a] = b;
        return a !== b;
    };
    for (let star of homes)
        for (; star !== centre && keep(via[star]); )
            star = lanes[2 * via[star]] + lanes[2 * via[star] + 1] - star;
    inOrder.ordered.forEach(keep);
    return backbone;
}
