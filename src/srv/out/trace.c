/* trace.c: distributed tracing. */
#include "trace.h"

#include "srv/base/hash.h"

#include <string.h>

/* Reads so many digits, of which none is a capital; false: they are not. */
static bool read_hex(const char *at, size_t digits, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < digits; i++) {
        bool digit = at[i] >= '0' && at[i] <= '9', letter = at[i] >= 'a' && at[i] <= 'f';
        if (!digit && !letter)
            return false;
        *value = *value << 4 | (uint64_t)(digit ? at[i] - '0' : at[i] - 'a' + 10);
    }
    return true;
}

/*
 * `00-` trace `-` parent `-` flags, in 32, 16 and 2 digits. A later version may go on behind a
 * further `-`; ff is none.
 */
static bool read_parent(const char *text, struct trace *trace)
{
    uint64_t version, flags;
    size_t length = strnlen(text, 57);
    if (length < 55 || !read_hex(text, 2, &version) || version == 0xff)
        return false;
    if (length > 55 && (!version || text[55] != '-'))
        return false;
    if (text[2] != '-' || text[35] != '-' || text[52] != '-')
        return false;
    if (!read_hex(text + 3, 16, &trace->id[0]) || !read_hex(text + 19, 16, &trace->id[1]) ||
        !read_hex(text + 36, 16, &trace->parent) || !read_hex(text + 53, 2, &flags))
        return false;
    trace->flags = (uint8_t)flags;
    return (trace->id[0] || trace->id[1]) && trace->parent;
}

struct trace trace_begin(const char *traceparent, uint64_t *random)
{
    struct trace trace;
    if (!traceparent || !read_parent(traceparent, &trace))
        trace = (struct trace){.id = {random_next(random), random_next(random) | 1}};
    trace.span = random_next(random) | 1;
    return trace;
}
