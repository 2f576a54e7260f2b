/*
 * ways.c: the shortest ways from the star at the centre to all others.
 *
 * Dijkstra's algorithm (1959) along the lanes of the maximum graph. A way is as long as its lanes,
 * and a lane's length is counted in 2^-20 of a unit, to the nearest: roots are compared by no
 * machine alike, sums of whole numbers by every one. So ways made of the same lengths in another
 * order are equal, and of equal ways the one counts whose last lane comes first in the order of
 * lanes. The longest way stays below 2^18 * 2^24 * 2^20.
 *
 * A star that comes nearer is queued once more, and what it was queued for before is passed over:
 * that touches less memory than to look for its place. A lane is gone along once each way at most,
 * so there are no more entries than twice the lanes, and one.
 */
#include "agenda.h"
#include "kit/plane.h"
#include "starlanes.h"

/*
 * The root of a number below 2^49, in units of 2^-20, to the nearest. Newton's iteration in
 * doubles, begun with a twentieth part of error, only guesses; what it gives is
 * put right in integers. Their difference is far below 2^63, so that it may be taken modulo 2^64.
 */
int64_t starlanes_root(int64_t n)
{
    assert(n > 0 && n < INT64_C(1) << 49);
    double x = (double)n, root = starlanes_near_root(x);
    for (int i = 0; i < 3; i++)
        root = (root + x / root) * 0.5;
    uint64_t length = (uint64_t)(root * 0x1p20);
    int64_t over = (int64_t)(((uint64_t)n << 40) - length * length);
    for (; over < 0; over += 2 * (int64_t)length + 1)
        length--;
    for (; over > 2 * (int64_t)length; length++)
        over -= 2 * (int64_t)length + 1;
    assert(over >= 0 && over <= 2 * (int64_t)length); /* length^2 <= n * 2^40 < (length + 1)^2 */
    return (int64_t)length + (over > (int64_t)length);
}

/* The lanes at each star: those of star a are at[first[a]] to at[first[a + 1] - 1]. */
struct touching {
    int32_t *first;
    struct touch {
        int64_t length;
        int32_t star, lane; /* the other star */
    } * at;
};

static struct touching gather_touching(struct mw_run *run, const struct mw_point *at, int32_t stars,
                                       const struct lanes *lanes)
{
    struct touching t = {MW_NEW0(run, int32_t, stars + 2),
                         MW_NEW(run, struct touch, 2 * (int64_t)lanes->count)};
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
    }
    return t;
}

#define FAR INT64_MAX

static struct way *no_ways(struct mw_run *run, int32_t stars)
{
    struct way *way = MW_NEW(run, struct way, stars);
    for (int32_t i = 0; i < stars; i++)
        way[i] = (struct way){FAR, -1};
    return way;
}

/* Goes on from star a. Of equally short ways the one counts whose last lane comes first. A task is
   a star, and in place of a square the length of a way there. */
static void go_on(const struct touching *t, int32_t a, struct way *way, struct queue *queue)
{
    for (int32_t i = t->first[a]; i < t->first[a + 1]; i++) {
        int32_t b = t->at[i].star, lane = t->at[i].lane;
        int64_t length = way[a].length + t->at[i].length, old = way[b].length;
        if (length < old || (length == old && lane < way[b].lane))
            way[b] = (struct way){length, lane};
        if (length < old)
            queue_push(queue, (struct task){{length, b, 0}, 0, 0});
    }
}

struct way *starlanes_ways(struct mw_run *run, const struct mw_point *at, int32_t stars,
                           const struct lanes *lanes, int32_t centre)
{
    struct way *way = no_ways(run, stars);
    char *mark = mw_mark(run);
    struct touching t = gather_touching(run, at, stars, lanes);
    struct queue queue = {MW_NEW(run, struct task, 2 * (int64_t)lanes->count + 1), 0};
    way[centre].length = 0;
    queue_push(&queue, (struct task){{0, centre, 0}, 0, 0});
    mw_tick(run, 8 * (uint64_t)stars);
    while (queue.count > 0) {
        struct pair first = queue_pop(&queue).pair;
        if (first.square == way[first.a].length)
            go_on(&t, first.a, way, &queue);
    }
    mw_rewind(run, mark);
    return way;
}
