/*
 * weigh.c: a proof that so many islands do not fit, where counting corners gives none.
 *
 * The corners that two islands touch are apart (islands_cover). So give each row of corners a
 * weight of its own: if an island weighs at least one share of the whole, wherever it lies and
 * whatever its shape, then so many shares is the most that fit. All weights alike is the count of
 * corners; on narrow maps and for bulky islands others prove more. On a map two cells high, weigh
 * the middle row alone: an island of three cells touches three of its corners or more.
 *
 *     o-o-o-o-o-o-o-o   0      8 corners of weight 1, and 3 of them at least for each: no more than
 *     |#|#| | |#|#| |          2 islands, where 24 corners, of which an island touches 8, would
 *     o-o-o-o-o-o-o-o   1      allow 3
 *     |#| | | |#| | |
 *     o-o-o-o-o-o-o-o   0
 *
 * An island with r cells in a row and q in the next touches max(r, q) + 1 corners between them or
 * more. So the lightest one is found by going down the rows, for each number of cells so far and
 * each length of the last row: the row before was shorter, or it was longer and counts itself, and
 * in both cases the best is known from the lengths already looked at.
 *
 * The weights are found as in a game: the lightest island shows where it hides, and the rows that
 * it touches become heavier, by less and less (multiplicative weights: Freund, Schapire 1999). That
 * comes close to the best weights soon enough. Any weights are a proof, so that the search for them
 * needs none, and may end at any time.
 */
#include "islands.h"

enum { ROUNDS = 512, STATES_MOST = 1 << 19, WEIGHT = 1 << 20, WEIGHT_MOST = 1 << 28 };

#define HEAVY (INT64_MAX / 2)

/*
 * An island of A cells touches A + P/2 + 1 corners or more, where its coast P is no shorter than
 * that of the box around it. Islands that do not touch at a corner share none, and there are (width
 * + 1) (height + 1).
 */
int64_t islands_cover(int32_t cells, int32_t width, int32_t height)
{
    int64_t least = 0;
    for (int32_t w = 1; w <= width && w <= cells; w++) {
        int64_t h = mw_ceil_div(cells, w);
        if (h <= height && (!least || w + h < least))
            least = w + h;
    }
    return least ? cells + least + 1 : 0;
}

struct scales {
    struct mw_run *run;
    int32_t rows, length;   /* rows of cells, and cells of one */
    int32_t cells, longest; /* of an island, and of a row of it */
    int32_t states;         /* (cells so far, length of the last row) */
    int64_t *weight;        /* of each of the rows + 1 rows of corners */
    int64_t *light, *next;  /* by state: the lightest so far, with a row of corners still to come */
    int16_t *before;        /* by row and state: the length of the row before; 0: none */
    int32_t *touched;       /* by the lightest island: corners of each row */
};

static inline int32_t state_of(const struct scales *s, int32_t cells, int32_t length)
{
    return cells * (s->longest + 1) + length;
}

/* ---- the lightest island --------------------------------------------------------------------- */

static void begin_at(struct scales *s, int32_t y)
{
    for (int32_t r = 1; r <= s->longest; r++) {
        s->next[state_of(s, r, r)] = s->weight[y] * (r + 1);
        s->before[(int64_t)y * s->states + state_of(s, r, r)] = 0;
    }
}

/* Goes on to row y from islands that have so many cells above it. */
static void go_down(struct scales *s, int32_t y, int32_t cells)
{
    const int64_t *light = s->light + state_of(s, cells, 0), weight = s->weight[y];
    int64_t *next = s->next + state_of(s, cells, 0), best = HEAVY;
    int16_t *before = s->before + (int64_t)y * s->states + state_of(s, cells, 0);
    int32_t most = mw_min(s->cells - cells, s->longest), from = 0;
    int32_t step = s->longest + 2; /* a cell more, and the row a cell longer */
    for (int32_t r = 1; r <= most; r++) {
        from = light[r] < best ? r : from;
        best = mw_min64(light[r], best);
        next[r * step] = best + weight * (r + 1);
        before[r * step] = (int16_t)from;
    }
    best = HEAVY;
    for (int32_t r = s->longest; r > 0; r--) {
        if (r <= most && best < next[r * step]) {
            next[r * step] = best;
            before[r * step] = (int16_t)from;
        }
        int64_t longer = light[r] + weight * (r + 1);
        from = longer < best ? r : from;
        best = mw_min64(longer, best);
    }
}

