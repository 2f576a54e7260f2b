/*
 * prop_areas.c: the promises of /areas, on requests of its own.
 *
 * Every map that is made is judged by check_areas.c. On a full map every request must be met; on
 * land of a few cells it must be met whenever brute force finds that it can be.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#include "ask.h"
#include "check_areas.h"
#include "test.h"

static const char *const algorithms[] = {"dfs-backtrack", "dfs",      "frontier",
                                         "mixed",         "frenzied", "coast"};
static const char *const wraps[] = {"none", "x", "xy"};

static void ask_areas(uint32_t seed) { ask_anew("areas", seed); }
static const struct mw_map *answer(void) { return ask_judged(check_areas); }

/* ---- full maps ------------------------------------------------------------------------------- */

static void ask_full(struct arbitrary *source, int side)
{
    int width = 1 + (int)arbitrary_below(source, (uint32_t)side),
        height = 1 + (int)arbitrary_below(source, (uint32_t)side);
    int wrap = (int)arbitrary_below(source, 3);
    bool hex = arbitrary_below(source, 2), holes = wrap || arbitrary_below(source, 2);
    height += hex && wrap == 2 && height % 2;
    bool sea = width > 2 && height > 2 && arbitrary_below(source, 2);
    int cells = (width - (sea && !wrap ? 2 : 0)) * (height - (sea && wrap < 2 ? 2 : 0)),
        count = arbitrary_below(source, 2) ? 1 : 1 + (int)arbitrary_below(source, 9);
    count = count < cells ? count : cells;
    int most = cells / count,
        area = arbitrary_below(source, 4) ? 1 + (int)arbitrary_below(source, (uint32_t)most) : most;
    ask("&width=%d&height=%d&grid=%s&wrap=%s&area=%d&count=%d&holes=%s&edge=%s", width, height,
        hex ? "hex" : "square", wraps[wrap], area, count, holes ? "true" : "false",
        sea ? "sea" : "open");
    ask("&algorithm=%s&ratio=0.%d&first=0.%d&burst=0.%d",
        algorithms[arbitrary_below(source, COUNT(algorithms))], (int)arbitrary_below(source, 10),
        (int)arbitrary_below(source, 10), 1 + (int)arbitrary_below(source, 9));
}

TEST(a_full_map_is_always_made)
{
    for (int i = 0; i < rounds(6000); i++) {
        struct arbitrary source = {.state = (uint64_t)i};
        ask_areas((uint32_t)i);
        ask_full(&source, i % 10 ? 16 : 48);
        ck_assert_msg(answer() != NULL, "refused: %s", query);
    }
}

/* Whatever the size of the map, its defaults work. */
TEST(defaults_fit_every_map)
{
    for (int i = 0; i < 12 * 12 * 6; i++) {
        int width = 1 + i / 6 % 12, height = 1 + i / 72;
        ask_areas((uint32_t)i);
        ask("&width=%d&height=%d&wrap=%s&grid=%s", width, height, wraps[i % 3],
            i % 6 < 3 ? "square" : "hex");
        if (i % 6 == 5 && height % 2)
            continue; /* hexagons that wrap both ways need an even height */
        ck_assert_msg(answer() != NULL, "%s: %s", query, refusal);
    }
}

/* ---- land of a few cells, against brute force ------------------------------------------------ */

enum { FEW = 11 };

/* Land as bits: cell i lies at x[i], y[i]; beside[i] are its neighbours. */
struct tiny {
    int width, height, cells, x[FEW], y[FEW];
    unsigned beside[FEW];
    bool hex;
};

static bool is_beside(const struct tiny *t, int a, int b)
{
    int dy = t->y[b] - t->y[a], dx = t->x[b] - t->x[a];
    if (!t->hex || !dy)
        return abs(dx) + abs(dy) == 1;
    return abs(dy) == 1 && (dx == 0 || dx == (t->y[a] % 2 ? 1 : -1));
}

