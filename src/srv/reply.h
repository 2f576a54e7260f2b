/*
 * reply.h: what goes back: its beginnings, and refusals.
 *
 * All that refuse answer false, so that a stage can end with it.
 */
#ifndef MAPWRIGHT_REPLY_H
#define MAPWRIGHT_REPLY_H

#include "exchange.h"

/* Takes the reference; NULL: no body. */
void reply_begin(struct exchange *, unsigned status, struct blob *);

/* For several problems; at one pointer; for what the run complained of. exchange_refuse has the rest. */
bool refuse_for(struct exchange *, enum fault, const struct mw_problem *, size_t count);
bool refuse_at(struct exchange *, enum fault, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool refuse_run(struct exchange *);

#endif
