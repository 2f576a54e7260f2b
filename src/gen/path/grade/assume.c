/*
 * assume.c: links that are assumed for a while, and followed to a contradiction.
 *
 * An assumption is added like a finding, followed over a number of turns, and taken back; if it led
 * to a contradiction, the opposite is known. A round makes one assumption at each open link. What
 * is limited is turns and not findings, as a turn does not depend on the order of cells (deduce.c).
 * Rounds go on until none finds anything, so that it does not matter at which link they begin.
 *
 * SKIPPING REPEATS. Most assumptions lead to nothing, and would be made again each round, as what
 * was found meanwhile may help them. So each records how far it was followed, when, and which cells
 * it looked at, as a set of tiles (a board has 64). Each tile records when something last changed
 * in it. An assumption is made again only when it may be followed farther than before, or when one
 * of its tiles has changed since: otherwise it would see the same things and lead to nothing again.
 *
 * SKIPPING THE USELESS. Where both cells have ways to spare, nothing follows from one way less. And
 * where a solution is given, only what it denies is assumed: what agrees with a solution never
 * leads to a contradiction, as the rules are sound.
 *
 * COST. Some 0.2 microseconds for an assumption, and a tenth of that where it is skipped, as nine
 * in ten are.
 */
#include "deduce.h"

/* The record of an assumption that led to nothing. */
struct
try {
    uint64_t seen; /* tiles that it looked at */
    int32_t when;  /* value of `now` then */
    uint8_t reach; /* turns allowed; UINT8_MAX where nothing was left to follow before that */
};

struct tries {
    struct try *at;         /* of each cell: to the right and down, without link and with */
    int32_t changed[TILES]; /* value of `now` when the tile last changed */
    int32_t now;            /* number of changes so far */
};

/* ---- what changed ---------------------------------------------------------------------------- */

/* Records the tiles in which findings were followed since the last call. */
static void note_changes(struct deduce *d)
{
    d->tries->now += d->seen != 0;
    for (; d->seen; d->seen &= d->seen - 1)
        d->tries->changed[__builtin_ctzll(d->seen)] = d->tries->now;
}

static bool is_stale(const struct deduce *d, const struct try *try, int32_t reach)
{
    bool stale = try->reach < reach;
    for (uint64_t seen = try->seen; seen && !stale; seen &= seen - 1)
        stale = d->tries->changed[__builtin_ctzll(seen)] > try->when;
    return stale;
}

/* ---- assumptions ----------------------------------------------------------------------------- */

/* Whether the assumption leads to a contradiction within `reach` turns; fills in `try`. */
static bool clashes(struct deduce *d, int32_t cell, int side, bool link, int32_t reach,
                    struct try *try)
{
    int32_t finds = d->finds, deductions = d->deductions;
    d->marks = d->around;
    d->turns = reach;
    bool good = deduce_put(d, cell, side, link, CLASH) && deduce_follow(d);
    try->seen = d->seen;
    if (d->followed < d->finds)
        try->reach = (uint8_t)reach;
    d->turns = INT32_MAX;
    d->marks = d->tile;
    d->seen = 0;
    deduce_undo(d, finds);
    d->deductions = deductions;
    assert(d->finds == finds);
    return !good;
}

/* Whether something follows at the cell if it has one way less. */
static bool is_tight(const struct deduce *d, int32_t cell)
{
    bool idle = d->rule == CLASSIC && d->board->path[cell] == OPEN && !d->on[cell];
    int need = idle || d->board->path[cell] >= 0 ? 1 : 2;
    return SIDES - count_sides(d->off[cell]) <= need + 1;
}

/* Makes an assumption unless it is useless, and follows what it shows; false: both ways clash. */
static bool assume_one(struct deduce *d, int32_t cell, int side, bool link, int32_t reach)
{
    struct try *try = &d->tries->at[4 * cell + 2 * side + link];
    if (!link && !is_tight(d, cell) && !is_tight(d, d->board->next[cell][side]))
        return true;
    if (deduce_knows(d, cell, side) || !is_stale(d, try, reach))
        return true;
    *try = (struct try){0, d->tries->now, UINT8_MAX};
    if (!clashes(d, cell, side, link, reach, try))
        return true;
    d->deductions++;
    d->depth += d->turn;
    bool good = deduce_put(d, cell, side, !link, CLASH) && deduce_follow(d);
    note_changes(d);
    return good;
}

/* Sides to the right and down at which the assumption is open. */
static unsigned candidates(const struct deduce *d, int32_t cell, bool link)
{
    unsigned open = ~(unsigned)(d->on[cell] | d->off[cell]) & (1 << RIGHT | 1 << DOWN);
    if (!d->solution)
        return open;
    return open & (link ? ~(unsigned)d->solution[cell] : d->solution[cell]);
}

bool deduce_assume(struct deduce *d, bool link, int32_t reach)
{
    assert(reach > 0 && reach < UINT8_MAX);
    assert(d->followed == d->finds && d->turns == INT32_MAX);
    mw_tick(d->run, (uint64_t)d->board->cells);
    if (!d->tries) {
        d->tries = MW_NEW0(d->run, struct tries, 1);
        d->tries->at = MW_NEW0(d->run, struct try, 4 * d->board->cells);
    }
    note_changes(d);
    for (int32_t cell = 0; cell < d->board->cells && !deduce_is_over(d); cell++) {
        if (deduce_is_late(d))
            return true;
        for (unsigned left = candidates(d, cell, link); left; left &= left - 1)
            if (!assume_one(d, cell, __builtin_ctz(left), link, reach))
                return false;
    }
    return true;
}
