/* check_bucket_queue.c: what is popped, against a list of what was pushed. */
#include "kit/bucket_queue.h"
#include "unit/unit.h"

enum { BUCKETS = 50, ROOM = 400 };

/* The next of the items that are in the queue: of the least key, the last pushed; -1: none. */
static int32_t next_of(const int32_t *key, const bool *in, int32_t pushed)
{
    int32_t next = -1;
    for (int32_t i = 0; i < pushed; i++)
        if (in[i] && (next < 0 || key[i] <= key[next]))
            next = i;
    return next;
}

TEST(pops_by_key_and_the_last_pushed_first, .end = 8)
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct mw_bucket_queue queue;
    mw_new_bucket_queue(run, &queue, BUCKETS, ROOM);
    for (int round = 0; round < 2; round++, mw_clear_bucket_queue(&queue)) {
        int32_t key[ROOM], pushed = 0, now = 0;
        bool in[ROOM] = {false};
        while (pushed < ROOM || next_of(key, in, pushed) >= 0) {
            if (pushed < ROOM && mw_below(&rng, 3)) {
                int32_t wanted = (int32_t)mw_below(&rng, BUCKETS);
                ck_assert(!mw_bucket_queue_is_full(&queue));
                mw_bucket_push(&queue, wanted, pushed, -pushed);
                key[pushed] = wanted < now ? now : wanted; /* it never goes back */
                in[pushed++] = true;
                continue;
            }
            int32_t next = next_of(key, in, pushed);
            if (next < 0)
                continue;
            const struct mw_bucket_entry *entry = mw_bucket_pop(&queue);
            ck_assert_ptr_nonnull(entry);
            ck_assert_int_eq(entry->item, next);
            ck_assert_int_eq(entry->owner, -next);
            in[next] = false;
            now = key[next];
        }
        ck_assert(mw_bucket_queue_is_full(&queue));
        ck_assert_ptr_null(mw_bucket_pop(&queue));
    }
}
