/* check_estimate.c: what a request will take, and how far it is. */
#include "unit/unit.h"

static void forecast(const void *params, struct mw_forecast *f)
{
    ck_assert_ptr_nonnull(params);
    *f = (struct mw_forecast){
        .steps = 1000, .nanoseconds = 2000, .bytes = 500000, .kept = 300000, .rows = 7};
}

static struct mw_cost forecast_little(const struct mw_request *request, const struct mw_forecast *f)
{
    ck_assert(request->generator && f->rows == 7);
    return (struct mw_cost){10, 100000, 20};
}

static struct mw_cost forecast_much(const struct mw_request *request, const struct mw_forecast *f)
{
    ck_assert(request->generator && f->rows == 7);
    return (struct mw_cost){0, 400000, 0};
}

/* Memory is that of making or that of writing, whichever is more; all else adds up. */
TEST(making_and_writing_add_up)
{
    struct mw_request request;
    ck_assert(mw_bind(unit_open(), &mw_null, NULL, 0, "7", &request));
    struct mw_generator generator = mw_null;
    generator.forecast = forecast;
    request.generator = &generator;
    struct mw_encoder little = {.name = "little", .forecast = forecast_little},
                      much = {.name = "much", .forecast = forecast_much};
    struct mw_cost a = mw_estimate(&request, &little), b = mw_estimate(&request, &much);
    ck_assert_uint_eq(a.steps, 1010);
    ck_assert_uint_ge(a.nanoseconds, 2020);
    ck_assert_uint_ge(a.bytes, 500000);
    ck_assert_uint_eq(b.bytes - a.bytes, 200000);
}

static const uint64_t estimates[] = {0, 1, 7, 1000, 123456789, UINT64_C(1) << 60, UINT64_MAX};

TEST(progress_rises_and_never_ends, .end = COUNT(estimates))
{
    double before = 0;
    ck_assert(mw_progress(0, estimates[_i]) == 0);
    for (uint64_t steps = 0; steps < UINT64_MAX / 3; steps += steps / 7 + 1) {
        double now = mw_progress(steps, estimates[_i]);
        ck_assert(now >= before && now < 1);
        before = now;
    }
    ck_assert(estimates[_i] < 1000 || estimates[_i] > UINT64_MAX / 64 || before > .99);
    ck_assert(mw_progress(300, 1000) > .3 && mw_progress(300, 1000) < .6);
    ck_assert(mw_progress(600, 1000) > .7 && mw_progress(4000, 1000) > .9);
}
