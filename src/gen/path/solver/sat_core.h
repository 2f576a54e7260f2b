/*
 * sat_core.h: the inside of a solver, which sat.c explains.
 */
#ifndef MAPWRIGHT_SAT_CORE_H
#define MAPWRIGHT_SAT_CORE_H

#include "kit/heap.h"
#include "sat.h"

enum { CLASSES = 32, REDUCE_FIRST = 2000, REDUCE_MORE = 500 };

/* The reason of a literal's value: a clause in the arena, or one or two other literals that are
   false (`also` may be NONE). */
struct reason {
    uint32_t clause; /* or PAIR | literal */
    sat_literal also;
};
static const sat_literal NONE = UINT32_MAX;
static const struct reason NO_REASON = {UINT32_MAX, UINT32_MAX};
static const uint32_t PAIR = UINT32_C(1) << 31;
static const uint32_t DELETED = UINT32_MAX;

struct clause_watch {
    uint32_t clause;
    sat_literal blocker;
};

struct watches {
    struct clause_watch *at;
    uint32_t count;
    int size_class;
};

/* A clause in the arena: HEADER words, then the literals; the first two are watched. Glue 0: a
   clause that was given, not learnt. */
enum { SIZE, GLUE, HEADER };

struct sat {
    struct mw_run *run;
    struct sat_theory theory;
    uint32_t variables, most; /* present, and the most that fit */
    bool refuted;             /* a conflict without decisions was met */

    /* by literal */
    int8_t *value; /* 1 holds, -1 does not, 0 open */
    struct watches *watches;

    /* by variable */
    int32_t *level;
    struct reason *reasons;
    uint64_t *activity;
    bool *phase, *branch, *seen;

    struct mw_heap heap; /* of variables to branch on, the most active first */
    uint64_t increment;

    sat_literal *preferred; /* for the first decision */
    uint32_t preferred_count;

    sat_literal *trail; /* what holds, in the order in which it was set */
    uint32_t trail_count, propagated;
    uint32_t *level_start; /* of the trail, for levels from 1 */
    int32_t levels;        /* decisions that stand */

    uint32_t *arena, arena_count;
    int arena_class;
    uint32_t learnt_count, reduce_at;

    sat_literal *clause, *stack; /* scratch of learning */
    uint32_t *marked;
    uint32_t clause_count, marked_count;
    uint64_t *level_stamp, stamp;
    sat_literal conflict; /* false, but implied */
    struct reason why;    /* by this */

    uint64_t conflicts, all_glue, recent_glue; /* the last is a moving average, in 1/65536 */
    uint32_t since_restart;

    void *free_blocks[CLASSES];
};

static inline bool is_none(struct reason r) { return r.clause == NO_REASON.clause; }
static inline uint32_t variable_of(sat_literal literal) { return literal >> 1; }

/* ---- sat_core.c ------------------------------------------------------------------------------ */

/* A block of 2^size_class bytes. */
void *sat_take_block(struct sat *, int size_class);
/* Whether the next clause surely fits, and leaves as much again to the rest of the run. */
bool sat_has_room(const struct sat *);

bool sat_is_more_active(const void *sat, int32_t a, int32_t b);
void sat_heap_insert(struct sat *, uint32_t variable);
void sat_bump(struct sat *, uint32_t variable);
/* All activities, but for those bumped from now on. */
void sat_decay(struct sat *);

void sat_assign(struct sat *, sat_literal, struct reason);
/* Takes back all that was set since there were more than so many decisions. */
void sat_backtrack(struct sat *, int32_t level);
/* All that follows from the trail; false where that is a conflict. */
bool sat_propagate(struct sat *);
/* Watches a clause, whose first two literals are the ones that may be watched. Two literals live in
   the watch lists, more in the arena. The reason that the clause is for its first one. */
struct reason sat_attach(struct sat *, const sat_literal *, uint32_t count, uint32_t glue);

/* ---- sat_learn.c ----------------------------------------------------------------------------- */

/* Learns from the conflict, and goes back to where that forces a literal. */
void sat_learn(struct sat *);
/* Drops half of the learnt clauses, strips settled literals from the rest, and closes the gaps in
   the arena. No reason is lost: without decisions none is needed. */
void sat_reduce(struct sat *);

#endif
