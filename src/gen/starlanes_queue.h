/* starlanes_queue.h: tasks by their place, in a heap of four branches. */
#ifndef MAPWRIGHT_STARLANES_QUEUE_H
#define MAPWRIGHT_STARLANES_QUEUE_H

#include "gen.h"

/* By `square`, then a, then b: for pairs of stars, a < b, the order of all pairs. */
struct place {
    int64_t square;
    int32_t a, b;
};

/* What is to be done there; `side` says what, and `epoch` whether still, where they are used. */
struct task {
    struct place place;
    int32_t side, epoch;
};

struct queue {
    struct task *at;
    int32_t count;
};

static inline bool place_before(struct place p, struct place q)
{
    if (p.square != q.square)
        return p.square < q.square;
    return p.a != q.a ? p.a < q.a : p.b < q.b;
}

/* Puts the task in at i or below; what is at i is lost. */
static inline void queue_sink(struct queue *queue, int32_t i, struct task task)
{
    for (int32_t child; (child = 4 * i + 1) < queue->count; i = child) {
        int32_t end = child + 4 < queue->count ? child + 4 : queue->count;
        for (int32_t j = child + 1; j < end; j++)
            if (place_before(queue->at[j].place, queue->at[child].place))
                child = j;
        if (!place_before(queue->at[child].place, task.place))
            break;
        queue->at[i] = queue->at[child];
    }
    queue->at[i] = task;
}

/* The caller knows that there is room. */
static inline void queue_push(struct queue *queue, struct task task)
{
    int32_t i = queue->count++;
    for (; i > 0 && place_before(task.place, queue->at[(i - 1) / 4].place); i = (i - 1) / 4)
        queue->at[i] = queue->at[(i - 1) / 4];
    queue->at[i] = task;
}

static inline struct task queue_pop(struct queue *queue)
{
    struct task first = queue->at[0];
    if (--queue->count)
        queue_sink(queue, 0, queue->at[queue->count]);
    return first;
}

#endif
