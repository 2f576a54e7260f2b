/*
 * order.c: turns the land of the automaton into islands of the number and sizes requested.
 *
 * Random cells are looked at. Where one is free an island grows from there to a random size; what
 * stays too small is taken back. In turn, each only while islands are missing:
 *
 *   1. cells of land   the island takes land alone: so it keeps a piece of the automaton's, or is a
 *                      part of a larger one; if that is too small, it grows on over air
 *   2. any free cell   a new island
 *
 * Cells around a finished island are barred, and so are those of a place that is too small for one:
 * so islands never touch, and no place is tried twice.
 *
 * How an island grows makes its coast. Cells around it are compared by their contact with it: two
 * for each side, one for each corner that is its own. Of two random cells, the one with less
 * contact gives coasts as ragged as those of the automaton (measured by 4 pi A / P^2: .29, where
 * land as it is has .25 and pieces of larger land .32); of three, the one with most gives smoother
 * ones (.55), which leave more room, and are tried when the first fall short.
 *
 * From 100 cells on that would make discs. Such islands grow as water that rises over a relief of
 * fractal noise, which is coarse enough for the largest (kit/coast.h, and the essay of
 * areas/area_coast.c): they have bays and capes of all sizes. The second try makes compact ones.
 *
 * It ends: a fixed number of random cells are looked at, and each is taken or barred once.
 */
#include "islands.h"
#include "kit/bucket_queue.h"
#include "kit/coast.h"

/* An island in the making, and the map. */
struct work {
    struct island_map *world;
    int32_t size, pooled;
    int32_t *cells, *pool; /* room for world->largest */
    struct relief *relief; /* NULL: islands are small, or are to be compact */
    bool picky;            /* islands begin only where there is room around */
};

/* Whether a cell is free: of all cells, or of land alone. */
static inline bool may_take(const struct island_map *s, int32_t cell, bool on_land)
{
    return s->at[cell] == CELL_LAND || (s->at[cell] == CELL_AIR && !on_land);
}

static inline void take(struct work *w, int32_t cell)
{
    struct island_map *s = w->world;
    assert(w->size < s->largest && may_take(s, cell, false));
    s->at[cell] = s->count + 1;
    w->cells[w->size++] = cell;
    w->pool[w->pooled++] = cell;
}

static void bar(struct island_map *s, int32_t cell)
{
    if (may_take(s, cell, false))
        s->at[cell] = CELL_RIM;
}

/* Keeps the island if it is large enough, else takes it back. */
static void finish(struct work *w)
{
    struct island_map *s = w->world;
    assert(w->size <= s->largest);
    bool kept = w->size >= s->least;
    for (int32_t i = 0; i < w->size; i++) {
        for (int k = 0; kept && k < 8; k++)
            bar(s, w->cells[i] + s->ring[k]);
        if (!kept)
            s->at[w->cells[i]] = CELL_RIM;
    }
    s->count += kept;
    mw_tick(s->run, (uint64_t)w->size * 16 + 1);
}

/* ---- which cell next ------------------------------------------------------------------------- */

/* Contact of a cell with the island. */
static inline int32_t contact_of(const struct island_map *s, int32_t cell)
{
    int32_t contact = 0;
    for (int k = 0; k < 8; k++)
        contact += (s->at[cell + s->ring[k]] == s->count + 1) << (k % 2 == 0);
    return contact;
}

/* A random cell beside another that may be taken; -1: none. */
static inline int32_t beside(const struct island_map *s, struct mw_rng *rng, int32_t cell,
                             bool on_land)
{
    uint32_t turn = (uint32_t)(mw_next(rng) >> 62), open = 0;
    for (int k = 0; k < 4; k++)
        open |= (uint32_t)may_take(s, cell + s->ring[2 * k], on_land) << k;
    open = (open | open << 4) >> turn & 15;
    return open ? cell + s->ring[((uint32_t)__builtin_ctz(open) + turn) % 4 * 2] : -1;
}

static inline int32_t choose(struct work *w, struct mw_rng *rng, bool on_land)
{
    const struct island_map *s = w->world;
    int32_t best = -1, chosen = -1, left = s->smooth ? 3 : 2;
    while (left && w->pooled) {
        int32_t i = (int32_t)mw_below(rng, (uint32_t)w->pooled);
        int32_t cell = beside(s, rng, w->pool[i], on_land);
        if (cell < 0) {
            w->pool[i] = w->pool[--w->pooled];
            continue;
        }
        left--;
        int32_t contact = contact_of(s, cell);
        bool better = chosen < 0 || (s->smooth ? contact > best : contact < best);
        chosen = better ? cell : chosen;
        best = better ? contact : best;
    }
    return chosen;
}

