/*
 * prop_homes.c: the promises of /starlanes to its players, on galaxies and on skies that are given.
 *
 * How fair homes are is told by fair.c. Promises that hold of a
 * share of maps are asked of some dozens of each kind, with seeds that do not change; `make
 * bench-look` counts hundreds.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#define ASK_BLOCK (64 << 20)
#define ASK_QUERY (1 << 18)

#include "ask.h"
#include "check_starlanes.h"
#include "fair.h"
#include "sky.h"

#include <math.h>

static void ask_galaxy(const char *galaxy, int seed, int homes)
{
    written = 0;
    ask("/starlanes?%s&seed=%d&homeworlds=%d", galaxy, seed, homes);
}

static const struct mw_map *answer(void)
{
    const struct mw_map *map = ask_judged(check_starlanes);
    ck_assert_msg(map, "%.2000s: %s", query, refusal);
    return map;
}

static void ask_sky(int family, uint64_t number, int n)
{
    struct arbitrary source = arbitrary_of(mw_find("starlanes"), number);
    sky_make(&source, family, n);
    written = 0;
    ask("/starlanes?seed=1&positions=%s", sky_positions());
}

/* ---- homes ----------------------------------------------------------------------------------- */

/* Of how many maps homes are fair, and by what. */
struct tally {
    int maps, star, middle, way, nearest, inside, all;
    int realm, reach, rival;
};

static struct fairness count_fair(struct tally *t, const struct mw_map *map)
{
    struct fairness f = fair_look(map);
    ck_assert_msg(!f.centre, "%.2000s", query);
    t->maps++;
    t->star += f.star >= 0.7;
    t->middle += f.middle >= 0.7;
    t->way += f.way >= 0.6;
    t->nearest += f.nearest >= 0.5;
    t->inside += f.rim < 0.95;
    t->realm += f.realm >= 1 / 1.5;
    t->reach += f.reach >= 1 / 1.3;
    t->rival += f.rival >= 4;
    t->all += f.star >= 0.7 && f.middle >= 0.7 && f.way >= 0.6 && f.nearest >= 0.5;
    return f;
}

static void assert_share(const char *what, int count, const struct tally *t, int percent)
{
    ck_assert_msg(100 * count >= percent * t->maps, "%s: %d of %d", what, count, t->maps);
}

static void assert_fair(const struct tally *t)
{
    assert_share("as far from the star at the centre", t->star, t, 95);
    assert_share("as far from the middle", t->middle, t, 95);
    assert_share("as long a way", t->way, t, 90);
    assert_share("as far from the nearest other home", t->nearest, t, 95);
}

static const char *const galaxies[] = {
    "stars=100",
    "stars=600&width=3000&height=600",
    "stars=100&shape=disc",
    "stars=100&shape=spiral",
    "stars=300&shape=spiral&arms=2",
    "stars=100&shape=ring",
    "stars=100&shape=clusters",
    "stars=300&shape=clusters&jitter=1",
};
enum { GALAXIES = sizeof galaxies / sizeof *galaxies };

TEST(homes_are_fair, .end = GALAXIES, .measures = true)
{
    struct tally t = {0};
    for (int homes = 2; homes <= 12; homes++)
        for (int seed = 0; seed < rounds(2); seed++) {
            ask_galaxy(galaxies[_i], seed, homes);
            count_fair(&t, answer());
        }
    assert_fair(&t);
}

/* ---- by jumps -------------------------------------------------------------------------------- */

