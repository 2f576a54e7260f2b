/* reply.c: a response. */
#include "reply.h"

#include <assert.h>
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
