/*
 * reply.h: what goes back: its beginnings, and refusals.
 *
 * All that refuse answer false, so that a stage can end with it.
 */
#ifndef MAPWRIGHT_REPLY_H
#define MAPWRIGHT_REPLY_H

#include "srv/ask/exchange.h"

/* Takes the reference; NULL: no body. */
void reply_begin(struct exchange *, unsigned status, struct blob *);

void reply_header(struct exchange *, const char *name, const char *value);

/* `detail` NULL: what the fault always means. */
bool reply_refuse(struct exchange *, enum fault, const char *detail);
/* For several problems; at one pointer; for what the run complained of. */
bool refuse_for(struct exchange *, enum fault, const struct mw_problem *, size_t count);
bool refuse_at(struct exchange *, enum fault, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool refuse_run(struct exchange *);

#endif
