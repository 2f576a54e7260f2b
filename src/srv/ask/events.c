/*
 * events.c: the progress of a map as server-sent events (text/event-stream):
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * `progress` while it is under way, then `done`, or `failed` with the problem; `draining` where
 * the server shuts down. Comments now and then keep the connection alive.
 */
#include "exchange.h"
#include "srv/out/document.h"
#include "srv/out/problem.h"

#include <assert.h>
#include <string.h>

const char event_media[] = "text/event-stream";

enum {
    PACE_US = 250000,       /* least time between two events */
    HEARTBEAT_US = 5000000, /* longest time without an event or a comment */
};

static const char *const states[] = {
    [OUTLOOK_WAITING] = "waiting", [OUTLOOK_RUNNING] = "running", [OUTLOOK_ENDED] = "done"};

/* Where the map is or will be, with its NUL. */
const char *find_location(struct exchange *exchange)
{
    strbuf_reset(&exchange->location, SIZE_MAX);
    put_map_path(&exchange->location, &exchange->key);
    strbuf_char(&exchange->location, '\0');
    return exchange->location.failed ? "" : exchange->location.at;
}

const char *name_of_state(const struct outlook *outlook) { return states[outlook->state]; }

static void put_event(struct strbuf *to, const char *name, struct exchange *exchange,
                      const struct outlook *outlook)
{
    strbuf_format(to, "event: %s\ndata: ", name);
    document_put(to, json_pack("{s:s, s:s, s:f, s:s}", "id", exchange->key.id, "state",
                               name_of_state(outlook), "progress", outlook->progress, "location",
                               find_location(exchange)));
    strbuf_add(to, "\n\n");
}

/* A problem is one line, with its end. */
static void put_problem(struct strbuf *to, const char *name, const struct exchange *exchange,
                        enum fault fault, const char *detail, const struct blob *reasons)
{
    const struct mw_problem *list =
        reasons ? (const struct mw_problem *)(const void *)reasons->bytes : NULL;
    struct blob *body = problem_body(fault, detail, exchange->request_id, list,
                                     reasons ? reasons->length / sizeof *list : 0);
    strbuf_format(to, "event: %s\ndata: ", name);
    strbuf_put(to, body->bytes, body->length);
    strbuf_char(to, '\n');
    blob_drop(body);
}

static void put_done(struct strbuf *to, struct exchange *exchange)
{
    put_event(to, "done", exchange, &(struct outlook){.state = OUTLOOK_ENDED, .progress = 1});
}

static void put_outcome(struct strbuf *to, struct exchange *exchange, const struct blob *blob)
{
    char detail[96];
    if (!blob)
        put_problem(to, "failed", exchange, FAULT_UNAVAILABLE, "out of memory", NULL);
    else if (blob->fault)
        put_problem(to, "failed", exchange, blob->fault, explain_fault(exchange, blob, detail),
                    blob);
    else
        put_done(to, exchange);
}

void begin_events(struct exchange *exchange, struct blob *blob)
{
    reply_begin(&exchange->reply, 200, blob);
    if (!blob)
        reply_header(&exchange->reply, "Content-Type", event_media);
    reply_header(&exchange->reply, "Cache-Control", "no-store");
    reply_header(&exchange->reply, "X-Accel-Buffering", "no"); /* nginx must not buffer it */
    exchange->reply.live = !blob;
}

bool answer_event(struct exchange *exchange, struct blob *outcome)
{
    struct strbuf text = {0};
    put_outcome(&text, exchange, outcome);
    blob_drop(outcome);
    struct blob *blob = strbuf_blob(&text, event_media);
    if (!blob)
        return refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    begin_events(exchange, blob);
    return false;
}

/* Sends an event only if something has changed. */
static void write_progress(struct exchange *exchange, const struct outlook *outlook, int64_t now,
                           struct strbuf *to)
{
    assert(outlook->progress >= 0 && outlook->progress <= 1 && now >= exchange->last_event.at);
    int permille = (int)(outlook->progress * 1000);
    bool news =
        outlook->state != exchange->last_event.state || permille != exchange->last_event.permille;
    if (exchange->last_event.at && now - exchange->last_event.at < (news ? PACE_US : HEARTBEAT_US))
        return;
    if (news)
        put_event(to, "progress", exchange, outlook);
    else
        strbuf_add(to, ":\n\n");
    exchange->last_event.at = now;
    exchange->last_event.state = outlook->state;
    exchange->last_event.permille = permille;
}

bool exchange_write_events(struct exchange *exchange, int64_t now, struct strbuf *to)
{
    struct service *service = exchange->context->service;
    if (atomic_load(&service->draining)) {
        put_problem(to, "draining", exchange, FAULT_DRAINING, NULL, NULL);
        return false;
    }
    struct outlook outlook = operations_look(service->operations, &exchange->key);
    switch (outlook.state) {
    case OUTLOOK_WAITING:
    case OUTLOOK_RUNNING: write_progress(exchange, &outlook, now, to); return true;
    case OUTLOOK_LET_GO: put_done(to, exchange); return false;
    case OUTLOOK_ENDED: put_outcome(to, exchange, outlook.blob); break;
    case OUTLOOK_NONE:
        put_problem(to, "failed", exchange, FAULT_NOT_FOUND, "the work was ended by DELETE", NULL);
    }
    blob_drop(outlook.blob);
    return false;
}
