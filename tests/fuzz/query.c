/*
 * query.c: any text as the address of a map.
 *
 * The first byte picks the generator, unless it is a slash: then all of it is an address. What
 * binds must have an address that binds to itself; what does not, a reason in UTF-8 with a JSON
 * pointer.
 */
#include "fuzz.h"

#include "mapwright_host.h"

#include <string.h>

static _Alignas(64) char memory[2][4 << 20];

static struct mw_run *open_block(int i, size_t size)
{
    struct mw_limits limits = {.memory = memory[i], .size = size};
    return mw_open(&limits);
}

static bool is_utf8(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        int more = *c < 0x80                 ? 0
                   : *c >= 0xc2 && *c < 0xe0 ? 1
                   : *c >= 0xe0 && *c < 0xf0 ? 2
                   : *c >= 0xf0 && *c < 0xf5 ? 3
                                             : -1;
        if (more < 0)
            return false;
        for (c++; more--; c++)
            if ((*c & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static void judge_problems(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    MUST(problems->count > 0 && problems->count <= MW_PROBLEMS_MAX);
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        MUST(p->fault != MW_OK && p->fault != MW_STOPPED);
        MUST(!p->pointer[0] || p->pointer[0] == '/');
        MUST(is_utf8(p->pointer) && is_utf8(p->detail) && p->detail[0]);
    }
}

static void judge_address(const struct mw_request *request)
{
    struct mw_request again;
    struct mw_run *run = open_block(1, sizeof memory[1]);
    MUST(request->address_length == strlen(request->address));
    MUST(mw_bind_address(run, request->address, request->address_length, &again));
    MUST(!strcmp(request->address, again.address));
}

static bool bind_query(struct mw_run *run, const struct mw_generator *generator, const char *text,
                       size_t length, struct mw_request *request)
{
    const struct mw_arg *args;
    size_t count;
    return mw_read_query(run, text, length, &args, &count) &&
           mw_bind(run, generator, args, count, "7", request);
}

static size_t generator_count(void)
{
    size_t n = 0;
    while (mw_generators[n])
        n++;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    const char *text = (const char *)bytes;
    struct mw_request request;
    struct mw_run *run = open_block(0, sizeof memory[0]);
    bool address = text[0] == '/';
    const struct mw_generator *generator = mw_generators[bytes[0] % generator_count()];
    bool good = address ? mw_bind_address(run, text, size, &request)
                        : bind_query(run, generator, text + 1, size - 1, &request);
    MUST(good == (mw_problems(run)->count == 0));
    if (good)
        judge_address(&request);
    else
        judge_problems(run);
    return 0;
}
