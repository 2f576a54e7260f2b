/*
 * waiting.c: connections that are suspended, as what they asked for is being made.
 *
 * A worker that is done calls connection_wake: the connection goes into the inbox, and the loop is
 * woken. It cannot be gone by then, as libmicrohttpd closes no connection that is suspended.
 */
#include "connection.h"
#include "srv/out/metrics.h"

#include <assert.h>
#include <microhttpd.h>

/* Until when it is waited for its exchange, which begins to wait now. */
static int64_t end_of_wait(const struct connection *connection)
{
    const struct loop *loop = connection->http->loop;
    int wait = connection->exchange->prefer.async ? connection->exchange->prefer.wait : 0;
    return connection->half_closed ? loop_after_ms(loop, HALF_CLOSED_MS)
           : wait                  ? loop_after_ms(loop, wait * 1000)
                                   : INT64_MAX;
}

void connection_suspend(struct connection *connection)
{
    assert(is_waiting(connection));
    connection->http->waiting++;
    connection->deadline = end_of_wait(connection);
    MHD_suspend_connection(connection->handle);
}

/* Its exchange has a reply, or its client has left. */
static void resume(struct connection *connection)
{
    assert(connection->http->waiting > 0 && !is_waiting(connection));
    connection->http->waiting--;
    MHD_resume_connection(connection->handle);
}

void connection_wake(void *owner)
{
    struct connection *connection = owner;
    struct http *http = connection->http;
    struct connection *head = atomic_load(&http->inbox);
    do
        connection->next_woken = head;
    while (!atomic_compare_exchange_weak(&http->inbox, &head, connection));
    if (!head)
        loop_wake(http->loop);
}

void waiting_empty_inbox(struct http *http)
{
    struct connection *connection = atomic_exchange(&http->inbox, NULL);
    for (struct connection *next; connection; connection = next) {
        next = connection->next_woken;
        if (!exchange_resume(connection->exchange)) {
            connection->deadline = end_of_wait(connection);
            continue;
        }
        resume(connection);
    }
}

void connection_give_up(struct connection *connection)
{
    if (!is_waiting(connection) || !exchange_leave(connection->exchange))
        return; /* the wake is on its way */
    metrics_count(COUNT_CLIENTS_LEFT, 1);
    resume(connection);
}

/*
 * Its time to wait is over. A half-closed connection is given up; a client with Prefer: wait gets
 * 202 and the address where the map will be.
 */
void connection_end_wait(struct connection *connection)
{
    connection->deadline = INT64_MAX;
    if (connection->half_closed)
        connection_give_up(connection);
    else if (exchange_detach(connection->exchange))
        resume(connection);
}
