/* loop.h: I/O threads and their connections. */
#ifndef MAPWRIGHT_LOOP_H
#define MAPWRIGHT_LOOP_H

#include "intake.h"
#include "srv/ask/exchange.h"
#include "srv/say/log.h"

#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>

enum {
    DATE_ROOM = 32,
    LOOP_GRACE_MS = 150, /* what a client may want that has closed its side, is made for so long */
};

/* What the epoll set points to. */
struct watcher {
    void (*ready)(struct watcher *, uint32_t events);
};

struct connection {
    struct watcher watcher;
    struct intake intake;
    struct connection *next, *before;
    struct loop *loop;
    struct MHD_Connection *handle;
    int fd;
    int64_t deadline; /* clock_now */
    struct exchange *exchange;
    bool begun;       /* its header was seen */
    bool half_closed; /* its client will send no more */
    bool left;        /* and does not wait for an answer */
    size_t swallowed;
    struct dress *dress;
    char client[INET6_ADDRSTRLEN];
};

/* A watcher that knows its loop. */
struct bell {
    struct watcher watcher;
    struct loop *loop;
};

struct loop {
    struct desk desk;
    struct bell knock, call, traffic; /* of the listening socket, the eventfd, libmicrohttpd */
    struct MHD_Daemon *daemon;
    pthread_t thread;
    int epoll, event, listener;
    bool listening, running;
    int64_t now, swept_at, busy_at, drained_by;
    time_t second; /* that `date` spells */
    char date[DATE_ROOM];
    int limit, held;                  /* connections */
    int open;                         /* exchanges */
    int waiting;                      /* of these, suspended */
    _Atomic(struct exchange *) inbox; /* those that were woken */
    struct connection *connections;
    struct exchange *spare;
    struct wardrobe *wardrobe; /* of http.c */
    struct log log;
};

static inline const struct config *config_of(const struct loop *loop)
{
    return &loop->desk.service->config;
}

static inline bool is_draining(const struct loop *loop)
{
    return atomic_load_explicit(&loop->desk.service->draining, memory_order_relaxed);
}

static inline int64_t after_ms(const struct loop *loop, int64_t ms)
{
    return loop->now + ms * 1000;
}

/* ---- all of them, for main ------------------------------------------------------------------- */

struct loops;

/* Listens and serves. NULL: `why` says what went wrong. */
struct loops *loops_start(struct service *, char why[320]);
/* After service->draining: answers what was accepted, then ends the threads. */
void loops_drain(struct loops *);
/* Once no worker is left. */
void loops_drop(struct loops *);

/* ---- for http.c ------------------------------------------------------------------------------ */

/* NULL without memory. */
struct exchange *loop_take_exchange(struct loop *);
/* It has ended. */
void loop_keep_exchange(struct loop *, struct exchange *);
/* A worker is done with what an exchange of this loop waits for. */
void loop_wake(struct waiter *);
/* From now on the loop sees the client leave. */
void loop_watch(struct connection *);
/* Makes libmicrohttpd look again: it misses an end that comes together with the last bytes. */
void loop_show_end(const struct connection *);

#endif
