/*
 * poles.c: where in each label there is most room.
 *
 * A name is put where it is farthest from all that it does not name: at the pole of inaccessibility
 * of the label's cells. How many steps a cell is from the nearest of another label is the least
 * number of its neighbours' and one more. It is found in two passes (Rosenfeld and Pfaltz 1966),
 * one along the rows from the first cell, which asks the neighbours behind, and one from the last,
 * which asks those ahead: every shortest way in a lattice can be laid such that it first goes only
 * backward and then only forward, or the other way round.
 *
 * A cell at a border is one step from another label; so no border need be known after that, and
 * what stands beyond the end of a row is never less than what the cell there knows.
 *
 * Of cells that are equally deep, as in a corridor, the one nearest to the middle of all cells of
 * the label is taken; then the first. Cost: four passes over the cells.
 */
#include "poles.h"
#include "kit/integer.h"

enum { AFAR = INT16_MAX - 1 };

/* Side by side without waiting for each other. */
static void ask_across(int16_t *restrict depth, const int16_t *restrict across, int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        int16_t said = (int16_t)(across[x] + 1);
        depth[x] = depth[x] < said ? depth[x] : said;
    }
}

/* In the order of the sweep; four ask each other, while those before them do. */
static void ask_along(int16_t *depth, int32_t width, int32_t step)
{
    int16_t *at = step > 0 ? depth : depth + width - 1;
    int32_t said = AFAR, left = width;
    for (; left >= 4; left -= 4, at += 4 * step) {
        int32_t a = at[0], b = mw_min(at[step], a + 1), c = mw_min(at[2 * step], b + 1),
                d = mw_min(at[3 * step], c + 1);
        at[0] = (int16_t)mw_min(a, said + 1);
        at[step] = (int16_t)mw_min(b, said + 2);
        at[2 * step] = (int16_t)mw_min(c, said + 3);
        said = mw_min(d, said + 4);
        at[3 * step] = (int16_t)said;
    }
    for (; left > 0; left--, at += step) {
        said = mw_min(*at, said + 1);
        *at = (int16_t)said;
    }
}

/* In rows from the first or the last on, and in each row alike. A cell of hexagons touches two of
   the row before. */
static void sweep(const struct mw_lattice *l, int16_t *depth, int32_t step)
{
    for (int32_t i = 0; i < l->height; i++) {
        int32_t y = step > 0 ? i : l->height - 1 - i;
        int16_t *row = depth + (int64_t)y * l->width, *before = row - step * l->width;
        if (i)
            ask_across(row, before, l->width);
        if (i && l->tiling == MW_HEX)
            ask_across(row, before + (y & 1 ? 1 : -1), l->width);
        ask_along(row, l->width, step);
    }
}

struct sum {
    int64_t x, y, count;
};

/* How many cells are of one label, from the first on. */
static int32_t run_at(const int32_t *labels, int32_t most)
{
    const uint64_t two = (uint32_t)*labels * UINT64_C(0x100000001);
    int32_t n = 1;
    for (uint64_t next[2]; n + 4 <= most; n += 4) {
        memcpy(next, labels + n, sizeof next);
        if ((next[0] ^ two) | (next[1] ^ two))
            break;
    }
    while (n < most && labels[n] == *labels)
        n++;
    return n;
}

static struct mw_point *middles_of(struct mw_run *run, const struct mw_cells *cells, int32_t labels)
{
    struct sum *sums = MW_NEW0(run, struct sum, (int64_t)labels + 1);
    struct mw_point *middles = MW_NEW0(run, struct mw_point, (int64_t)labels + 1);
    int32_t width = cells->lattice.width, n = 0;
    for (int32_t y = 0; y < cells->lattice.height; y++)
        for (int32_t x = 0; x < width; x += n) {
            n = run_at(cells->at + y * width + x, width - x);
            struct sum *sum = &sums[mw_max(cells->at[y * width + x], 0)];
            sum->x += n * (2 * (int64_t)x + n - 1) / 2;
            sum->y += (int64_t)n * y;
            sum->count += n;
        }
    for (int32_t label = 1; label <= labels; label++)
        if (sums[label].count)
            middles[label] = (struct mw_point){(int32_t)(sums[label].x / sums[label].count),
                                               (int32_t)(sums[label].y / sums[label].count)};
    return middles;
}

/* Its square. */
static uint64_t from_middle(struct mw_point middle, int32_t x, int32_t y)
{
    int64_t dx = middle.x - x, dy = middle.y - y;
    return (uint64_t)(dx * dx + dy * dy);
}

/* The better of a run of cells and of what was found: the deepest, of these the nearest to the
   middle. Both ends of a run are at a border, and no cell of it is deeper than its steps from them:
   most are not looked at. */
static struct pole better(struct pole found, const int16_t *depth, int32_t cell, int32_t n,
                          int32_t width, struct mw_point middle)
{
    const int32_t shallow = mw_max(found.depth - 1, 0), end = cell + n - shallow;
    for (cell += shallow; cell < end; cell++)
        if (depth[cell] > found.depth ||
            (depth[cell] == found.depth &&
             from_middle(middle, cell % width, cell / width) <
                 from_middle(middle, found.cell % width, found.cell / width)))
            found = (struct pole){cell, depth[cell]};
    return found;
}

static void pick(const struct outline *o, const int16_t *depth, const struct mw_point *middles,
                 struct pole *poles)
{
    const int32_t width = o->flat.width, *labels = o->cells->at;
    for (int32_t n = 0, cell = 0; cell < width * o->flat.height; cell += n) {
        n = run_at(labels + cell, width - cell % width);
        if (labels[cell] > 0)
            poles[labels[cell]] =
                better(poles[labels[cell]], depth, cell, n, width, middles[labels[cell]]);
    }
}

struct pole *poles_of(struct mw_run *run, const struct outline *o, int32_t labels)
{
    int32_t count = o->flat.width * o->flat.height;
    assert(mw_min(o->flat.width, o->flat.height) < 2 * AFAR);
    struct pole *poles = MW_NEW0(run, struct pole, (int64_t)labels + 1);
    char *mark = mw_mark(run);
    int16_t *depth = MW_NEW(run, int16_t, (int64_t)count + 2);
    *depth++ = AFAR; /* before the first row, as after the last */
    depth[count] = AFAR;
    for (int32_t cell = 0; cell < count; cell++)
        depth[cell] = o->borders[cell] ? 1 : AFAR;
    sweep(&o->flat, depth, 1);
    sweep(&o->flat, depth, -1);
    pick(o, depth, middles_of(run, o->cells, labels), poles);
    mw_tick(run, 4 * (uint64_t)count);
    mw_rewind(run, mark);
    return poles;
}
