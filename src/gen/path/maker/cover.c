/*
 * cover.c: a board divided among paths at random.
 *
 * It begins with dominoes, in squares of two that lie or stand at random, and is stirred by moves
 * that keep every cell on a path, no path that touches itself (strict) and, once there are as few
 * paths as wanted, none shorter than the least length:
 *
 *     push     the end of a path takes a neighbouring cell over. Where that was the end of
 *              another path, the other is a cell shorter; where it was in its middle, the other
 *              becomes two. Here a takes a cell of b:
 *
 *                  a a . .        a a a .         a a . .         a a . .
 *                  c c b b   ->   c c b .   and   b b b b   ->    b a b b
 *
 *     splice   the end of a path takes a cell in the middle of another with all that is behind it:
 *              as many paths as before, but with ends far apart
 *     cut      a path becomes two
 *     join     two paths whose ends are neighbours become one
 *
 * A path that grows takes a cell that touches nothing else of it, and losing cells at an end
 * harms no path; so for strictness a push looks at one cell, and splice and join at what is taken.
 *
 * The cover is cooled: the number of paths falls from that of the dominoes, fast at first, to the
 * target. So steps of both directions and ends lie all over the board while everything still moves
 * easily. (Starting with a path in each row, after 100 moves a cell 88 % of all steps are still
 * level at 64x64.) Joins alone do not cool far, as long neighbours nearly always touch somewhere
 * else. So while there are too many paths, any path may be eaten up by its neighbours. Splits,
 * which undo this, are rare: otherwise the number would stay at the limit. Long paths take longer
 * to cool.
 *
 * Once there are no paths to spare, a push is mostly refused when it would bring ends together,
 * which is dull in a puzzle, or when it goes against the taste (taste.c). When the target is met,
 * the cover is moved on without cuts and joins until it is to the taste: a few moves a cell on
 * usual boards, some hundred on very large ones. Few long paths lie in each other's way: they get
 * there soon or hardly ever, so they begin again up to TRIES times. The result is what lacks least.
 */
#include "cover.h"

#include "kit/integer.h"

enum { RARELY = 512 };
enum { MOVES_A_CELL = 30, MOST_A_CELL = 1200 };
enum { ROUNDS = 500, ROUND_MOVES = 2 /* a cell */, TRIES = 12 };

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

/* How many ends of other paths are neighbours of a cell: the fewer, the better. */
static int dullness(const struct cover *c, int32_t cell)
{
    int dull = 0;
    for (int side = 0; side < SIDES; side++) {
        int32_t other = next_of(c, cell, side);
        dull += other >= 0 && is_end(c, other) && c->owner[other] != c->owner[cell];
    }
    return dull;
}

/* ---- changing -------------------------------------------------------------------------------- */

void cover_link(struct cover *c, int32_t cell, int side)
{
    assert(next_of(c, cell, side) >= 0 && !(c->links[cell] >> side & 1));
    c->links[cell] |= (uint8_t)(1 << side);
    c->links[next_of(c, cell, side)] |= (uint8_t)(1 << opposite(side));
}

void cover_unlink(struct cover *c, int32_t cell, int side)
{
    assert(c->links[cell] >> side & 1);
    c->links[cell] &= (uint8_t) ~(1 << side);
    c->links[next_of(c, cell, side)] &= (uint8_t) ~(1 << opposite(side));
}

