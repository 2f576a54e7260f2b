/*
 * check_homes.c: where homes go among stars whose best homes are known.
 *
 * How fair homes are on galaxies is judged elsewhere (tests/prop/prop_homes.c).
 */
#include "gen/starlanes/starlanes.h"
#include "kit/plane.h"
#include "unit/unit.h"

#include <math.h>

enum { MOST = 500, EXTENT = 100000 };

static struct mw_point at[MOST];
static int32_t stars, homes[MOST], index_of[MOST];

static void add(double x, double y)
{
    int32_t i = stars++;
    struct mw_point p = {(int32_t)lround(x), (int32_t)lround(y)};
    for (; i > 0 && (p.x < at[i - 1].x || (p.x == at[i - 1].x && p.y < at[i - 1].y)); i--)
        at[i] = at[i - 1];
    at[i] = p;
}

static struct star_network net;

/* The maximum graph of the stars, and its ways from a star. */
static void make_network(struct mw_run *run, int32_t centre)
{
    net = (struct star_network){.stars = stars, .centre = centre, .density = 500};
    net.lanes.at = MW_NEW(run, struct mw_edge, 3 * stars);
    starlanes_maximum(run, at, stars, starlanes_cosine(15000), "/stars", &net.lanes);
    net.lanes.order = starlanes_order(run, at, &net.lanes);
    net.minimum = MW_NEW(run, bool, net.lanes.count);
    net.result = MW_NEW(run, bool, net.lanes.count);
    net.others.at = MW_NEW(run, struct listed_lane, net.lanes.count);
    starlanes_network(run, at, 4000, &net);
}

/* The star in the middle is the one at the centre. */
static int32_t choose(int32_t count)
{
    int32_t centre = 0;
    while (at[centre].x != EXTENT / 2 || at[centre].y != EXTENT / 2)
        centre++;
    for (int32_t i = 0; i < stars; i++)
        index_of[i] = i;
    struct mw_run *run = unit_open();
    run->generator = "starlanes";
    run->seed = "7";
    make_network(run, centre);
    struct home_wish wish = {at, index_of, stars, centre, {EXTENT, EXTENT}, false};
    starlanes_homes(run, &wish, &net, homes, count);
    return centre;
}

static void add_ring(double radius, int count)
{
    for (int i = 0; i < count; i++)
        add(EXTENT / 2 + radius * cos(6.283185307 * i / count),
            EXTENT / 2 + radius * sin(6.283185307 * i / count));
}

/* Of equal rings, none of the homes is on the outermost, which is the rim, and all are on one. */
TEST(homes_are_on_one_ring)
{
    static const int counts[] = {2, 3, 4, 6};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        stars = 0;
        add_ring(0, 1);
        add_ring(10000, 12);
        add_ring(25000, 24);
        add_ring(40000, 24);
        choose(counts[k]);
        for (int i = 0; i < counts[k]; i++) {
            double radius = hypot(at[homes[i]].x - EXTENT / 2, at[homes[i]].y - EXTENT / 2);
            ck_assert_double_ge(radius, 24000);
            ck_assert_double_le(radius, 26000);
        }
    }
}

/* No star is farther from all homes and the centre than two homes are from each other. */
TEST(many_homes_are_spread)
{
    struct mw_rng rng = unit_rng(2);
    stars = 0;
    add(EXTENT / 2, EXTENT / 2);
    while (stars < MOST)
        add(mw_below(&rng, EXTENT), mw_below(&rng, EXTENT));
    int32_t centre = choose(60);
    bool home[MOST] = {false};
    for (int i = 0; i < 60; i++) {
        ck_assert(homes[i] != centre && !home[homes[i]]);
        home[homes[i]] = true;
    }
    home[centre] = true;
    double apart = INFINITY, away = 0;
    for (int i = 0; i < stars; i++) {
        double near = INFINITY;
        for (int k = 0; k < stars; k++)
            if (home[k] && k != i)
                near = fmin(near, hypot(at[i].x - at[k].x, at[i].y - at[k].y));
        if (home[i])
            apart = fmin(apart, near);
        else
            away = fmax(away, near);
    }
    ck_assert_double_ge(apart, away);
}
