/* problem.c: problem documents (RFC 9457), and replies that have them. */
#include "exchange.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char problem_media[] = "application/problem+json";

/* ---- documents ------------------------------------------------------------------------------- */

/* "/width must be ..."; of several problems, the document lists them. */
static const char *sum_up(const struct mw_problem *list, size_t count,
                          char detail[MW_POINTER_MAX + MW_DETAIL_MAX])
{
    if (count > 1)
        return "several things are wrong: see errors";
    snprintf(detail, MW_POINTER_MAX + MW_DETAIL_MAX, "%s%s%s", list->pointer,
             *list->pointer ? " " : "", list->detail);
    return detail;
}

/* NULL without memory, or if there are none. */
static json_t *list_errors(const struct mw_problem *list, size_t count)
{
    json_t *errors = count ? json_array() : NULL;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            errors, json_pack("{s:s, s:s}", "pointer", list[i].pointer, "detail", list[i].detail));
    if (json_array_size(errors) == count)
        return errors;
    json_decref(errors);
    return NULL;
}

#define NO_MEMORY \
    "{\"type\": \"/problems/unavailable\", \"title\": \"The server cannot do this now\", " \
    "\"status\": 503, \"detail\": \"out of memory\"}\n"

/* The document for when there is no memory. */
__extension__ static struct blob no_memory = {.refs = 1,
                                              .kept = true,
                                              .media = problem_media,
                                              .length = sizeof NO_MEMORY - 1,
                                              .bytes = NO_MEMORY};

struct blob *problem_body(enum fault fault, const char *detail, const char *instance,
                          const struct mw_problem *list, size_t count)
{
    assert(fault > FAULT_NONE && fault < FAULT_END);
    const struct fault_row *row = &fault_rows[fault];
    char own[MW_POINTER_MAX + MW_DETAIL_MAX];
    if (!detail)
        detail = count ? sum_up(list, count, own) : row->meaning;
    json_t *errors = list_errors(list, count), *id = json_string(instance);
    json_t *body = json_pack("{s:s+, s:s, s:i, s:s, s:o*, s:o*}", "type", "/problems/", row->slug,
                             "title", row->title, "status", row->status, "detail", detail,
                             "instance", id, "errors", errors);
    struct blob *blob = json_blob(body, problem_media);
    if (blob && (id || !instance) && (errors || !count))
        return blob;
    blob_drop(blob);
    return blob_ref(&no_memory);
}

static json_t *describe(const struct fault_row *row)
{
    return json_pack("{s:s+, s:s, s:i, s:s}", "type", "/problems/", row->slug, "title", row->title,
                     "status", row->status, "meaning", row->meaning);
}

struct blob *problem_list(void)
{
    json_t *list = json_array();
    for (enum fault fault = FAULT_NONE + 1; fault < FAULT_END; fault++)
        json_array_append_new(list, describe(&fault_rows[fault]));
    if (json_array_size(list) == FAULT_END - FAULT_NONE - 1)
        return json_blob(json_pack("{s:o}", "problems", list), "application/json");
    json_decref(list);
    return NULL;
}

struct blob *problem_page(const char *slug)
{
    for (enum fault fault = FAULT_NONE + 1; fault < FAULT_END; fault++)
        if (!strcmp(fault_rows[fault].slug, slug))
            return json_blob(describe(&fault_rows[fault]), "application/json");
    return NULL;
}

/* ---- replies --------------------------------------------------------------------------------- */

/*
 * Whether the same request would be refused like this at any time by any server of this version.
 * Not if the seed was drawn, if it may succeed later, or if the map was asked for by its id, which
 * may be gone.
 */
static bool is_lasting(const struct exchange *exchange, enum fault fault)
{
    bool drawn = exchange->key.id[0] && !exchange->durable;
    return fault_rows[fault].lasts == LASTS_ALWAYS && !drawn && !exchange->fault &&
           !exchange->retry_after && !exchange->map_id[0];
}

/* In seconds, if the wait is not known; 0: no Retry-After. */
static unsigned retry_after_fault(enum fault fault)
{
    enum { RESTART_S = 2, SOON_S = 1 };
    if (fault == FAULT_DRAINING)
        return RESTART_S;
    unsigned status = fault_rows[fault].status;
    return status == 503 || status == 429 ? SOON_S : 0;
}

static void add_retry_after(struct exchange *exchange, unsigned seconds)
{
    struct reply *reply = &exchange->reply;
    if (!seconds)
        return;
    snprintf(reply->retry_after, sizeof reply->retry_after, "%u", seconds);
    reply_header(reply, "Retry-After", reply->retry_after);
}

bool refuse_for(struct exchange *exchange, enum fault fault, const char *detail,
                const struct mw_problem *list, size_t n)
{
    assert(!exchange->reply.blob && exchange->request_id[0]);
    bool shared = is_lasting(exchange, fault) && !exchange->context->service->keys;
    const char *instance = shared ? NULL : exchange->request_id; /* caches give it to others */
    struct blob *body = problem_body(fault, detail, instance, list, n);
    bool memory = body != &no_memory;
    fault = memory ? fault : FAULT_UNAVAILABLE;
    reply_begin(&exchange->reply, fault_rows[fault].status, body);
    exchange->reply.fault = fault;
    reply_header(&exchange->reply, "Cache-Control",
                 shared && memory ? "public, max-age=86400" : "no-store");
    add_retry_after(exchange, exchange->retry_after && memory ? exchange->retry_after
                                                              : retry_after_fault(fault));
    return false;
}

bool refuse(struct exchange *exchange, enum fault fault, const char *detail)
{
    return refuse_for(exchange, fault, detail, NULL, 0);
}

bool refuse_at(struct exchange *exchange, enum fault fault, const char *pointer, const char *format,
               ...)
{
    struct mw_problem problem = {.fault = MW_BAD_PARAM};
    va_list list;
    va_start(list, format);
    snprintf(problem.pointer, sizeof problem.pointer, "%s", pointer);
    vsnprintf(problem.detail, sizeof problem.detail, format, list);
    va_end(list);
    return refuse_for(exchange, fault, NULL, &problem, 1);
}

bool refuse_run(struct exchange *exchange)
{
    const struct mw_problems *problems = mw_problems(exchange->run);
    return refuse_for(exchange, fault_of(problems), NULL, problems->list, problems->count);
}
