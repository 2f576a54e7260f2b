/* check_find.c: what there is to draw, found by kinds and roles, where some of it is missing. */
#include "enc/find.h"

#include "enc/graph.h"
#include "enc/picture/scene/scene.h"
#include "unit/unit.h"

static const struct mw_column with_ids[] = {
    {.name = "id", .type = MW_INTEGER},
    {.name = "x", .type = MW_INTEGER},
    MW_END_COLUMNS,
};
static const struct mw_column without_ids[] = {
    {.name = "size", .type = MW_INTEGER},
    MW_END_COLUMNS,
};
static const struct mw_column words[] = {
    {.name = "id", .type = MW_STRING},
    MW_END_COLUMNS,
};

enum { SIZES, WORDS, NODES, EDGES, LARGEST, ABSENT, PART_END };

static const struct mw_part parts[] = {
    [SIZES] = {.name = "sizes", .kind = MW_TABLE, .columns = without_ids},
    [WORDS] = {.name = "words", .kind = MW_TABLE, .columns = words},
    [NODES] = {.name = "nodes", .kind = MW_TABLE, .columns = with_ids, .optional = true},
    [EDGES] = {.name = "edges", .kind = MW_EDGES, .of = "nodes"},
    [LARGEST] = {.name = "largest", .kind = MW_VALUE, .type = MW_INTEGER, .role = MW_MARK},
    [ABSENT] = {.name = "absent", .kind = MW_VALUE, .type = MW_INTEGER, .role = MW_MARK},
    MW_END_PARTS,
};

static const struct mw_field no_fields[] = {MW_END};
static const struct mw_generator generator = {
    .name = "found", .version = 1, .fields = no_fields, .parts = parts, .params_size = 1};

/* A map whose table of nodes is there or not; the second node has another id than its row says. */
static struct mw_map *map_of(struct mw_run *run, bool nodes)
{
    struct mw_request *request = MW_NEW0(run, struct mw_request, 1);
    struct mw_map *map = MW_NEW0(run, struct mw_map, 1);
    request->generator = &generator;
    map->request = request;
    map->slots = MW_NEW0(run, struct mw_slot, PART_END);
    mw_add_table(run, map, SIZES, 1);
    mw_add_table(run, map, WORDS, 1);
    mw_set_int(map, LARGEST, 1);
    if (!nodes)
        return map;
    mw_add_table(run, map, NODES, 3);
    for (int32_t i = 0; i < 3; i++) {
        mw_int_column(map, NODES, 0)[i] = i == 1 ? 9 : i + 1;
        mw_int_column(map, NODES, 1)[i] = 10 * i;
    }
    return map;
}

TEST(rows_are_found_by_their_ids)
{
    struct marks marks = find_marks(map_of(unit_open(), true));
    ck_assert_ptr_eq(marks.part, &parts[NODES]);
    ck_assert_ptr_null(marks.at);
    ck_assert_int_eq(marks_row(&marks, 1), 0);
    ck_assert_int_eq(marks_row(&marks, 3), 2);
    static const int32_t strangers[] = {-1, 0, 2, 4, 9};
    for (int i = 0; i < COUNT(strangers); i++)
        ck_assert_int_eq(marks_row(&marks, strangers[i]), -1);
}

TEST(a_table_that_is_absent_has_no_rows)
{
    struct marks marks = find_marks(map_of(unit_open(), false));
    ck_assert_ptr_null(marks.part);
    ck_assert_int_eq(marks_row(&marks, 1), -1);
}

/* Of a table without places nothing can be marked. */
TEST(a_place_wants_a_value_and_a_row_that_has_one)
{
    struct mw_map *map = map_of(unit_open(), true);
    struct marks marks = find_marks(map);
    struct mw_point place;
    ck_assert_int_eq(marks_next(&marks, map, -1, &place), -1);
    static const struct mw_point places[] = {{3, 4}, {5, 6}, {7, 8}};
    marks.at = places;
    ck_assert_int_eq(marks_next(&marks, map, -1, &place), LARGEST);
    ck_assert(place.x == 3 && place.y == 4);
    mw_set_int(map, LARGEST, 2); /* no row has this id */
    ck_assert_int_eq(marks_next(&marks, map, -1, &place), -1);
}

TEST(columns_that_are_absent_are_passed_over)
{
    int32_t rows = 7;
    ck_assert_ptr_null(find_array(map_of(unit_open(), true), MW_EMPHASIS, &rows));
    ck_assert_int_eq(rows, 0);
}

/* A graph of nodes that have an x alone lies nowhere. */
TEST(a_graph_without_places)
{
    struct mw_run *run = unit_open();
    struct mw_map *map = map_of(run, true);
    mw_add_edges(run, map, EDGES, 1)[0] = (struct mw_edge){0, 2};
    struct graph graph = graph_of(run, map);
    ck_assert(graph_fits(&generator));
    ck_assert_int_eq(graph.edges.count, 1);
    ck_assert(!graph_has_places(&graph));
    struct mw_point place = graph_place(&graph, 2);
    ck_assert(place.x == 0 && place.y == 0);
}

TEST(what_has_nothing_to_draw)
{
    static const struct mw_part values[] = {{.name = "size", .kind = MW_VALUE, .type = MW_INTEGER},
                                            MW_END_PARTS};
    struct mw_generator plain = generator;
    plain.parts = values;
    ck_assert(!scene_fits(&plain) && !graph_fits(&plain));
    ck_assert(scene_fits(&generator));
}
