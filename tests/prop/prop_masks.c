/*
 * prop_masks.c: the promises of /regions on land with water.
 *
 * Masks are hostile: noise, combs, spirals, mazes, with as many countries as cells now and then.
 * Some such requests have no answer, and on small land brute force tells which: those alone may be
 * refused. Of thin land others tell: what was put together of parts must come apart, trees and
 * single loops are decided here once more. On larger land nobody knows, and how many are refused is
 * bounded for each kind, so closely that the last resort (cuts in two) cannot be taken away.
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

TEST(even_sizes_on_masks, .end = COUNT(lands))
{
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(250); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = land_of_shape(&source, arbitrary_below(&source, 4) ? 20 : LAND_SIDE - 1);
        lands[_i].draw(&l, &source);
        land_count_pieces(&l);
        if (!l.cells)
            continue;
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&count=%d", land_draw_count(&source, l.pieces, l.cells));
        land_ask_look(&source, arbitrary_below(&source, 4) == 0);
        land_ask_mask(&l);
        asked++;
        refused += !land_answer();
    }
    land_judge_refusals(refused, asked, lands[_i].even, "even", lands[_i].name);
}

TEST(given_sizes_on_masks, .end = COUNT(lands))
{
    static int sizes[LAND_CELLS];
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(250); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = land_of_shape(&source, arbitrary_below(&source, 4) ? 20 : LAND_SIDE - 1);
        lands[_i].draw(&l, &source);
        land_keep_one_piece(&l);
        if (!l.cells)
            continue;
        land_ask_lattice(&l, (uint32_t)i);
        land_ask_sizes(sizes, land_draw_sizes(&source, l.cells, sizes));
        land_ask_look(&source, false);
        land_ask_mask(&l);
        asked++;
        refused += !land_answer();
    }
    land_judge_refusals(refused, asked, lands[_i].given, "given", lands[_i].name);
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

/* Corridors may be as long as the map has room for, and end in a loop. */
TEST(long_corridors_are_divided)
{
    struct land l = {.width = LAND_SIDE - 1, .height = LAND_SIDE - 1};
    land_spiral(&l, &(struct arbitrary){.state = 1});
    for (int loop = 0; loop < 2; loop++) {
        if (loop) /* at its outer end */
            l.is[l.width] = l.is[l.width + 1] = true;
        land_count_pieces(&l);
        for (int count = 2; count < l.cells; count += count / 2) {
            land_ask_lattice(&l, (uint32_t)count);
            land_ask("&count=%d", count);
            land_ask_mask(&l);
            ck_assert_msg(land_answer(), "refused: %.2000s", land_query);
        }
    }
}

/* ---- trees ----------------------------------------------------------------------------------- */

enum { FEW_PARTS = 12 };

/* Whether land without loops comes apart into so many parts of `size` cells, or one more: by cell,
   which numbers of parts, and of larger ones among them, may be cut off below it. */
struct cuts {
    bool can[FEW_PARTS + 1][FEW_PARTS + 1];
};

static void join_cuts(struct cuts *own, const struct cuts *child, int cells, int size)
{
    struct cuts joined = {.can = {{false}}};
    for (int p = 0; p <= FEW_PARTS; p++)
        for (int l = 0; l <= p; l++)
            for (int q = 0; own->can[p][l] && p + q <= FEW_PARTS; q++)
                for (int m = 0; m <= q; m++) {
                    int open = cells - q * size - m;
                    if (!child->can[q][m] || open < 1 || open > size + 1)
                        continue;
                    joined.can[p + q][l + m] = true;
                    if (open >= size && p + q < FEW_PARTS)
                        joined.can[p + q + 1][l + m + (open > size)] = true;
                }
    *own = joined;
}

/* Whether two cells are those of a side, in any order. */
static bool is_side(const int side[2], int a, int b)
{
    return (a == side[0] && b == side[1]) || (a == side[1] && b == side[0]);
}

/* With one side left out, or none; -1: what is left has loops, or does not hang together. */
static int tree_can_be_cut(const struct land *l, int count, const int without[2])
{
    static struct cuts cuts[LAND_CELLS];
    static int order[LAND_CELLS], parent[LAND_CELLS], below[LAND_CELLS];
    bool seen[LAND_CELLS] = {false};
    int n = 0, sides = 0, size = l->cells / count, larger = l->cells % count;
    for (int i = 0; i < l->width * l->height && !n; i++)
        if (l->is[i])
            order[n++] = i, seen[i] = true, parent[i] = -1;
    for (int i = 0; i < n; i++)
        for (int s = 0; s < (l->hex ? 6 : 4); s++) {
            int other = land_beside(l, order[i], s);
            if (other < 0 || !l->is[other] || is_side(without, order[i], other))
                continue;
            sides++;
            if (seen[other])
                continue;
            seen[other] = true;
            parent[other] = order[i];
            order[n++] = other;
        }
    if (sides != 2 * (n - 1) || n < l->cells)
        return -1;
    for (int i = 0; i < n; i++) {
        below[order[i]] = 1;
        cuts[order[i]] = (struct cuts){.can[0][0] = true};
    }
    for (int i = n - 1; i > 0; i--) {
        join_cuts(&cuts[parent[order[i]]], &cuts[order[i]], below[order[i]], size);
        below[parent[order[i]]] += below[order[i]];
    }
    const struct cuts *root = &cuts[order[0]];
    return root->can[count - 1][larger] || (larger && root->can[count - 1][larger - 1]);
}

/* The same of land with one loop at most: its parts leave out some side of the loop, or any; -1: it
   has more. */
static int can_be_cut(const struct land *l, int count)
{
    int best = tree_can_be_cut(l, count, (int[]){-1, -1});
    for (int i = 0; i < l->width * l->height && best < 0; i++)
        for (int s = 0; s < land_sides(l) && l->is[i] && best < 1; s++) {
            int other = land_beside(l, i, s);
            int can = other > i && l->is[other] ? tree_can_be_cut(l, count, (int[]){i, other}) : -1;
            best = can > best ? can : best;
        }
    return best;
}

/* Land without loops, or with one, is refused when it cannot be divided, and hardly ever else. */
TEST(thin_land_is_mostly_refused_with_reason, .end = COUNT(lands))
{
    int trees = 0, cut = 0, missed = 0;
    for (int i = 0; i < rounds(60); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = land_of_shape(&source, 30);
        l.wrap = 0;
        lands[_i].draw(&l, &source);
        land_keep_one_piece(&l);
        int count = 2 + (int)arbitrary_below(&source, FEW_PARTS - 1);
        int can = l.cells < count ? -1 : can_be_cut(&l, count);
        if (can < 0)
            continue;
        land_ask_lattice(&l, (uint32_t)i);
        land_ask("&count=%d", count);
        land_ask_mask(&l);
        trees++;
        cut += can;
        bool made = land_answer();
        ck_assert_msg(can || !made, "made: %.2000s", land_query);
        missed += can && !made;
    }
    ck_assert_msg(missed * 10 <= cut, "%s: %d of %d that can be cut are refused", lands[_i].name,
                  missed, cut);
    printf("regions: %d trees and loops of %s, %d can be cut, %d of them are refused\n", trees,
           lands[_i].name, cut, missed);
}

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
