/* graphml.c: who is joined with whom, as GraphML, which networkx, Gephi and yEd read. */
#include "enc/links.h"

static const char *graphml_type(enum mw_type type)
{
    return type == MW_INTEGER ? "int" : type == MW_BOOLEAN ? "boolean" : NULL;
}

static void put_key(struct mw_run *run, const char *name, const char *type)
{
    mw_put(run, "<key id=\"");
    mw_put(run, name);
    mw_put(run, "\" for=\"node\" attr.name=\"");
    mw_put(run, name);
    mw_put(run, "\" attr.type=\"");
    mw_put(run, type);
    mw_put(run, "\"/>\n");
}

static void put_data(struct mw_run *run, const char *name, enum mw_type type, int32_t value)
{
    mw_put(run, "<data key=\"");
    mw_put(run, name);
    mw_put(run, "\">");
    if (type == MW_BOOLEAN)
        mw_put(run, value ? "true" : "false");
    else
        mw_put_int(run, value);
    mw_put(run, "</data>");
}

/* The place of a table whose x and y are no columns of their own. */
static int mark_column(const struct links *links)
{
    for (int c = 0; links->columns[c].type != MW_END_OF_TABLE; c++)
        if (links->columns[c].role == MW_MARK)
            return c;
    return -1;
}

static void put_keys(struct mw_run *run, const struct links *links)
{
    for (int c = 0; links->columns[c].type != MW_END_OF_TABLE; c++) {
        const char *type = graphml_type(links->columns[c].type);
        if (type && strcmp(links->columns[c].name, "id"))
            put_key(run, links->columns[c].name, type);
    }
    if (mark_column(links) >= 0) {
        put_key(run, "x", "int");
        put_key(run, "y", "int");
    }
}

static void put_node(struct mw_run *run, const struct links *links, int32_t row)
{
    mw_put(run, "<node id=\"");
    mw_put_int(run, row + links->base);
    mw_put(run, "\">");
    for (int c = 0; links->columns[c].type != MW_END_OF_TABLE; c++)
        if (graphml_type(links->columns[c].type) && strcmp(links->columns[c].name, "id"))
            put_data(run, links->columns[c].name, links->columns[c].type,
                     ((const int32_t *)links->table->columns[c])[row]);
    int mark = mark_column(links);
    if (mark >= 0) {
        struct mw_point place = ((const struct mw_point *)links->table->columns[mark])[row];
        put_data(run, "x", MW_INTEGER, place.x);
        put_data(run, "y", MW_INTEGER, place.y);
    }
    mw_put(run, "</node>\n");
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct links links = links_of(run, map);
    mw_put(run, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    put_keys(run, &links);
    mw_put(run, "<graph edgedefault=\"undirected\">\n");
    for (int32_t row = 0; row < links.table->rows; row++)
        put_node(run, &links, row);
    for (int32_t i = 0; i < links.edges.count; i++) {
        mw_put(run, "<edge source=\"");
        mw_put_int(run, links.edges.at[i].a + links.base);
        mw_put(run, "\" target=\"");
        mw_put_int(run, links.edges.at[i].b + links.base);
        mw_put(run, "\"/>\n");
    }
    mw_put(run, "</graph>\n</graphml>\n");
}

const struct mw_encoder mw_graphml = {.name = "graphml",
                                      .media = "application/graphml+xml",
                                      .help = "who is joined with whom, for graph tools",
                                      .fits = links_fit,
                                      .encode = encode};
