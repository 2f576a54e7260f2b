/* prefer.h: the header field Prefer (RFC 7240). */
#ifndef MAPWRIGHT_PREFER_H
#define MAPWRIGHT_PREFER_H

#include <stdbool.h>

struct preference {
    bool async; /* `respond-async`: 202 with the address of the map, in place of a wait */
    int wait;   /* seconds to wait before that 202; 0: none */
};

/* Of `Prefer` (NULL: absent); what is not known there is passed over. */
struct preference prefer_read(const char *prefer);

#endif
