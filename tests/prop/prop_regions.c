/*
 * prop_regions.c: the promises of /regions, on thousands of requests of every kind of land.
 *
 * Every map that is made is judged by check_regions.c. A full map must be made, whatever is asked
 * of it. Masks are hostile: noise, combs, spirals, mazes, with as many countries as cells now and
 * then. Some such requests have no answer, and on small land brute force tells which: those alone
 * may be refused. On larger land nobody knows, and how many are refused is bounded for each kind,
 * so closely that the last resort (trees that span a piece) cannot be taken away.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#include "arbitrary.h"
#include "check_regions.h"
#include "rounds.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, CELLS = SIDE * SIDE };

/* A board under construction: land or not, row by row, as the mask is spelled. */
struct land {
    int width, height;
    bool hex;
    int wrap; /* 0 none, 1 x, 2 xy */
    bool is[CELLS];
    int cells, pieces;
};

static const char *const wraps[] = {"none", "x", "xy"};

/* ---- kinds of land --------------------------------------------------------------------------- */

static bool noise(struct arbitrary *source, int percent)
{
    return arbitrary_below(source, 100) < (uint32_t)percent;
}

static void draw_noise(struct land *l, struct arbitrary *source)
{
    int percent = 30 + (int)arbitrary_below(source, 70);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = noise(source, percent);
}

/* Land with round lakes. */
static void draw_lakes(struct land *l, struct arbitrary *source)
{
    memset(l->is, true, sizeof l->is);
    for (int lakes = 1 + (int)arbitrary_below(source, 6); lakes; lakes--) {
        int cx = (int)arbitrary_below(source, (uint32_t)l->width),
            cy = (int)arbitrary_below(source, (uint32_t)l->height);
        int r = (int)arbitrary_below(source, 8);
        for (int y = 0; y < l->height; y++)
            for (int x = 0; x < l->width; x++)
                if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r)
                    l->is[y * l->width + x] = false;
    }
}

/* Round islands that may touch. */
static void draw_islands(struct land *l, struct arbitrary *source)
{
    draw_lakes(l, source);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = !l->is[i];
}

static void draw_comb(struct land *l, struct arbitrary *source)
{
    int gap = 1 + (int)arbitrary_below(source, 3);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] = y == 0 || x % (gap + 1) == 0;
}

static bool is_land(const struct land *l, int x, int y)
{
    return x >= 0 && y >= 0 && x < l->width && y < l->height && l->is[y * l->width + x];
}

/* One corridor, straight on until land lies two cells ahead, then to the right. */
static void draw_spiral(struct land *l, struct arbitrary *source)
{
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    (void)source;
    memset(l->is, false, sizeof l->is);
    l->is[0] = true;
    for (int x = 0, y = 0, way = 0, turns = 0; turns < 2;) {
        int nx = x + dx[way], ny = y + dy[way];
        bool inside = nx >= 0 && ny >= 0 && nx < l->width && ny < l->height;
        if (!inside || is_land(l, nx, ny) || is_land(l, nx + dx[way], ny + dy[way])) {
            way = (way + 1) % 4;
            turns++;
            continue;
        }
        l->is[ny * l->width + nx] = true;
        x = nx;
        y = ny;
        turns = 0;
    }
}

/* Cells at even places, joined by a random walk that never closes: a perfect maze, grown cell by
   cell. */
static void draw_maze(struct land *l, struct arbitrary *source)
{
    static const int dx[] = {2, 0, -2, 0}, dy[] = {0, 2, 0, -2};
    memset(l->is, false, sizeof l->is);
    l->is[0] = true;
    for (int tries = 0; tries < 20 * l->width * l->height; tries++) {
        int x = (int)arbitrary_below(source, (uint32_t)l->width),
            y = (int)arbitrary_below(source, (uint32_t)l->height);
        int way = (int)arbitrary_below(source, 4), nx = x + dx[way], ny = y + dy[way];
        bool good = !(x & 1) && !(y & 1) && nx >= 0 && ny >= 0 && nx < l->width && ny < l->height;
        if (!good || !l->is[y * l->width + x] || l->is[ny * l->width + nx])
            continue;
        l->is[ny * l->width + nx] = l->is[(y + ny) / 2 * l->width + (x + nx) / 2] = true;
    }
}

