/*
 * assume.c: links that are assumed for a while, and followed to a contradiction.
 *
 * An assumption is added like a finding, followed over a number of turns, and taken back; if it led
 * to a contradiction, the opposite is known. A round makes one assumption at each open link. What
 * is limited is turns and not findings, as a turn does not depend on the order of cells (deduce.c).
 * Rounds go on until none finds anything, so that it does not matter at which link they begin.
 *
 * SKIPPING REPEATS. Most assumptions lead to nothing. An assumption is made again only when it may
 * be followed farther than before, or when something was found since. (Recording the cells that it
 * looked at would save another tenth of the time on boards of 10 x 10 under flow.)
 *
 * SKIPPING THE USELESS. Where both cells have ways to spare, nothing follows from one way less. And
 * where a solution is given, only what it denies is assumed: what agrees with a solution never
 * leads to a contradiction, as the rules are sound.
 *
 * COST. Some 0.2 microseconds for an assumption.
 */
#include "deduce.h"

/* The record of an assumption that led to nothing. */
struct assumption {
    int32_t finds; /* how many findings there were */
    uint8_t reach; /* turns allowed; UINT8_MAX where nothing was left to follow before that */
};

/* Whether the assumption leads to a contradiction within `reach` turns; fills in the record. */
static bool clashes(struct deduce *d, int32_t cell, int side, bool link, int32_t reach,
                    struct assumption *record)
{
    int32_t finds = d->finds, deductions = d->deductions;
    d->turns = reach;
    bool good = deduce_put(d, cell, side, link, CLASH) && deduce_follow(d);
    if (d->followed < d->finds)
        record->reach = (uint8_t)reach;
    d->turns = INT32_MAX;
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
    struct assumption *record = &d->records[4 * cell + 2 * side + link];
    if (!link && !is_tight(d, cell) && !is_tight(d, d->board->next[cell][side]))
        return true;
    if (deduce_knows(d, cell, side) || (record->finds == d->finds && record->reach >= reach))
        return true;
    *record = (struct assumption){d->finds, UINT8_MAX};
    if (!clashes(d, cell, side, link, reach, record))
        return true;
    d->deductions++;
    d->depth += d->turn;
    return deduce_put(d, cell, side, !link, CLASH) && deduce_follow(d);
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
    if (!d->records)
        d->records = MW_NEW0(d->run, struct assumption, 4 * d->board->cells);
    for (int32_t cell = 0; cell < d->board->cells && !deduce_is_over(d); cell++) {
        if (deduce_is_late(d))
            return true;
        for (unsigned left = candidates(d, cell, link); left; left &= left - 1)
            if (!assume_one(d, cell, __builtin_ctz(left), link, reach))
                return false;
    }
    return true;
}
