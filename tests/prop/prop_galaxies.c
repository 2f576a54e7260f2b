/*
 * prop_galaxies.c: the shapes of galaxies, seen from stars and lanes alone.
 *
 * Nothing is taken from the generator. Arms are found by winding the plane back until the stars'
 * angles agree best: with z = e^(i arms (angle - turns sqrt(r))) that is where the mean of z is
 * longest. It is 1 where all stars stand on ridges, and next to 0 for stars all around. Clusters
 * are stars that hang together by lanes no longer than thrice the median of nearest distances.
 *
 * Shares are means of a dozen maps, and bounds a third or more above what they are now.
 */
#include "ask.h"
#include "asked.h"
#include "check_starlanes.h"

#include <math.h>

enum { WIDTH, HEIGHT, CENTRE, STARS, LANES };
enum { MAPS = 12, STARS_MOST = 1000 };

static const char *const galaxies[] = {"disc", "spiral", "ring", "clusters"};

static struct sky {
    int n;
    const struct mw_point *at;
    double radius[STARS_MOST], angle[STARS_MOST]; /* in shares of the galaxy's, and of a turn */
    struct mw_edges lanes;
} sky;

/* Judges the map asked for, and looks at it. */
static void look(void)
{
    static struct mw_point at[STARS_MOST];
    const struct mw_map *map = ask_judged(check_starlanes);
    ck_assert_msg(map, "%s: %s", query, refusal);
    const struct mw_rowset *table = &map->slots[STARS].as.table;
    const int32_t *x = table->columns[0], *y = table->columns[1];
    double width = map->slots[WIDTH].as.value.integer, height = map->slots[HEIGHT].as.value.integer;
    sky.n = table->rows;
    ck_assert_int_le(sky.n, STARS_MOST);
    sky.at = at;
    sky.lanes = map->slots[LANES].as.edges;
    for (int i = 0; i < sky.n; i++) {
        double across = (2 * x[i] + 1 - width) / width, down = (2 * y[i] + 1 - height) / height;
        at[i] = (struct mw_point){x[i], y[i]};
        sky.radius[i] = hypot(across, down);
        sky.angle[i] = atan2(down, across) / (2 * M_PI);
    }
}

/* Asks for a galaxy, and looks at it. */
__attribute__((format(printf, 2, 3))) static void look_at(uint32_t seed, const char *format, ...)
{
    char rest[200];
    va_list args;
    va_start(args, format);
    vsnprintf(rest, sizeof rest, format, args);
    va_end(args);
    ask_anew("starlanes", seed);
    ask("%s", rest);
    look();
}

static double apart(int a, int b)
{
    return hypot(sky.at[a].x - sky.at[b].x, sky.at[a].y - sky.at[b].y);
}

/* ---- lanes and gaps -------------------------------------------------------------------------- */

/* How well the stars outside the heart stand on ridges that turn so, and where these lie. */
static double ridge(int arms, double turns, double *phase)
{
    double east = 0, south = 0, all = 0;
    for (int i = 0; i < sky.n; i++) {
        double z = 2 * M_PI * arms * (sky.angle[i] - turns * sqrt(sky.radius[i]));
        if (sky.radius[i] < .3)
            continue;
        all++;
        east += cos(z);
        south += sin(z);
    }
    *phase = atan2(south, east) / (2 * M_PI);
    return hypot(east, south) / fmax(all, 1);
}

/* The arm of each star, from 0; -1 in the heart. How well they stand. */
static double find_arms(int arms, int *arm)
{
    double best = 0, turns = 0, phase = 0, lies;
    for (int k = -200; k <= 200; k++) {
        double fit = ridge(arms, k * .01, &lies);
        if (fit > best) {
            best = fit;
            turns = k * .01;
            phase = lies;
        }
    }
    for (int i = 0; i < sky.n; i++) {
        double along = arms * (sky.angle[i] - turns * sqrt(sky.radius[i])) - phase;
        arm[i] = sky.radius[i] < .3 ? -1 : (int)(lround(along) % arms + arms) % arms;
    }
    return best;
}

/* What tells a shape: the share of lanes that leave a part of it (an arm, the ring, a cluster) for
   another, and how well the stars stand where they should. */
struct measure {
    double across, fit;
};

static struct measure measure_arms(int arms)
{
    static int arm[STARS_MOST];
    int across = 0;
    double fit = find_arms(arms, arm);
    for (int32_t i = 0; i < sky.lanes.count; i++) {
        int a = arm[sky.lanes.at[i].a], b = arm[sky.lanes.at[i].b];
        across += a >= 0 && b >= 0 && a != b;
    }
    return (struct measure){across / (double)sky.lanes.count, fit};
}

