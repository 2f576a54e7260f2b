/*
 * body.c: any bytes as the body of a request: read as JSON, bound to a generator.
 *
 * The first byte picks the generator.
 */
#include "fuzz.h"

#include "srv/ask/args.h"

#include <string.h>

static _Alignas(64) char memory[4 << 20];

static size_t generator_count(void)
{
    size_t n = 0;
    while (mw_generators[n])
        n++;
    return n;
}

static void bind(const struct mw_generator *generator, const struct args *args)
{
    struct mw_limits limits = {.memory = memory, .size = sizeof memory};
    struct mw_run *run = mw_open(&limits);
    struct mw_request request, again;
    bool good = mw_bind(run, generator, args->list, args->count, "7", &request);
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
    char why[200] = "";
    struct args args = {0};
    enum args_outcome outcome = args_read_json(&args, (const char *)bytes + 1, size - 1, why);
    MUST(outcome == ARGS_OK || (outcome == ARGS_INVALID && why[0]));
    if (outcome == ARGS_OK)
        bind(mw_generators[bytes[0] % generator_count()], &args);
    args_release(&args);
    return 0;
}
