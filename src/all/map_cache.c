/*
 * map_cache.c: finds maps that others are built on in a cache instead of making them.
 *
 * A map cannot outlive its run, as all that it points to is in the run's block. A packed map can:
 * it is the slots as they are, followed, in the order of the tables of parts and columns, by every
 * array that they point to, and by every text and list that elements of those point to. Pointers
 * are set again in the same order, so no offsets are stored; NULL stays NULL.
 *
 * Grids and columns of numbers hold no pointers and are used in place, without a copy. So the time
 * to unpack a map depends on its rows, not on its cells.
 *
 * The rest of the run must not depend on whether a map was found or made, or the answer to an
 * address would depend on earlier requests. So a packed map begins with its usage, and is used only
 * where there would be room to make it; then the run counts the same steps, and the map occupies as
 * much of the block. Both runs end with the same bytes or refusal, the same steps and peak.
 *
 * Nobody but this process reads these bytes: they depend on its pointers' size and its tables.
 */
#include "map_cache.h"

#include "lib/run.h"

enum { ALIGNMENT = 16 };

static size_t padded(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static size_t slots_size(const struct mw_generator *generator)
{
    size_t n = 0;
    while (generator->parts[n].kind != MW_NO_PART)
        n++;
    return n * sizeof(struct mw_slot);
}

/* Where an element of that type points to; NULL: its type does not. */
static const void **pointer_in(enum mw_type type, void *element)
{
    bool points = type == MW_STRING || type == MW_INTEGERS || type == MW_POINTS || type == MW_ROWS;
    static_assert(!offsetof(struct mw_ints, at) && !offsetof(struct mw_points, at) &&
                      !offsetof(struct mw_rows, at),
                  "an element that points begins with its pointer");
    return points ? (const void **)element : NULL;
}

/* The bytes that it points to, which are at `at` now. */
static size_t size_behind(enum mw_type type, const void *element, const void *at)
{
    if (type == MW_STRING)
        return strlen(at) + 1;
    if (type == MW_INTEGERS)
        return (size_t)((const struct mw_ints *)element)->count * sizeof(int32_t);
    if (type == MW_POINTS)
        return (size_t)((const struct mw_points *)element)->count * sizeof(struct mw_point);
    const struct mw_rows *rows = element;
    return (size_t)rows->count * ((size_t)rows->width + 1);
}

/* ---- packing --------------------------------------------------------------------------------- */

struct map_packer {
    char *to; /* NULL: it is measured */
    size_t size;
};

static void put(struct map_packer *p, const void *bytes, size_t size)
{
    if (p->to && size)
        memcpy(p->to + p->size, bytes, size);
    p->size += padded(size);
}

static void put_behind(struct map_packer *p, enum mw_type type, void *elements, int32_t count)
{
    char *element = elements;
    for (int32_t i = 0; i < count; i++, element += mw_width_of(type)) {
        const void **pointer = pointer_in(type, element);
        if (!pointer)
            return;
        if (*pointer)
            put(p, *pointer, size_behind(type, element, *pointer));
    }
}

static void put_table(struct map_packer *p, const struct mw_column *columns,
                      const struct mw_rowset *table)
{
    for (int c = 0; table->columns && columns[c].type != MW_END_OF_TABLE; c++) {
        put(p, table->columns[c], (size_t)table->rows * mw_width_of(columns[c].type));
        put_behind(p, columns[c].type, table->columns[c], table->rows);
    }
}

static void put_slot(struct map_packer *p, const struct mw_part *part, struct mw_slot slot)
{
    const struct mw_lattice *lattice = &slot.as.grid.lattice;
    if (part->kind == MW_VALUE)
        put_behind(p, part->type, &slot.as.value, 1);
    else if (part->kind == MW_TABLE)
        put_table(p, part->columns, &slot.as.table);
    else if (part->kind == MW_GRID && slot.as.grid.at)
        put(p, slot.as.grid.at, (size_t)lattice->width * (size_t)lattice->height * sizeof(int32_t));
    else if (part->kind == MW_EDGES && slot.as.edges.at)
        put(p, slot.as.edges.at, (size_t)slot.as.edges.count * sizeof(struct mw_edge));
}

size_t mw_pack(const struct mw_map *map, const struct mw_usage *usage, char *to)
{
    const struct mw_generator *generator = map->request->generator;
    struct map_packer p = {.to = to};
    put(&p, usage, sizeof *usage);
    put(&p, map->slots, slots_size(generator));
    for (int i = 0; generator->parts[i].kind != MW_NO_PART; i++)
        put_slot(&p, &generator->parts[i], map->slots[i]);
    return p.size;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

struct unpacker {
    struct mw_run *run;
    char *from;
};

static void *take(struct unpacker *u, size_t size)
{
    void *at = u->from;
    assert((uintptr_t)at % sizeof(uint64_t) == 0);
    u->from += padded(size);
    return at;
}

static void take_behind(struct unpacker *u, enum mw_type type, void *elements, int32_t count)
{
    char *element = elements;
    for (int32_t i = 0; i < count; i++, element += mw_width_of(type)) {
        const void **pointer = pointer_in(type, element);
        if (!pointer)
            return;
        if (*pointer)
            *pointer = take(u, size_behind(type, element, u->from));
    }
}

static void *take_column(struct unpacker *u, enum mw_type type, int32_t rows)
{
    size_t size = (size_t)rows * mw_width_of(type);
    void *column = take(u, size);
    if (!pointer_in(type, column))
        return column;
    void *own = mw_alloc(u->run, (size_t)rows, mw_width_of(type));
    memcpy(own, column, size);
    take_behind(u, type, own, rows);
    return own;
}

static void take_table(struct unpacker *u, const struct mw_column *columns, struct mw_rowset *table)
{
    int n = 0;
    while (columns[n].type != MW_END_OF_TABLE)
        n++;
    if (!table->columns)
        return;
    table->columns = MW_NEW(u->run, void *, n);
    for (int c = 0; c < n; c++)
        table->columns[c] = take_column(u, columns[c].type, table->rows);
}

static void take_slot(struct unpacker *u, const struct mw_part *part, struct mw_slot *slot)
{
    const struct mw_lattice *lattice = &slot->as.grid.lattice;
    if (part->kind == MW_VALUE)
        take_behind(u, part->type, &slot->as.value, 1);
    else if (part->kind == MW_TABLE)
        take_table(u, part->columns, &slot->as.table);
    else if (part->kind == MW_GRID && slot->as.grid.at)
        slot->as.grid.at =
            take(u, (size_t)lattice->width * (size_t)lattice->height * sizeof(int32_t));
    else if (part->kind == MW_EDGES && slot->as.edges.at)
        slot->as.edges.at = take(u, (size_t)slot->as.edges.count * sizeof(struct mw_edge));
}

/* The run is left as making the map would leave it. */
static void pay(struct mw_run *run, const struct mw_usage *usage)
{
    size_t peak =
        (size_t)(run->end - run->floor) + (size_t)(run->bottom - run->output) + usage->peak;
    run->peak = peak > run->peak ? peak : run->peak;
    assert((size_t)(run->floor - run->top) <= usage->kept);
    run->top = run->floor - usage->kept;
    mw_tick(run, usage->steps);
}

/* In place of the generator. */
static void unpack(struct mw_run *run, const void *packed, struct mw_map *map)
{
    const struct mw_part *parts = map->request->generator->parts;
    size_t size = slots_size(map->request->generator);
    struct unpacker u = {run, (char *)(uintptr_t)packed};
    const struct mw_usage *usage = take(&u, sizeof *usage);
    memcpy(map->slots, take(&u, size), size);
    for (int i = 0; parts[i].kind != MW_NO_PART; i++)
        take_slot(&u, &parts[i], &map->slots[i]);
    pay(run, usage);
}

/* ---- found or made --------------------------------------------------------------------------- */

void mw_set_map_cache(struct mw_run *run, const struct mw_map_cache *cache)
{
    run->map_cache = cache;
}

static bool has_room(const struct mw_run *run, const struct mw_usage *usage)
{
    return usage->peak <= (size_t)(run->top - run->bottom);
}

static const struct mw_map *make_and_keep(struct mw_run *run, const struct mw_request *request)
{
    const size_t before = run->peak,
                 used = (size_t)(run->end - run->top) + (size_t)(run->bottom - run->output);
    run->peak = used;
    const struct mw_map *map = mw_make_alone(run, request);
    const struct mw_usage usage = {
        .steps = mw_spent(run), .peak = run->peak - used, .kept = (size_t)(run->floor - run->top)};
    run->peak = before > run->peak ? before : run->peak;
    if (map)
        run->map_cache->keep(run->map_cache->arg, map, &usage);
    return map;
}

const struct mw_map *mw_make_below(struct mw_run *run, const struct mw_request *request)
{
    const struct mw_map_cache *cache = run->map_cache;
    if (!cache)
        return mw_make_alone(run, request);
    const void *packed = cache->find(cache->arg, request);
    if (packed && has_room(run, packed))
        return mw_make_by(run, request, unpack, packed);
    return make_and_keep(run, request);
}
