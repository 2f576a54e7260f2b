/* check_vox.c: voxels of worlds that no generator makes; test_tiles.py reads the others. */
#include "unit/unit.h"

enum { P_ROWS, P_START, P_CELLS, P_HEIGHTS };

static const struct mw_column columns[] = {
    MW_COLUMN("id", MW_INTEGER, "Id"),
    MW_COLUMN("middle", MW_POINT, "Middle", .role = MW_MARK),
    MW_END_COLUMNS,
};
static const struct mw_part parts[] = {
    [P_ROWS] = MW_TABLE_PART("rows", columns, "Rows"),
    [P_START] = MW_VALUE_PART("start", MW_INTEGER, "Start", .role = MW_MARK),
    [P_CELLS] = MW_GRID_PART("cells", MW_LABEL_GRID, "Labels"),
    [P_HEIGHTS] = MW_GRID_PART("heights", MW_HEIGHT_GRID, "Heights"),
    MW_END_PARTS,
};
static const struct mw_generator land = {.name = "land", .version = 1, .parts = parts};

/* A map of that size, all air; one row, at the first cell, is the start. */
static struct mw_map *land_of(struct mw_run *run, int32_t width, int32_t height)
{
    struct mw_request *request = MW_NEW0(run, struct mw_request, 1);
    *request = (struct mw_request){.generator = &land, .address = "/land?v=1", .address_length = 9};
    struct mw_map *map = MW_NEW0(run, struct mw_map, 1);
    map->request = request;
    map->slots = MW_NEW0(run, struct mw_slot, P_HEIGHTS + 1);
    struct mw_lattice l = {width, height, MW_SQUARE, MW_WRAP_NONE};
    for (int p = P_CELLS; p <= P_HEIGHTS; p++)
        memset(mw_add_grid(run, map, p, &l), 0, (size_t)(width * height) * sizeof(int32_t));
    mw_add_table(run, map, P_ROWS, 1);
    *mw_int_column(map, P_ROWS, 0) = 1;
    *mw_point_column(map, P_ROWS, 1) = (struct mw_point){0, 0};
    return map;
}

static struct mw_bytes encoded(struct mw_run *run, const struct mw_map *map)
{
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named("vox"), map);
    ck_assert_msg(bytes.at != NULL, "%s", unit_problems(run));
    return bytes;
}

static int32_t number_at(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (int32_t)(b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

/* The content of the nth chunk of that name. */
static const char *content(struct mw_bytes bytes, const char *name, int n, int32_t *length)
{
    ck_assert(!memcmp(bytes.at, "VOX \226\0\0\0MAIN\0\0\0\0", 16));
    ck_assert_int_eq(number_at(bytes.at + 16), (int)bytes.length - 20);
    size_t at = 20;
    while (at < bytes.length) {
        *length = number_at(bytes.at + at + 4);
        ck_assert_int_eq(number_at(bytes.at + at + 8), 0);
        if (!memcmp(bytes.at + at, name, 4) && !n--)
            return bytes.at + at + 12;
        at += 12 + (size_t)*length;
    }
    ck_assert_uint_eq(at, bytes.length);
    return NULL;
}

/* Land of 300 layers, and the pole upon it: two models, of which the upper stands on the lower. */
TEST(what_is_high_is_cut_up)
{
    static const int32_t heights[] = {256, 47};
    static const char *const places[] = {"0 0 128", "0 0 279"};
    struct mw_run *run = unit_open();
    struct mw_map *map = land_of(run, 1, 1);
    map->slots[P_CELLS].as.grid.at[0] = 1;
    map->slots[P_HEIGHTS].as.grid.at[0] = 300;
    mw_set_int(map, P_START, 1);
    struct mw_bytes bytes = encoded(run, map);
    for (int i = 0; i < 2; i++) {
        int32_t length;
        ck_assert_int_eq(number_at(content(bytes, "SIZE", i, &length) + 8), heights[i]);
        content(bytes, "XYZI", i, &length);
        ck_assert_int_eq(length, 4 + 4 * heights[i]);
        const char *place = content(bytes, "nTRN", i + 1, &length);
        ck_assert_mem_eq(place + length - 7, places[i], 7);
    }
}

TEST(air_alone_is_no_model)
{
    struct mw_run *run = unit_open();
    int32_t length;
    ck_assert_ptr_null(content(encoded(run, land_of(run, 3, 3)), "SIZE", 0, &length));
}
