/* check_cache.c: answers by address, made once; the queue and its workers; requests recalled. */
#include "srv/keep/cache.h"
#include "srv/keep/recall.h"
#include "unit/unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const struct mw_encoder encoders[2];
static const struct timing no_time;

static bool no_withdrawal(void *arg, struct job *job)
{
    (void)job;
    ++*(int *)arg;
    return false;
}

static bool withdrawal(void *arg, struct job *job)
{
    (void)job;
    ++*(int *)arg;
    return true;
}

static struct key key_of(const char *address)
{
    struct key key = {.encoder = encoders, .address = address, .length = strlen(address)};
    snprintf(key.id, sizeof key.id, "%.36s", address);
    return key;
}

static const struct etag tag = {"\"tag\""};
static int woken;

static void count_wake(struct waiter *waiter)
{
    woken++;
    blob_drop(waiter->blob);
}

static struct blob *bytes(size_t length)
{
    struct blob *blob = blob_reserve(length, "text/plain");
    memset(blob->bytes, 'x', length);
    return blob;
}

/* Claims, and settles where it is ours. */
static enum claim make(struct cache *cache, const char *address, size_t length, enum fault fault)
{
    struct key key = key_of(address);
    struct waiter waiter = {.wake = count_wake};
    struct blob *blob = NULL;
    struct entry *entry;
    enum claim claim = cache_claim(cache, &key, &waiter, &blob, &entry);
    if (claim == CLAIM_MINE)
        cache_settle(cache, entry, fault ? blob_of_fault(fault, "", 0) : bytes(length), &no_time);
    blob_drop(blob);
    return claim;
}

START_TEST(keeps_what_was_made)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    ck_assert_int_eq(make(cache, "/a", 10, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(make(cache, "/a", 10, FAULT_NONE), CLAIM_HIT);
    ck_assert_int_eq(make(cache, "/b", 10, FAULT_NONE), CLAIM_MINE);
    struct key other = key_of("/a");
    other.encoder = encoders + 1;
    ck_assert_ptr_null(cache_peek(cache, &other));
    other = key_of("/a");
    other.coding = CODING_GZIP;
    ck_assert_ptr_null(cache_peek(cache, &other));
    cache_drop(cache);
}
END_TEST

/* Of the same id and another address there is nothing, even if somebody finds such a pair. */
START_TEST(compares_addresses)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    make(cache, "/a", 10, FAULT_NONE);
    struct key key = key_of("/a");
    key.address = "/b";
    ck_assert_ptr_null(cache_peek(cache, &key));
    cache_drop(cache);
}
END_TEST

START_TEST(keeps_lasting_faults_alone)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    make(cache, "/hard", 0, FAULT_TOO_HARD);
    make(cache, "/big", 0, FAULT_TOO_BIG);
    make(cache, "/none", 0, FAULT_NO_RESULT);
    make(cache, "/late", 0, FAULT_LATE);
    make(cache, "/busy", 0, FAULT_BUSY);
    ck_assert_int_eq(make(cache, "/hard", 0, FAULT_TOO_HARD), CLAIM_HIT);
    ck_assert_int_eq(make(cache, "/big", 0, FAULT_TOO_BIG), CLAIM_HIT);
    ck_assert_int_eq(make(cache, "/none", 0, FAULT_NO_RESULT), CLAIM_HIT);
    ck_assert_int_eq(make(cache, "/late", 0, FAULT_LATE), CLAIM_MINE);
    ck_assert_int_eq(make(cache, "/busy", 0, FAULT_BUSY), CLAIM_MINE);
    cache_drop(cache);
}
END_TEST

