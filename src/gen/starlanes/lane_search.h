/*
 * lane_search.h: the search for the maximum graph, as its two files share it: maximum.c, which has
 * the idea, the proof and the rules, and visibility.c, which finds the pairs to be tried. With it
 * come the exact test of angles and the queue of tasks.
 */
#ifndef MAPWRIGHT_STARLANES_LANE_SEARCH_H
#define MAPWRIGHT_STARLANES_LANE_SEARCH_H

#include "gen/starlanes/mesh/mesh.h"
#include "kit/integer.h"
#include "kit/plane.h"

#define NEVER INT64_MAX

/* Of more stars than these the search may take one part in so many of the budget. */
enum { THIN_MOST = 20000, THIN_SHARE = 16 };

/* ---- angles ---------------------------------------------------------------------------------- */

/* The least angle between two lanes. It comes as the square of its cosine in 2^-20, so that two
   directions are compared with it in integers of 128 bits; doubles only spare most of that. To cut
   a wedge by the angle, directions are turned by one that is at most the angle, never above: what
   is cut off is too close for certain. */
struct angle {
    int64_t cosine;   /* squared, times 2^20 */
    struct ray least; /* a direction at the angle or barely below */
};

/* Whether two directions make less than the least angle, from their dot product and the squares of
   their lengths. */
static inline bool is_narrow(const struct angle *angle, int64_t along, int64_t aa, int64_t bb)
{
    assert(aa > 0 && bb > 0);
    if (along <= 0)
        return false;
    double is = (double)along * (double)along * 0x1p20,
           may = (double)aa * (double)bb * (double)angle->cosine;
    if (is < may * (1 - 0x1p-48))
        return false;
    if (is > may * (1 + 0x1p-48))
        return true;
    struct wide l = wide_product((uint64_t)along, (uint64_t)along);
    struct wide r = wide_product((uint64_t)aa, (uint64_t)bb),
                low = wide_product(r.low, (uint64_t)angle->cosine);
    l = (struct wide){l.high << 20 | l.low >> 44, l.low << 20};
    r = (struct wide){low.high + r.high * (uint64_t)angle->cosine, low.low};
    return wide_compare(l, r) > 0;
}
static inline bool too_close(const struct angle *angle, struct ray a, struct ray b)
{
    return is_narrow(angle, dot(a, b), square(a), square(b));
}

static inline struct ray turned_left(struct ray a, struct ray by)
{
    return (struct ray){a.x * by.x - a.y * by.y, a.x * by.y + a.y * by.x};
}
static inline struct ray turned_right(struct ray a, struct ray by)
{
    return turned_left(a, (struct ray){by.x, -by.y});
}

/* For a direction (c, s) at the angle or below, c * c / (c * c + s * s) >= cosine / 2^20. */
static inline struct angle least_angle(int64_t cosine)
{
    assert(cosine >= 1 << 18 && cosine <= 1 << 20); /* 60 to 0 degrees */
    struct ray least = {mw_root(cosine << 6) + 1, mw_root(((1 << 20) - cosine) << 6)};
    return (struct angle){cosine, least};
}

/* ---- the queue ------------------------------------------------------------------------------- */

/* Two stars, a < b, and the square of the distance between them. They are ordered by `square`, then
   a, then b. */
struct pair {
    int64_t square;
    int32_t a, b;
};

/* What is to be done at the place of a pair in that order. With a side from 0 on: try that side.
   With side ~s: try the pair, unless b is 0, and then look again from a through the triangle to the
   left of s; `look` tells whether that is still the last look of this corner. */
struct pair_task {
    struct pair pair;
    int32_t side, look;
};

/* A heap of four branches (Johnson 1975): the kit's heap holds numbers and asks for their order;
   here a task is its own key, and there are more of them than stars. */
struct pair_queue {
    struct pair_task *at;
    int32_t count, room;
};

/* Branch-free: a branch would mispredict. */
static inline bool pair_before(struct pair p, struct pair q)
{
    return (p.square < q.square) |
           ((p.square == q.square) & ((p.a < q.a) | ((p.a == q.a) & (p.b < q.b))));
}

/* Puts the task in at i or above, but not above `top`; what is at i is lost. */
static inline void pair_queue_rise(struct pair_queue *queue, int32_t i, int32_t top,
                                   struct pair_task task)
{
    assert(top <= i && i < queue->count);
    for (; i > top && pair_before(task.pair, queue->at[(i - 1) / 4].pair); i = (i - 1) / 4)
        queue->at[i] = queue->at[(i - 1) / 4];
    queue->at[i] = task;
}

