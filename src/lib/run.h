/* run.h: what run.c, bind.c and address.c share. */
#ifndef MAPWRIGHT_RUN_H
#define MAPWRIGHT_RUN_H

#include "gen.h"

#include <stdarg.h>

/* Calls body under the one setjmp; true when it came back and no problem stands. */
bool mw_guarded(struct mw_run *, void (*body)(struct mw_run *, void *), void *context);

/* Sets request->address from its generator, params and seed. */
void mw_write_address(struct mw_run *, struct mw_request *);

/* The part of printf that the library needs: %s %.*s %c %d %u %lld %llu %zu %%, piece by piece. It
   knows no locale. */
typedef void mw_putter(void *context, const char *piece, size_t);
void mw_format(mw_putter *, void *context, const char *format, va_list);

#define MW_SEED_MOST INT64_C(9007199254740991) /* 2^53 - 1: what every JSON reader holds exactly */

#endif
