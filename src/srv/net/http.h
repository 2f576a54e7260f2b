/*
 * http.h: the connections of one I/O thread, and what libmicrohttpd makes of them.
 *
 * Used by its own thread alone. Requests become exchanges; one that waits for a worker is suspended
 * until the worker's wake has come through the loop.
 */
#ifndef MAPWRIGHT_HTTP_H
#define MAPWRIGHT_HTTP_H

#include "loop.h"
#include "response.h"
#include "srv/ask/exchange.h"

#include <sys/queue.h>
#include <sys/socket.h>

struct http {
    struct loop *loop;
    struct io_context context;
    struct MHD_Daemon *daemon;
    LIST_HEAD(, connection) connections;
    struct cached_response cache[CACHED_RESPONSES];
    _Atomic(struct connection *) inbox; /* whose exchanges were woken */
    int held;                           /* connections */
    int waiting;                        /* exchanges suspended until they are woken */
    bool marked;                        /* a connection has input to read: do not sleep */
    int64_t busy_at;                    /* when the last exchange ended */
};

/* Every answer from now on is the last of its connection. */
static inline bool is_draining(const struct http *http)
{
    return atomic_load_explicit(&http->context.service->draining, memory_order_relaxed);
}

/* For that many connections. False without memory; call http_close all the same. */
bool http_open(struct http *, struct loop *, struct service *, int connections, bool admin);
/* Nothing is waiting. */
void http_close(struct http *);

/* Takes ownership of the socket. */
void http_add(struct http *, int fd, const struct sockaddr *, socklen_t);
/* Handles input from clients and results from workers. */
void http_run(struct http *);
/* The longest sleep up to `longest`. */
int http_sleep_ms(const struct http *, int longest);
/* What is due by the clock: sends events, and closes connections that are past their deadline. */
void http_sweep(struct http *);
/* Abandons all exchanges that wait: their clients get no answer. */
void http_abandon_waiting(struct http *);

#endif
