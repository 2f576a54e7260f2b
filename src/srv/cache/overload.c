/*
 * overload.c: which requests are refused for now, and what Retry-After says.
 *
 * 503 busy: a job would wait longer than it may, by what the jobs before it are expected to take,
 * or it has waited so long (pool.c). It may wait for --wait-ms, or for --async-ms if no connection
 * waits for it. Retry-After is the expected wait. The number of jobs that wait is bounded by
 * --queue as well, which is for memory alone. Also busy: an answer finds no room under
 * --output-bytes for half a second (output.c); more than --async maps are made for clients that do
 * not wait (operation.c). Retry-After is 1.
 *
 * 429 too many: a client is above its --rate, where Retry-After is when the next request is due;
 * or above --async-per-client.
 *
 * 503 draining: the server ends. Retry-After is 2: by then another copy answers, or this one again.
 * 503 unavailable: there is no memory.
 */
#include "overload.h"

enum { RESTART_S = 2, SOON_S = 1 };

bool overload_admits(int64_t expected, int64_t patience, int waiting, int most)
{
    return expected <= patience && waiting < most;
}

unsigned overload_seconds(int64_t microseconds) { return (unsigned)(1 + microseconds / 1000000); }

unsigned overload_retry_after(enum fault fault)
{
    if (fault == FAULT_DRAINING)
        return RESTART_S;
    unsigned status = fault_rows[fault].status;
    return status == 503 || status == 429 ? SOON_S : 0;
}
