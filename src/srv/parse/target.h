/*
 * target.h: the request target in each of its four forms (RFC 9112, 3.2).
 */
#ifndef MAPWRIGHT_TARGET_H
#define MAPWRIGHT_TARGET_H

#include "head.h"

#include <stdbool.h>

/* Whether this may be the value of Host: a name or an address, perhaps with a port; or nothing. */
bool target_is_authority(struct span);

/*
 * Reduces an absolute target to its path and query. *authority is its authority, which replaces
 * Host; .at NULL: it has none. Returns NULL, or what is wrong.
 */
const char *target_read(struct head *, struct span *authority);

#endif
