/* pages.c: pages about the server: help, state, problems, files. */
#include "exchange.h"
#include "srv/parse/accept.h"

#include <stdio.h>
#include <string.h>

static const char plain[] = "text/plain; charset=utf-8";

/* Takes the reference. */
static void begin(struct reply *reply, unsigned status, struct blob *blob)
{
    reply_begin(reply, status, status == 304 ? NULL : blob);
    reply->blob = blob;
    reply_header(reply, "Cache-Control", "no-cache");
}

/* Takes the reference; NULL: there was no memory for it. */
static bool answer_blob(struct exchange *exchange, struct blob *blob)
{
    struct reply *reply = &exchange->reply;
    if (!blob)
        return refuse(exchange, FAULT_UNAVAILABLE, "out of memory");
    begin(reply, 200, blob);
    if (blob->coding)
        reply_header(reply, "Content-Encoding", blob->coding);
    return false;
}

static bool answer_text(struct exchange *exchange, struct strbuf *text, const char *media)
{
    return answer_blob(exchange, strbuf_blob(text, media));
}

/* ---- static files ---------------------------------------------------------------------------- */

/* The page contacts no other host, and runs only its own files, a WebAssembly module among them. */
static const char policy[] =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/* Takes the reference. It is not sent where the client has it. */
static bool answer_tagged(struct exchange *exchange, struct blob *blob, const struct etag *tag,
                          const char *vary)
{
    struct reply *reply = &exchange->reply;
    const char *known = exchange->headers[HEADER_IF_NONE_MATCH];
    if (!match_tag(exchange, tag)) {
        blob_drop(blob);
        return false;
    }
    if (known && accept_tag(known, tag, true))
        begin(reply, 304, blob);
    else
        answer_blob(exchange, blob);
    reply_header(reply, "ETag", tag->text);
    reply_header(reply, "Vary", vary);
    reply_header(reply, "Content-Security-Policy", policy);
    reply_header(reply, "Referrer-Policy", "no-referrer"); /* addresses hold seeds and masks */
    return false;
}

/* In the coding that is asked for. */
static bool answer_file(struct exchange *exchange, const struct static_file *file, const char *vary)
{
    enum coding coding = accept_coding(exchange->headers[HEADER_ACCEPT_ENCODING]);
    return answer_tagged(exchange, blob_ref(file->blobs[coding]), &file->tags[coding], vary);
}

static const struct static_file *find_file(const struct exchange *exchange, const char *path)
{
    return static_files_find(exchange->context->service->files, path);
}

static bool static_page(struct exchange *exchange)
{
    const struct static_file *file = find_file(exchange, exchange->path);
    if (!file)
        return refuse(exchange, FAULT_NOT_FOUND, "the page at / has no such file");
    return answer_file(exchange, file, "Accept-Encoding");
}

/* ---- what curl gets at `/` ------------------------------------------------------------------- */

/* At most 24 lines of 80 columns, where the host has a usual name: @ is the origin. Comments have
   lines of their own, as not every shell knows them at the end of one. */
static const char commands[] =
    "\nMaps in the terminal: a new one, one in colors by its seed, a puzzle solved:\n"
    "  curl '@/islands.txt'\n"
    "  curl '@/starlanes.txt?color=true&seed=7'\n"
    "  curl '@/puzzle/solve.txt?grid=A..B/.C../.CA./B...'\n"
    "JSON, for programs, by GET or by POST:\n"
    "  curl '@/regions?width=60&count=8&seed=hello'\n"
    "  curl -d '{\"width\": 60, \"count\": 8, \"seed\": \"hello\"}' '@/regions'\n"
    "Saved once as regions-hello.svg:\n"
    "  curl -OJ '@/regions.svg?width=60&count=8&seed=hello'\n"
    "\nFormats:";

static const char further[] = "\nAll parameters and answers: /openapi.yaml, or /openapi.json\n"
                              "What can go wrong: /problems   A recent map: /maps/{id}\n"
                              "The server: /version /healthz /readyz /metrics\n";

/* curl takes http:// where there is no scheme. */
static void write_help(struct strbuf *text, const struct exchange *exchange)
{
    char origin[ORIGIN_ROOM];
    write_origin(origin, exchange);
    const char *base = origin + (strncmp(origin, "http://", 7) ? 0 : 7);
    strbuf_add(text, "Mapwright " MW_VERSION " makes maps for games.\n\n");
    for (size_t i = 0; mw_generators[i]; i++)
        strbuf_format(text, "/%-16s %s\n", mw_generators[i]->name, mw_generators[i]->summary);
    for (const char *c = commands; *c; c++)
        strbuf_put(text, *c == '@' ? base : c, *c == '@' ? strlen(base) : 1);
    for (size_t i = 0; mw_encoders[i]; i++)
        strbuf_format(text, " .%s", mw_suffix(mw_encoders[i]));
    strbuf_add(text, further);
}

/* Accept decides between help and page; help has the address of the service. */
static const char home_varies[] = "Accept, Accept-Encoding, X-Forwarded-Prefix, X-Forwarded-Proto";

/* The page for a link to a map, for programs that look for its picture as well: they read HTML, and
   few say so. */
