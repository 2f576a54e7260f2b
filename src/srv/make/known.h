/* known.h: answers that need no run: from bytes that are there, be it in another coding or in the
   store, and from faults that would be met again. */
#ifndef MAPWRIGHT_KNOWN_H
#define MAPWRIGHT_KNOWN_H

#include "service.h"

/* The bytes as an answer, if there is room for it. */
struct blob *known_wrap(struct service *, const struct key *, const char *bytes, size_t length);
/* Another coding of the same bytes; NULL: they are not there. */
struct blob *known_coding(struct service *, struct entry *);
/* What the store had; NULL: it is not the map. */
struct blob *known_found(struct service *, const struct entry *);

/* What would meet its fault again is told so for a while, and not begun; takes it. */
struct blob *known_for(struct entry *, struct blob *, int64_t microseconds);

#endif
