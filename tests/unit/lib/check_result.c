/* check_result.c: what a map holds, by name, against its JSON. */
#include "unit/unit.h"

#include <stdio.h>

static const struct mw_map *make(struct mw_run *run, const char *address)
{
    const struct mw_request *request = mw_ask(run, address, NULL, "7");
    const struct mw_map *map = request ? mw_make(run, request) : NULL;
    ck_assert_msg(map != NULL, "%s", unit_problems(run));
    return map;
}

TEST(gives_columns_and_lists)
{
    char text[200];
    struct mw_run *run = unit_open();
    const struct mw_map *map = make(run, "/regions?width=20&height=12&count=5");
    struct mw_bytes json = mw_encode(run, map, "json");
    struct mw_ints sizes = mw_ints_of(map, "regions", "size");
    struct mw_points capitals = mw_points_of(map, "regions", "capital");
    ck_assert(sizes.count == 5 && capitals.count == 5);
    for (int32_t i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "{\"id\":%d,\"size\":%d,\"capital\":[%d,%d]", i + 1,
                 sizes.at[i], capitals.at[i].x, capitals.at[i].y);
        ck_assert_msg(memmem(json.at, json.length, text, strlen(text)) != NULL, "%s", text);
        struct mw_ints beside = mw_list_of(map, "regions", "neighbors", i);
        ck_assert_int_gt(beside.count, 0);
        for (int32_t k = 0; k < beside.count; k++)
            ck_assert(beside.at[k] >= 1 && beside.at[k] <= 5 && beside.at[k] != i + 1);
    }
    ck_assert_int_eq(*mw_ints_of(map, "width", NULL).at, 20);
    const struct mw_cells *cells = mw_grid(map, "cells");
    ck_assert(cells != NULL && cells->lattice.width == 20 && cells->lattice.height == 12);
}

TEST(gives_tracks_edges_texts_and_boards)
{
    const struct mw_map *map = make(unit_open(), "/islands");
    ck_assert_int_gt(mw_track_of(map, "bridges", "cells", 0).count, 0);
    ck_assert_int_gt(mw_list_of(map, "route", NULL, 0).count, 1);
    map = make(unit_open(), "/starlanes?stars=20");
    struct mw_edges lanes = mw_edges_of(map, "lanes");
    ck_assert(lanes.count >= 19 && lanes.at[0].a < lanes.at[0].b);
    ck_assert_int_eq(mw_ints_of(map, "stars", "x").count, 20);
    map = make(unit_open(), "/puzzle/generate");
    struct mw_rows board = mw_board_of(map, "solution");
    ck_assert(board.width == 7 && board.count == 7);
    ck_assert_str_eq(mw_string_of(map, "paths", "label", 0), "A");
}

/* Of another type, of another name, or beyond the rows. */
TEST(gives_nothing_where_there_is_nothing)
{
    const struct mw_map *map = make(unit_open(), "/regions?width=9&height=9&count=2");
    ck_assert_ptr_null(mw_ints_of(map, "regions", "capital").at);
    ck_assert_ptr_null(mw_ints_of(map, "areas", "size").at);
    ck_assert_ptr_null(mw_ints_of(map, "regions", "weight").at);
    ck_assert_ptr_null(mw_list_of(map, "regions", "neighbors", 2).at);
    ck_assert_ptr_null(mw_list_of(map, "regions", "neighbors", -1).at);
    ck_assert_ptr_null(mw_points_of(map, "regions", "size").at);
    ck_assert_ptr_null(mw_track_of(map, "regions", "capital", 0).at);
    ck_assert_ptr_null(mw_edges_of(map, "cells").at);
    ck_assert_ptr_null(mw_board_of(map, "cells").at);
    ck_assert_ptr_null(mw_string_of(map, "grid", NULL, 0));
    ck_assert_ptr_null(mw_grid(map, "regions"));
}