static bool answer_preview(struct exchange *exchange, const struct static_file *file)
{
    enum coding coding = accept_coding(exchange->headers[HEADER_ACCEPT_ENCODING]);
    const struct blob *page = file->blobs[CODING_NONE];
    struct strbuf text = {0};
    preview_write(&text, exchange, page);
    struct blob *blob =
        text.failed ? NULL : coding_apply(coding, EFFORT_FAST, text.at, text.length, page->media);
    strbuf_release(&text);
    if (!blob)
        return answer_blob(exchange, NULL);
    exchange->tag = etag_of(blob->bytes, blob->length);
    return answer_tagged(exchange, blob, &exchange->tag, home_varies);
}

/* The page for clients that accept HTML, as browsers do; help for all others. */
static bool home(struct exchange *exchange)
{
    const struct static_file *file = find_file(exchange, "/");
    if (preview_generator(exchange))
        return answer_preview(exchange, file);
    if (accept_names(exchange->headers[HEADER_ACCEPT], "text/html"))
        return answer_file(exchange, file, home_varies);
    struct strbuf text = {0};
    write_help(&text, exchange);
    answer_text(exchange, &text, plain);
    if (exchange->reply.status == 200)
        reply_header(&exchange->reply, "Vary", home_varies);
    return false;
}

/* ---- the state of the server ----------------------------------------------------------------- */

static bool health(struct exchange *exchange)
{
    return answer_blob(exchange, blob_new("ok\n", 3, plain));
}

static bool ready(struct exchange *exchange)
{
    const struct service *service = exchange->context->service;
    if (atomic_load(&service->leaving))
        return refuse(exchange, FAULT_DRAINING, NULL);
    return answer_blob(exchange, blob_new("ready\n", 6, plain));
}

static json_t *limit_json(int32_t most) { return most ? json_integer(most) : NULL; }

/* The sizes that maps may have here. NULL: out of memory. */
static json_t *size_limits(const struct config *config)
{
    return json_pack("{s:o*, s:o*, s:o*}", "cells", limit_json(config->max_cells), "stars",
                     limit_json(config->max_stars), "board", limit_json(config->max_board));
}

static bool version(struct exchange *exchange)
{
    json_t *generators = json_object();
    bool good = generators;
    for (size_t i = 0; good && mw_generators[i]; i++)
        good = !json_object_set_new(generators, mw_generators[i]->name,
                                    json_integer(mw_generators[i]->version));
    json_t *body =
        json_pack("{s:s, s:s, s:O, s:o}", "name", "mapwright", "version", MW_VERSION, "generators",
                  generators, "limits", size_limits(&exchange->context->service->config));
    struct blob *blob = json_blob(body, "application/json");
    json_decref(generators);
    if (good)
        return answer_blob(exchange, blob);
    blob_drop(blob);
    return answer_blob(exchange, NULL);
}

static bool problems(struct exchange *exchange) { return answer_blob(exchange, problem_list()); }

static bool problem(struct exchange *exchange)
{
    struct blob *blob = problem_page(exchange->path + sizeof "/problems/" - 1);
    if (!blob)
        return refuse(exchange, FAULT_NOT_FOUND, "no problem has this name: /problems lists all");
    return answer_blob(exchange, blob);
}

static bool metrics(struct exchange *);

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct page pages[] = {
    {"/", false, false, home},
    {"/healthz", false, true, health},
    {"/readyz", false, true, ready},
    {"/metrics", false, true, metrics},
    {"/version", false, true, version},
    {"/openapi.yaml", false, false, static_page},
    {"/openapi.json", false, false, static_page},
    {"/web/", true, false, static_page},
    {"/mapwright-hex.png", false, false, static_page},
    {"/mapwright-square.png", false, false, static_page},
    {"/problems", false, true, problems},
    {"/problems/", true, true, problem},
};

enum { PAGES = sizeof pages / sizeof *pages };

const struct page *page_find(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < PAGES; i++) {
        size_t n = strlen(pages[i].path);
        if ((length == n || (pages[i].prefix && length > n)) && !memcmp(path, pages[i].path, n))
            return &pages[i];
    }
    return NULL;
}

/* ---- metrics, by where requests went: anything else, maps by id, pages, generators ----------- */

enum { ROUTE_OTHER, ROUTE_MAPS, ROUTE_PAGES, ROUTE_GENERATORS = ROUTE_PAGES + PAGES };

unsigned route_of(const struct exchange *exchange)
{
    unsigned n = 0;
    if (exchange->map_id[0])
        return ROUTE_MAPS;
    if (exchange->page)
        return ROUTE_PAGES + (unsigned)(exchange->page - pages);
    while (exchange->generator && mw_generators[n] != exchange->generator)
        n++;
    return exchange->generator ? ROUTE_GENERATORS + n : ROUTE_OTHER;
}

static void put_route(struct strbuf *to, size_t route)
{
    if (route >= ROUTE_GENERATORS)
        strbuf_format(to, "/%s", mw_generators[route - ROUTE_GENERATORS]->name);
    else if (route >= ROUTE_PAGES)
        strbuf_add(to, pages[route - ROUTE_PAGES].path);
    else
        strbuf_add(to, route == ROUTE_MAPS ? "/maps/{id}" : "other");
}

static bool metrics(struct exchange *exchange)
{
    struct strbuf text = {0};
    int64_t gauges[GAUGE_END];
    service_measure(exchange->context->service, gauges);
    metrics_write(&text, gauges, put_route);
    return answer_text(exchange, &text, metrics_media);
}
