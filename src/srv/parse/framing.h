/*
 * framing.h: parses the heads of requests (RFC 9112), and accepts or refuses them.
 *
 * Strictly: where the RFC leaves a choice, the narrower one. A line ends with CR and LF, a field is
 * not folded, a length is one number, a body is announced in one way.
 */
#ifndef MAPWRIGHT_FRAMING_H
#define MAPWRIGHT_FRAMING_H

#include "api/fault.h"
#include "body.h"
#include "head.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    LONGEST_URI = 8000,       /* bytes of the longest address */
    LONGEST_HEAD = 12 * 1024, /* and of the whole head */
    MOST_BLANK_LINES = 4,     /* before a request; they are let pass (2.2) */
};

enum framing_outcome { FRAMING_PASS, FRAMING_WAIT, FRAMING_REFUSE };

struct verdict {
    enum framing_outcome outcome; /* WAIT: the head is not complete */
    enum fault fault;             /* REFUSE */
    const char *detail;           /* NULL: the meaning of the fault */
    bool bare;                    /* of a HEAD, whose answer has no body */
    /* of what passes */
    size_t length;    /* bytes of the head */
    struct body body; /* that follows */
    bool old;         /* HTTP/1.0 */
    bool close;       /* the connection ends with its answer */
    bool expects;     /* 100 Continue before the body */
};

/* Judges the bytes of a head received so far; fills the head with what it accepts. */
struct verdict framing_judge(const char *bytes, size_t length, struct head *);

#endif
