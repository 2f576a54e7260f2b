/* links.c: a map seen as a graph. */
#include "links.h"

static int links_column(const struct mw_part *part)
{
    for (int c = 0; part->kind == MW_TABLE && part->columns[c].type != MW_END_OF_TABLE; c++)
        if (part->columns[c].role == MW_LINKS)
            return c;
    return -1;
}

static int edges_part(const struct mw_generator *generator)
{
    for (int p = 0; generator->parts[p].kind != MW_NO_PART; p++)
        if (generator->parts[p].kind == MW_EDGES)
            return p;
    return -1;
}

static int linked_table(const struct mw_generator *generator)
{
    for (int p = 0; generator->parts[p].kind != MW_NO_PART; p++)
        if (links_column(&generator->parts[p]) >= 0)
            return p;
    return -1;
}

bool links_fit(const struct mw_generator *generator)
{
    return edges_part(generator) >= 0 || linked_table(generator) >= 0;
}

static int table_named(const struct mw_generator *generator, const char *name)
{
    int p = 0;
    while (strcmp(generator->parts[p].name, name))
        p++;
    return p;
}

/* Each pair once, from lists of ids in which it stands twice. */
static struct mw_edges edges_of_lists(struct mw_run *run, const struct mw_ints *lists, int32_t rows)
{
    int32_t ends = 0, n = 0;
    for (int32_t row = 0; row < rows; row++)
        ends += lists[row].count;
    struct mw_edge *edges = MW_NEW(run, struct mw_edge, ends);
    for (int32_t row = 0; row < rows; row++)
        for (int32_t i = 0; i < lists[row].count; i++)
            if (lists[row].at[i] - 1 > row)
                edges[n++] = (struct mw_edge){row, lists[row].at[i] - 1};
    return (struct mw_edges){edges, n};
}

struct links links_of(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    int e = edges_part(map->request->generator);
    int t = e >= 0 ? table_named(map->request->generator, parts[e].of)
                   : linked_table(map->request->generator);
    struct links links = {.columns = parts[t].columns, .table = &map->slots[t].as.table};
    if (e >= 0) {
        links.name = parts[e].name;
        links.edges = map->slots[e].as.edges;
        return links;
    }
    int c = links_column(&parts[t]);
    links.name = parts[t].columns[c].name;
    links.base = 1;
    links.edges = edges_of_lists(run, links.table->columns[c], links.table->rows);
    return links;
}

static const void *column_named(const struct links *links, const char *name)
{
    for (int c = 0; links->columns[c].type != MW_END_OF_TABLE; c++)
        if (links->columns[c].type == MW_INTEGER && !strcmp(links->columns[c].name, name))
            return links->table->columns[c];
    return NULL;
}

static const void *column_of_role(const struct links *links, enum mw_role role)
{
    for (int c = 0; links->columns[c].type != MW_END_OF_TABLE; c++)
        if (links->columns[c].role == role)
            return links->table->columns[c];
    return NULL;
}

bool links_place(const struct links *links, int32_t row, struct mw_point *place)
{
    const struct mw_point *mark = column_of_role(links, MW_MARK);
    const int32_t *x = column_named(links, "x"), *y = column_named(links, "y");
    if (mark)
        *place = mark[row];
    else if (x && y)
        *place = (struct mw_point){x[row], y[row]};
    return mark || (x && y);
}

const int32_t *links_strong(const struct links *links) { return column_of_role(links, MW_STRONG); }