/* Of a ring: lanes through the empty space. Fits when that is empty but for a small heart. */
static struct measure measure_ring(int arms)
{
    (void)arms;
    int across = 0, hole = 0, heart = 0;
    for (int i = 0; i < sky.n; i++) {
        hole += sky.radius[i] > .25 && sky.radius[i] < .5;
        heart += sky.radius[i] < .25;
    }
    for (int32_t i = 0; i < sky.lanes.count; i++) {
        int a = sky.lanes.at[i].a, b = sky.lanes.at[i].b;
        double x = sky.radius[a] * cos(2 * M_PI * sky.angle[a]) +
                   sky.radius[b] * cos(2 * M_PI * sky.angle[b]),
               y = sky.radius[a] * sin(2 * M_PI * sky.angle[a]) +
                   sky.radius[b] * sin(2 * M_PI * sky.angle[b]);
        bool within = sky.radius[a] < .4, other = sky.radius[b] < .4;
        across += within != other || (!within && hypot(x, y) / 2 < .48);
    }
    return (struct measure){across / (double)sky.lanes.count,
                            !hole && heart >= 1 && heart <= sky.n / 10};
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of all stars the distances to the nearest other, from the least to the most. */
static const double *nearest(void)
{
    static double near[STARS_MOST];
    for (int i = 0; i < sky.n; i++) {
        near[i] = INFINITY;
        for (int k = 0; k < sky.n; k++)
            if (k != i)
                near[i] = fmin(near[i], apart(i, k));
    }
    qsort(near, (size_t)sky.n, sizeof *near, by_size);
    return near;
}

/* Fits when there are some, but not very many, of three stars or more. */
static struct measure measure_clusters(int arms)
{
    (void)arms;
    static int part[STARS_MOST], size[STARS_MOST];
    double far = 3 * nearest()[sky.n / 2];
    for (int i = 0; i < sky.n; i++)
        part[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < sky.lanes.count; i++) {
            int a = sky.lanes.at[i].a, b = sky.lanes.at[i].b;
            if (apart(a, b) > far || part[a] == part[b])
                continue;
            part[a] = part[b] = part[a] < part[b] ? part[a] : part[b];
            changed = true;
        }
    }
    int across = 0;
    for (int32_t i = 0; i < sky.lanes.count; i++)
        across += part[sky.lanes.at[i].a] != part[sky.lanes.at[i].b];
    memset(size, 0, sizeof size);
    int clusters = 0;
    for (int i = 0; i < sky.n; i++)
        clusters += ++size[part[i]] == 3;
    return (struct measure){across / (double)sky.lanes.count,
                            clusters >= 4 && clusters <= sky.n / 5};
}

static const struct {
    const char *shape;
    struct measure (*measure)(int arms);
    int stars, arms;
    double across, fit; /* at most, in the mean; at least, of each map */
} kinds[] = {
    {"spiral", measure_arms, 100, 2, .06, .7},      {"spiral", measure_arms, 100, 4, .13, .65},
    {"spiral", measure_arms, 300, 2, .03, .65},     {"spiral", measure_arms, 300, 4, .05, .55},
    {"spiral", measure_arms, 300, 6, .06, .55},     {"spiral", measure_arms, 300, 12, .14, .35},
    {"spiral", measure_arms, 1000, 4, .02, .6},     {"spiral", measure_arms, 1000, 12, .05, .5},
    {"ring", measure_ring, 100, 4, .04, 1},         {"ring", measure_ring, 300, 4, .02, 1},
    {"ring", measure_ring, 1000, 4, .01, 1},        {"clusters", measure_clusters, 100, 4, .13, 1},
    {"clusters", measure_clusters, 300, 4, .07, 1}, {"clusters", measure_clusters, 1000, 4, .04, 1},
};

TEST(lanes_keep_to_their_part_of_a_galaxy, .end = COUNT(kinds), .measures = true)
{
    struct measure all = {0, 1};
    for (uint32_t seed = 0; seed < MAPS; seed++) {
        look_at(seed, "&shape=%s&stars=%d&arms=%d", kinds[_i].shape, kinds[_i].stars,
                kinds[_i].arms);
        struct measure m = kinds[_i].measure(kinds[_i].arms);
        all.across += m.across / MAPS;
        all.fit = fmin(all.fit, m.fit);
    }
    printf("%s, %d stars, %d arms: %.3f of the lanes cross a gap, fit %.2f\n", kinds[_i].shape,
           kinds[_i].stars, kinds[_i].arms, all.across, all.fit);
    ck_assert_double_le(all.across, kinds[_i].across);
    ck_assert_double_ge(all.fit, kinds[_i].fit);
}

/* What is seen of spirals is not seen of all stars. */
TEST(no_arms_are_seen_in_a_disc, .measures = true)
{
    for (uint32_t seed = 0; seed < 3; seed++) {
        look_at(seed, "&shape=disc&stars=300");
        struct measure m = measure_arms(4);
        ck_assert_double_ge(m.across, .09);
        ck_assert_double_le(m.fit, .3);
    }
}

/* ---- stars ----------------------------------------------------------------------------------- */

