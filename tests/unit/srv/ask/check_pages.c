/* check_pages.c: what the server says about itself. */
#include "srv/ask/exchange.h"
#include "srv/out/problem.h"
#include "unit/unit.h"

static struct service service;
static struct io_context context = {.service = &service};

/* Once for all tests: packing takes a second. */
static void start(void)
{
    const char *what;
    struct config config = {.port = 8080,
                            .workers = 1,
                            .queue = 1,
                            .cache_bytes = 1 << 20,
                            .output_bytes = 1 << 20,
                            .send_ms = 1000,
                            .memory = 1 << 20};
    ck_assert(problem_init() && service_init(&service, &config, &what));
}

static void stop(void)
{
    service_release(&service);
    problem_release();
}

static const char *header_of(const struct reply *reply, const char *name)
{
    for (size_t i = 0; i < reply->count; i++)
        if (!strcmp(reply->headers[i].name, name))
            return reply->headers[i].value;
    return "(none)";
}

static bool holds(const struct reply *reply, const char *part)
{
    return memmem(reply->blob->bytes, reply->blob->length, part, strlen(part));
}

/* Of an exchange that has no more than its header fields. */
static const struct reply *answer(struct exchange *exchange, const char *path)
{
    const struct page *page = page_find(path);
    ck_assert_ptr_nonnull(page);
    exchange->context = &context;
    exchange->path = path;
    strcpy(exchange->request_id, "id");
    exchange->reply = (struct reply){0};
    ck_assert(!page->answer(exchange));
    return &exchange->reply;
}

static const struct {
    const char *path, *media, *part;
} rows[] = {
    {"/", "text/plain; charset=utf-8", "curl 'localhost:8080/"},
    {"/healthz", "text/plain; charset=utf-8", "ok\n"},
    {"/readyz", "text/plain; charset=utf-8", "ready\n"},
    {"/metrics", "text/plain; version=0.0.4; charset=utf-8", "mapwright_draining 0\n"},
    {"/version", "application/json", "\"regions\": "},
    {"/openapi.yaml", "application/yaml", "openapi: "},
    {"/openapi.json", "application/json", "\"openapi\":"},
    {"/web/app.js", "text/javascript; charset=utf-8", "import"},
    {"/mapwright-hex.png", "image/png", "PNG"},
    {"/problems", "application/json", "/problems/too-hard"},
    {"/problems/late", "application/json", "The map took too long"},
};

FIXTURE(start, stop)

TEST(answers, .end = COUNT(rows))
{
    struct exchange exchange = {0};
    const struct reply *reply = answer(&exchange, rows[_i].path);
    ck_assert_uint_eq(reply->status, 200);
    ck_assert_str_eq(header_of(reply, "Content-Type"), rows[_i].media);
    ck_assert_str_eq(header_of(reply, "Content-Encoding"), "(none)");
    ck_assert(holds(reply, rows[_i].part));
    blob_drop(reply->blob);
}

static void refuse_page(const char *path, unsigned status)
{
    struct exchange exchange = {0};
    const struct reply *reply = answer(&exchange, path);
    ck_assert_uint_eq(reply->status, status);
    blob_drop(reply->blob);
}

TEST(refuses)
{
    atomic_store(&service.leaving, true);
    refuse_page("/readyz", 503);
    atomic_store(&service.leaving, false);
    refuse_page("/web/nothing.js", 404);
    refuse_page("/problems/nothing", 404);
    ck_assert_ptr_null(page_find("/nothing"));
    ck_assert_ptr_null(page_find("/healthz/x"));
    ck_assert_ptr_null(page_find("/health"));
}

/* Browsers get a page where others get help; a client that has it gets nothing. */
TEST(tells_browsers_apart)
{
    struct exchange exchange = {
        .headers = {[HEADER_ACCEPT] = "text/html", [HEADER_ACCEPT_ENCODING] = "gzip"}};
    const struct reply *reply = answer(&exchange, "/");
    ck_assert_str_eq(header_of(reply, "Content-Type"), "text/html; charset=utf-8");
    ck_assert_str_eq(header_of(reply, "Content-Encoding"), "gzip");
    const char *tag = header_of(reply, "ETag");
    blob_drop(reply->blob);
    exchange.headers[HEADER_IF_NONE_MATCH] = tag;
    answer(&exchange, "/");
    ck_assert_uint_eq(reply->status, 304);
    ck_assert_str_eq(header_of(reply, "ETag"), tag);
    blob_drop(reply->blob);
    exchange.headers[HEADER_ACCEPT_ENCODING] = NULL;
    answer(&exchange, "/");
    ck_assert_uint_eq(reply->status, 200);
    blob_drop(reply->blob);
}

static const struct {
    const char *host, *proto, *prefix, *base; /* of a command */
} bases[] = {
    {NULL, NULL, NULL, " 'localhost:8080/islands.txt'"},
    {"", NULL, NULL, " 'localhost:8080/islands.txt'"},
    {"a.b-c_d:99", "http", NULL, " 'a.b-c_d:99/islands.txt'"},
    {"a", "https", NULL, " 'https://a/islands.txt'"},
    {"a", "HTTPS, http", NULL, " 'https://a/islands.txt'"},
    {"a", "httpsx", NULL, " 'a/islands.txt'"},
    {"[::1]:99", "https", NULL, " 'https://[::1]:99/islands.txt'"},
    {"-a", NULL, NULL, " 'localhost:8080/islands.txt'"},
    {"a;b", NULL, NULL, " 'localhost:8080/islands.txt'"},
    {"a'b", NULL, NULL, " 'localhost:8080/islands.txt'"},
    {"a", NULL, "/maps/of-ours", " 'a/maps/of-ours/islands.txt'"},
    {NULL, NULL, "/m", " 'localhost:8080/m/islands.txt'"},
    {"a", NULL, "/", " 'a/islands.txt'"},
    {"a", NULL, "//b", " 'a/islands.txt'"},
    {"a", NULL, "m", " 'a/islands.txt'"},
    {"a", NULL, "/m/", " 'a/islands.txt'"},
    {"a", NULL, "/m;x", " 'a/islands.txt'"},
};

TEST(says_where_it_was_asked, .end = COUNT(bases))
{
    struct exchange exchange = {.headers = {[HEADER_HOST] = bases[_i].host,
                                            [HEADER_FORWARDED_PROTO] = bases[_i].proto,
                                            [HEADER_FORWARDED_PREFIX] = bases[_i].prefix}};
    const struct reply *reply = answer(&exchange, "/");
    ck_assert_msg(holds(reply, bases[_i].base), "%s", bases[_i].base);
    blob_drop(reply->blob);
}
