/*
 * assume.c: links that are assumed for a while, and followed to a contradiction.
 *
 * An assumption is put like a link that was found, followed over so many links, and taken back; if
 * it led to a contradiction, the contrary is known. A round makes one at each open link.
 *
 * NOT AGAIN. Most assumptions come to nothing, and would be made in each round anew, as what was
 * found meanwhile may help them. So each keeps a box around the cells that it looked at, and how
 * far it was followed. It is made again only when it may be followed farther, or when something
 * changed in the box or beside it: else it would see the same things and come to nothing again.
 * With a link its two cells change, and where it joins two chains, all cells of these. What changed
 * in a row of the board is a word, as rows have 64 cells at most.
 *
 * TOLD. Where a solution is at hand, only what it denies is assumed: what agrees with a solution
 * never leads to a contradiction, by rules that are right.
 *
 * COST. Some 0.2 microseconds for an assumption, and a hundredth of it where it is not made again.
 * Told and not again leave one in seven, or one in ten on large boards.
 */
#include "deduce.h"
#include "kit/integer.h"

static const struct box NOTHING = {UINT8_MAX, UINT8_MAX, 0, 0};

/* What came of assumptions at a link: nothing, as far as they looked. */
struct
try {
    struct box seen;
    uint8_t reach; /* that they had; UINT8_MAX where they ended before */
};

/* Rows have a row before them and one after. */
struct tries {
    struct try *at;                                     /* of each cell, to the right and down */
    uint64_t changed[MAX_SIDE + 2], anew[MAX_SIDE + 2]; /* since the round before; in this one */
    int32_t noted;                                      /* findings whose changes are there */
};

static struct try *try_at(const struct deduce *d, int32_t cell, int side)
{
    return &d->tries->at[2 * cell + side];
}

/* ---- what changed ---------------------------------------------------------------------------- */

static void note_cell(const struct deduce *d, int32_t cell)
{
    uint64_t bit = UINT64_C(1) << d->column[cell];
    d->tries->changed[d->row[cell] + 1] |= bit;
    d->tries->anew[d->row[cell] + 1] |= bit;
}

static void note_chain(const struct deduce *d, int32_t cell)
{
    int32_t count = d->count[d->chain[cell]];
    mw_tick(d->run, (uint64_t)count);
    for (; count--; cell = d->after[cell])
        note_cell(d, cell);
}

/* What was found since the last time. */
static void note_findings(const struct deduce *d)
{
    for (int32_t *i = &d->tries->noted; *i < d->finds; ++*i) {
        const struct finding *f = &d->found[*i];
        note_cell(d, f->cell);
        note_cell(d, d->board->next[f->cell][f->side]);
        if (f->joined >= 0)
            note_chain(d, f->cell);
    }
}

static bool is_stale(const struct deduce *d, const struct try *try, int32_t reach)
{
    if (try->reach < reach)
        return true;
    const struct box *box = &try->seen;
    uint64_t from = UINT64_MAX << mw_max(box->left - 1, 0);
    uint64_t to = UINT64_MAX >> (MAX_SIDE - 1 - mw_min(box->right + 1, MAX_SIDE - 1));
    uint64_t changed = 0;
    for (int row = box->top; row <= box->bottom + 2; row++) /* and the one on each side of it */
        changed |= d->tries->changed[row];
    return changed & from & to;
}

/* ---- assumptions ----------------------------------------------------------------------------- */

/* Whether that comes to a contradiction within so many links; `try` keeps how far it went. */
static bool clashes(struct deduce *d, int32_t cell, int side, bool link, int32_t reach,
                    struct try *try)
{
    int32_t finds = d->finds, deductions = d->deductions;
    d->limit = finds + 1 + reach;
    bool good = deduce_put(d, cell, side, link, CLASH) && deduce_follow(d);
    if (d->followed < d->finds)
        try->reach = (uint8_t)reach;
    d->limit = INT32_MAX;
    deduce_undo(d, finds);
    d->deductions = deductions;
    return !good;
}

/* What follows from assumptions at this place. */
static bool assume_at(struct deduce *d, int32_t cell, int side, int32_t reach)
{
    struct try *try = try_at(d, cell, side);
    if (deduce_knows(d, cell, side) || !is_stale(d, try, reach))
        return true;
    try->reach = UINT8_MAX;
    d->seen = NOTHING;
    for (int link = 1; link >= 0 && !deduce_knows(d, cell, side); link--) {
        bool told = d->solution && (d->solution[cell] >> side & 1) == link;
        if (told || !clashes(d, cell, side, link, reach, try))
            continue;
        d->deductions++;
        if (!deduce_put(d, cell, side, !link, CLASH) || !deduce_follow(d))
            return false;
        note_findings(d);
    }
    try->seen = d->seen;
    return true;
}

/* Nothing was tried yet. */
static struct tries *tries_new(const struct deduce *d)
{
    struct tries *t = MW_NEW0(d->run, struct tries, 1);
    t->at = MW_NEW0(d->run, struct try, 2 * d->board->cells);
    t->noted = d->finds;
    return t;
}

bool deduce_assume(struct deduce *d, int32_t reach)
{
    assert(reach > 0 && reach < UINT8_MAX);
    mw_tick(d->run, (uint64_t)d->board->cells);
    if (!d->tries)
        d->tries = tries_new(d);
    memcpy(d->tries->changed, d->tries->anew, sizeof d->tries->changed);
    memset(d->tries->anew, 0, sizeof d->tries->anew);
    note_findings(d);
    for (int32_t cell = 0; cell < d->board->cells && !deduce_is_over(d); cell++) {
        if (deduce_is_late(d))
            return true;
        for (int side = RIGHT; side <= DOWN; side++)
            if (d->board->next[cell][side] >= 0 && !assume_at(d, cell, side, reach))
                return false;
    }
    return true;
}
