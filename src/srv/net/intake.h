/*
 * intake.h: reads requests from sockets in place of libmicrohttpd.
 *
 * Two parsers of one stream that disagree about one byte allow request smuggling. So there is one
 * parser. libmicrohttpd reads by recv(2), and a program may define that function: ours is in
 * intake.c. It takes requests from the stream, head and body, one at a time, and gives each to its
 * owner. libmicrohttpd gets one of eight fixed heads instead, which say only whether the answer has
 * a body and whether the connection ends with it. It never sees a byte of a client. Pipelined
 * requests wait until the one before is answered.
 *
 * This needs a libmicrohttpd that is linked dynamically, or statically after this file. One that
 * reads by another recv gets no answers: on_request (http.c) refuses what the intake has not read.
 */
#ifndef MAPWRIGHT_INTAKE_H
#define MAPWRIGHT_INTAKE_H

#include "srv/base/strbuf.h"
#include "srv/parse/framing.h"

struct intake;

/* What the connection does with its requests. */
struct intake_owner {
    /* A head has come; its answer is due when the body has. False: now, and nothing more is let
       in. */
    bool (*begin)(struct intake *, const struct head *);
    /* Some of the body has come, or (an empty piece) the size of a chunk. False: as above. */
    bool (*add)(struct intake *, struct span);
    /* The bytes are no valid request: this is the last answer. */
    void (*refuse)(struct intake *, enum fault, const char *detail);
};

/* Of one connection, used by its I/O thread alone. */
struct intake {
    const struct intake_owner *owner;
    struct strbuf held; /* received and not parsed yet */
    struct body body;   /* that is under way */
    bool bare, old;     /* of its request: HEAD, HTTP/1.0 */
    bool closes;        /* it is to be the last of its connection */
    bool due;           /* a request is there, and not answered yet */
    bool last;          /* no request may follow */
    bool unread;        /* there may be more in the socket */
    bool ended;         /* the client has closed its side */
};

/* From now on the socket is read through the intake. False: the number of the descriptor is too
   large. */
bool intake_attach(int fd, struct intake *, const struct intake_owner *);
/* Before the socket is closed. */
void intake_detach(int fd);

/* Whether more has come than was let in. */
bool intake_has_more(const struct intake *);
/* Whether the rest of the input must be read before the socket is closed (RFC 9112, 9.6). */
bool intake_is_receiving(const struct intake *);

#endif