/* The path that begins at `end` becomes number p: its cells, ends and length. */
static void number_path(struct cover *c, int32_t p, int32_t end)
{
    int32_t count = 0, at = end;
    int from = SIDES;
    assert(p >= 0 && p < c->room && is_end(c, end));
    for (; at >= 0 && count < c->board->cells; count++) {
        c->owner[at] = p;
        c->ends[p][1] = at;
        at = path_step(c->board, c->links, at, &from);
    }
    assert(at < 0);
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

/* The number of cells from `cell` to the end of its path, away from side `from`; *last is the last
   of them. */
static int32_t count_from(const struct cover *c, int32_t cell, int from, int32_t *last)
{
    int32_t count = 0;
    for (; cell >= 0 && count < c->board->cells; count++) {
        *last = cell;
        cell = path_step(c->board, c->links, cell, &from);
    }
    assert(cell < 0);
    mw_tick(c->run, (uint64_t)count);
    return count;
}

/* Path p takes over the end of its neighbour, which vanishes if that was its only cell. */
static void steal(struct cover *c, int32_t p, int e, int side)
{
    int32_t a = c->ends[p][e], b = next_of(c, a, side), q = c->owner[b];
    if (c->links[b]) {
        int back = first_side(c->links[b]);
        c->ends[q][c->ends[q][1] == b] = next_of(c, b, back);
        cover_unlink(c, b, back);
    }
    cover_link(c, a, side);
    c->owner[b] = p;
    c->ends[p][e] = b;
    c->length[p]++;
    if (!--c->length[q])
        drop_number(c, q);
}

/* Path p takes a cell out of the middle of another, which becomes two. */
static bool split(struct cover *c, int32_t p, int e, int side)
{
    int32_t a = c->ends[p][e], b = next_of(c, a, side), q = c->owner[b];
    int one = first_side(c->links[b]), two = first_side(c->links[b] & ~(1u << one));
    int32_t head = next_of(c, b, one), tail = next_of(c, b, two), last;
    if (c->length[q] <= 2 * c->least || count_from(c, head, opposite(one), &last) < c->least ||
        count_from(c, tail, opposite(two), &last) < c->least)
        return false;
    cover_unlink(c, b, one);
    cover_unlink(c, b, two);
    cover_link(c, a, side);
    c->owner[b] = p;
    c->ends[p][e] = b;
    c->length[p]++;
    number_path(c, q, head);
    number_path(c, c->paths++, tail);
    return true;
}

/* Whether it is to the taste that path p takes the end of another. */
static bool likes_steal(struct cover *c, int32_t p, int e, int side)
{
    int32_t b = next_of(c, c->ends[p][e], side), q = c->owner[b];
    int back = first_side(c->links[b]);
    int32_t rest = next_of(c, b, back);
    struct path_shape grown = {c->length[p] + 1, {c->ends[p][1 - e], b}};
    struct path_shape shrunk = {c->length[q] - 1, {rest, c->ends[q][c->ends[q][0] == b]}};
    return taste_allows(c, p, grown, q, shrunk, (back & 1) - (side & 1));
}

static bool push(struct cover *c, int32_t p, int e, int side, int32_t most)
{
    int32_t a = c->ends[p][e], b = next_of(c, a, side);
    if (c->strict && touches(c, p, b, a))
        return false;
    bool spare = c->paths > c->target; /* then all that reduces their number is welcome */
    if (!spare && dullness(c, b) > dullness(c, a) && mw_below(&c->rng, 4))
        return false;
    if (!is_end(c, b))
        return c->paths < most && c->paths < c->room && split(c, p, e, side);
    if (!spare && (c->length[c->owner[b]] <= c->least || !likes_steal(c, p, e, side)))
        return false;
    steal(c, p, e, side);
    return true;
}

/* Whether path p touches what lies from `cell` on, not looking back across side `from`, other than
 * `cell` itself at its end a. */
static bool touches_any(const struct cover *c, int32_t p, int32_t a, int32_t cell, int from)
{
    int32_t count = 0, at = cell;
    bool any = false;
    for (; at >= 0 && !any && count < c->board->cells; count++) {
        any = touches(c, p, at, at == cell ? a : -1);
        at = path_step(c->board, c->links, at, &from);
    }
    assert(at < 0 || any);
    mw_tick(c->run, (uint64_t)count);
    return any;
}

static bool join(struct cover *c, int32_t p, int e)
{
    int32_t a = c->ends[p][e];
    int side = (int)mw_below(&c->rng, SIDES);
    int32_t b = next_of(c, a, side), q = b < 0 ? p : c->owner[b];
    if (q == p || !is_end(c, b))
        return false;
    if (c->strict && touches_any(c, p, a, b, SIDES))
        return false;
    int32_t start = c->ends[p][1 - e];
    cover_link(c, a, side);
    number_path(c, p, start);
    drop_number(c, q);
    return true;
}

/* Path p goes on into the middle of another and takes all that is behind that cell. */
static bool splice(struct cover *c, int32_t p, int e, int side)
{
    int32_t a = c->ends[p][e], b = next_of(c, a, side), q = c->owner[b];
    if (c->length[q] <= c->least)
        return false;
    int off = first_side(c->links[b]);
    if (mw_below(&c->rng, 2))
        off = first_side((uint8_t)(c->links[b] & ~(1 << off)));
    if (c->strict && touches_any(c, p, a, b, off))
        return false;
    int32_t head = next_of(c, b, off), start = c->ends[p][1 - e];
    int32_t last = head, left = count_from(c, head, opposite(off), &last);
    struct path_shape grown = {c->length[p] + c->length[q] - left,
                               {start, c->ends[q][c->ends[q][0] == last]}};
    if (left < c->least || !taste_allows(c, p, grown, q, (struct path_shape){left, {head, last}},
                                         (off & 1) - (side & 1)))
        return false;
    cover_unlink(c, b, off);
    cover_link(c, a, side);
    number_path(c, p, start);
    number_path(c, q, head);
    return true;
}

/* Path p takes a cell beside its end: one, or also those behind it. */
static void advance(struct cover *c, int32_t p, int e, int32_t most)
{
    int side = (int)mw_below(&c->rng, SIDES);
    int32_t b = next_of(c, c->ends[p][e], side);
    if (b < 0 || c->owner[b] == p)
        return;
    if (!is_end(c, b) && (c->paths >= most || !mw_below(&c->rng, 4)))
        splice(c, p, e, side);
    else
        push(c, p, e, side, most);
}

static bool cut(struct cover *c, int32_t p)
{
    int32_t spare = c->length[p] - 2 * c->least;
    if (spare < 0 || c->paths >= c->room)
        return false;
    int32_t keep = c->least + (int32_t)mw_below(&c->rng, (uint32_t)spare + 1);
    int32_t head = c->ends[p][0], cell = head;
    int from = SIDES;
    for (int32_t i = 0; i < keep; i++)
        cell = path_step(c->board, c->links, cell, &from);
    assert(cell >= 0);
    cover_unlink(c, cell, from);
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
            last = at;
            at = path_step(c->board, c->links, at, &from);
        }
        if (count != c->length[p] || last != c->ends[p][1])
            return false;
        cells += count;
    }
    return cells == c->board->cells &&
           !(c->strict && path_touches_itself(c->board, c->links, c->owner));
}
#endif