static void draw_checkers(struct land *l, struct arbitrary *source)
{
    (void)source;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] = (x + y) % 2 == 0;
}

/* A corridor to and fro. */
static void draw_serpentine(struct land *l, struct arbitrary *source)
{
    int lane = 2 + (int)arbitrary_below(source, 2);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] = y % lane == 0 || x == (y / lane % 2 ? 0 : l->width - 1);
}

/* ---- counting pieces ------------------------------------------------------------------------- */

/* The cell across a side, or -1; told here once more, not taken from the library. */
static int beside(const struct land *l, int cell, int side)
{
    static const int square[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    static const int hexagon[2][6][2] = {{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}},
                                         {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}}};
    int y = cell / l->width, x = cell % l->width;
    const int *step = l->hex ? hexagon[y & 1][side] : square[side];
    x += step[0];
    y += step[1];
    if (l->wrap > 0)
        x = (x + l->width) % l->width;
    if (l->wrap > 1)
        y = (y + l->height) % l->height;
    return x < 0 || y < 0 || x >= l->width || y >= l->height ? -1 : y * l->width + x;
}

/* Marks the land that hangs together with a cell; how many cells that are. */
static int flood(const struct land *l, int start, int *piece_of, int piece)
{
    static int queue[CELLS];
    int n = 0;
    piece_of[start] = piece;
    queue[n++] = start;
    for (int i = 0; i < n; i++)
        for (int s = 0; s < (l->hex ? 6 : 4); s++) {
            int other = beside(l, queue[i], s);
            if (other < 0 || !l->is[other] || piece_of[other])
                continue;
            piece_of[other] = piece;
            queue[n++] = other;
        }
    return n;
}

static void count_pieces(struct land *l)
{
    int piece_of[CELLS] = {0};
    l->cells = l->pieces = 0;
    for (int start = 0; start < l->width * l->height; start++)
        if (l->is[start] && !piece_of[start])
            l->cells += flood(l, start, piece_of, ++l->pieces);
}

/* All but the largest piece goes under. */
static void keep_one_piece(struct land *l)
{
    int piece_of[CELLS] = {0}, pieces = 0, best = 0;
    l->cells = 0;
    for (int start = 0; start < l->width * l->height; start++) {
        if (!l->is[start] || piece_of[start])
            continue;
        int cells = flood(l, start, piece_of, ++pieces);
        best = cells > l->cells ? pieces : best;
        l->cells = cells > l->cells ? cells : l->cells;
    }
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = l->is[i] && piece_of[i] == best;
    l->pieces = best > 0;
}

/* A tree, grown cell by cell wherever one has just one neighbour. */
static void draw_tree(struct land *l, struct arbitrary *source)
{
    uint32_t cells = (uint32_t)(l->width * l->height);
    memset(l->is, false, sizeof l->is);
    l->is[arbitrary_below(source, cells)] = true;
    for (uint32_t tries = 0; tries < 8 * cells; tries++) {
        int cell = (int)arbitrary_below(source, cells), n = 0;
        for (int s = 0; s < (l->hex ? 6 : 4); s++) {
            int other = beside(l, cell, s);
            n += other >= 0 && l->is[other];
        }
        l->is[cell] |= n == 1;
    }
}

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
    int rank[CELLS], n = 0;
    for (int i = 0; i < l->width * l->height; i++)
        rank[i] = l->is[i] ? n++ : -1;
    for (int i = 0; i < l->width * l->height; i++)
        for (int s = 0; l->is[i] && s < (l->hex ? 6 : 4); s++) {
            int other = beside(l, i, s);
            if (other >= 0 && other != i && l->is[other])
                p.beside[rank[i]] |= UINT32_C(1) << rank[other];
        }
    for (int k = 0; k < count; k++)
        p.left[sizes[k]]++;
    return can_place_rest(&p, (UINT32_C(1) << n) - 1);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static char query[CELLS * 8];
static size_t written;

