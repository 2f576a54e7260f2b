/* pages.c: what the server says about itself. */
#include "pages.h"

#include "help.h"
#include "metrics.h"
#include "problem.h"
#include "reply.h"

#include <string.h>

/* Takes the reference. */
static void begin(struct exchange *exchange, unsigned status, struct blob *blob)
{
    exchange->reply = (struct reply){.status = status, .blob = blob};
    reply_header(exchange, "Access-Control-Allow-Origin", "*");
    reply_header(exchange, "Cache-Control", "no-cache");
}

/* Takes the reference; NULL: there was no memory for it. */
static void answer_blob(struct exchange *exchange, struct blob *blob)
{
    if (!blob) {
        reply_refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
        return;
    }
    begin(exchange, 200, blob);
    reply_header(exchange, "Content-Type", blob->media);
    if (blob->coding)
        reply_header(exchange, "Content-Encoding", blob->coding);
}

static void answer_text(struct exchange *exchange, struct strbuf *text, const char *media)
{
    answer_blob(exchange, text->failed ? NULL : blob_new(text->at, text->length, media));
    strbuf_release(text);
}

/* The page asks nothing of any other host, and runs nothing but its own files. */
static const char policy[] = "default-src 'self'; base-uri 'none'; form-action 'none'; "
                             "frame-ancestors 'none'; object-src 'none'";

/* In the coding that is asked for, or not at all where the client has it. */
static void answer_leaf(struct exchange *exchange, const struct leaf *leaf, const char *vary)
{
    enum coding coding = accept_coding(exchange->headers[HEADER_ACCEPT_ENCODING]);
    const char *tags = exchange->headers[HEADER_IF_NONE_MATCH], *tag = leaf->tags[coding];
    if (tags && accept_has_tag(tags, tag)) {
        metrics_count(COUNT_NOT_MODIFIED, 1);
        begin(exchange, 304, blob_ref(leaf->blobs[coding]));
    } else {
        answer_blob(exchange, blob_ref(leaf->blobs[coding]));
    }
    reply_header(exchange, "ETag", tag);
    reply_header(exchange, "Vary", vary);
    reply_header(exchange, "Content-Security-Policy", policy);
    reply_header(exchange, "X-Content-Type-Options", "nosniff");
}

static const char plain[] = "text/plain; charset=utf-8";

/* Its help and its page are told apart by Accept; help says where it was asked. */
static const char home_varies[] = "Accept, Accept-Encoding, X-Forwarded-Proto";

static void help(struct exchange *exchange)
{
    struct strbuf text = {0};
    const char *const *headers = exchange->headers;
    help_write(&text, headers[HEADER_HOST], headers[HEADER_FORWARDED_PROTO],
               exchange->desk->service->config.port);
    answer_text(exchange, &text, plain);
    reply_header(exchange, "Vary", home_varies);
}

/* A page for browsers, which say that they read HTML; help for all others. */
static void home(struct exchange *exchange)
{
    const char *accept = exchange->headers[HEADER_ACCEPT];
    const struct leaf *page = shelf_find(exchange->desk->service->shelf, "/");
    if (page && accept_names(accept, "text/html"))
        answer_leaf(exchange, page, home_varies);
    else
        help(exchange);
}

static void health(struct exchange *exchange) { answer_blob(exchange, blob_new("ok\n", 3, plain)); }

static void ready(struct exchange *exchange)
{
    if (atomic_load(&exchange->desk->service->draining))
        reply_refuse(exchange, FAULT_DRAINING, NULL);
    else
        answer_blob(exchange, blob_new("ready\n", 6, plain));
}

static void version(struct exchange *exchange)
{
    struct strbuf text = {0};
    strbuf_add(&text,
               "{\"name\": \"mapwright\", \"version\": \"" MW_VERSION "\", \"generators\": {");
    for (size_t i = 0; mw_generators[i]; i++)
        strbuf_format(&text, "%s\"%s\": %u", i ? ", " : "", mw_generators[i]->name,
                      mw_generators[i]->version);
    strbuf_add(&text, "}}\n");
    answer_text(exchange, &text, "application/json");
}

static void metrics(struct exchange *exchange)
{
    struct service *service = exchange->desk->service;
    struct pool_state pool = pool_state(service->pool);
    struct cache_state cache = cache_state(service->cache);
    struct strbuf text = {0};
    metrics_write(&text);
    metrics_gauge(&text, "queue_length", "Requests waiting for a worker", pool.waiting);
    metrics_gauge(&text, "workers_busy", "Workers making a map", pool.running);
    metrics_gauge(&text, "workers", "Workers", pool.workers);
    metrics_gauge(&text, "cache_bytes", "Bytes of answers kept", (int64_t)cache.bytes);
    metrics_gauge(&text, "cache_entries", "Answers kept or under way", (int64_t)cache.entries);
    metrics_gauge(&text, "cache_evicted", "Answers dropped to make room, since the start",
                  (int64_t)cache.evicted);
    metrics_gauge(&text, "connections", "Connections open", atomic_load(&service->connections));
    metrics_gauge(&text, "draining", "1 while the server shuts down",
                  atomic_load(&service->draining));
    answer_text(exchange, &text, "text/plain; version=0.0.4; charset=utf-8");
}

/* What lies on the shelf under the path asked for. */
static void shelved(struct exchange *exchange)
{
    const struct leaf *leaf = shelf_find(exchange->desk->service->shelf, exchange->path);
    if (leaf)
        answer_leaf(exchange, leaf, "Accept-Encoding");
    else
        reply_refuse(exchange, FAULT_NOT_FOUND, "the page at / has no such file");
}

static void problems(struct exchange *exchange) { answer_blob(exchange, problem_list()); }

static void problem(struct exchange *exchange)
{
    struct blob *blob = problem_page(exchange->path + sizeof "/problems/" - 1);
    if (blob)
        answer_blob(exchange, blob);
    else
        reply_refuse(exchange, FAULT_NOT_FOUND, "no problem has this name: /problems lists all");
}

static const struct page pages[] = {
    {"/", false, false, home},
    {"/healthz", false, true, health},
    {"/readyz", false, true, ready},
    {"/metrics", false, true, metrics},
    {"/version", false, true, version},
    {"/openapi.yaml", false, false, shelved},
    {"/openapi.json", false, false, shelved},
    {"/web/", true, false, shelved},
    {"/mapwright-hex.png", false, false, shelved},
    {"/mapwright-square.png", false, false, shelved},
    {"/problems", false, true, problems},
    {"/problems/", true, true, problem},
};

const struct page *page_find(const char *path, size_t length)
{
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        size_t n = strlen(pages[i].path);
        if ((length == n || (pages[i].prefix && length > n)) && !memcmp(path, pages[i].path, n))
            return &pages[i];
    }
    return NULL;
}
