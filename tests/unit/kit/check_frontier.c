/*
 * check_frontier.c: counting by a frontier, on the tilings of squares by dominoes, whose numbers
 * are known (Kasteleyn 1961; OEIS A004003).
 */
#include "kit/frontier.h"
#include "unit/unit.h"

static _Alignas(64) char block[(size_t)1 << 28]; /* untouched pages cost nothing */

/* A key: bit x of its last word is set where the next cell in column x is covered already. The
   other words stay 0. */
struct tiling {
    struct frontier frontier;
    int side, cell;
};

static void enter(struct frontier *f, uint64_t covered, const uint64_t *ways, int words, int limbs)
{
    uint64_t key[FRONTIER_WORDS] = {0};
    key[words - 1] = covered;
    frontier_enter(f, (unsigned)covered & 7, key, ways, words, limbs);
}

static void extend(struct frontier *f, const uint64_t *states, uint32_t count, int words, int limbs)
{
    const struct tiling *t = (const struct tiling *)f;
    int x = t->cell % t->side;
    uint64_t here = UINT64_C(1) << x;
    for (; count; count--, states += words + limbs) {
        uint64_t covered = states[words - 1];
        const uint64_t *ways = states + words;
        if (covered & here) {
            enter(f, covered ^ here, ways, words, limbs);
            continue;
        }
        if (t->cell + t->side < t->side * t->side)
            enter(f, covered | here, ways, words, limbs);
        if (x + 1 < t->side && !(covered & here << 1))
            enter(f, covered | here << 1, ways, words, limbs);
    }
}

static void pass(struct tiling *t, int cells)
{
    struct frontier *f = &t->frontier;
    for (; cells-- && !f->exhausted; t->cell++) {
        frontier_begin_layer(f);
        frontier_extend(f, extend, 1, f->words, f->limbs);
    }
}

static struct tiling tile(int side, int words, int limbs, uint64_t steps)
{
    struct tiling t = {.side = side};
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    frontier_init(&t.frontier, mw_open(&limits), words, limbs, steps);
    pass(&t, side * side);
    return t;
}

/* The ways of the one state there is. */
static void check_tilings(struct tiling *t, const char *tilings)
{
    struct frontier *f = &t->frontier;
    ck_assert(!f->exhausted && f->after.count == 1);
    uint64_t *ways = state_at(&f->after, 0, f->words + f->limbs) + f->words;
    ck_assert_str_eq(frontier_digits(f->run, ways, f->limbs), tilings);
}

static const struct {
    int side, words, limbs;
    const char *tilings;
} squares[] = {
    {2, 1, 1, "2"},
    {4, 2, 3, "36"},
    {12, 3, 1, "53060477521960000"},
    {14, 1, 2, "112202208776036178000000"},
    {16, 2, 2, "2444888770250892795802079170816"},
};

TEST(tilings_are_as_many_as_is_known, .end = COUNT(squares))
{
    int side = squares[_i].side;
    struct tiling t = tile(side, squares[_i].words, squares[_i].limbs, UINT64_MAX);
    check_tilings(&t, squares[_i].tilings);
    ck_assert_int_eq(tile(5, 1, 1, UINT64_MAX).frontier.after.count, 0); /* an odd square */
}

/* Of 14 x 14 cells there are more than 2^64. */
TEST(it_gives_up_where_a_number_is_too_large)
{
    struct tiling t = tile(14, 1, 1, UINT64_MAX);
    ck_assert(t.frontier.exhausted && t.frontier.overflowed);
}

TEST(it_gives_up_at_the_limit_of_steps)
{
    struct tiling t = tile(14, 1, 2, 1000);
    ck_assert(t.frontier.exhausted && !t.frontier.overflowed && t.cell < 14 * 14);
    ck_assert(mw_steps(t.frontier.run) >= 1000 && mw_steps(t.frontier.run) < 3000);
}