static void ask(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void ask(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    written += (size_t)vsnprintf(query + written, sizeof query - written, format, list);
    va_end(list);
    ck_assert_uint_lt(written, sizeof query);
}

static void ask_lattice(const struct land *l, uint32_t seed)
{
    written = 0;
    ask("seed=%u&grid=%s&wrap=%s", (unsigned)seed, l->hex ? "hex" : "square", wraps[l->wrap]);
}

static void ask_mask(const struct land *l)
{
    for (int i = 0; i < l->width * l->height; i++)
        ask("%s%s", i == 0 ? "&mask=" : i % l->width == 0 ? "/" : "", l->is[i] ? "%23" : ".");
}

static void ask_look(struct arbitrary *source, bool varied)
{
    ask("&roughness=%.1f", (double)arbitrary_below(source, 11) / 10);
    if (varied)
        ask("&variation=%.1f", (double)(1 + arbitrary_below(source, 10)) / 10);
}

/* What was wrong with the request that was refused last. */
static char refusal[512];

/* True when a map was made; one that breaks a promise, or a fault that is no refusal, fails the
   test. */
static bool answer(void)
{
    static _Alignas(64) char block[48 << 20];
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    struct mw_run *run = mw_open(&limits);
    const struct mw_arg *args;
    size_t count;
    char why[300];
    struct mw_request request;
    bool good = mw_read_query(run, query, written, &args, &count) &&
                mw_bind(run, mw_find("regions"), args, count, NULL, &request);
    const struct mw_map *map = good ? mw_make(run, &request) : NULL;
    if (map) {
        ck_assert_msg(!check_regions(map, why, sizeof why), "%s\n%.2000s", why, query);
        return true;
    }
    const struct mw_problem *problem = &mw_problems(run)->list[0];
    snprintf(refusal, sizeof refusal, "%s: %s", problem->pointer, problem->detail);
    ck_assert_msg(problem->fault == MW_NO_RESULT, "fault %d %s: %s\n%.2000s", problem->fault,
                  problem->pointer, problem->detail, query);
    return false;
}

static struct land shape(struct arbitrary *source, uint32_t most)
{
    struct land l = {.hex = arbitrary_below(source, 3) > 0};
    l.wrap = arbitrary_below(source, 2) ? 0 : (int)arbitrary_below(source, 3);
    l.width = 1 + (int)arbitrary_below(source, most);
    l.height = 1 + (int)arbitrary_below(source, most);
    if (l.hex && l.wrap == 2)
        l.height += l.height & 1;
    memset(l.is, true, sizeof l.is);
    return l;
}

/* Of few, of many, of as many as there are, and of nearly as many. */
static int draw_count(struct arbitrary *source, int least, int most)
{
    int span = most - least + 1, few = span < 12 ? span : 12;
    switch (arbitrary_below(source, 5)) {
    case 0: return most - (int)arbitrary_below(source, (uint32_t)few);
    case 1: return least + (int)arbitrary_below(source, (uint32_t)span);
    case 2: return least + (int)arbitrary_below(source, (uint32_t)(span / 4 + 1));
    default: return least + (int)arbitrary_below(source, (uint32_t)few);
    }
}

/* ---- the tests ------------------------------------------------------------------------------- */

START_TEST(a_full_map_is_always_made)
{
    for (int i = 0; i < rounds(1200); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 1};
        struct land l = shape(&source, SIDE - 1);
        ask_lattice(&l, (uint32_t)i);
        ask("&width=%d&height=%d&count=%d", l.width, l.height,
            draw_count(&source, 1, l.width * l.height));
        ask_look(&source, arbitrary_below(&source, 2) == 0);
        ck_assert_msg(answer(), "refused: %.2000s", query);
    }
}
END_TEST

/* Sizes that add up to so many cells: small ones as a rule, or anything; how many. */
static int draw_sizes(struct arbitrary *source, int cells, int *sizes)
{
    int count = 0;
    uint32_t reach = 1 + arbitrary_below(source, (uint32_t)cells);
    for (int left = cells; left > 0; left -= sizes[count++])
        sizes[count] =
            1 + (int)arbitrary_below(source, reach < (uint32_t)left ? reach : (uint32_t)left);
    return count;
}

