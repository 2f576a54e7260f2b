/*
 * try_pair.c: whether a pair becomes a lane, and what follows.
 *
 * A pair that is a side of the mesh crosses nothing; any other is followed through the triangles
 * between its stars, and given up at the first lane. At both ends it is turned, left and right, to
 * the neighbours until the angle is wide enough: a lane on the way is too close.
 *
 * What follows: a side that is refused is OPEN from then on. All who may see through it are
 * queried, the two stars that look at it and those who wait there. A lane that is no side is
 * inserted: its cavity is made anew (mesh.c), the new sides between its triangles are queued, and
 * each star is queried for what it sees through its new triangles. And whenever a lane is made,
 * expectations of sides too close to it are revoked: the sides are queued, to be tried at their
 * time, and their stars are queried for what they see beside them.
 */
#include "lane_search.h"

/* Whether a lane to the left of side s, out of star a, is too close to `ray`, which is near the
   side. */
static bool crowded_left(const struct lane_search *q, int32_t a, struct ray ray, int32_t s)
{
    const struct mesh *m = &q->mesh;
    for (;; s = side_left(m, s)) {
        int32_t x = side_apex(m, s);
        mw_tick(q->run, 1);
        if (x == m->stars)
            return false;
        bool close = too_close(&q->angle, ray, star_ray(m, a, x));
        if (!close || is_lane(q, side_prev(s)))
            return close;
    }
}

static bool crowded_right(const struct lane_search *q, int32_t a, struct ray ray, int32_t s)
{
    const struct mesh *m = &q->mesh;
    for (;;) {
        int32_t t = side_twin(m, s), x = side_apex(m, t);
        mw_tick(q->run, 1);
        if (x == m->stars)
            return false;
        s = side_next(t);
        bool close = too_close(&q->angle, ray, star_ray(m, a, x));
        if (!close || is_lane(q, s))
            return close;
    }
}

/* Whether a lane at star a is too close to `ray`, which runs between side s and the next to the
   left. */
static bool crowded_between(const struct lane_search *q, int32_t a, struct ray ray, int32_t s)
{
    const struct mesh *m = &q->mesh;
    bool close = too_close(&q->angle, ray, star_ray(m, a, side_to(m, s)));
    if (close && is_lane(q, s))
        return true;
    return crowded_left(q, a, ray, s) || (close && crowded_right(q, a, ray, s));
}

/* The side toward a from b, given the one toward b from a, which is not it; or -1 where a lane
   crosses. */
static int32_t reach(const struct lane_search *q, int32_t a, int32_t b, int32_t side)
{
    const struct mesh *m = &q->mesh;
    int32_t s = side_next(side);
    while (!is_lane(q, s)) {
        int32_t t = side_twin(m, s), z = side_apex(m, t);
        mw_tick(q->run, 1);
        if (z == b)
            return side_prev(t);
        s = turn(m->at[a], m->at[b], m->at[z]) > 0 ? side_next(t) : side_prev(t);
    }
    return -1;
}

/* Sides s and t, its twin, will never be a lane: queries all who may see through them. */
static void give_up(struct lane_search *q, int32_t s, int32_t t)
{
    assert(side_twin(&q->mesh, s) == t && !side_is_lane(&q->mesh, s));
    int32_t waiting = visibility_take_waiting(q, s >> 3, visibility_take_waiting(q, t >> 3, 0));
    q->event++;
    visibility_query_waiting(q, waiting);
    visibility_query(q, side_prev(s));
    visibility_query(q, side_prev(t));
}

/* A expected side is to be tried at its time, and does not hide what is close to it any more. */
static void revoke(struct lane_search *q, int32_t s)
{
    struct mesh *m = &q->mesh;
    assert(is_expected(m, s) && is_expected(m, side_twin(m, s)));
    int32_t t = side_twin(m, s), first = side_from(m, s) < side_from(m, t) ? s : t;
    m->triangle[s >> 3].lanes &= ~((uint32_t)EXPECTED << (s & 3));
    m->triangle[t >> 3].lanes &= ~((uint32_t)EXPECTED << (t & 3));
    m->triangle[first >> 3].lanes |= CHANGED;
    visibility_make_room(q);
    visibility_push(q, (struct pair_task){pair_of(m, first), first, 0});
    q->event++;
    visibility_query(q, s);
    visibility_query(q, t);
    visibility_query(q, side_next(s));
    visibility_query(q, side_next(t));
}

/* Revokes the expected sides too close to the new lane of star a along `ray`, from side t on to the
   left or to the right. */
