/* reply.c: a response. */
#include "reply.h"

#include "problem.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void reply_header(struct reply *reply, const char *name, const char *value)
{
    assert(reply->count < REPLY_HEADERS && *name && value && !strpbrk(value, "\r\n"));
    reply->headers[reply->count].name = name;
    reply->headers[reply->count++].value = value;
}

void reply_accepted(struct reply *reply)
{
    reply_header(reply, "Accept-Post", "application/json");
    reply_header(reply, "Accept-Query", "application/json");
}

/* Browser games call from anywhere, may read all headers, and may show pictures in pages that
   require CORP (as web exports of Godot and Unity do); no browser guesses the type. */
void reply_begin(struct reply *reply, unsigned status, struct blob *blob)
{
    assert(status >= 200 && status < 600);
    *reply = (struct reply){.status = status, .blob = blob};
    if (blob)
        reply_header(reply, "Content-Type", blob->media);
    reply_header(reply, "Access-Control-Allow-Origin", "*");
    reply_header(reply, "Access-Control-Expose-Headers", "*");
    reply_header(reply, "Cross-Origin-Resource-Policy", "cross-origin");
    reply_header(reply, "X-Content-Type-Options", "nosniff");
}

static void add_retry_after(struct reply *reply, unsigned seconds)
{
    snprintf(reply->retry_after, sizeof reply->retry_after, "%u", seconds);
    reply_header(reply, "Retry-After", reply->retry_after);
}

void reply_fault(struct reply *reply, enum fault fault, unsigned retry_after, bool lasting,
                 struct blob *body)
{
    assert(fault > FAULT_NONE && fault < FAULT_END && body);
    if (problem_is_for_want_of_memory(body)) {
        fault = FAULT_UNAVAILABLE;
        lasting = false;
        retry_after = 1;
    }
    reply_begin(reply, fault_rows[fault].status, body);
    reply->fault = fault;
    reply_header(reply, "Cache-Control", lasting ? "public, max-age=86400" : "no-store");
    if (retry_after)
        add_retry_after(reply, retry_after);
}