static void ask_sizes(const int *sizes, int count)
{
    for (int k = 0; k < count; k++)
        ask("%s%d", k ? "," : "&sizes=", sizes[k]);
}

/* Exact sizes: the map cut at random places, or at places near each other. */
START_TEST(sizes_are_met_to_the_cell)
{
    for (int i = 0; i < rounds(500); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 1000000};
        struct land l = shape(&source, 30);
        int sizes[CELLS], count = draw_sizes(&source, l.width * l.height, sizes);
        ask_lattice(&l, (uint32_t)i);
        ask("&width=%d&height=%d", l.width, l.height);
        ask_sizes(sizes, count);
        ask_look(&source, false);
        ck_assert_msg(answer(), "refused: %.2000s", query);
    }
}
END_TEST

/* How many of a thousand requests may be refused, for even sizes and for sizes that are given: some
   cannot be met on such land. */
static const struct {
    const char *name;
    void (*draw)(struct land *, struct arbitrary *);
    int even, given;
} lands[] = {
    {"noise", draw_noise, 100, 15},        {"lakes", draw_lakes, 10, 5},
    {"islands", draw_islands, 20, 15},     {"comb", draw_comb, 150, 120},
    {"spiral", draw_spiral, 5, 5},         {"maze", draw_maze, 240, 25},
    {"checkers", draw_checkers, 40, 35},   {"tree", draw_tree, 350, 130},
    {"serpentine", draw_serpentine, 5, 5},
};

static void judge_refusals(int refused, int asked, int per_mille, const char *what,
                           const char *land)
{
    if (is_long())
        fprintf(stderr, "regions of %s sizes on %s: %d of %d refused\n", what, land, refused,
                asked);
    if (is_sanitized())
        return; /* too few were tried to tell */
    ck_assert_msg(refused * 1000 <= asked * per_mille, "%s sizes, %s: %d of %d are refused", what,
                  land, refused, asked);
}

START_TEST(even_sizes_on_masks)
{
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(250); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = shape(&source, arbitrary_below(&source, 4) ? 20 : SIDE - 1);
        lands[_i].draw(&l, &source);
        count_pieces(&l);
        if (!l.cells)
            continue;
        ask_lattice(&l, (uint32_t)i);
        ask("&count=%d", draw_count(&source, l.pieces, l.cells));
        ask_look(&source, arbitrary_below(&source, 4) == 0);
        ask_mask(&l);
        asked++;
        refused += !answer();
    }
    judge_refusals(refused, asked, lands[_i].even, "even", lands[_i].name);
}
END_TEST

START_TEST(given_sizes_on_masks)
{
    static int sizes[CELLS];
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(250); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = shape(&source, arbitrary_below(&source, 4) ? 20 : SIDE - 1);
        lands[_i].draw(&l, &source);
        keep_one_piece(&l);
        if (!l.cells)
            continue;
        ask_lattice(&l, (uint32_t)i);
        ask_sizes(sizes, draw_sizes(&source, l.cells, sizes));
        ask_look(&source, false);
        ask_mask(&l);
        asked++;
        refused += !answer();
    }
    judge_refusals(refused, asked, lands[_i].given, "given", lands[_i].name);
}
END_TEST

/* Of land so small that brute force can tell, none is refused that can be divided. */
START_TEST(small_land_is_refused_with_reason_alone)
{
    int sizes[CELLS], refused = 0;
    for (int i = 0; i < rounds(1000); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = shape(&source, 8);
        lands[_i].draw(&l, &source);
        keep_one_piece(&l);
        if (!l.cells || l.cells > FEW_CELLS)
            continue;
        bool even = arbitrary_below(&source, 2) == 0;
        int count = even ? draw_count(&source, 1, l.cells) : draw_sizes(&source, l.cells, sizes);
        for (int k = 0; even && k < count; k++)
            sizes[k] = l.cells / count + (k < l.cells % count);
        ask_lattice(&l, (uint32_t)i);
        if (even)
            ask("&count=%d", count);
        else
            ask_sizes(sizes, count);
        ask_mask(&l);
        if (answer())
            continue;
        refused++;
        ck_assert_msg(!can_be_divided(&l, sizes, count), "refused: %.2000s", query);
    }
    if (is_long())
        fprintf(stderr, "regions on small land, %s: %d refused, all with reason\n", lands[_i].name,
                refused);
}
END_TEST