/* Puts the task in at i or below; what is at i is lost. A gap sinks to the bottom first, where most
   tasks belong. */
static inline void pair_queue_sink(struct pair_queue *queue, int32_t i, struct pair_task task)
{
    const struct pair_task *at = queue->at;
    int32_t top = i, child;
    for (; (child = 4 * i + 1) < queue->count; i = child) {
        if (child + 3 < queue->count) {
            int32_t other = child + 2;
            child += pair_before(at[child + 1].pair, at[child].pair);
            other += pair_before(at[other + 1].pair, at[other].pair);
            child = pair_before(at[other].pair, at[child].pair) ? other : child;
        } else {
            for (int32_t k = child + 1; k < 4 * i + 5 && k < queue->count; k++)
                child = pair_before(at[k].pair, at[child].pair) ? k : child;
        }
        queue->at[i] = at[child];
    }
    pair_queue_rise(queue, i, top, task);
}

/* The caller knows that there is room. */
static inline void pair_queue_push(struct pair_queue *queue, struct pair_task task)
{
    pair_queue_rise(queue, queue->count++, 0, task);
}

static inline struct pair_task pair_queue_pop(struct pair_queue *queue)
{
    assert(queue->count > 0);
    struct pair_task first = queue->at[0];
    if (--queue->count)
        pair_queue_sink(queue, 0, queue->at[queue->count]);
    return first;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* The states of a side, shifted by its number in the bits of a triangle; mesh.h has LANE. A side
   with none is new. */
enum {
    EXPECTED = 1 << 4,    /* it becomes a lane when its place comes */
    QUEUED = 1 << 8,      /* it is tried at its place, and no lane if that has passed */
    FIRST_LOOK = 1 << 12, /* at first: the star at its origin looks to the left of it */
};

/* What is seen from a star through side s, strictly between two rays. */
struct portal {
    struct ray right, left;
    int64_t limit; /* squared length of the shortest undecided side between */
    int32_t s;
};

struct lane_search {
    struct mw_run *run;
    struct mesh mesh;
    struct angle angle;
    struct pair now; /* all pairs before are decided */
    struct pair_queue queue;
    struct portal *stack;
    int32_t *cavity;     /* room for that of a lane */
    uint64_t last_step;  /* of the run, for stars on thin curves */
    const char *pointer; /* the parameter to blame for these */
};

static inline struct pair pair_of(const struct mesh *m, int32_t s)
{
    int32_t a = side_from(m, s), b = side_to(m, s);
    return (struct pair){square(star_ray(m, a, b)), a < b ? a : b, a < b ? b : a};
}

static inline bool side_is(const struct mesh *m, int32_t s, uint32_t states)
{
    return m->triangle[s >> 3].lanes >> (s & 3) & states;
}

/* Whether a side is a lane by now; marks an expected one that has become one. */
static inline bool is_lane(const struct lane_search *q, int32_t s)
{
    struct triangle *t = &q->mesh.triangle[s >> 3];
    uint32_t bits = t->lanes >> (s & 3);
    if ((bits & (LANE | EXPECTED)) != EXPECTED)
        return bits & LANE;
    struct pair pair = pair_of(&q->mesh, s);
    if (pair.square > q->now.square || pair_before(q->now, pair))
        return false;
    t->lanes |= (uint32_t)LANE << (s & 3);
    return true;
}

/* Whether a side is that of the two that runs out of the earlier star, and does not lead to
   infinity. Branch-free: a branch would mispredict. */
static inline bool is_first(const struct mesh *m, int32_t s)
{
    int32_t a = side_from(m, s), b = side_to(m, s);
    return (a < b) & (b != m->stars);
}

/* The first look of the star at the origin of side s, while the mesh is Delaunay's and once it is
   known which sides of the triangle are expected. */
void visibility_look_first(struct lane_search *, int32_t s);
/* The star at the origin of side s looks through the triangle to the left of it: queues a task for
   the first pair after now, or for where it must look again. Replaces its task of before. */
void visibility_look(struct lane_search *, int32_t s);
/* Whether the star of a task has looked through that triangle since. */
bool visibility_is_stale(const struct lane_search *, struct pair_task);
/* Queues the trial of a new or an expected side, out of its earlier star, unless its place has
   passed. */
void visibility_queue_side(struct lane_search *, int32_t s);

#endif
