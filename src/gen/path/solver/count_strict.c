/*
 * count_strict.c: how many solutions a board has under the strict rule, without listing them.
 *
 * As in count.c a frontier passes through the board, and partial solutions that the rest of the
 * board cannot tell apart are one state. Strict needs to know more: neighbours without a link
 * must not be of one path, and whether they are may be settled much later. So a state holds
 *
 *      for each cell along the frontier  the piece of path that it belongs to, or 0: a wall, or a
 *                                        path that is complete, which nothing joins any more;
 *                                        and whether the piece leaves it across the frontier
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
 *
 * It is not enough to list solutions. There are few as a rule, but two paths can wind around two
 * walls in two ways (below), and boards of 31 such rooms have 2^31 solutions.
 *
 *      b b b A        a a a A
 *      b # B a        a # B b
 *      b # A a        a # A b
 *      b b b B        a a a B
 */
#include "solver.h"

#include "frontier.h"

enum { STEPS_A_STATE = 32 };
enum {
    FREE = MAX_PATHS + 1,
    MAX_FREE = MAX_SIDE / 2 + 2
}; /* labels: 0, of paths, of free pieces */
enum { LABEL_BITS = 7, PER_WORD = 64 / LABEL_BITS, LABEL_WORDS = MAX_SIDE / PER_WORD + 1 };
enum { MAX_WORDS = LABEL_WORDS + 1 + 2 * MAX_FREE };
_Static_assert(FREE + MAX_FREE <= 1 << LABEL_BITS, "a label has room in a key");
_Static_assert((int)MAX_WORDS <= (int)MAX_KEY, "a state has room in a key");

/* A state, unpacked. */
struct profile {
    uint8_t label[MAX_SIDE]; /* of the last cell in each column */
    bool right;              /* its piece leaves the last cell to the right */
    uint64_t down;           /* bit x: it leaves the cell in column x downward */
    struct touch {
        uint64_t paths, pieces; /* bit 0: the first path; the first free piece */
    } touch[MAX_FREE];          /* of each free piece */
};

struct strict_count {
    struct frontier frontier;
    bool *may_bend;         /* whether a path can lead from the cell to the right and down */
    int label_words, frees; /* of a key; free pieces in it */

    struct site at;
    const uint64_t *ways;
};

/* ---- keys ------------------------------------------------------------------------------------ */

static void unpack(const struct strict_count *c, const uint64_t *key, struct profile *profile)
{
    for (int x = 0; x < c->frontier.board.width; x++)
        profile->label[x] = (uint8_t)(key[x / PER_WORD] >> x % PER_WORD * LABEL_BITS & 127);
    profile->right = key[c->label_words - 1] >> 63;
    profile->down = key[c->label_words];
    memcpy(profile->touch, key + c->label_words + 1, (size_t)c->frees * sizeof *profile->touch);
    memset(profile->touch + c->frees, 0, (size_t)(MAX_FREE - c->frees) * sizeof *profile->touch);
}

/* Gives the free pieces their numbers from left to right: from[new] = old, to[old] = new; how many
   there are. */
