/*
 * count_strict.c: how many solutions a board has under the strict rule, without listing.
 *
 * As in count.c a line runs through the board, and partial solutions that the rest of the
 * board cannot tell apart are one state. Strict needs to know more: neighbours without a link
 * must not be of one path, and whether they are may be settled much later. So a state holds
 *
 *      for each cell along the line      the piece of path that it belongs to, or 0: a wall, or a
 *                                        path that is complete, which nothing joins any more;
 *                                        and whether the piece leaves it across the line
 *      for each two pieces               whether they touch, and so must never become one
 *
 * A piece is a path's (it leads to one of its ends; both pieces of a path have the same name, as
 * they are to be one), or free: then its name is a number, given anew from left to right, so that
 * equal states look equal. Of touches those are kept that can still do harm: between two free
 * pieces, or a free one and a path. When a free piece becomes one with another, what touched it
 * touches the other.
 *
 * A bend makes the cell inside it bend alike, and so on to an end or a wall; where neither lies
 * on that diagonal, no path can bend. This leaves so few states that boards of 20 x 20 are
 * counted in a tenth of a second.
 */
#include "states.h"

enum { STEPS_A_STATE = 32 };
enum {
    MAX_FREE = MAX_SIDE / 2 + 2,
    FREE = MAX_PATHS + 1
}; /* labels: 0, paths from 1, free pieces from FREE */
enum { LABEL_BITS = 7, PER_WORD = 64 / LABEL_BITS, LABEL_WORDS = MAX_SIDE / PER_WORD + 1 };
enum { MAX_WORDS = LABEL_WORDS + 1 + 2 * MAX_FREE };

/* A state, unpacked. */
struct line {
    uint8_t label[MAX_SIDE]; /* of the last cell in each column */
    bool right;              /* its piece leaves the last cell to the right */
    uint64_t down;           /* bit x: it leaves the cell in column x downward */
    struct touch {
        uint64_t paths, pieces; /* bit 0: the first path; the first free piece */
    } touch[MAX_FREE];          /* of each free piece */
};

struct census {
    struct states states;
    struct board board;     /* upright */
    bool *may_bend;         /* whether a path can lead from the cell to the right and down */
    int label_words, frees; /* of a key; free pieces in it */

    int32_t cell;
    int x, path;
    bool can_down, can_right;
    int below, beside; /* what lies there */
    const uint64_t *ways;
};

/* ---- keys ------------------------------------------------------------------------------------ */

static void unpack(const struct census *c, const uint64_t *key, struct line *line)
{
    for (int x = 0; x < c->board.width; x++)
        line->label[x] = (uint8_t)(key[x / PER_WORD] >> x % PER_WORD * LABEL_BITS & 127);
    line->right = key[c->label_words - 1] >> 63;
    line->down = key[c->label_words];
    memcpy(line->touch, key + c->label_words + 1, (size_t)c->frees * sizeof *line->touch);
    memset(line->touch + c->frees, 0, (size_t)(MAX_FREE - c->frees) * sizeof *line->touch);
}

/* Gives the free pieces their numbers from left to right: from[new] = old, to[old] = new; how many
 * there are. */
static int number_pieces(const struct census *c, const struct line *line, uint8_t *from,
                         uint8_t *to)
{
    int count = 0;
    uint64_t seen = 0;
    for (int x = 0; x < c->board.width; x++) {
        int old = line->label[x] - FREE;
        if (old < 0 || seen >> old & 1)
            continue;
        seen |= (uint64_t)1 << old;
        from[count] = (uint8_t)old;
        to[old] = (uint8_t)count++;
    }
    return count;
}

static uint64_t renumber(uint64_t pieces, const uint8_t *from, int count)
{
    uint64_t fresh = 0;
    for (int i = 0; pieces && i < count; i++)
        fresh |= (pieces >> from[i] & 1) << i;
    return fresh;
}

