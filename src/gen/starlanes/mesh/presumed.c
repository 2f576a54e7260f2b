/*
 * presumed.c: the beginning, where most sides need no trial.
 *
 * Nearly all sides of a Delaunay triangulation become lanes. A side is PRESUMED a lane if no corner
 * at its ends, in the two triangles beside it, is narrower than the least angle. Then it need not
 * fear the other sides, and becomes a lane when its place in the order comes, untried,
 * unless by then a lane crosses it, which destroys it, or is made too close to it, which revokes
 * the presumption (insert.c). Both come from pairs that are no sides, and those that precede all
 * sides that they cross are rare. The sides that are left are sorted once, with what the first
 * looks find (maximum.c), and tried.
 *
 * Without presumption a map has the same bytes and takes 1.5 times as long (1000 stars) to 1.7
 * times (100,000 and more): every side would be tried and pass through a cold cache.
 *
 * Cost: some hundred operations a star, in the order of memory.
 */
#include "search.h"

/* The bits of the sides that have no narrow corner in a triangle; side i runs from corner i, and is
   `length[i]` long, squared. */
static uint32_t wide_sides_of(const struct angle *angle, const int64_t *length)
{
    uint32_t wide = 7 * PRESUMED;
    for (int i = 0; i < 3; i++) {
        int before = (i + 2) % 3, across = (i + 1) % 3;
        int64_t along = (length[before] + length[i] - length[across]) / 2;
        if (is_narrow(angle, along, length[before], length[i]))
            wide &= ~((uint32_t)PRESUMED << i | (uint32_t)PRESUMED << before);
    }
    return wide;
}

/* In most triangles even the corner across the shortest side is wide. */
static uint32_t wide_sides(const struct search *q, int32_t t)
{
    const struct mesh *m = &q->mesh;
    int32_t hull = mesh_hull_side(m, t);
    if (hull >= 0)
        return (uint32_t)PRESUMED << (hull & 3);
    const int32_t *star = m->triangle[t].star;
    int64_t length[3], least = INT64_MAX, most = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        length[i] = square(star_ray(m, star[i], star[(i + 1) % 3]));
        least = mw_min64(least, length[i]);
        most = mw_max64(most, length[i]);
        sum += length[i];
    }
    if (!is_narrow(&q->angle, sum / 2 - least, most, sum - least - most))
        return 7 * PRESUMED;
    return wide_sides_of(&q->angle, length);
}

int32_t *presumed_others(struct search *q, int32_t *count)
{
    struct mesh *m = &q->mesh;
    int32_t *side = MW_NEW(q->run, int32_t, 3 * (int64_t)m->stars), others = 0;
    mw_tick(q->run, 8 * (uint64_t)m->stars);
    for (int32_t t = 0; t < m->triangles; t++) {
        mesh_prefetch(m, t + AHEAD);
        m->triangle[t].lanes = wide_sides(q, t);
    }
    for (int32_t t = 0; t < m->triangles; t++) {
        mesh_prefetch(m, t + AHEAD);
        struct triangle *here = &m->triangle[t];
        uint32_t there = 0;
        for (int i = 0; i < 3; i++) {
            int32_t twin = here->twin[i];
            there |= (m->triangle[twin >> 3].lanes >> (twin & 3) & PRESUMED) << i;
        }
        here->lanes &= there;
        for (int32_t s = 8 * t; here->lanes != 7 * PRESUMED && s < 8 * t + 3; s++) {
            side[others] = s;
            others += !is_presumed(m, s) & is_first(m, s);
        }
    }
    assert(others < 3 * m->stars); /* planar */
    *count = others;
    return side;
}
