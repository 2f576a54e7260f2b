/*
 * every.c: all covers of a tiny board, in random order.
 *
 * Cell by cell, row by row, it is decided whether the cell is linked to the one on its right and to
 * the one below; the other two sides are decided before. A cell gets one link or two. `mate` is the
 * other end of the path so far, so that no ring is closed; and once more cells have one link than
 * the wanted paths have ends, the branch is given up. After the last cell there is a cover; the
 * caller decides whether it is good.
 *
 * Each branch is taken once, so it ends; none is left out: where no cover was good, there is none.
 * There are some ten thousand covers of 16 cells, and twenty times as many of 20; those of 25 by
 * two paths are two hundred thousand, on four million branches. The four choices at a cell come in
 * an order drawn anew each time, so that early ones are no likelier.
 */
#include "cover.h"

struct every {
    struct cover *cover;
    int32_t *mate, ends; /* cells with one link, of those that are decided */
    bool (*is_good)(const void *, struct cover *);
    const void *data;
};

/* Links the cell across the side, unless that would close a ring or be one link too many. */
static bool link(struct every *e, int32_t cell, int side, int32_t old[2])
{
    struct cover *c = e->cover;
    int32_t other = c->board->next[cell][side];
    if (other < 0 || count_sides(c->links[cell]) > 1 || count_sides(c->links[other]) > 1 ||
        e->mate[cell] == other)
        return false;
    old[0] = e->mate[cell];
    old[1] = e->mate[other];
    cover_link(c, cell, side);
    e->mate[old[0]] = old[1];
    e->mate[old[1]] = old[0];
    return true;
}

static void unlink_again(struct every *e, int32_t cell, int side, const int32_t old[2])
{
    int32_t other = e->cover->board->next[cell][side];
    cover_unlink(e->cover, cell, side);
    e->mate[cell] = old[0];
    e->mate[other] = old[1];
    e->mate[old[0]] = cell;
    e->mate[old[1]] = other;
}

static bool decide(struct every *, int32_t cell);

/* With the links of `cell` as they are. */
static bool go_on(struct every *e, int32_t cell)
{
    int links = count_sides(e->cover->links[cell]);
    if (!links)
        return false;
    e->ends += links == 1;
    bool good = e->ends <= 2 * e->cover->target && decide(e, cell + 1);
    e->ends -= links == 1;
    return good;
}

/* The sides of `choice` that are left to be linked, one after the other. */
static bool link_all(struct every *e, int32_t cell, int side, uint32_t choice)
{
    int32_t old[2];
    if (side > DOWN)
        return go_on(e, cell);
    if (!(choice >> side & 1))
        return link_all(e, cell, side + 1, choice);
    if (!link(e, cell, side, old))
        return false;
    bool good = link_all(e, cell, side + 1, choice);
    if (!good)
        unlink_again(e, cell, side, old);
    return good;
}

static bool decide(struct every *e, int32_t cell)
{
    struct cover *c = e->cover;
    mw_tick(c->run, 8);
    if (cell == c->board->cells)
        return e->ends == 2 * c->target && e->is_good(e->data, c);
    uint32_t first = mw_below(&c->rng, 4);
    bool good = false;
    for (uint32_t i = 0; i < 4 && !good; i++)
        good = link_all(e, cell, RIGHT, i ^ first);
    return good;
}

bool cover_every(struct cover *c, bool (*is_good)(const void *, struct cover *), const void *data)
{
    struct every e = {.cover = c, .is_good = is_good, .data = data};
    e.mate = MW_NEW(c->run, int32_t, c->board->cells);
    for (int32_t cell = 0; cell < c->board->cells; cell++)
        e.mate[cell] = cell;
    memset(c->links, 0, (size_t)c->board->cells);
    return decide(&e, 0);
}
