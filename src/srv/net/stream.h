/*
 * stream.h: an answer whose body is produced while it is sent (events).
 *
 * Its connection is suspended while there is nothing to send, and woken by the clock of its loop.
 */
#ifndef MAPWRIGHT_STREAM_H
#define MAPWRIGHT_STREAM_H

#include "srv/ask/exchange.h"

struct MHD_Connection;
struct MHD_Response;

struct stream {
    struct MHD_Connection *handle;
    struct exchange *exchange; /* produces it; NULL: there is no stream */
    struct strbuf text;        /* not sent yet */
    size_t taken;              /* of it */
    bool asleep;               /* suspended */
    bool ended;                /* the text is complete */
    bool broken;               /* the connection is to be closed */
};

/* The body of the exchange's reply, which is `live`. NULL without memory. */
struct MHD_Response *stream_open(struct stream *, struct MHD_Connection *, struct exchange *,
                                 int64_t now);
/* One that sleeps goes on if there is something to tell. False: it sleeps on. */
bool stream_tell(struct stream *, int64_t now);
/* Wakes it to end without another word. */
void stream_cut(struct stream *);
/* libmicrohttpd knows it no longer. */
void stream_close(struct stream *);

#endif
