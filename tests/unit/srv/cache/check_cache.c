/* check_cache.c: answers by address, made once. */
#include "claims.h"
#include "srv/base/clock.h"
#include "unit/unit.h"

#include <stdlib.h>

enum { EVICTING = 16 * 3000 };

#define EVER INT64_C(3600000000)

static size_t loose;

static void with_room_for(size_t room)
{
    if (cache)
        cache_drop(cache);
    cache = cache_new(room);
    woken = 0;
}

static void start(void)
{
    loose = blob_loose();
    with_room_for(1 << 20);
}

static void stop(void)
{
    cache_drop(cache);
    cache = NULL;
    ck_assert_uint_eq(blob_loose(), loose);
}

FIXTURE(start, stop)

/* Claims, and settles where it is ours. */
static enum claim make_key(struct key key, size_t length, enum fault fault)
{
    struct asked asked;
    claim(&asked, key);
    if (asked.claim == CLAIM_MINE)
        cache_settle(cache, asked.entry, fault ? blob_of_fault(fault, "", 0) : bytes(length));
    return asked.claim;
}

static enum claim make(const char *address, size_t length, enum fault fault)
{
    return make_key(key_of(address), length, fault);
}

static bool is_there(struct key key)
{
    struct blob *blob = cache_find(cache, &key);
    blob_drop(blob);
    return blob;
}

