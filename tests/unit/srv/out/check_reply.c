/* check_reply.c: what goes back to a client, and the problems in it. */
#include "faults.h"
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

/* Every fault: its status, and when to come again. */
TEST(refuses, .first = FAULT_NONE + 1, .end = FAULT_END)
{
    enum fault fault = (enum fault)_i;
    struct reply reply = {.common = true, .count = 3};
    reply_fault(&reply, fault, _i % 2 ? 7 : 0, _i % 3, problem_body(fault, NULL, "id", NULL, 0));
    ck_assert(reply.status == fault_rows[fault].status && !reply.common);
    ck_assert_str_eq(header_of(&reply, "Content-Type"), "application/problem+json");
    ck_assert_str_eq(header_of(&reply, "Cache-Control"),
                     _i % 3 ? "public, max-age=86400" : "no-store");
    ck_assert_str_eq(header_of(&reply, "Retry-After"), _i % 2 ? "7" : "(none)");
    blob_drop(reply.blob);
}

static const struct {
    enum mw_fault first, second; /* of two problems */
    enum fault fault;
} rows[] = {
    {MW_BAD_PARAM, MW_BAD_PARAM, FAULT_INVALID_PARAMETER},
    {MW_BAD_PARAM, MW_OTHER_VERSION, FAULT_OTHER_VERSION},
    {MW_OTHER_VERSION, MW_BAD_PARAM, FAULT_OTHER_VERSION},
    {MW_NO_RESULT, MW_BAD_PARAM, FAULT_INVALID_PARAMETER},
    {MW_TOO_HARD, MW_STOPPED, FAULT_TOO_HARD},
    {MW_TOO_BIG, MW_TOO_BIG, FAULT_TOO_BIG},
};

TEST(amounts_to_one_fault, .end = COUNT(rows))
{
    struct mw_problems problems = {.count = 0};
    ck_assert_int_eq(fault_of(&problems), FAULT_UNAVAILABLE);
    problems.list[0].fault = rows[_i].first;
    problems.list[1].fault = rows[_i].second;
    problems.count = 2;
    ck_assert_int_eq(fault_of(&problems), rows[_i].fault);
}

TEST(says_that_memory_ended)
{
    struct mw_problem problem = {.pointer = "/a", .detail = "b"};
    for (int n = 1; n < 3; n++) {
        struct reply reply;
        faults_begin(n);
        reply_fault(&reply, FAULT_NO_RESULT, 0, true,
                    problem_body(FAULT_NO_RESULT, NULL, "id", &problem, 1));
        ck_assert(faults_end() && reply.status == 503);
        ck_assert(memmem(reply.blob->bytes, reply.blob->length, "out of memory", 13));
        ck_assert_str_eq(header_of(&reply, "Cache-Control"), "no-store");
        blob_drop(reply.blob);
    }
}
