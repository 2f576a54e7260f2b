/*
 * try_pair.c: whether a pair becomes a lane, and what follows.
 *
 * A pair that is a side of the mesh crosses nothing; any other is followed through the triangles
 * between its stars, up to the first lane. At both ends it is turned, left and right, to its
 * neighbours until the angle is wide enough: a lane on the way is too close.
 *
 * What follows: a side that is refused is OPEN from then on. All stars that may see through it are
 * queried: the two that face it and those that wait there. A lane that is no side is inserted: its
 * cavity is made anew (mesh.c), the new sides between its triangles are queued, and each star is
 * queried for what it sees through its new triangles. And whenever a lane is made, expectations of
 * sides too close to it are revoked: the sides are queued, to be tried at their place, and their
 * stars are queried for what they see beside them.
 */
#include "lane_search.h"

/* Whether a lane beside side s, to its left or right, is too close to `ray`, which runs along the
   side or between it and the next on that hand. */
static bool is_crowded(const struct lane_search *q, struct ray ray, int32_t s, bool left)
{
    const struct mesh *m = &q->mesh;
    int32_t a = side_from(m, s);
    for (;;) {
        s = side_turned(m, s, left);
        mw_tick(q->run, 1);
        if (side_to(m, s) == m->stars)
            return false;
        bool close = too_close(&q->angle, ray, star_ray(m, a, side_to(m, s)));
        if (!close || is_lane(q, s))
            return close;
    }
}

/* Whether a lane is too close to `ray`, which runs between side s and the next to the left. */
static bool is_crowded_between(const struct lane_search *q, struct ray ray, int32_t s)
{
    const struct mesh *m = &q->mesh;
    bool close = too_close(&q->angle, ray, star_ray(m, side_from(m, s), side_to(m, s)));
    if (close && is_lane(q, s))
        return true;
    return is_crowded(q, ray, s, true) || (close && is_crowded(q, ray, s, false));
}

/* The side toward a from b, and how many triangles lie between, given the side toward b from a,
   which is another; or -1 where a lane crosses. */
static int32_t walk_across(const struct lane_search *q, int32_t a, int32_t b, int32_t side,
                           int32_t *count)
{
    int32_t s = side_next(side);
    for (*count = 1; side_from(&q->mesh, s) != b; ++*count) {
        if (is_lane(q, s))
            return -1;
        mw_tick(q->run, 1);
        s = side_across(&q->mesh, a, b, s);
    }
    return s;
}

/* Sides s and t, its twin, will never be a lane: queries all stars that may see through them. */
static void give_up(struct lane_search *q, int32_t s, int32_t t)
{
    assert(side_twin(&q->mesh, s) == t && !side_is_lane(&q->mesh, s));
    int32_t waiting = visibility_take_waiting(q, s >> 3, visibility_take_waiting(q, t >> 3, 0));
    q->event++;
    visibility_query_waiting(q, waiting);
    visibility_query(q, side_prev(s));
    visibility_query(q, side_prev(t));
}

/* An expected side must be tried at its place after all, and no longer hides pairs close to it. */
static void revoke(struct lane_search *q, int32_t s)
{
    struct mesh *m = &q->mesh;
    assert(is_expected(m, s) && is_expected(m, side_twin(m, s)));
    int32_t t = side_twin(m, s), first = side_from(m, s) < side_from(m, t) ? s : t;
    m->triangle[s >> 3].lanes &= ~((uint32_t)EXPECTED << (s & 3));
    m->triangle[t >> 3].lanes &= ~((uint32_t)EXPECTED << (t & 3));
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
        t = side_turned(m, t, left);
    }
}

static void revoke_around(struct lane_search *q, int32_t a, int32_t s)
{
    const struct mesh *m = &q->mesh;
    struct ray ray = star_ray(m, a, side_to(m, s));
    revoke_while_close(q, a, ray, side_left(m, s), true);
    revoke_while_close(q, a, ray, side_right(m, s), false);
}

/* Makes a lane of side s, out of star a, or refuses it for ever. */
static void try_side(struct lane_search *q, int32_t a, int32_t s)
{
    struct mesh *m = &q->mesh;
    int32_t b = side_to(m, s), t = side_twin(m, s);
    assert(side_from(m, s) == a && b != m->stars);
    struct ray ray = star_ray(m, a, b);
    struct ray back = {-ray.x, -ray.y};
    if (!is_crowded(q, ray, s, true) && !is_crowded(q, back, t, false) &&
        !is_crowded(q, ray, s, false) && !is_crowded(q, back, t, true)) {
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
static void queue_sides(struct lane_search *q, struct cavity cavity)
{
    const struct mesh *m = &q->mesh;
    for (int32_t i = 0; i < 3 * cavity.count; i++) {
        int32_t s = 8 * (cavity.side[i / 3] >> 3) + i % 3;
        if (epoch_of(q, side_twin(m, s)) != epoch_of(q, s) || !awaits_trial(q, s))
            continue;
        visibility_make_room(q);
        visibility_push(q, (struct pair_task){pair_of(m, s), s, 0});
    }
}

/* Makes a lane from a to b, which is no side, and queries all around it. */
static void insert(struct lane_search *q, int32_t a, int32_t b, int32_t side, int32_t triangles)
{
    struct mesh *m = &q->mesh;
    char *mark = mw_mark(q->run);
    struct cavity cavity = mesh_cavity(q->run, m, a, b, side, triangles);
    int32_t waiting = 0;
    for (int32_t i = 0; i < cavity.count; i++)
        waiting = visibility_take_waiting(q, cavity.side[i] >> 3, waiting);
    mesh_insert(q->run, m, side, cavity);
    q->event++;
    for (int32_t i = 0; i < cavity.count; i++)
        m->triangle[cavity.side[i] >> 3].lanes |= ((uint32_t)q->event & 0xfffff) << EPOCH;
    queue_sides(q, cavity);
    for (int32_t i = 0; i < 3 * cavity.count; i++)
        visibility_query(q, 8 * (cavity.side[i / 3] >> 3) + i % 3);
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
    int32_t there = mesh_toward(q->run, m, a, b, guess), triangles;
    if (side_to(m, there) == b) {
        if (!is_lane(q, there))
            try_side(q, a, there);
        return;
    }
    struct ray ray = star_ray(m, a, b);
    if (is_crowded_between(q, ray, there))
        return;
    int32_t back = walk_across(q, a, b, there, &triangles);
    if (back >= 0 && !is_crowded_between(q, (struct ray){-ray.x, -ray.y}, back))
        insert(q, a, b, there, triangles);
}
