/*
 * poles.c: the pole of inaccessibility of each label, where its number is written.
 *
 * The depth of a cell is the number of steps to the nearest cell without its label: 1 at a border,
 * else one more than the least depth of its neighbors. Two passes find all depths, forward with
 * the neighbors before each cell and backward with those after it (Rosenfeld and Pfaltz 1966).
 *
 * Of equally deep cells, as in a corridor, the one nearest to the mean of the label's cells is
 * taken, then the first. Cost: four passes over the cells.
 */
#include "poles.h"
#include "kit/integer.h"
#include "labels.h"

enum { AFAR = INT16_MAX - 1 };

/* Limits the depths of a row to one more than those of the neighbors before each cell; step: 1, or
   -1 for a backward pass. Beyond the rim of the map this looks at cells that are no neighbors, but
   labelled cells there have depth 1 already. */
static void measure_row(const struct outline *o, int16_t *depth, int32_t y, int32_t step)
{
    const int32_t width = o->flat.width, skew = o->flat.tiling != MW_HEX ? 0 : y & 1 ? 1 : -1;
    int16_t *at = depth + (int64_t)y * width + (step > 0 ? 0 : width - 1);
    int32_t last = at[-step];
    for (int32_t i = 0; i < width; i++, at += step) {
        const int16_t *across = at - step * width;
        last = mw_min(at[0], mw_min(last, mw_min(across[0], across[skew])) + 1);
        at[0] = (int16_t)last;
    }
}

static const int16_t *measure_depths(const struct outline *o)
{
    const int32_t count = o->flat.width * o->flat.height, rim = o->flat.width + 1;
    int16_t *all = MW_NEW(o->run, int16_t, count + 2 * (int64_t)rim), *depth = all + rim;
    for (int32_t i = 0; i < count + 2 * rim; i++)
        all[i] = i >= rim && i < count + rim && o->borders[i - rim] ? 1 : AFAR;
    for (int32_t y = 0; y < o->flat.height; y++)
        measure_row(o, depth, y, 1);
    for (int32_t y = o->flat.height - 1; y >= 0; y--)
        measure_row(o, depth, y, -1);
    return depth;
}

struct label_sum {
    int64_t x, y, count;
};

static const struct mw_point *middles_of(const struct outline *o, int32_t labels)
{
    struct label_sum *sums = MW_NEW0(o->run, struct label_sum, (int64_t)labels + 1);
    struct mw_point *middles = MW_NEW0(o->run, struct mw_point, (int64_t)labels + 1);
    for (int32_t y = 0; y < o->flat.height; y++) {
        const int32_t *row = o->cells->at + (int64_t)y * o->flat.width;
        for (int32_t x = 0, first = 0; x < o->flat.width; first = x) {
            while (x < o->flat.width && row[x] == row[first])
                x++;
            assert(row[first] <= labels);
            struct label_sum *sum = &sums[mw_max(row[first], 0)];
            const int64_t n = x - first;
            *sum = (struct label_sum){sum->x + n * (first + x - 1) / 2, sum->y + n * y,
                                      sum->count + n};
        }
    }
    for (int32_t i = 1; i <= labels; i++)
        if (sums[i].count)
            middles[i] = (struct mw_point){(int32_t)(sums[i].x / sums[i].count),
                                           (int32_t)(sums[i].y / sums[i].count)};
    return middles;
}

/* Squared. */
static int64_t distance_from(struct mw_point middle, int32_t cell, int32_t width)
{
    int64_t dx = middle.x - cell % width, dy = middle.y - cell / width;
    return dx * dx + dy * dy;
}

static bool is_better(const struct outline *o, struct pole found, struct pole next,
                      struct mw_point middle)
{
    const int32_t width = o->flat.width;
    return next.depth > found.depth ||
           (next.depth == found.depth &&
            distance_from(middle, next.cell, width) < distance_from(middle, found.cell, width));
}

struct pole *poles_of(struct mw_run *run, const struct outline *o, int32_t labels)
{
    const int32_t count = o->flat.width * o->flat.height, *label = o->cells->at;
    assert(labels >= 0 && mw_min(o->flat.width, o->flat.height) < 2 * AFAR);
    struct pole *poles = MW_NEW0(run, struct pole, (int64_t)labels + 1);
    char *mark = mw_mark(run);
    const int16_t *depth = measure_depths(o);
    const struct mw_point *middles = middles_of(o, labels);
    for (int32_t cell = 0; cell < count; cell++) {
        const struct pole next = {cell, depth[cell]};
        if (label[cell] > 0 && is_better(o, poles[label[cell]], next, middles[label[cell]]))
            poles[label[cell]] = next;
    }
    mw_tick(run, 3 * (uint64_t)count);
    mw_rewind(run, mark);
    return poles;
}