/* Corridors may be as long as the map has room for, and end in a loop. */
START_TEST(long_corridors_are_divided)
{
    struct land l = {.width = SIDE - 1, .height = SIDE - 1};
    draw_spiral(&l, &(struct arbitrary){.state = 1});
    for (int loop = 0; loop < 2; loop++) {
        if (loop) /* at its outer end */
            l.is[l.width] = l.is[l.width + 1] = true;
        count_pieces(&l);
        for (int count = 2; count < l.cells; count += count / 2) {
            ask_lattice(&l, (uint32_t)count);
            ask("&count=%d", count);
            ask_mask(&l);
            ck_assert_msg(answer(), "refused: %.2000s", query);
        }
    }
}
END_TEST

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

/* -1: the land has loops. */
static int tree_can_be_cut(const struct land *l, int count)
{
    static struct cuts cuts[CELLS];
    static int order[CELLS], parent[CELLS], below[CELLS];
    bool seen[CELLS] = {false};
    int n = 0, sides = 0, size = l->cells / count, larger = l->cells % count;
    for (int i = 0; i < l->width * l->height && !n; i++)
        if (l->is[i])
            order[n++] = i, seen[i] = true, parent[i] = -1;
    for (int i = 0; i < n; i++)
        for (int s = 0; s < (l->hex ? 6 : 4); s++) {
            int other = beside(l, order[i], s);
            if (other < 0 || !l->is[other])
                continue;
            sides++;
            if (seen[other])
                continue;
            seen[other] = true;
            parent[other] = order[i];
            order[n++] = other;
        }
    if (sides != 2 * (n - 1))
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

/* Land without loops is refused just when it cannot be divided; all else that is thin is divided
   as a rule. */
START_TEST(trees_are_refused_with_reason_alone)
{
    int trees = 0, cut = 0;
    for (int i = 0; i < rounds(60); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        struct land l = shape(&source, 30);
        l.wrap = 0;
        lands[_i].draw(&l, &source);
        keep_one_piece(&l);
        int count = 2 + (int)arbitrary_below(&source, FEW_PARTS - 1);
        int can = l.cells < count ? -1 : tree_can_be_cut(&l, count);
        if (can < 0)
            continue;
        ask_lattice(&l, (uint32_t)i);
        ask("&count=%d", count);
        ask_mask(&l);
        trees++;
        cut += can;
        ck_assert_msg(answer() == can, "%s: %.2000s", can ? "refused" : "made", query);
    }
    printf("regions: %d trees of %s, %d can be cut\n", trees, lands[_i].name, cut);
}
END_TEST

/* A corridor of 80,000 cells with a loop at its outer end, at its inner one, or at both. */
START_TEST(the_longest_corridor_is_divided)
{
    enum { LONG = 400, BYTES = 64 << 20 };
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
    static const int counts[] = {2, 7, 100, 3000, 30000};
    char *text = malloc(4 * LONG * LONG), *memory = aligned_alloc(64, BYTES);
    for (int c = 0; c < (int)(sizeof counts / sizeof *counts); c++) {
        int n = sprintf(text, "seed=%d&grid=square&count=%d&mask=", c, counts[c]);
        for (int i = 0; i < LONG * LONG; i++)
            n += sprintf(text + n, "%s%s", i && i % LONG == 0 ? "/" : "",
                         is[i / LONG + 1][i % LONG + 1] ? "%23" : ".");
        struct mw_run *run = mw_open(&(struct mw_limits){.memory = memory, .size = BYTES});
        const struct mw_arg *args;
        size_t count;
        struct mw_request request;
        char why[300];
        ck_assert(mw_read_query(run, text, (size_t)n, &args, &count));
        ck_assert(mw_bind(run, mw_find("regions"), args, count, NULL, &request));
        const struct mw_map *map = mw_make(run, &request);
        ck_assert_msg(map, "%d countries: %s", counts[c],
                      map ? "" : mw_problems(run)->list[0].detail);
        ck_assert_msg(!check_regions(map, why, sizeof why), "%s", why);
    }
    free(text);
    free(memory);
}
END_TEST

/* Fewer countries than pieces, more than cells: refused, in advance. */
START_TEST(what_cannot_be_is_refused)
{
    for (int i = 0; i < rounds(100); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 5000};
        struct land l = shape(&source, 20);
        draw_noise(&l, &source);
        count_pieces(&l);
        ask_lattice(&l, (uint32_t)i);
        ask("&count=%d", i & 1 || l.pieces < 2
                             ? l.cells + 1 + (int)arbitrary_below(&source, 9)
                             : 1 + (int)arbitrary_below(&source, (uint32_t)l.pieces - 1));
        ask_mask(&l);
        ck_assert_msg(!answer(), "made: %.2000s", query);
    }
}
END_TEST

