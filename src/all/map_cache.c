/*
 * map_cache.c: finds maps that others are built on in a cache instead of making them.
 *
 * All that a map points to lies in the piece of the block that was allocated while it was made. So
 * a packed map is that piece as it is. It is used again by copying it to where the generator would
 * have written it; then all pointers are moved by the distance between the two places. Maps that
 * point to anything else are not packed.
 *
 * The rest of the run must not depend on whether a map was found or made, or the answer to an
 * address would depend on earlier requests. So a packed map has the steps and the peak of memory
 * with it, and is used only where there would be room to make it; the run counts the same steps.
 * Both runs end with the same bytes or refusal, the same steps and peak.
 */
#include "map_cache.h"

#include "lib/run.h"

/* ---- moving pointers ------------------------------------------------------------------------- */

struct mover {
    uintptr_t from;   /* where the bytes lay */
    size_t size;      /* of the bytes */
    uintptr_t by;     /* the distance to where they are */
    bool points_away; /* whether there was a pointer to anything else */
};

/* Moves the pointer, of whatever type, at that place; NULL stays NULL. */
static void move_pointer(struct mover *m, void *place)
{
    uintptr_t pointer;
    memcpy(&pointer, place, sizeof pointer);
    if (!pointer)
        return;
    m->points_away |= pointer - m->from > m->size;
    pointer += m->by;
    memcpy(place, &pointer, sizeof pointer);
}

static void move_elements(struct mover *m, enum mw_type type, void *elements, int32_t count)
{
    for (int32_t i = 0; mw_type_points(type) && i < count; i++)
        move_pointer(m, (char *)elements + (size_t)i * mw_width_of(type));
}

static void move_table(struct mover *m, const struct mw_column *columns, struct mw_rowset *table)
{
    if (!table->columns)
        return;
    move_pointer(m, &table->columns);
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++) {
        move_pointer(m, &table->columns[c]);
        move_elements(m, columns[c].type, table->columns[c], table->rows);
    }
}

/* All pointers of a map but that to its request. */
static void move_map(struct mover *m, const struct mw_part *parts, struct mw_map *map)
{
    move_pointer(m, &map->slots);
    for (int i = 0; parts[i].kind != MW_NO_PART; i++) {
        struct mw_slot *slot = &map->slots[i];
        switch (parts[i].kind) {
        case MW_VALUE: move_elements(m, parts[i].type, &slot->as.value, 1); break;
        case MW_TABLE: move_table(m, parts[i].columns, &slot->as.table); break;
        case MW_GRID: move_pointer(m, &slot->as.grid.at); break;
        case MW_EDGES: move_pointer(m, &slot->as.edges.at); break;
        case MW_NO_PART: break;
        }
    }
}

/* ---- found or made --------------------------------------------------------------------------- */

void mw_set_map_cache(struct mw_run *run, const struct mw_map_cache *cache)
{
    run->map_cache = cache;
}

static size_t bytes_used(const struct mw_run *run)
{
    return (size_t)(run->end - run->top) + (size_t)(run->bottom - run->output);
}

static void raise_peak(struct mw_run *run, size_t peak)
{
    run->peak = peak > run->peak ? peak : run->peak;
}

/* In place of the generator. */
static void unpack(struct mw_run *run, const void *arg, struct mw_map *map)
{
    const struct mw_packed_map *packed = arg;
    const struct mw_request *request = map->request;
    run->top = run->floor;
    raise_peak(run, bytes_used(run) + packed->peak);
    run->top -= packed->size;
    assert(run->top >= run->bottom && (char *)map >= run->top);
    memcpy(run->top, packed + 1, packed->size);
    struct mover m = {(uintptr_t)packed->from, packed->size,
                      (uintptr_t)run->top - (uintptr_t)packed->from, false};
    move_map(&m, request->generator->parts, map);
    map->request = request;
    assert(!m.points_away);
    mw_tick(run, packed->steps);
}

static const struct mw_map *make_and_keep(struct mw_run *run, const struct mw_request *request)
{
    const size_t before = run->peak, used = bytes_used(run);
    run->peak = used;
    const struct mw_map *map = mw_make_alone(run, request);
    const struct mw_packed_map packed = {.steps = mw_spent(run),
                                         .peak = run->peak - used,
                                         .size = (size_t)(run->floor - run->top),
                                         .from = run->top};
    raise_peak(run, before);
    if (!map)
        return NULL;
    struct mover still = {.from = (uintptr_t)packed.from, .size = packed.size};
    move_map(&still, request->generator->parts, (struct mw_map *)(uintptr_t)map);
    if (!still.points_away)
        run->map_cache->keep(run->map_cache->arg, request, &packed);
    return map;
}

const struct mw_map *mw_make_below(struct mw_run *run, const struct mw_request *request)
{
    const struct mw_map_cache *cache = run->map_cache;
    if (!cache)
        return mw_make_alone(run, request);
    const struct mw_packed_map *packed = cache->find(cache->arg, request);
    if (packed && packed->peak <= (size_t)(run->top - run->bottom))
        return mw_make_by(run, request, unpack, packed);
    return make_and_keep(run, request);
}