static struct tiny draw_tiny(struct arbitrary *source)
{
    struct tiny t = {.width = 1 + (int)arbitrary_below(source, 5),
                     .height = 1 + (int)arbitrary_below(source, 5),
                     .hex = arbitrary_below(source, 2)};
    int percent = 50 + (int)arbitrary_below(source, 51);
    for (int i = 0; i < t.width * t.height && t.cells < FEW; i++)
        if ((int)arbitrary_below(source, 100) < percent ||
            (!t.cells && i == t.width * t.height - 1)) {
            t.x[t.cells] = i % t.width;
            t.y[t.cells++] = i / t.width;
        }
    for (int a = 0; a < t.cells; a++)
        for (int b = 0; b < t.cells; b++)
            t.beside[a] |= (unsigned)(a != b && is_beside(&t, a, b)) << b;
    return t;
}

static void ask_tiny(const struct tiny *t)
{
    ask("&grid=%s&mask=", t->hex ? "hex" : "square");
    for (int y = 0, i = 0; y < t->height; y++) {
        ask("%s", y ? "/" : "");
        for (int x = 0; x < t->width; x++) {
            bool land = i < t->cells && t->x[i] == x && t->y[i] == y;
            i += land;
            ask("%s", land ? "%23" : ".");
        }
    }
}

static bool is_connected(const struct tiny *t, unsigned set)
{
    unsigned reached = set & -set, before = 0;
    while (reached != before) {
        before = reached;
        for (int i = 0; i < t->cells; i++)
            if (before >> i & 1)
                reached |= t->beside[i] & set;
    }
    return reached == set;
}

/* Whether a walk over all of `set` exists that has come to `at` over `done`. */
static bool can_be_walked(const struct tiny *t, unsigned set, unsigned done, int at)
{
    if (done == set)
        return true;
    for (int i = 0; i < t->cells; i++)
        if ((t->beside[at] & set & ~done) >> i & 1 && can_be_walked(t, set, done | 1u << i, i))
            return true;
    return false;
}

/* Whether nothing is enclosed: all cells not in the set reach the frame around the map. */
static bool is_whole(const struct tiny *t, unsigned set)
{
    bool taken[8][8] = {{false}}, out[8][8] = {{false}};
    for (int i = 0; i < t->cells; i++)
        taken[t->y[i] + 1][t->x[i] + 1] = set >> i & 1;
    out[0][0] = true;
    for (bool more = true; more;) {
        more = false;
        for (int y = 0; y < t->height + 2; y++)
            for (int x = 0; x < t->width + 2; x++)
                for (int k = 0; k < 9 && !taken[y][x] && !out[y][x]; k++) {
                    int dx = k % 3 - 1, dy = k / 3 - 1;
                    bool apart =
                        t->hex && dy && dx == (y % 2 ? 1 : -1); /* rows are counted from 1 here */
                    if (apart || x + dx < 0 || y + dy < 0 || x + dx > t->width + 1 ||
                        y + dy > t->height + 1)
                        continue;
                    out[y][x] = out[y + dy][x + dx];
                    more = more || out[y][x];
                }
    }
    for (int y = 0; y < t->height + 2; y++)
        for (int x = 0; x < t->width + 2; x++)
            if (!taken[y][x] && !out[y][x])
                return false;
    return true;
}