/* All that tells two answers apart: even two addresses of the same id, should anybody find them. */
TEST(keeps_what_was_made)
{
    struct key key = key_of("/a"), others[7];
    ck_assert_int_eq(make_key(key, 10, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(make_key(key, 10, FAULT_NONE), CLAIM_HIT);
    for (int i = 0; i < COUNT(others); i++)
        others[i] = key;
    others[0].encoder = encoders + 1;
    others[1].coding = CODING_GZIP;
    others[2].address = "/b";
    others[3].look.scale = 2;
    others[4].look.color = true;
    others[5].look.voxel = 2;
    others[6].length--;
    for (int i = 0; i < COUNT(others); i++)
        ck_assert_msg(!is_there(others[i]), "%d", i);
    ck_assert(is_there(key));
}

TEST(keeps_lasting_faults_alone)
{
    static const struct {
        enum fault fault;
        bool stays;
    } faults[] = {{FAULT_TOO_HARD, true}, {FAULT_TOO_BIG, true}, {FAULT_NO_RESULT, true},
                  {FAULT_LATE, false},    {FAULT_BUSY, false},   {FAULT_CRASHED, false}};
    for (int i = 0; i < COUNT(faults); i++) {
        make_key(key_number(i), 0, faults[i].fault);
        ck_assert_int_eq(make_key(key_number(i), 0, faults[i].fault),
                         faults[i].stays ? CLAIM_HIT : CLAIM_MINE);
    }
}

/* More than there is room for: what is asked for again and again stays, and what just came. What is
   too heavy goes to those who wait for it alone. */
TEST(keeps_to_its_bytes)
{
    int kept = 0;
    with_room_for(EVICTING);
    for (int i = 0; i < 100; i++) {
        make_key(key_number(i), 2000, FAULT_NONE);
        make("/0", 2000, FAULT_NONE);
        ck_assert_uint_le(measured(GAUGE_HELD_CACHE), EVICTING);
    }
    ck_assert(is_there(key_of("/0")) && is_there(key_of("/99")));
    for (int i = 0; i < 100; i++)
        kept += is_there(key_number(i));
    ck_assert_int_eq((int)measured(GAUGE_CACHE_ENTRIES), kept);
    ck_assert_int_gt(kept, 10);
    ck_assert_uint_eq(measured(GAUGE_CACHE_EVICTED), 100 - (size_t)kept);
    woken = 0;
    ck_assert_int_eq(make("/whale", 100000, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(make("/whale", 100000, FAULT_NONE), CLAIM_MINE);
    ck_assert_int_eq(woken, 2);
    ck_assert_int_eq(make("/0", 2000, FAULT_NONE), CLAIM_HIT);
}

/* What is being sent while it has to go lives until it is sent. */
TEST(lets_go_of_what_is_being_sent)
{
    struct key key = key_of("/sent");
    with_room_for(EVICTING);
    make_key(key, 2000, FAULT_NONE);
    struct blob *sent = cache_find(cache, &key);
    for (int i = 0; i < 100; i++)
        for (int again = 0; again < 3; again++)
            make_key(key_number(i), 2000, FAULT_NONE);
    ck_assert(!is_there(key));
    ck_assert_uint_eq(atomic_load(&sent->refs), 1);
    ck_assert_mem_eq(sent->bytes, "xxxx", 4);
    blob_drop(sent);
}

/* A fault of the moment that has an end is kept until then, and not a moment longer; a client with
   more time has it tried anew, but for a crash. */
TEST(forgets_at_the_end)
{
    static const struct {
        int64_t left;
        enum fault fault;
        bool patient, kept;
    } cases[] = {{EVER, FAULT_LATE, false, true},
                 {EVER, FAULT_LATE, true, false},
                 {EVER, FAULT_CRASHED, true, true},
                 {0, FAULT_LATE, false, false}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct waiter own = {.patient = cases[i].patient, .wake = count_wake};
        struct asked first, again = {.key = key_number(i), .waiter = own};
        struct blob *blob = NULL;
        claim(&first, again.key);
        first.entry->until = clock_now() + cases[i].left;
        cache_settle(cache, first.entry, blob_of_fault(cases[i].fault, "", 0));
        ck_assert_int_eq(is_there(again.key), cases[i].left > 0);
        again.waiter.owner = &again.waiter;
        again.claim = cache_claim(cache, &again.key, &again.waiter, &blob, &again.entry);
        ck_assert_int_eq(again.claim, cases[i].kept ? CLAIM_HIT : CLAIM_MINE);
        if (again.claim == CLAIM_MINE)
            cache_settle(cache, again.entry, bytes(1));
        blob_drop(blob);
    }
}

TEST(nobody_takes_time_from_another)
{
    struct entry entry = {0};
    static const int64_t asked[] = {1000, 400, 1000, 1001, 0},
                         given[] = {1000, 1000, 1000, 1001, 1001};
    for (int i = 0; i < 5; i++) {
        clock_extend(&entry.deadline, asked[i]);
        ck_assert_int_eq(atomic_load(&entry.deadline), given[i]);
    }
}

TEST(wakes_all_that_wait)
{
    struct asked asked[5];
    for (int i = 0; i < 5; i++) {
        claim(&asked[i], key_of("/a"));
        ck_assert_int_eq(asked[i].claim, i ? CLAIM_WAIT : CLAIM_MINE);
    }
    ck_assert(cache_leave(cache, &asked[2].waiter));
    ck_assert(!cache_leave(cache, &asked[2].waiter));
    cache_settle(cache, asked[0].entry, bytes(3));
    ck_assert_int_eq(woken, 4);
    ck_assert(!cache_leave(cache, &asked[0].waiter));
}

/* The last to leave ends the work; a later request begins anew. */
TEST(abandons_what_nobody_waits_for)
{
    struct asked first, second;
    claim(&first, key_of("/a"));
    ck_assert(cache_leave(cache, &first.waiter));
    ck_assert(atomic_load(&first.entry->abandoned));
    claim(&second, key_of("/a"));
    ck_assert(second.claim == CLAIM_MINE && second.entry != first.entry);
    cache_settle(cache, first.entry, bytes(3));
    ck_assert_int_eq(woken, 0);
    cache_settle(cache, second.entry, bytes(3));
    ck_assert_int_eq(woken, 1);
    ck_assert_uint_eq(measured(GAUGE_CACHE_ENTRIES), 1);
}
