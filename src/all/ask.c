/*
 * ask.c: a request in one call, from an address and a JSON object together, in the format that a
 * suffix or `format` names.
 */
#include "registry.h"

#include "kit/uuid.h"
#include "lib/run.h"

/* NULL, and the problem is reported: the map has no such format. */
static const struct mw_encoder *find_fitting(struct mw_run *run, const struct mw_request *request,
                                             const char *format)
{
    const struct mw_encoder *encoder = mw_encoder_named(format);
    if (encoder && mw_fits(encoder, request))
        return encoder;
    char formats[MW_FORMATS_ROOM];
    mw_write_formats(formats, request);
    mw_add_problem(run, MW_BAD_PARAM, "/format", "must be one of: %s", formats);
    return NULL;
}

struct asking {
    struct span suffix;
    struct mw_request *request;
};

static void take_request(struct mw_run *run, void *context)
{
    struct asking *asking = context;
    asking->request = MW_NEW0(run, struct mw_request, 1);
}

/* `format`, then the suffix, then JSON. */
static void find_encoder(struct mw_run *run, void *context)
{
    const struct asking *asking = context;
    const struct span suffix = asking->suffix;
    struct mw_request *request = asking->request;
    const char *format = request->look.format;
    if (!format)
        format = suffix.at ? mw_copy_text(run, suffix.at, suffix.length) : "json";
    request->encoder = find_fitting(run, request, format);
    if (!request->encoder)
        return;
    mw_uuid_of_url(request->address, request->address_length, request->id);
    request->cost = mw_estimate(request, request->encoder);
}

const struct mw_request *mw_bind_asked(struct mw_run *run, const struct asked_map *asked,
                                       const char *fresh_seed)
{
    struct asking asking = {asked->suffix, NULL};
    bool good =
        mw_guarded(run, take_request, &asking) &&
        mw_bind(run, asked->generator, asked->args, asked->count, fresh_seed, asking.request) &&
        mw_guarded(run, find_encoder, &asking);
    return good ? asking.request : NULL;
}

const struct mw_request *mw_ask(struct mw_run *run, const char *address, const char *json,
                                const char *fresh_seed)
{
    struct asked_map asked = {0};
    struct span members = span_of(json);
    assert(address);
    bool good = mw_read_asked(run, span_of(address), &asked) &&
                mw_read_json(run, members.at, members.length, &asked.args, &asked.count);
    return good ? mw_bind_asked(run, &asked, fresh_seed) : NULL;
}

const char *mw_request_address(const struct mw_request *request) { return request->address; }
const char *mw_request_id(const struct mw_request *request) { return request->id; }
const char *mw_request_media(const struct mw_request *request) { return request->encoder->media; }
struct mw_cost mw_request_cost(const struct mw_request *request) { return request->cost; }

struct mw_bytes mw_encode(struct mw_run *run, const struct mw_map *map, const char *format)
{
    assert(map != NULL && (format != NULL || map->request->encoder != NULL));
    const struct mw_encoder *encoder =
        format ? find_fitting(run, map->request, format) : map->request->encoder;
    return encoder ? mw_encode_with(run, encoder, map) : (struct mw_bytes){NULL, 0};
}

const char *mw_version(void) { return MW_VERSION; }