/* ---- stirring -------------------------------------------------------------------------------- */

/* A move on path p that leaves at most `most` paths, and tends to reduce their number to `few`. */
static void move(struct cover *c, int32_t p, int32_t few, int32_t most)
{
    int e = (int)mw_below(&c->rng, 2);
    mw_tick(c->run, 4);
    if (c->paths > few && mw_below(&c->rng, 2))
        join(c, p, e);
    else if (c->paths < c->target && mw_below(&c->rng, 2))
        cut(c, p);
    else
        advance(c, p, e, most);
    mw_assert_costly(is_cover(c));
}

static int32_t any_path(struct cover *c) { return (int32_t)mw_below(&c->rng, (uint32_t)c->paths); }

static int32_t most_paths(const struct cover *c) { return c->target + c->target / 8 + 1; }

static bool is_met(const struct cover *c)
{
    if (c->paths != c->target)
        return false;
    for (int32_t p = 0; p < c->paths; p++)
        if (c->length[p] < c->least)
            return false;
    return true;
}

bool cover_settle(struct cover *c, int32_t patience)
{
    for (int32_t i = 0; i < patience && !is_met(c); i++)
        move(c, any_path(c), c->target, i % RARELY ? c->target : most_paths(c));
    return is_met(c);
}

/* Where both sides are odd the corner that is left over joins the domino beside it. */
static void lay_dominoes(struct cover *c)
{
    const struct board *b = c->board;
    memset(c->links, 0, (size_t)b->cells);
    for (int32_t y = 0; y < b->height; y += 2)
        for (int32_t x = 0; x < b->width; x += 2) {
            int32_t cell = y * b->width + x, below = next_of(c, cell, DOWN);
            bool wide = x + 1 < b->width, lying = wide && (below < 0 || mw_below(&c->rng, 2));
            int along = lying ? RIGHT : below < 0 ? LEFT : DOWN;
            int32_t other = lying ? below : wide ? cell + 1 : -1;
            cover_link(c, cell, along);
            if (other >= 0)
                cover_link(c, other, along);
        }
}

/* A path in each row, or column where those are longer. */
static void lay_rows(struct cover *c)
{
    const struct board *b = c->board;
    int along = b->height > b->width ? DOWN : RIGHT;
    memset(c->links, 0, (size_t)b->cells);
    for (int32_t cell = 0; cell < b->cells; cell++)
        if (b->next[cell][along] >= 0)
            cover_link(c, cell, along);
}

static void number_paths(struct cover *c)
{
    c->paths = 0;
    memset(c->owner, 0xff, (size_t)c->board->cells * sizeof *c->owner);
    for (int32_t cell = 0; cell < c->board->cells; cell++)
        if (c->owner[cell] < 0 && is_end(c, cell))
            number_path(c, c->paths++, cell);
}

bool cover_number(struct cover *c, bool strict)
{
    if (memchr(c->links, 0, (size_t)c->board->cells)) /* an empty cell, as in classic solutions */
        return false;
    number_paths(c);
    return is_met(c) && !(strict && path_touches_itself(c->board, c->links, c->owner));
}

/* The number of paths falls with the cube of what is left to do. */
static void cool(struct cover *c, int32_t moves)
{
    int32_t last = most_paths(c);
    int64_t excess = mw_max(c->paths - last, 0);
    assert(moves > 0);
    for (int32_t i = 0; i < moves; i++) {
        int64_t left = moves - i;
        int32_t warm = (int32_t)(excess * left / moves * left / moves * left / moves);
        move(c, any_path(c), warm ? last + warm : c->target, last + warm);
    }
}

/* Moves a cover that meets the target until it is to the taste. A cover that lacks less than
   `least` becomes the best; returns what that lacks. */
