/*
 * check_regions_moves.c: cells that change hands: single moves, sweeps, chains of moves and cuts in
 * two, on boards as they are drawn: rows of letters, a country each, and points for water.
 */
#include "gen/regions/regions.h"
#include "unit/unit.h"

struct picture {
    struct mw_lattice lattice;
    struct balance balance;
    struct label_grid grid;
};

static int32_t picture_place(const struct picture *p, int32_t x, int32_t y)
{
    return regions_at(&p->grid, x, y) * 2 + (y & 1);
}

/* Labels are the numbers of letters; sizes and limits are as drawn; searches may go far. */
static void picture_draw(struct mw_run *run, struct picture *p, const char *rows,
                         enum mw_tiling tiling, enum mw_wrap wrap)
{
    int32_t width = (int32_t)strcspn(rows, "/"), land = 0, countries = 0;
    p->lattice =
        (struct mw_lattice){width, ((int32_t)strlen(rows) + 1) / (width + 1), tiling, wrap};
    char *mask = MW_NEW(run, char, strlen(rows) + 1);
    for (size_t i = 0; i <= strlen(rows); i++) {
        bool is_land = rows[i] && rows[i] != '.' && rows[i] != '/';
        mask[i] = rows[i];
        if (!is_land)
            continue;
        mask[i] = '#';
        land++;
        countries = rows[i] - 'A' + 1 > countries ? rows[i] - 'A' + 1 : countries;
    }
    regions_new_balance(run, &p->balance, countries);
    regions_new_grid(run, &p->grid, &p->lattice, &p->balance);
    struct label_grid *g = &p->grid;
    const struct mw_rows as_mask = {.at = mask, .width = width, .count = p->lattice.height};
    regions_set_land(&p->grid, &as_mask, land);
    for (int32_t y = 0; y < p->lattice.height; y++)
        for (int32_t x = 0; x < width; x++) {
            char c = rows[y * (width + 1) + x];
            if (c == '.')
                continue;
            regions_assign(g, picture_place(p, x, y), (uint16_t)(c - 'A' + 1));
            p->balance.size[c - 'A' + 1]++;
        }
    memcpy(p->balance.low, p->balance.size, ((size_t)countries + 1) * sizeof(int32_t));
    memcpy(p->balance.high, p->balance.size, ((size_t)countries + 1) * sizeof(int32_t));
    regions_weigh(&p->balance, 65536);
    regions_find_boundary(&p->grid);
    g->stamp = MW_NEW0(run, int32_t, g->indices);
    g->queue = MW_NEW(run, int32_t, g->land + 8);
    g->reach = 4096;
}

/* ---- single moves ---------------------------------------------------------------------------- */

/* What giving the cell in the middle of 3 x 3 to country B is worth. */
static const struct {
    const char *rows;
    enum mw_tiling tiling;
    int gain;
} moves[] = {
    {"AAB/AAB/AAB", MW_SQUARE, -2},
    {"AAB/AAB/ABB", MW_SQUARE, 0},
    {"ABB/AAB/BBB", MW_SQUARE, 2},
    {"BBB/BAB/BBB", MW_SQUARE, REGIONS_NEVER}, /* its only cell */
    {"CAB/CAB/CAB", MW_SQUARE, REGIONS_NEVER}, /* what holds A together */
    {"AAA/AAA/AAA", MW_SQUARE, REGIONS_NEVER}, /* B is not there */
    {"AAA/BAB/AAA", MW_SQUARE, REGIONS_NEVER}, /* B would part A's ends */
    {".A./BA./...", MW_SQUARE, 0},
    {"AAB/AAB/AAB", MW_HEX, 0},
    {"ABB/AAB/ABB", MW_HEX, 4},
    {"BAB/BAB/BAB", MW_HEX, REGIONS_NEVER},
};

TEST(gain_counts_sides_and_refuses_what_might_tear, .end = COUNT(moves))
{
    struct mw_run *run = unit_open();
    struct picture p;
    picture_draw(run, &p, moves[_i].rows, moves[_i].tiling, MW_WRAP_NONE);
    struct label_grid *g = &p.grid;
    g->reach = 0;
    ck_assert_int_eq(regions_gain(g, picture_place(&p, 1, 1), 2, -9), moves[_i].gain);
    if (moves[_i].gain == REGIONS_NEVER)
        return;
    ck_assert_int_eq(regions_gain(g, picture_place(&p, 1, 1), 2, moves[_i].gain + 1),
                     REGIONS_NEVER);
    regions_move(g, picture_place(&p, 1, 1), 2);
    ck_assert(regions_is_sound(g));
}

/* Round a lake a country meets a cell twice: only a search sees that it holds together. */
TEST(a_search_sees_round_lakes)
{
    struct mw_run *run = unit_open();
    struct picture p;
    picture_draw(run, &p, "AAA/A.A/BAA", MW_SQUARE, MW_WRAP_NONE);
    struct label_grid *g = &p.grid;
    int32_t place = picture_place(&p, 1, 2);
    ck_assert(!regions_is_cut_vertex(g, place));
    p.grid.rings = true;
    ck_assert_int_eq(regions_gain(g, place, 2, -9), 0);
    p.grid.rings = false;
    ck_assert_int_eq(regions_gain(g, picture_place(&p, 0, 1), 2, -9), 0);
    ck_assert(regions_is_cut_vertex(g, picture_place(&p, 0, 1)) == false);
}

/* Sizes and boundary of a map in patches, counted again; then a sweep, which keeps all whole. */
TEST(a_sweep_keeps_countries_whole, .end = 6)
{
    enum { SIDE = 24, COUNT_OF = SIDE * SIDE };
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng((uint64_t)_i);
    char rows[SIDE * (SIDE + 1) + 1];
    for (int i = 0; i < SIDE * (SIDE + 1); i++) {
        int x = i % (SIDE + 1), y = i / (SIDE + 1);
        rows[i] = (char)(x == SIDE ? '/' : 'A' + x / 8 + y / 8 * 3);
    }
    rows[SIDE * (SIDE + 1) - 1] = '\0';
    struct picture p;
    picture_draw(run, &p, rows, (enum mw_tiling)(_i % 2), (enum mw_wrap)(_i / 2));
    struct label_grid *g = &p.grid;
    regions_sweep(g, &rng, 60000, NULL, 3000);
    ck_assert(regions_is_sound(g));
    int32_t was[10];
    memcpy(was, p.balance.size, sizeof was);
    regions_find_boundary(&p.grid);
    regions_count_sizes(&p.grid);
    ck_assert_mem_eq(was, p.balance.size, sizeof was);
    int32_t facing = 0;
    for (int32_t i = 0; i < g->land; i++) {
        uint16_t faces[REGIONS_FACES], countries = 0;
        for (int n = regions_faces(g, g->place[i], faces); n--;)
            countries |= faces[n];
        facing += countries != 0;
    }
    ck_assert_int_eq(g->boundary_count, facing);
    regions_find_shores(&p.grid, &p.lattice);
    ck_assert_int_ge(g->boundary_count, facing);
}

/* ---- exact sizes ----------------------------------------------------------------------------- */

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
