/*
 * shortest_ways.c: the shortest ways from the star at the centre to all others.
 *
 * Dijkstra's algorithm (1959) along the lanes of the maximum graph. A way is as long as its lanes,
 * and a lane's length is counted in 2^-20 of a unit, to the nearest: roots are compared by no
 * machine alike, sums of whole numbers by every one. So ways made of the same lengths in another
 * order are equal, and of equal ways the one counts whose last lane comes first in the order of
 * lanes. The longest way stays below 2^18 * 2^24 * 2^20.
 *
 * Stars that are reached wait in a heap by the length of their ways.
 */
#include "kit/heap.h"
#include "kit/integer.h"
#include "kit/plane.h"
#include "starlanes.h"

/* What doubles round off is less than one of the length, and is made good in integers. These differ
   by far less than 2^63, so that it may be done modulo 2^64. */
int64_t starlanes_root(int64_t n)
{
    assert(n > 0 && n < INT64_C(1) << 49);
    uint64_t length = (uint64_t)(__builtin_sqrt((double)n) * 0x1p20);
    int64_t over = (int64_t)(((uint64_t)n << 40) - length * length);
    for (; over < 0; over += 2 * (int64_t)length + 1)
        length--;
    for (; over > 2 * (int64_t)length; length++)
        over -= 2 * (int64_t)length + 1;
    assert(over >= 0 && over <= 2 * (int64_t)length); /* length^2 <= n * 2^40 < (length + 1)^2 */
    return (int64_t)length + (over > (int64_t)length);
}

struct touching starlanes_touching(struct mw_run *run, const struct mw_point *at, int32_t stars,
                                   const struct lanes *lanes)
{
    struct touching t = {MW_NEW0(run, int32_t, stars + 2),
                         MW_NEW(run, struct touching_lane, 2 * (int64_t)lanes->count), at};
    mw_tick(run, 4 * (uint64_t)lanes->count);
    for (int32_t i = 0; i < lanes->count; i++) {
        t.first[lanes->at[i].a + 2]++;
        t.first[lanes->at[i].b + 2]++;
    }
    for (int32_t i = 1; i <= stars; i++)
        t.first[i + 1] += t.first[i];
    for (int32_t i = 0; i < lanes->count; i++) {
        struct mw_edge lane = lanes->at[i];
        int64_t length = starlanes_root(square(ray_to(at[lane.a], at[lane.b])));
        t.at[t.first[lane.a + 1]++] = (struct touching_lane){length, lane.b, i};
        t.at[t.first[lane.b + 1]++] = (struct touching_lane){length, lane.a, i};
    }
    return t;
}

#define FAR INT64_MAX

static bool is_nearer(const void *context, int32_t a, int32_t b)
{
    const struct star_way *way = context;
    return way[a].length < way[b].length;
}

/* Begins to fetch the lanes of a star, of which most have six. */
static inline __attribute__((always_inline)) void prefetch_lanes(const struct touching *t,
                                                                 int32_t star)
{
    const struct touching_lane *first = &t->at[t->first[star]];
    __builtin_prefetch(first);
    __builtin_prefetch(first + 4);
}

/* A star is reached by a way of that length. */
static void reach(struct star_way *way, struct mw_heap *waiting, const struct touching *t,
                  int32_t star, int64_t length)
{
    int64_t old = way[star].length;
    if (length >= old)
        return;
    way[star].length = length;
    if (old < FAR) {
        mw_heap_sift_up(waiting, waiting->place[star], is_nearer, way);
        return;
    }
    prefetch_lanes(t, star);
    mw_heap_push(waiting, star, is_nearer, way);
}

struct star_way *starlanes_ways(struct mw_run *run, int32_t stars, const struct touching *t,
                                int32_t centre)
{
    struct star_way *way = MW_NEW(run, struct star_way, stars);
    for (int32_t i = 0; i < stars; i++)
        way[i].length = FAR;
    char *mark = mw_mark(run);
    struct mw_heap waiting = {MW_NEW(run, int32_t, stars), 0, MW_NEW(run, int32_t, stars)};
    mw_tick(run, 8 * (uint64_t)stars);
    assert(centre >= 0 && centre < stars);
    reach(way, &waiting, t, centre, 0);
    while (waiting.count) {
        int32_t star = mw_heap_pop(&waiting, is_nearer, way);
        assert(!waiting.count || way[waiting.at[0]].length >= way[star].length);
        for (int32_t i = t->first[star]; i < t->first[star + 1]; i++)
            reach(way, &waiting, t, t->at[i].star, way[star].length + t->at[i].length);
    }
    mw_rewind(run, mark);
    return way;
}

/* Whether the lane from a star to a comes before that to b. */
static bool lane_before(const struct mw_point *place, int32_t star, int32_t a, int32_t b)
{
    struct mw_point p = place[a], q = place[b];
    int64_t to_a = square(ray_to(place[star], p)), to_b = square(ray_to(place[star], q));
    if (to_a != to_b)
        return to_a < to_b;
    return p.x < q.x || (p.x == q.x && p.y < q.y);
}

int32_t starlanes_last_lane(const struct touching *t, const struct star_way *way, int32_t star)
{
    const struct touching_lane *last = NULL;
    for (int32_t i = t->first[star]; i < t->first[star + 1]; i++) {
        const struct touching_lane *touch = &t->at[i];
        if (way[touch->star].length + touch->length != way[star].length)
            continue;
        if (!last || lane_before(t->place, star, touch->star, last->star))
            last = touch;
    }
    assert(last);
    return last->lane;
}
