/* check_cache.c: answers by address, made once. */
#include "faults.h"
#include "srv/base/clock.h"
#include "srv/cache/cache.h"
#include "unit/unit.h"

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

TEST(keeps_what_was_made)
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

/* Of the same id and another address there is nothing, even if somebody finds such a pair. */
TEST(compares_addresses)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    make(cache, "/a", 10, FAULT_NONE);
    struct key key = key_of("/a");
    key.address = "/b";
    ck_assert_ptr_null(cache_peek(cache, &key));
    cache_drop(cache);
}

TEST(keeps_lasting_faults_alone)
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

/* More than there is room for: what is asked for again and again stays, and what just came. What is
   too heavy goes to those who wait for it alone. */
TEST(keeps_to_its_bytes)
{
    int withdrawn = 0, kept = 0;
    char name[32];
    struct cache *cache = cache_new(16 * 3000, no_withdrawal, &withdrawn);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "/%d", i);
        make(cache, name, 2000, FAULT_NONE);
        make(cache, "/0", 2000, FAULT_NONE);
        ck_assert_uint_le(cache_state(cache).bytes, 16 * 3000);
    }
    ck_assert_int_eq(make(cache, "/0", 2000, FAULT_NONE), CLAIM_HIT);
    ck_assert_int_eq(make(cache, "/99", 2000, FAULT_NONE), CLAIM_HIT);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "/%d", i);
        struct key key = key_of(name);
        struct blob *blob = cache_peek(cache, &key);
        kept += blob != NULL;
        blob_drop(blob);
    }
    ck_assert_int_eq((int)cache_state(cache).entries, kept);
    ck_assert_int_gt(kept, 10);
    ck_assert_uint_eq(cache_state(cache).evicted, 100 - (size_t)kept);
    woken = 0;
    ck_assert_int_eq(make(cache, "/whale", 100000, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(make(cache, "/whale", 100000, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(woken, 2);
    ck_assert_int_eq(make(cache, "/0", 2000, FAULT_NONE), CLAIM_HIT);
    cache_drop(cache);
}

/* What was made unasked is kept once, by the same policy as what was asked for. */
TEST(keeps_what_is_offered)
{
    int withdrawn = 0;
    size_t loose = blob_loose();
    struct cache *cache = cache_new(1 << 14, no_withdrawal, &withdrawn);
    struct key key = key_of("/a");
    ck_assert_ptr_null(cache_find(cache, &key));
    cache_offer(cache, &key, blob_new("one", 4, NULL), 1000);
    cache_offer(cache, &key, blob_new("two", 4, NULL), 1000);
    struct blob *kept = cache_find(cache, &key);
    ck_assert_str_eq(kept->bytes, "one");
    blob_drop(kept);
    struct key heavy = key_of("/heavy");
    cache_offer(cache, &heavy, blob_reserve(1 << 14, NULL), 1000);
    ck_assert_ptr_null(cache_find(cache, &heavy));
    ck_assert_uint_eq(cache_state(cache).entries, 1);
    cache_drop(cache);
    ck_assert_uint_eq(blob_loose(), loose);
}

/* Finding is asking: what others stand on outlives what nobody asks for. */
TEST(what_is_found_stays)
{
    int withdrawn = 0;
    char name[32];
    struct cache *cache = cache_new(16 * 3000, no_withdrawal, &withdrawn);
    struct key key = key_of("/a");
    cache_offer(cache, &key, blob_reserve(2000, NULL), 1000);
    for (int i = 0; i < 100; i++) {
        struct blob *found = cache_find(cache, &key);
        ck_assert_ptr_nonnull(found);
        blob_drop(found);
        snprintf(name, sizeof name, "/%d", i);
        struct key other = key_of(name);
        cache_offer(cache, &other, blob_reserve(2000, NULL), 1000);
    }
    cache_drop(cache);
}

/* What is being sent while it has to go lives until it is sent. */
TEST(lets_go_of_what_is_being_sent)
{
    int withdrawn = 0;
    char name[32];
    struct cache *cache = cache_new(16 * 3000, no_withdrawal, &withdrawn);
    make(cache, "/sent", 2000, FAULT_NONE);
    struct key key = key_of("/sent");
    struct blob *sent = cache_peek(cache, &key);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "/%d", i);
        for (int again = 0; again < 3; again++)
            make(cache, name, 2000, FAULT_NONE);
    }
    ck_assert_ptr_null(cache_peek(cache, &key));
    ck_assert_uint_eq(atomic_load(&sent->refs), 1);
    ck_assert_mem_eq(sent->bytes, "xxxx", 4);
    blob_drop(sent);
    cache_drop(cache);
}

/* A fault of the moment that has an end is kept until then, and not a moment longer. */
TEST(forgets_at_the_end)
{
    int withdrawn = 0;
    size_t loose = blob_loose();
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    for (int64_t end = 3600000000; end >= 0; end -= 3600000000) {
        struct key key = key_of("/late");
        struct waiter waiter = {.wake = count_wake};
        struct blob *blob = NULL;
        struct entry *entry;
        ck_assert_int_eq(cache_claim(cache, &key, &waiter, &blob, &entry), CLAIM_MINE);
        entry->until = clock_now() + end;
        cache_settle(cache, entry, blob_of_fault(FAULT_LATE, "", 0), &no_time);
        struct blob *kept = cache_peek(cache, &key);
        ck_assert_int_eq(kept != NULL, end > 0);
        blob_drop(kept);
        ck_assert_int_eq(make(cache, "/late", 10, FAULT_NONE), end ? CLAIM_HIT : CLAIM_MINE);
        cache_drop(cache);
        cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    }
    cache_drop(cache);
    ck_assert_uint_eq(blob_loose(), loose);
}

TEST(nobody_takes_time_from_another)
{
    struct entry entry = {0};
    static const int64_t asked[] = {1000, 400, 1000, 1001, 0},
                         given[] = {1000, 1000, 1000, 1001, 1001};
    for (int i = 0; i < 5; i++) {
        entry_allow(&entry, asked[i]);
        ck_assert_int_eq(atomic_load(&entry.deadline), given[i]);
    }
}

TEST(wakes_all_who_wait)
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

/* The last to leave ends the work; a later request begins anew. */
TEST(abandons_what_nobody_waits_for)
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

TEST(finds_addresses_by_id)
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

/* More than its first table holds chains for: all are found again. */
TEST(grows)
{
    int withdrawn = 0;
    char name[32];
    struct cache *cache = cache_new(1 << 22, no_withdrawal, &withdrawn);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3000; i++) {
            snprintf(name, sizeof name, "/%d", i);
            ck_assert_int_eq(make(cache, name, 10, FAULT_NONE), round ? CLAIM_HIT : CLAIM_MINE);
        }
    ck_assert_uint_eq(cache_state(cache).entries, 3000);
    ck_assert_uint_eq(cache_state(cache).evicted, 0);
    cache_drop(cache);
}