static int number_pieces(const struct strict_count *c, const struct profile *profile, uint8_t *from,
                         uint8_t *to)
{
    int count = 0;
    uint64_t seen = 0;
    for (int x = 0; x < c->frontier.board.width; x++) {
        int old = profile->label[x] - FREE;
        if (old < 0 || seen >> old & 1)
            continue;
        assert(old < MAX_FREE && count < MAX_FREE);
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

static void pack(const struct strict_count *c, const struct profile *profile, uint64_t *key)
{
    uint8_t from[MAX_FREE], to[MAX_FREE];
    int count = number_pieces(c, profile, from, to);
    assert(count <= c->frees); /* each has two ends on the frontier */
    memset(key, 0, (size_t)c->frontier.words * sizeof *key);
    for (int x = 0; x < c->frontier.board.width; x++) {
        unsigned label = profile->label[x];
        if (label >= FREE)
            label = (unsigned)FREE + to[label - FREE];
        key[x / PER_WORD] |= (uint64_t)label << x % PER_WORD * LABEL_BITS;
    }
    key[c->label_words - 1] |= (uint64_t)profile->right << 63;
    key += c->label_words;
    *key++ = profile->down;
    for (int i = 0; i < count; i++) {
        *key++ = profile->touch[from[i]].paths;
        *key++ = renumber(profile->touch[from[i]].pieces, from, count);
    }
}

static void emit(struct strict_count *c, const struct profile *profile)
{
    struct frontier *f = &c->frontier;
    uint64_t key[MAX_WORDS];
    pack(c, profile, key);
    frontier_enter(f, 0, key, c->ways, f->words, f->limbs);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static uint64_t bit(int label) { return (uint64_t)1 << (label < FREE ? label - 1 : label - FREE); }

static void note_touch(struct profile *profile, int piece, int other)
{
    if (piece >= FREE && other >= FREE)
        profile->touch[piece - FREE].pieces |= bit(other);
    else if (piece >= FREE)
        profile->touch[piece - FREE].paths |= bit(other);
}

/* Two cells lie side by side without a link: false where they are of one piece or path. */
static bool touch(struct profile *profile, int a, int b)
{
    if (!a || !b)
        return true;
    note_touch(profile, a, b);
    note_touch(profile, b, a);
    return a != b;
}

static void relabel(const struct strict_count *c, struct profile *profile, int from, int to)
{
    for (int x = 0; x < c->frontier.board.width; x++)
        if (profile->label[x] == from)
            profile->label[x] = (uint8_t)to;
}

/* The free piece becomes one with another; false where they touch. */
static bool merge(const struct strict_count *c, struct profile *profile, int piece, int other)
{
    struct touch gone = profile->touch[piece - FREE];
    assert(piece >= FREE && piece != other && other > 0);
    if ((other < FREE ? gone.paths : gone.pieces) & bit(other))
        return false;
    for (int i = 0; i < MAX_FREE; i++) {
        if (gone.pieces >> i & 1)
            note_touch(profile, FREE + i, other);
        profile->touch[i].pieces &= ~bit(piece);
    }
    if (other >= FREE) {
        profile->touch[other - FREE].paths |= gone.paths;
        profile->touch[other - FREE].pieces |= gone.pieces;
    }
    profile->touch[piece - FREE] = (struct touch){0, 0};
    relabel(c, profile, piece, other);
    return true;
}

/* Nothing will be joined with this path any more. */
static void complete(const struct strict_count *c, struct profile *profile, int path)
{
    relabel(c, profile, path, 0);
    for (int i = 0; i < MAX_FREE; i++)
        profile->touch[i].paths &= ~bit(path);
}

/* ---- one state, one cell --------------------------------------------------------------------- */

static bool fits(int label, int target)
{
    return target < 0 || label >= FREE || label == target + 1;
}

/* The cell's piece goes on downward or to the right. */
static void extend(struct strict_count *c, struct profile *profile)
{
    int label = profile->label[c->at.x];
    if (c->at.right && fits(label, c->at.beside)) {
        profile->right = true;
        emit(c, profile);
        profile->right = false;
    }
    if (c->at.down && fits(label, c->at.below)) {
        profile->down |= (uint64_t)1 << c->at.x;
        emit(c, profile);
    }
}

static void pass_end(struct strict_count *c, struct profile *profile, bool in_left, bool in_up)
{
    const int own = c->at.path + 1, x = c->at.x;
    int in = in_left ? profile->label[x - 1] : in_up ? profile->label[x] : 0;
    if ((in_left && in_up) || (in && in < FREE && in != own))
        return;
    if (in >= FREE && !merge(c, profile, in, own))
        return;
    if (!in_left && x && !touch(profile, own, profile->label[x - 1]))
        return;
    if (!in_up && !touch(profile, own, profile->label[x]))
        return;
    profile->label[x] = (uint8_t)own;
    if (in == own)
        complete(c, profile, own);
    if (in)
        emit(c, profile);
    else
        extend(c, profile);
}

/* Two pieces become one: a free one and any other, or the two of a path. */
static void pass_join(struct strict_count *c, struct profile *profile, int left, int up)
{
    if (left == up ? left >= FREE : left < FREE && up < FREE)
        return;
    int kept = left < FREE ? left : up, gone = left < FREE ? up : left;
    if (left != up && !merge(c, profile, gone, kept))
        return;
    profile->label[c->at.x] = (uint8_t)kept;
    if (left == up)
        complete(c, profile, kept);
    emit(c, profile);
}

static void pass_straight(struct strict_count *c, struct profile *profile, int in, int by)
{
    if (!touch(profile, in, by))
        return;
    profile->label[c->at.x] = (uint8_t)in;
    extend(c, profile);
}

/* A new piece begins here, and leaves both ways. */
static void pass_bend(struct strict_count *c, struct profile *profile, int left, int up)
{
    const int fresh = FREE + MAX_FREE - 1; /* which no key uses */
    if (!c->may_bend[c->at.cell])
        return;
    profile->touch[MAX_FREE - 1] = (struct touch){0, 0};
    touch(profile, fresh, left);
    touch(profile, fresh, up);
    profile->label[c->at.x] = (uint8_t)fresh;
    profile->down |= (uint64_t)1 << c->at.x;
    profile->right = true;
    emit(c, profile);
}

static void pass_state(struct frontier *f, const uint64_t *key, const uint64_t *ways)
{
    struct strict_count *c = (struct strict_count *)f;
    struct profile profile;
    unpack(c, key, &profile);
    c->ways = ways;
    const int x = c->at.x;
    int left = x ? profile.label[x - 1] : 0, up = profile.label[x];
    bool in_left = profile.right, in_up = profile.down >> x & 1;
    assert(!(in_left && !left) && !(in_up && !up) && !(c->at.path == WALL && (in_left || in_up)));
    profile.right = false;
    profile.down &= ~((uint64_t)1 << x);
    if (c->at.path == WALL) {
        profile.label[x] = 0;
        emit(c, &profile);
    } else if (c->at.path >= 0) {
        pass_end(c, &profile, in_left, in_up);
    } else if (in_left && in_up) {
        pass_join(c, &profile, left, up);
    } else if (in_left || in_up) {
        pass_straight(c, &profile, in_left ? left : up, in_left ? up : left);
    } else {
        pass_bend(c, &profile, left, up);
    }
}

/* ---- all states, all cells ------------------------------------------------------------------- */

static void pass_states(struct frontier *f, const uint64_t *states, uint32_t count, int words,
                        int limbs)
{
    for (; count; count--, states += words + limbs)
        pass_state(f, states, states + words);
}

static void pass_cell(struct frontier *f, const struct site *at)
{
    ((struct strict_count *)f)->at = *at;
    frontier_extend(f, pass_states, STEPS_A_STATE, f->words, f->limbs);
}

/* A cell may bend when the one inside the bend is an end or a wall, or may bend too. */
static void find_bends(struct strict_count *c)
{
    const struct board *b = &c->frontier.board;
    for (int32_t cell = b->cells; cell-- > 0;) {
        bool both = b->next[cell][RIGHT] >= 0 && b->next[cell][DOWN] >= 0;
        int32_t inside = cell + b->width + 1;
        c->may_bend[cell] = both && (b->path[inside] != OPEN || c->may_bend[inside]);
    }
}

const char *path_count_strict(struct mw_run *run, const struct board *b, uint64_t steps)
{
    const struct board upright = board_upright(run, b);
    const int width = upright.width;
    struct strict_count *c = MW_NEW0(run, struct strict_count, 1);
    assert(width <= MAX_SIDE && b->paths <= MAX_PATHS);
    c->may_bend = MW_NEW(run, bool, b->cells);
    c->label_words = width / PER_WORD + 1;
    c->frees = (width + 1) / 2;
    frontier_init(&c->frontier, run, &upright, c->label_words + 1 + 2 * c->frees, steps);
    find_bends(c);
    return frontier_count(&c->frontier, pass_cell);
}
