/* dot.c: who is joined with whom, for Graphviz: `neato -n2 -Tsvg` keeps the places. */
#include "enc/links.h"

/* A column as an attribute, where it is a single number or truth. */
static void put_attribute(struct mw_run *run, const struct mw_column *column, const void *array,
                          int32_t row)
{
    if (column->type != MW_INTEGER && column->type != MW_BOOLEAN)
        return;
    int32_t value = ((const int32_t *)array)[row];
    mw_put(run, ", ");
    mw_put(run, column->name);
    mw_put_char(run, '=');
    if (column->type == MW_BOOLEAN)
        mw_put(run, value ? "true" : "false");
    else
        mw_put_int(run, value);
}

static void put_node(struct mw_run *run, const struct links *links, int32_t row)
{
    struct mw_point place = {0, 0};
    mw_put(run, "  ");
    mw_put_int(run, row + links->base);
    mw_put(run, " [label=");
    mw_put_int(run, row + links->base);
    if (links_place(links, row, &place)) {
        mw_put(run, ", pos=\"");
        mw_put_int(run, (int64_t)place.x * 14);
        mw_put_char(run, ',');
        mw_put_int(run, -(int64_t)place.y * 14);
        mw_put(run, "!\"");
    }
    for (int c = 0; links->columns[c].type != MW_END_OF_TABLE; c++)
        put_attribute(run, &links->columns[c], links->table->columns[c], row);
    mw_put(run, "];\n");
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct links links = links_of(run, map);
    mw_put(run, "graph ");
    mw_put(run, links.name);
    mw_put(run, " {\n  node [shape=circle];\n");
    for (int32_t row = 0; row < links.table->rows; row++)
        put_node(run, &links, row);
    for (int32_t i = 0; i < links.edges.count; i++) {
        mw_put(run, "  ");
        mw_put_int(run, links.edges.at[i].a + links.base);
        mw_put(run, " -- ");
        mw_put_int(run, links.edges.at[i].b + links.base);
        mw_put(run, ";\n");
    }
    mw_put(run, "}\n");
}

const struct mw_encoder mw_dot = {.name = "dot",
                                  .media = "text/vnd.graphviz",
                                  .help = "who is joined with whom, for Graphviz",
                                  .fits = links_fit,
                                  .encode = encode};
