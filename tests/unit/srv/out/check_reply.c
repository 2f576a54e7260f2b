/* check_reply.c: what goes back to a client. */
#include "srv/out/problem.h"
#include "srv/out/reply.h"
#include "unit/unit.h"

static const char *header_of(const struct reply *reply, const char *name)
{
    for (size_t i = 0; i < reply->count; i++)
        if (!strcmp(reply->headers[i].name, name))
            return reply->headers[i].value;
    return "(none)";
}

TEST(begins)
{
    struct reply reply = {.status = 500, .common = true, .count = 3};
    reply_begin(&reply, 204, NULL);
    ck_assert(reply.status == 204 && !reply.common && !reply.blob);
    ck_assert_str_eq(header_of(&reply, "Content-Type"), "(none)");
    ck_assert_str_eq(header_of(&reply, "Access-Control-Allow-Origin"), "*");
    ck_assert_str_eq(header_of(&reply, "X-Content-Type-Options"), "nosniff");
    struct blob *blob = blob_new("x", 1, "text/plain");
    reply_begin(&reply, 200, blob);
    ck_assert_str_eq(header_of(&reply, "Content-Type"), "text/plain");
    reply_header(&reply, "ETag", "\"x\"");
    ck_assert_str_eq(header_of(&reply, "ETag"), "\"x\"");
    blob_drop(blob);
}

/* Every fault: its status, and when to come again. */
TEST(refuses, .first = FAULT_NONE + 1, .end = FAULT_END)
{
    enum fault fault = (enum fault)_i;
    struct reply reply = {0};
    ck_assert(problem_init());
    reply_fault(&reply, fault, _i % 2 ? 7 : 0, _i % 3, problem_body(fault, NULL, "id", NULL, 0));
    ck_assert_uint_eq(reply.status, fault_rows[fault].status);
    ck_assert_str_eq(header_of(&reply, "Content-Type"), "application/problem+json");
    ck_assert_str_eq(header_of(&reply, "Cache-Control"),
                     _i % 3 ? "public, max-age=86400" : "no-store");
    ck_assert_str_eq(header_of(&reply, "Retry-After"), _i % 2 ? "7" : "(none)");
    blob_drop(reply.blob);
    problem_release();
}
