/*
 * gate.h: a look at the head of a request before libmicrohttpd gets to see it.
 *
 * libmicrohttpd answers what it cannot take (an address or header fields too long, a broken first line) in
 * HTML, and nobody can tell it otherwise. So the first request of a connection is looked at while it still lies in the
 * socket. Only sizes and outlines are judged here; all the rest is read once, later.
 */
#ifndef MAPWRIGHT_GATE_H
#define MAPWRIGHT_GATE_H

#include "fault.h"

#include <stddef.h>

enum {
    GATE_URI = 8000,       /* bytes of the longest address */
    GATE_HEAD = 12 * 1024, /* of the whole head, each field and parameter counted as GATE_EACH more */
    GATE_EACH = 64,
};

enum gate { GATE_PASS, GATE_WAIT, GATE_REFUSE };

struct verdict {
    enum gate gate;    /* WAIT: there is more to come before anything can be said */
    enum fault fault;  /* REFUSE */
    const char *detail; /* NULL: what the fault says */
};

/* Judges the bytes that have come so far. */
struct verdict gate_judge(const char *head, size_t length);

#endif
