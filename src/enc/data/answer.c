/* answer.c: walks through a whole answer: the request, then the parts of the result. */
#include "answer.h"
#include "enc/find.h"

static void begin_object(struct mw_run *run, const struct mw_spelling *s, uint64_t members)
{
    if (s->put_members)
        s->put_members(run, members);
    mw_put_mark(run, s->open_object);
}

static uint64_t count_members(const struct mw_column *columns, const struct mw_rowset *table,
                              int32_t row)
{
    uint64_t members = 0;
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++)
        members += !find_absent(&columns[c], table->columns[c], row);
    return members;
}

void answer_put_members(struct mw_run *run, const struct mw_spelling *s,
                        const struct mw_column *columns, const struct mw_rowset *table, int32_t row)
{
    assert(row >= 0 && row < table->rows);
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++) {
        if (find_absent(&columns[c], table->columns[c], row))
            continue;
        s->put_key(run, columns[c].name);
        mw_put_value(run, s, columns[c].type, NULL, table->columns[c], row);
    }
}

static void put_row(struct mw_run *run, const struct mw_spelling *s,
                    const struct mw_column *columns, const struct mw_rowset *table, int32_t row)
{
    begin_object(run, s, count_members(columns, table, row));
    answer_put_members(run, s, columns, table, row);
    mw_put_mark(run, s->close_object);
}

static void put_table(struct mw_run *run, const struct mw_spelling *s,
                      const struct mw_column *columns, const struct mw_rowset *table)
{
    mw_begin_list(run, s, table->rows);
    for (int32_t row = 0; row < table->rows; row++) {
        mw_put_mark(run, row ? s->next : 0);
        put_row(run, s, columns, table, row);
    }
    mw_put_mark(run, s->close);
}

/* Pairs of rows, spelled as points are. */
static void put_edges(struct mw_run *run, const struct mw_spelling *s, struct mw_edges edges)
{
    static_assert(sizeof(struct mw_edge) == sizeof(struct mw_point), "both are two integers");
    const struct mw_points pairs = {(const void *)edges.at, edges.count};
    mw_put_value(run, s, MW_POINTS, NULL, &pairs, 0);
}

static void put_part(struct mw_run *run, const struct mw_spelling *s, answer_grid *put_grid,
                     const struct mw_part *part, const struct mw_slot *slot)
{
    s->put_key(run, part->name);
    switch (part->kind) {
    case MW_VALUE: mw_put_value(run, s, part->type, part->choices, &slot->as.value, 0); break;
    case MW_TABLE:
        if (part->single)
            put_row(run, s, part->columns, &slot->as.table, 0);
        else
            put_table(run, s, part->columns, &slot->as.table);
        break;
    case MW_GRID: put_grid(run, &slot->as.grid, part->role); break;
    case MW_EDGES: put_edges(run, s, slot->as.edges); break;
    case MW_NO_PART: break;
    }
}

static void put_result(struct mw_run *run, const struct mw_spelling *s, answer_grid *put_grid,
                       const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    uint64_t members = 0;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        members += map->slots[p].present;
    s->put_key(run, "result");
    begin_object(run, s, members);
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (map->slots[p].present)
            put_part(run, s, put_grid, &parts[p], &map->slots[p]);
    mw_put_mark(run, s->close_object);
}

static void put_parameters(struct mw_run *run, const struct mw_spelling *s,
                           const struct mw_request *request)
{
    const struct mw_field *fields = request->generator->fields;
    uint64_t members = 0;
    while (fields[members].type != MW_END_OF_TABLE)
        members++;
    s->put_key(run, "parameters");
    begin_object(run, s, members);
    for (uint64_t i = 0; i < members; i++) {
        s->put_key(run, fields[i].name);
        mw_put_field(run, s, &fields[i], request);
    }
    mw_put_mark(run, s->close_object);
}

static void put_text_member(struct mw_run *run, const struct mw_spelling *s, const char *name,
                            const char *text, size_t length)
{
    s->put_key(run, name);
    s->put_text(run, text, length);
}

void answer_put(struct mw_run *run, const struct mw_spelling *s, answer_grid *put_grid,
                const struct mw_map *map)
{
    const struct mw_request *request = map->request;
    const struct mw_generator *generator = request->generator;
    assert(generator->version > 0 && request->address_length > 0);
    begin_object(run, s, 5 + (uint64_t)(request->id[0] != 0) + (uint64_t)(request->seed != NULL));
    if (request->id[0])
        put_text_member(run, s, "id", request->id, strlen(request->id));
    put_text_member(run, s, "self", request->address, request->address_length);
    put_text_member(run, s, "generator", generator->name, strlen(generator->name));
    s->put_key(run, "version");
    s->put_int(run, generator->version);
    if (request->seed) {
        s->put_key(run, "seed");
        mw_put_seed(run, s, request->seed);
    }
    put_parameters(run, s, request);
    put_result(run, s, put_grid, map);
    mw_put_mark(run, s->close_object);
}
