/*
 * check_mesh.c: the triangulation beneath the lanes. It is Delaunay's, as no circle holds a star;
 * with lanes in it, these are exactly those that were made.
 */
#include "gen/starlanes/mesh/mesh.h"
#include "unit/unit.h"

enum { MOST = 60 };

__extension__ typedef __int128 big;

static struct mw_point at[MOST];
static int32_t stars;

/* ---- stars ----------------------------------------------------------------------------------- */

/* Puts a star where it belongs in the order of coordinates, if there is none yet. */
static void add_star(int32_t x, int32_t y)
{
    int32_t i = stars;
    for (int32_t k = 0; k < stars; k++)
        if (at[k].x == x && at[k].y == y)
            return;
    for (; i > 0 && (at[i - 1].x > x || (at[i - 1].x == x && at[i - 1].y > y)); i--)
        at[i] = at[i - 1];
    at[i] = (struct mw_point){x, y};
    stars++;
}

enum { FAMILIES = 5 };

static void add_one(struct mw_rng *rng, int family, int32_t i)
{
    enum { FAR = (1 << 23) - 1 };
    if (family == 0)
        add_star(mw_between(rng, 0, FAR), mw_between(rng, 0, FAR));
    else if (family == 1) /* many on common circles and lines */
        add_star(mw_between(rng, 0, 6), mw_between(rng, 0, 6));
    else if (family == 2) /* two columns */
        add_star(i % 2 * FAR, mw_between(rng, 0, FAR));
    else if (family == 3) /* one line, and few beside it */
        add_star(3 * i, 500 + 5 * i + (i % 11 == 7));
    else /* two lumps, far apart */
        add_star(i % 2 * (FAR - 50) + mw_between(rng, 0, 50), mw_between(rng, 0, 50));
}

static void make_stars(struct mw_rng *rng, int family)
{
    stars = 0;
    int32_t count = mw_between(rng, 12, MOST);
    for (int32_t i = 0; i < count; i++)
        add_one(rng, family, i);
}

/* ---- what a mesh is -------------------------------------------------------------------------- */

static bool is_whole(const struct mesh *m, int32_t t)
{
    const int32_t *star = m->triangle[t].star;
    return star[0] != stars && star[1] != stars && star[2] != stars;
}

/* Each side has one twin, and the triangles are as many as fill the hull. */
static void check_mesh(const struct mesh *m)
{
    ck_assert_int_eq(m->triangles, 2 * stars - 2);
    for (int32_t s = 0; s < 8 * m->triangles; s += s % 8 == 2 ? 6 : 1) {
        int32_t twin = side_twin(m, s);
        ck_assert(side_twin(m, twin) == s && side_from(m, twin) == side_to(m, s) &&
                  side_to(m, twin) == side_from(m, s));
    }
}

/* Above zero when p lies within the circle through a, b and c, which turn to the left. */
static int in_circle(struct mw_point a, struct mw_point b, struct mw_point c, struct mw_point p)
{
    struct ray pa = ray_to(p, a), pb = ray_to(p, b), pc = ray_to(p, c);
    big sum = (big)square(pa) * cross(pb, pc) + (big)square(pb) * cross(pc, pa) +
              (big)square(pc) * cross(pa, pb);
    return (sum > 0) - (sum < 0);
}

static void check_circles(const struct mesh *m)
{
    for (int32_t t = 0; t < m->triangles; t++) {
        const int32_t *star = m->triangle[t].star;
        bool empty = true;
        for (int32_t i = 0; is_whole(m, t) && i < stars; i++)
            empty &= in_circle(at[star[0]], at[star[1]], at[star[2]], at[i]) <= 0;
        ck_assert(empty);
    }
}

/* ---- building -------------------------------------------------------------------------------- */

