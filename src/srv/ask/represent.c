/* represent.c: format, key, ETag and names of a map. */
#include "all/registry.h"
#include "exchange.h"
#include "srv/base/identity.h"
#include "srv/parse/accept.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_LOCATION = 2048 }; /* a longer address is named by its id */

/* ---- accept: format, suffix, Accept -> encoder; Accept-Encoding -> coding -------------------- */

static bool refuse_format(struct exchange *exchange, const char *pointer)
{
    char formats[MW_FORMATS_ROOM];
    mw_write_formats(formats, &exchange->request);
    if (pointer)
        return refuse_at(exchange, FAULT_NOT_ACCEPTABLE, pointer, "must be one of: %s", formats);
    return refuse_at(exchange, FAULT_NOT_ACCEPTABLE, "", "%s comes as: %s",
                     exchange->generator->name, formats);
}

bool negotiate(struct exchange *exchange)
{
    const struct mw_look *look = &exchange->request.look;
    const char *format = look->format ? look->format : exchange->suffix;
    const struct mw_encoder *encoder =
        format ? mw_encoder_named(format)
               : accept_encoder(exchange->headers[HEADER_ACCEPT], &exchange->request);
    if (!encoder && !format && exchange->events)
        encoder = mw_encoders[0]; /* that the events refer to */
    if (!encoder || !mw_fits(encoder, &exchange->request))
        return refuse_format(exchange, look->format ? "/format" : NULL);
    if (exchange->suffix && mw_encoder_named(exchange->suffix) != encoder)
        return refuse_at(exchange, FAULT_NO_RESULT, "/format",
                         "is %s, but the path ends in .%s: leave one of them out", look->format,
                         exchange->suffix);
    exchange->key.encoder = encoder;
    exchange->key.look = mw_effective_look(encoder, *look);
    exchange->key.coding = accept_coding(exchange->headers[HEADER_ACCEPT_ENCODING]);
    return true;
}

/* ---- key: all of it -> key, tag -------------------------------------------------------------- */

/* The ETag is a hash of all that the bytes depend on. */
static void make_tag(struct exchange *exchange)
{
    char name[STORED_NAME], text[STORED_NAME + 64];
    const struct key *key = &exchange->key;
    stored_name(key, name);
    int n = snprintf(text, sizeof text, "%s %s %s", name,
                     key->coding ? coding_names[key->coding] : "-", MW_VERSION);
    assert(n > 0 && (size_t)n < sizeof text);
    exchange->tag = etag_of(text, (size_t)n);
}

