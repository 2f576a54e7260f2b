/*
 * output.h: a cap on the bytes of answers that are on their way to clients.
 *
 * What a worker makes needs room first. Where there is none, the I/O threads end slow sends
 * (net/http.c), and what still finds no room is refused.
 */
#ifndef MAPWRIGHT_OUTPUT_H
#define MAPWRIGHT_OUTPUT_H

#include "srv/base/blob.h"

/* Sets the cap, in bytes; before there are threads. */
void output_limit(size_t bytes);

/*
 * A blob of so many bytes, to be filled. Waits a little for slow sends to be ended. A fault, if
 * there is no room: BUSY: not now; TOO_BIG: that is more than the limit. NULL without memory. Not
 * on an I/O thread.
 */
struct blob *output_blob(size_t bytes, const char *media);

/* Bytes that should be freed now; 0: there is room for all. */
size_t output_missing(void);

#endif
