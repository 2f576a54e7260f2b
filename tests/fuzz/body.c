/*
 * body.c: any bytes as the body of a request: read as JSON, bound to a generator.
 *
 * The first byte picks the generator. Whether the bytes are a JSON object is judged by jansson too.
 */
#include "fuzz.h"

#include "mapwright_host.h"

#include <jansson.h>
#include <string.h>

static _Alignas(64) char memory[4 << 20];

static size_t generator_count(void)
{
    size_t n = 0;
    while (mw_generators[n])
        n++;
    return n;
}

/*
 * Whether the two readers may differ: jansson stops at a NUL, refuses a number that no double can
 * hold, and takes what is nested deeper than the library allows.
 */
static bool may_differ(const struct mw_run *run, const char *text, size_t length)
{
    const struct mw_problems *problems = mw_problems(run);
    bool limited = problems->count && (strstr(problems->list[0].detail, "nested too deep") ||
                                       problems->list[0].fault != MW_BAD_PARAM);
    return limited || memchr(text, '\0', length) || memchr(text, 'e', length) ||
           memchr(text, 'E', length) || length > 300;
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!memchr(" \t\r\n", text[i], 4))
            return false;
    return true;
}

static bool is_object(const char *text, size_t length)
{
    bool marked = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3);
    text += marked ? 3 : 0;
    length -= marked ? 3 : 0;
    if (is_blank(text, length))
        return true;
    json_t *json = json_loadb(text, length, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
    bool object = json_is_object(json);
    json_decref(json);
    return object;
}

/* What was bound has an address, which binds to itself. */
static void bind(struct mw_run *run, const struct mw_generator *generator,
                 const struct mw_arg *args, size_t count)
{
    struct mw_limits limits = {.memory = memory, .size = sizeof memory};
    struct mw_request request, again;
    bool good = mw_bind(run, generator, args, count, "7", &request);
    MUST(good == (mw_problems(run)->count == 0));
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
    const char *text = (const char *)bytes + 1;
    const struct mw_generator *generator = mw_generators[bytes[0] % generator_count()];
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = memory, .size = sizeof memory});
    const struct mw_arg *args;
    size_t count;
    bool good = mw_read_json(run, text, size - 1, &args, &count);
    MUST(good == (mw_problems(run)->count == 0));
    MUST(good == is_object(text, size - 1) || may_differ(run, text, size - 1));
    if (good)
        bind(run, generator, args, count);
    return 0;
}
