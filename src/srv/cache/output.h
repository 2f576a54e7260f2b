/*
 * output.h: a cap on the bytes of answers that are on their way to clients.
 *
 * What a worker makes needs room first. Where there is none, the I/O threads end slow sends
 * (net/sending.c), and what still finds no room is refused.
 */
#ifndef MAPWRIGHT_OUTPUT_H
#define MAPWRIGHT_OUTPUT_H

#include "srv/out/coding.h"

struct output;

/* `limit`: bytes. NULL without memory. */
struct output *output_new(size_t limit);
void output_drop(struct output *);

/*
 * A blob of so many bytes, to be filled; or that content in a coding. Waits a little for slow sends
 * to be ended. A fault, if there is no room: BUSY: not now; TOO_BIG: that is more than the limit.
 * NULL without memory. Not on an I/O thread.
 */
struct blob *output_blob(struct output *, size_t bytes, const char *media);
struct blob *output_coded(struct output *, enum coding, const struct blob *);

/* Bytes that should be freed now; 0: there is room for all. */
size_t output_missing(const struct output *);

#endif
