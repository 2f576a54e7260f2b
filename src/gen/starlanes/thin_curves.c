/*
 * thin_curves.c: stars that all lie on a few thin curves are forecast, and refused where the search
 * for their maximum graph would pass the budget of steps.
 *
 * Along a circle, rows or rays stars see each other by the hundreds, and the search takes time with
 * the square of their number, where rows part with the cube. Stars in general position never take
 * PATIENCE steps each. A search that does is given up.
 *
 * FORECAST. Then samples are searched: 512 of the stars, 1024 and so on, evenly along the order of
 * coordinates, so that a sample lies on the same curves, up to the one that takes a good part of
 * its share of the budget. Its steps are scaled by the square of the number of stars. Where steps
 * grow faster, as on rows that part, that is too low, and such a search may still end at the
 * budget; beside a rough row it is up to four times too high. So what is forecast to take more than
 * twice the budget is refused.
 *
 * COST. A share of the budget, and an eighth to a third of that for the smaller samples.
 *
 * ESTIMATE. Before anything is searched, a count of boxes tells: on curves twice as fine a grid has
 * twice as many boxes with stars, on areas four times.
 */
#include "kit/integer.h"
#include "starlanes.h"

enum {
    BOXES = 256,    /* to a side of the finer grid */
    SMALLEST = 512, /* stars of the first sample; of twice as many none takes long */
    SHARE = 20,     /* of the budget, for a sample */
    PATIENCE = 100, /* steps a star */
    FEW = 2000,     /* stars whose square does not matter */
    DOUBT = 2,      /* times the budget is refused: forecasts err */
};

/* The stars nearest to the upper and the lower edge of the map. */
static void find_outermost(const struct mw_point *at, int32_t stars, int32_t outermost[2])
{
    outermost[0] = outermost[1] = 0;
    for (int32_t i = 1; i < stars; i++) {
        outermost[0] = at[i].y < at[outermost[0]].y ? i : outermost[0];
        outermost[1] = at[i].y > at[outermost[1]].y ? i : outermost[1];
    }
}

/* One star of each `count`-th part of all, somewhere within it, so that no pattern of the sky is
   lost; but the outermost ones where there are such: a row and one star off it is no row. */
static void choose_sample(const struct mw_point *at, int32_t stars, struct mw_point *sample,
                          int32_t count)
{
    assert(count > 1 && count <= stars);
    int32_t outermost[2];
    find_outermost(at, stars, outermost);
    for (int32_t i = 0; i < count; i++) {
        int64_t low = (int64_t)stars * i / count, end = (int64_t)stars * (i + 1) / count;
        uint64_t mixed = (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
        int64_t chosen = low + (int64_t)(mixed % (uint64_t)(end - low));
        for (int k = 0; k < 2; k++)
            if (outermost[k] >= low && outermost[k] < end)
                chosen = outermost[k];
        sample[i] = at[chosen];
    }
}

/* Steps for a sample of so many stars; at most `most`. */
static uint64_t steps_for(struct mw_run *run, const struct mw_point *at, int32_t stars,
                          int32_t cosine, int32_t count, uint64_t most)
{
    char *mark = mw_mark(run);
    struct mw_point *sample = MW_NEW(run, struct mw_point, count);
    struct lanes lanes = {.at = MW_NEW(run, struct mw_edge, 3 * (int64_t)count)};
    uint64_t begun = mw_steps(run);
    mw_tick(run, (uint64_t)stars);
    choose_sample(at, stars, sample, count);
    starlanes_maximum_within(run, sample, count, cosine, most, &lanes);
    mw_rewind(run, mark);
    assert(mw_steps(run) > begun);
    return mw_steps(run) - begun;
}

/* How many stars the budget is enough for, by the largest sample that is not too slow. */
static double stars_within(struct mw_run *run, const struct mw_point *at, int32_t stars,
                           int32_t cosine)
{
    double share = (double)run->budget / SHARE, steps = 0;
    int32_t count = SMALLEST / 2;
    while (4 * count <= stars && steps * 4 <= share) {
        count *= 2;
        steps = (double)steps_for(run, at, stars, cosine, count, (uint64_t)share);
    }
    assert(count >= SMALLEST && steps > 0);
    return count * __builtin_sqrt((double)run->budget / steps);
}

void starlanes_maximum(struct mw_run *run, const struct mw_point *at, int32_t stars, int32_t cosine,
                       const char *pointer, struct lanes *lanes)
{
    uint64_t patience = stars < 2 * SMALLEST ? UINT64_MAX : PATIENCE * (uint64_t)stars;
    if (starlanes_maximum_within(run, at, stars, cosine, patience, lanes))
        return;
    double most = stars_within(run, at, stars, cosine);
    if (most * most * DOUBT < (double)stars * stars)
        mw_fail(run, MW_TOO_HARD, pointer,
                "%d stars lie on thin curves: they would take more than the budget of %llu million "
                "steps; must be at most some %d",
                (int)stars, (unsigned long long)(run->budget / 1000000),
                (int)(most < 1000 ? most : (int32_t)most / 1000 * 1000));
    starlanes_maximum_within(run, at, stars, cosine, UINT64_MAX, lanes);
}

/* ---- the estimate ---------------------------------------------------------------------------- */

/* How many boxes of a grid with so many to a side of the square around all stars hold one. */
static int32_t count_boxes(const struct mw_points *points, struct mw_point low, int32_t extent,
                           int32_t side)
{
    uint8_t taken[BOXES * BOXES / 8] = {0};
    int32_t count = 0;
    assert(extent > 0 && side <= BOXES);
    for (int32_t i = 0; i < points->count; i++) {
        int64_t x = points->at[i].x - low.x, y = points->at[i].y - low.y;
        int64_t box = y * side / extent * side + x * side / extent;
        assert(box >= 0 && box < side * side);
        count += !(taken[box / 8] >> box % 8 & 1);
        taken[box / 8] |= (uint8_t)(1 << box % 8);
    }
    return count;
}

uint64_t starlanes_thin_steps(const struct mw_points *points)
{
    struct mw_point low = {INT32_MAX, INT32_MAX}, high = {0, 0};
    for (int32_t i = 0; i < points->count; i++) {
        struct mw_point at = points->at[i];
        low = (struct mw_point){mw_min(low.x, at.x), mw_min(low.y, at.y)};
        high = (struct mw_point){mw_max(high.x, at.x), mw_max(high.y, at.y)};
    }
    if (points->count < FEW || low.x == high.x || low.y == high.y)
        return 0;
    int32_t extent = mw_max(high.x - low.x, high.y - low.y) + 1,
            fine = count_boxes(points, low, extent, BOXES),
            coarse = count_boxes(points, low, extent, BOXES / 2);
    uint64_t n = (uint64_t)points->count;
    return 4 * (int64_t)fine < points->count && 2 * fine < 5 * coarse ? n * n / 4 : 0;
}
