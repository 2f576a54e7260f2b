/* coding.h: content codings (RFC 9110, 8.4). */
#ifndef MAPWRIGHT_CODING_H
#define MAPWRIGHT_CODING_H

#include "srv/base/blob.h"

#include <stdbool.h>

enum coding { CODING_NONE, CODING_GZIP, CODING_ZSTD, CODING_END };

/* As in Content-Encoding; NULL for CODING_NONE. */
extern const char *const coding_names[CODING_END];

/* FAST: for an answer that is sent once; SMALL: coded once and sent often. */
enum effort { EFFORT_FAST, EFFORT_SMALL };

/*
 * The bytes as a blob in that coding; uncoded where coding does not pay: short ones, and media
 * types that are compressed by themselves. NULL without memory.
 */
struct blob *coding_apply(enum coding, enum effort, const void *bytes, size_t length,
                          const char *media);

#endif
