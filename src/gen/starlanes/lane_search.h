/*
 * lane_search.h: the search for the maximum graph, as its files share it.
 *
 * maximum.c has the idea and the proof, and runs through the order of pairs; visibility.c finds
 * pairs, with the help of empty_circles.c, and try_pair.c tries them.
 */
#ifndef MAPWRIGHT_STARLANES_LANE_SEARCH_H
#define MAPWRIGHT_STARLANES_LANE_SEARCH_H

#include "angle.h"
#include "gen/starlanes/mesh/mesh.h"
#include "pair_queue.h"

#define NEVER INT64_MAX

/* Beside the lanes in the bits of a triangle; shifted by the number of a side or corner. */
enum {
    EXPECTED = 1 << 4, /* the side becomes a lane when its place comes */
    EPOCH = 8,         /* from this bit on, 20 bits: the event that made the triangle */
};

enum { HELD = 2 }; /* pairs that a query finds at once */

/* A task with a side below 0 is a query of star a: for all its pairs from there on, or with ~s for
   those that it sees through the triangle to the left of side s. */
#define ALL INT32_MIN

/* What is seen from a star through side s, strictly between two rays. */
struct portal {
    struct ray right, left;
    int64_t limit; /* squared length of the shortest undecided side between */
    int32_t s, limit_side;
};

/* A star that waits at a triangle for a side of that to be decided, to look to the left of
   `side`. */
struct waiting {
    int32_t star, side, next;
};

/* The event of a star's last query, and to the left of which side it was. */
struct last_query {
    int32_t event, side;
};

struct lane_search {
    struct mw_run *run;
    struct mesh mesh;
    struct angle angle; /* the least between two lanes */
    struct pair now;    /* all pairs before are decided */
    uint64_t last_step; /* of the run, after which the search gives up */
    struct pair_queue queue;
    int32_t queue_room;
    struct portal *stack;
    struct waiting *waiting;
    int32_t waiting_count, waiting_room, waiting_free;
    struct last_query *last; /* of each star */
    int32_t event; /* counts sides that are refused, expectations revoked and lanes made */
};

static inline struct pair pair_of(const struct mesh *m, int32_t s)
{
    int32_t a = side_from(m, s), b = side_to(m, s);
    return (struct pair){square(star_ray(m, a, b)), a < b ? a : b, a < b ? b : a};
}

static inline bool is_expected(const struct mesh *m, int32_t s)
{
    return m->triangle[s >> 3].lanes >> (s & 3) & EXPECTED;
}

/* Whether it is a lane or expected to become one. */
static inline bool may_be_lane(const struct mesh *m, int32_t s)
{
    return m->triangle[s >> 3].lanes >> (s & 3) & (1 | EXPECTED);
}

/* Whether a side is a lane by now; marks an expected one that has become one. */
static inline bool is_lane(const struct lane_search *q, int32_t s)
{
    struct triangle *t = &q->mesh.triangle[s >> 3];
    uint32_t bits = t->lanes >> (s & 3);
    if ((bits & (1 | EXPECTED)) != EXPECTED)
        return bits & 1;
    struct pair pair = pair_of(&q->mesh, s);
    if (pair.square > q->now.square || pair_before(q->now, pair))
        return false;
    t->lanes |= 1u << (s & 3);
    return true;
}

/* The event that made a triangle what it is. */
static inline int32_t epoch_of(const struct lane_search *q, int32_t side)
{
    return (int32_t)(q->mesh.triangle[side >> 3].lanes >> EPOCH & 0xfffff);
}

/* Whether a side is that of the two that runs out of the earlier star, and does not lead to
   infinity. Branch-free: a branch would mispredict. */
static inline bool is_first(const struct mesh *m, int32_t s)
{
    int32_t a = side_from(m, s), b = side_to(m, s);
    return (a < b) & (b != m->stars);
}

/* What a star looks for: stars no farther than `reach`, squared, between two rays. */
struct star_reach {
    const struct mesh *mesh; /* Delaunay's */
    int32_t star;
    double reach;
    struct ray right, left;
};

/* Whether nothing lies within reach past the opposite side, for certain; rays x and y lead to its
   ends from the star, which has it to its left. */
bool reach_is_empty(const struct star_reach *, int32_t side, struct ray x, struct ray y);

/* Finds the first pairs of all stars, as long as the mesh is Delaunay's. */
void visibility_begin(struct lane_search *);
/* Finds what a star sees after now in the triangle to the left of its side s. */
void visibility_query(struct lane_search *, int32_t s);
/* Answers a query from the queue. */
void visibility_resume(struct lane_search *, struct pair_task);
/* Takes the stars that wait at a triangle, and puts them before the others of a list. */
int32_t visibility_take_waiting(struct lane_search *, int32_t triangle, int32_t list);
/* Queries the waiting stars of a list. */
void visibility_query_waiting(struct lane_search *, int32_t list);
/* Makes room in the queue for what a query finds, or for a task. */
void visibility_make_room(struct lane_search *);
void visibility_push(struct lane_search *, struct pair_task);

/* Makes a lane between a and b if the rules allow it; `guess` is a side of a that may lead to b. */
void try_pair(struct lane_search *, int32_t a, int32_t b, int32_t guess);

#endif
