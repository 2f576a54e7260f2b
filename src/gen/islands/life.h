/*
 * life.h: a plane of bits, 64 cells a word, and the automaton «Day & Night» on it.
 */
#ifndef MAPWRIGHT_LIFE_H
#define MAPWRIGHT_LIFE_H

#include "lib/gen.h"

/*
 * Cell (x, y) is bit x % 64 of row(y)[x / 64]. Before and after every row stands a word of zeros,
 * which is the one row's end and the next one's beginning; bits beyond the width are zero. Row -1
 * and row `height` may be read and are zeros.
 */
struct plane {
    int32_t width, height, words, stride; /* words of a row, without and with its word of zeros */
    uint64_t *at;
};

static inline uint64_t *plane_row(const struct plane *p, int32_t y)
{
    return p->at + (int64_t)y * p->stride;
}

void plane_new(struct mw_run *, struct plane *, int32_t width, int32_t height);
/* Sets every cell with the chance of `thousandths` / 1000, exactly. */
void plane_scatter(struct mw_run *, struct plane *, struct mw_rng *, int32_t thousandths);
/* Day & Night, B3678/S34678: all cells at once; outside is dead. */
void life_run(struct mw_run *, struct plane *, int32_t rounds);

/* A stretch of set cells in one row: from .. to - 1. */
struct plane_run {
    uint16_t from, to;
};
/* Lists the runs of a row, of which there are at most width / 2 + 1; how many. */
int32_t plane_list_runs(const struct plane *, int32_t y, struct plane_run *);

/* ---- labels ---------------------------------------------------------------------------------- */

/*
 * The components of the set cells, joined by sides. Runs stand row by row, those of row y from
 * first[y] to first[y + 1] - 1; root[r] is the first run of r's component. size[r] is the cells of
 * the component where run r is its root, else 0.
 */
struct components {
    struct plane_run *runs;
    int32_t *root, *first, *size;
    int32_t count; /* runs */
};
void life_label(struct mw_run *, const struct plane *, struct components *);

#endif
