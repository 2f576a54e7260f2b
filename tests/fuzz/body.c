/*
 * body.c: any bytes as the body of a request: read as JSON, bound to a generator.
 *
 * The first byte picks the generator. The service's reader and the library's must agree.
 */
#include "fuzz.h"

#include "srv/read/args.h"

#include <string.h>

static _Alignas(64) char memory[4 << 20], other_memory[4 << 20];

static size_t generator_count(void)
{
    size_t n = 0;
    while (mw_generators[n])
        n++;
    return n;
}

static bool says(const struct mw_run *run, const char *what)
{
    return strstr(mw_problems(run)->list[0].detail, what) != NULL;
}

/* Whether both say the same of what is wrong. */
static bool agree(const struct mw_problems *a, const struct mw_problems *b)
{
    bool same = a->count == b->count && a->dropped == b->dropped;
    for (size_t i = 0; same && i < a->count; i++)
        same = !strcmp(a->list[i].pointer, b->list[i].pointer) &&
               !strcmp(a->list[i].detail, b->list[i].detail);
    return same;
}

/* Whether there is a fraction of more digits than a double is sure to hold: the service reads the
   nearest double, as most clients would, and the library all digits. */
static bool has_long_fraction(const char *text, size_t length)
{
    size_t digits = 0;
    bool fraction = false;
    for (size_t i = 0; i < length; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        fraction = text[i] == '.' || (fraction && digit);
        digits = digit ? digits + 1 : fraction ? digits : 0;
        if (fraction && digits > 15)
            return true;
    }
    return false;
}

/* The text as the library reads it; `run` bound what the service read, or is NULL where that found
   no JSON. */
static void compare(const struct mw_generator *generator, const char *text, size_t length,
                    const struct mw_run *run, const struct mw_request *request)
{
    struct mw_request mine;
    const struct mw_arg *args;
    size_t count;
    struct mw_run *own =
        mw_open(&(struct mw_limits){.memory = other_memory, .size = sizeof other_memory});
    bool good = mw_read_json(own, text, length, &args, &count);
    if (memchr(text, '\0', length)) /* which jansson passes over */
        return;
    if (has_long_fraction(text, length))
        return;
    if (!run) /* a number that no double can hold is only out of range here */
        MUST(!good || memchr(text, 'e', length) || memchr(text, 'E', length) || length > 300);
    if (!run || (!good && (says(own, "nested too deep") || says(own, "memory"))))
        return;
    MUST(good);
    if (count > 64) /* of so many, not each is compared with all others */
        return;
    good = mw_bind(own, generator, args, count, "7", &mine);
    MUST(agree(mw_problems(run), mw_problems(own)));
    MUST(!good || !strcmp(mine.address, request->address));
}

static void bind(const struct mw_generator *generator, const struct args *args, const char *text,
                 size_t length)
{
    struct mw_limits limits = {.memory = memory, .size = sizeof memory};
    struct mw_run *run = mw_open(&limits);
    struct mw_request request, again;
    bool good = mw_bind(run, generator, args->list, args->count, "7", &request);
    MUST(good == (mw_problems(run)->count == 0));
    compare(generator, text, length, run, &request);
    if (!good)
        return;
    char *address = strdup(request.address);
    MUST(address && mw_bind_address(mw_open(&limits), address, strlen(address), &again));
    MUST(!strcmp(address, again.address));
    free(address);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    char why[200] = "";
    struct args args = {0};
    const char *text = (const char *)bytes + 1;
    const struct mw_generator *generator = mw_generators[bytes[0] % generator_count()];
    enum args_outcome outcome = args_read_json(&args, text, size - 1, why);
    MUST(outcome == ARGS_OK || (outcome == ARGS_INVALID && why[0]));
    if (outcome == ARGS_OK)
        bind(generator, &args, text, size - 1);
    else
        compare(generator, text, size - 1, NULL, NULL);
    args_release(&args);
    return 0;
}