static void revoke_while_close(struct lane_search *q, int32_t a, struct ray ray, int32_t t,
                               bool left)
{
    const struct mesh *m = &q->mesh;
    while (side_to(m, t) != m->stars && too_close(&q->angle, ray, star_ray(m, a, side_to(m, t)))) {
        mw_tick(q->run, 1);
        if (is_expected(m, t))
            revoke(q, t);
        t = left ? side_left(m, t) : side_right(m, t);
    }
}

static void revoke_around(struct lane_search *q, int32_t a, int32_t s)
{
    const struct mesh *m = &q->mesh;
    struct ray ray = star_ray(m, a, side_to(m, s));
    revoke_while_close(q, a, ray, side_left(m, s), true);
    revoke_while_close(q, a, ray, side_right(m, s), false);
}

/* Makes a lane of side s, out of star a, or leaves it for ever. */
static void try_side(struct lane_search *q, int32_t a, int32_t s)
{
    struct mesh *m = &q->mesh;
    int32_t b = side_to(m, s), t = side_twin(m, s);
    assert(side_from(m, s) == a && b != m->stars);
    struct ray ray = star_ray(m, a, b);
    struct ray back = {-ray.x, -ray.y};
    if (!crowded_left(q, a, ray, s) && !crowded_right(q, b, back, t) &&
        !crowded_right(q, a, ray, s) && !crowded_left(q, b, back, t)) {
        mesh_set_lane(m, s);
        q->event++;
        revoke_around(q, a, s);
        revoke_around(q, b, t);
        return;
    }
    give_up(q, s, t);
}

/* Whether a side, out of its earlier star, is a pair after now, and neither lane nor expected. */
static bool awaits_trial(const struct lane_search *q, int32_t s)
{
    const struct mesh *m = &q->mesh;
    return side_from(m, s) < side_to(m, s) && side_to(m, s) != m->stars && !side_is_lane(m, s) &&
           !is_expected(m, s) && pair_before(q->now, pair_of(m, s));
}

/* The sides between triangles made anew are pairs to be tried. */
static void queue_sides(struct lane_search *q, const int32_t *triangle, int32_t count)
{
    const struct mesh *m = &q->mesh;
    for (int32_t i = 0; i < count; i++)
        for (int32_t s = 8 * triangle[i]; s < 8 * triangle[i] + 3; s++) {
            if (epoch_of(q, side_twin(m, s)) != epoch_of(q, s) || !awaits_trial(q, s))
                continue;
            visibility_make_room(q);
            visibility_push(q, (struct pair_task){pair_of(m, s), s, 0});
        }
}

/* Makes a lane from a to b, which is no side, and queries all around again. */
static void insert(struct lane_search *q, int32_t a, int32_t b, int32_t side)
{
    struct mesh *m = &q->mesh;
    char *mark = mw_mark(q->run);
    int32_t count, *cavity = mesh_cavity(q->run, m, a, b, side, &count), waiting = 0;
    for (int32_t i = 0; i < count; i++)
        waiting = visibility_take_waiting(q, cavity[i], waiting);
    assert(count > 1);
    mesh_insert(q->run, m, a, b, side, cavity, count);
    q->event++;
    for (int32_t i = 0; i < count; i++)
        m->triangle[cavity[i]].lanes |= CHANGED | ((uint32_t)q->event & 0xfffff) << EPOCH;
    queue_sides(q, cavity, count);
    for (int32_t i = 0; i < count; i++)
        for (int32_t s = 8 * cavity[i]; s < 8 * cavity[i] + 3; s++)
            visibility_query(q, s);
    visibility_query_waiting(q, waiting);
    int32_t s = mesh_toward(q->run, m, a, b, m->out[a]);
    assert(side_to(m, s) == b && side_is_lane(m, s));
    revoke_around(q, a, s);
    revoke_around(q, b, side_twin(m, s));
    mw_rewind(q->run, mark);
}

void try_pair(struct lane_search *q, int32_t a, int32_t b, int32_t guess)
{
    struct mesh *m = &q->mesh;
    assert(a < b && q->now.a == a && q->now.b == b);
    int32_t there = mesh_toward(q->run, m, a, b, guess);
    if (side_to(m, there) == b) {
        if (!is_lane(q, there))
            try_side(q, a, there);
        return;
    }
    struct ray ray = star_ray(m, a, b);
    if (crowded_between(q, a, ray, there))
        return;
    int32_t back = reach(q, a, b, there);
    if (back >= 0 && !crowded_between(q, b, (struct ray){-ray.x, -ray.y}, back))
        insert(q, a, b, there);
}
