/* read.c: reads query and body, and binds them to a request of the library. */
#include "exchange.h"

#include "all/registry.h"
#include "lib/run.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- recall: raw bytes -> all that follows from them ----------------------------------------- */

static void add_piece(struct strbuf *raw, const char *piece)
{
    strbuf_put(raw, piece ? piece : "", piece ? strlen(piece) + 1 : 1);
}

/* All bytes that the answer depends on; false if they are too long to be kept. */
static bool gather(struct exchange *exchange)
{
    struct strbuf *raw = &exchange->context->raw;
    const char *const *headers = exchange->headers;
    strbuf_clear(raw);
    if (exchange->map_id[0] || headers[HEADER_CONTENT_ENCODING] || exchange->body_too_large ||
        exchange->body.length > RECALL_ROOM)
        return false;
    bool post = exchange_has_body(exchange);
    strbuf_char(raw, !post ? 'G' : exchange->method == METHOD_QUERY ? 'Q' : 'P');
    add_piece(raw, exchange->path);
    add_piece(raw, exchange->query);
    add_piece(raw, post ? headers[HEADER_CONTENT_TYPE] : NULL);
    add_piece(raw, headers[HEADER_ACCEPT]);
    add_piece(raw, headers[HEADER_ACCEPT_ENCODING]);
    if (post)
        strbuf_put(raw, exchange->body.at, exchange->body.length);
    if (raw->failed)
        raw->length = 0;
    return raw->length;
}

bool recall_request(struct exchange *exchange)
{
    if (!gather(exchange))
        return false;
    const struct strbuf *raw = &exchange->context->raw;
    const struct recalled *known = recall_find(exchange->context->recall, raw->at, raw->length);
    if (!known)
        return false;
    exchange->durable = true;
    exchange->pinned = known->pinned;
    exchange->key = known->key;
    exchange->tag = known->tag;
    return true;
}

void remember_request(struct exchange *exchange)
{
    struct io_context *context = exchange->context;
    if (exchange->durable && gather(exchange))
        recall_store(context->recall, context->raw.at, context->raw.length,
                     &(struct recalled){
                         .key = exchange->key, .tag = exchange->tag, .pinned = exchange->pinned});
}

/* ---- read: query and body -> arguments ------------------------------------------------------- */

