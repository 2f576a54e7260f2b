/*
 * meet.c: the halves of a board are put together.
 *
 * Every solution is cut by the line between two rows into an upper and a lower half, and each half
 * belongs to one state of its frontier: so the number of solutions is the sum, over all pairs of
 * states that fit, of the ways to one times the ways to the other.
 *
 * Two states fit when they have something at the same columns, and what is joined there makes
 * nothing but paths of one colour: from each piece that leads to an end, across the line, along the
 * piece on the other side, back across, until a piece leads to an end again, which must be of the
 * same path. What no such walk has come by is a ring. (A frontier gives a piece that is led onto an
 * end beyond the line that end's colour, and its mate too: then the walk is cut in two there, and
 * each part begins and ends in that colour.)
 *
 * The states of both halves are sorted by what they have at the columns, from the left: two trees
 * of beginnings, which are walked down together, only where what is there may go together. COST:
 * sorting, and a look at each pair of beginnings that may; few pairs of states are left at the
 * leaves. One of the halves is small where they meet, as the smaller one went on at each row
 * (count.c).
 */
#include "meet.h"

enum { STEPS_A_LOOK = 2 };

struct half half_new(struct mw_run *run, int width, int limbs, uint32_t count)
{
    mw_tick(run, count);
    return (struct half){.width = width,
                         .limbs = limbs,
                         .count = count,
                         .codes = MW_NEW(run, uint8_t, (size_t)count * (size_t)width + 1),
                         .ways = MW_NEW(run, const uint64_t *, count + 1)};
}

static const uint8_t *codes_of(const struct half *half, uint32_t i)
{
    return half->codes + (size_t)i * (size_t)half->width;
}

/* ---- whether two states fit ------------------------------------------------------------------ */

/* Walks from column x, where `codes` leads to an end; takes the columns that it comes by from
   *left. Whether it ends in the same colour. */
static bool walk(const uint8_t *codes, const uint8_t *others, int x, uint64_t *left)
{
    unsigned colour = codes[x];
    for (;;) {
        *left &= ~((uint64_t)1 << x);
        unsigned code = others[x];
        if (code >= MEET_COLOUR)
            return code == colour;
        x = (int)code - MEET_MATE;
        const uint8_t *here = codes;
        codes = others;
        others = here;
    }
}

/* Both have something at the same columns. */
static bool fit(const uint8_t *upper, const uint8_t *lower, int width)
{
    uint64_t left = 0;
    for (int x = 0; x < width; x++)
        left |= (uint64_t)(upper[x] != MEET_NOTHING) << x;
    for (int x = 0; x < width; x++)
        if (left >> x & 1 && upper[x] >= MEET_COLOUR && !walk(upper, lower, x, &left))
            return false;
    for (int x = 0; x < width; x++)
        if (left >> x & 1 && lower[x] >= MEET_COLOUR && !walk(lower, upper, x, &left))
            return false;
    return !left;
}

/* ---- all pairs ------------------------------------------------------------------------------- */

/* The states of a half in the order of their codes: a tree, whose nodes are ranges that begin
   alike. */
struct tree {
    const struct half *half;
    uint32_t *states;
    uint32_t *ends; /* for each and each column, where the range ends that is alike up to there */
};

/* By one column, those with the same code as they were. */
static void sort_by(const struct half *half, int x, const uint32_t *from, uint32_t *to)
{
    uint32_t first[257] = {0};
    for (uint32_t i = 0; i < half->count; i++)
        first[codes_of(half, i)[x] + 1]++;
    for (int code = 0; code < 256; code++)
        first[code + 1] += first[code];
    for (uint32_t i = 0; i < half->count; i++)
        to[first[codes_of(half, from[i])[x]]++] = from[i];
}

static void find_ends(struct tree *tree)
{
    const struct half *half = tree->half;
    uint32_t width = (uint32_t)half->width;
    for (uint32_t i = half->count; i-- > 0;) {
        uint32_t *ends = tree->ends + (size_t)i * width;
        bool same = i + 1 < half->count;
        for (uint32_t x = 0; x < width; x++) {
            same = same &&
                   codes_of(half, tree->states[i])[x] == codes_of(half, tree->states[i + 1])[x];
            ends[x] = same ? ends[x + width] : i + 1;
        }
    }
}

