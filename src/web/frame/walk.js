// walk.js: from thing to thing by arrow keys: countries, islands, stars.
//
//   scene.things = {
//       count                their number
//       place(i)             {x, y} in the plane
//       beside(i)            those that it borders or is joined to
//       light(i), tell(i)    marks it; puts it into words
//   }
//
// An arrow leads to the thing nearest to its direction: among the neighbors, or else among all. As
// not everything can be reached that way, N and P go through all things by number.

const ASIDE = 1.2; // as far off the line as along it, and a little more

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/* The best of some as seen from a place, or -1. */
function nearest({ place }, some, here, [dx, dy]) {
    let best = -1;
    let least = Infinity;
    for (const i of some) {
        const { x, y } = place(i);
        const along = (x - here.x) * dx + (y - here.y) * dy;
        const aside = Math.abs((x - here.x) * dy - (y - here.y) * dx);
        if (along <= 0 || aside > along * ASIDE || along + 2 * aside >= least) continue;
        [best, least] = [i, along + 2 * aside];
    }
    return best;
}

function* range(n) {
    for (let i = 0; i < n; i++) yield i;
}

function inTheMiddle({ count, place }, { x, y }) {
    const far = (i) => (place(i).x - x) ** 2 + (place(i).y - y) ** 2;
    let best = 0;
    for (const i of range(count)) if (far(i) < far(best)) best = i;
    return best;
}

/* The thing that a key leads to; -1: none, undefined: the key has no such meaning. */
export function walk(things, from, key, middle) {
    const by = ARROWS[key];
    const turn = { n: 1, p: things.count - 1 }[key.toLowerCase()];
    if (!by && !turn) return undefined;
    if (from === null) return inTheMiddle(things, middle);
    if (turn) return (from + turn) % things.count;
    const here = things.place(from);
    const beside = nearest(things, things.beside(from), here, by);
    return beside >= 0 ? beside : nearest(things, range(things.count), here, by);
}
