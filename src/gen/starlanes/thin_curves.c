/*
 * thin_curves.c: stars that all lie on a few thin curves are forecast, and refused where the search
 * for their maximum graph would pass the budget of steps.
 *
 * Along a circle, rows or rays stars see each other by the hundreds, and the search takes time with
 * the square of their number, where rows part with the cube. Stars in general position never take
 * PATIENCE steps each. A search that does is given up.
 *
 * FORECAST. Then samples are searched: 512 of the stars, 1024 and so on, evenly along the order of
 * coordinates, so that a sample lies on the same curves. From one to the next the steps grow by a
 * factor of 4 to 8; the mean factor of the last two times goes on to all stars. The last sample is
 * the one that takes a good part of its share of the budget, so near the budget the forecast has
 * not far to go. Of 60 skies of 5,000 to 200,000 stars it is within a factor of two on most. On
 * circles within circles and combs the real steps are up to six times as many, on stars beside a
 * rough row a quarter. So a forecast of more than twice the budget is refused; other searches
 * may still end at the budget.
 *
 * COST. A share of the budget, and an eighth to a third of that for the smaller samples.
 *
 * ESTIMATE. Before anything is searched, a count of boxes tells: on curves twice as fine a grid has
 * twice as many boxes with stars, on areas four times.
 */
#include "kit/integer.h"
#include "starlanes.h"

enum {
    BOXES = 256,      /* to a side of the finer grid */
    SMALLEST = 512,   /* stars of the first sample; of twice as many none takes long */
    SHARE = 20,       /* of the budget, for a sample */
    PATIENCE = 100,   /* steps a star */
    FEW = 2000,       /* stars whose square does not matter */
    GROWTH_LEAST = 4, /* the square */
    GROWTH_MOST = 8,  /* the cube */
    DOUBT = 2,        /* times the budget is refused: forecasts err */
};

struct trend {
    double stars, steps; /* of the largest sample */
    double growth;       /* of steps, for twice the stars */
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

/* Searches samples until one takes its share of the budget, or is half of all. */
static struct trend trend_of(struct mw_run *run, const struct mw_point *at, int32_t stars,
                             int32_t cosine)
{
    uint64_t share = run->budget / SHARE;
    struct trend trend = {SMALLEST, 0, GROWTH_LEAST};
    double before = 0;
    for (int32_t count = SMALLEST; count <= stars / 2; count *= 2) {
        double steps = (double)steps_for(run, at, stars, cosine, count, share);
        double growth = trend.steps > 0 ? steps / trend.steps : GROWTH_LEAST;
        if (before > 0)
            growth = __builtin_sqrt(steps / before); /* of two steps, the mean */
        before = trend.steps;
        trend = (struct trend){count, steps, growth};
        if (steps * GROWTH_LEAST > (double)share)
            break;
    }
    trend.growth = trend.growth < GROWTH_LEAST  ? GROWTH_LEAST
                   : trend.growth > GROWTH_MOST ? GROWTH_MOST
                                                : trend.growth;
    return trend;
}

/* Steps for so many stars: from doubling to doubling by the factor, straight between. */
static double steps_at(const struct trend *trend, double stars)
{
    assert(stars >= trend->stars && trend->growth >= GROWTH_LEAST);
    double steps = trend->steps, at = trend->stars;
    for (; 2 * at <= stars; at *= 2)
        steps *= trend->growth;
    return steps + steps * (trend->growth - 1) * (stars - at) / at;
}

/* How many stars the budget is enough for, to a thousand or so. */
static int32_t stars_within(const struct trend *trend, int32_t stars, double budget)
{
    int32_t low = (int32_t)trend->stars, high = stars;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        *(steps_at(trend, middle) > budget ? &high : &low) = middle;
    }
    assert(low >= trend->stars && low < stars);
    return low < 1000 ? low : low / 1000 * 1000;
}

void starlanes_maximum(struct mw_run *run, const struct mw_point *at, int32_t stars, int32_t cosine,
                       const char *pointer, struct lanes *lanes)
{
    uint64_t patience = stars < 2 * SMALLEST ? UINT64_MAX : PATIENCE * (uint64_t)stars;
    if (starlanes_maximum_within(run, at, stars, cosine, patience, lanes))
        return;
    struct trend trend = trend_of(run, at, stars, cosine);
    double steps = steps_at(&trend, stars), budget = (double)run->budget;
    if (steps > DOUBT * budget)
        mw_fail(run, MW_TOO_HARD, pointer,
                "%d stars lie on thin curves: they would take about %llu million steps, the budget "
                "is %llu million; must be at most some %d",
                (int)stars, (unsigned long long)(steps / 1e6), (unsigned long long)(budget / 1e6),
                (int)stars_within(&trend, stars, budget));
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
