/* prefer.c: the header field Prefer (RFC 7240). */
#include "prefer.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_WAIT = 3600 };

static const char blanks[] = " \t";

/* The number of `wait=5` or `wait="5"`, as far as it counts; -1: there is none. */
static int read_seconds(const char *at)
{
    int seconds = 0;
    at += strspn(at, blanks);
    if (*at++ != '=')
        return -1;
    at += strspn(at, blanks);
    at += *at == '"';
    if (*at < '0' || *at > '9')
        return -1;
    for (; *at >= '0' && *at <= '9'; at++)
        seconds = seconds < LONGEST_WAIT ? seconds * 10 + (*at - '0') : LONGEST_WAIT;
    return seconds < LONGEST_WAIT ? seconds : LONGEST_WAIT;
}

/* To the comma behind a preference, past those inside of quotes. */
static const char *skip(const char *at)
{
    for (bool quoted = false; *at && (quoted || *at != ','); at++) {
        if (quoted && *at == '\\' && at[1])
            at++;
        else
            quoted ^= *at == '"';
    }
    return at;
}

static bool is_named(const char *at, size_t length, const char *name)
{
    return length == strlen(name) && !strncasecmp(at, name, length);
}

/* A preference that comes again does not count. */
struct preference prefer_read(const char *prefer)
{
    struct preference found = {0};
    bool waits = false;
    for (const char *at = prefer ? prefer : ""; *at; at = skip(at)) {
        at += strspn(at, ", \t");
        size_t length = strcspn(at, "=;, \t");
        found.async |= is_named(at, length, "respond-async");
        int seconds = !waits && is_named(at, length, "wait") ? read_seconds(at + length) : -1;
        if (seconds >= 0) {
            found.wait = seconds;
            waits = true;
        }
    }
    return found;
}
