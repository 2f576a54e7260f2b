/* prefer.h: how long a client would like to wait (RFC 7240). */
#ifndef MAPWRIGHT_PREFER_H
#define MAPWRIGHT_PREFER_H

#include <stdbool.h>

struct preference {
    bool async; /* `respond-async`: rather told where the map will be than to wait for it */
    int wait;   /* for so many seconds it waits all the same; 0: not at all */
};

/* Of `Prefer` (NULL: absent); what is not known there is passed over. */
struct preference prefer_read(const char *prefer);

#endif
