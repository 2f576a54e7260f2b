/*
 * pair_queue.h: tasks in the order of pairs, in a heap of four branches (Johnson 1975).
 *
 * The kit's heap holds numbers and asks for their order; here a task is its own key, and there are
 * more of them than stars, so they lie in the heap themselves.
 */
#ifndef MAPWRIGHT_PAIR_QUEUE_H
#define MAPWRIGHT_PAIR_QUEUE_H

#include "lib/gen.h"

/* Two stars and the square of the distance between them; a < b, or for a query, b is the star to
   begin with. They are ordered by `square`, then a, then b. */
struct pair {
    int64_t square;
    int32_t a, b;
};

/* What is to be done there; `side` says what, and `epoch` whether still. */
struct pair_task {
    struct pair pair;
    int32_t side, epoch;
};

struct pair_queue {
    struct pair_task *at;
    int32_t count;
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

/* Makes a heap of tasks in any order. */
static inline void pair_queue_build(struct pair_queue *queue)
{
    for (int32_t i = queue->count / 4; i >= 0 && queue->count; i--)
        pair_queue_sink(queue, i, queue->at[i]);
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

#endif
