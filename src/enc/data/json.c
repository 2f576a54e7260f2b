/*
 * json.c: the whole answer as JSON, driven by the parts.
 *
 * Straight into the output, no tree. A grid is where the bytes are: the spellings of its numbers
 * are kept in eight bytes each, so that a cell costs a look-up, one store that the next one
 * overlaps, and an addition, with no branch to be foreseen.
 */
#include "enc/find.h"

/* Bytes of the longest int32_t and its comma; how many spellings are kept at most, and of a small
   grid. */
enum { NUMBER = 12, SPELLINGS = 1 << 17, FEW_SPELLINGS = 1 << 11, SMALL = 1 << 16 };

static void put_key(struct mw_run *run, const char *name)
{
    mw_put_next(run);
    mw_put_char(run, '"');
    mw_put(run, name);
    mw_put(run, "\":");
}

/* The text of a number with its comma, and its length in the last byte. */
struct spelling {
    char text[8];
};

/* The spellings of -1, 0, 1 and so on, as far as any row has needed them. */
struct spellings {
    uint32_t known, most;
    struct spelling *of;
};

static void spell(struct spellings *spellings, uint32_t count)
{
    for (; spellings->known < count; spellings->known++) {
        char text[NUMBER] = "";
        char *past = mw_write_int(text, (int32_t)spellings->known - 1);
        *past++ = ',';
        assert((size_t)(past - text) < sizeof spellings->of->text);
        struct spelling *spelling = &spellings->of[spellings->known];
        memcpy(spelling->text, text, sizeof spelling->text);
        spelling->text[7] = (char)(past - text);
    }
}

static inline char *write_one(char *to, int32_t value, const struct spelling *zero)
{
    struct spelling spelling = zero[value];
    memcpy(to, spelling.text, sizeof spelling.text);
    return to + spelling.text[7];
}

/* At a nanosecond a cell, memory is what it waits for: both ends are fetched ahead. */
static char *write_spelled(char *to, const int32_t *cells, int32_t width,
                           const struct spelling *zero)
{
    int32_t x = 0;
    for (; x + 8 <= width; x += 8) {
        __builtin_prefetch((const void *)((uintptr_t)(cells + x) + 8192));
        __builtin_prefetch((const void *)((uintptr_t)to + 1024), 1);
        for (int i = 0; i < 8; i++)
            to = write_one(to, cells[x + i], zero);
    }
    for (; x < width; x++)
        to = write_one(to, cells[x], zero);
    return to;
}

static char *write_any(char *to, const int32_t *cells, int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        to = mw_write_int(to, cells[x]);
        *to++ = ',';
    }
    return to;
}

static char *write_row(char *to, const int32_t *cells, int32_t width, struct spellings *spellings)
{
    assert(width > 0);
    uint32_t bits = 0; /* all together, they bound the greatest number */
    for (int32_t x = 0; x < width; x++)
        bits |= (uint32_t)cells[x] + 1;
    if (bits < spellings->most) {
        spell(spellings, bits + 1);
        to = write_spelled(to, cells, width, spellings->of + 1);
    } else {
        to = write_any(to, cells, width);
    }
    to[-1] = ']';
    return to;
}

static uint32_t spellings_for(const struct mw_lattice *lattice)
{
    return (int64_t)lattice->width * lattice->height < SMALL ? FEW_SPELLINGS : SPELLINGS;
}

static void put_grid(struct mw_run *run, const struct mw_cells *cells)
{
    int32_t width = cells->lattice.width;
    char *mark = mw_mark(run);
    uint32_t most = spellings_for(&cells->lattice);
    struct spellings spellings = {0, most, MW_NEW(run, struct spelling, most)};
    mw_put_char(run, '[');
    for (int32_t y = 0; y < cells->lattice.height; y++) {
        char *to = mw_room(run, (size_t)width * NUMBER + sizeof(struct spelling));
        if (y)
            *to++ = ',';
        *to++ = '[';
        mw_wrote(run, write_row(to, cells->at + (int64_t)y * width, width, &spellings));
    }
    mw_put_char(run, ']');
    mw_rewind(run, mark);
}

