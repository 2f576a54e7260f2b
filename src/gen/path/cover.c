/*
 * cover.c: a board divided among paths at random.
 *
 * It begins with a path in each row and is stirred by moves that keep every cell on a path, none
 * shorter than the least length, and (strict) none that touches itself:
 *
 *     push     the end of a path takes a neighbouring cell over. Where that was the end of
 *              another path, the other is a cell shorter; where it was in its middle, the other
 *              becomes two. Here a takes a cell of b:
 *
 *                  a a . .        a a a .         a a . .         a a . .
 *                  c c b b   ->   c c b .   and   b b b b   ->    b a b b
 *
 *     cut      a path becomes two
 *     join     two paths whose ends are neighbours become one
 *
 * A path that grows takes a cell that touches nothing else of it, and losing cells at an end
 * harms no path; so for strictness a push looks at one cell, and a join at one of the two paths.
 *
 * While it is stirred, the number of paths wanders a little above the target, which lets paths
 * change places; then joins and cuts bring it to the target. A push is mostly refused when it
 * would bring ends together or make a path run along the rim, which people find dull in a
 * puzzle; but not while there are too many paths, whose ends must meet to be joined.
 */
#include "path.h"

enum { ROOM = MAX_PATHS + MAX_SIDE + 16 };

/* ---- looking --------------------------------------------------------------------------------- */

static int32_t next_of(const struct cover *c, int32_t cell, int side)
{
    return c->board->next[cell][side];
}

static bool is_end(const struct cover *c, int32_t cell)
{
    return !(c->links[cell] & (c->links[cell] - 1));
}

/* Whether the cell has a neighbour of path p other than `but`. */
static bool touches(const struct cover *c, int32_t p, int32_t cell, int32_t but)
{
    for (int side = 0; side < SIDES; side++) {
        int32_t other = next_of(c, cell, side);
        if (other >= 0 && other != but && c->owner[other] == p)
            return true;
    }
    return false;
}

static int first_side(unsigned links)
{
    assert(links);
    return __builtin_ctz(links);
}

/* How many ends of other paths and sides of the rim lie around a cell: the fewer, the better. */
static int dullness(const struct cover *c, int32_t cell)
{
    int dull = 0;
    for (int side = 0; side < SIDES; side++) {
        int32_t other = next_of(c, cell, side);
        dull += other < 0 || (is_end(c, other) && c->owner[other] != c->owner[cell]);
    }
    return dull;
}

/* ---- changing -------------------------------------------------------------------------------- */

static void link_cells(struct cover *c, int32_t cell, int side)
{
    assert(next_of(c, cell, side) >= 0 && !(c->links[cell] >> side & 1));
    c->links[cell] |= (uint8_t)(1 << side);
    c->links[next_of(c, cell, side)] |= (uint8_t)(1 << opposite(side));
}

static void unlink_cells(struct cover *c, int32_t cell, int side)
{
    assert(c->links[cell] >> side & 1);
    c->links[cell] &= (uint8_t) ~(1 << side);
    c->links[next_of(c, cell, side)] &= (uint8_t) ~(1 << opposite(side));
}

/* The path that begins at `end` becomes number p: its cells, ends and length. */
static void number_path(struct cover *c, int32_t p, int32_t end)
{
    int32_t count = 0;
    int from = SIDES;
    assert(p >= 0 && p < ROOM && is_end(c, end));
    for (int32_t at = end; at >= 0; at = path_step(c->board, c->links, at, &from), count++) {
        c->owner[at] = p;
        c->ends[p][1] = at;
    }
    c->ends[p][0] = end;
    c->length[p] = count;
    mw_tick(c->run, (uint64_t)count);
}

/* The last number goes to the path that had it, so that numbers have no gap. */
static void drop_number(struct cover *c, int32_t p)
{
    if (p != --c->paths)
        number_path(c, p, c->ends[c->paths][0]);
}

/* Cells from `cell` to the end of its path, not looking back across side `from`. */
static int32_t count_from(const struct cover *c, int32_t cell, int from)
{
    int32_t count = 0;
    for (; cell >= 0; cell = path_step(c->board, c->links, cell, &from))
        count++;
    mw_tick(c->run, (uint64_t)count);
    return count;
}

