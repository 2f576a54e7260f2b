/* pages.c: what the server says about itself. */
#include "pages.h"

#include "help.h"
#include "problem.h"

#include <string.h>

static const struct refusal none = {FAULT_NONE, NULL};
static const char plain[] = "text/plain; charset=utf-8";

/* Takes the reference. */
static void begin(struct reply *reply, unsigned status, struct blob *blob)
{
    *reply = (struct reply){.status = status, .blob = blob};
    reply_header(reply, "Access-Control-Allow-Origin", "*");
    reply_header(reply, "Cache-Control", "no-cache");
}

/* Takes the reference; NULL: there was no memory for it. */
static struct refusal answer_blob(struct reply *reply, struct blob *blob)
{
    if (!blob)
        return (struct refusal){FAULT_UNAVAILABLE, "out of memory"};
    begin(reply, 200, blob);
    reply_header(reply, "Content-Type", blob->media);
    if (blob->coding)
        reply_header(reply, "Content-Encoding", blob->coding);
    return none;
}

static struct refusal answer_text(struct reply *reply, struct strbuf *text, const char *media)
{
    return answer_blob(reply, strbuf_blob(text, media));
}

/* ---- static files ---------------------------------------------------------------------------- */

/* The page asks nothing of any other host, and runs nothing but its own files. */
static const char policy[] = "default-src 'self'; base-uri 'none'; form-action 'none'; "
                             "frame-ancestors 'none'; object-src 'none'";

/* In the coding that is asked for, or not at all where the client has it. */
static struct refusal answer_file(const struct page_request *request, struct reply *reply,
                                  const struct static_file *file, const char *vary)
{
    const struct etag *tag = &file->tags[request->coding];
    struct blob *blob = blob_ref(file->blobs[request->coding]);
    if (request->if_none_match && etag_is_in(request->if_none_match, tag)) {
        metrics_count(COUNT_NOT_MODIFIED, 1);
        begin(reply, 304, blob);
    } else {
        answer_blob(reply, blob);
    }
    reply_header(reply, "ETag", tag->text);
    reply_header(reply, "Vary", vary);
    reply_header(reply, "Content-Security-Policy", policy);
    reply_header(reply, "X-Content-Type-Options", "nosniff");
    return none;
}

static struct refusal static_page(const struct page_request *request, struct reply *reply)
{
    const struct static_file *file = static_files_find(request->files, request->path);
    if (!file)
        return (struct refusal){FAULT_NOT_FOUND, "the page at / has no such file"};
    return answer_file(request, reply, file, "Accept-Encoding");
}

/* Its help and its page are told apart by Accept; help says where it was asked. */
static const char home_varies[] = "Accept, Accept-Encoding, X-Forwarded-Proto";

/* A page for browsers, which say that they read HTML; help for all others. */
static struct refusal home(const struct page_request *request, struct reply *reply)
{
    const struct static_file *page = static_files_find(request->files, "/");
    if (page && request->html)
        return answer_file(request, reply, page, home_varies);
    struct strbuf text = {0};
    help_write(&text, request->host, request->proto, request->port);
    struct refusal refusal = answer_text(reply, &text, plain);
    if (!refusal.fault)
        reply_header(reply, "Vary", home_varies);
    return refusal;
}

/* ---- the state of the server ----------------------------------------------------------------- */

static struct refusal health(const struct page_request *request, struct reply *reply)
{
    (void)request;
    return answer_blob(reply, blob_new("ok\n", 3, plain));
}

static struct refusal ready(const struct page_request *request, struct reply *reply)
{
    if (request->draining)
        return (struct refusal){FAULT_DRAINING, NULL};
    return answer_blob(reply, blob_new("ready\n", 6, plain));
}

static struct refusal version(const struct page_request *request, struct reply *reply)
{
    (void)request;
    struct strbuf text = {0};
    strbuf_add(&text,
               "{\"name\": \"mapwright\", \"version\": \"" MW_VERSION "\", \"generators\": {");
    for (size_t i = 0; mw_generators[i]; i++)
        strbuf_format(&text, "%s\"%s\": %u", i ? ", " : "", mw_generators[i]->name,
                      mw_generators[i]->version);
    strbuf_add(&text, "}}\n");
    return answer_text(reply, &text, "application/json");
}

static struct refusal metrics(const struct page_request *request, struct reply *reply)
{
    struct strbuf text = {0};
    metrics_write(&text, request->gauges);
    return answer_text(reply, &text, "text/plain; version=0.0.4; charset=utf-8");
}

static struct refusal problems(const struct page_request *request, struct reply *reply)
{
    (void)request;
    return answer_blob(reply, problem_list());
}

static struct refusal problem(const struct page_request *request, struct reply *reply)
{
    struct blob *blob = problem_page(request->path + sizeof "/problems/" - 1);
    if (!blob)
        return (struct refusal){FAULT_NOT_FOUND, "no problem has this name: /problems lists all"};
    return answer_blob(reply, blob);
}

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

const struct page *page_find(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        size_t n = strlen(pages[i].path);
        if ((length == n || (pages[i].prefix && length > n)) && !memcmp(path, pages[i].path, n))
            return &pages[i];
    }
    return NULL;
}
