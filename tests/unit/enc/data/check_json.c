/* check_json.c: answers in JSON, against jansson. */
#include "prop/formats.h"
#include "unit/unit.h"

#include <jansson.h>
#include <stdlib.h>

/* ---- grids ----------------------------------------------------------------------------------- */

static const struct {
    int32_t width, height, low, high;
    bool patches;
} grids[] = {
    {1, 1, 0, 0, false},
    {1, 9, -1, 1, false},
    {9, 1, 0, 100, false},
    {4, 4, 5, 5, false},
    {5, 3, 7, 7, false},
    {64, 40, 0, 3, true},
    {61, 40, 0, 12, true},
    {200, 100, 0, 1000, true},
    {50, 50, INT32_MIN, INT32_MAX - 1, false},
    {50, 50, -12, 12, false},
    {33, 33, 99990, 100010, false},
    {40, 40, INT32_MAX - 3, INT32_MAX, false},
    {50, 50, 0, 5000, false},
    {40, 40, INT32_MIN, INT32_MIN + 1, false},
};

/* The whole answer as jansson writes the same tree. */
static char *by_jansson(const struct mw_lattice *l, const int32_t *cells)
{
    json_t *rows = json_array();
    for (int32_t y = 0; y < l->height; y++) {
        json_t *row = json_array();
        for (int32_t x = 0; x < l->width; x++)
            json_array_append_new(row, json_integer(cells[y * l->width + x]));
        json_array_append_new(rows, row);
    }
    json_t *root = json_pack("{s:s, s:s, s:i, s:{}, s:{s:o}}", "self", "/grid?v=1", "generator",
                             "grid", "version", 1, "parameters", "result", "cells", rows);
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    return text;
}

TEST(a_grid_is_byte_for_byte_as_jansson_writes_it, .end = COUNT(grids))
{
    static int32_t cells[200 * 100];
    struct mw_lattice l = {grids[_i].width, grids[_i].height, MW_SQUARE, MW_WRAP_NONE};
    struct mw_rng rng = unit_rng((uint64_t)_i);
    if (grids[_i].patches)
        unit_patches(&rng, &l, grids[_i].high, cells);
    for (int32_t c = 0; !grids[_i].patches && c < l.width * l.height; c++)
        cells[c] = mw_between(&rng, grids[_i].low, grids[_i].high);
    struct mw_run *run = unit_open();
    struct mw_bytes bytes =
        mw_encode_with(run, mw_encoder_named("json"), unit_grid_map(run, &l, cells));
    ck_assert_msg(bytes.at != NULL, "%s", unit_problems(run));
    char *expected = by_jansson(&l, cells);
    ck_assert_uint_eq(bytes.length, strlen(expected) + 1);
    ck_assert_mem_eq(bytes.at, expected, bytes.length - 1);
    ck_assert_int_eq(bytes.at[bytes.length - 1], '\n');
    free(expected);
}

/* ---- everything that a table can say --------------------------------------------------------- */

static const char *const requests[] = {
    "seed=7",
    "number=2&tiling=hex&seed=x%22y%0A",
    "number=3&share=-0.05&flag=false&word=%22caf%C3%A9%22%01&range=1,2&odds=3,-4&dots=5,6;7,8&"
    "board=.A/%23.",
    "number=-5&share=1",
};

static const struct mw_map *make_sample(struct mw_run *run, const char *query,
                                        struct mw_request *request)
{
    size_t count;
    const struct mw_arg *args = unit_args(run, query, &count);
    ck_assert_msg(mw_bind(run, &mw_sample, args, count, "s", request), "%s", unit_problems(run));
    const struct mw_map *map = mw_make(run, request);
    ck_assert_msg(map != NULL, "%s", unit_problems(run));
    return map;
}

TEST(every_encoder_writes_every_type, .end = COUNT(requests))
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    const struct mw_map *map = make_sample(run, requests[_i], &request);
    strcpy(request.id, "01234567-89ab-5def-8123-456789abcdef");
    request.look.scale = 2; /* a picture that fits into the block */
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        if (!(*e)->fits(&mw_sample))
            continue;
        char why[300];
        struct mw_bytes bytes = mw_encode_with(run, *e, map);
        ck_assert_msg(bytes.at != NULL, "%s: %s", (*e)->name, unit_problems(run));
        ck_assert_msg(well_formed(map, *e, bytes, why, sizeof why), "%s: %s", (*e)->name, why);
    }
}

TEST(an_answer_in_full)
{
    static const char expected[] =
        "{\"id\":\"01234567-89ab-5def-8123-456789abcdef\","
        "\"self\":\"/sample/"
        "maker?v=3&number=1&share=-0.05&tiling=square&flag=true&word=%22%C3%A9&range=9,13"
        "&dots=1,2;3,4&board=.A/%23.&seed=7\","
        "\"generator\":\"sample/maker\",\"version\":3,\"seed\":7,"
        "\"parameters\":{\"number\":1,\"share\":-0.05,\"tiling\":\"square\",\"flag\":true,\"word\":"
        "\"\\\"\xc3\xa9\","
        "\"range\":[9,13],\"odds\":null,\"dots\":[[1,2],[3,4]],\"board\":[\".A\",\"#.\"]},"
        "\"result\":{\"number\":1,\"share\":-0.05,\"tiling\":\"square\",\"flag\":true,\"word\":"
        "\"\\\"\xc3\xa9\","
        "\"nothing\":null,\"silence\":null,"
        "\"odds\":[],\"dots\":[[1,2],[3,4]],\"board\":[\".A\",\"#.\"],"
        "\"stars\":[{\"id\":1,\"speed\":-1.5,\"home\":false,\"name\":\"Sol\",\"at\":[0,0],"
        "\"bounds\":[0,0,0,2147483647],\"near\":[],\"way\":[],\"look\":[\"ab\",\"cd\"]},"
        "{\"id\":2,\"speed\":null,\"home\":true,\"name\":\"caf\xc3\xa9\",\"at\":[0,0],"
        "\"bounds\":[0,-1,1,2147483647],\"near\":[2],\"way\":[[0,0]],\"look\":[\"ab\",\"cd\"]},"
        "{\"id\":3,\"speed\":0.502,\"home\":false,\"name\":\"\\\"quoted\\\"\\n\\u0001\",\"at\":[0,"
        "1],"
        "\"bounds\":[0,-2,2,2147483647],\"near\":[2,3],\"look\":[\"ab\",\"cd\"]},"
        "{\"id\":4,\"speed\":1.503,\"home\":true,\"name\":\"<&>\",\"at\":[0,1],"
        "\"bounds\":[0,-3,3,2147483647],\"near\":[],\"way\":[[0,0],[1,0],[1,1]],\"look\":[\"ab\","
        "\"cd\"]}],"
        "\"lanes\":[[0,1],[1,2],[2,3]],";
    struct mw_run *run = unit_open();
    struct mw_request request;
    const struct mw_map *map = make_sample(
        run, "number=1&share=-.05&word=%22%C3%A9&dots=1,2;3,4&board=.A/%23.&seed=7", &request);
    strcpy(request.id, "01234567-89ab-5def-8123-456789abcdef");
    request.look.scale = 2; /* a picture that fits into the block */
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named("json"), map);
    static char head[4096];
    ck_assert_uint_gt(bytes.length, sizeof expected);
    memcpy(head, bytes.at, sizeof expected - 1);
    ck_assert_str_eq(head, expected);
}
