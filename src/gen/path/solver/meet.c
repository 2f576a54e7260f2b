/*
 * meet.c: the halves of a board are put together.
 *
 * The line between two rows cuts every solution into an upper and a lower half, and each half
 * belongs to one state of its frontier. So the number of solutions is the sum, over all pairs of
 * states that fit, of the ways to one times the ways to the other.
 *
 * Two states fit when they have something at the same columns, and what is joined there makes
 * nothing but paths of one colour. At each column, from the left, the targets of its two pieces
 * become one. A target is an end, whose colour both must have; or another column, of either half,
 * where the path is to go on; if it is the column itself, there is a ring. (A frontier gives a
 * piece that is led onto an end beyond the line that end's colour, and its mate too: then the path
 * is cut in two there, and each part begins and ends in that colour.)
 *
 * The states of both halves are sorted by their codes at the columns, from the left: two trees of
 * prefixes, which are walked together, only while the prefixes fit. COST: sorting, and a look at
 * each pair of prefixes that fit: for halves of 100,000 states some 5 million.
 */
#include "meet.h"

#include "kit/plane.h"

enum { STEPS_A_LOOK = 2 };

static const uint8_t *codes_of(const struct half *half, uint32_t i)
{
    return half->codes + (size_t)i * (size_t)half->width;
}

/* ---- all pairs ------------------------------------------------------------------------------- */

/* The states of a half in the order of their codes: a tree whose nodes are ranges with a common
   prefix. */
struct tree {
    const struct half *half;
    const uint64_t **ways;
    uint8_t *codes;
    uint32_t *ends; /* for each state and column: where the range with this prefix ends */
};

/* Stable, by one column. */
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
    uint32_t width = (uint32_t)tree->half->width;
    for (uint32_t i = tree->half->count; i-- > 0;) {
        uint32_t *ends = tree->ends + (size_t)i * width;
        const uint8_t *codes = tree->codes + (size_t)i * width;
        bool same = i + 1 < tree->half->count;
        for (uint32_t x = 0; x < width; x++) {
            same = same && codes[x] == codes[x + width];
            ends[x] = same ? ends[x + width] : i + 1;
        }
    }
}

static struct tree tree_of(struct mw_run *run, const struct half *half)
{
    size_t width = (size_t)half->width, cells = half->count * width;
    uint32_t *from = MW_NEW(run, uint32_t, half->count + 1);
    uint32_t *to = MW_NEW(run, uint32_t, half->count + 1);
    struct tree tree = {half, MW_NEW(run, const uint64_t *, half->count + 1),
                        MW_NEW(run, uint8_t, cells + 1), MW_NEW(run, uint32_t, cells + 1)};
    mw_tick(run, cells);
    for (uint32_t i = 0; i < half->count; i++)
        from[i] = i;
    for (int x = half->width; x-- > 0;) {
        sort_by(half, x, from, to);
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
    for (uint32_t i = 0; i < half->count; i++) {
        memcpy(tree.codes + i * width, codes_of(half, from[i]), width);
        tree.ways[i] = half->ways[from[i]];
    }
    find_ends(&tree);
    return tree;
}

/* Adds a product of two numbers; the sum has room. */
static void add_product(uint64_t *sum, const uint64_t *a, int a_limbs, const uint64_t *b,
                        int b_limbs)
{
    for (int i = 0; i < a_limbs; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b_limbs || carry; j++) {
            assert(i + j < 2 * FRONTIER_LIMBS);
            struct wide part = wide_product(a[i], j < b_limbs ? b[j] : 0);
            part = wide_sum(part, wide_sum((struct wide){0, carry}, (struct wide){0, sum[i + j]}));
            sum[i + j] = part.low;
            carry = part.high;
        }
    }
}

/* The target of a piece: an end, by its colour's code; or a later column, of one half. */
enum { LOWER = MAX_SIDE };

struct meeting {
    const struct frontier *frontier;
    struct tree upper, lower;
    uint8_t leads[256]; /* target of a column of one half */
    uint64_t *sum;
};

/* Part of a tree. */
struct node {
    uint32_t from, to;
};

/* The part of a node that begins with `from` and is alike at column x. */
static struct node child(const struct tree *tree, uint32_t from, int x)
{
    return (struct node){from, tree->ends[(size_t)from * (size_t)tree->half->width + (size_t)x]};
}

static unsigned code_at(const struct tree *tree, uint32_t i, int x)
{
    return tree->codes[(size_t)i * (size_t)tree->half->width + (size_t)x];
}

/* The target of a half's piece at column x. */
static unsigned lead(const struct meeting *m, unsigned code, int x, unsigned half)
{
    if (code >= MEET_COLOUR)
        return code;
    return (int)code - MEET_MATE > x ? half + code - MEET_MATE : m->leads[half + (unsigned)x];
}

static bool add_pairs(struct meeting *, struct node upper, struct node lower, int x);

/* Joins two pieces at column x, and goes on with the other columns. False: given up. */
static bool add_joined(struct meeting *m, struct node upper, struct node lower, int x)
{
    unsigned codes[2] = {code_at(&m->upper, upper.from, x), code_at(&m->lower, lower.from, x)};
    if (!codes[0] && !codes[1])
        return add_pairs(m, upper, lower, x + 1);
    if (!codes[0] || !codes[1])
        return true;
    assert(x < MAX_SIDE);
    unsigned a = lead(m, codes[0], x, 0), b = lead(m, codes[1], x, LOWER);
    if (a >= MEET_COLOUR && b >= MEET_COLOUR)
        return a != b || add_pairs(m, upper, lower, x + 1);
    if (a == LOWER + (unsigned)x) /* a ring */
        return true;
    uint8_t kept[2] = {m->leads[a], m->leads[b]};
    m->leads[a] = (uint8_t)b;
    m->leads[b] = (uint8_t)a;
    bool good = add_pairs(m, upper, lower, x + 1);
    m->leads[a] = kept[0];
    m->leads[b] = kept[1];
    return good;
}

/* Adds all pairs of two nodes, which fit before column x. False: given up. */
static bool add_pairs(struct meeting *m, struct node upper, struct node lower, int x)
{
    if (x == m->upper.half->width) {
        add_product(m->sum, m->upper.ways[upper.from], m->upper.half->limbs,
                    m->lower.ways[lower.from], m->lower.half->limbs);
        return true;
    }
    for (struct node u = {0, upper.from}; u.to < upper.to;) {
        u = child(&m->upper, u.to, x);
        for (struct node l = {0, lower.from}; l.to < lower.to;) {
            l = child(&m->lower, l.to, x);
            mw_tick(m->frontier->run, STEPS_A_LOOK);
            if (!add_joined(m, u, l, x))
                return false;
        }
    }
    return !frontier_is_exhausted(m->frontier);
}

const char *meet(const struct frontier *f, const struct half *upper, const struct half *lower)
{
    struct meeting m = {.frontier = f,
                        .upper = tree_of(f->run, upper),
                        .lower = tree_of(f->run, lower),
                        .sum = MW_NEW0(f->run, uint64_t, 2 * FRONTIER_LIMBS)};
    if (!add_pairs(&m, (struct node){0, upper->count}, (struct node){0, lower->count}, 0))
        return NULL;
    return frontier_digits(f->run, m.sum, FRONTIER_LIMBS);
}