static int count_bits(unsigned set)
{
    int n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

static bool may_be_area(const struct tiny *t, unsigned set, bool walk, bool holes)
{
    if (!is_connected(t, set) || (!holes && !is_whole(t, set)))
        return false;
    for (int i = 0; walk && i < t->cells; i++)
        if (set >> i & 1 && can_be_walked(t, set, 1u << i, i))
            return true;
    return !walk;
}

/* Whether `count` of the sets fit beside each other on `land`. */
static bool can_be_packed(const unsigned *sets, int n, unsigned land, int count)
{
    if (!count)
        return true;
    for (int i = 0; i < n; i++)
        if (!(sets[i] & ~land) &&
            can_be_packed(sets + i + 1, n - i - 1, land & ~sets[i], count - 1))
            return true;
    return false;
}

static bool is_possible(const struct tiny *t, int area, int count, bool walk, bool holes)
{
    static unsigned sets[1 << FEW];
    int n = 0;
    for (unsigned set = 0; set < 1u << t->cells; set++)
        if (count_bits(set) == area && may_be_area(t, set, walk, holes))
            sets[n++] = set;
    return can_be_packed(sets, n, (1u << t->cells) - 1, count);
}

TEST(what_is_possible_on_tiny_land_is_found)
{
    int missed = 0, refused = 0, asked = rounds(6000);
    for (int i = 0; i < asked; i++) {
        struct arbitrary source = {.state = (uint64_t)i + 77};
        struct tiny t = draw_tiny(&source);
        int count = 1 + (int)arbitrary_below(&source, t.cells < 4 ? (uint32_t)t.cells : 4);
        int area = 1 + (int)arbitrary_below(&source, (uint32_t)(t.cells / count));
        const char *algorithm = algorithms[arbitrary_below(&source, COUNT(algorithms))];
        bool holes = arbitrary_below(&source, 3), walk = algorithm == algorithms[0];
        ask_areas((uint32_t)i);
        ask("&area=%d&count=%d&algorithm=%s&holes=%s&edge=open", area, count, algorithm,
            holes ? "true" : "false");
        ask_tiny(&t);
        bool made = answer() != NULL, possible = is_possible(&t, area, count, walk, holes);
        ck_assert_msg(possible || !made, "brute force is wrong: %s", query);
        refused += !made;
        missed += possible && !made;
        if (possible && !made && is_long())
            fprintf(stderr, "missed: %s\n", query);
    }
    if (is_long())
        fprintf(stderr, "areas on tiny land: %d asked, %d refused, %d of those possible\n", asked,
                refused, missed);
    ck_assert_msg(!missed, "%d of %d requests are refused and could be met", missed, asked);
}

/* ---- walks ----------------------------------------------------------------------------------- */

TEST(walks_of_any_length_are_found)
{
    static const int lengths[] = {200, 800, 1000, 1500, 2000, 2400, 2499, 2500};
    for (int i = 0; i < 20 * 8; i++) {
        ask_areas((uint32_t)i);
        ask("&algorithm=dfs-backtrack&area=%d&edge=open&holes=%s", lengths[i % 8],
            i % 3 ? "true" : "false");
        ck_assert_msg(answer() != NULL, "refused: %s", query);
    }
}

/* ---- character ------------------------------------------------------------------------------- */

/* Sides that face another cell or the rim, over many seeds. */
static long coast(const char *algorithm, const char *grid)
{
    long sides = 0;
    for (int i = 0; i < 40; i++) {
        ask_areas((uint32_t)i);
        ask("&width=60&height=60&area=900&algorithm=%s&grid=%s", algorithm, grid);
        const struct mw_map *map = answer();
        ck_assert(map != NULL);
        const struct mw_cells *cells = &map->slots[5].as.grid;
        for (int y = 0; y < 60; y++)
            for (int x = 0; x < 60; x++)
                for (int k = 0; k < 2 && cells->at[y * 60 + x]; k++)
                    sides += k ? x == 59 || !cells->at[y * 60 + x + 1]
                               : y == 59 || !cells->at[(y + 1) * 60 + x];
    }
    return sides;
}

/* From thin to fat: dfs, mixed, frenzied, frontier; and a walk is thinner than what is mixed. */
TEST(each_algorithm_has_its_character, .end = 2)
{
    const char *grid = _i ? "hex" : "square";
    long walk = coast("dfs-backtrack", grid), dfs = coast("dfs", grid),
         mixed = coast("mixed", grid);
    long frenzied = coast("frenzied", grid), frontier = coast("frontier", grid);
    ck_assert_msg(dfs > mixed && walk > mixed && mixed > frenzied && frenzied > frontier,
                  "%s: walk %ld, dfs %ld, mixed %ld, frenzied %ld, frontier %ld", grid, walk, dfs,
                  mixed, frenzied, frontier);
    ck_assert_msg(2 * dfs > 3 * frontier, "%s: dfs %ld, frontier %ld", grid, dfs, frontier);
}

/* Frenzied: the longer it grows thin at a time beside fat, the longer the coast. */
TEST(the_shares_of_a_frenzied_area_show, .end = 2)
{
    static const char *const fat_to_thin[] = {"first=1&burst=0", "first=0.25&burst=0.1",
                                              "first=0.02&burst=0.1", "first=0&burst=1"};
    long before = 0;
    for (int i = 0; i < 4; i++) {
        char algorithm[60];
        snprintf(algorithm, sizeof algorithm, "frenzied&%s", fat_to_thin[i]);
        long sides = coast(algorithm, _i ? "hex" : "square");
        ck_assert_msg(10 * sides > 11 * before, "%s: %ld, before %ld", algorithm, sides, before);
        before = sides;
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* Two rooms of five by five cells. */
#define ROOMS_ROW "%23%23%23%23%23.%23%23%23%23%23"
#define ROOMS ROOMS_ROW "/" ROOMS_ROW "/" ROOMS_ROW "/" ROOMS_ROW "/" ROOMS_ROW

static const struct {
    const char *query, *pointer, *says;
} refusals[] = {
    {"area=2501&edge=open", "/area", "2501 * 1 = 2501, more than the cells of land: 2500"},
    {"area=2501", "/area", "2501, more than the cells of land inside the rim: 2304"},
    {"area=2500", "/area",
     "2500, more than the cells of land inside the rim: 2304, or 2500 with edge=open"},
    {"area=100&count=26", "/area", "100 * 26 = 2600"},
    {"width=2&height=2&count=5", "/count", "1 * 5 = 5"},
    {"width=4&height=4&count=5", "/count", "inside the rim: 4, or 16 with edge=open"},
    {"width=2&height=9&edge=sea", "/edge",
     "must be open: a map of 2 by 9 has no land but at its rim"},
    {"wrap=x&height=2&edge=sea", "/edge", "must be open"},
    {"mask=%23%23%23/%23.%23/%23%23%23&edge=sea", "/edge", "must be open"},
    {"mask=%23%23%23%23%23/%23%23.%23%23/%23%23%23%23%23&area=2", "/area",
     "2, more than the largest piece of land inside the rim has: 1"},
    {"holes=false&wrap=x", "/holes", "must be true"},
    {"grid=hex&wrap=xy&height=7", "/height", "even"},
    {"algorithm=frenzied&first=0&burst=0", "/burst", "must be above 0 where first is 0"},
    {"mask=.../...", "/mask", "land"},
    {"mask=%23%23./..%23&area=3&edge=open", "/area", "largest piece of land has: 2"},
    {"mask=%23%23.%23%23/.....&area=1&count=5&edge=open", "/area", "1 * 5 = 5"},
    {"mask=%23%23%23.%23%23%23&area=2&count=3&edge=open", "/count", "room for 2 of 2 cells each"},
    {"mask=.%23./%23%23%23/.%23.&area=5&algorithm=dfs-backtrack&edge=open", "/area",
     "were not found"},
    {"mask=" ROOMS "/....%23%23%23..../" ROOMS "&area=60&algorithm=dfs-backtrack&edge=open",
     "/area", "1 of 60 cells each were not found"},
};

TEST(what_cannot_be_is_refused_with_the_reason, .end = COUNT(refusals))
{
    ask_areas(1);
    ask("&%s", refusals[_i].query);
    ck_assert_msg(!answer(), "made: %s", query);
    size_t length = strlen(refusals[_i].pointer);
    ck_assert_msg(!strncmp(refusal, refusals[_i].pointer, length) && refusal[length] == ' ' &&
                      strstr(refusal, refusals[_i].says) != NULL,
                  "%s: %s", query, refusal);
}