/* Path p takes its neighbour's end over. */
static bool steal(struct cover *c, int32_t p, int e, int side)
{
    int32_t a = c->ends[p][e], b = next_of(c, a, side), q = c->owner[b];
    if (c->length[q] <= c->least)
        return false;
    int back = first_side(c->links[b]);
    c->ends[q][c->ends[q][1] == b] = next_of(c, b, back);
    unlink_cells(c, b, back);
    link_cells(c, a, side);
    c->owner[b] = p;
    c->ends[p][e] = b;
    c->length[q]--;
    c->length[p]++;
    return true;
}

/* Path p takes a cell out of the middle of another, which becomes two. */
static bool split(struct cover *c, int32_t p, int e, int side)
{
    int32_t a = c->ends[p][e], b = next_of(c, a, side), q = c->owner[b];
    int one = first_side(c->links[b]), two = first_side(c->links[b] & ~(1u << one));
    int32_t head = next_of(c, b, one), tail = next_of(c, b, two);
    if (c->length[q] <= 2 * c->least || count_from(c, head, opposite(one)) < c->least ||
        count_from(c, tail, opposite(two)) < c->least)
        return false;
    unlink_cells(c, b, one);
    unlink_cells(c, b, two);
    link_cells(c, a, side);
    c->owner[b] = p;
    c->ends[p][e] = b;
    c->length[p]++;
    number_path(c, q, head);
    number_path(c, c->paths++, tail);
    return true;
}

static bool push(struct cover *c, int32_t p, int e, int32_t most)
{
    int32_t a = c->ends[p][e];
    int side = (int)mw_below(&c->rng, SIDES);
    int32_t b = next_of(c, a, side);
    if (b < 0 || c->owner[b] == p || (c->strict && touches(c, p, b, a)))
        return false;
    if (c->paths <= most && dullness(c, b) > dullness(c, a) && mw_below(&c->rng, 4))
        return false;
    if (is_end(c, b))
        return steal(c, p, e, side);
    return c->paths < most && c->paths < ROOM && split(c, p, e, side);
}

static bool join(struct cover *c, int32_t p, int e)
{
    int32_t a = c->ends[p][e];
    int side = (int)mw_below(&c->rng, SIDES);
    int32_t b = next_of(c, a, side), q = b < 0 ? p : c->owner[b];
    if (q == p || !is_end(c, b))
        return false;
    int from = SIDES;
    for (int32_t cell = b; c->strict && cell >= 0;
         cell = path_step(c->board, c->links, cell, &from))
        if (touches(c, p, cell, cell == b ? a : -1))
            return false;
    mw_tick(c->run, (uint64_t)c->length[q]);
    int32_t start = c->ends[p][1 - e];
    link_cells(c, a, side);
    number_path(c, p, start);
    drop_number(c, q);
    return true;
}

static bool cut(struct cover *c, int32_t p)
{
    int32_t spare = c->length[p] - 2 * c->least;
    if (spare < 0 || c->paths >= ROOM)
        return false;
    int32_t keep = c->least + (int32_t)mw_below(&c->rng, (uint32_t)spare + 1);
    int32_t head = c->ends[p][0], cell = head;
    int from = SIDES;
    for (int32_t i = 0; i < keep; i++)
        cell = path_step(c->board, c->links, cell, &from);
    unlink_cells(c, cell, from);
    number_path(c, p, head);
    number_path(c, c->paths++, cell);
    return true;
}

/* ---- the invariant --------------------------------------------------------------------------- */

#ifdef MW_COSTLY_ASSERTS
/* Whether each cell lies on the path that is said to own it, and (strict) touches no other cell of
   it but those it is linked to. */
