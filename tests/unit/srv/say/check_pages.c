/* check_pages.c: what the server says about itself. */
#include "srv/say/pages.h"
#include "srv/say/problem.h"
#include "unit/unit.h"

static int64_t gauges[GAUGE_END];
static struct static_files *files;

/* Once for all tests: packing takes a second. */
static void make_files(void)
{
    files = static_files_new();
    ck_assert_ptr_nonnull(files);
}

static void drop_files(void) { static_files_drop(files); }

static struct page_request request_of(const char *path)
{
    return (struct page_request){.path = path, .port = 8080, .files = files, .gauges = gauges};
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

static struct refusal answer(const struct page_request *request, struct reply *reply)
{
    const struct page *page = page_find(request->path);
    ck_assert_ptr_nonnull(page);
    return page->answer(request, reply);
}

static const struct {
    const char *path, *media, *part;
} rows[] = {
    {"/", "text/plain; charset=utf-8", "curl localhost:8080/"},
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

START_TEST(answers)
{
    struct reply reply = {0};
    struct page_request request = request_of(rows[_i].path);
    ck_assert_int_eq(answer(&request, &reply).fault, FAULT_NONE);
    ck_assert_uint_eq(reply.status, 200);
    ck_assert_str_eq(header_of(&reply, "Content-Type"), rows[_i].media);
    ck_assert_str_eq(header_of(&reply, "Content-Encoding"), "(none)");
    ck_assert(holds(&reply, rows[_i].part));
    blob_drop(reply.blob);
}
END_TEST

START_TEST(refuses)
{
    struct reply reply = {0};
    struct page_request request = request_of("/readyz");
    request.draining = true;
    ck_assert_int_eq(answer(&request, &reply).fault, FAULT_DRAINING);
    request = request_of("/web/nothing.js");
    ck_assert_int_eq(answer(&request, &reply).fault, FAULT_NOT_FOUND);
    request = request_of("/problems/nothing");
    ck_assert_int_eq(answer(&request, &reply).fault, FAULT_NOT_FOUND);
    ck_assert_uint_eq(reply.status, 0);
    ck_assert_ptr_null(page_find("/nothing"));
    ck_assert_ptr_null(page_find("/healthz/x"));
    ck_assert_ptr_null(page_find("/health"));
}
END_TEST

/* Browsers get a page where others get help; a client that has it gets nothing. */
START_TEST(tells_browsers_apart)
{
    struct reply reply = {0};
    struct page_request request = request_of("/");
    request.html = true;
    request.coding = CODING_GZIP;
    answer(&request, &reply);
    ck_assert_str_eq(header_of(&reply, "Content-Type"), "text/html; charset=utf-8");
    ck_assert_str_eq(header_of(&reply, "Content-Encoding"), "gzip");
    const char *tag = header_of(&reply, "ETag");
    blob_drop(reply.blob);
    request.if_none_match = tag;
    answer(&request, &reply);
    ck_assert_uint_eq(reply.status, 304);
    ck_assert_str_eq(header_of(&reply, "ETag"), tag);
    blob_drop(reply.blob);
    request.coding = CODING_NONE;
    answer(&request, &reply);
    ck_assert_uint_eq(reply.status, 200);
    blob_drop(reply.blob);
    request.html = false;
    request.host = "[::1]:99";
    request.proto = "https";
    answer(&request, &reply);
    ck_assert(holds(&reply, "'https://[::1]:99/islands.txt'"));
    blob_drop(reply.blob);
}
END_TEST

Suite *suite_pages(void)
{
    Suite *suite = suite_create("pages");
    TCase *all = tcase_create("all");
    tcase_add_unchecked_fixture(all, make_files, drop_files);
    tcase_add_loop_test(all, answers, 0, COUNT(rows));
    tcase_add_test(all, refuses);
    tcase_add_test(all, tells_browsers_apart);
    suite_add_tcase(suite, all);
    return suite;
}