static int64_t season(struct cover *c, int32_t rounds, int64_t least, struct cover *best)
{
    for (int32_t round = 0;; round++) {
        int64_t lack = taste_lack(c);
        assert(is_met(c));
        if (lack < least) {
            least = lack;
            cover_copy(best, c);
        }
        if (!least || round == rounds)
            break;
        for (int32_t i = 0; i < ROUND_MOVES * c->board->cells; i++)
            move(c, any_path(c), c->target, c->target);
    }
    return least;
}

/* Moves a cell: for few paths the third power of their length, as measured. */
static int32_t cooling(const struct cover *c)
{
    int32_t tens = cover_has_few(c) ? c->board->cells / c->target / 10 : 0;
    return mw_clamp(tens * tens * tens / 2, MOVES_A_CELL, MOST_A_CELL);
}

static bool begin(struct cover *c, bool rows)
{
    int32_t least = c->least;
    mw_tick(c->run, (uint64_t)c->board->cells);
    if (rows)
        lay_rows(c);
    else
        lay_dominoes(c);
    number_paths(c);
    /* otherwise nothing moves where all paths must have about the same length */
    c->least = mw_min(least, c->board->cells / c->target / 2);
    cool(c, cooling(c) * c->board->cells);
    c->least = least;
    return cover_settle(c, COVER_PATIENCE * c->board->cells);
}

bool cover_make(struct cover *c, bool strict, bool rows)
{
    char *mark = mw_mark(c->run);
    struct cover best = cover_like(c);
    int32_t rounds = cover_has_few(c) ? mw_max(ROUNDS / TRIES, cooling(c)) : ROUNDS;
    int64_t least = INT64_MAX;
    c->strict = strict;
    for (int32_t left = ROUNDS; left > 0 && least && begin(c, rows); left -= rounds)
        least = season(c, rounds, least, &best);
    if (least < INT64_MAX)
        cover_copy(c, &best);
    assert(least == INT64_MAX || is_met(c));
    mw_rewind(c->run, mark);
    return least < INT64_MAX;
}

void cover_stir_where(struct cover *c, const uint8_t *other, int32_t moves)
{
    char *mark = mw_mark(c->run);
    int32_t *cells = MW_NEW(c->run, int32_t, c->board->cells), count = 0;
    for (bool all = false; !count; all = true)
        for (int32_t cell = 0; cell < c->board->cells; cell++)
            if (all || c->links[cell] != other[cell])
                cells[count++] = cell;
    for (int32_t i = 0; i < moves; i++)
        move(c, c->owner[cells[mw_below(&c->rng, (uint32_t)count)]], c->target, most_paths(c));
    mw_rewind(c->run, mark);
}

static void allocate(struct cover *c)
{
    c->links = MW_NEW(c->run, uint8_t, c->board->cells);
    c->owner = MW_NEW(c->run, int32_t, c->board->cells);
    c->length = MW_NEW(c->run, int32_t, c->room);
    c->ends = mw_alloc(c->run, (size_t)c->room, sizeof *c->ends);
}

struct cover cover_new(struct mw_run *run, const struct board *b, int32_t target, int32_t least)
{
    assert(target > 0 && target <= MAX_PATHS && least >= 2);
    struct cover c = {.run = run,
                      .rng = mw_stream(run, "cover"),
                      .board = b,
                      .target = target,
                      .least = least,
                      .room = b->cells / 2 + MAX_PATHS, /* it begins with paths of two cells */
                      .taste.variety = 2};
    c.taste.luck = (int32_t)mw_below(&c.rng, MIDGETS_IN);
    allocate(&c);
    return c;
}

void cover_copy(struct cover *to, const struct cover *from)
{
    size_t cells = (size_t)from->board->cells, paths = (size_t)from->paths;
    assert(to->board->cells == from->board->cells && from->paths <= to->room);
    memcpy(to->links, from->links, cells * sizeof *to->links);
    memcpy(to->owner, from->owner, cells * sizeof *to->owner);
    memcpy(to->length, from->length, paths * sizeof *to->length);
    memcpy(to->ends, from->ends, paths * sizeof *to->ends);
    to->paths = from->paths;
}

struct cover cover_like(const struct cover *c)
{
    struct cover copy = *c;
    allocate(&copy);
    return copy;
}

struct board cover_board(struct mw_run *run, const struct cover *c)
{
    struct board b = board_new(run, c->board->width, c->board->height);
    assert(c->paths <= MAX_PATHS);
    for (int32_t cell = 0; cell < b.cells; cell++) {
        const int32_t *ends = c->ends[c->owner[cell]];
        int32_t other = ends[ends[0] == cell];
        if ((ends[0] == cell || ends[1] == cell) && cell < other)
            board_path(&b, PATH_LETTERS[b.paths], cell, other);
    }
    return b;
}