enum { HOMES_LEAST = 2, HOMES_MOST = 8, STARS_PER_HOME = 25 };
static const char *const shapes[] = {"rectangle", "disc", "ring", "spiral", "clusters"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void count_shape(struct tally *t, const char *shape, int stars_per_home, int seeds)
{
    char galaxy[100];
    for (int homes = HOMES_LEAST; homes <= HOMES_MOST; homes++)
        for (int seed = 100; seed < 100 + seeds; seed++) {
            snprintf(galaxy, sizeof galaxy, "shape=%s&stars=%d", shape, stars_per_home * homes);
            ask_galaxy(galaxy, seed, homes);
            count_fair(t, answer());
        }
}

/* With as few stars for each home as is promised: of all maps, and nearly as many of each shape. */
TEST(homes_are_fair_by_jumps, .measures = true)
{
    struct tally all = {0};
    for (int i = 0; i < SHAPES; i++) {
        struct tally t = {0};
        count_shape(&t, shapes[i], STARS_PER_HOME, rounds(4));
        printf(
            "%s: of %d maps %d have fair realms, %d fair reach, %d rivals 4 jumps away, %d are off "
            "the rim\n",
            shapes[i], t.maps, t.realm, t.reach, t.rival, t.inside);
        assert_share("realms", t.realm, &t, 80);
        assert_share("reach", t.reach, &t, 80);
        assert_share("rivals", t.rival, &t, 95);
        assert_share("inside", t.inside, &t, 75);
        all.maps += t.maps;
        all.realm += t.realm;
        all.reach += t.reach;
    }
    assert_share("realms", all.realm, &all, 93);
    assert_share("reach", all.reach, &all, 93);
}

/* There is more to choose from. */
TEST(many_stars_are_fair_by_jumps, .end = SHAPES - 1, .measures = true)
{
    struct tally t = {0};
    count_shape(&t, shapes[_i], 3 * STARS_PER_HOME, rounds(2));
    assert_share("realms", t.realm, &t, 85);
    assert_share("reach", t.reach, &t, 95);
    assert_share("rivals", t.rival, &t, 100);
}

/* Where few stars are alike, as on two arms or a long map, fair homes could all be neighbours. */
static const char *const narrow[] = {
    "stars=120&shape=spiral&arms=2",
    "stars=120&width=1500&height=500",
    "stars=60&shape=spiral&arms=3",
};
enum { NARROW = sizeof narrow / sizeof *narrow };

TEST(homes_have_room, .end = NARROW, .measures = true)
{
    struct tally t = {0};
    double room = 0;
    for (int homes = 3; homes <= 6; homes++)
        for (int seed = 0; seed < rounds(5); seed++) {
            ask_galaxy(narrow[_i], seed, homes);
            room += count_fair(&t, answer()).room;
        }
    ck_assert_double_ge(room, 1.35 * t.maps);
}

/* Where stars are given nobody knows whether there is a rim worth the name. */
static const int families[] = {SKY_UNIFORM, SKY_CLUSTERS, SKY_JITTERED, SKY_CURVES, SKY_CURVES + 6};

TEST(homes_are_fair_among_given_stars, .end = COUNT(families), .measures = true)
{
    struct tally t = {0};
    for (int homes = 2; homes <= 12; homes++)
        for (int i = 0; i < rounds(2); i++) {
            ask_sky(families[_i], (uint64_t)(100 * homes + i), 120);
            ask("&homeworlds=%d", homes);
            count_fair(&t, answer());
        }
    assert_fair(&t);
}

/* Among few stars there may be no fair homes; then the least unfair will do. */
TEST(few_stars_have_fair_homes_if_any)
{
    struct tally t = {0};
    int possible = 0;
    for (int seed = 0; seed < rounds(60); seed++) {
        ask_galaxy(seed % 3 ? "shape=rectangle" : "shape=disc", seed, 3 + seed % 4);
        ask("&stars=%d", 12 + seed % 5);
        int before = t.all;
        const struct mw_map *map = answer();
        count_fair(&t, map);
        possible += t.all > before || fair_exists(map);
    }
    ck_assert_msg(10 * possible >= 4 * t.maps && 100 * t.all >= 90 * possible,
                  "%d of %d, and %d are possible", t.all, t.maps, possible);
}

static double home_distance(const struct mw_map *map, int32_t a, int32_t b)
{
    const int32_t *const *at = (const int32_t *const *)map->slots[3].as.table.columns;
    return hypot(at[0][a] - at[0][b], at[1][a] - at[1][b]);
}

/* Of equal rings none of the homes is on the outermost, which is the rim, and all are on one. */
TEST(homes_are_on_one_ring)
{
    static const double rings[][2] = {{0, 1}, {10000, 12}, {25000, 24}, {40000, 24}};
    for (int homes = 2; homes <= 6; homes++) {
        ask_galaxy("min_angle=15", 7, homes);
        for (int ring = 0; ring < COUNT(rings); ring++)
            for (int i = 0; i < rings[ring][1]; i++)
                ask("%s%ld,%ld", ring ? ";" : "&positions=",
                    lround(50000 + rings[ring][0] * cos(2 * M_PI * i / rings[ring][1])),
                    lround(50000 + rings[ring][0] * sin(2 * M_PI * i / rings[ring][1])));
        const struct mw_map *map = answer();
        const int32_t *home = map->slots[3].as.table.columns[2];
        for (int i = 0; i < map->slots[3].as.table.rows; i++)
            ck_assert(!home[i] || fabs(home_distance(map, i, 0) - 25000) < 1000);
    }
}

/* No star is farther from all homes and the centre than two of these are from each other. */
TEST(many_homes_are_spread)
{
    ask_sky(SKY_UNIFORM, 2, 500);
    ask("&homeworlds=60");
    const struct mw_map *map = answer();
    const int32_t *home = map->slots[3].as.table.columns[2],
                  centre = map->slots[2].as.value.integer;
    double apart = INFINITY, away = 0;
    for (int i = 0; i < stars; i++) {
        double near = INFINITY;
        for (int k = 0; k < stars; k++)
            if ((home[k] || k == centre) && k != i)
                near = fmin(near, home_distance(map, i, k));
        apart = home[i] ? fmin(apart, near) : apart;
        away = home[i] || i == centre ? away : fmax(away, near);
    }
    ck_assert_double_ge(apart, away);
}

/* Half of all stars: whatever is asked, there are so many homes, and none at the centre. */
TEST(any_number_of_homes_is_found)
{
    for (int n = 2; n < rounds(80); n += n < 12 ? 1 : 17)
        for (int homes = 1; homes < n; homes++) {
            struct tally t = {0};
            ask_galaxy("jitter=1", homes, homes);
            ask("&stars=%d", n);
            ck_assert_int_eq(count_fair(&t, answer()).homes, homes);
        }
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* By a or by b: sums of two roots that differ by a millionth or less, or not at all, and in another
   way once they are rounded, or cut. */
TEST(close_ways_are_told_apart)
{
    static const struct {
        struct mw_point a, b;
    } gates[] = {
        {{2556, 1849}, {3680, 224}}, {{3387, 1587}, {2553, 425}}, {{2835, 1595}, {2175, 575}},
        {{2194, 1296}, {3470, 604}}, {{2734, 1767}, {2794, 226}}, {{2452, 1205}, {2833, 761}},
        {{2895, 1720}, {2408, 366}}, {{3360, 1338}, {3413, 669}}, {{3793, 1564}, {2324, 385}},
        {{3087, 1161}, {2674, 847}}, {{2675, 1225}, {2155, 865}}, {{2876, 1143}, {2211, 910}},
    };
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
        for (int flip = 0; flip < 2; flip++) {
            struct mw_point a = gates[i].a, b = gates[i].b;
            written = 0;
            ask("/starlanes?seed=1&graphs=true&min_angle=0&homes=2"
                "&positions=0,1000;2000,1000;4000,1000;%d,%d;%d,%d",
                (int)a.x, (int)(flip ? 2000 - a.y : a.y), (int)b.x, (int)(flip ? 2000 - b.y : b.y));
            answer();
        }
}
