/* check_tmj.c: what a map for Tiled says, read by jansson; how it looks is seen by
   tests/cli/test_tiles.py. */
#include "unit/unit.h"

#include <jansson.h>

static json_t *read_map(struct mw_run *run, const struct mw_map *map)
{
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named("tmj"), map);
    ck_assert_msg(bytes.at != NULL, "%s", unit_problems(run));
    json_t *root = json_loadb(bytes.at, bytes.length, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_ptr_nonnull(root);
    return root;
}

static const json_t *layer(const json_t *root, const char *name)
{
    size_t i;
    const json_t *found;
    json_array_foreach(json_object_get(root, "layers"), i, found)
    {
        if (!strcmp(json_string_value(json_object_get(found, "name")), name))
            return found;
    }
    return NULL;
}

static const json_t *object(const json_t *root, const char *name, size_t i)
{
    return json_array_get(json_object_get(layer(root, name), "objects"), i);
}

static json_int_t number(const json_t *of, const char *name)
{
    return json_integer_value(json_object_get(of, name));
}

static const json_t *property(const json_t *of, const char *name)
{
    size_t i;
    const json_t *found;
    json_array_foreach(json_object_get(of, "properties"), i, found)
    {
        if (!strcmp(json_string_value(json_object_get(found, "name")), name))
            return found;
    }
    return NULL;
}

/* A list as JSON, compact, equals this. */
static void check_list(const json_t *of, const char *name, const char *wanted)
{
    char *text = json_dumps(json_object_get(of, name), JSON_COMPACT);
    ck_assert_str_eq(text, wanted);
    free(text);
}

static void check_property(const json_t *of, const char *name, const char *type, const char *value)
{
    const json_t *found = property(of, name);
    ck_assert_msg(found != NULL, "there is no property %s", name);
    ck_assert_str_eq(json_string_value(json_object_get(found, "type")), type);
    char *text = json_dumps(json_object_get(found, "value"), JSON_COMPACT | JSON_ENCODE_ANY);
    ck_assert_str_eq(text, value);
    free(text);
}

TEST(rows_become_properties)
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    size_t n;
    const struct mw_arg *args = unit_args(run, "number=4&seed=%22%0a", &n);
    ck_assert_msg(mw_bind(run, &mw_sample, args, n, "0", &request), "%s", unit_problems(run));
    json_t *root = read_map(run, mw_make(run, &request));
    const json_t *star = object(root, "at", 2);
    check_property(star, "id", "int", "3");
    check_property(star, "speed", "float", "0.502");
    check_property(star, "home", "bool", "false");
    check_property(star, "name", "string", "\"\\\"quoted\\\"\\n\\u0001\"");
    check_property(star, "near", "string", "\"2,3\"");
    ck_assert_ptr_null(property(star, "bounds"));
    ck_assert_ptr_null(property(object(root, "at", 1), "speed"));
    check_property(root, "seed", "string", "\"\\\"\\n\"");
    check_property(root, "generator", "string", "\"sample/maker\"");
    ck_assert_ptr_nonnull(layer(root, "heights"));
    json_decref(root);
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
    struct mw_run *run = unit_open();
    const struct mw_point way[] = {{3, 0}, {0, 0}, {1, 0}};
    json_t *root =
        read_map(run, map_of_ways(run, (int32_t[]){1, 1, 0, 1}, 4, (struct mw_points){way, 3}));
    ck_assert_int_eq(number(object(root, "way", 0), "x"), 84);
    ck_assert_int_eq(number(object(root, "way", 1), "x"), 12);
    check_list(object(root, "way", 1), "polyline", "[{\"x\":0,\"y\":0},{\"x\":24,\"y\":0}]");
    ck_assert_ptr_null(object(root, "way", 2));
    const json_t *start = object(root, "places", 0);
    ck_assert_str_eq(json_string_value(json_object_get(start, "name")), "start");
    ck_assert_int_eq(number(start, "x"), 36);
    ck_assert_int_eq(number(start, "y"), 12);
    check_property(start, "id", "int", "1");
    json_decref(root);
}
