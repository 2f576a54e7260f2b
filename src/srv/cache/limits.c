/*
 * limits.c: rate limits and connection limits of each client.
 *
 * Requests are metered by the generic cell rate algorithm in its form of virtual scheduling (ITU-T
 * I.371, annex A): one number for each client, the time at which its next request is due if it kept
 * exactly to the rate. A request comes early by as much as that lies ahead of now; it is granted
 * while no more than a burst would lie ahead, and moves the time on by 1/rate. This is the token
 * bucket without a refill: time passes by itself, and an idle client needs no state.
 *
 * Which number is a client's? There is no table of clients, but a sketch (count-min: Cormode and
 * Muthukrishnan 2005): ROWS rows of CELLS numbers, of which each client has one in every row, by
 * secret hashes. Each of its numbers is at least its own time, as others may
 * share it; so the least of them is its time, unless others share all. Raising none above what the
 * least becomes (conservative update: Estan and Varghese 2002) keeps that rare: with 1,000 clients
 * in debt at once another one shares all its cells with a chance of 5 in 100 million, and then it
 * is held to what is left of theirs, no longer than their debt lasts. So memory is fixed, nothing
 * is evicted, no flood of addresses can clear a debt, and there is no lock.
 *
 * Two requests of one client that are judged within the same nanoseconds may count as one.
 *
 * Connections are counted in the same way, by adding to each cell and taking the least.
 */
#include "limits.h"

#include "srv/base/clock.h"
#include "srv/base/hash.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 4, CELLS = 1 << 16, SECOND = 1000000 };

/* Pages of the cells take memory once they are touched. */
struct limits {
    int64_t interval; /* microseconds from one request to the next */
    int64_t burst;    /* microseconds that may lie ahead */
    char policy[48];  /* "": no rate */
    uint64_t secrets[ROWS][2];
    atomic_int_least64_t due[ROWS][CELLS]; /* clock_now */
    atomic_int connections[ROWS][CELLS];
};

static size_t cell(const struct limits *limits, int row, uint64_t client)
{
    const uint64_t *secret = limits->secrets[row];
    return hash_fold(client ^ secret[0], secret[1] | 1) % CELLS;
}

/* ---- requests -------------------------------------------------------------------------------- */

struct allowance limits_take(struct limits *limits, uint64_t client, int64_t now)
{
    atomic_int_least64_t *cells[ROWS];
    int64_t due = INT64_MAX;
    assert(limits->interval);
    for (int row = 0; row < ROWS; row++) {
        cells[row] = &limits->due[row][cell(limits, row, client)];
        int64_t seen = atomic_load_explicit(cells[row], memory_order_relaxed);
        due = seen < due ? seen : due;
    }
    if (due < now)
        due = now;
    int64_t next = due + limits->interval, wait = next - now - limits->burst;
    if (wait > 0)
        return (struct allowance){.wait = wait, .reset = due - now};
    for (int row = 0; row < ROWS; row++)
        clock_extend(cells[row], next);
    return (struct allowance){.left = -wait / limits->interval, .reset = next - now};
}

const char *limits_policy(const struct limits *limits)
{
    return *limits->policy ? limits->policy : NULL;
}

/* ---- connections ----------------------------------------------------------------------------- */

int limits_count_connection(struct limits *limits, uint64_t client, int change)
{
    int least = INT32_MAX;
    for (int row = 0; row < ROWS; row++) {
        atomic_int *at = &limits->connections[row][cell(limits, row, client)];
        int n = atomic_fetch_add(at, change) + change;
        assert(n >= 0);
        least = n < least ? n : least;
    }
    return least;
}

/* ---- creation -------------------------------------------------------------------------------- */

struct limits *limits_new(int rate, int burst)
{
    int most = burst ? burst : rate;
    struct limits *limits = calloc(1, sizeof *limits);
    if (!limits)
        return NULL;
    random_bytes(limits->secrets, sizeof limits->secrets);
    if (!rate)
        return limits;
    limits->interval = SECOND / rate;
    limits->burst = most * limits->interval;
    snprintf(limits->policy, sizeof limits->policy, "\"default\";q=%d;w=%d", most,
             (most + rate - 1) / rate);
    return limits;
}

void limits_drop(struct limits *limits) { free(limits); }