/* A cross of five cells is no two connected halves; what is advised then must help. */
START_TEST(advice_can_be_taken)
{
    struct land l = {.width = 3, .height = 3};
    for (int i = 0; i < 9; i++)
        l.is[i] = i % 2 == 1 || i == 4;
    ask_lattice(&l, 1);
    ask_mask(&l);
    ask("&sizes=2,3");
    ck_assert(!answer());
    ck_assert_msg(strstr(refusal, "/sizes: ") && strstr(refusal, "other sizes"), "%s", refusal);
    ask_lattice(&l, 1);
    ask_mask(&l);
    ask("&sizes=1,4");
    ck_assert_msg(answer(), "%s", refusal);
    ask_lattice(&l, 1);
    ask_mask(&l);
    ask("&count=2");
    ck_assert(!answer());
    ck_assert_msg(strstr(refusal, "/count: ") && strstr(refusal, "variation"), "%s", refusal);
    ask("&variation=0.5");
    ck_assert_msg(answer(), "%s", refusal);
}
END_TEST

/* ---- capitals -------------------------------------------------------------------------------- */

/* Two round lands and a neck between them, of one cell or some more. */
static void draw_isthmus(struct land *l, struct arbitrary *source)
{
    int r = (l->height < l->width / 2 ? l->height : l->width / 2) / 2;
    int neck = 1 + (int)arbitrary_below(source, 4), cy = l->height / 2;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) {
            int dx = x < l->width / 2 ? x - r : x - (l->width - 1 - r), dy = y - cy;
            bool between = x >= r && x <= l->width - 1 - r;
            l->is[y * l->width + x] =
                dx * dx + dy * dy <= r * r || (between && y >= cy && y < cy + neck);
        }
}

/* No water. */
static void draw_full(struct land *l, struct arbitrary *source)
{
    (void)source;
    memset(l->is, true, sizeof l->is);
}

static void draw_archipelago(struct land *l, struct arbitrary *source)
{
    memset(l->is, false, sizeof l->is);
    for (int isles = 4 + (int)arbitrary_below(source, 8); isles; isles--) {
        int cx = (int)arbitrary_below(source, (uint32_t)l->width),
            cy = (int)arbitrary_below(source, (uint32_t)l->height);
        int r = 1 + (int)arbitrary_below(source, 8);
        for (int y = 0; y < l->height; y++)
            for (int x = 0; x < l->width; x++)
                l->is[y * l->width + x] |= abs(x - cx) + abs(y - cy) <= r;
    }
}

/* How many of a thousand requests may be refused: with even or varied sizes, and with given ones.
   On corridors towns anywhere leave few sizes that can be. */
static const struct {
    const char *name;
    void (*draw)(struct land *, struct arbitrary *);
    int even, given;
} shores[] = {
    {"full", draw_full, 10, 10},       {"lakes", draw_lakes, 30, 20},
    {"islands", draw_islands, 20, 30}, {"archipelago", draw_archipelago, 20, 60},
    {"isthmus", draw_isthmus, 30, 60}, {"noise", draw_noise, 200, 300},
    {"spiral", draw_spiral, 400, 620}, {"maze", draw_maze, 430, 950},
};
enum { SHORES = sizeof shores / sizeof shores[0] };

