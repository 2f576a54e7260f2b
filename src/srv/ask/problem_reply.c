/* problem_reply.c: problems as replies. */
#include "exchange.h"
#include "srv/out/problem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

static void add_retry_after(struct exchange *exchange, unsigned seconds)
{
    struct reply *reply = &exchange->reply;
    if (!seconds)
        return;
    snprintf(reply->retry_after, sizeof reply->retry_after, "%u", seconds);
    reply_header(reply, "Retry-After", reply->retry_after);
}

static bool reply_with(struct exchange *exchange, enum fault fault, const char *detail,
                       const struct mw_problem *list, size_t n)
{
    assert(!exchange->reply.blob && exchange->request_id[0]);
    bool shared = is_lasting(exchange, fault) && !exchange->context->service->keys;
    const char *instance = shared ? NULL : exchange->request_id; /* caches give it to others */
    struct blob *body = problem_body(fault, detail, instance, list, n);
    bool memory = !problem_is_for_want_of_memory(body);
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
    return reply_with(exchange, fault, detail, NULL, 0);
}

bool refuse_for(struct exchange *exchange, enum fault fault, const struct mw_problem *list,
                size_t n)
{
    return reply_with(exchange, fault, NULL, list, n);
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
    return refuse_for(exchange, fault, &problem, 1);
}

bool refuse_run(struct exchange *exchange)
{
    const struct mw_problems *problems = mw_problems(exchange->run);
    return refuse_for(exchange, fault_of(problems), problems->list, problems->count);
}

const char *explain_fault(const struct exchange *exchange, const struct blob *blob, char detail[96])
{
    const struct config *config = &exchange->context->service->config;
    bool async = exchange->prefer.async || exchange->events || exchange->map_id[0];
    if (blob->fault != FAULT_LATE || blob->length)
        return NULL;
    snprintf(detail, 96, "the map was not ready after %d ms",
             async ? config->async_ms : config->deadline_ms);
    return detail;
}
