/*
 * taste.c: which changes of a cover make a puzzle that people like.
 *
 * Printed puzzles have paths about twice as long as their ends are apart, some long and some short,
 * but hardly any of three cells. Covers that are stirred at random have not: their paths are of
 * much the same length, hardly bent on small boards, and wound up like wool on large ones.
 *
 * So the paths are looked at now and then: of what is there too much, or too little? A move that
 * makes that worse is refused, but for one in some; moves of what is neither are free. What is
 * measured comes into its range within some moves a cell, and stays there.
 *
 *     variety   of lengths: their variance by the square of their mean, .7 to .85
 *     detour    steps over the distance of the ends, 1.9 to 2.1 in the mean of paths; 2.1 to 2.3
 *               on small boards, where it is not quite reached
 *     midgets   paths of three cells or fewer: one in twenty, on small boards one in three
 *
 * Where a cover was changed until its board has one solution, which brings short paths and straight
 * ones, it lacks some of that again, and is changed once more by what it lacks (aim.c): until the
 * variety is above VARIED, the mean detour from STRAIGHT to WOUND (in hundredths, somewhat wider
 * than above, as not every change leaves one solution), and no midget too many is left.
 *
 * While there are too many paths all is allowed, as it is hard enough to bring their number down.
 *
 * COST. A look at each path, every so many moves as there are paths; and some divisions a move.
 */
#include "cover.h"

#include "kit/integer.h"

enum { UNIT = 64, MIDGET = 3, SMALL = 100, VARIED = 155, STRAIGHT = 175, WOUND = 220 };

static struct shape shape_of(const struct cover *c, int32_t p)
{
    return (struct shape){c->length[p], {c->ends[p][0], c->ends[p][1]}};
}

/* In units. */
static int32_t detour_of(const struct cover *c, struct shape s)
{
    int32_t width = c->board->width, a = s.ends[0], b = s.ends[1];
    int32_t distance = mw_abs(a % width - b % width) + mw_abs(a / width - b / width);
    return distance ? UNIT * (s.length - 1) / distance : UNIT;
}

static int compare(int64_t n, int64_t low, int64_t high) { return n > high ? 1 : n < low ? -1 : 0; }

/* Of all paths. */
struct tally {
    int64_t squares, detours, midgets;
};

static struct tally count_paths(const struct cover *c)
{
    struct tally t = {0};
    mw_tick(c->run, (uint64_t)c->paths);
    for (int32_t p = 0; p < c->paths; p++) {
        t.squares += (int64_t)c->length[p] * c->length[p];
        t.detours += detour_of(c, shape_of(c, p));
        t.midgets += c->length[p] <= MIDGET;
    }
    return t;
}

static bool is_small(const struct cover *c) { return c->board->cells < SMALL; }
static int32_t most_midgets(const struct cover *c) { return c->paths / (is_small(c) ? 3 : 20); }

static void look(struct cover *c)
{
    struct tally t = count_paths(c);
    int64_t n = c->paths, area = (int64_t)c->board->cells * c->board->cells;
    int64_t low = UNIT * n * (is_small(c) ? 21 : 19);
    c->taste.variety = compare(100 * t.squares * n, 170 * area, 185 * area);
    c->taste.detour = compare(10 * t.detours, low, low + 2 * UNIT * n);
    c->taste.midgets = compare(t.midgets + 1, 0, most_midgets(c));
    c->taste.fresh = c->paths;
}

int32_t taste_lack(const struct cover *c)
{
    struct tally t = count_paths(c);
    int64_t n = c->paths, area = (int64_t)c->board->cells * c->board->cells;
    int64_t detour = 100 * t.detours / (UNIT * n);
    return (int32_t)(mw_max64(0, VARIED - 100 * t.squares * n / area) +
                     mw_max64(0, STRAIGHT - detour) + mw_max64(0, detour - WOUND) +
                     100 * mw_max64(0, t.midgets - most_midgets(c)));
}

bool taste_allows(struct cover *c, int32_t p, struct shape grown, int32_t q, struct shape shrunk)
{
    if (c->paths > c->target)
        return true;
    if (c->taste.fresh-- <= 0)
        look(c);
    struct shape a = shape_of(c, p), b = shape_of(c, q);
    int64_t variety = (int64_t)grown.length * grown.length - (int64_t)a.length * a.length +
                      (int64_t)shrunk.length * shrunk.length - (int64_t)b.length * b.length;
    int32_t detour = detour_of(c, grown) - detour_of(c, a) + detour_of(c, shrunk) - detour_of(c, b);
    int midgets = (grown.length <= MIDGET) - (a.length <= MIDGET) + (shrunk.length <= MIDGET) -
                  (b.length <= MIDGET);
    int worse = (c->taste.variety * variety > 0) + (c->taste.detour * detour > 0) +
                3 * (c->taste.midgets * midgets > 0);
    return !worse || !mw_below(&c->rng, 8U << worse);
}
