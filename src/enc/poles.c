/*
 * poles.c: where in each label there is most room.
 *
 * A number is written where it is farthest from all cells of other labels: at the label's pole of
 * inaccessibility. The depth of a cell is the number of steps to the nearest cell that has another
 * label, or none: 1 at a border, else one more than the least depth of its neighbours. A shortest
 * way can be laid such that it goes up or left first, or down or right first, so two passes find
 * all depths: from the first cell on with the neighbours before a cell, then from the last back
 * with those behind it (Rosenfeld and Pfaltz 1966).
 *
 * Of cells that are equally deep, as in a corridor, the one nearest to the middle of all cells of
 * the label is taken; then the first. Cost: four passes over the cells.
 */
#include "poles.h"
#include "kit/integer.h"
#include "labels.h"

enum { AFAR = INT16_MAX - 1 };

/* Lets the cells of a row have one more than the least depth of the neighbours before them; step:
   1, or -1 backward. Only cells without a label, whose depths are not used, look across the rim of
   the map. */
static void measure_row(const struct outline *o, int16_t *depth, int32_t y, int32_t step)
{
    const int32_t width = o->flat.width, skew = o->flat.tiling != MW_HEX ? 0 : y & 1 ? 1 : -1;
    for (int32_t i = 0; i < width; i++) {
        int32_t cell = y * width + (step > 0 ? i : width - 1 - i);
        const int16_t *across = depth + cell - step * width;
        int32_t least = mw_min(depth[cell - step], mw_min(across[0], across[skew]));
        if (!o->borders[cell])
            depth[cell] = (int16_t)mw_min(depth[cell], least + 1);
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
    const int32_t *label = o->cells->at;
    for (int32_t y = 0; y < o->flat.height; y++)
        for (int32_t x = 0; x < o->flat.width; x++, label++) {
            assert(*label <= labels);
            struct label_sum *sum = &sums[mw_max(*label, 0)];
            *sum = (struct label_sum){sum->x + x, sum->y + y, sum->count + 1};
        }
    for (int32_t i = 1; i <= labels; i++)
        if (sums[i].count)
            middles[i] = (struct mw_point){(int32_t)(sums[i].x / sums[i].count),
                                           (int32_t)(sums[i].y / sums[i].count)};
    return middles;
}

/* Its square. */
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
