/* complain.c: errors, on standard error. */
#include "cli.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

int complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("mapwright: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    return status;
}

void *need(void *memory)
{
    if (!memory)
        die(STATUS_SYSTEM, "out of memory");
    return memory;
}

static int status_of(enum mw_fault fault)
{
    bool mistake = fault == MW_BAD_PARAM || fault == MW_OTHER_VERSION;
    return mistake ? STATUS_USAGE : STATUS_NO_MAP;
}

/* "sizes" or "sizes[1]" of "/sizes" and "/sizes/1": on a command line nothing else is nested. */
static void print_place(FILE *to, const char *pointer)
{
    const char *name = pointer + 1;
    size_t length = strcspn(name, "/");
    for (size_t i = 0; i < length; i++) {
        bool escaped = name[i] == '~' && i + 1 < length;
        fputc(!escaped ? name[i] : name[++i] == '1' ? '/' : '~', to);
    }
    if (name[length])
        fprintf(to, "[%s]", name + length + 1);
    fputs(": ", to);
}

static int complain_of(const struct mw_problem *problem)
{
    fputs("mapwright: ", stderr);
    if (*problem->pointer)
        print_place(stderr, problem->pointer);
    fprintf(stderr, "%s\n", problem->detail);
    return status_of(problem->fault);
}

int report(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    assert(problems->count);
    int least = STATUS_NO_MAP;
    for (size_t i = 0; i < problems->count; i++) {
        int status = complain_of(&problems->list[i]);
        least = status < least ? status : least;
    }
    if (problems->dropped)
        complain(least, "and %zu problems more", problems->dropped);
    return least;
}