/* JSON by any of its names, or the default of `curl -d`. */
static bool is_json_type(const char *type)
{
    if (!type)
        return true;
    size_t n = strcspn(type, "; \t");
    static const char *const names[] = {"application/json", "application/x-www-form-urlencoded"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (n == strlen(names[i]) && !strncasecmp(type, names[i], n))
            return true;
    return !n || (n > 5 && !strncasecmp(type + n - 5, "+json", 5));
}

/* A QUERY must have a Content-Type (RFC 10008, 2). */
static bool check_type(struct exchange *exchange)
{
    const char *coding = exchange->headers[HEADER_CONTENT_ENCODING],
               *type = exchange->headers[HEADER_CONTENT_TYPE];
    bool untyped = exchange->method == METHOD_QUERY && exchange->body.length && !type;
    if (!untyped && is_json_type(type) && (!coding || !strcasecmp(coding, "identity")))
        return true;
    if (untyped)
        refuse(exchange, FAULT_INVALID_REQUEST,
               "the body of a QUERY must come with its Content-Type: application/json");
    else
        refuse(exchange, FAULT_UNSUPPORTED_TYPE, NULL);
    reply_accepted(&exchange->reply);
    return false;
}

/* For text that is not understood, or lack of memory. */
static bool refuse_text(struct exchange *exchange, enum fault fault)
{
    const struct mw_problem *problem = mw_problems(exchange->run)->list;
    if (problem->fault != MW_BAD_PARAM)
        return refuse_run(exchange);
    return refuse(exchange, fault, problem->detail);
}

/* Adds the members of the body to the parameters of the query. */
static bool read_body(struct exchange *exchange)
{
    const struct strbuf *body = &exchange->body;
    char why[200];
    if (exchange->body_too_large) {
        snprintf(why, sizeof why,
                 "the body is longer than %lld bytes, which the operator sets by --max-body",
                 (long long)exchange->context->service->config.max_body);
        return refuse(exchange, FAULT_BODY_TOO_LARGE, why);
    }
    if (!check_type(exchange))
        return false;
    if (body->failed)
        return refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    return mw_read_json(exchange->run, body->at ? body->at : "", body->length, &exchange->args,
                        &exchange->arg_count) ||
           refuse_text(exchange, FAULT_INVALID_JSON);
}

bool read_request(struct exchange *exchange)
{
    struct mw_limits limits = {.memory = exchange->context->memory,
                               .size = exchange->context->size};
    exchange->run = mw_open(&limits);
    if (!exchange->run)
        return refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    if (!mw_read_query(exchange->run, exchange->query, strlen(exchange->query), &exchange->args,
                       &exchange->arg_count))
        return refuse_text(exchange, FAULT_INVALID_REQUEST);
    return !exchange_has_body(exchange) || read_body(exchange);
}

/* ---- bind: arguments -> a request of the library --------------------------------------------- */

/* Binds the address that belongs to the id; such a request takes no parameter but the look. */
static bool bind_map(struct exchange *exchange)
{
    if (!exchange->kept_address && atomic_load(&exchange->context->service->draining))
        return refuse(exchange, FAULT_DRAINING, NULL);
    if (!exchange->kept_address)
        return refuse(
            exchange, FAULT_NOT_FOUND,
            operations_cancelled(exchange->context->service->operations, exchange->map_id)
                ? "the making of this map was cancelled: request its self address to start again"
                : "no map with this id is kept: its self address makes it again");
    struct mw_request *request = &exchange->request;
    struct mw_look look;
    if (!mw_bind_look(exchange->run, exchange->args, exchange->arg_count, &look))
        return refuse_run(exchange);
    if (!mw_bind_address(exchange->run, exchange->kept_address, strlen(exchange->kept_address),
                         request))
        return refuse_run(exchange);
    exchange->generator = request->generator;
    request->look = look;
    exchange->durable = exchange->pinned = true;
    return true;
}

bool bind_request(struct exchange *exchange)
{
    if (exchange->map_id[0])
        return bind_map(exchange);
    char seed[24];
    struct mw_request *request = &exchange->request;
    /* below 2^53, so that it is an exact number in JavaScript */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)(exchange->drawn >> 11));
    if (!mw_bind(exchange->run, exchange->generator, exchange->args, exchange->arg_count, seed,
                 request) ||
        mw_problems(exchange->run)->count)
        return refuse_run(exchange);
    exchange->durable = request->seed_given;
    exchange->pinned = request->version_given;
    return true;
}

/* ---- size ------------------------------------------------------------------------------------ */

static bool fits(struct exchange *exchange, const struct mw_request *request)
{
    const struct config *config = &exchange->context->service->config;
    bool board = false;
    const struct mw_forecast f = mw_forecast(request);
    for (const struct mw_part *part = request->generator->parts; part->kind != MW_NO_PART; part++)
        board |= part->role == MW_BOARD;
    uint64_t size = f.nodes ? f.nodes : (uint64_t)f.plan.width * (uint64_t)f.plan.height;
    int32_t most = f.nodes ? config->max_stars : board ? config->max_board : config->max_cells;
    if (!most || size <= (uint64_t)most)
        return true;
    return refuse_at(exchange, FAULT_TOO_BIG, "",
                     "asks for %llu %s, and this server makes maps of %d at most: ask for less",
                     (unsigned long long)size, f.nodes ? "stars" : "cells", most);
}

bool check_size(struct exchange *exchange)
{
    const struct mw_request *request = &exchange->request;
    bool good = fits(exchange, request);
    for (const struct mw_base *base = request->bases; base && good; base = base->next)
        good = fits(exchange, &base->request);
    return good;
}
