/* bucket_queue.c: making and clearing; push and pop are in the header, to be inlined. */
#include "bucket_queue.h"

void mw_new_bucket_queue(struct mw_run *run, struct mw_bucket_queue *q, int32_t buckets,
                         int32_t room)
{
    assert(buckets > 0 && room >= 0);
    *q = (struct mw_bucket_queue){.buckets = buckets, .room = room};
    q->first = MW_NEW(run, int32_t, buckets);
    q->entry = MW_NEW(run, struct mw_bucket_entry, room);
    mw_clear_bucket_queue(q);
}

void mw_clear_bucket_queue(struct mw_bucket_queue *q)
{
    for (int32_t i = 0; i < q->buckets; i++)
        q->first[i] = -1;
    q->entries = q->now = 0;
}
