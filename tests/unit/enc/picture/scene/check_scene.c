/* check_scene.c: drawings of graphs of any size. */
#include "unit/unit.h"

#include <stdlib.h>

static const struct mw_column columns[] = {
    {.name = "id", .type = MW_INTEGER},
    {.name = "at", .type = MW_POINT, .role = MW_MARK},
    MW_END_COLUMNS,
};
enum { NODES, EDGES, PART_END };
static const struct mw_part parts[] = {
    [NODES] = {.name = "nodes", .kind = MW_TABLE, .columns = columns},
    [EDGES] = {.name = "edges", .kind = MW_EDGES, .of = "nodes"},
    MW_END_PARTS,
};
static const struct mw_field no_fields[] = {MW_END};

/* The drawing of nodes on a line, with an edge between the first two; a string. */
static const char *drawing(int32_t nodes)
{
    static const struct mw_generator generator = {
        .name = "line", .version = 1, .fields = no_fields, .parts = parts, .params_size = 1};
    static const struct mw_request request = {
        .generator = &generator, .params = "", .address = "/line"};
    struct mw_run *run = unit_open();
    struct mw_map *map = MW_NEW0(run, struct mw_map, 1);
    map->request = &request;
    map->slots = MW_NEW0(run, struct mw_slot, PART_END);
    mw_add_table(run, map, NODES, nodes);
    for (int32_t i = 0; i < nodes; i++) {
        mw_int_column(map, NODES, 0)[i] = i + 1;
        mw_point_column(map, NODES, 1)[i] = (struct mw_point){10 * i, 0};
    }
    mw_add_edges(run, map, EDGES, 1)[0] = (struct mw_edge){0, 1};
    struct mw_bytes svg = mw_encode_with(run, mw_encoder_named("svg"), map);
    ck_assert_msg(svg.at != NULL, "%s", unit_problems(run));
    ((char *)(uintptr_t)svg.at)[svg.length - 1] = '\0';
    return svg.at;
}

/* How often a text comes in another. */
static int32_t times(const char *in, const char *text)
{
    int32_t n = 0;
    for (; (in = strstr(in, text)); in++)
        n++;
    return n;
}

/* Of nodes of the third kind, in thousandths of a unit: circles, or dots of one path. */
static long width_of_nodes(const char *svg)
{
    const char *dots = strstr(svg, "stroke=\"#fff8ec\" stroke-width=\""),
               *circle = strstr(svg, "fill=\"#fff8ec\" cx=");
    ck_assert(dots || circle);
    if (circle)
        return (long)(strtod(strstr(circle, " r=\"") + 4, NULL) * 2000 + 0.5);
    return (long)(strtod(strchr(dots, '-') + 8, NULL) * 1000 + 0.5);
}

static const int32_t sizes[] = {20, 30, 300, 3000, 5000, 5001, 20001};

TEST(nodes_are_smaller_the_more_there_are, .end = COUNT(sizes))
{
    enum { EDGES_DRAWN = 1, KINDS = 5, LIGHT = 2 * 2 }; /* two kinds have two rings each */
    const int32_t nodes = sizes[_i], circles = nodes <= 5000 ? nodes : 0;
    const char *svg = drawing(nodes);
    ck_assert_int_ge(times(svg, "z") + circles, nodes);
    ck_assert_int_eq(times(svg, "class=\"node\""), circles);
    ck_assert_int_eq(times(svg, "<circle"), circles);
    ck_assert_int_eq(times(svg, "<path"), (circles ? LIGHT : KINDS) + EDGES_DRAWN);
    long width = width_of_nodes(svg);
    ck_assert(!_i || width_of_nodes(drawing(sizes[_i - 1])) >= width - 100);
}

/* A pixel is a coordinate by one scale: the farthest node lies at the end of the sheet. */
TEST(nodes_lie_where_they_are)
{
    const char *svg = drawing(101);
    ck_assert_ptr_nonnull(strstr(svg, "viewBox=\"0 0 1000 1\" width=\"1200\""));
    ck_assert_ptr_nonnull(strstr(svg, "<circle id=\"node-0\" class=\"node\" fill=\"#"));
    ck_assert_ptr_nonnull(strstr(svg, " cx=\"70\" cy=\"0\" r="));
    ck_assert_ptr_nonnull(strstr(svg, "<title>Node 100</title>"));
}
