/* check_ask.c: a map in one call from an address and a JSON object. */
#include "unit/unit.h"

static const struct {
    const char *address, *json, *like, *encoder;
} good[] = {
    {"/regions", NULL, "/regions", "json"},
    {"regions", "{\"width\": 9, \"seed\": 7}", "/regions?width=9&seed=7", "json"},
    {"/regions.txt?width=9", "{\"seed\": \"x\"}", "/regions?width=9&seed=x", "text"},
    {"/regions?format=png", "{}", "/regions", "png"},
    {"/regions.svg", "{\"format\": \"png\"}", "/regions", "png"},
    {"/puzzle/generate.svg?seed=1", "", "/puzzle/generate?seed=1", "svg"},
    {"/regions", "{\"mask\": [\"##\", \"##\"], \"count\": 2}",
     "/regions?mask=%23%23/%23%23&count=2", "json"},
};

TEST(is_read_as_the_service_reads_it, .end = COUNT(good))
{
    static char address[2000];
    struct mw_request like;
    ck_assert(mw_bind_address(unit_open(), good[_i].like, strlen(good[_i].like), &like));
    strcpy(address, like.address);
    const struct mw_request *request = mw_ask(unit_open(), good[_i].address, good[_i].json, NULL);
    ck_assert_ptr_nonnull(request);
    ck_assert_str_eq(request->address, address);
    ck_assert_str_eq(request->encoder->name, good[_i].encoder);
    ck_assert_uint_eq(strlen(request->id), 36);
    ck_assert_uint_gt(request->cost.steps, 0);
}

static const struct {
    const char *address, *json, *pointer, *detail;
} bad[] = {
    {"/", NULL, "", "is no generator"},
    {"/region", NULL, "", "region: is no generator: did you mean regions?"},
    {"/re\xff\xe2\x82gions", NULL, "", "re???gions: is no generator: "},
    {"/regions?width=0", NULL, "/width", "must be an integer from 1 to 4096"},
    {"/regions", "{\"width\": \"9\"}", "/width", "must be an integer from 1 to 4096"},
    {"/regions?width=9", "{\"width\": 9}", "/width", "is given 2 times: give it once"},
    {"/regions", "{\"width\"}", "", "line 1, column 9: must be : between a name and its value"},
    {"/regions?width=%", NULL, "", "the query has a '%'"},
    {"/regions.glb", NULL, "/format", "tmj, dot"},
    {"/regions.glb?under=false", NULL, "/format", "tmj, dot"},
    {"/starlanes.glb?stars=3", NULL, "/format", "geojson, dot"},
    {"/regions?format=gif", NULL, "/format", "must be one of: json, cbor, text, svg, png"},
};

TEST(says_what_would_be_right, .end = COUNT(bad))
{
    struct mw_run *run = unit_open();
    ck_assert_ptr_null(mw_ask(run, bad[_i].address, bad[_i].json, NULL));
    ck_assert_uint_eq(mw_problems(run)->count, 1);
    ck_assert_str_eq(mw_problems(run)->list[0].pointer, bad[_i].pointer);
    ck_assert_ptr_nonnull(strstr(mw_problems(run)->list[0].detail, bad[_i].detail));
}

/* In the format of the request or another; and no block is so small that it does more than
   complain. */
TEST(ends_in_any_block)
{
    for (size_t size = 65536; size < 300000; size += 1999) {
        struct mw_run *run = unit_open_with(size, 0);
        const struct mw_request *request = mw_ask(run, "/regions.svg", "{\"width\": 9}", "12");
        ck_assert(!request || (!strcmp(request->seed, "12") && !request->seed_given));
        const struct mw_map *map = request ? mw_make(run, request) : NULL;
        struct mw_bytes svg = map ? mw_encode(run, map, NULL) : (struct mw_bytes){0};
        if (!svg.at) {
            ck_assert_int_eq(mw_problems(run)->list[0].fault, MW_TOO_BIG);
            continue;
        }
        ck_assert_mem_eq(svg.at, "<svg", 4);
        ck_assert_ptr_null(mw_encode(run, map, "vox").at);
        ck_assert_str_eq(mw_problems(run)->list[0].pointer, "/format");
    }
}
