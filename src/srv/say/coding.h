/* coding.h: content codings. */
#ifndef MAPWRIGHT_CODING_H
#define MAPWRIGHT_CODING_H

#include "srv/ask/accept.h"
#include "srv/base/blob.h"

/*
 * The bytes as a blob in that coding; uncoded where coding does not pay: short ones, and media
 * types that are compressed by themselves. NULL without memory.
 */
struct blob *coding_apply(enum coding, const void *bytes, size_t length, const char *media);
/* The same, as small as it gets: for what is coded once and sent often. */
struct blob *coding_apply_best(enum coding, const void *bytes, size_t length, const char *media);

#endif
