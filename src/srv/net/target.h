/*
 * target.h: what a request is for, in each of its four forms (RFC 9112, 3.2).
 */
#ifndef MAPWRIGHT_TARGET_H
#define MAPWRIGHT_TARGET_H

#include "srv/parse/head.h"

#include <stdbool.h>

/* Whether this may be the value of Host: a name or an address, perhaps with a port; or nothing. */
bool target_is_authority(struct piece);

/*
 * Takes the target of the head apart: of an absolute form only what stands behind its authority is
 * left, and *authority is that, which counts instead of Host; .at NULL: it has none. NULL, or what
 * is wrong.
 */
const char *target_read(struct head *, struct piece *authority);

#endif
