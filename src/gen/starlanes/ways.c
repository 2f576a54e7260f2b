/*
 * ways.c: the shortest ways from the star at the centre to all others.
 *
 * Dijkstra's algorithm (1959) along the lanes of the maximum graph. A way is as long as its lanes,
 * and a lane's length is counted in 2^-20 of a unit, to the nearest: roots are compared by no
 * machine alike, sums of whole numbers by every one. So ways made of the same lengths in another
 * order are equal, and of equal ways the one counts whose last lane comes first in the order of
 * lanes. The longest way stays below 2^18 * 2^24 * 2^20.
 *
 * QUEUE. Stars that are reached wait in buckets by the length of their ways (Dial 1969). A star all
 * of whose lanes are longer than a bucket is wide can lead to none in its own, nor be reached from
 * one: when its bucket is next, its way is final (after Goldberg's caliber, 2001). Those with a
 * shorter lane become a heap; a bucket is a part of the mean lane, so they are few. No lane is
 * longer than the ring of buckets; and no way is longer than all lanes, so that there are no more
 * buckets to pass than lanes, but for a constant.
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
                         MW_NEW(run, struct touch, 2 * (int64_t)lanes->count), 0, 0, at};
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
        t.at[t.first[lane.a + 1]++] = (struct touch){length, lane.b, i};
        t.at[t.first[lane.b + 1]++] = (struct touch){length, lane.a, i};
        t.longest = mw_max64(length, t.longest);
        t.mean += length;
    }
    t.mean /= mw_max(lanes->count, 1);
    return t;
}

#define FAR INT64_MAX

enum { PART = 8, RING = 4096 }; /* of a lane to a bucket, at most; buckets, a power of two */

struct calendar {
    const struct touching *touching;
    struct way *way;
    int32_t first[RING]; /* the star that came to a bucket last, or -1 */
    int32_t waiting;     /* in all buckets but the one that is now */
    int64_t now;         /* the number of the bucket that is open */
    int shift;           /* from a length to the number of its bucket */
    struct mw_heap heap; /* those of the open one whose ways may yet become shorter */
};

static bool is_nearer(const void *context, int32_t a, int32_t b)
{
    const struct way *way = context;
    return way[a].length < way[b].length;
}

static void put_in(struct calendar *c, int32_t star, int64_t bucket)
{
    if (!MW_SHORTCUTS || bucket == c->now) {
        mw_heap_push(&c->heap, star, is_nearer, c->way);
        return;
    }
    int32_t *first = &c->first[bucket % RING];
    c->way[star].before = -1;
    c->way[star].behind = *first;
    if (*first >= 0)
        c->way[*first].before = star;
    *first = star;
    c->waiting++;
}

static void take_out(struct calendar *c, int32_t star, int64_t bucket)
{
    struct way *w = &c->way[star];
    if (w->behind >= 0)
        c->way[w->behind].before = w->before;
    *(w->before >= 0 ? &c->way[w->before].behind : &c->first[bucket % RING]) = w->behind;
    c->waiting--;
}

/* Begins to fetch the lanes of a star, of which most have six. */
static inline __attribute__((always_inline)) void prefetch_lanes(const struct touching *t,
                                                                 int32_t star)
{
    const struct touch *first = &t->at[t->first[star]];
    __builtin_prefetch(first);
    __builtin_prefetch(first + 4);
}

/* A star is reached by a way of that length. */
static void reach(struct calendar *c, int32_t star, int64_t length)
{
    int64_t old = c->way[star].length, bucket = length >> c->shift;
    if (length >= old)
        return;
    c->way[star].length = length;
    if (old >> c->shift == bucket) {
        if (bucket == c->now)
            mw_heap_sift_up(&c->heap, c->heap.place[star], is_nearer, c->way);
        return;
    }
    if (old == FAR)
        prefetch_lanes(c->touching, star);
    else
        take_out(c, star, old >> c->shift);
    put_in(c, star, bucket);
}

/* Goes on from a star, whose way is final. */
static void leave(struct calendar *c, int32_t star)
{
    const struct touching *t = c->touching;
    for (int32_t i = t->first[star]; i < t->first[star + 1]; i++)
        reach(c, t->at[i].star, c->way[star].length + t->at[i].length);
}

/* Whether a lane of the star may end in the bucket in which it begins. */
static bool has_short_lane(const struct calendar *c, int32_t star)
{
    const struct touching *t = c->touching;
    int64_t least = INT64_MAX;
    for (int32_t i = t->first[star]; i < t->first[star + 1]; i++)
        least = mw_min64(least, t->at[i].length);
    return least >> c->shift == 0;
}

/* Opens the next bucket that is not empty; false when no star waits. */
static bool turn_page(struct calendar *c)
{
    if (!MW_SHORTCUTS || !c->waiting)
        return false;
    for (int left = RING; c->first[++c->now % RING] < 0 && left > 0; left--)
        ;
    assert(c->first[c->now % RING] >= 0); /* all that wait do within a ring */
    int32_t *first = &c->first[c->now % RING];
    for (int32_t star = *first; star >= 0 && c->waiting > 0; star = c->way[star].behind) {
        c->waiting--;
        if (has_short_lane(c, star))
            mw_heap_put(&c->heap, c->heap.count++, star);
        else
            leave(c, star);
    }
    *first = -1;
    mw_heap_build(&c->heap, is_nearer, c->way);
    return true;
}

static void new_calendar(struct mw_run *run, struct calendar *c, int32_t stars,
                         const struct touching *t)
{
    c->way = MW_NEW(run, struct way, stars);
    for (int32_t i = 0; i < stars; i++)
        c->way[i] = (struct way){FAR, -1, -1};
    memset(c->first, 0xff, sizeof c->first);
    c->shift = MW_SHORTCUTS ? 0 : 62; /* the small library has a single bucket, the heap */
    while (t->mean >> c->shift >= PART || t->longest >> c->shift >= RING - 1)
        c->shift++;
}

struct way *starlanes_ways(struct mw_run *run, int32_t stars, const struct touching *t,
                           int32_t centre)
{
    struct calendar c = {.touching = t};
    new_calendar(run, &c, stars, t);
    char *mark = mw_mark(run);
    c.heap.at = MW_NEW(run, int32_t, stars);
    c.heap.place = MW_NEW(run, int32_t, stars);
    reach(&c, centre, 0);
    mw_tick(run, 8 * (uint64_t)stars);
    do {
        while (c.heap.count)
            leave(&c, mw_heap_pop(&c.heap, is_nearer, c.way));
    } while (turn_page(&c));
    mw_rewind(run, mark);
    return c.way;
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

int32_t starlanes_last_lane(const struct touching *t, const struct way *way, int32_t star)
{
    const struct touch *last = NULL;
    for (int32_t i = t->first[star]; i < t->first[star + 1]; i++) {
        const struct touch *touch = &t->at[i];
        if (way[touch->star].length + touch->length != way[star].length)
            continue;
        if (!last || lane_before(t->place, star, touch->star, last->star))
            last = touch;
    }
    assert(last);
    return last->lane;
}