static struct tree tree_of(struct mw_run *run, const struct half *half)
{
    size_t cells = (size_t)half->count * (size_t)half->width;
    uint32_t *from = MW_NEW(run, uint32_t, half->count + 1);
    uint32_t *to = MW_NEW(run, uint32_t, half->count + 1);
    mw_tick(run, cells);
    for (uint32_t i = 0; i < half->count; i++)
        from[i] = i;
    for (int x = half->width; x-- > 0;) {
        sort_by(half, x, from, to);
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
    struct tree tree = {half, from, MW_NEW(run, uint32_t, cells + 1)};
    find_ends(&tree);
    return tree;
}

/* Of a number, half a word each. */
static uint64_t digit(const uint64_t *number, int i)
{
    return number[i / 2] >> i % 2 * 32 & UINT32_MAX;
}

static void set_digit(uint64_t *number, int i, uint64_t value)
{
    int shift = i % 2 * 32;
    number[i / 2] = (number[i / 2] & ~((uint64_t)UINT32_MAX << shift)) | value << shift;
}

/* Adds the product, digit by digit; the sum has room. */
static void add_product(uint64_t *sum, const uint64_t *a, int a_limbs, const uint64_t *b,
                        int b_limbs)
{
    for (int i = 0; i < 2 * a_limbs; i++) {
        uint64_t by = digit(a, i), carry = 0;
        for (int j = 0; by && (j < 2 * b_limbs || carry); j++) {
            uint64_t part = digit(sum, i + j) + carry + (j < 2 * b_limbs ? by * digit(b, j) : 0);
            set_digit(sum, i + j, part & UINT32_MAX);
            carry = part >> 32;
        }
    }
}

struct meeting {
    const struct frontier *frontier;
    struct tree upper, lower;
    uint64_t *sum;
};

struct node {
    uint32_t from, to;
};

static const uint8_t *codes_at(const struct tree *tree, uint32_t i)
{
    return codes_of(tree->half, tree->states[i]);
}

/* The part of a node that begins with `from` and is alike at column x. */
static struct node child(const struct tree *tree, uint32_t from, int x)
{
    return (struct node){from, tree->ends[(size_t)from * (size_t)tree->half->width + (size_t)x]};
}

/* Whether what two states have at a column may go together, whatever there is elsewhere. */
static bool go_together(uint8_t upper, uint8_t lower)
{
    if (upper >= MEET_COLOUR && lower >= MEET_COLOUR)
        return upper == lower;
    return !upper == !lower;
}

static void add_pair(struct meeting *m, uint32_t i, uint32_t k)
{
    const struct half *upper = m->upper.half, *lower = m->lower.half;
    if (fit(codes_at(&m->upper, i), codes_at(&m->lower, k), upper->width))
        add_product(m->sum, upper->ways[m->upper.states[i]], upper->limbs,
                    lower->ways[m->lower.states[k]], lower->limbs);
}

/* All pairs of two nodes, which go together before column x. False: it has given up. */
static bool add_pairs(struct meeting *m, struct node upper, struct node lower, int x)
{
    uint64_t looks = 0;
    if (x == m->upper.half->width) {
        add_pair(m, upper.from, lower.from);
        return true;
    }
    for (struct node u = {0, upper.from}; u.to < upper.to;) {
        u = child(&m->upper, u.to, x);
        for (struct node l = {0, lower.from}; l.to < lower.to; looks++) {
            l = child(&m->lower, l.to, x);
            if (go_together(codes_at(&m->upper, u.from)[x], codes_at(&m->lower, l.from)[x]) &&
                !add_pairs(m, u, l, x + 1))
                return false;
        }
    }
    mw_tick(m->frontier->run, STEPS_A_LOOK * looks);
    return !frontier_is_exhausted(m->frontier);
}

const char *meet(const struct frontier *f, const struct half *upper, const struct half *lower)
{
    struct meeting m = {.frontier = f,
                        .upper = tree_of(f->run, upper),
                        .lower = tree_of(f->run, lower),
                        .sum = MW_NEW0(f->run, uint64_t, 2 * MAX_LIMBS)};
    if (!add_pairs(&m, (struct node){0, upper->count}, (struct node){0, lower->count}, 0))
        return NULL;
    return frontier_digits(f->run, m.sum, MAX_LIMBS);
}
