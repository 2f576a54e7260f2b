/*
 * pace.c: how long work takes here, against what was estimated for some other machine.
 *
 * Each sort of work has a ratio, which is nudged up by a sixteenth when a run took longer than
 * expected, and else down: so it comes to rest where half of the runs are longer, at the median of
 * measured to estimated. A run that was held up moves it no more than any other, which a mean would
 * not say of itself; and from ten times off it is there after some forty runs.
 */
#include "pace.h"

enum { ONE = 4096, NUDGE = 16, LEAST = ONE / 64, MOST = ONE * 256 };

void pace_init(struct pace *pace)
{
    for (int i = 0; i < PACE_KINDS; i++)
        pace->ratios[i] = ONE;
}

static unsigned row_of(unsigned kind) { return kind < PACE_KINDS ? kind : PACE_KINDS - 1; }

uint64_t pace_expect(const struct pace *pace, unsigned kind, uint64_t estimated)
{
    uint64_t ratio = pace->ratios[row_of(kind)];
    return estimated / ONE * ratio + estimated % ONE * ratio / ONE;
}

void pace_learn(struct pace *pace, unsigned kind, uint64_t estimated, uint64_t measured)
{
    uint32_t *ratio = &pace->ratios[row_of(kind)];
    if (measured > pace_expect(pace, kind, estimated) && *ratio < MOST)
        *ratio += *ratio / NUDGE;
    else if (measured < pace_expect(pace, kind, estimated) && *ratio > LEAST)
        *ratio -= *ratio / NUDGE;
}
