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

/* A row of cells and their depths. */
struct line {
    const int32_t *labels;
    int32_t *depth;
};

/* The depths of a row as the cells `dx` beside those of another say; those beyond the map say 1. */
static void ask(struct line row, struct line other, int32_t width, int32_t dx)
{
    int32_t from = mw_max(-dx, 0), to = mw_min(width - dx, width);
    for (int32_t x = from; x < to; x++) {
        int32_t said = other.labels[x + dx] == row.labels[x] ? other.depth[x + dx] + 1 : 1;
        row.depth[x] = mw_min(row.depth[x], said);
    }
    if (from < to && to - from < width)
        row.depth[from ? 0 : width - 1] = 1;
}

/* As the cell before says, in the order of the sweep. */
static void ask_along(struct line row, int32_t width, int32_t step)
{
    int32_t said = 1, last = -1;
    for (int32_t i = 0, x = step > 0 ? 0 : width - 1; i < width; i++, x += step) {
        said = row.labels[x] == last ? said + 1 : 1;
        row.depth[x] = said = mw_min(row.depth[x], said);
        last = row.labels[x];
    }
}

static struct line line_of(const struct mw_cells *cells, int32_t *depth, int32_t y)
{
    int32_t first = y * cells->lattice.width;
    return (struct line){cells->at + first, depth + first};
}

/* In rows from the first or the last on, and in each row alike. A cell of hexagons touches two of
   the row before. */
static void sweep(const struct mw_cells *cells, int32_t *depth, int32_t step)
{
    const struct mw_lattice *l = &cells->lattice;
    for (int32_t i = 0; i < l->height; i++) {
        int32_t y = step > 0 ? i : l->height - 1 - i;
        struct line row = line_of(cells, depth, y);
        for (int32_t x = 0; x < l->width && !i; x++)
            row.depth[x] = 1;
        if (i)
            ask(row, line_of(cells, depth, y - step), l->width, 0);
        if (i && l->tiling == MW_HEX)
            ask(row, line_of(cells, depth, y - step), l->width, y & 1 ? 1 : -1);
        ask_along(row, l->width, step);
    }
}

struct sum {
    int64_t x, y, count;
};

/* How many cells are of one label, from the first on. */
static int32_t run_at(const int32_t *labels, int32_t most)
{
    int32_t n = 1;
    while (n < most && labels[n] == *labels)
        n++;
    return n;
}

static struct sum *middles_of(struct mw_run *run, const struct mw_cells *cells, int32_t labels)
{
    struct sum *sums = MW_NEW0(run, struct sum, (int64_t)labels + 1);
    int32_t width = cells->lattice.width, n = 0;
    for (int32_t y = 0; y < cells->lattice.height; y++)
        for (int32_t x = 0; x < width; x += n) {
            n = run_at(cells->at + y * width + x, width - x);
            struct sum *sum = &sums[mw_max(cells->at[y * width + x], 0)];
            sum->x += n * (2 * (int64_t)x + n - 1) / 2;
            sum->y += (int64_t)n * y;
            sum->count += n;
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
