/*
 * prop_masks.c: the promises of /regions on land with water.
 *
 * Masks are hostile: noise, combs, spirals, mazes, with as many countries as cells now and then.
 * Some such requests have no answer, and on small land brute force tells which: those alone may be
 * refused. Land that was put together of parts must come apart. On larger land the number of
 * refusals is bounded for each kind, so closely that cuts in two cannot be taken away.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#include "check_regions.h"
#include "land.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- brute force ----------------------------------------------------------------------------- */

enum { FEW_CELLS = 18 };

struct puzzle {
    uint32_t beside[FEW_CELLS]; /* by cell: bits of the cells beside it */
    int left[FEW_CELLS + 1];    /* by size: countries still to be placed */
};

static bool can_place_rest(struct puzzle *, uint32_t free);

/* Whether the part can grow by so many cells, none of them barred, and the rest be divided too. */
static bool can_grow(struct puzzle *p, uint32_t free, uint32_t part, uint32_t barred, int more)
{
    if (!more)
        return can_place_rest(p, free & ~part);
    uint32_t edge = 0;
    for (int i = 0; i < FEW_CELLS; i++)
        edge |= part >> i & 1 ? p->beside[i] & free & ~part & ~barred : 0;
    for (; edge; edge &= edge - 1) {
        uint32_t cell = edge & -edge;
        if (can_grow(p, free, part | cell, barred, more - 1))
            return true;
        barred |= cell;
    }
    return false;
}

static bool can_place_rest(struct puzzle *p, uint32_t free)
{
    bool can = !free;
    for (int size = 1; size <= FEW_CELLS && !can; size++) {
        if (!p->left[size])
            continue;
        p->left[size]--;
        can = can_grow(p, free, free & -free, 0, size - 1);
        p->left[size]++;
    }
    return can;
}

static bool can_be_divided(const struct land *l, const int *sizes, int count)
{
    struct puzzle p = {.left = {0}};
    int rank[LAND_CELLS], n = 0;
    for (int i = 0; i < l->width * l->height; i++)
        rank[i] = l->is[i] ? n++ : -1;
    for (int i = 0; i < l->width * l->height; i++)
        for (int s = 0; l->is[i] && s < (l->hex ? 6 : 4); s++) {
            int other = land_beside(l, i, s);
            if (other >= 0 && other != i && l->is[other])
                p.beside[rank[i]] |= UINT32_C(1) << rank[other];
        }
    for (int k = 0; k < count; k++)
        p.left[sizes[k]]++;
    return can_place_rest(&p, (UINT32_C(1) << n) - 1);
}

/* ---- any land -------------------------------------------------------------------------------- */

/* How many of a thousand requests may be refused, for even sizes and for sizes that are given: some
   cannot be met on such land. */
static const struct {
    const char *name;
    void (*draw)(struct land *, struct arbitrary *);
    int even, given;
} lands[] = {
    {"noise", land_noise, 100, 15},        {"lakes", land_lakes, 10, 5},
    {"islands", land_islands, 20, 15},     {"comb", land_comb, 150, 120},
    {"spiral", land_spiral, 5, 5},         {"maze", land_maze, 240, 25},
    {"checkers", land_checkers, 40, 35},   {"tree", land_tree, 350, 130},
    {"serpentine", land_serpentine, 5, 5}, {"loops", land_loops, 300, 100},
    {"rings", land_rings, 100, 50},
};

static void ask_kind_of_sizes(struct land *l, struct arbitrary *source, uint32_t seed, bool given)
{
    static int sizes[LAND_CELLS];
    land_ask_lattice(l, seed);
    if (given)
        land_ask_sizes(sizes, land_draw_sizes(source, l->cells, sizes));
    else
        land_ask("&count=%d", land_draw_count(source, l->pieces, l->cells));
    land_ask_look(source, !given && arbitrary_below(source, 4) == 0);
    land_ask_mask(l);
}

TEST(masks_are_mostly_divided, .end = 2 * COUNT(lands))
{
    int asked = 0, refused = 0, kind = _i / 2;
    bool given = _i % 2;
    for (int i = 0; i < rounds(is_sanitized() ? 100 : 250); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * kind)};
        struct land l = land_of_shape(&source, arbitrary_below(&source, 4) ? 20 : LAND_SIDE - 1);
        lands[kind].draw(&l, &source);
        if (given)
            land_keep_one_piece(&l);
        else
            land_count_pieces(&l);
        if (!l.cells)
            continue;
        ask_kind_of_sizes(&l, &source, (uint32_t)i, given);
        asked++;
        refused += !land_answer();
    }
    land_judge_refusals(refused, asked, given ? lands[kind].given : lands[kind].even,
                        given ? "given" : "even", lands[kind].name);
}

