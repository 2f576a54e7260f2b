/* check_limits.c: what each client may ask, by a clock of the tests'. */
#include "srv/cache/limits.h"
#include "unit/unit.h"

enum { SECOND = 1000000 };

static const int64_t start = INT64_C(1000) * SECOND;

/* How many of so many are granted at that moment. */
static int take(struct limits *limits, uint64_t client, int n, int64_t now)
{
    int granted = 0;
    for (int i = 0; i < n; i++)
        granted += !limits_take(limits, client, now).wait;
    return granted;
}

static const struct {
    int rate, burst, most;
    const char *policy;
} plans[] = {
    {10, 0, 10, "\"default\";q=10;w=1"},  {10, 25, 25, "\"default\";q=25;w=3"},
    {10, 1, 1, "\"default\";q=1;w=1"},    {1, 0, 1, "\"default\";q=1;w=1"},
    {3, 2, 2, "\"default\";q=2;w=1"},     {1000000, 0, 1000000, "\"default\";q=1000000;w=1"},
    {1, 60, 60, "\"default\";q=60;w=60"},
};

/* A burst at once, then as many as the rate is, and never more than a burst after a rest. */
TEST(grants_a_burst_and_a_rate, .end = COUNT(plans))
{
    int rate = plans[_i].rate, most = plans[_i].most, ten = rate < 10 ? 10 : 1;
    struct limits *limits = limits_new(rate, plans[_i].burst);
    ck_assert_str_eq(limits_policy(limits), plans[_i].policy);
    ck_assert_int_eq(take(limits, 7, most + 5, start), most);
    int64_t later = start + ten * SECOND;
    int back = rate * ten < most ? rate * ten : most;
    ck_assert_int_eq(take(limits, 7, most + 5, later), back);
    ck_assert_int_eq(take(limits, 7, most + 5, later + 1000 * (int64_t)SECOND), most);
    limits_drop(limits);
}

TEST(tells_what_is_left)
{
    struct limits *limits = limits_new(10, 5);
    for (int left = 4; left >= 0; left--) {
        struct allowance allowance = limits_take(limits, 1, start);
        ck_assert(!allowance.wait && allowance.left == left);
        ck_assert_int_eq(allowance.reset, (5 - left) * SECOND / 10);
    }
    struct allowance refused = limits_take(limits, 1, start + 1000);
    ck_assert(!refused.left);
    ck_assert_int_eq(refused.wait, SECOND / 10 - 1000);
    ck_assert_int_eq(refused.reset, SECOND / 2 - 1000);
    ck_assert(limits_take(limits, 1, start + 1000 + refused.wait - 1).wait);
    ck_assert(!limits_take(limits, 1, start + 1000 + refused.wait).wait);
    limits_drop(limits);
}

/* A thousand clients that ask all they may take nothing from a thousand others. */
TEST(keeps_clients_apart)
{
    struct limits *limits = limits_new(10, 20);
    int refused = 0;
    for (uint64_t client = 0; client < 1000; client++)
        ck_assert_int_ge(take(limits, client << 32, 30, start), 19);
    for (uint64_t client = 1000; client < 2000; client++)
        refused += take(limits, client << 32, 20, start) < 20;
    ck_assert_int_le(refused, 2);
    limits_drop(limits);
}

/* However many addresses ask, the debt of one is not forgotten. */
TEST(forgets_no_debt)
{
    struct limits *limits = limits_new(1, 5);
    take(limits, 77, 5, start);
    for (uint64_t client = 1000; client < 400000; client++)
        limits_take(limits, client, start);
    ck_assert(limits_take(limits, 77, start).wait);
    limits_drop(limits);
}

TEST(counts_connections)
{
    struct limits *limits = limits_new(0, 0);
    ck_assert_ptr_null(limits_policy(limits));
    for (int i = 1; i <= 5; i++)
        ck_assert_int_eq(limits_count_connection(limits, 5, 1), i);
    ck_assert_int_eq(limits_count_connection(limits, 6, 1), 1);
    for (int i = 4; i >= 0; i--)
        ck_assert_int_eq(limits_count_connection(limits, 5, -1), i);
    limits_drop(limits);
}
