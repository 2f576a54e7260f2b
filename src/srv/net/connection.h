/*
 * connection.h: a connection, for http.c, waiting.c, sending.c and stream.c alone.
 */
#ifndef MAPWRIGHT_CONNECTION_H
#define MAPWRIGHT_CONNECTION_H

#include "http.h"
#include "intake.h"

#include <netinet/in.h>

/* Work goes on for so many milliseconds after the client has closed its side. */
enum { HALF_CLOSED_MS = 150 };

/* A reply with a body on its way to a client. */
struct sending {
    struct blob *blob; /* NULL: none is */
    int64_t since;     /* clock_now, when this window began; 0: it is not measured */
    uint64_t taken;    /* bytes that the client had acknowledged by then */
};

/* A reply that is produced while it is sent. */
struct stream {
    struct strbuf text; /* not sent yet */
    size_t taken;       /* of it */
    bool open;
    bool asleep; /* its connection is suspended */
    bool ended;  /* the text is complete */
    bool broken; /* the connection is to be closed */
};

struct connection {
    struct watcher watcher; /* of its socket: the client may leave */
    struct intake intake;
    struct connection *next, *before; /* of the thread */
    struct connection *next_woken;
    struct http *http;
    struct MHD_Connection *handle;
    int fd;
    int64_t deadline;          /* clock_now */
    struct exchange *exchange; /* the one under way, or NULL */
    bool marked;               /* more input follows its request */
    bool half_closed;          /* the client has closed its side */
    bool counted;              /* among those of its client */
    bool local;                /* its socket has a path, and no address */
    size_t body;               /* bytes of its body, taken or not */
    struct sending sending;    /* its answer, on its way */
    struct cached_response *response;
    struct stream stream;
    struct in6_addr peer;
    struct client client; /* the peer as such */
};

static inline const struct config *config_of(const struct http *http)
{
    return &http->service->config;
}

static inline bool is_waiting(const struct connection *connection)
{
    return connection->exchange && exchange_is_waiting(connection->exchange);
}

/* ---- waiting.c: a connection whose exchange waits is suspended ------------------------------*/

/* Its exchange has begun to wait. */
void connection_suspend(struct connection *);
/* Puts it into the inbox, and wakes its loop unless the inbox was not empty. On any thread. */
void connection_wake(void *connection);
/* Resumes the connections in the inbox. */
void waiting_empty_inbox(struct http *);
/* The client has left: withdraws its request from the cache or the pool. */
void connection_give_up(struct connection *);
/* Its time to wait is over. */
void connection_end_wait(struct connection *);

/* ---- stream.c: answers that are produced while they are sent --------------------------------- */

struct MHD_Response;

/* The body of the exchange's reply, which is `live`. NULL without memory. */
struct MHD_Response *stream_open(struct connection *);
/* Sends the events that are due. */
void stream_continue(struct connection *);
/* Ends it where it is, as the client has probably left. */
void stream_cut(struct connection *);
/* libmicrohttpd does not use it any more. */
void stream_close(struct connection *);

/* ---- sending.c: replies on their way --------------------------------------------------------*/

/* Begins to send its exchange's reply. False: it is to be closed. */
bool connection_send(struct connection *);
/* It has been sent, or the connection ends. */
void connection_sent(struct connection *);
/* At its deadline: whether the client takes its answer fast enough; then it has another window. */
bool connection_is_taking(struct connection *);
/* Closes the connection and discards what the kernel has not sent. */
void connection_end_sending(struct connection *);
/* Ends a send that is slow and would free memory; how many bytes that will be. */
size_t connection_free_output(struct connection *);

#endif