/* Of land so small that brute force can tell, none is refused that can be divided. */
TEST(small_land_is_refused_with_reason_alone, .end = COUNT(lands))
{
    int sizes[LAND_CELLS], refused = 0;
    for (int i = 0; i < rounds(1000); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = land_of_shape(&source, 8);
        lands[_i].draw(&l, &source);
        land_keep_one_piece(&l);
        if (!l.cells || l.cells > FEW_CELLS)
            continue;
        bool even = arbitrary_below(&source, 2) == 0;
        int count =
            even ? land_draw_count(&source, 1, l.cells) : land_draw_sizes(&source, l.cells, sizes);
        for (int k = 0; even && k < count; k++)
            sizes[k] = l.cells / count + (k < l.cells % count);
        land_ask_lattice(&l, (uint32_t)i);
        if (even)
            land_ask("&count=%d", count);
        else
            land_ask_sizes(sizes, count);
        land_ask_mask(&l);
        if (land_answer())
            continue;
        refused++;
        ck_assert_msg(!can_be_divided(&l, sizes, count), "refused: %.2000s", land_query);
    }
    if (is_long())
        fprintf(stderr, "regions on small land, %s: %d refused, all with reason\n", lands[_i].name,
                refused);
}

/* ---- land with an answer --------------------------------------------------------------------- */

/* A cell that may be added to a part: beside it, and beside no more than so many cells of land; -1:
   none was met. */
static int draw_growth(const struct land *l, struct arbitrary *source, const int *part, int size,
                       int most)
{
    for (int tries = 0; tries < 3000; tries++) {
        int from = part[arbitrary_below(source, (uint32_t)size)], n = 0;
        int cell = land_beside(l, from, (int)arbitrary_below(source, (uint32_t)land_sides(l)));
        if (cell < 0 || l->is[cell])
            continue;
        for (int s = 0; s < land_sides(l); s++) {
            int other = land_beside(l, cell, s);
            n += other >= 0 && l->is[other];
        }
        if (n <= most)
            return cell;
    }
    return -1;
}

/* Grows so many parts of so many cells each, thin and with loops here and there, each beside one
   before; false when there was no room. */
static bool put_together(struct land *l, struct arbitrary *source, int parts, int size)
{
    static int cell[LAND_CELLS];
    int n = 0, loops = 4 + (int)arbitrary_below(source, 12);
    memset(l->is, false, sizeof l->is);
    cell[n] = l->width / 2 + l->height / 2 * l->width;
    l->is[cell[n++]] = true;
    while (n < parts * size) {
        int first = n % size ? n / size * size : 0;
        int next = draw_growth(l, source, cell + first, n - first,
                               1 + (arbitrary_below(source, (uint32_t)loops) == 0));
        if (next < 0)
            return false;
        l->is[next] = true;
        cell[n++] = next;
    }
    l->cells = n;
    return true;
}

/* What was put together of even parts, of one-cell corridors with loops, comes apart into them. */
TEST(what_was_put_together_comes_apart)
{
    int asked = 0;
    for (int i = 0; i < rounds(150); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 31};
        struct land l = land_of_shape(&source, 1);
        l.wrap = 0;
        l.width = l.height = LAND_SIDE - 1;
        int parts = 2 + (int)arbitrary_below(&source, 39);
        int size = 2 + (int)arbitrary_below(&source, (uint32_t)(700 / parts));
        if (!put_together(&l, &source, parts, size))
            continue;
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&count=%d", parts);
        land_ask_mask(&l);
        asked++;
        ck_assert_msg(land_answer(), "refused: %.4000s", land_query);
    }
    printf("regions: %d lands put together came apart\n", asked);
}

/* Larger land than others: `side` rows of as many cells, 1 for land. */
static void must_be_divided(const bool *is, int side, bool hex, int seed, int countries)
{
    enum { BYTES = 64 << 20 };
    char *text = malloc((size_t)(4 * side * side) + 100), *memory = aligned_alloc(64, BYTES);
    int n =
        sprintf(text, "seed=%d&grid=%s&count=%d&mask=", seed, hex ? "hex" : "square", countries);
    for (int i = 0; i < side * side; i++)
        n += sprintf(text + n, "%s%s", i && i % side == 0 ? "/" : "", is[i] ? "%23" : ".");
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = memory, .size = BYTES});
    const struct mw_arg *args;
    size_t count;
    struct mw_request request;
    char why[300];
    ck_assert(mw_read_query(run, text, (size_t)n, &args, &count));
    ck_assert(mw_bind(run, mw_find("regions"), args, count, NULL, &request));
    const struct mw_map *map = mw_make(run, &request);
    ck_assert_msg(map, "%d countries: %s", countries, map ? "" : mw_problems(run)->list[0].detail);
    ck_assert_msg(!check_regions(map, why, sizeof why), "%s", why);
    free(text);
    free(memory);
}

static bool is_comb(int i, int side, const int *comb) /* its tooth, gap and back */
{
    return i / side < comb[2] || i % side % (comb[0] + comb[1]) < comb[0];
}

