/*
 * output.h: a cap on the bytes of answers that are on their way to clients.
 *
 * What a worker makes needs room first. Where there is none, the I/O threads end slow sends
 * (net/sending.c), and what still finds no room is refused.
 */
#ifndef MAPWRIGHT_OUTPUT_H
#define MAPWRIGHT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct output;

/* `limit`: bytes. NULL without memory. */
struct output *output_new(size_t limit);
void output_drop(struct output *);

enum room { ROOM_THERE, ROOM_NONE, ROOM_NEVER };

/*
 * Before an answer of so many bytes is made; waits a little for slow sends to be ended. THERE: the
 * bytes are promised until output_made says that they are held, or will not be. NONE: not now.
 * NEVER: that is more than the limit. Not on an I/O thread.
 */
enum room output_make_room(struct output *, size_t bytes);
/* Whether it is THERE, without waiting. */
bool output_has_room(struct output *, size_t bytes);
void output_made(struct output *, size_t bytes);

/* Bytes that should be freed now; 0: there is room for all. */
size_t output_missing(const struct output *);

#endif
