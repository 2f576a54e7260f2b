/*
 * prop_areas.c: the promises of /areas, on requests of its own.
 *
 * Every map that is made is judged by check_areas.c. On a full map every request must be met; on
 * land of a few cells it must be met whenever brute force finds that it can be.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#include "ask.h"
#include "judge.h"
#include "land.h"
#include "look.h"

static const char *const algorithms[] = {"dfs-backtrack", "dfs",      "frontier",
                                         "mixed",         "frenzied", "coast"};

static const struct mw_map *answer(void) { return ask_judged(check_areas); }

/* ---- full maps ------------------------------------------------------------------------------- */

static void ask_full(struct arbitrary *source, int side)
{
    static const char *const wraps[] = {"none", "x", "xy"};
    int width = 1 + below(source, side), height = 1 + below(source, side);
    int wrap = below(source, 3), hex = below(source, 2), holes = wrap || below(source, 2);
    height += hex && wrap == 2 && height % 2;
    bool sea = width > 2 && height > 2 && below(source, 2);
    int cells = (width - (sea && !wrap ? 2 : 0)) * (height - (sea && wrap < 2 ? 2 : 0));
    int count = below(source, 2) ? 1 : 1 + below(source, cells < 9 ? cells : 9);
    int most = cells / count, area = below(source, 4) ? 1 + below(source, most) : most;
    ask("&width=%d&height=%d&grid=%s&wrap=%s&area=%d&count=%d&holes=%s&edge=%s", width, height,
        hex ? "hex" : "square", wraps[wrap], area, count, holes ? "true" : "false",
        sea ? "sea" : "open");
    ask("&algorithm=%s&ratio=0.%d", algorithms[below(source, COUNT(algorithms))],
        below(source, 10));
    ask("&first=0.%d", below(source, 10));
    ask("&burst=0.%d", 1 + below(source, 9));
}

TEST(a_full_map_is_always_made)
{
    for (int i = 0; i < rounds(6000); i++) {
        struct arbitrary source = {.state = (uint64_t)i};
        ask_anew("areas", (uint32_t)i);
        ask_full(&source, i % 10 ? 16 : 48);
        ask_made(answer());
    }
}

/* ---- land of a few cells, against brute force ------------------------------------------------ */

enum { FEW = 11, SIDE = 5 };

/* Land as bits; beside[i] are the neighbours of a cell. */
static struct {
    struct land land;
    int cell[FEW];
    unsigned beside[FEW];
} few;

static bool draw_few(struct arbitrary *source)
{
    struct land *l = &few.land;
    int rank[SIDE * SIDE];
    land_shape(l, source, SIDE);
    l->wrap = 0;
    land_noise(l, source);
    land_find_pieces(l);
    if (!l->cells || l->cells > FEW)
        return false;
    for (int i = 0, n = 0; i < l->width * l->height; i++)
        if (l->is[i])
            few.cell[rank[i] = n++] = i;
    for (int i = 0; i < l->cells; i++) {
        few.beside[i] = 0;
        for (int side = 0; side < land_sides(l); side++) {
            int other = land_beside(l, few.cell[i], side);
            if (other >= 0 && l->is[other])
                few.beside[i] |= 1u << rank[other];
        }
    }
    return true;
}

static bool is_connected(unsigned set)
{
    unsigned reached = set & -set, before = 0;
    while (reached != before) {
        before = reached;
        for (int i = 0; i < few.land.cells; i++)
            reached |= before >> i & 1 ? few.beside[i] & set : 0;
    }
    return reached == set;
}

/* Whether a walk over all of `set` exists that has come to `at` over `done`. */
static bool can_be_walked(unsigned set, unsigned done, int at)
{
    if (done == set)
        return true;
    for (unsigned next = few.beside[at] & set & ~done; next; next &= next - 1)
        if (can_be_walked(set, done | (next & -next), __builtin_ctz(next)))
            return true;
    return false;
}