/* Teeth of some cells: countries must share them lengthwise. */
TEST(thick_combs_are_divided, .end = 8)
{
    enum { SIDE = 150 };
    static const int combs[][3] = {{5, 5, 5}, {3, 3, 3}, {4, 2, 4}, {5, 5, 1}}; /* back: the last */
    static bool is[SIDE * SIDE];
    const int *comb = combs[_i / 2];
    for (int i = 0; i < SIDE * SIDE; i++)
        is[i] = is_comb(i, SIDE, comb);
    for (int seed = 1; seed <= 3; seed++)
        must_be_divided(is, SIDE, _i & 1, seed, 20);
}

/* Teeth a cell or two wide, into which no country fits. */
TEST(thin_combs_are_divided, .end = 5)
{
    static const struct {
        int side, comb[3];
        bool hex;
        int countries;
    } cases[] = {{60, {2, 1, 1}, false, 13},
                 {60, {2, 1, 1}, true, 13},
                 {60, {1, 2, 5}, true, 8},
                 {50, {2, 1, 1}, true, 10},
                 {40, {2, 1, 2}, true, 10}};
    static bool is[60 * 60];
    for (int i = 0; i < cases[_i].side * cases[_i].side; i++)
        is[i] = is_comb(i, cases[_i].side, cases[_i].comb);
    must_be_divided(is, cases[_i].side, cases[_i].hex, 1, cases[_i].countries);
}

/* A corridor of 80,000 cells with a loop at its outer end, at its inner one, or at both. */
TEST(the_longest_corridor_is_divided, .end = 4, .measures = true)
{
    enum { LONG = 400 };
    static bool is[LONG + 2][LONG + 2]; /* with a rim */
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    memset(is, 0, sizeof is);
    int x = 1, y = 1;
    is[1][1] = true;
    for (int way = 0, turns = 0; turns < 2;) {
        int nx = x + dx[way], ny = y + dy[way];
        bool inside = nx >= 1 && ny >= 1 && nx <= LONG && ny <= LONG;
        if (!inside || is[ny][nx] ||
            (nx + dx[way] >= 0 && ny + dy[way] >= 0 && nx + dx[way] < LONG + 2 &&
             ny + dy[way] < LONG + 2 && is[ny + dy[way]][nx + dx[way]])) {
            way = (way + 1) % 4;
            turns++;
            continue;
        }
        is[y = ny][x = nx] = true;
        turns = 0;
    }
    if (_i & 1)
        is[2][1] = is[2][2] = true;
    for (int i = 0; _i & 2 && i < 9; i++)
        is[y + i / 3 - 1][x + i % 3 - 1] = true;
    static bool all[LONG * LONG];
    for (int i = 0; i < LONG * LONG; i++)
        all[i] = is[i / LONG + 1][i % LONG + 1];
    static const int counts[] = {2, 7, 100, 3000, 30000};
    for (int c = 0; c < (int)(sizeof counts / sizeof *counts); c++)
        must_be_divided(all, LONG, false, c, counts[c]);
}

/* Fewer countries than pieces, more than cells: refused, in advance. */
TEST(what_cannot_be_is_refused)
{
    for (int i = 0; i < rounds(100); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 5000};
        struct land l = land_of_shape(&source, 20);
        land_noise(&l, &source);
        land_count_pieces(&l);
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&count=%d", i & 1 || l.pieces < 2
                                  ? l.cells + 1 + (int)arbitrary_below(&source, 9)
                                  : 1 + (int)arbitrary_below(&source, (uint32_t)l.pieces - 1));
        land_ask_mask(&l);
        ck_assert_msg(!land_answer(), "made: %.2000s", land_query);
    }
}

/* A cross of five cells is no two connected halves; what is advised then must help. */
TEST(advice_can_be_taken)
{
    struct land l = {.width = 3, .height = 3};
    for (int i = 0; i < 9; i++)
        l.is[i] = i % 2 == 1 || i == 4;
    land_ask_lattice(&l, 1);
    land_ask_mask(&l);
    land_ask("&sizes=2,3");
    ck_assert(!land_answer());
    ck_assert_msg(strstr(land_refusal, "/sizes: ") && strstr(land_refusal, "other sizes"), "%s",
                  land_refusal);
    land_ask_lattice(&l, 1);
    land_ask_mask(&l);
    land_ask("&sizes=1,4");
    ck_assert_msg(land_answer(), "%s", land_refusal);
    land_ask_lattice(&l, 1);
    land_ask_mask(&l);
    land_ask("&count=2");
    ck_assert(!land_answer());
    ck_assert_msg(strstr(land_refusal, "/count: ") && strstr(land_refusal, "variation"), "%s",
                  land_refusal);
    land_ask("&variation=0.5");
    ck_assert_msg(land_answer(), "%s", land_refusal);
}
