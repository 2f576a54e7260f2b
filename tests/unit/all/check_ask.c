/* check_ask.c: a map asked for in one call. */
#include "unit/unit.h"

/* Asked for in a block of its own, so that several can be compared. */
static struct mw_run *ask(const char *address, const char *json, const struct mw_request **request)
{
    struct mw_run *run = unit_open();
    *request = mw_ask(run, address, json, NULL);
    return run;
}

static const struct {
    const char *address, *json, *like, *encoder;
} good[] = {
    {"/regions", NULL, "/regions", "json"},
    {"regions", "", "/regions", "json"},
    {"regions", "{\"width\": 9, \"seed\": 7}", "/regions?width=9&seed=7", "json"},
    {"/regions.svg?width=9&seed=x", NULL, "/regions?width=9&seed=x", "svg"},
    {"/regions.txt?width=9", "{\"seed\": \"x\"}", "/regions?width=9&seed=x", "text"},
    {"/regions?format=png", "{}", "/regions", "png"},
    {"/regions.svg", "{\"format\": \"png\"}", "/regions", "png"},
    {"/puzzle/generate.svg?seed=1", NULL, "/puzzle/generate?seed=1", "svg"},
    {"/regions", "{\"mask\": [\"##\", \"##\"], \"count\": 2}",
     "/regions?mask=%23%23/%23%23&count=2", "json"},
};

TEST(is_read_as_the_service_reads_it, .end = COUNT(good))
{
    static char address[2000];
    const struct mw_request *request;
    struct mw_request like;
    ck_assert(mw_bind_address(unit_open(), good[_i].like, strlen(good[_i].like), &like));
    strcpy(address, like.address);
    ask(good[_i].address, good[_i].json, &request);
    ck_assert_ptr_nonnull(request);
    ck_assert_str_eq(request->address, address);
    ck_assert_str_eq(request->encoder->name, good[_i].encoder);
    ck_assert_uint_eq(strlen(request->id), 36);
    ck_assert_uint_gt(request->cost.steps, 0);
}

static const struct {
    const char *address, *json, *pointer, *detail;
} bad[] = {
    {"", NULL, "", "is no generator"},
    {"/", NULL, "", "is no generator"},
    {"/region", NULL, "", "region: is no generator: did you mean regions?"},
    {"/regions?width=0", NULL, "/width", "must be an integer from 1 to 4096"},
    {"/regions", "{\"width\": \"9\"}", "/width", "must be an integer from 1 to 4096"},
    {"/regions?width=9", "{\"width\": 9}", "/width", "is given 2 times: give it once"},
    {"/regions", "{\"width\"}", "", "line 1, column 9: must be : between a name and its value"},
    {"/regions?width=%", NULL, "", "the query has a '%'"},
    {"/regions.glb", NULL, "/format", "tmj, dot"},
    {"/regions.glb?under=false", NULL, "/format", "tmj, dot"},
    {"/starlanes.glb?stars=3", NULL, "/format", "geojson, dot"},
    {"/regions.vox", NULL, "/format", "must be one of: json, cbor, text, svg, png"},
    {"/regions?format=gif", NULL, "/format", "must be one of: json, cbor, text, svg, png"},
};

TEST(says_what_would_be_right, .end = COUNT(bad))
{
    const struct mw_request *request;
    struct mw_run *run = ask(bad[_i].address, bad[_i].json, &request);
    ck_assert_ptr_null(request);
    ck_assert_uint_eq(mw_problems(run)->count, 1);
    ck_assert_str_eq(mw_problems(run)->list[0].pointer, bad[_i].pointer);
    ck_assert_ptr_nonnull(strstr(mw_problems(run)->list[0].detail, bad[_i].detail));
}

TEST(a_seed_is_fresh_where_none_is_given)
{
    const struct mw_request *request = mw_ask(unit_open(), "/regions", NULL, "12");
    ck_assert_str_eq(request->seed, "12");
    ck_assert(!request->seed_given);
}

/* The bytes of the whole, and no block so small that it does more than complain. */
TEST(ends_in_any_block)
{
    for (size_t size = 65536; size < 300000; size += 1999) {
        struct mw_run *run = unit_open_with(size, 0);
        const struct mw_request *request =
            mw_ask(run, "/regions.svg?seed=7", "{\"width\": 9}", NULL);
        const struct mw_map *map = request ? mw_make(run, request) : NULL;
        struct mw_bytes svg = map ? mw_encode(run, map, NULL) : (struct mw_bytes){0};
        if (svg.at)
            ck_assert_mem_eq(svg.at, "<svg", 4);
        else
            ck_assert_int_eq(mw_problems(run)->list[0].fault, MW_TOO_BIG);
    }
}
