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
 * The states of each half are a tree of their codes at the columns, from the left. Both trees are
 * walked together, only while the prefixes fit. COST: a look at each code of a state, and at each
 * pair of prefixes that fit: for halves of 100,000 states some 5 million.
 */
#include "meet.h"

#include "kit/plane.h"

enum { STEPS_A_LOOK = 2 };

/* Equal states come where pairs had other names when they went to bins: their ways are added. */
void meet_add(struct frontier *f, struct meet_node *half, const uint8_t *codes, int width,
              uint64_t *ways)
{
    int x = 0;
    mw_tick(f->run, (uint64_t)width);
    for (struct meet_node *child = half->first; child;) {
        bool same = child->code == codes[x];
        half = same ? child : half;
        child = same ? child->first : child->next;
        x += same;
    }
    if (x == width) {
        f->overflowed |= add_ways(half->ways, ways, f->limbs);
        return;
    }
    struct meet_node *fresh = MW_NEW(f->run, struct meet_node, width - x);
    for (; x < width; x++, half = fresh++) {
        *fresh = (struct meet_node){.next = half->first, .code = codes[x]};
        half->first = fresh;
    }
    half->ways = ways;
}

/* ---- all pairs ------------------------------------------------------------------------------- */

/* Adds a product of two numbers; the sum has room. */
static void add_product(uint64_t *sum, const uint64_t *a, const uint64_t *b, int limbs)
{
    for (int i = 0; i < limbs; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < limbs || carry; j++) {
            assert(i + j < 2 * FRONTIER_LIMBS);
            struct wide part = wide_product(a[i], j < limbs ? b[j] : 0);
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
    int width;
    uint8_t leads[256]; /* target of a column of one half */
    uint64_t *sum;
};

/* The target of a half's piece at column x. */
static unsigned lead(const struct meeting *m, unsigned code, int x, unsigned half)
{
    if (code >= MEET_COLOUR)
        return code;
    return (int)code - MEET_MATE > x ? half + code - MEET_MATE : m->leads[half + (unsigned)x];
}

static bool add_pairs(struct meeting *, const struct meet_node *, const struct meet_node *, int x);

/* Joins two pieces at column x, and goes on with the other columns. False: given up. */
static bool add_joined(struct meeting *m, const struct meet_node *upper,
                       const struct meet_node *lower, int x)
{
    if (!upper->code && !lower->code)
        return add_pairs(m, upper, lower, x + 1);
    if (!upper->code || !lower->code)
        return true;
    assert(x < MAX_SIDE);
    unsigned a = lead(m, upper->code, x, 0), b = lead(m, lower->code, x, LOWER);
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

/* Adds all pairs of states below two nodes, which fit before column x. False: given up. */
static bool add_pairs(struct meeting *m, const struct meet_node *upper,
                      const struct meet_node *lower, int x)
{
    if (x == m->width) {
        add_product(m->sum, upper->ways, lower->ways, m->frontier->limbs);
        return true;
    }
    for (const struct meet_node *u = upper->first; u; u = u->next)
        for (const struct meet_node *l = lower->first; l; l = l->next) {
            mw_tick(m->frontier->run, STEPS_A_LOOK);
            if (!add_joined(m, u, l, x))
                return false;
        }
    return !frontier_is_exhausted(m->frontier);
}

const char *meet(const struct frontier *f, int width, const struct meet_node *upper,
                 const struct meet_node *lower)
{
    struct meeting m = {.frontier = f, .width = width};
    m.sum = MW_NEW0(f->run, uint64_t, 2 * FRONTIER_LIMBS);
    if (!add_pairs(&m, upper, lower, 0))
        return NULL;
    return frontier_digits(f->run, m.sum, FRONTIER_LIMBS);
}
