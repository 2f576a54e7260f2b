/*
 * bucket_queue.h: a queue by small whole keys (Dial 1969): an array of lists, one for each key.
 *
 * Input: items, each pushed with a key from 0 to buckets - 1. Output: the items in order of key;
 * of those with one key, the last pushed comes first. The queue never goes back: an item pushed
 * with a key below that of the last item popped counts as of that key.
 *
 * Cost: push and pop take constant time, and all pops together one step for each bucket. Memory is
 * 4 bytes for a bucket and 12 for each push since the queue was cleared.
 */
#ifndef MAPWRIGHT_BUCKET_QUEUE_H
#define MAPWRIGHT_BUCKET_QUEUE_H

#include "lib/gen.h"

/* An item that was pushed, with a number of the caller's. */
struct mw_bucket_entry {
    int32_t next, item, owner;
};

struct mw_bucket_queue {
    int32_t *first; /* by bucket: the entry pushed last; -1: none */
    int32_t buckets, now;
    struct mw_bucket_entry *entry;
    int32_t entries, room;
};

static inline void mw_clear_bucket_queue(struct mw_bucket_queue *q)
{
    for (int32_t i = 0; i < q->buckets; i++)
        q->first[i] = -1;
    q->entries = q->now = 0;
}

/* An empty queue, with room for so many pushes until it is cleared. */
static inline void mw_new_bucket_queue(struct mw_run *run, struct mw_bucket_queue *q,
                                       int32_t buckets, int32_t room)
{
    assert(buckets > 0 && room >= 0);
    *q = (struct mw_bucket_queue){.buckets = buckets, .room = room};
    q->first = MW_NEW(run, int32_t, buckets);
    q->entry = MW_NEW(run, struct mw_bucket_entry, room);
    mw_clear_bucket_queue(q);
}

static inline bool mw_bucket_queue_is_full(const struct mw_bucket_queue *q)
{
    return q->entries == q->room;
}

static inline void mw_bucket_push(struct mw_bucket_queue *q, int32_t key, int32_t item,
                                  int32_t owner)
{
    assert(key < q->buckets && q->now < q->buckets && q->entries < q->room);
    key = key < q->now ? q->now : key;
    q->entry[q->entries] = (struct mw_bucket_entry){q->first[key], item, owner};
    q->first[key] = q->entries++;
}

/* The next entry; NULL: the queue is empty. The entry stays valid until the queue is cleared. */
static inline const struct mw_bucket_entry *mw_bucket_pop(struct mw_bucket_queue *q)
{
    while (q->now < q->buckets && q->first[q->now] < 0)
        q->now++;
    if (q->now == q->buckets)
        return NULL;
    const struct mw_bucket_entry *entry = &q->entry[q->first[q->now]];
    q->first[q->now] = entry->next;
    return entry;
}

#endif
