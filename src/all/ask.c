/*
 * ask.c: a request in one call, from an address and a JSON object together, in the format that a
 * suffix or `format` names.
 */
#include "registry.h"

#include "kit/uuid.h"
#include "lib/run.h"
#include "lib/suggestion.h"

#include <string.h>

/* A request as "/regions.svg?width=60", with or without its first slash, and a JSON object. */
struct asked_request {
    const char *address;
    struct span name, suffix, query;
    const struct mw_generator *generator;
    const struct mw_arg *args;
    size_t count;
    struct mw_request *request;
};

static void refuse_name(struct mw_run *run, const struct asked_request *q)
{
    struct suggestion guess = {.meant = q->name};
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        mw_consider_word(&guess, (*g)->name);
    const char *nearest = guess.nearest;
    mw_fail(run, MW_BAD_PARAM, "", "%.*s: is no generator%s%s%s",
            (int)(q->name.length < 60 ? q->name.length : 60), q->name.at,
            nearest ? ": did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static void find_generator(struct mw_run *run, void *question)
{
    struct asked_request *q = question;
    q->query = span_of(q->address + (*q->address == '/'));
    span_cut(&q->query, '?', &q->suffix);
    span_cut(&q->suffix, '.', &q->name);
    q->generator = mw_find_named(q->name);
    if (!q->generator)
        refuse_name(run, q);
    q->request = MW_NEW0(run, struct mw_request, 1);
}

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

/* `format`, then the suffix, then JSON. */
static void find_encoder(struct mw_run *run, void *question)
{
    struct asked_request *q = question;
    const char *format = q->request->look.format;
    if (!format)
        format = q->suffix.at ? mw_copy_text(run, q->suffix.at, q->suffix.length) : "json";
    q->request->encoder = find_fitting(run, q->request, format);
    if (!q->request->encoder)
        return;
    mw_uuid_of_url(q->request->address, q->request->address_length, q->request->id);
    q->request->cost = mw_estimate(q->request, q->request->encoder);
}

const struct mw_request *mw_ask(struct mw_run *run, const char *address, const char *json,
                                const char *fresh_seed)
{
    assert(address);
    struct asked_request q = {.address = address};
    struct span members = span_of(json);
    bool good = mw_guarded(run, find_generator, &q) &&
                mw_read_query(run, q.query.at, q.query.length, &q.args, &q.count) &&
                mw_read_json(run, members.at, members.length, &q.args, &q.count) &&
                mw_bind(run, q.generator, q.args, q.count, fresh_seed, q.request) &&
                mw_guarded(run, find_encoder, &q);
    return good ? q.request : NULL;
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
