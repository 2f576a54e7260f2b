/*
 * starlanes_search.h: the search for the maximum graph, as its files share it.
 *
 * starlanes_maximum.c tells the idea and runs through the order of pairs; starlanes_calm.c tells
 * the sides that need no trial, starlanes_sight.c finds pairs, starlanes_lay.c tries them, and
 * starlanes_order.c puts the lanes in order.
 */
#ifndef MAPWRIGHT_STARLANES_SEARCH_H
#define MAPWRIGHT_STARLANES_SEARCH_H

#include "angle.h"
#include "mesh.h"
#include "queue.h"
#include "starlanes.h"

#define NEVER INT64_MAX

/* Beside the lanes in the bits of a triangle; shifted by the number of a side or corner. */
enum {
    CHANGED = 1 << 3, /* not shifted: it is none of the beginning */
    CALM = 1 << 4,    /* the side becomes a lane when its place comes */
    DULL = 1 << 28,   /* the corner's star need not look at first */
    EPOCH = 8,        /* from this bit on, 20 bits: the event that made the triangle */
};

enum { HELD = 2 }; /* pairs that a question finds at once */

/* The side of a task that asks star a for its pairs from that place on: all, or ~s for those that
   it sees through the triangle to the left of side s. */
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

/* The event at which a star was asked, and to the left of which side, or all around. */
struct asked {
    int32_t event, side;
};

struct search {
    struct mw_run *run;
    struct mesh mesh;
    struct angle angle; /* the least between two lanes */
    struct place now;   /* all pairs before are decided */
    struct queue queue;
    int32_t queue_room;
    struct portal *stack;
    struct waiting *waiting;
    int32_t waiting_count, waiting_room, waiting_free;
    struct asked *asked; /* when each star was asked last */
    int32_t event;       /* counts sides that will not be lanes, and channels dug */
};

/* A pair of the beginning that has to be tried, and its side. */
struct pair {
    int32_t a, b, side;
};
struct pairs {
    struct pair *at;
    int32_t count;
};

static inline struct place place_of(const struct mesh *m, int32_t s)
{
    int32_t a = side_from(m, s), b = side_to(m, s);
    return (struct place){square(star_ray(m, a, b)), a < b ? a : b, a < b ? b : a};
}

static inline bool is_calm(const struct mesh *m, int32_t s)
{
    return m->triangle[s >> 2].lanes >> (s & 3) & CALM;
}

/* Whether a side is a lane by now; a calm one that is, is marked. */
static inline bool is_lane(const struct search *q, int32_t s)
{
    struct triangle *t = &q->mesh.triangle[s >> 2];
    uint32_t bits = t->lanes >> (s & 3);
    if ((bits & (1 | CALM)) != CALM)
        return bits & 1;
    struct place place = place_of(&q->mesh, s);
    if (place.square > q->now.square || place_before(q->now, place))
        return false;
    t->lanes |= 1u << (s & 3);
    return true;
}

/* The event that made a triangle what it is. */
static inline int32_t epoch_of(const struct search *q, int32_t side)
{
    return (int32_t)(q->mesh.triangle[side >> 2].lanes >> EPOCH & 0xfffff);
}

/* Tells the calm sides of the beginning; the others, in the order of pairs. */
struct pairs calm_list(struct search *);
/* Finds the first pairs of all stars. */
void calm_look(struct search *);

/* A star's first look to the left of side s; false when there is no room for what it finds. */
bool sight_look_first(struct search *, int32_t s);
/* Asks a star what it sees after now in the triangle to the left of its side s. */
void sight_ask(struct search *, int32_t s);
/* Asks all stars for all pairs after now, and empties the queue before. */
void sight_ask_all(struct search *);
/* Answers a question whose time has come. */
void sight_answer(struct search *, struct task);
/* Takes those who wait at a triangle, and puts them before the others of a list. */
int32_t sight_take_waiting(struct search *, int32_t triangle, int32_t list);
/* Asks the waiting of a list. */
void sight_ask_waiting(struct search *, int32_t list);
/* Makes room in the queue for the answer to a question, or for a task. */
void sight_make_room(struct search *);
void sight_push(struct search *, struct task);

/* Makes a lane between a and b if the rules allow it; `guess` is a side of a that may lead to b. */
void lay_pair(struct search *, int32_t a, int32_t b, int32_t guess);

/* Sorts places, with as much room again to spare. */
void starlanes_sort(struct mw_run *, struct place *, struct place *spare, int32_t count);

#endif