/* ---- coasts ---------------------------------------------------------------------------------- */

enum { QUEUED = 0x8000 }; /* in a cell's height: it is in the queue, or was */
enum { SHIFT = 1, BUCKETS = 4 * MW_FRACTAL_UNIT >> SHIFT }; /* from heights to buckets; how many */
enum { FINEST = 52 }; /* size of the smallest features, in sixteenths of a cell */

struct relief {
    struct mw_bucket_queue queue;
    uint16_t *height; /* by cell */
    int32_t radius;   /* of the largest islands, in sixteenths of a cell */
    struct mw_coast shape;
    struct mw_point from; /* where the island at work began */
};

static struct mw_point point_of(const struct island_map *s, int32_t cell)
{
    return (struct mw_point){cell % s->stride, cell / s->stride};
}

static void new_relief(struct work *w)
{
    struct island_map *s = w->world;
    int32_t largest = mw_min(s->largest, s->width * s->height);
    if (s->smooth || largest < ISLANDS_COASTAL)
        return;
    struct relief *r = w->relief = MW_NEW0(s->run, struct relief, 1);
    struct mw_lattice lattice = {s->stride, s->height + 2, MW_SQUARE, MW_WRAP_NONE};
    r->radius = mw_disc_radius(largest);
    r->height = MW_NEW(s->run, uint16_t, s->cells);
    mw_fractal(s->run, &s->rng, &lattice, r->radius, FINEST, r->height);
    mw_raise_rim(s->run, &lattice, s->inset, s->inset, r->radius / 2, r->height);
    mw_new_bucket_queue(s->run, &r->queue, BUCKETS,
                        (int32_t)mw_min64(s->cells, 3 * (int64_t)largest + 4));
}

/* Whether an island must not begin here: half of the cells around, somewhat farther than the radius
   of a middling island, are not free. */
static bool is_hemmed_in(const struct work *w, int32_t cell)
{
    static const int8_t dx[8] = {4, 3, 0, -3, -4, -3, 0, 3}, dy[8] = {0, 3, 4, 3, 0, -3, -4, -3};
    const struct island_map *s = w->world;
    if (!w->picky)
        return false;
    int32_t most = mw_min(s->largest, s->width * s->height), closed = 0;
    int32_t radius = mw_disc_radius(s->least + (most - s->least) / 2);
    const struct mw_point at = point_of(s, cell);
    for (int k = 0; k < 8; k++) {
        int32_t x = at.x + dx[k] * radius / 48, y = at.y + dy[k] * radius / 48;
        bool outside = x < 0 || y < 0 || x >= s->stride || y >= s->height + 2;
        closed += outside || !may_take(s, y * s->stride + x, false);
    }
    return closed >= 4;
}

/* Whether a cell lies along the rim, or along the sea around another island. */
static bool is_along(const struct island_map *s, int32_t cell)
{
    bool along = false;
    for (int k = 0; k < 8; k += 2)
        along |= s->at[cell + s->ring[k]] == CELL_RIM;
    return along;
}

/* Queues a cell by its height and its distance from the first. */
static void queue_cell(const struct work *w, int32_t cell)
{
    struct relief *r = w->relief;
    if (r->height[cell] & QUEUED)
        return;
    const struct mw_point at = point_of(w->world, cell);
    int64_t rise = mw_coast_rise(&r->shape, (at.x - r->from.x) * 16, (at.y - r->from.y) * 16);
    rise += is_along(w->world, cell) ? MW_FRACTAL_UNIT : 0;
    int64_t turn =
        mw_max64((r->height[cell] + rise) >> SHIFT, r->queue.now + mw_coast_delay(&r->shape, cell));
    r->height[cell] |= QUEUED;
    mw_bucket_push(&r->queue, (int32_t)mw_min64(turn, BUCKETS - 1), cell, 0);
}

