/* check_operation.c: maps that are made though no connection waits for them. */
#include "claims.h"
#include "srv/base/clock.h"
#include "srv/cache/operation.h"
#include "unit/unit.h"

#include <stdlib.h>

enum { ROOM = 10000, KEPT = 1000 };

static const struct config config = {
    .async = 4, .async_per_client = 2, .async_ms = 1000, .output_bytes = 4 * ROOM};

static struct operations *operations;

static struct entry *under_way[16];
static int begun;

static int changes; /* of what there is to report */

static void count_change(void *arg)
{
    (void)arg;
    changes++;
}

static void start(void)
{
    changes = 0;
    woken = begun = 0;
    cache = cache_new(KEPT);
    operations = operations_new(cache, &config, count_change, NULL);
}

static void stop(void)
{
    operations_drop(operations);
    for (int i = 0; i < begun; i++)
        if (under_way[i]) /* its run ends, too late for all */
            cache_settle(cache, under_way[i], NULL);
    cache_drop(cache);
}

/* Work of a client: its connection has waited for it at first. */
static enum fault ask(struct asked *asked, const char *address, uint64_t client)
{
    claim(asked, key_of(address));
    ck_assert_int_ne(asked->claim, CLAIM_HIT);
    if (asked->claim == CLAIM_MINE)
        under_way[begun++] = asked->entry;
    enum fault fault = operations_begin(operations, &asked->key, client, &asked->waiter);
    ck_assert(cache_leave(cache, &asked->waiter));
    return fault;
}

static void settle(struct asked *asked, size_t length, enum fault fault)
{
    for (int i = 0; i < begun; i++)
        under_way[i] = under_way[i] == asked->entry ? NULL : under_way[i];
    asked->entry->timing.of[PHASE_MAKE] = 7;
    cache_settle(cache, asked->entry, fault ? blob_of_fault(fault, NULL, 0) : bytes(length));
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
    ck_assert(!ask(&one, "/one", 1) && !atomic_load(&one.entry->abandoned));
    ck_assert_int_eq(operations_count(operations), 1);
    ck_assert_int_eq(state_of(&one), OUTLOOK_WAITING);
    ck_assert(atomic_load(&one.entry->deadline) > clock_now());
    one.entry->key.cost.steps = 1000;
    atomic_store(&one.entry->steps, 250);
    ck_assert_int_eq(state_of(&one), OUTLOOK_RUNNING);
    ck_assert_double_eq(operations_look(operations, &one.key).progress, mw_progress(250, 1000));
    atomic_store(&one.entry->steps, 5000);
    ck_assert_double_eq(operations_look(operations, &one.key).progress, mw_progress(5000, 1000));
    settle(&one, 10, FAULT_NONE);
    struct outlook outlook = operations_look(operations, &one.key);
    ck_assert_int_eq(outlook.state, OUTLOOK_ENDED);
    ck_assert_uint_eq(outlook.blob->length, 10);
    ck_assert_int_eq(outlook.timing.of[PHASE_MAKE], 7);
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
    struct asked asked;
    ck_assert_int_eq(ask(&asked, "/0", 1), FAULT_NONE);
    ck_assert_int_eq(ask(&asked, "/1", 1), FAULT_NONE);
    ck_assert_int_eq(ask(&asked, "/2", 1), FAULT_TOO_MANY);
    ck_assert_int_eq(ask(&asked, "/1", 1), FAULT_NONE); /* it has that already */
    ck_assert_int_eq(operations_count(operations), 2);
    ck_assert_int_eq(ask(&asked, "/1", 2), FAULT_NONE);
    ck_assert_int_eq(ask(&asked, "/4", 2), FAULT_NONE);
    ck_assert_int_eq(ask(&asked, "/5", 3), FAULT_BUSY);
    ck_assert_int_eq(operations_count(operations), 4);
    operations_close(operations);
    ck_assert_int_eq(operations_count(operations), 0);
    ck_assert_int_eq(ask(&asked, "/5", 3), FAULT_DRAINING);
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
    ck_assert(operations_cancel(operations, "/shared", 1));
    ck_assert(!atomic_load(&one.entry->abandoned));
    ck_assert(!operations_cancel(operations, "/shared", 1));
    ck_assert_int_eq(state_of(&one), OUTLOOK_WAITING);
    ck_assert(operations_cancel(operations, "/shared", 2));
    ck_assert(atomic_load(&one.entry->abandoned));
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

/* What is reported, a letter each, the oldest first. */
static void reports(const char *expected)
{
    static const char letters[] = {
        [OUTLOOK_WAITING] = 'r', [OUTLOOK_ENDED] = 'e', [OUTLOOK_CANCELLED] = 'c'};
    static uint64_t round;
    char told[16] = "";
    struct operation_report report;
    round++;
    for (int i = 0; operations_report(operations, round, &report); i++) {
        ck_assert(report.client == 1 && *report.key.id == '/');
        told[i] = report.key.address ? 'b' : letters[report.state];
        free((char *)(uintptr_t)report.key.address);
    }
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
    operations_cancel(operations, "/two", 1);
    reports("c");
    ask(&three, "/three", 1);
    reports("b");
    operations_close(operations);
    reports("");
}
