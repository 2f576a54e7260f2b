/*
 * http.h: the connections of one I/O thread, and what libmicrohttpd makes of them.
 *
 * Used by its own thread alone. Requests become exchanges; one that waits for a worker is suspended
 * until the worker's wake has come through the loop.
 */
#ifndef MAPWRIGHT_HTTP_H
#define MAPWRIGHT_HTTP_H

#include "linger.h"
#include "loop.h"
#include "srv/ask/exchange.h"
#include "srv/out/log.h"

#include <sys/socket.h>

struct http {
    struct loop *loop;
    struct service *service;
    struct log *log;
    struct io_context *context;
    struct MHD_Daemon *daemon;
    struct cached_responses *responses;
    struct watcher daemon_watcher; /* of libmicrohttpd's own epoll set */
    struct connection *connections;
    struct lingering lingering;
    _Atomic(struct connection *) inbox; /* whose exchanges were woken */
    int held;                           /* connections */
    int open;                           /* exchanges */
    int waiting;                        /* of these, suspended */
    int sending;                        /* of these, whose answer has a body on its way */
    int streams;                        /* of these, being told bit by bit */
    bool marked;                        /* one has more to be read: it is not slept on */
    int64_t busy_at;                    /* when the last exchange ended */
};

/* For so many connections. False: `why` says why not; to be closed all the same. */
bool http_open(struct http *, struct loop *, struct service *, struct log *, int connections,
               bool admin, char why[320]);
/* Nothing is waiting. */
void http_close(struct http *);

/* Takes the socket over. */
void http_admit(struct http *, int fd, const struct sockaddr *, socklen_t);
/* Goes on with whatever has come, from clients and from workers. */
void http_run(struct http *);
/* The longest sleep up to `longest`. */
int http_sleep_ms(const struct http *, int longest);
/* Goes on with streams that have something to tell. */
void http_tell(struct http *);
/* Closes connections past their time. */
void http_close_overdue(struct http *);
/* Lets go of all that waits: its clients get nothing. False: a worker that reads a body has not
   given it back by then; nothing may be closed. */
bool http_abandon_waiting(struct http *, int64_t until);

#endif