static void look_around(struct work *w, int32_t cell, int32_t size, bool on_land)
{
    const struct island_map *s = w->world;
    for (int k = 0; k < 8; k += 2) {
        int32_t next = cell + s->ring[k];
        if (!may_take(s, next, on_land))
            continue;
        if (w->size < size && islands_sides(s, next, s->count + 1) > 2) /* it is closed in */
            take(w, next);
        else
            queue_cell(w, next);
    }
}

static void begin_coast(struct work *w, int32_t size)
{
    struct relief *r = w->relief;
    int32_t radius = mw_disc_radius(size), range = mw_fractal_range(r->radius, radius);
    mw_draw_coast(&r->shape, &w->world->rng, radius, range, SHIFT);
    r->from = point_of(w->world, w->cells[0]);
}

static void grow_coast(struct work *w, int32_t size, bool on_land)
{
    struct mw_bucket_queue *q = &w->relief->queue;
    begin_coast(w, size);
    for (int32_t seen = 0; w->size < size;) {
        while (seen < w->size)
            look_around(w, w->cells[seen++], size, on_land);
        const struct mw_bucket_entry *next = mw_bucket_pop(q);
        if (!next)
            break;
        if (w->size < size && may_take(w->world, next->item, on_land))
            take(w, next->item);
    }
    for (int32_t i = 0; i < q->entries; i++)
        w->relief->height[q->entry[i].item] &= (uint16_t)~QUEUED;
    mw_tick(w->world->run, (uint64_t)q->entries * 8 + BUCKETS / 4);
    mw_clear_bucket_queue(q);
}

/* ---- growing --------------------------------------------------------------------------------- */

static inline void grow(struct work *w, int32_t size, bool on_land)
{
    if (w->relief && size >= ISLANDS_COASTAL)
        grow_coast(w, size, on_land);
    struct mw_rng rng = w->world->rng; /* a copy, so that the compiler keeps it in registers */
    memcpy(w->pool, w->cells, (size_t)w->size * sizeof *w->pool);
    w->pooled = w->size;
    for (int32_t cell = 0; w->size < size && cell >= 0;) {
        cell = choose(w, &rng, on_land);
        if (cell >= 0)
            take(w, cell);
    }
    w->world->rng = rng;
}

/* A new island at a cell, if that is free. */
static void found_at(struct work *w, int32_t cell, bool on_land)
{
    struct island_map *s = w->world;
    if (!may_take(s, cell, on_land) || is_hemmed_in(w, cell))
        return;
    int32_t size = mw_between(&s->rng, s->least, s->largest);
    w->size = w->pooled = 0;
    take(w, cell);
    grow(w, size, on_land);
    if (w->size < s->least)
        grow(w, size, false);
    finish(w);
}

/* ---- in order -------------------------------------------------------------------------------- */

/* Islands on land, then on any cells; large ones first where there is room around, then
   anywhere. */
static void found_all(struct work *w, int32_t target)
{
    struct island_map *s = w->world;
    int64_t throws = 2 * (int64_t)s->width * s->height / s->least + 64;
    for (int turn = 0; turn < 3; turn++)
        for (int64_t i = 0; i < throws && s->count < target; i++) {
            int32_t x = (int32_t)mw_below(&s->rng, (uint32_t)s->width);
            int32_t y = (int32_t)mw_below(&s->rng, (uint32_t)s->height);
            w->picky = w->relief && turn < 2;
            found_at(w, world_cell(s, x, y), turn == 0);
            mw_tick(s->run, 1);
        }
}

/* The cells of the map, and the land on it. */
static void draw_map(struct island_map *s, const struct plane *land)
{
    islands_clear(s);
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t i = 0; i < land->words; i++)
            for (uint64_t left = plane_row(land, y)[i]; left; left &= left - 1)
                s->at[world_cell(s, 64 * i + __builtin_ctzll(left), y)] = CELL_LAND;
    mw_tick(s->run, (uint64_t)s->cells);
}

bool islands_order(struct island_map *s, const struct plane *land)
{
    int32_t largest = mw_min(s->largest, s->width * s->height);
    struct work w = {.world = s,
                     .cells = MW_NEW(s->run, int32_t, largest),
                     .pool = MW_NEW(s->run, int32_t, largest)};
    draw_map(s, land);
    new_relief(&w);
    found_all(&w, mw_between(&s->rng, s->fewest, s->most));
    assert(s->count <= s->most);
    return s->count >= s->fewest;
}
