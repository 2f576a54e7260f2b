/*
 * pace.c: learns how long work takes on this machine, compared with the estimate.
 *
 * Each kind of work has a ratio, the mean of measured to estimated over the last runs, of which
 * each newer one weighs a sixteenth (exponential smoothing). The mean, as that is what a queue is
 * made of: on a busy machine half of the runs may be quick, and those that are held up make out
 * most of the wait. A single run counts for no more than eight times the ratio, or an eighth: a
 * machine that slept is not a slow one.
 */
#include "pace.h"

enum { WEIGHT = 16, FARTHEST = 8, LEAST_PART = 64, MOST = 256 };

void pace_init(struct pace *pace)
{
    for (int i = 0; i < PACE_KINDS; i++)
        pace->ratios[i] = 1;
}

static unsigned row_of(unsigned kind) { return kind < PACE_KINDS ? kind : PACE_KINDS - 1; }

static double bounded(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

uint64_t pace_expect(const struct pace *pace, unsigned kind, uint64_t estimated)
{
    return (uint64_t)bounded((double)estimated * pace->ratios[row_of(kind)], 0, 1e19);
}

void pace_learn(struct pace *pace, unsigned kind, uint64_t estimated, uint64_t measured)
{
    double *ratio = &pace->ratios[row_of(kind)], now = (double)measured / (double)(estimated + 1);
    now = bounded(now, *ratio / FARTHEST, *ratio * FARTHEST);
    *ratio = bounded(*ratio + (now - *ratio) / WEIGHT, 1.0 / LEAST_PART, MOST);
}
