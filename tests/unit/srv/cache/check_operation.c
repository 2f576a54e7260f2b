/* check_operation.c: maps that are made though no connection waits for them. */
#include "faults.h"
#include "srv/base/clock.h"
#include "srv/cache/operation.h"
#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEADLINE = 1000000, ROOM = 10000, KEPT = 1000 };

static const struct mw_encoder encoders[2];
static const struct timing times = {.make = 7};

static bool withdrawn;

/* As of a job that waits: it is taken back, and its entry is gone. */
static bool withdraw(void *arg, struct job *job)
{
    (void)arg, (void)job;
    withdrawn = true;
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

static struct cache *cache;
static struct operations *operations;

static int changes; /* of what there is to report */

static void count_change(void *arg)
{
    (void)arg;
    changes++;
}

static void start(void)
{
    const struct operations_plan plan = {.most = 4,
                                         .most_per_client = 2,
                                         .deadline = DEADLINE,
                                         .bytes = ROOM,
                                         .changed = count_change};
    changes = 0;
    woken = 0;
    withdrawn = false;
    cache = cache_new(KEPT, withdraw, NULL);
    operations = operations_new(cache, &plan);
}

static void stop(void)
{
    operations_drop(operations);
    cache_drop(cache);
}

/* What one client has under way, as its connection first waited for it. */
struct asked {
    struct key key;
    struct waiter waiter;
    struct entry *entry;
    enum fault fault;
};

static void ask(struct asked *asked, const char *address, uint64_t client)
{
    struct blob *blob = NULL;
    *asked = (struct asked){.key = key_of(address), .waiter.wake = count_wake};
    ck_assert_int_ne(cache_claim(cache, &asked->key, &asked->waiter, &blob, &asked->entry),
                     CLAIM_HIT);
    asked->fault = operations_begin(operations, &asked->key, client, &asked->waiter);
    ck_assert(cache_leave(cache, &asked->waiter));
}

static void settle(struct asked *asked, size_t length, enum fault fault)
{
    struct blob *blob = fault ? blob_of_fault(fault, NULL, 0) : blob_reserve(length, "text/plain");
    if (!fault)
        memset(blob->bytes, 'x', length);
    cache_settle(cache, asked->entry, blob, &times);
}

static enum outlook_state state_of(const struct asked *asked)
{
    struct outlook outlook = operations_look(operations, &asked->key);
    blob_drop(outlook.blob);
    return outlook.state;
}

FIXTURE(start, stop)

/* It waits in the place of the connection, which has left. */
TEST(goes_on_without_its_connection)
{
    struct asked one;
    ask(&one, "/one", 1);
    ck_assert(!one.fault && !withdrawn);
    ck_assert_int_eq(operations_count(operations), 1);
    ck_assert_int_eq(state_of(&one), OUTLOOK_WAITING);
    ck_assert(atomic_load(&one.entry->deadline) > clock_now());
    atomic_store(&one.entry->steps_expected, 1000);
    ck_assert_int_eq(state_of(&one), OUTLOOK_RUNNING);
    atomic_store(&one.entry->steps, 250);
    ck_assert_double_eq(operations_look(operations, &one.key).progress, 0.25);
    atomic_store(&one.entry->steps, 5000);
    ck_assert_double_eq(operations_look(operations, &one.key).progress, 0.99);
    settle(&one, 10, FAULT_NONE);
    struct outlook outlook = operations_look(operations, &one.key);
    ck_assert_int_eq(outlook.state, OUTLOOK_ENDED);
    ck_assert_uint_eq(outlook.blob->length, 10);
    ck_assert_int_eq(outlook.timing.make, 7);
    ck_assert_int_eq(operations_count(operations), 0);
    ck_assert_int_eq(woken, 0);
    blob_drop(outlook.blob);
}

/* What the cache would not keep is held for a while. */
TEST(holds_what_came_of_it)
{
    struct asked late;
    ask(&late, "/late", 1);
    settle(&late, 0, FAULT_LATE);
    struct outlook outlook = operations_look(operations, &late.key);
    ck_assert_int_eq(outlook.blob->fault, FAULT_LATE);
    blob_drop(outlook.blob);
    char *address = operations_address(operations, "/late");
    ck_assert_str_eq(address, "/late");
    free(address);
    operations_expire(operations, clock_now() + 30 * 1000000);
    ck_assert_int_eq(state_of(&late), OUTLOOK_ENDED);
    operations_expire(operations, clock_now() + 61 * 1000000);
    ck_assert_int_eq(state_of(&late), OUTLOOK_NONE);
    ck_assert_ptr_null(operations_address(operations, "/late"));
}

/* The cache has no room for any of them. */
TEST(lets_go_of_the_oldest)
{
    static const char *const names[] = {"/first", "/second", "/third", "/whale"};
    struct asked maps[4];
    for (int i = 0; i < 3; i++) {
        ask(&maps[i], names[i], 1);
        settle(&maps[i], KEPT + ROOM / 3, FAULT_NONE);
        ck_assert_int_eq(state_of(&maps[i]), OUTLOOK_ENDED);
    }
    ck_assert_int_eq(state_of(&maps[0]), OUTLOOK_LET_GO);
    ck_assert_int_eq(state_of(&maps[1]), OUTLOOK_ENDED);
    char *address = operations_address(operations, "/first");
    ck_assert_str_eq(address, "/first");
    free(address);
    ask(&maps[3], names[3], 1);
    settle(&maps[3], 3 * ROOM, FAULT_NONE);
    ck_assert_int_eq(state_of(&maps[2]), OUTLOOK_LET_GO);
    ck_assert_int_eq(state_of(&maps[3]), OUTLOOK_ENDED);
}

TEST(bounds_them)
{
    struct asked asked[6];
    ask(&asked[0], "/0", 1);
    ask(&asked[1], "/1", 1);
    ask(&asked[2], "/2", 1);
    ck_assert_int_eq(asked[1].fault, FAULT_NONE);
    ck_assert_int_eq(asked[2].fault, FAULT_TOO_MANY);
    ask(&asked[3], "/1", 1); /* it has that already */
    ck_assert_int_eq(asked[3].fault, FAULT_NONE);
    ck_assert_int_eq(operations_count(operations), 2);
    ask(&asked[3], "/1", 2);
    ask(&asked[4], "/4", 2);
    ck_assert_int_eq(asked[4].fault, FAULT_NONE);
    ask(&asked[5], "/5", 3);
    ck_assert_int_eq(asked[5].fault, FAULT_BUSY);
    ck_assert_int_eq(operations_count(operations), 4);
    operations_close(operations);
    ck_assert_int_eq(operations_count(operations), 0);
    ask(&asked[5], "/5", 3);
    ck_assert_int_eq(asked[5].fault, FAULT_DRAINING);
}

/* Nor are addresses held without bound. */
TEST(forgets_what_has_long_addresses)
{
    enum { LONG = ROOM / 2 - 10 };
    static char address[3][ROOM];
    for (int i = 0; i < 3; i++) {
        struct asked asked;
        snprintf(address[i], sizeof address[i], "/%d%0*d", i, LONG, 0);
        ask(&asked, address[i], 1);
        settle(&asked, 10, FAULT_NONE);
    }
    operations_expire(operations, clock_now());
    for (int i = 0; i < 3; i++) {
        char *found = operations_address(operations, key_of(address[i]).id);
        ck_assert(i ? found && !strcmp(found, address[i]) : !found);
        free(found);
    }
}

/* Each client ends what it has asked for itself; the work ends with the last. */
TEST(ends_for_its_own_client)
{
    struct asked one, two;
    ask(&one, "/shared", 1);
    ask(&two, "/shared", 2);
    ck_assert(!operations_cancel(operations, "/shared", 3));
    ck_assert(!operations_cancel(operations, "/other", 1));
    ck_assert(operations_cancel(operations, "/shared", 1) && !withdrawn);
    ck_assert(!operations_cancel(operations, "/shared", 1));
    ck_assert_int_eq(state_of(&one), OUTLOOK_WAITING);
    ck_assert(operations_cancel(operations, "/shared", 2) && withdrawn);
    ck_assert_int_eq(state_of(&one), OUTLOOK_NONE);
    ck_assert(operations_cancelled(operations, "/shared") &&
              !operations_address(operations, "/shared"));
    ask(&one, "/shared", 1);
    ck_assert(!operations_cancelled(operations, "/shared"));
    settle(&one, 10, FAULT_NONE);
    ck_assert(!operations_cancel(operations, "/shared", 1));
}

/* What is under way says more than what failed before. */
TEST(begins_again)
{
    struct asked asked;
    ask(&asked, "/again", 1);
    settle(&asked, 0, FAULT_BUSY);
    ask(&asked, "/again", 1);
    ck_assert_int_eq(state_of(&asked), OUTLOOK_WAITING);
    struct key other = asked.key;
    other.encoder = encoders + 1;
    ck_assert_int_eq(operations_look(operations, &other).state, OUTLOOK_NONE);
    other = asked.key;
    other.coding = CODING_GZIP;
    ck_assert_int_eq(operations_look(operations, &other).state, OUTLOOK_WAITING);
    operations_close(operations);
}

TEST(does_without_memory)
{
    for (int n = 1; n < 4; n++) {
        struct asked asked = {.key = key_of("/memory"), .waiter.wake = count_wake};
        struct blob *blob;
        cache_claim(cache, &asked.key, &asked.waiter, &blob, &asked.entry);
        faults_begin(n);
        enum fault fault = operations_begin(operations, &asked.key, 1, &asked.waiter);
        bool faulted = faults_end();
        ck_assert_int_eq(fault, faulted ? FAULT_UNAVAILABLE : FAULT_NONE);
        ck_assert(cache_leave(cache, &asked.waiter));
        operations_cancel(operations, "/memory", 1);
    }
    faults_begin(1);
    struct operations *none = operations_new(cache, &(struct operations_plan){.most = 1});
    ck_assert(faults_end() && !none);
}

/* What is reported, a letter each, the oldest first. */
static void reports(const char *expected)
{
    size_t count;
    char told[16] = "";
    struct operation_report *list = operations_report(operations, &count);
    for (size_t i = 0; i < count; i++) {
        ck_assert(list[i].client == 1 && *list[i].key.id == '/' && !list[i].key.address);
        told[i] = "brec"[list[i].state];
    }
    free(list);
    ck_assert_str_eq(told, expected);
}

/* Begun, then running, then ended or cancelled, once each; what ends with all others is not. */
TEST(reports_to_other_copies)
{
    struct asked one, two, three;
    ask(&one, "/one", 1);
    ck_assert_int_eq(changes, 1);
    reports("b");
    reports("r");
    ask(&two, "/two", 1);
    reports("rb");
    settle(&one, 10, FAULT_NONE);
    ck_assert_int_eq(changes, 3);
    reports("er");
    reports("r");
    ck_assert(operations_cancel(operations, "/two", 1));
    ask(&two, "/two", 1);
    reports("cb");
    operations_end(operations, "/two", 1); /* as another copy said */
    reports("");
    ask(&three, "/three", 1);
    reports("b");
    operations_close(operations);
    reports("");
}
