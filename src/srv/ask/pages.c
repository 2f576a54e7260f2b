/* pages.c: pages about the server: help, link previews, state, problems, files. */
#include "exchange.h"
#include "srv/out/static_files.h"
#include "srv/parse/accept.h"

#include <assert.h>
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

static bool static_page(struct exchange *exchange)
{
    const struct static_file *file = static_files_find(exchange->path);
    if (!file)
        return refuse(exchange, FAULT_NOT_FOUND, "the page at / has no such file");
    return answer_file(exchange, file, "Accept-Encoding");
}

/* ---- the address of the service, as the client sees it --------------------------------------- */

enum { LONGEST_HOST = 253 + 6 /* a name and a port */, LONGEST_PREFIX = 128 };
enum { ORIGIN_ROOM = LONGEST_HOST + LONGEST_PREFIX + 32 };
#define HOST_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"

/* Only characters of host names, ports and IPv6 addresses. */
static bool is_host(const char *host)
{
    size_t length = host ? strlen(host) : 0;
    return length && length <= LONGEST_HOST && *host != '-' &&
           strspn(host, HOST_CHARS ":[]") == length;
}

/* Segments of letters, digits and "-._~", each after a slash. */
static bool is_prefix(const char *prefix)
{
    size_t length = prefix ? strlen(prefix) : 0;
    return length && length <= LONGEST_PREFIX && *prefix == '/' && prefix[length - 1] != '/' &&
           !strstr(prefix, "//") && strspn(prefix, HOST_CHARS "~/") == length;
}

/*
 * "https://maps.example/prefix", "http://localhost:8080". It has no characters that are special to
 * HTML or within the quotes of a shell; an invalid Host is replaced by localhost:port, an invalid
 * prefix is ignored.
 */
static void write_origin(char origin[ORIGIN_ROOM], const struct exchange *exchange)
{
    const char *const *headers = exchange->headers;
    int port = exchange->context->service->config.port;
    struct span protocols = span_of(headers[HEADER_FORWARDED_PROTO]), first = {0};
    list_next(&protocols, ',', &first); /* of the proxy next to the client */
    const char *scheme = span_is_word(first, "https") ? "https://" : "http://";
    const char *prefix = headers[HEADER_FORWARDED_PREFIX];
    if (!is_prefix(prefix))
        prefix = "";
    if (is_host(headers[HEADER_HOST]))
        snprintf(origin, ORIGIN_ROOM, "%s%s%s", scheme, headers[HEADER_HOST], prefix);
    else
        snprintf(origin, ORIGIN_ROOM, "http://localhost:%d%s", port, prefix);
    assert(!strpbrk(origin, "'\"<>&$`\\"));
}

/* ---- the page for a link to a map, /?generator=regions&seed=7 -------------------------------- */

/*
 * Its head has the map's name and the address of its picture (Open Graph), so that chats that show
 * links show the map. The link is untrusted: of the query, only characters that are allowed in a
 * URL and have no meaning in HTML are copied, all others are written as %XX.
 */
static const char generator_is[] = "generator=";

static bool names_generator(struct span parameter)
{
    size_t n = sizeof generator_is - 1;
    return parameter.length >= n && !memcmp(parameter.at, generator_is, n);
}

/* The generator of the link, or NULL. */
static const struct mw_generator *preview_generator(const struct exchange *exchange)
{
    char name[32];
    struct span rest = span_of(exchange->query), value, before;
    do
        if (!span_cut(&rest, '&', &value))
            return NULL;
    while (!names_generator(value));
    span_cut(&value, '=', &before);
    return span_decode(value, name, sizeof name) ? mw_find(name) : NULL;
}

/* Characters of a URL's query, but for the apostrophe. */
static void put_query(struct strbuf *text, struct span piece)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-._~!$()*+,;=:@/?%";
    for (size_t i = 0; i < piece.length; i++)
        if (memchr(allowed, piece.at[i], sizeof allowed - 1))
            strbuf_char(text, piece.at[i]);
        else
            strbuf_format(text, "%%%02X", (unsigned char)piece.at[i]);
}

static void put_picture(struct strbuf *text, const struct exchange *exchange, const char *name)
{
    char origin[ORIGIN_ROOM];
    write_origin(origin, exchange);
    strbuf_format(text, "%s/%s.png", origin, name);
    struct span rest = {exchange->query, strlen(exchange->query)}, piece;
    for (const char *mark = "?"; span_cut(&rest, '&', &piece);) {
        if (!piece.length || names_generator(piece))
            continue;
        strbuf_add(text, mark);
        put_query(text, piece);
        mark = "&amp;";
    }
}

/* Names and summaries of generators need no escapes in HTML, but for the apostrophe. */
static void put_head(struct strbuf *text, const struct exchange *exchange)
{
    const struct mw_generator *generator = preview_generator(exchange);
    assert(!strpbrk(generator->summary, "&<>\""));
    strbuf_format(text,
                  "<title>%s · Mapwright</title>\n"
                  "<meta property=\"og:title\" content=\"%s · Mapwright\">\n"
                  "<meta property=\"og:type\" content=\"website\">\n"
                  "<meta property=\"og:description\" content=\"%s\">\n"
                  "<meta property=\"og:image\" content=\"",
                  generator->name, generator->name, generator->summary);
    put_picture(text, exchange, generator->name);
    strbuf_add(text, "\">\n<meta name=\"twitter:card\" content=\"summary_large_image\">");
}

static void write_preview(struct strbuf *text, const struct exchange *exchange,
                          const struct blob *page)
{
    static const char title[] = "<title>Mapwright</title>";
    const char *at = memmem(page->bytes, page->length, title, sizeof title - 1);
    assert(at && "the page has its title");
    const char *rest = at + sizeof title - 1;
    strbuf_put(text, page->bytes, (size_t)(at - page->bytes));
    put_head(text, exchange);
    strbuf_put(text, rest, (size_t)(page->bytes + page->length - rest));
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
    write_preview(&text, exchange, page);
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
    const struct static_file *file = static_files_find("/");
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
    size_t n = 0;
    for (; mw_generators[n]; n++)
        json_object_set_new(generators, mw_generators[n]->name,
                            json_integer(mw_generators[n]->version));
    bool good = json_object_size(generators) == n;
    json_t *body =
        json_pack("{s:s, s:s, s:o, s:o}", "name", "mapwright", "version", MW_VERSION, "generators",
                  generators, "limits", size_limits(&exchange->context->service->config));
    struct blob *blob = json_blob(body, "application/json");
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
    for (size_t i = 0; i < PAGES; i++) {
        const char *own = pages[i].path, *at = path;
        while (*own && *own == *at)
            own++, at++;
        if (!*own && (pages[i].prefix || !*at))
            return &pages[i];
    }
    return NULL;
}

/* ---- metrics, by where requests went: anything else, maps by id, pages, generators ----------- */

enum { ROUTE_OTHER, ROUTE_MAPS, ROUTE_PAGES, ROUTE_GENERATORS = ROUTE_PAGES + PAGES };

unsigned route_of(const struct exchange *exchange)
{
    if (exchange->map_id[0])
        return ROUTE_MAPS;
    if (exchange->page)
        return ROUTE_PAGES + (unsigned)(exchange->page - pages);
    if (exchange->generator)
        return ROUTE_GENERATORS + place_of_generator(exchange->generator);
    return ROUTE_OTHER;
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