/* Bright within: twice as many stars a place in the inner half as outside; none beyond the rim. */
TEST(a_disc_fades_outward, .measures = true)
{
    for (uint32_t seed = 0; seed < MAPS; seed++) {
        look_at(seed, "&shape=disc&stars=600&width=1600&height=900");
        int within = 0;
        for (int i = 0; i < sky.n; i++) {
            ck_assert_double_le(sky.radius[i], 1.06);
            within += sky.radius[i] < .5;
        }
        ck_assert_int_ge(within, 2 * (sky.n - within) / 3);
        ck_assert_int_le(within, 2 * (sky.n - within));
    }
}

/* No two stars are much nearer than is usual: a rectangle of today has .26 and less. */
TEST(stars_of_a_galaxy_keep_apart, .end = COUNT(galaxies), .measures = true)
{
    double least = 1;
    for (uint32_t seed = 0; seed < MAPS; seed++)
        for (int stars = 100; stars <= 1000; stars += 900) {
            look_at(seed, "&shape=%s&stars=%d", galaxies[_i], stars);
            const double *near = nearest();
            least = fmin(least, near[0] / near[sky.n / 2]);
        }
    printf("%s: the nearest pair is %.2f of the median apart\n", galaxies[_i], least);
    ck_assert_double_ge(least, .4);
}

TEST(a_galaxy_has_a_star_at_its_centre, .end = COUNT(galaxies))
{
    for (uint32_t seed = 0; seed < 30; seed++) {
        int width = 500 + 37 * (int)seed, height = 900 - 11 * (int)seed;
        look_at(seed, "&shape=%s&stars=%d&width=%d&height=%d", galaxies[_i], 2 + 7 * (int)seed,
                width, height);
        int there = 0;
        for (int i = 0; i < sky.n; i++)
            there += sky.at[i].x == width / 2 && sky.at[i].y == height / 2;
        ck_assert_int_eq(there, 1);
    }
}

/* As few stars as can be, in arms as many as can be; as many stars as there are places, and some
   fewer. */
TEST(small_and_full_galaxies_are_made, .end = COUNT(galaxies))
{
    for (int stars = 2; stars <= 40; stars += stars < 8 ? 1 : 8)
        for (uint32_t seed = 1; seed <= (uint32_t)rounds(20); seed++)
            look_at(seed, "&shape=%s&stars=%d&arms=%d", galaxies[_i], stars, 2 + (int)(seed % 11));
    for (uint32_t seed = 1; seed <= (uint32_t)rounds(400); seed++) {
        int width = 1 + (int)(seed % 12), height = 2 + (int)(seed / 12 % 12), all = width * height;
        int stars = all - (int)(seed % 5) * all / 9;
        look_at(seed, "&shape=%s&stars=%d&width=%d&height=%d&homeworlds=1", galaxies[_i],
                stars < 2 ? 2 : stars, width, height);
    }
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* What is left out grows with the stars, a thousand units' square for each. */
static const struct {
    const char *wishes;
    long width, height;
} extents[] = {
    {"", 1000, 1000},
    {"&stars=1000", 1000, 1000},
    {"&stars=4000", 2000, 2000},
    {"&stars=100000", 10000, 10000},
    {"&stars=200000&shape=spiral", 14142, 14142},
    {"&stars=100000&width=1000", 1000, 10000},
    {"&stars=100000&width=1000&height=900", 1000, 900},
    {"&positions=1,2;30,4", 31, 5},
};

TEST(extents_grow_with_the_stars, .end = COUNT(extents))
{
    static struct mw_request request;
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    ask_anew("starlanes", 1);
    ask("%s", extents[_i].wishes);
    ck_assert(mw_bind_address(mw_open(&limits), query, written, &request));
    ck_assert_int_eq(asked_number(request.address, "width", 0), extents[_i].width);
    ck_assert_int_eq(asked_number(request.address, "height", 0), extents[_i].height);
}

static bool same_stars(const char *these, const char *those)
{
    static struct mw_point kept[STARS_MOST];
    look_at(7, "%s", these);
    int n = sky.n;
    memcpy(kept, sky.at, (size_t)n * sizeof *kept);
    look_at(7, "%s", those);
    return n == sky.n && !memcmp(kept, sky.at, (size_t)n * sizeof *kept);
}

/* Arms are a spiral's, and shapes are of stars that are not given. */
TEST(what_does_not_matter_is_let_be)
{
    ck_assert(same_stars("&shape=disc&arms=3", "&shape=disc&arms=9"));
    ck_assert(!same_stars("&shape=spiral&arms=3", "&shape=spiral&arms=9"));
    ck_assert(same_stars("&positions=1,2;30,4;9,9&shape=ring", "&positions=1,2;30,4;9,9"));
    ck_assert(same_stars("", "&shape=rectangle"));
    ck_assert(!same_stars("", "&shape=disc"));
}