static void put_row(struct mw_run *run, const struct mw_column *columns,
                    const struct mw_rowset *table, int32_t row)
{
    mw_put_char(run, '{');
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++) {
        if (find_absent(&columns[c], table->columns[c], row))
            continue;
        put_key(run, columns[c].name);
        mw_put_value(run, MW_AS_JSON, columns[c].type, NULL, table->columns[c], row);
    }
    mw_put_char(run, '}');
}

static void put_table(struct mw_run *run, const struct mw_column *columns,
                      const struct mw_rowset *table)
{
    mw_put_char(run, '[');
    for (int32_t row = 0; row < table->rows; row++) {
        mw_put_next(run);
        put_row(run, columns, table, row);
    }
    mw_put_char(run, ']');
}

static void put_edges(struct mw_run *run, struct mw_edges edges)
{
    mw_put_char(run, '[');
    for (int32_t i = 0; i < edges.count; i++) {
        const struct mw_point pair = {edges.at[i].a, edges.at[i].b};
        mw_put_next(run);
        mw_put_value(run, MW_AS_JSON, MW_POINT, NULL, &pair, 0);
    }
    mw_put_char(run, ']');
}

static void put_part(struct mw_run *run, const struct mw_part *part, const struct mw_slot *slot)
{
    put_key(run, part->name);
    switch (part->kind) {
    case MW_VALUE:
        mw_put_value(run, MW_AS_JSON, part->type, part->choices, &slot->as.value, 0);
        break;
    case MW_TABLE:
        if (part->single)
            put_row(run, part->columns, &slot->as.table, 0);
        else
            put_table(run, part->columns, &slot->as.table);
        break;
    case MW_GRID: put_grid(run, &slot->as.grid); break;
    case MW_EDGES: put_edges(run, slot->as.edges); break;
    case MW_NO_PART: break;
    }
}

static void put_text(struct mw_run *run, const char *name, const char *text, size_t n)
{
    put_key(run, name);
    mw_put_json_string(run, text, n);
}

/* What stands before the result: how this map is named and had again. */
static void put_request(struct mw_run *run, const struct mw_request *request)
{
    const struct mw_generator *generator = request->generator;
    if (request->id[0])
        put_text(run, "id", request->id, strlen(request->id));
    put_text(run, "self", request->address, request->address_length);
    put_text(run, "generator", generator->name, strlen(generator->name));
    mw_print(run, ",\"version\":%u", generator->version);
    if (request->seed) {
        put_key(run, "seed");
        mw_put_seed_json(run, request->seed);
    }
    mw_put(run, ",\"parameters\":{");
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++) {
        put_key(run, f->name);
        mw_put_field_json(run, f, request);
    }
    mw_put_char(run, '}');
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    mw_put_char(run, '{');
    put_request(run, map->request);
    mw_put(run, ",\"result\":{");
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        if (map->slots[p].present)
            put_part(run, &parts[p], &map->slots[p]);
    mw_put(run, "}}\n");
}

static bool fits(const struct mw_generator *generator)
{
    (void)generator;
    return true;
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* Digits of a number that is not negative. */
static uint64_t digits_of(uint64_t n)
{
    uint64_t digits = 1;
    while (n /= 10)
        digits++;
    return digits;
}

/* A label and its comma, or -1; points and ids; the spellings; the parameters once more. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    uint64_t spelled = f->cells ? spellings_for(&f->plan) * sizeof(struct spelling) : 0;
    const struct mw_rates bytes = {4096 + spelled, 2 + digits_of(f->rows), 0, 0, 130, 13, 16},
                          nanoseconds = {12000, 1, 0, 0, 130, 14, 5};
    return (struct mw_cost){.bytes = mw_rated(f, &bytes) + 2 * request->address_length,
                            .nanoseconds = mw_rated(f, &nanoseconds)};
}

const struct mw_encoder mw_json = {.name = "json",
                                   .media = "application/json",
                                   .help = MW_PROSE("everything, for programs"),
                                   .fits = fits,
                                   .forecast = forecast,
                                   .encode = encode};
