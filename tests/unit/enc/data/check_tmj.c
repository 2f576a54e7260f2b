/* check_tmj.c: what a map for Tiled says, read by jansson; how it looks is seen by
   tests/cli/test_tiles.py. */
#include "unit/unit.h"

#include <jansson.h>

/* The map as a string, which must be JSON. */
static const char *encoded(struct mw_run *run, const struct mw_map *map)
{
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named("tmj"), map);
    ck_assert_msg(bytes.at != NULL, "%s", unit_problems(run));
    json_t *root = json_loadb(bytes.at, bytes.length, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(root);
    json_decref(root);
    mw_put_char(run, '\0');
    return bytes.at;
}

static void check_parts(const char *text, const char *const *wanted, int count)
{
    for (int i = 0; i < count; i++)
        ck_assert_msg(strstr(text, wanted[i]) != NULL, "%s is not in the map", wanted[i]);
}

TEST(rows_become_properties)
{
    static const char *const wanted[] = {
        "\"properties\":[{\"name\":\"id\",\"type\":\"int\",\"value\":3},"
        "{\"name\":\"speed\",\"type\":\"float\",\"value\":0.502},"
        "{\"name\":\"home\",\"type\":\"bool\",\"value\":false},"
        "{\"name\":\"name\",\"type\":\"string\",\"value\":\"\\\"quoted\\\"\\n\\u0001\"},"
        "{\"name\":\"near\",\"type\":\"string\",\"value\":\"2,3\"}]",
        "{\"name\":\"seed\",\"type\":\"string\",\"value\":\"\\\"\\n\"}",
        "\"value\":\"sample/maker\"}",
        "\"name\":\"heights\"",
    };
    struct mw_run *run = unit_open();
    struct mw_request request;
    size_t n;
    const struct mw_arg *args = unit_args(run, "number=4&seed=%22%0a", &n);
    ck_assert_msg(mw_bind(run, &mw_sample, args, n, "0", &request), "%s", unit_problems(run));
    check_parts(encoded(run, mw_make(run, &request)), wanted, COUNT(wanted));
}

/* Of a way over the cells 3, 0 and 1 of a row of four with a seam, two lines are left. */
enum { P_ROWS, P_START, P_CELLS };
enum { C_ID, C_PLACE, C_WAY };
static const struct mw_column columns[] = {
    [C_ID] = MW_COLUMN("id", MW_INTEGER, "Id"),
    [C_PLACE] = MW_COLUMN("place", MW_POINT, "Place", .role = MW_MARK),
    [C_WAY] = MW_COLUMN("way", MW_POINTS, "Way"),
    MW_END_COLUMNS,
};
static const struct mw_part parts[] = {
    [P_ROWS] = MW_TABLE_PART("rows", columns, "Rows"),
    [P_START] = MW_VALUE_PART("start", MW_INTEGER, "Start", .role = MW_MARK),
    [P_CELLS] = MW_GRID_PART("cells", MW_LABEL_GRID, "Labels"),
    MW_END_PARTS,
};
static const struct mw_generator ways = {.name = "ways", .version = 1, .parts = parts};

static const struct mw_map *map_of_ways(struct mw_run *run, const int32_t *cells, int32_t width,
                                        struct mw_points way)
{
    struct mw_request *request = MW_NEW0(run, struct mw_request, 1);
    *request = (struct mw_request){.generator = &ways, .address = "/ways?v=1", .address_length = 9};
    struct mw_map *map = MW_NEW0(run, struct mw_map, 1);
    map->request = request;
    map->slots = MW_NEW0(run, struct mw_slot, P_CELLS + 1);
    struct mw_lattice l = {width, 1, MW_SQUARE, MW_WRAP_X};
    memcpy(mw_add_grid(run, map, P_CELLS, &l), cells, (size_t)width * sizeof *cells);
    mw_add_table(run, map, P_ROWS, 1);
    *mw_int_column(map, P_ROWS, C_ID) = 1;
    *mw_point_column(map, P_ROWS, C_PLACE) = (struct mw_point){1, 0};
    *mw_points_column(map, P_ROWS, C_WAY) = way;
    mw_set_int(map, P_START, 1);
    return map;
}

TEST(ways_end_at_the_seam)
{
    static const char *const wanted[] = {
        "\"type\":\"rows\",\"x\":84,\"y\":12,",
        "\"type\":\"rows\",\"x\":12,\"y\":12,",
        "\"polyline\":[{\"x\":0,\"y\":0},{\"x\":24,\"y\":0}]",
        "\"name\":\"start\",\"type\":\"start\",\"x\":36,\"y\":12,",
    };
    struct mw_run *run = unit_open();
    const struct mw_point way[] = {{3, 0}, {0, 0}, {1, 0}};
    check_parts(
        encoded(run, map_of_ways(run, (int32_t[]){1, 1, 0, 1}, 4, (struct mw_points){way, 3})),
        wanted, COUNT(wanted));
}
