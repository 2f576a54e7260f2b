/* complain.c: what is wrong, told on standard error. */
#include "cli.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

static void say(const char *format, va_list args)
{
    fputs("mapwright: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    return status;
}

void die(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    exit(status);
}

static int status_of(enum mw_fault fault)
{
    bool mistake = fault == MW_BAD_PARAM || fault == MW_OTHER_VERSION;
    return mistake ? STATUS_USAGE : STATUS_NO_MAP;
}

int report(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    assert(problems->count);
    int least = STATUS_NO_MAP;
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        int status =
            complain(status_of(p->fault), "%s%s%s", p->pointer, *p->pointer ? ": " : "", p->detail);
        least = status < least ? status : least;
    }
    if (problems->dropped)
        complain(least, "and %zu problems more", problems->dropped);
    return least;
}
