/* ask.h: requests of one generator as text, made and judged; for the suites of promises. */
#ifndef MAPWRIGHT_ASK_H
#define MAPWRIGHT_ASK_H

#include "arbitrary.h"
#include "rounds.h"
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ASK_BLOCK /* a suite may need more */
#define ASK_BLOCK (32 << 20)
#define ASK_QUERY (1 << 15)
#endif

static _Alignas(64) char block[ASK_BLOCK];
static char query[ASK_QUERY]; /* the address */
static size_t written;
static char refusal[MW_POINTER_MAX + MW_DETAIL_MAX + 1]; /* pointer and detail; "": it was made */

/* Adds to the address. */
__attribute__((format(printf, 1, 2))) static inline void ask(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    written += (size_t)vsnprintf(query + written, sizeof query - written, format, args);
    va_end(args);
    if (written >= sizeof query)
        ck_abort_msg("too long: %.200s", query);
}

/* Begins another. */
static inline void ask_anew(const char *generator, uint32_t seed)
{
    written = 0;
    ask("/%s?seed=%u", generator, seed);
}

/* The map asked for, judged; NULL: refused, which must be said to be impossible, with a reason. */
static inline const struct mw_map *ask_judged(const char *judge(const struct mw_map *, char *why,
                                                                size_t room))
{
    static struct mw_request request;
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    struct mw_run *run = mw_open(&limits);
    const struct mw_map *map = NULL;
    if (mw_bind_address(run, query, written, &request))
        map = mw_make(run, &request);
    const struct mw_problem *problem = &mw_problems(run)->list[0];
    ck_assert_msg(map || (mw_problems(run)->count && problem->fault == MW_NO_RESULT), "%s: %s",
                  query, mw_problems(run)->count ? problem->detail : "no reason");
    snprintf(refusal, sizeof refusal, "%s%s%s", map ? "" : problem->pointer, map ? "" : " ",
             map ? "" : problem->detail);
    char why[256];
    const char *bad = map ? judge(map, why, sizeof why) : NULL;
    ck_assert_msg(!bad, "%s: %s", query, bad);
    return map;
}

/* The map, which must have been made. */
static inline const struct mw_map *ask_made(const struct mw_map *map)
{
    ck_assert_msg(map != NULL, "%s\n%.3000s", refusal, query);
    return map;
}

#endif
