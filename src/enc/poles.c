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
 * Of cells that are equally deep, as in a corridor, the one nearest to the middle of all cells of
 * the label is taken; then the first. Cost: four passes over the cells.
 */
#include "poles.h"
#include "kit/integer.h"

/* Offsets to the cells of the row above that touch a cell, from the first to the last. */
struct reach {
    int32_t from, to;
};

static struct reach reach_of(const struct mw_lattice *l, int32_t y)
{
    bool hex = l->tiling == MW_HEX;
    return (struct reach){hex && !(y & 1) ? -1 : 0, hex && (y & 1) ? 1 : 0};
}

/* The depth of a cell as a neighbour in row y says, which may be beyond the map. */
static int32_t ask(const struct mw_cells *cells, const int32_t *depth, int32_t label, int32_t x,
                   int32_t y)
{
    const struct mw_lattice *l = &cells->lattice;
    if (x < 0 || x >= l->width || y < 0 || y >= l->height)
        return 1;
    int32_t cell = y * l->width + x;
    return cells->at[cell] == label ? depth[cell] + 1 : 1;
}

/* In rows from `first` on by `step`, and in each row alike. */
static void sweep(const struct mw_cells *cells, int32_t *depth, int32_t step)
{
    const struct mw_lattice *l = &cells->lattice;
    for (int32_t i = 0; i < l->height; i++) {
        int32_t y = step > 0 ? i : l->height - 1 - i;
        struct reach reach = reach_of(l, y);
        for (int32_t j = 0; j < l->width; j++) {
            int32_t x = step > 0 ? j : l->width - 1 - j, cell = y * l->width + x;
            int32_t label = cells->at[cell];
            if (label <= 0)
                continue;
            int32_t least = mw_min(depth[cell], ask(cells, depth, label, x - step, y));
            for (int32_t dx = reach.from; dx <= reach.to; dx++)
                least = mw_min(least, ask(cells, depth, label, x + dx, y - step));
            depth[cell] = least;
        }
    }
}

struct sum {
    int64_t x, y, count;
};

static struct sum *middles_of(struct mw_run *run, const struct mw_cells *cells, int32_t labels)
{
    struct sum *sums = MW_NEW0(run, struct sum, (int64_t)labels + 1);
    int32_t width = cells->lattice.width, cell = 0;
    for (int32_t y = 0; y < cells->lattice.height; y++)
        for (int32_t x = 0; x < width; x++, cell++) {
            struct sum *sum = &sums[mw_max(cells->at[cell], 0)];
            sum->x += x;
            sum->y += y;
            sum->count++;
        }
    return sums;
}

/* Its square. */
static uint64_t from_middle(const struct sum *sum, int32_t x, int32_t y)
{
    int64_t dx = sum->x / sum->count - x, dy = sum->y / sum->count - y;
    return (uint64_t)(dx * dx + dy * dy);
}

struct pole *poles_of(struct mw_run *run, const struct mw_cells *cells, int32_t labels)
{
    int32_t width = cells->lattice.width, count = width * cells->lattice.height;
    struct pole *poles = MW_NEW0(run, struct pole, (int64_t)labels + 1);
    char *mark = mw_mark(run);
    int32_t *depth = MW_NEW(run, int32_t, count);
    const struct sum *sums = middles_of(run, cells, labels);
    uint64_t *nearest = MW_NEW(run, uint64_t, (int64_t)labels + 1);
    for (int32_t cell = 0; cell < count; cell++)
        depth[cell] = INT32_MAX / 2;
    sweep(cells, depth, 1);
    sweep(cells, depth, -1);
    for (int32_t cell = 0; cell < count; cell++) {
        int32_t label = cells->at[cell];
        if (label <= 0 || depth[cell] < poles[label].depth)
            continue;
        uint64_t far = from_middle(&sums[label], cell % width, cell / width);
        if (depth[cell] > poles[label].depth || far < nearest[label]) {
            poles[label] = (struct pole){cell, depth[cell]};
            nearest[label] = far;
        }
    }
    mw_tick(run, 4 * (uint64_t)count);
    mw_rewind(run, mark);
    return poles;
}