/* A cell of a piece, or of any land where that is 0, that is taken by nobody, and now is. */
static int draw_town(struct arbitrary *source, const struct land *l, const int *piece_of, int piece,
                     bool *taken)
{
    int cell;
    do
        cell = (int)arbitrary_below(source, (uint32_t)(l->width * l->height));
    while (!l->is[cell] || taken[cell] || (piece && piece_of[cell] != piece));
    taken[cell] = true;
    return cell;
}

static struct land draw_shore(struct arbitrary *source, int kind, int *piece_of)
{
    struct land l = shape(source, SIDE - 1);
    shores[kind].draw(&l, source);
    count_pieces(&l);
    memset(piece_of, 0, CELLS * sizeof *piece_of);
    for (int start = 0, pieces = 0; start < l.width * l.height; start++)
        if (l.is[start] && !piece_of[start])
            flood(&l, start, piece_of, ++pieces);
    return l;
}

/* Towns anywhere on land; every piece without one needs a country that has none, which is all that
   may be wanting for certain. */
START_TEST(capitals_on_masks)
{
    static int piece_of[CELLS];
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(60); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 5000000 * (_i + 1))};
        struct land l = draw_shore(&source, _i, piece_of);
        bool taken[CELLS] = {false}, met[CELLS] = {false};
        if (l.cells < 60)
            continue;
        int count = l.pieces + (int)arbitrary_below(&source, (uint32_t)(l.cells / 24));
        int towns = 1 + (int)arbitrary_below(&source, (uint32_t)count), empty = l.pieces;
        ask_lattice(&l, (uint32_t)i);
        ask("&count=%d", count);
        ask_look(&source, arbitrary_below(&source, 3) == 0);
        for (int k = 0; k < towns; k++) {
            int cell = draw_town(&source, &l, piece_of, 0, taken);
            ask("%s%d,%d", k ? ";" : "&capitals=", cell % l.width, cell / l.width);
            empty -= !met[piece_of[cell]];
            met[piece_of[cell]] = true;
        }
        ask_mask(&l);
        bool made = answer();
        ck_assert_msg(made || strstr(refusal, "/capitals") == refusal, "%s", refusal);
        if (empty > count - towns) {
            ck_assert_msg(!made && strstr(refusal, "separate pieces"), "%.2000s", query);
            continue;
        }
        asked++;
        refused += !made;
    }
    judge_refusals(refused, asked, shores[_i].even, "even, with capitals,", shores[_i].name);
}
END_TEST

/* Cuts a piece into sizes of a dozen cells or more; how many. */
static int cut_piece(struct arbitrary *source, int cells, int *sizes)
{
    int count = 0;
    for (int left = cells; left > 0; left -= sizes[count++])
        sizes[count] = left < 36 ? left : 12 + (int)arbitrary_below(source, (uint32_t)left / 3);
    return count;
}

/* Country i has size i and holds capital i: sizes that fill every piece, in any order, and for the
   first of them a capital on its piece. */
START_TEST(capitals_and_sizes)
{
    static int piece_of[CELLS], sizes[CELLS], home[CELLS];
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(60); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 9000000 * (_i + 1))};
        struct land l = draw_shore(&source, _i, piece_of);
        bool taken[CELLS] = {false};
        if (l.cells < 60)
            continue;
        int count = 0, cells[CELLS] = {0};
        for (int c = 0; c < l.width * l.height; c++)
            cells[piece_of[c]] += l.is[c];
        for (int p = 1, n; p <= l.pieces; p++, count += n) {
            n = cut_piece(&source, cells[p], sizes + count);
            for (int k = 0; k < n; k++)
                home[count + k] = p;
        }
        for (int k = count - 1; k > 0; k--) {
            int other = (int)arbitrary_below(&source, (uint32_t)k + 1), size = sizes[k],
                h = home[k];
            sizes[k] = sizes[other], home[k] = home[other];
            sizes[other] = size, home[other] = h;
        }
        ask_lattice(&l, (uint32_t)i);
        ask_sizes(sizes, count);
        ask_look(&source, false);
        for (int k = 0, towns = 1 + (int)arbitrary_below(&source, (uint32_t)count); k < towns;
             k++) {
            int cell = draw_town(&source, &l, piece_of, home[k], taken);
            ask("%s%d,%d", k ? ";" : "&capitals=", cell % l.width, cell / l.width);
        }
        ask_mask(&l);
        asked++;
        refused += !answer();
    }
    judge_refusals(refused, asked, shores[_i].given, "given, with capitals,", shores[_i].name);
}
END_TEST

