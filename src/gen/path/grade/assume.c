/*
 * assume.c: links that are assumed for a while, and followed to a contradiction.
 *
 * An assumption is put like a link that was found, followed over so many turns, and taken back; if
 * it led to a contradiction, the contrary is known. A round makes one at each open link. Turns, and
 * not findings, are counted, as a turn does not depend on the order of cells (deduce.c); and rounds
 * go on until none finds anything, so that it does not matter at which link they begin.
 *
 * NOT AGAIN. Most assumptions come to nothing, and would be made in each round anew, as what was
 * found meanwhile may help them. So each keeps how far it was followed, when, and what it looked
 * at: cells and their neighbours, told as a set of tiles, of which a board has 64. And each tile
 * keeps when something changed in it last: there a finding was followed, which changes what that
 * looks at. An assumption is made again only when it may be followed farther, or when a tile of it
 * changed since: else it would see the same things and come to nothing again.
 *
 * NOT AT ALL. Where both cells have ways to spare, nothing follows from one less. And where a
 * solution is at hand, only what it denies is assumed: what agrees with a solution never leads to a
 * contradiction, by rules that are right.
 *
 * COST. Some 0.2 microseconds for an assumption, and a tenth of it where it is not made again. Of
 * all that rounds over a board could make, one in ten is left.
 */
#include "deduce.h"

/* What came of an assumption at a link: nothing, as far as it looked. */
struct
try {
    uint64_t seen; /* tiles */
    int32_t when;
    uint8_t reach; /* that it had; UINT8_MAX where it ended before */
};

struct tries {
    struct try *at;         /* of each cell: to the right and down, without link and with */
    int32_t changed[TILES]; /* when something changed there last */
    int32_t now;            /* so many times something changed */
};

/* ---- what changed ---------------------------------------------------------------------------- */

/* What was followed since the last time. */
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

/* Whether that comes to a contradiction within so many turns; `try` keeps how far it went. */
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
    return !good;
}

/* Whether something follows where a way less is left to the cell. */
static bool is_tight(const struct deduce *d, int32_t cell)
{
    bool idle = d->rule == CLASSIC && d->board->path[cell] == OPEN && !d->on[cell];
    int need = idle || d->board->path[cell] >= 0 ? 1 : 2;
    return SIDES - count_sides(d->off[cell]) <= need + 1;
}

/* What follows from an assumption, unless it is of no use to make it. */
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

/* Sides to the right and down at which it may be assumed. */
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
    mw_tick(d->run, (uint64_t)d->board->cells);
    if (!d->tries) { /* nothing was tried yet */
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
