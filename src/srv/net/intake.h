/*
 * intake.h: what comes in through a socket, judged before libmicrohttpd reads it.
 *
 * libmicrohttpd answers what it cannot take (an address or header fields too long, a broken first
 * line) by itself, in HTML, and asks nobody. But it reads by recv(2), and a program may define
 * that: ours is in intake.c, and follows the requests on their way. What is not fit is answered as
 * every other problem is; libmicrohttpd only sees a client that says nothing more.
 *
 * So this is the only reader of what clients send. It needs a libmicrohttpd that is linked
 * dynamically, or statically after it: http_open proves that it reads by our recv, and refuses to
 * serve otherwise.
 */
#ifndef MAPWRIGHT_INTAKE_H
#define MAPWRIGHT_INTAKE_H

#include "framing.h"
#include "srv/base/strbuf.h"

/* Of one connection, used by its I/O thread alone. */
struct intake {
    struct strbuf head;     /* what has come of a head, where that is not all */
    struct body body;       /* that is under way */
    unsigned unanswered;    /* requests let in and not yet ended */
    bool stopped;           /* nothing more is let in */
    bool refused;           /* and the client was told */
    struct verdict verdict; /* why */
    void (*refuse)(struct intake *, struct verdict);
};

/* From now on what this thread reads from the socket goes through it. False without memory. */
bool intake_attach(int fd, struct intake *);
/* Before the socket is closed. */
void intake_detach(int fd);

/* A request has ended. What was wrong with the next can be said now. */
void intake_next(struct intake *);

/* Forgets the table of this thread. */
void intake_release(void);

#endif