/* Different cells of the map, all of it or its upper left quarter, in no order. */
static void ask_capitals(struct arbitrary *source, const struct land *l, int count, bool crowded)
{
    bool taken[CELLS] = {false};
    for (int k = 0; k < count; k++) {
        int x, y;
        do {
            x = (int)arbitrary_below(source, (uint32_t)(crowded ? (l->width + 1) / 2 : l->width));
            y = (int)arbitrary_below(source, (uint32_t)(crowded ? (l->height + 1) / 2 : l->height));
        } while (taken[y * l->width + x]);
        taken[y * l->width + x] = true;
        ask("%s%d,%d", k ? ";" : "&capitals=", x, y);
    }
}

/* Countries of two dozen cells or more, and towns strewn over the map, or crowded into a quarter of
   it: next to always there is a map that gives each country its town. */
START_TEST(countries_hold_their_capitals)
{
    static const int most[2] = {5, 60}; /* of a thousand */
    int asked = 0, refused = 0;
    for (int i = 0; i < rounds(250); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 3000000 * (_i + 1))};
        struct land l = shape(&source, SIDE - 1);
        int room = l.width * l.height / 24;
        int count = 1 + (int)arbitrary_below(&source, (uint32_t)(room < 40 ? room + 1 : 40));
        if (l.width < 4 || l.height < 4)
            continue;
        ask_lattice(&l, (uint32_t)i);
        ask("&width=%d&height=%d&count=%d", l.width, l.height, count);
        ask_look(&source, arbitrary_below(&source, 3) == 0);
        ask_capitals(&source, &l, 1 + (int)arbitrary_below(&source, (uint32_t)count), _i);
        asked++;
        refused += !answer();
    }
    judge_refusals(refused, asked, most[_i], "even", _i ? "crowded capitals" : "capitals");
}
END_TEST

Suite *prop_regions(void);
Suite *prop_regions(void)
{
    Suite *suite = suite_create("promises of regions");
    TCase *full = tcase_create("full"), *land = tcase_create("land"),
          *towns = tcase_create("capitals");
    const int kinds = (int)(sizeof lands / sizeof lands[0]);
    tcase_add_test(full, a_full_map_is_always_made);
    tcase_add_test(full, sizes_are_met_to_the_cell);
    tcase_add_loop_test(towns, countries_hold_their_capitals, 0, 2);
    tcase_add_loop_test(towns, capitals_on_masks, 0, SHORES);
    tcase_add_loop_test(towns, capitals_and_sizes, 0, SHORES);
    tcase_add_loop_test(land, even_sizes_on_masks, 0, kinds);
    tcase_add_loop_test(land, given_sizes_on_masks, 0, kinds);
    tcase_add_loop_test(land, small_land_is_refused_with_reason_alone, 0, kinds);
    tcase_add_test(land, long_corridors_are_divided);
    tcase_add_loop_test(land, trees_are_refused_with_reason_alone, 0, kinds);
    tcase_add_loop_test(land, the_longest_corridor_is_divided, 0, 4);
    tcase_add_test(land, what_cannot_be_is_refused);
    tcase_add_test(land, advice_can_be_taken);
    tcase_set_timeout(full, 3600);
    tcase_set_timeout(land, 3600);
    tcase_set_timeout(towns, 3600);
    suite_add_tcase(suite, full);
    suite_add_tcase(suite, land);
    suite_add_tcase(suite, towns);
    return suite;
}
