/*
 * poles.c: the pole of inaccessibility of each label, where its number is written.
 *
 * The depth of a cell is the number of steps to the nearest cell without its label: 1 at a border,
 * else one more than the least depth of its neighbors. Two passes find all depths, forward with
 * the neighbors before each cell and backward with those after it (Rosenfeld and Pfaltz 1966).
 *
 * Of equally deep cells, as in a corridor, the one in the middle of their order is taken. Cost:
 * four passes over the cells.
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

struct pole *poles_of(struct mw_run *run, const struct outline *o, int32_t labels)
{
    const int32_t count = o->flat.width * o->flat.height;
    assert(labels >= 0 && mw_min(o->flat.width, o->flat.height) < 2 * AFAR);
    struct pole *poles = MW_NEW0(run, struct pole, (int64_t)labels + 1);
    char *mark = mw_mark(run);
    const int16_t *depth = measure_depths(o);
    int32_t *deepest = MW_NEW0(run, int32_t, (int64_t)labels + 1); /* cells, by label */
    for (int32_t cell = 0; cell < count; cell++) {
        const int32_t label = mw_max(o->cells->at[cell], 0);
        if (depth[cell] > poles[label].depth) {
            poles[label] = (struct pole){cell, depth[cell]};
            deepest[label] = 0;
        }
        deepest[label] += depth[cell] == poles[label].depth;
    }
    for (int32_t label = 0; label <= labels; label++)
        deepest[label] /= 2; /* those before the pole */
    for (int32_t cell = 0; cell < count; cell++) {
        const int32_t label = mw_max(o->cells->at[cell], 0);
        if (depth[cell] == poles[label].depth && deepest[label]-- == 0)
            poles[label].cell = cell;
    }
    mw_tick(run, 3 * (uint64_t)count);
    mw_rewind(run, mark);
    return poles;
}