START_TEST(drops_the_least_recently_used)
{
    int withdrawn = 0;
    char name[32];
    struct cache *cache = cache_new(10 * 3000, no_withdrawal, &withdrawn);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "/%d", i);
        make(cache, name, 2000, FAULT_NONE);
        make(cache, "/0", 2000, FAULT_NONE); /* used all the time */
        ck_assert_uint_le(cache_state(cache).bytes, 10 * 3000);
    }
    ck_assert_int_eq(make(cache, "/0", 2000, FAULT_NONE), CLAIM_HIT);
    ck_assert_int_eq(make(cache, "/99", 2000, FAULT_NONE), CLAIM_HIT);
    ck_assert_int_eq(make(cache, "/50", 2000, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(make(cache, "/whale", 100000, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(make(cache, "/whale", 100000, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(make(cache, "/0", 2000, FAULT_NONE), CLAIM_HIT);
    cache_drop(cache);
}
END_TEST

START_TEST(wakes_all_who_wait)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    struct key key = key_of("/a");
    struct waiter waiters[5];
    struct blob *blob = NULL;
    struct entry *entry, *mine = NULL;
    for (int i = 0; i < 5; i++) {
        waiters[i] = (struct waiter){.wake = count_wake};
        ck_assert_int_eq(cache_claim(cache, &key, &waiters[i], &blob, &entry),
                         i ? CLAIM_WAIT : CLAIM_MINE);
        mine = mine ? mine : entry;
    }
    ck_assert(cache_leave(cache, &waiters[2]));
    ck_assert(!cache_leave(cache, &waiters[2]));
    woken = 0;
    cache_settle(cache, mine, bytes(3), &no_time);
    ck_assert_int_eq(woken, 4);
    ck_assert(!cache_leave(cache, &waiters[0]));
    ck_assert_int_eq(withdrawn, 0);
    cache_drop(cache);
}
END_TEST

/* The last to leave ends the work; who asks then begins anew. */
START_TEST(abandons_what_nobody_waits_for)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    struct key key = key_of("/a");
    struct waiter first = {.wake = count_wake}, second = first;
    struct blob *blob = NULL;
    struct entry *running, *fresh;
    cache_claim(cache, &key, &first, &blob, &running);
    ck_assert(cache_leave(cache, &first));
    ck_assert_int_eq(withdrawn, 1);
    ck_assert(atomic_load(&running->abandoned));
    ck_assert_int_eq(cache_claim(cache, &key, &second, &blob, &fresh), CLAIM_MINE);
    ck_assert_ptr_ne(running, fresh);
    woken = 0;
    cache_settle(cache, running, bytes(3), &no_time);
    ck_assert_int_eq(woken, 0);
    cache_settle(cache, fresh, bytes(3), &no_time);
    ck_assert_int_eq(woken, 1);
    cache_drop(cache);

    cache = cache_new(1 << 20, withdrawal, &withdrawn);
    cache_claim(cache, &key, &first, &blob, &running);
    ck_assert(cache_leave(cache, &first));
    ck_assert_uint_eq(cache_state(cache).entries, 0);
    cache_drop(cache);
}
END_TEST

START_TEST(finds_addresses_by_id)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    make(cache, "/a?seed=1", 10, FAULT_NONE);
    char *address = cache_address(cache, "/a?seed=1");
    ck_assert_str_eq(address, "/a?seed=1");
    free(address);
    ck_assert_ptr_null(cache_address(cache, "/b"));
    cache_drop(cache);
}
END_TEST

/* ---- the pool -------------------------------------------------------------------------------- */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ran, refused;

static size_t run(void *arg, struct job *job, void *memory, size_t size)
{
    (void)arg, (void)job;
    memset(memory, 1, size < 64 ? size : 64);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    ran++;
    return size;
}

static void refuse(void *arg, struct job *job)
{
    (void)arg, (void)job;
    refused++;
}

START_TEST(queues_within_bounds)
{
    struct pool_plan plan = {
        .workers = 1, .queue = 2, .wait = 1000, .memory = 1 << 16, .run = run, .refuse = refuse};
    struct job jobs[6] = {0};
    ran = refused = 0;
    pthread_mutex_lock(&gate);
    struct pool *pool = pool_new(&plan);
    ck_assert(pool_submit(pool, &jobs[0]));
    while (!pool_state(pool).running)
        ;
    ck_assert(pool_submit(pool, &jobs[1]));
    ck_assert(pool_submit(pool, &jobs[2]));
    ck_assert(!pool_submit(pool, &jobs[3]));
    ck_assert(pool_withdraw(pool, &jobs[1]));
    ck_assert(!pool_withdraw(pool, &jobs[1]));
    ck_assert(!pool_withdraw(pool, &jobs[0]));
    ck_assert(pool_submit(pool, &jobs[4]));
    pool_expire(pool, jobs[2].submitted + 1000);
    ck_assert_int_eq(refused, 0);
    pool_expire(pool, jobs[4].submitted + 1001);
    ck_assert_int_eq(refused, 2);
    ck_assert(pool_submit(pool, &jobs[5]));
    pthread_mutex_unlock(&gate);
    pool_drop(pool);
    ck_assert_int_eq(ran, 2);
}
END_TEST

/* ---- recall ---------------------------------------------------------------------------------- */

START_TEST(recalls_the_very_bytes)
{
    char raw[64];
    struct recall *recall = recall_new(1 << 20);
    struct key key = key_of("/a?seed=1");
    for (int i = 0; i < 3000; i++) {
        size_t n = (size_t)snprintf(raw, sizeof raw, "request %d.", i);
        ck_assert_ptr_null(recall_find(recall, raw, n));
        recall_store(recall, raw, n, &key, &tag);
        const struct recalled *found = recall_find(recall, raw, n);
        ck_assert(found && found->key.length == key.length &&
                  !memcmp(found->key.address, key.address, key.length));
        ck_assert_ptr_null(recall_find(recall, raw, n - 1));
    }
    recall_drop(recall);
}
END_TEST

START_TEST(recalls_within_bounds)
{
    static char raw[5000];
    struct recall *recall = recall_new(100000), *nothing = recall_new(0);
    struct key key = key_of("/a");
    for (int i = 0; i < 1000; i++) {
        memcpy(raw, &i, sizeof i);
        recall_store(recall, raw, sizeof raw, &key, &tag);
        ck_assert_ptr_nonnull(recall_find(recall, raw, sizeof raw));
        recall_store(nothing, raw, sizeof raw, &key, &tag);
        ck_assert_ptr_null(recall_find(nothing, raw, sizeof raw));
    }
    int kept = 0;
    for (int i = 0; i < 1000; i++) {
        memcpy(raw, &i, sizeof i);
        kept += recall_find(recall, raw, sizeof raw) != NULL;
    }
    ck_assert_int_le(kept, 20);
    recall_drop(recall);
    recall_drop(nothing);
}
END_TEST

Suite *suite_cache(void)
{
    Suite *suite = suite_create("cache");
    TCase *all = tcase_create("all");
    tcase_add_test(all, keeps_what_was_made);
    tcase_add_test(all, compares_addresses);
    tcase_add_test(all, keeps_lasting_faults_alone);
    tcase_add_test(all, drops_the_least_recently_used);
    tcase_add_test(all, wakes_all_who_wait);
    tcase_add_test(all, abandons_what_nobody_waits_for);
    tcase_add_test(all, finds_addresses_by_id);
    tcase_add_test(all, queues_within_bounds);
    tcase_add_test(all, recalls_the_very_bytes);
    tcase_add_test(all, recalls_within_bounds);
    suite_add_tcase(suite, all);
    return suite;
}
