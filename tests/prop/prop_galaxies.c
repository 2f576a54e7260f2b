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
#include "rounds.h"
#include "test.h"

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

/* The share of lanes from one arm to another. */
static double across_arms(int arms, double *fit)
{
    static int arm[STARS_MOST];
    int across = 0;
    *fit = find_arms(arms, arm);
    for (int32_t i = 0; i < sky.lanes.count; i++) {
        int a = arm[sky.lanes.at[i].a], b = arm[sky.lanes.at[i].b];
        across += a >= 0 && b >= 0 && a != b;
    }
    return across / (double)sky.lanes.count;
}

/* The share of lanes through the empty space of a ring. */
static double across_hole(void)
{
    int across = 0;
    for (int32_t i = 0; i < sky.lanes.count; i++) {
        int a = sky.lanes.at[i].a, b = sky.lanes.at[i].b;
        double x = sky.radius[a] * cos(2 * M_PI * sky.angle[a]) +
                   sky.radius[b] * cos(2 * M_PI * sky.angle[b]),
               y = sky.radius[a] * sin(2 * M_PI * sky.angle[a]) +
                   sky.radius[b] * sin(2 * M_PI * sky.angle[b]);
        bool within = sky.radius[a] < .4, other = sky.radius[b] < .4;
        across += within != other || (!within && hypot(x, y) / 2 < .48);
    }
    return across / (double)sky.lanes.count;
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

/* The share of lanes between clusters, and how many of these have three stars or more. */
static double across_clusters(int *clusters)
{
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
    *clusters = 0;
    for (int i = 0; i < sky.n; i++)
        *clusters += ++size[part[i]] == 3;
    return across / (double)sky.lanes.count;
}

static const struct {
    int stars, arms;
    double share; /* of lanes between arms, at most */
    double fit;   /* of stars to the ridges, at least */
} spirals[] = {
    {100, 2, .06, .7},  {100, 4, .13, .65},  {300, 2, .03, .65}, {300, 4, .05, .55},
    {300, 6, .06, .55}, {300, 12, .14, .35}, {1000, 4, .02, .6}, {1000, 12, .05, .5},
};

TEST(lanes_keep_to_their_arms, .end = COUNT(spirals), .measures = true)
{
    double share = 0, fit = 0, worst = 1;
    for (uint32_t seed = 0; seed < MAPS; seed++) {
        look_at(seed, "&shape=spiral&stars=%d&arms=%d", spirals[_i].stars, spirals[_i].arms);
        share += across_arms(spirals[_i].arms, &fit) / MAPS;
        worst = fmin(worst, fit);
    }
    printf("%d stars, %d arms: %.3f of the lanes cross a gap, ridges %.2f\n", spirals[_i].stars,
           spirals[_i].arms, share, worst);
    ck_assert_double_le(share, spirals[_i].share);
    ck_assert_double_ge(worst, spirals[_i].fit);
}

/* What is seen of spirals is not seen of all stars. */
TEST(no_arms_are_seen_in_a_disc, .measures = true)
{
    double fit;
    for (uint32_t seed = 0; seed < 3; seed++) {
        look_at(seed, "&shape=disc&stars=300");
        ck_assert_double_ge(across_arms(4, &fit), .09);
        ck_assert_double_le(fit, .3);
    }
}

static const struct {
    int stars;
    double share;
} rings[] = {{100, .04}, {300, .02}, {1000, .01}}, blobs[] = {{100, .13}, {300, .07}, {1000, .04}};

TEST(lanes_keep_to_the_ring, .end = COUNT(rings), .measures = true)
{
    double share = 0;
    for (uint32_t seed = 0; seed < MAPS; seed++) {
        look_at(seed, "&shape=ring&stars=%d", rings[_i].stars);
        int hole = 0, heart = 0;
        for (int i = 0; i < sky.n; i++) {
            hole += sky.radius[i] > .25 && sky.radius[i] < .5;
            heart += sky.radius[i] < .25;
        }
        ck_assert_int_eq(hole, 0);
        ck_assert_int_ge(heart, 1);
        ck_assert_int_le(heart, sky.n / 10);
        share += across_hole() / MAPS;
    }
    printf("%d stars in a ring: %.3f of the lanes cross it\n", rings[_i].stars, share);
    ck_assert_double_le(share, rings[_i].share);
}

TEST(lanes_keep_to_their_clusters, .end = COUNT(blobs), .measures = true)
{
    double share = 0;
    for (uint32_t seed = 0; seed < MAPS; seed++) {
        look_at(seed, "&shape=clusters&stars=%d", blobs[_i].stars);
        int clusters;
        share += across_clusters(&clusters) / MAPS;
        ck_assert_int_ge(clusters, 4);
        ck_assert_int_le(clusters, sky.n / 5);
    }
    printf("%d stars in clusters: %.3f of the lanes join them\n", blobs[_i].stars, share);
    ck_assert_double_le(share, blobs[_i].share);
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

/* As few stars as can be, in arms as many as can be. */
TEST(small_galaxies_come_out, .end = COUNT(galaxies))
{
    for (int stars = 2; stars <= 40; stars += stars < 8 ? 1 : 8)
        for (uint32_t seed = 1; seed <= (uint32_t)rounds(20); seed++) {
            look_at(seed, "&shape=%s&stars=%d&arms=%d", galaxies[_i], stars, 2 + (int)(seed % 11));
        }
}

/* As many stars as there are places, and some fewer. */
TEST(full_galaxies_come_out, .end = COUNT(galaxies))
{
    for (uint32_t seed = 1; seed <= (uint32_t)rounds(400); seed++) {
        int width = 1 + (int)(seed % 12), height = 2 + (int)(seed / 12 % 12), all = width * height;
        int stars = all - (int)(seed % 5) * all / 9;
        look_at(seed, "&shape=%s&stars=%d&width=%d&height=%d&homeworlds=1", galaxies[_i],
                stars < 2 ? 2 : stars, width, height);
    }
}

/* ---- parameters ------------------------------------------------------------------------------ */

static void bind_extent(const char *wishes, long *width, long *height)
{
    static struct mw_request request;
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    struct mw_run *run = mw_open(&limits);
    ask_anew("starlanes", 1);
    ask("%s", wishes);
    ck_assert(mw_bind_address(run, query, written, &request));
    *width = asked_number(request.address, "width", 0);
    *height = asked_number(request.address, "height", 0);
}

/* What is left out grows with the stars, a thousand units' square for each. */
TEST(extents_grow_with_the_stars)
{
    static const struct {
        const char *wishes;
        long width, height;
    } known[] = {
        {"", 1000, 1000},
        {"&stars=1000", 1000, 1000},
        {"&stars=4000", 2000, 2000},
        {"&stars=100000", 10000, 10000},
        {"&stars=200000&shape=spiral", 14142, 14142},
        {"&stars=100000&width=1000", 1000, 10000},
        {"&stars=100000&width=1000&height=900", 1000, 900},
        {"&positions=1,2;30,4", 31, 5},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        long width, height;
        bind_extent(known[i].wishes, &width, &height);
        ck_assert_msg(width == known[i].width && height == known[i].height, "%s: %ld x %ld",
                      known[i].wishes, width, height);
    }
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