/* For lack of memory there is no blob: all are woken, nothing is kept. */
TEST(settles_without_a_blob)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    struct key key = key_of("/a");
    struct waiter waiter = {.wake = count_wake};
    struct blob *blob = NULL;
    struct entry *entry;
    ck_assert_int_eq(cache_claim(cache, &key, &waiter, &blob, &entry), CLAIM_MINE);
    woken = 0;
    cache_settle(cache, entry, NULL, &no_time);
    ck_assert_int_eq(woken, 1);
    ck_assert_ptr_null(waiter.blob);
    ck_assert_uint_eq(cache_state(cache).entries, 0);
    cache_drop(cache);
}

/* Begins, keeps more than it has buckets for, finds addresses: or says that it cannot. */
TEST(lives_without_memory)
{
    int withdrawn = 0;
    char name[32];
    bool faulted = true;
    for (int n = 1; faulted; n += n < 8 ? 1 : 97) {
        faults_begin(n);
        struct cache *cache = cache_new(16 << 20, no_withdrawal, &withdrawn);
        for (int i = 0; cache && i < 1100; i++) {
            snprintf(name, sizeof name, "/%d", i);
            struct key key = key_of(name);
            struct waiter waiter = {.wake = count_wake};
            struct blob *blob = NULL;
            struct entry *entry;
            if (cache_claim(cache, &key, &waiter, &blob, &entry) == CLAIM_MINE)
                cache_settle(cache, entry, blob_new("x", 1, "text/plain"), &no_time);
            free(cache_address(cache, name));
        }
        faulted = faults_end();
        ck_assert(cache || faulted);
        ck_assert(!cache || cache_state(cache).entries >= 1099);
        if (cache)
            cache_drop(cache);
    }
}

/* All that tells two answers of one map apart. */
TEST(compares_looks)
{
    int withdrawn = 0;
    struct cache *cache = cache_new(1 << 20, no_withdrawal, &withdrawn);
    make(cache, "/a", 10, FAULT_NONE);
    struct key key = key_of("/a");
    key.look.scale = 2;
    ck_assert_ptr_null(cache_peek(cache, &key));
    key = key_of("/a");
    key.look.color = true;
    ck_assert_ptr_null(cache_peek(cache, &key));
    key = key_of("/a");
    key.look.voxel = 2;
    ck_assert_ptr_null(cache_peek(cache, &key));
    key = key_of("/a");
    key.length--;
    ck_assert_ptr_null(cache_peek(cache, &key));
    ck_assert_ptr_null(cache_address(cache, "/b"));
    cache_drop(cache);
}