bool make_key(struct exchange *exchange)
{
    struct key *key = &exchange->key;
    key->generator = exchange->generator;
    key->address = exchange->request.address;
    key->length = exchange->request.address_length;
    assert(key->length && *key->address == '/');
    identity_of(key->address, key->length, key->id);
    make_tag(exchange);
    key->cost = mw_estimate(&exchange->request, key->encoder);
    return true;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* None for JSON, the default. */
static void put_suffix(struct strbuf *location, const struct key *key)
{
    if (strcmp(key->encoder->name, "json") != 0)
        strbuf_format(location, ".%s", mw_suffix(key->encoder));
}

/* The look, without the format. */
static void put_look(struct strbuf *location, const struct mw_look *look, char separator)
{
    char text[MW_LOOK_BYTES];
    size_t length = (size_t)(mw_write_look(text, look) - text);
    text[0] = separator;
    strbuf_put(location, text, length);
}

void put_map_path(struct strbuf *to, const struct key *key)
{
    strbuf_format(to, "/maps/%s", key->id);
    put_suffix(to, key);
    put_look(to, &key->look, '?');
}

/* ---- name: key -> where the map is, and what a file with it is called ------------------------ */

/* The path that gives the same bytes again, seed, format and all: the suffix goes before the query
   of the address, the look behind. */
static void make_location(struct exchange *exchange)
{
    const struct key *key = &exchange->key;
    struct strbuf *location = &exchange->location;
    const char *query = memchr(key->address, '?', key->length);
    assert(query && "an address has a query");
    size_t path = (size_t)(query - key->address);
    if (key->length > LONGEST_LOCATION) {
        put_map_path(location, key);
    } else {
        strbuf_put(location, key->address, path);
        put_suffix(location, key);
        strbuf_put(location, query, key->length - path);
        put_look(location, &key->look, '&');
    }
    strbuf_char(location, '\0');
}

/* The seed in an address, unless it has escapes; else the id. */
static struct span plain_seed(const struct key *key)
{
    static const char before[] = "&seed=";
    enum { BEFORE = sizeof before - 1 };
    const char *end = key->address + key->length;
    const char *last = memrchr(key->address, '&', key->length);
    if (last && end - last > BEFORE && !memcmp(last, before, BEFORE) &&
        !memchr(last, '%', (size_t)(end - last)))
        return (struct span){last + BEFORE, (size_t)(end - last) - BEFORE};
    return span_of(key->id);
}

/* `inline; filename="islands-7.svg"` (RFC 6266): generator, seed, suffix. */
static void name_file(struct exchange *exchange)
{
    const struct key *key = &exchange->key;
    struct span seed = plain_seed(key);
    char *name = exchange->disposition;
    int n = snprintf(name, FILE_NAME_ROOM, "inline; filename=\"%s-%.*s.%s\"", key->generator->name,
                     (int)seed.length, seed.at, mw_suffix(key->encoder));
    assert(n > 0 && n < FILE_NAME_ROOM);
    (void)n;
    char *slash = strchr(name, '/');
    if (slash)
        *slash = '-';
}

/* Once, while the key still has its address. */
void name_answer(struct exchange *exchange)
{
    if (exchange->location.length || exchange->location.failed)
        return;
    make_location(exchange);
    name_file(exchange);
}

/* ---- compare: the tag -> whether the client has it already ----------------------------------- */

const char *cache_status(bool hit) { return hit ? "mapwright; hit" : "mapwright; fwd=miss"; }

/* Without `v` another release may give another map, so that it is asked again after a week. What
   needs a key is not for caches that others share: not every cache respects Authorization. */
static const char *cache_control(const struct exchange *exchange)
{
    static const char *const values[2][2] = {
        {"max-age=604800", "private, max-age=604800"},
        {"max-age=31536000, immutable", "private, max-age=31536000, immutable"}};
    if (!exchange->durable)
        return "no-store";
    return values[exchange->pinned][exchange->context->service->keys != NULL];
}

/* A picture may run no scripts and load nothing. */
static void add_policy(struct exchange *exchange)
{
    if (!strcmp(exchange->key.encoder->media, "image/svg+xml"))
        reply_header(&exchange->reply, "Content-Security-Policy",
                     "default-src 'none'; style-src 'unsafe-inline'; sandbox");
}

void add_cache_headers(struct exchange *exchange, bool hit)
{
    name_answer(exchange);
    add_policy(exchange);
    reply_header(&exchange->reply, "ETag", exchange->tag.text);
    reply_header(&exchange->reply, "Vary", "Accept, Accept-Encoding");
    reply_header(&exchange->reply, "Cache-Control", cache_control(exchange));
    reply_header(&exchange->reply, "Content-Disposition", exchange->disposition);
    reply_header(&exchange->reply, "Cache-Status", cache_status(hit));
    if (!exchange->location.failed)
        reply_header(&exchange->reply, "Content-Location", exchange->location.at);
}

static bool refuse_tag(struct exchange *exchange, const struct etag *tag, const char *detail)
{
    refuse(exchange, FAULT_PRECONDITION_FAILED, detail);
    reply_header(&exchange->reply, "ETag", tag->text);
    return false;
}

static bool is_unmatched(const struct exchange *exchange, const struct etag *tag)
{
    const char *wanted = exchange->headers[HEADER_IF_MATCH];
    return wanted && !accept_tag(wanted, tag, false);
}

bool match_tag(struct exchange *exchange, const struct etag *tag)
{
    return !is_unmatched(exchange, tag) ||
           refuse_tag(exchange, tag, "If-Match must be left out, or hold the ETag that is there");
}

/* Answers by the tag alone; the cache is read only for the length, or for a fault. */
bool compare_tags(struct exchange *exchange)
{
    const struct etag *tag = &exchange->tag;
    const char *known = exchange->headers[HEADER_IF_NONE_MATCH];
    if (!is_unmatched(exchange, tag) && !(known && accept_tag(known, tag, true)))
        return true;
    struct blob *kept = cache_find(exchange->context->service->cache, &exchange->key);
    bool fault = kept && kept->fault, post = exchange->method == METHOD_POST;
    if (fault || post || is_unmatched(exchange, tag)) {
        blob_drop(kept);
        return fault || (match_tag(exchange, tag) && refuse_tag(exchange, tag, NULL));
    }
    reply_begin(&exchange->reply, 304, NULL);
    add_cache_headers(exchange, true);
    exchange->reply.blob = kept;
    return false;
}