static void pack(const struct census *c, const struct line *line, uint64_t *key)
{
    uint8_t from[MAX_FREE], to[MAX_FREE];
    int count = number_pieces(c, line, from, to);
    memset(key, 0, (size_t)c->states.words * sizeof *key);
    for (int x = 0; x < c->board.width; x++) {
        unsigned label = line->label[x];
        if (label >= FREE)
            label = (unsigned)FREE + to[label - FREE];
        key[x / PER_WORD] |= (uint64_t)label << x % PER_WORD * LABEL_BITS;
    }
    key[c->label_words - 1] |= (uint64_t)line->right << 63;
    key += c->label_words;
    *key++ = line->down;
    for (int i = 0; i < count; i++) {
        *key++ = line->touch[from[i]].paths;
        *key++ = renumber(line->touch[from[i]].pieces, from, count);
    }
}

static void emit(struct census *c, const struct line *line)
{
    uint64_t key[MAX_WORDS];
    pack(c, line, key);
    states_enter(&c->states, key, c->ways, c->states.words, c->states.limbs);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static uint64_t bit(int label) { return (uint64_t)1 << (label < FREE ? label - 1 : label - FREE); }

/* Two cells lie side by side without a link: false where they are of one piece or path. */
static bool touch(struct line *line, int a, int b)
{
    if (!a || !b)
        return true;
    if (a == b)
        return false;
    for (int i = 0; i < 2; i++) {
        struct touch *t = a < FREE ? NULL : &line->touch[a - FREE];
        if (t && b < FREE)
            t->paths |= bit(b);
        else if (t)
            t->pieces |= bit(b);
        int swap = a;
        a = b;
        b = swap;
    }
    return true;
}

static void relabel(const struct census *c, struct line *line, int from, int to)
{
    for (int x = 0; x < c->board.width; x++)
        if (line->label[x] == from)
            line->label[x] = (uint8_t)to;
}

/* The free piece becomes one with another; false where they touch. */
static bool merge(const struct census *c, struct line *line, int piece, int other)
{
    struct touch gone = line->touch[piece - FREE];
    if ((other < FREE ? gone.paths : gone.pieces) & bit(other))
        return false;
    for (int i = 0; i < MAX_FREE; i++) {
        struct touch *t = &line->touch[i];
        if (gone.pieces >> i & 1 && other < FREE)
            t->paths |= bit(other);
        else if (gone.pieces >> i & 1)
            t->pieces |= bit(other);
        t->pieces &= ~bit(piece);
    }
    if (other >= FREE) {
        line->touch[other - FREE].paths |= gone.paths;
        line->touch[other - FREE].pieces |= gone.pieces;
    }
    line->touch[piece - FREE] = (struct touch){0, 0};
    relabel(c, line, piece, other);
    return true;
}

/* Nothing will be joined with this path any more. */
static void complete(const struct census *c, struct line *line, int path)
{
    relabel(c, line, path, 0);
    for (int i = 0; i < MAX_FREE; i++)
        line->touch[i].paths &= ~bit(path);
}

/* ---- one state, one cell --------------------------------------------------------------------- */

static bool fits(int label, int target)
{
    return target < 0 || label >= FREE || label == target + 1;
}

/* The cell's piece goes on downward or to the right. */
static void lead_on(struct census *c, struct line *line)
{
    int label = line->label[c->x];
    if (c->can_right && fits(label, c->beside)) {
        line->right = true;
        emit(c, line);
        line->right = false;
    }
    if (c->can_down && fits(label, c->below)) {
        line->down |= (uint64_t)1 << c->x;
        emit(c, line);
    }
}

/* `in`: the labels of what comes in; `by`: of neighbours without a link. 0 for none. */
static void pass_end(struct census *c, struct line *line, int in, int by)
{
    int own = c->path + 1;
    if (in && in < FREE && in != own)
        return;
    if (in >= FREE && !merge(c, line, in, own))
        return;
    by = by && by == in ? own : by;
    if (!touch(line, own, by))
        return;
    line->label[c->x] = (uint8_t)own;
    if (in == own)
        complete(c, line, own);
    if (in)
        emit(c, line);
    else
        lead_on(c, line);
}

static void pass_join(struct census *c, struct line *line, int left, int up)
{
    if (left == up ? left >= FREE : left < FREE && up < FREE)
        return;
    int kept = left < FREE ? left : up, gone = left < FREE ? up : left;
    if (left != up && !merge(c, line, gone, kept))
        return;
    line->label[c->x] = (uint8_t)kept;
    if (left == up)
        complete(c, line, kept);
    emit(c, line);
}

static void pass_bend(struct census *c, struct line *line, int left, int up)
{
    const int fresh = FREE + MAX_FREE - 1; /* which no key uses */
    if (!c->may_bend[c->cell])
        return;
    line->touch[MAX_FREE - 1] = (struct touch){0, 0};
    touch(line, fresh, left);
    touch(line, fresh, up);
    line->label[c->x] = (uint8_t)fresh;
    line->down |= (uint64_t)1 << c->x;
    line->right = true;
    emit(c, line);
}

static void pass(struct census *c, const uint64_t *key)
{
    struct line line;
    unpack(c, key, &line);
    int left = c->x ? line.label[c->x - 1] : 0, up = line.label[c->x];
    bool in_left = line.right, in_up = line.down >> c->x & 1;
    line.right = false;
    line.down &= ~((uint64_t)1 << c->x);
    if (c->path == WALL) {
        line.label[c->x] = 0;
        emit(c, &line);
    } else if (c->path >= 0 && !(in_left && in_up)) {
        int in = in_left ? left : in_up ? up : 0;
        /* with nothing coming in both are neighbours without a link: the first is looked at here */
        if (in || touch(&line, c->path + 1, left))
            pass_end(c, &line, in, in_left ? up : in_up ? left : up);
    } else if (c->path == OPEN && in_left && in_up) {
        pass_join(c, &line, left, up);
    } else if (c->path == OPEN && (in_left || in_up)) {
        if (!touch(&line, left, up))
            return;
        line.label[c->x] = (uint8_t)(in_left ? left : up);
        lead_on(c, &line);
    } else if (c->path == OPEN) {
        pass_bend(c, &line, left, up);
    }
}

/* ---- all states, all cells ------------------------------------------------------------------- */

static void set_cell(struct census *c, int32_t cell)
{
    const struct board *b = &c->board;
    c->cell = cell;
    c->x = cell % b->width;
    c->path = b->path[cell];
    c->can_right = b->next[cell][RIGHT] >= 0;
    c->can_down = b->next[cell][DOWN] >= 0;
    c->beside = c->can_right ? b->path[b->next[cell][RIGHT]] : OPEN;
    c->below = c->can_down ? b->path[b->next[cell][DOWN]] : OPEN;
}

static void pass_cell(struct census *c, int32_t cell)
{
    struct states *s = &c->states;
    set_cell(c, cell);
    states_turn(s);
    int size = s->words + s->limbs;
    for (uint32_t i = 0; i < s->now.count; i++) {
        const uint64_t *key = state_at(&s->now, i, size);
        mw_tick(s->run, STEPS_A_STATE);
        add_ways(s->sum, key + s->words, s->limbs);
        c->ways = key + s->words;
        pass(c, key);
        if (i % CHUNK == CHUNK - 1 || i + 1 == s->now.count)
            s->spare[s->spares++] = s->now.chunks[i >> CHUNK_BITS];
    }
}

/* A cell may bend when the one inside the bend is an end or a wall, or may bend too. */
static void find_bends(struct census *c)
{
    const struct board *b = &c->board;
    for (int32_t cell = b->cells; cell-- > 0;) {
        bool both = b->next[cell][RIGHT] >= 0 && b->next[cell][DOWN] >= 0;
        int32_t inside = cell + b->width + 1;
        c->may_bend[cell] = both && (b->path[inside] != OPEN || c->may_bend[inside]);
    }
}

const char *path_count_strict(struct mw_run *run, const struct board *b, uint64_t steps)
{
    struct census *c = MW_NEW0(run, struct census, 1);
    c->board = board_upright(run, b);
    c->may_bend = MW_NEW(run, bool, b->cells);
    find_bends(c);
    c->label_words = c->board.width / PER_WORD + 1;
    c->frees = (c->board.width + 1) / 2;
    states_init(&c->states, run, c->label_words + 1 + 2 * c->frees);
    uint64_t nothing[MAX_WORDS] = {0}, one = 1;
    states_enter(&c->states, nothing, &one, c->states.words, 1);
    for (int32_t cell = 0; cell < c->board.cells && c->states.then.count; cell++) {
        if (states_exhausted(&c->states, steps))
            return NULL;
        pass_cell(c, cell);
    }
    return states_total(&c->states);
}
