/*
 * check_frontier.c: counting by a frontier, on the tilings of squares by dominoes, whose numbers
 * are known (Kasteleyn 1961; OEIS A004003).
 */
#include "kit/frontier.h"
#include "unit/unit.h"

static _Alignas(64) char block[(size_t)1 << 28]; /* untouched pages cost nothing */

static struct mw_run *open_run(void)
{
    return mw_open(&(struct mw_limits){.memory = block, .size = sizeof block});
}

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

static struct tiling tiling_begin(struct mw_run *run, int side, int words, uint64_t steps)
{
    struct tiling t = {.side = side};
    frontier_init(&t.frontier, run, words, steps);
    return t;
}

static void tiling_pass(struct tiling *t, int cells)
{
    struct frontier *f = &t->frontier;
    for (; cells-- && !f->exhausted; t->cell++) {
        frontier_begin_layer(f);
        frontier_extend(f, extend, 1, f->words, f->limbs);
    }
}

static uint64_t *only_state(struct tiling *t)
{
    ck_assert_int_eq(t->frontier.after.count, 1);
    return state_at(&t->frontier.after, 0, t->frontier.words + t->frontier.limbs);
}

static const struct {
    int side, words, limbs;
    const char *tilings;
} squares[] = {
    {2, 1, 1, "2"},
    {4, 2, 1, "36"},
    {8, 1, 1, "12988816"},
    {12, 3, 1, "53060477521960000"},
    {14, 1, 2, "112202208776036178000000"},
    {16, 2, 2, "2444888770250892795802079170816"},
};

TEST(tilings_are_as_many_as_is_known, .end = COUNT(squares))
{
    struct mw_run *run = open_run();
    int side = squares[_i].side, words = squares[_i].words;
    struct tiling t = tiling_begin(run, side, words, UINT64_MAX);
    tiling_pass(&t, side * side);
    ck_assert(!t.frontier.exhausted);
    ck_assert_int_eq(t.frontier.limbs, squares[_i].limbs);
    uint64_t *ways = only_state(&t) + words;
    ck_assert_str_eq(frontier_digits(run, ways, t.frontier.limbs), squares[_i].tilings);
}

TEST(an_odd_square_has_no_tiling)
{
    struct tiling t = tiling_begin(open_run(), 5, 1, UINT64_MAX);
    tiling_pass(&t, 25);
    ck_assert_int_eq(t.frontier.after.count, 0);
}

/* Tilings of the first rows stick out in as many columns of one colour of the checkerboard as of
   the other: 12 over 6 ways to do so, each met by many tilings. */
TEST(equal_states_are_merged)
{
    struct tiling t = tiling_begin(open_run(), 12, 1, UINT64_MAX);
    tiling_pass(&t, 12 * 6);
    ck_assert_int_eq(t.frontier.after.count, 924);
    for (uint32_t i = 0; i < t.frontier.after.count; i++)
        for (uint32_t j = 0; j < i; j++)
            ck_assert(*state_at(&t.frontier.after, i, 2) != *state_at(&t.frontier.after, j, 2));
}

TEST(it_gives_up_at_the_limit_of_steps)
{
    struct mw_run *run = open_run();
    struct tiling t = tiling_begin(run, 14, 1, 1000);
    tiling_pass(&t, 14 * 14);
    ck_assert(t.frontier.exhausted && t.cell < 14 * 14);
    ck_assert(mw_steps(run) >= 1000 && mw_steps(run) < 3000);
}

TEST(a_sample_has_some_of_the_states_and_spares_the_original)
{
    struct tiling t = tiling_begin(open_run(), 14, 1, UINT64_MAX);
    tiling_pass(&t, 14 * 4);
    uint32_t count = t.frontier.after.count;
    struct tiling sample = t;
    frontier_sample(&sample.frontier, 4, 8);
    ck_assert_int_eq(sample.frontier.after.count, 32);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert(*state_at(&sample.frontier.after, i, 2) ==
                  *state_at(&t.frontier.after, i / 8 * count / 4 + i % 8, 2));
    tiling_pass(&sample, 14);
    ck_assert_int_eq(t.frontier.after.count, count);
    tiling_pass(&t, 14 * 10);
    ck_assert_str_eq(frontier_digits(t.frontier.run, only_state(&t) + 1, t.frontier.limbs),
                     "112202208776036178000000");
}

TEST(digits_are_those_of_a_long_number)
{
    uint64_t zero[2] = {0, 0}, word[1] = {UINT64_MAX}, more[3] = {0, 0, 1};
    ck_assert_str_eq(frontier_digits(open_run(), zero, 2), "0");
    ck_assert_str_eq(frontier_digits(open_run(), word, 1), "18446744073709551615");
    ck_assert_str_eq(frontier_digits(open_run(), more, 3), /* 2 to the 128th */
                     "340282366920938463463374607431768211456");
    ck_assert(!more[2]);
}
