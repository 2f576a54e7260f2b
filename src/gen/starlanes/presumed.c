/*
 * presumed.c: the beginning, where most sides need no trial.
 *
 * Nearly all sides of a Delaunay triangulation become lanes. A side is PRESUMED a lane if no corner
 * at its ends, in the two triangles beside it, is narrower than the least angle. Then it need not
 * fear the other sides, and becomes a lane when its place in the order comes, untried,
 * unless by then a lane crosses it, which destroys it, or is made too close to it, which revokes
 * the presumption (insert.c). Both come from pairs that are no sides, and those that precede all
 * sides that they cross are rare. The sides that are left are sorted once, and tried.
 *
 * Without presumption a map has the same bytes and takes 1.5 times as long (1000 stars) to 1.7
 * times (100,000 and more): every side would be tried and pass through a cold cache.
 *
 * Cost: some hundred operations a star, in the order of memory, and one sort.
 */
#include "search.h"

/* The bits of the sides of triangle t that have no narrow corner there. */
static uint32_t wide_sides(const struct search *q, int32_t t)
{
    const struct mesh *m = &q->mesh;
    int32_t hull = mesh_hull_side(m, t);
    if (hull >= 0)
        return (uint32_t)PRESUMED << (hull & 3);
    const int32_t *star = m->triangle[t].star;
    struct ray side[3];
    int64_t square_of[3];
    uint32_t wide = 7 * PRESUMED;
    for (int i = 0; i < 3; i++) {
        side[i] = star_ray(m, star[i], star[(i + 1) % 3]);
        square_of[i] = square(side[i]);
    }
    for (int i = 0; i < 3; i++) {
        int before = (i + 2) % 3;
        if (is_narrow(&q->angle, -dot(side[before], side[i]), square_of[before], square_of[i]))
            wide &= ~((uint32_t)PRESUMED << i | (uint32_t)PRESUMED << before);
    }
    return wide;
}

/* Presumes the sides that are wide in both triangles, and lists the others. */
static int32_t presume_sides(struct search *q, int32_t *side)
{
    struct mesh *m = &q->mesh;
    int32_t count = 0;
    for (int32_t t = 0; t < m->triangles; t++)
        m->triangle[t].lanes = wide_sides(q, t);
    for (int32_t s = 0; s < 4 * m->triangles; s += 1 + (s % 4 == 2)) {
        int32_t t = side_twin(m, s), a = side_from(m, s), b = side_to(m, s);
        uint32_t there = m->triangle[t >> 2].lanes >> (t & 3) & PRESUMED;
        m->triangle[s >> 2].lanes &= ~(((uint32_t)PRESUMED ^ there) << (s & 3));
        side[count] = s;
        count += (a < b) & (b != m->stars) & !is_presumed(m, s);
    }
    return count;
}

void presumed_sort(struct mw_run *run, const struct mesh *m, int32_t *side, int32_t count)
{
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, count);
    for (int32_t i = 0; i < count; i++) {
        assert(side_from(m, side[i]) < side_to(m, side[i]) && side_to(m, side[i]) != m->stars);
        keys[i] = (uint64_t)pair_of(m, side[i]).square;
    }
    mw_sort(run, keys, side, count);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end] == keys[i];)
            end++;
        if (end == i + 1)
            continue;
        for (int32_t k = i; k < end; k++)
            keys[k] = (uint64_t)side_from(m, side[k]) << 32 | (uint32_t)side_to(m, side[k]);
        mw_sort(run, keys + i, side + i, end - i);
    }
    mw_rewind(run, mark);
}

struct trials presumed_list(struct search *q)
{
    const struct mesh *m = &q->mesh;
    struct trials list = {MW_NEW(q->run, struct trial, 3 * (int64_t)m->stars), 0};
    char *mark = mw_mark(q->run);
    int32_t *side = MW_NEW(q->run, int32_t, 3 * (int64_t)m->stars + 1);
    mw_tick(q->run, 8 * (uint64_t)m->stars);
    list.count = presume_sides(q, side);
    assert(list.count < 3 * m->stars);
    presumed_sort(q->run, m, side, list.count);
    for (int32_t i = 0; i < list.count; i++)
        list.at[i] = (struct trial){side_from(m, side[i]), side_to(m, side[i]), side[i]};
    mw_rewind(q->run, mark);
    return list;
}
