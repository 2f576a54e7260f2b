/* refuse.h: what takes more than it is given, told with what would have been enough. */
#ifndef MAPWRIGHT_REFUSE_H
#define MAPWRIGHT_REFUSE_H

#include "service.h"

/* A job whose estimate is beyond what is granted here, or beyond the time that it is given, in
   microseconds, by so much that the estimate has not just erred; NULL: it may be tried. */
struct blob *refuse_excess(struct service *, struct entry *, int64_t given);
/* One that was not ready in time. */
struct blob *refuse_late(struct entry *, int64_t given);

#endif