static bool is_cover(const struct cover *c)
{
    int32_t cells = 0;
    for (int32_t p = 0; p < c->paths; p++) {
        int32_t count = 0, last = -1;
        int from = SIDES;
        for (int32_t at = c->ends[p][0]; at >= 0; count++) {
            if (c->owner[at] != p)
                return false;
            for (int side = 0; c->strict && side < SIDES; side++) {
                int32_t other = next_of(c, at, side);
                if (other >= 0 && c->owner[other] == p && !(c->links[at] >> side & 1))
                    return false;
            }
            last = at;
            at = path_step(c->board, c->links, at, &from);
        }
        if (count != c->length[p] || last != c->ends[p][1])
            return false;
        cells += count;
    }
    return cells == c->board->cells;
}
#endif

/* ---- stirring -------------------------------------------------------------------------------- */

/* A move on path p that leaves at most `most` paths, and rather brings their number to the
   target. */
static void move(struct cover *c, int32_t p, int32_t most)
{
    int e = (int)mw_below(&c->rng, 2);
    mw_tick(c->run, 4);
    if (c->paths > c->target && mw_below(&c->rng, 2))
        join(c, p, e);
    else if (c->paths < c->target && mw_below(&c->rng, 2))
        cut(c, p);
    else
        push(c, p, e, most);
    mw_assert_costly(is_cover(c));
}

static bool is_met(const struct cover *c)
{
    if (c->paths != c->target)
        return false;
    for (int32_t p = 0; p < c->paths; p++)
        if (c->length[p] < c->least)
            return false;
    return true;
}

bool cover_stir(struct cover *c, int32_t moves, int32_t patience)
{
    int32_t most = c->target + c->target / 8 + 1;
    for (int32_t i = 0; i < moves; i++)
        move(c, (int32_t)mw_below(&c->rng, (uint32_t)c->paths), most);
    for (int32_t i = 0; i < patience && !is_met(c); i++) /* splits are rare, or all may be stuck */
        move(c, (int32_t)mw_below(&c->rng, (uint32_t)c->paths), i % 32 ? c->target : most);
    return is_met(c);
}

void cover_stir_where(struct cover *c, const uint8_t *other, int32_t moves)
{
    char *mark = mw_mark(c->run);
    int32_t *cells = MW_NEW(c->run, int32_t, c->board->cells), count = 0;
    for (int32_t cell = 0; cell < c->board->cells; cell++)
        if (c->links[cell] != other[cell])
            cells[count++] = cell;
    for (int32_t i = 0; count && i < moves; i++)
        move(c, c->owner[cells[mw_below(&c->rng, (uint32_t)count)]], c->target + c->target / 8 + 1);
    mw_rewind(c->run, mark);
}

void cover_reset(struct cover *c, bool strict)
{
    const struct board *b = c->board;
    bool columns = b->height > b->width;
    int along = columns ? DOWN : RIGHT;
    c->strict = strict;
    c->paths = 0;
    memset(c->links, 0, (size_t)b->cells);
    mw_tick(c->run, (uint64_t)b->cells);
    for (int32_t cell = 0; cell < b->cells; cell++)
        if (b->next[cell][along] >= 0)
            link_cells(c, cell, along);
    for (int32_t i = 0; i < (columns ? b->width : b->height); i++)
        number_path(c, c->paths++, columns ? i : i * b->width);
}

struct cover cover_new(struct mw_run *run, const struct board *b, int32_t target, int32_t least)
{
    assert(target > 0 && target <= MAX_PATHS && least >= 2);
    struct cover c = {
        .run = run, .rng = mw_stream(run, "cover"), .board = b, .target = target, .least = least};
    c.links = MW_NEW(run, uint8_t, b->cells);
    c.owner = MW_NEW(run, int32_t, b->cells);
    c.length = MW_NEW(run, int32_t, ROOM);
    c.ends = mw_alloc(run, ROOM, sizeof *c.ends);
    cover_reset(&c, true);
    return c;
}

struct board cover_board(struct mw_run *run, const struct cover *c)
{
    struct board b = board_new(run, c->board->width, c->board->height);
    for (int32_t cell = 0; cell < b.cells; cell++) {
        const int32_t *ends = c->ends[c->owner[cell]];
        int32_t other = ends[ends[0] == cell];
        if ((ends[0] == cell || ends[1] == cell) && cell < other)
            board_path(&b, PATH_LETTERS[b.paths], cell, other);
    }
    return b;
}