/* From the last row of an island upward. */
static void trace(struct scales *s, int32_t y, int32_t length)
{
    memset(s->touched, 0, ((size_t)s->rows + 1) * sizeof *s->touched);
    s->touched[y + 1] = length + 1;
    for (int32_t cells = s->cells; cells > 0 && y >= 0; y--) {
        int32_t above = s->before[(int64_t)y * s->states + state_of(s, cells, length)];
        s->touched[y] = mw_max(above, length) + 1;
        cells -= length;
        length = above;
        assert(cells >= 0 && (cells > 0) == (above > 0));
    }
}

/* The least that an island weighs; it is left in touched[]. */
static int64_t find_lightest(struct scales *s)
{
    int64_t least = HEAVY;
    int32_t last = 0, length = 0;
    for (int32_t i = 0; i < s->states; i++)
        s->light[i] = s->next[i] = HEAVY;
    for (int32_t y = 0; y < s->rows; y++) {
        for (int32_t cells = 1; y && cells < s->cells; cells++)
            go_down(s, y, cells);
        begin_at(s, y);
        int64_t *swap = s->light;
        s->light = s->next;
        s->next = swap;
        for (int32_t r = 1; r <= s->longest; r++) {
            int64_t weight = s->light[state_of(s, s->cells, r)] + s->weight[y + 1] * (r + 1);
            if (weight >= least)
                continue;
            least = weight;
            last = y;
            length = r;
        }
        mw_tick(s->run, (uint64_t)s->states);
    }
    trace(s, last, length);
    return least;
}

/* ---- the weights ----------------------------------------------------------------------------- */

static int64_t sum_of(const struct scales *s)
{
    int64_t sum = 0;
    for (int32_t y = 0; y <= s->rows; y++)
        sum += s->weight[y];
    return sum;
}

/* By the rows that it touches; both sides of the search's book agree. */
static inline int64_t weight_of_lightest(const struct scales *s)
{
    int64_t sum = 0;
    for (int32_t y = 0; y <= s->rows; y++)
        sum += s->touched[y] * s->weight[y];
    return sum;
}

/* Keeps the best proof so far. */
static void weigh(struct scales *s, struct weighing *best)
{
    struct weighing w = {find_lightest(s), sum_of(s) * (s->length + 1), 0};
    assert(w.least > 0 && w.least == weight_of_lightest(s));
    w.most = (int32_t)(w.whole / w.least);
    if (w.most < best->most)
        *best = w;
}

/* Makes the rows heavier that the lightest island touches most. */
static void reweigh(struct scales *s, int32_t round)
{
    int64_t heaviest = 0;
    int32_t most = 0;
    for (int32_t y = 0; y <= s->rows; y++)
        most = mw_max(most, s->touched[y]);
    for (int32_t y = 0; y <= s->rows; y++) {
        s->weight[y] += s->weight[y] * s->touched[y] * 8 / (most * (int64_t)(10 + round));
        heaviest = mw_max64(heaviest, s->weight[y]);
    }
    for (int32_t y = 0; y <= s->rows && heaviest > WEIGHT_MOST; y++)
        s->weight[y] /= 2;
}

static void search(struct scales *s, int32_t wanted, struct weighing *best)
{
    for (int32_t y = 0; y <= s->rows; y++)
        s->weight[y] = WEIGHT;
    for (int32_t round = 0; round < ROUNDS && best->most >= wanted; round++) {
        weigh(s, best);
        reweigh(s, round);
    }
}

struct weighing islands_weigh(struct mw_run *run, int32_t cells, int32_t rows, int32_t length,
                              int32_t wanted)
{
    struct weighing best = {1, INT32_MAX, INT32_MAX};
    int64_t longest = mw_min(cells, length), states = (cells + 1) * (longest + 1);
    if (states > STATES_MOST / rows)
        return best;
    char *mark = mw_mark(run);
    struct scales s = {.run = run,
                       .rows = rows,
                       .length = length,
                       .cells = cells,
                       .longest = (int32_t)longest,
                       .states = (int32_t)states,
                       .weight = MW_NEW(run, int64_t, rows + 1),
                       .light = MW_NEW(run, int64_t, states),
                       .next = MW_NEW(run, int64_t, states),
                       .before = MW_NEW(run, int16_t, states * rows),
                       .touched = MW_NEW(run, int32_t, rows + 1)};
    search(&s, wanted, &best);
    mw_rewind(run, mark);
    return best;
}