static bool has_holes(unsigned set)
{
    int32_t cells[SIDE * SIDE] = {0};
    struct judge_grid g = {.width = few.land.width, .height = few.land.height, .hex = few.land.hex};
    for (int i = 0; i < few.land.cells; i++)
        cells[few.cell[i]] = set >> i & 1;
    judge_open(&g, cells);
    bool has = judge_count_holes(&g, 1);
    judge_close(&g);
    return has;
}

static bool may_be_area(unsigned set, bool walk, bool holes)
{
    if (!is_connected(set) || (!holes && has_holes(set)))
        return false;
    for (unsigned start = set; walk && start; start &= start - 1)
        if (can_be_walked(set, start & -start, __builtin_ctz(start)))
            return true;
    return !walk;
}

/* Whether `count` of the sets fit beside each other on `land`. */
static bool can_be_packed(const unsigned *sets, int n, unsigned land, int count)
{
    for (int i = 0; i < n && count; i++)
        if (!(sets[i] & ~land) &&
            can_be_packed(sets + i + 1, n - i - 1, land & ~sets[i], count - 1))
            return true;
    return !count;
}

static bool is_possible(int area, int count, bool walk, bool holes)
{
    static unsigned sets[1 << FEW];
    unsigned all = (1u << few.land.cells) - 1;
    int n = 0;
    for (unsigned set = 0; set <= all; set++)
        if (__builtin_popcount(set) == area && may_be_area(set, walk, holes))
            sets[n++] = set;
    return can_be_packed(sets, n, all, count);
}

TEST(what_is_possible_on_little_land_is_found)
{
    for (int i = 0; i < rounds(12000); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 77};
        if (!draw_few(&source))
            continue;
        int cells = few.land.cells, count = 1 + below(&source, cells < 4 ? cells : 4);
        int area = 1 + below(&source, cells / count);
        int algorithm = below(&source, COUNT(algorithms));
        bool holes = below(&source, 3);
        ask_anew("areas", (uint32_t)i);
        ask("&area=%d&count=%d&algorithm=%s&holes=%s&edge=open%s", area, count,
            algorithms[algorithm], holes ? "true" : "false", land_fields(&few.land));
        ck_assert_msg((answer() != NULL) == is_possible(area, count, !algorithm, holes),
                      "brute force says otherwise: %s %s", query, refusal);
    }
}

/* ---- character ------------------------------------------------------------------------------- */

/* Length of the coast, over many seeds. */
static double coast(const char *algorithm, const char *grid)
{
    static struct look look;
    double length = 0;
    look = (struct look){.least = 1};
    for (uint32_t seed = 0; seed < 40; seed++) {
        ask_anew("areas", seed);
        ask("&width=60&height=60&area=900&algorithm=%s&grid=%s", algorithm, grid);
        look_add(&look, &ask_made(answer())->slots[5].as.grid);
        length += look.shape[seed].perimeter;
    }
    return length;
}

/* From fat to thin: of each the coast is that much of the one before, per cent. */
static const struct {
    int least;
    const char *algorithms[4];
} characters[] = {
    {100, {"frontier", "frenzied", "mixed", "dfs"}},
    {100, {"mixed", "dfs-backtrack"}},
    {150, {"frontier", "dfs"}},
    {110,
     {"frenzied&first=1&burst=0", "frenzied&first=0.25&burst=0.1", "frenzied&first=0.02&burst=0.1",
      "frenzied&first=0&burst=1"}},
};

TEST(each_algorithm_has_its_character, .end = 2 * COUNT(characters))
{
    double before = 0;
    for (int i = 0; i < 4 && characters[_i / 2].algorithms[i]; i++) {
        const char *algorithm = characters[_i / 2].algorithms[i];
        double sides = coast(algorithm, _i % 2 ? "hex" : "square");
        ck_assert_msg(100 * sides > characters[_i / 2].least * before, "%s: %.0f, before %.0f",
                      algorithm, sides, before);
        before = sides;
    }
}