TEST(a_mesh_is_delaunays)
{
    for (int i = 0; i < 100; i++) {
        struct mw_rng rng = unit_rng((uint64_t)i);
        struct mw_run *run = unit_open();
        struct mesh m;
        make_stars(&rng, i % FAMILIES);
        if (!mesh_build(run, &m, at, stars))
            continue;
        check_mesh(&m);
        check_circles(&m);
    }
}

TEST(stars_on_a_line_have_no_mesh)
{
    struct mw_run *run = unit_open();
    struct mesh m;
    stars = 0;
    for (int32_t i = 0; i < 20; i++) {
        add_star(3 * i, 100 - 2 * i);
        ck_assert(stars < 2 || !mesh_build(run, &m, at, stars));
    }
    add_star(3, 99);
    ck_assert(mesh_build(run, &m, at, stars));
    check_mesh(&m);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static struct mw_edge lanes[3 * MOST];
static int32_t lane_count;

static int sign(int64_t n) { return (n > 0) - (n < 0); }

static bool cross_each_other(struct mw_edge l, struct mw_edge k)
{
    if (l.a == k.a || l.a == k.b || l.b == k.a || l.b == k.b)
        return false;
    return sign(turn(at[l.a], at[l.b], at[k.a])) * sign(turn(at[l.a], at[l.b], at[k.b])) < 0 &&
           sign(turn(at[k.a], at[k.b], at[l.a])) * sign(turn(at[k.a], at[k.b], at[l.b])) < 0;
}

/* Whether it crosses no lane and runs through no star. */
static bool may_be_lane(struct mw_edge l)
{
    for (int32_t i = 0; i < lane_count; i++)
        if (cross_each_other(l, lanes[i]))
            return false;
    for (int32_t i = l.a + 1; i < l.b; i++)
        if (turn(at[l.a], at[l.b], at[i]) == 0)
            return false;
    return true;
}

/* The lanes of the mesh are those that were made, each on both sides. */
static void check_lanes(const struct mesh *m)
{
    int32_t count = 0;
    for (int32_t t = 0; t < m->triangles; t++)
        for (int32_t s = 8 * t; s < 8 * t + 3; s++) {
            if (!side_is_lane(m, s))
                continue;
            int32_t a = mw_min(side_from(m, s), side_to(m, s)),
                    b = mw_max(side_from(m, s), side_to(m, s)), i = 0;
            while (i < lane_count && (lanes[i].a != a || lanes[i].b != b))
                i++;
            ck_assert_int_lt(i, lane_count);
            count++;
        }
    ck_assert_int_eq(count, 2 * lane_count);
}

static void make_lane(struct mw_run *run, struct mesh *m, struct mw_edge l)
{
    int32_t side = mesh_insert(run, m, l.a, l.b, m->out[l.b]);
    ck_assert(side_from(m, side) == l.a && side_to(m, side) == l.b);
    lanes[lane_count++] = l;
}

static struct mw_edge any_pair(struct mw_rng *rng)
{
    int32_t a = mw_between(rng, 0, stars - 2);
    return (struct mw_edge){a, mw_between(rng, a + 1, stars - 1)};
}

/* Pairs in any order become lanes, as long as they may. */
TEST(lanes_stay_what_they_are)
{
    for (int i = 0; i < 60; i++) {
        struct mw_rng rng = unit_rng((uint64_t)i + 1000);
        struct mw_run *run = unit_open();
        struct mesh m;
        make_stars(&rng, i % FAMILIES);
        if (!mesh_build(run, &m, at, stars))
            continue;
        lane_count = 0;
        for (int k = 0; k < 4 * stars; k++) {
            struct mw_edge pair = any_pair(&rng);
            bool was_lane = false;
            for (int32_t j = 0; j < lane_count; j++)
                was_lane |= lanes[j].a == pair.a && lanes[j].b == pair.b;
            if (!was_lane && may_be_lane(pair))
                make_lane(run, &m, pair);
            if (k % 32 == 0)
                check_mesh(&m);
        }
        check_mesh(&m);
        check_lanes(&m);
    }
}
