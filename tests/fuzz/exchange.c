/*
 * exchange.c: any bytes as a request, from its first line to its answer, without sockets.
 *
 * The first byte says how it is asked: method, port, what may go wrong. Then come lines: the
 * address; header fields, each begun by a letter that names it; an empty line; the body. The
 * service is a small one with one worker. Every answer must be whole and sane; a map that may be
 * kept must come again byte by byte, and not at all to who has its tag; nobody is sent on twice.
 */
#include "fuzz.h"

#include "srv/ask/exchange.h"
#include "srv/out/problem.h"

#include <jansson.h>
#include <pthread.h>
#include <string.h>

enum { LONGEST_LINE = 8000, MOST_ASKED = 12, CACHE = 64 << 20 };

struct asked {
    const char *method;
    bool admin, malformed, leaves;
    char uri[LONGEST_LINE + 1];
    size_t fields;
    struct {
        enum header header;
        char value[400];
    } list[MOST_ASKED];
    const char *body;
    size_t length;
};

static struct service service;
static struct io_context *contexts[2]; /* of the port, of the admin port */

/* ---- the bytes as a request ------------------------------------------------------------------ */

/* Takes a line off, without NULs and ends; false at the end of all. */
static bool take_line(const char **at, const char *end, char *line, size_t room)
{
    if (*at == end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    size_t n = 0;
    for (const char *c = *at; c < (stop ? stop : end); c++)
        if (*c && *c != '\r' && n + 1 < room)
            line[n++] = *c;
    line[n] = '\0';
    *at = stop ? stop + 1 : end;
    return true;
}

static void read_asked(struct asked *asked, const uint8_t *bytes, size_t size)
{
    static const char *const methods[] = {"GET",  "GET",     "QUERY", "HEAD",
                                          "POST", "OPTIONS", "PUT",   "AVERYLONGMETHODNAME"};
    const char *at = (const char *)bytes + 1, *end = (const char *)bytes + size;
    char line[400];
    asked->method = methods[bytes[0] & 7];
    asked->admin = (bytes[0] & 0x70) == 0x10;
    asked->malformed = (bytes[0] & 0x70) == 0x20;
    asked->leaves = (bytes[0] & 0x70) == 0x30;
    asked->fields = 0;
    if (!take_line(&at, end, asked->uri, sizeof asked->uri))
        asked->uri[0] = '\0';
    while (take_line(&at, end, line, sizeof line) && *line)
        if (asked->fields < MOST_ASKED) {
            asked->list[asked->fields].header = (enum header)((unsigned char)*line % HEADER_END);
            strcpy(asked->list[asked->fields++].value, line + 1);
        }
    asked->body = at;
    asked->length = (size_t)(end - at);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

static void wake(void *owner)
{
    pthread_mutex_lock(&lock);
    *(bool *)owner = true;
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
}

static void await(bool *awake)
{
    pthread_mutex_lock(&lock);
    while (!*awake)
        pthread_cond_wait(&woken, &lock);
    *awake = false;
    pthread_mutex_unlock(&lock);
}

/* The exchange with its reply; NULL: its client has left. */
static struct exchange *ask(const struct asked *asked, const char *if_none_match)
{
    static bool awake;
    awake = false;
    struct head head;
    head_begin(&head);
    head.method = span_of(asked->method);
    head.target = span_of(asked->uri);
    for (size_t i = 0; i < asked->fields; i++)
        if (!if_none_match || asked->list[i].header != HEADER_IF_NONE_MATCH)
            head_add(&head, asked->list[i].header, span_of(asked->list[i].value));
    if (if_none_match)
        head_add(&head, HEADER_IF_NONE_MATCH, span_of(if_none_match));
    struct exchange *exchange = exchange_begin(contexts[asked->admin], &head, wake, &awake);
    MUST(exchange && !exchange->reply.status);
    if (asked->malformed)
        exchange_fail(exchange, FAULT_INVALID_REQUEST, "there must be one Host header");
    if (exchange_expect_body(exchange, asked->length)) {
        exchange_add_body(exchange, asked->body, asked->length / 3);
        exchange_add_body(exchange, asked->body + asked->length / 3,
                          asked->length - asked->length / 3);
    }
    if (exchange_run(exchange))
        return exchange;
    if (asked->leaves && exchange_leave(exchange)) {
        MUST(!exchange_is_waiting(exchange) && !exchange->reply.status);
        exchange_end(exchange);
        return NULL;
    }
    do
        await(&awake);
    while (!exchange_resume(exchange));
    return exchange;
}

/* ---- judging --------------------------------------------------------------------------------- */

static const char *header_of(const struct reply *reply, const char *name)
{
    const char *value = NULL;
    for (size_t i = 0; i < reply->count; i++)
        if (!strcmp(reply->headers[i].name, name)) {
            MUST(!value);
            value = reply->headers[i].value;
        }
    return value;
}

/* Nothing of what a client sent may begin a field of its own. */
static void judge_headers(const struct reply *reply)
{
    MUST(reply->count <= REPLY_HEADERS);
    for (size_t i = 0; i < reply->count; i++) {
        const unsigned char *value = (const unsigned char *)reply->headers[i].value;
        MUST(*reply->headers[i].name && *value);
        for (; *value; value++)
            MUST(*value >= 0x20 && *value < 0x7f);
        header_of(reply, reply->headers[i].name);
    }
}

static void judge_problem(const struct exchange *exchange)
{
    const struct reply *reply = &exchange->reply;
    const char *media = header_of(reply, "Content-Type");
    MUST(reply->blob && media && !reply->common);
    const char *kept = header_of(reply, "Cache-Control");
    bool may_last = reply->status == 400 || reply->status == 422;
    MUST(!strcmp(kept, "no-store") || (may_last && !strcmp(kept, "public, max-age=86400")));
    bool when = header_of(reply, "Retry-After"); /* what was late may be tried again, or not */
    MUST(reply->status == 504 || when == (reply->status == 503));
    MUST(!strcmp(media, "application/problem+json"));
    json_t *json = json_loadb(reply->blob->bytes, reply->blob->length, 0, NULL);
    MUST(json && json_integer_value(json_object_get(json, "status")) == (int)reply->status);
    MUST(json_string_length(json_object_get(json, "detail")) > 0);
    const char *instance = json_string_value(json_object_get(json, "instance"));
    MUST(!strcmp(kept, "no-store") ? !strcmp(instance, exchange->request_id) : !instance);
    json_decref(json);
}

static void judge(const struct exchange *exchange)
{
    const struct reply *reply = &exchange->reply;
    struct record record = exchange_describe(exchange);
    judge_headers(reply);
    MUST(!strcmp(header_of(reply, "Access-Control-Allow-Origin"), "*"));
    MUST(!strcmp(header_of(reply, "X-Content-Type-Options"), "nosniff"));
    MUST(*exchange->request_id && record.status == reply->status && record.duration >= 0);
    if (reply->status >= 400)
        judge_problem(exchange);
    else
        MUST(reply->status == 200 || reply->status == 202 || reply->status == 204 ||
             reply->status == 304);
    MUST(reply->status != 200 || (reply->blob && header_of(reply, "Content-Type")));
    MUST(reply->status != 204 || (!reply->blob && header_of(reply, "Allow")));
}

/* Whether this is a map that will be the same for ever, and is in the cache: one that is too large
   for it would be made again, and may be late then. */
static bool is_lasting(const struct reply *reply)
{
    const char *cache = header_of(reply, "Cache-Control");
    return reply->status == 200 && cache && strstr(cache, "max-age") &&
           reply->blob->length < CACHE / 8;
}

static void ask_again(const struct asked *asked, const struct exchange *first)
{
    const struct reply *before = &first->reply;
    struct exchange *second = ask(asked, NULL);
    const struct reply *reply = &second->reply;
    MUST(reply->status == 200 && reply->blob->length == before->blob->length);
    MUST(!memcmp(reply->blob->bytes, before->blob->bytes, before->blob->length));
    MUST(!strcmp(header_of(reply, "ETag"), header_of(before, "ETag")));
    judge(second);
    exchange_end(second);
    struct exchange *third = ask(asked, header_of(before, "ETag"));
    MUST(third->reply.status == (strcmp(asked->method, "POST") ? 304 : 412));
    judge(third);
    exchange_end(third);
}

/* ---- the target ------------------------------------------------------------------------------ */

static bool start(void)
{
    static const struct config config = {
        .port = 8080,
        .threads = 1,
        .workers = 1,
        .queue = 4,
        .cache_bytes = CACHE,
        .output_bytes = 64 << 20,
        .send_ms = 1000,
        .max_body = 20000,
        .memory = 512 << 20,
        .wait_ms = 10000,
        .deadline_ms = 1000,
    };
    const char *what;
    MUST(problem_init() && service_init(&service, &config, &what));
    contexts[0] = io_context_new(&service, false);
    contexts[1] = io_context_new(&service, true);
    MUST(contexts[0] && contexts[1]);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static bool started;
    static struct asked asked;
    started = started || start();
    if (!size)
        return 0;
    read_asked(&asked, bytes, size);
    struct exchange *exchange = ask(&asked, NULL);
    if (!exchange)
        return 0;
    judge(exchange);
    asked.leaves = false;
    if (is_lasting(&exchange->reply))
        ask_again(&asked, exchange);
    exchange_end(exchange);
    return 0;
}
