/* check_problem.c: problems as clients get them. */
#include "faults.h"
#include "srv/ask/exchange.h"
#include "unit/unit.h"

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
        faults_begin(n);
        struct blob *body = problem_body(FAULT_LATE, NULL, "id", &problem, 1);
        ck_assert(faults_end());
        ck_assert(memmem(body->bytes, body->length, "out of memory", 13));
        blob_drop(body);
    }
}
