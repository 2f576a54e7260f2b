/* check_regions_balance.c: sizes evened out and made exact; the last resort. */
#include "picture.h"

/* Boards, and the sizes that countries are to have. */
static const struct {
    const char *rows;
    int32_t sizes[5];
    bool stuck; /* single moves do not help there */
} boards[] = {
    {"AAAAAAB/AAAAAAB/AAAAAAB/AAAAAAB", {14, 14}, false},
    {"AAABBBCCCD/AAABBBCCCD/AAABBBCCCD/AAABBBCCCD", {10, 10, 10, 10}, false},
    {"ABCDE/ABCDE/ABCDE/ABCDE/ABCDE", {1, 6, 6, 6, 6}, false},
    {"AAAAAAAAAAAB", {6, 6}, false}, /* along a corridor */
    {"AAAAAAAABBBB/A......A...B/AAAAAAAABBBB", {18, 9}, false},
    {"ABB/.B./.B./.B.", {3, 3}, true}, /* a cape behind what both share */
    {"AAAAAAB/.A.A.A./.A.A.A./.A.A.A.", {6, 10}, true},
    {"AAAB/A..B/AACB", {1, 2, 7}, true},
};

static void check_sizes(struct picture *p, const int32_t *sizes)
{
    for (int32_t k = 1; k <= p->balance.count; k++)
        ck_assert_int_eq(p->balance.size[k], sizes[k - 1]);
    ck_assert(regions_is_sound(&p->grid));
}

TEST(chains_make_sizes_exact, .end = COUNT(boards))
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct picture p;
    picture_draw(run, &p, boards[_i].rows, MW_SQUARE, MW_WRAP_NONE);
    for (int32_t k = 1; k <= p.balance.count; k++)
        p.balance.low[k] = p.balance.high[k] = boards[_i].sizes[k - 1];
    regions_weigh(&p.balance, 65536);
    bool exact = regions_settle(&p.grid, &rng, 60000, 60);
    ck_assert(exact == !regions_excess(&p.balance));
    if (!boards[_i].stuck) {
        ck_assert(exact);
        check_sizes(&p, boards[_i].sizes);
    }
    ck_assert(regions_is_sound(&p.grid));
}

/* Cuts a grid in two, and again, into countries of those sizes; whether a way was found. */
static bool bisect(struct picture *p, const int32_t *sizes)
{
    struct mw_rng rng = unit_rng(1);
    int32_t count = p->balance.count, order[5] = {1, 2, 3, 4, 5}, low[6] = {0};
    memcpy(low + 1, sizes, (size_t)count * sizeof *low);
    struct land_piece piece = {p->grid.land, 0, count};
    struct country_quota q = {
        .count = count, .piece = &piece, .pieces = 1, .order = order, .low = low};
    q.high = low;
    return regions_bisect(&p->grid, &q, &piece, &rng, p->grid.place[0], 1 << 20);
}

TEST(cuts_in_two_make_sizes_exact, .end = COUNT(boards))
{
    struct mw_run *run = unit_open();
    struct picture p;
    picture_draw(run, &p, boards[_i].rows, MW_SQUARE, MW_WRAP_NONE);
    ck_assert(bisect(&p, boards[_i].sizes));
    check_sizes(&p, boards[_i].sizes);
}

/* Three arms of two cells: pairs leave the middle alone. */
TEST(cuts_in_two_give_up_where_there_is_no_way)
{
    struct mw_run *run = unit_open();
    struct picture p;
    picture_draw(run, &p, "AABCC/..B../..B..", MW_SQUARE, MW_WRAP_NONE);
    ck_assert(!bisect(&p, (const int32_t[]){1, 3, 3}));
    ck_assert(regions_is_sound(&p.grid) && p.balance.size[1] == 2);
}

/* Many countries in a row, all the surplus at one end: flows take it there, but for what is left to
   chains. */
TEST(a_flow_carries_a_surplus_far)
{
    enum { COUNTRIES = 20, WIDE = 3, HIGH = 30, SIDE = COUNTRIES * WIDE, SURPLUS = 40 };
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng(3);
    char rows[HIGH * (SIDE + 1) + 1] = "";
    for (int i = 0; i < HIGH * (SIDE + 1) - 1; i++)
        rows[i] = (char)(i % (SIDE + 1) == SIDE ? '/' : 'A' + i % (SIDE + 1) / WIDE);
    struct picture p;
    picture_draw(run, &p, rows, MW_SQUARE, MW_WRAP_NONE);
    p.balance.low[1] = p.balance.high[1] = WIDE * HIGH - SURPLUS;
    p.balance.low[COUNTRIES] = p.balance.high[COUNTRIES] = WIDE * HIGH + SURPLUS;
    ck_assert_int_eq(regions_excess(&p.balance), 2 * SURPLUS);
    regions_even_out(&p.grid, &rng, 256);
    ck_assert_int_lt(regions_excess(&p.balance), SURPLUS);
    ck_assert(regions_settle(&p.grid, &rng, 60000, 60));
    ck_assert(regions_is_sound(&p.grid));
}
