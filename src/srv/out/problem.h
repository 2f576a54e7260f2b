/* problem.h: problem documents (RFC 9457). */
#ifndef MAPWRIGHT_PROBLEM_H
#define MAPWRIGHT_PROBLEM_H

#include "srv/base/blob.h"

#include "mapwright_host.h"

/*
 * The body: `detail` (NULL: drawn from the problems), the request's id (NULL: none, where caches
 * may give the answer to other requests), the problems. Without memory a body that says so; never
 * NULL.
 */
struct blob *problem_body(enum fault, const char *detail, const char *instance,
                          const struct mw_problem *, size_t count);

/* Whether it is the body that is sent without memory, whatever the fault. */
bool problem_is_for_want_of_memory(const struct blob *);

/* The pages: all faults, or the one with that slug (NULL: there is none, or no memory). */
struct blob *problem_list(void);
struct blob *problem_page(const char *slug);

#endif
