/*
 * order.c: turns the components of the automaton into islands of the number and sizes requested.
 *
 * What fits as it is stays as it is; each further step changes the look a little more, and is taken
 * only while islands are missing:
 *
 *   1. components of a fitting size     kept; cells that touch an island are dropped
 *   2. larger ones                      a piece of each, then more of them
 *   3. smaller ones, largest first      grown
 *   4. free air                         new islands, at random, then in the tightest corners
 *
 * Steps 1 and 2 go up to the most islands allowed, 3 and 4 up to a number drawn between the bounds.
 * An island is only painted on cells that touch no other, so none ever touches; one that stays too
 * small is taken back.
 *
 * How an island grows makes its coast. Cells around it are compared by their contact with it: two
 * for each side, one for each corner that is its own. Of two random cells, the one with less
 * contact gives coasts as ragged as those of the automaton (measured by 4 pi A / P^2: .29, where
 * components that are kept have .25 and pieces of larger ones .32); of three, the one with most
 * gives smoother ones (.55), which leave more room, and are tried when the first fall short.
 *
 * From 100 cells on that would make discs. Such islands grow as water that rises over a relief of
 * fractal noise, which is coarse enough for the largest (kit/coast.h, and the essay of
 * areas/area_coast.c): they have bays and capes of all sizes. The second try makes compact ones.
 *
 * No step needs to know which island a cell belongs to: finished islands keep others away by SHUT
 * cells. So a cell is four bits, and the four words of 64 cells are stored side by side: a large
 * map fits a cache, and growing an island touches half a dozen lines of it. Islands are numbered in
 * the end.
 *
 * It ends: every component and every cell of air is tried once in each step, and failed tries are
 * marked.
 */
#include "islands.h"
#include "kit/bucket_queue.h"
#include "kit/coast.h"

/* Bits of a cell. */
enum kind {
    LAND, /* not yet used */
    ISLE, /* of an island */
    SHUT, /* of an island, or touching one made before, or outside the map */
    HELD, /* no island may start here: in the current component, or in too small a place */
    KINDS
};

/* An island in the making, and the map. */
struct work {
    struct island_map *world;
    int32_t size, pooled;
    int32_t *cells, *pool;    /* room for world->largest, and one for a write that is dropped */
    uint64_t (*words)[KINDS]; /* of 64 cells of a row, with a rim around all */
    int32_t stride;           /* from a cell to the one below */
    struct relief *relief;    /* NULL: islands are small, or are to be compact */
};
enum { AROUND = 3 }; /* rows of rim above and below */

static inline int32_t cell_at(const struct work *w, int32_t x, int32_t y)
{
    return (y + AROUND) * w->stride + 64 + x;
}

static inline struct mw_point point_of(const struct work *w, int32_t cell)
{
    return (struct mw_point){cell % w->stride - 64, cell / w->stride - AROUND};
}

static inline uint64_t *word_of(const struct work *w, int32_t cell, enum kind kind)
{
    return &w->words[(uint32_t)cell / 64][kind];
}
static inline uint64_t bit_of(int32_t cell) { return UINT64_C(1) << cell % 64; }

static inline bool is(const struct work *w, int32_t cell, enum kind kind)
{
    return *word_of(w, cell, kind) >> cell % 64 & 1;
}
static inline void mark(const struct work *w, int32_t cell, enum kind kind)
{
    *word_of(w, cell, kind) |= bit_of(cell);
}
static inline void unmark(const struct work *w, int32_t cell, enum kind kind)
{
    *word_of(w, cell, kind) &= ~bit_of(cell);
}

/* Shuts a cell and all that touch it. */
static inline void shut_around(const struct work *w, int32_t cell)
{
    for (int k = -1; k <= 1; k++) {
        int32_t first = cell + k * w->stride - 1, rest = first % 64;
        uint64_t *word = word_of(w, first, SHUT);
        word[0] |= UINT64_C(7) << rest;
        if (rest > 61)
            word[KINDS] |= UINT64_C(7) >> (64 - rest);
    }
}

/* The cells of the map, and the land on it. */
static void draw_map(struct work *w, const struct plane *land)
{
    int32_t row = land->words + 1, words = (land->height + 2 * AROUND) * row + 2;
    uint64_t outside = land->width % 64 ? ~UINT64_C(0) << land->width % 64 : 0;
    w->stride = row * 64;
    w->words = mw_alloc(w->world->run, (size_t)words, sizeof *w->words);
    for (int32_t i = 0; i < words; i++)
        memcpy(w->words[i], (const uint64_t[KINDS]){[SHUT] = ~UINT64_C(0)}, sizeof *w->words);
    for (int32_t y = 0; y < land->height; y++)
        for (int32_t i = 0; i < land->words; i++) {
            uint64_t *word = word_of(w, cell_at(w, 64 * i, y), LAND);
            word[LAND] = plane_row(land, y)[i];
            word[SHUT] = i == land->words - 1 ? outside : 0;
        }
    mw_tick(w->world->run, (uint64_t)w->world->cells);
}

/* Writes the islands as land. */
static void copy_islands(const struct work *w, struct plane *land)
{
    for (int32_t y = 0; y < land->height; y++)
        for (int32_t i = 0; i < land->words; i++)
            plane_row(land, y)[i] = *word_of(w, cell_at(w, 64 * i, y), ISLE);
}

/* ---- an island ------------------------------------------------------------------------------- */

static inline void take(struct work *w, int32_t cell)
{
    assert(!is(w, cell, SHUT));
    unmark(w, cell, LAND);
    mark(w, cell, ISLE);
    mark(w, cell, SHUT);
}

static inline void put(struct work *w, int32_t cell)
{
    assert(w->size < w->world->largest);
    take(w, cell);
    w->cells[w->size++] = cell;
    w->pool[w->pooled++] = cell;
}

static void begin(struct work *w) { w->size = w->pooled = 0; }

/* Keeps the island if it is large enough, else takes it back; whether it was kept. */
static bool finish(struct work *w)
{
    mw_tick(w->world->run, (uint64_t)w->size * 16 + 1);
    assert(w->size <= w->world->largest);
    bool kept = w->size >= w->world->least;
    for (int32_t i = 0; kept && i < w->size; i++)
        shut_around(w, w->cells[i]);
    for (int32_t i = 0; !kept && i < w->size; i++) {
        unmark(w, w->cells[i], ISLE);
        unmark(w, w->cells[i], SHUT);
    }
    w->world->count += kept;
    return kept;
}

/* ---- which cell next ------------------------------------------------------------------------- */

/* Which cells an island may take, and how they are chosen. */
enum manner { ON_LAND, ANYWHERE, COMPACT };

/* A cell between its neighbours in the row, the lowest bit to its left. */
static inline uint32_t three_at(const struct work *w, int32_t cell, enum kind kind)
{
    const uint64_t *word = word_of(w, cell - 1, kind);
    int rest = (cell - 1) % 64;
    return (word[0] >> rest | word[KINDS] << 1 << (63 - rest)) & 7;
}

/* Contact of a cell with the island; COMPACT with all that is solid, too. Weights of three cells
   are looked up in the digits of a number. */
static inline int32_t contact_of(const struct work *w, int32_t cell, enum manner manner)
{
    const uint32_t row_beside = 0x43213210, own_row = 0x42422020;
    enum kind solid = manner == COMPACT ? SHUT : ISLE;
    return (int32_t)((row_beside >> 4 * three_at(w, cell - w->stride, solid) & 15) +
                     (own_row >> 4 * three_at(w, cell, solid) & 15) +
                     (row_beside >> 4 * three_at(w, cell + w->stride, solid) & 15));
}

static inline bool may_take(const struct work *w, int32_t cell, enum manner manner)
{
    return !is(w, cell, SHUT) && (manner != ON_LAND || is(w, cell, LAND));
}

/* A random cell beside another that may be taken; -1: none. */
static inline int32_t beside(const struct work *w, struct mw_rng *rng, int32_t cell,
                             enum manner manner)
{
    const int32_t side[4] = {1, w->stride, -1, -w->stride};
    uint32_t turn = (uint32_t)(mw_next(rng) >> 62), open = 0;
    for (int k = 0; k < 4; k++)
        open |= (uint32_t)may_take(w, cell + side[k], manner) << k;
    open = (open | open << 4) >> turn & 15;
    return open ? cell + side[((uint32_t)__builtin_ctz(open) + turn) % 4] : -1;
}

static inline int32_t choose(struct work *w, struct mw_rng *rng, enum manner manner)
{
    bool compact = manner == COMPACT || w->world->smooth;
    int32_t best = -1, chosen = -1, left = manner == COMPACT ? 12 : compact ? 3 : 2;
    while (left && w->pooled) {
        int32_t i = (int32_t)mw_below(rng, (uint32_t)w->pooled);
        int32_t cell = beside(w, rng, w->pool[i], manner);
        if (cell < 0) {
            w->pool[i] = w->pool[--w->pooled];
            continue;
        }
        left--;
        int32_t contact = contact_of(w, cell, manner);
        bool better = chosen < 0 || (compact ? contact > best : contact < best);
        chosen = better ? cell : chosen;
        best = better ? contact : best;
    }
    return chosen;
}

/* ---- coasts ---------------------------------------------------------------------------------- */

enum { QUEUED = 0x8000 }; /* in a place's height: it is in the queue, or was */
enum { SHIFT = 1, BUCKETS = 4 * MW_FRACTAL_UNIT >> SHIFT }; /* from heights to buckets; how many */
enum { FINEST = 52 }; /* size of the smallest features, in sixteenths of a cell */

struct relief {
    struct mw_bucket_queue queue;
    uint16_t *height; /* by place: row by row, without a rim */
    int32_t radius;   /* of the largest islands, in sixteenths of a cell */
    struct mw_coast shape;
    struct mw_point from; /* where the island at work began */
    bool picky;           /* islands begin only where there is room around */
};

static void new_relief(struct work *w)
{
    struct island_map *s = w->world;
    int32_t cells = s->width * s->height, largest = mw_min(s->largest, cells);
    if (s->smooth || largest < ISLANDS_COASTAL)
        return;
    struct relief *r = w->relief = MW_NEW0(s->run, struct relief, 1);
    struct mw_lattice lattice = {s->width, s->height, MW_SQUARE, MW_WRAP_NONE};
    r->radius = mw_disc_radius(largest);
    r->picky = true;
    r->height = MW_NEW(s->run, uint16_t, cells);
    mw_fractal(s->run, &s->rng, &lattice, r->radius, FINEST, r->height);
    mw_raise_rim(s->run, &lattice, s->inset, s->inset, r->radius / 2, r->height);
    mw_new_bucket_queue(s->run, &r->queue, BUCKETS,
                        (int32_t)mw_min64(cells, 3 * (int64_t)largest + 4));
}

/* Whether an island must not begin here: half of the cells around, somewhat farther than the radius
   of a middling island, are not free. */
static bool is_hemmed_in(const struct work *w, int32_t cell)
{
    static const int8_t dx[8] = {4, 3, 0, -3, -4, -3, 0, 3}, dy[8] = {0, 3, 4, 3, 0, -3, -4, -3};
    const struct island_map *s = w->world;
    if (!w->relief || !w->relief->picky)
        return false;
    int32_t most = mw_min(s->largest, s->width * s->height), closed = 0;
    int32_t radius = mw_disc_radius(s->least + (most - s->least) / 2);
    const struct mw_point at = point_of(w, cell);
    for (int k = 0; k < 8; k++) {
        int32_t x = at.x + dx[k] * radius / 48, y = at.y + dy[k] * radius / 48;
        bool outside = x < 0 || y < 0 || x >= s->width || y >= s->height;
        closed += outside || is(w, cell_at(w, x, y), SHUT);
    }
    return closed >= 4;
}

/* Whether all sides of a cell but one, or all, are the island's. */
static inline bool is_closed_in(const struct work *w, int32_t cell)
{
    return is(w, cell - 1, ISLE) + is(w, cell + 1, ISLE) + is(w, cell - w->stride, ISLE) +
               is(w, cell + w->stride, ISLE) >
           2;
}

/* Whether a cell lies along the rim, or along the sea around another island. */
static inline bool is_along(const struct work *w, int32_t cell)
{
    const int32_t side[4] = {1, w->stride, -1, -w->stride};
    bool along = false;
    for (int k = 0; k < 4; k++)
        along |= is(w, cell + side[k], SHUT) & !is(w, cell + side[k], ISLE);
    return along;
}

/* Queues a cell by its height and its distance from the first. */
static void queue_cell(const struct work *w, int32_t cell)
{
    struct relief *r = w->relief;
    const struct mw_point at = point_of(w, cell);
    uint16_t *height = r->height + (int64_t)at.y * w->world->width + at.x;
    if (*height & QUEUED)
        return;
    int64_t rise = mw_coast_rise(&r->shape, (at.x - r->from.x) * 16, (at.y - r->from.y) * 16);
    rise += is_along(w, cell) ? MW_FRACTAL_UNIT : 0;
    int64_t turn =
        mw_max64((*height + rise) >> SHIFT, r->queue.now + mw_coast_delay(&r->shape, cell));
    *height |= QUEUED;
    mw_bucket_push(&r->queue, (int32_t)mw_min64(turn, BUCKETS - 1), cell,
                   (int32_t)(height - r->height));
}

static void look_around(struct work *w, int32_t cell, int32_t size, enum manner manner)
{
    const int32_t side[4] = {1, w->stride, -1, -w->stride};
    for (int k = 0; k < 4; k++) {
        int32_t next = cell + side[k];
        if (!may_take(w, next, manner))
            continue;
        if (w->size < size && is_closed_in(w, next))
            put(w, next);
        else
            queue_cell(w, next);
    }
}

static void begin_coast(struct work *w, int32_t size)
{
    struct relief *r = w->relief;
    int32_t radius = mw_disc_radius(size), range = mw_fractal_range(r->radius, radius);
    mw_draw_coast(&r->shape, &w->world->rng, radius, range, SHIFT);
    r->from = point_of(w, w->cells[0]);
}

static void grow_coast(struct work *w, int32_t size, enum manner manner)
{
    struct mw_bucket_queue *q = &w->relief->queue;
    begin_coast(w, size);
    for (int32_t seen = 0; w->size < size;) {
        while (seen < w->size)
            look_around(w, w->cells[seen++], size, manner);
        const struct mw_bucket_entry *next = mw_bucket_pop(q);
        if (!next)
            break;
        if (w->size < size && may_take(w, next->item, manner))
            put(w, next->item);
    }
    for (int32_t i = 0; i < q->entries; i++)
        w->relief->height[q->entry[i].owner] &= (uint16_t)~QUEUED;
    mw_tick(w->world->run, (uint64_t)q->entries * 8 + BUCKETS / 4);
    mw_clear_bucket_queue(q);
}

/* ---- growing --------------------------------------------------------------------------------- */

static inline void grow(struct work *w, int32_t size, enum manner manner)
{
    if (w->relief && size >= ISLANDS_COASTAL && manner != COMPACT)
        grow_coast(w, size, manner);
    struct mw_rng rng = w->world->rng; /* a copy, so that the compiler keeps it in registers */
    memcpy(w->pool, w->cells, (size_t)w->size * sizeof *w->pool);
    w->pooled = w->size;
    for (int32_t cell = 0; w->size < size && cell >= 0;) {
        cell = choose(w, &rng, manner);
        if (cell >= 0)
            put(w, cell);
    }
    w->world->rng = rng;
}

static int32_t draw_size(struct island_map *s) { return mw_between(&s->rng, s->least, s->largest); }

/* ---- components that fit, and smaller ones --------------------------------------------------- */

/* Adds to a list the cells beside one that are of a kind, which they cease to be. */
static inline int32_t reach(const struct work *w, int32_t cell, enum kind kind, int32_t *list,
                            int32_t n)
{
    const int32_t side[4] = {1, w->stride, -1, -w->stride};
    for (int k = 0; k < 4; k++) {
        int32_t next = cell + side[k];
        assert(n <= w->world->largest);
        list[n] = next;
        n += is(w, next, kind);
        unmark(w, next, kind);
    }
    return n;
}

/* Lists the cells of a component, of which there are at most world->largest, and takes them off the
   land; whether all are clear of islands. */
static bool list_component(struct work *w, int32_t start)
{
    bool shut = false;
    unmark(w, start, LAND);
    w->cells[w->size++] = start;
    for (int32_t i = 0; i < w->size; i++) {
        shut |= is(w, w->cells[i], SHUT);
        w->size = reach(w, w->cells[i], LAND, w->cells, w->size);
    }
    return !shut;
}

/* Keeps a connected part of the cells listed that touches no island. */
static void keep_clear(struct work *w)
{
    int32_t listed = w->size, kept = 0;
    for (int32_t i = 0; i < listed; i++)
        if (!is(w, w->cells[i], SHUT)) {
            mark(w, w->cells[i], HELD);
            if (!kept)
                w->pool[kept++] = w->cells[i];
        }
    if (kept)
        unmark(w, w->pool[0], HELD);
    for (int32_t i = 0; i < kept; i++)
        kept = reach(w, w->pool[i], HELD, w->pool, kept);
    for (int32_t i = 0; i < listed; i++)
        unmark(w, w->cells[i], HELD);
    memcpy(w->cells, w->pool, (size_t)kept * sizeof *w->cells);
    w->size = kept;
}

static void settle_component(struct work *w, int32_t start, bool small)
{
    if (!is(w, start, LAND)) /* a neighbour has grown over it */
        return;
    if (small && is_hemmed_in(w, start))
        return;
    begin(w);
    if (!list_component(w, start))
        keep_clear(w);
    for (int32_t i = 0; i < w->size; i++)
        take(w, w->cells[i]);
    if (w->size && w->size < w->world->least)
        grow(w, draw_size(w->world), ANYWHERE);
    finish(w);
}

/* ---- larger components ----------------------------------------------------------------------- */

static bool carve(struct work *w, int32_t start)
{
    begin(w);
    put(w, start);
    int32_t size = draw_size(w->world);
    grow(w, size, ON_LAND);
    if (w->size < w->world->least)
        grow(w, size, ANYWHERE);
    return finish(w);
}

static inline bool is_large(const struct work *w, const struct components *c, int32_t run)
{
    return c->size[c->root[run]] > w->world->largest;
}

/* All cells of larger components, in random order. Writes the root of each to at[]. */
static int32_t list_large(struct work *w, const struct components *c)
{
    struct island_map *s = w->world;
    int32_t n = 0;
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t r = c->first[y]; r < c->first[y + 1]; r++)
            for (int32_t x = c->runs[r].from; is_large(w, c, r) && x < c->runs[r].to; x++) {
                s->at[world_cell(s, x, y)] = c->root[r];
                s->list[n++] = cell_at(w, x, y);
            }
    mw_shuffle(&s->rng, s->list, n);
    mw_tick(s->run, (uint64_t)n * 2 + (uint64_t)c->count);
    return n;
}

/* Pieces wherever there is room; with `has_piece`, by root, at most one of each component. */
static void carve_pieces(struct work *w, int32_t n, int32_t target, bool *has_piece)
{
    const struct island_map *s = w->world;
    for (int32_t i = 0; i < n && s->count < target; i++) {
        int32_t cell = s->list[i], root = 0;
        if (!may_take(w, cell, ON_LAND))
            continue;
        if (has_piece) {
            const struct mw_point at = point_of(w, cell);
            root = s->at[world_cell(s, at.x, at.y)];
            if (has_piece[root])
                continue;
        }
        if (carve(w, cell) && has_piece)
            has_piece[root] = true;
    }
}

static void carve_large(struct work *w, const struct components *c, int32_t target)
{
    int32_t n = list_large(w, c);
    carve_pieces(w, n, w->world->most, MW_NEW0(w->world->run, bool, c->count));
    carve_pieces(w, n, target, NULL);
    mw_tick(w->world->run, (uint64_t)n * 4);
}

static void settle_components(struct work *w, const int32_t *starts, int32_t n, int32_t target,
                              bool small)
{
    for (int32_t i = 0; i < n && w->world->count < target; i++)
        settle_component(w, starts[i], small);
}

/* ---- free air -------------------------------------------------------------------------------- */

/* A new island at a cell, if that is free; a place too small for one is marked. */
static void found_at(struct work *w, int32_t cell, enum manner manner)
{
    struct island_map *s = w->world;
    if (is(w, cell, HELD) || is(w, cell, SHUT) || is_hemmed_in(w, cell))
        return;
    begin(w);
    put(w, cell);
    grow(w, manner == COMPACT ? s->least : draw_size(s), manner);
    if (!finish(w))
        for (int32_t i = 0; i < w->size; i++)
            mark(w, w->cells[i], HELD);
}

static void found_more(struct work *w, int32_t target)
{
    struct island_map *s = w->world;
    int64_t throws = 2 * (int64_t)s->width * s->height / s->least + 64;
    for (int64_t half = throws / 2; throws && s->count < target; throws--) {
        if (w->relief)
            w->relief->picky = throws > half;
        int32_t x = (int32_t)mw_below(&s->rng, (uint32_t)s->width);
        int32_t y = (int32_t)mw_below(&s->rng, (uint32_t)s->height);
        found_at(w, cell_at(w, x, y), ANYWHERE);
        mw_tick(s->run, 1);
    }
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t x = 0; x < s->width && s->count < s->fewest; x++)
            found_at(w, cell_at(w, x, y), COMPACT);
    mw_tick(s->run, s->count < s->fewest ? (uint64_t)s->cells * 8 : 0);
}

/* ---- in order -------------------------------------------------------------------------------- */

enum { RANKS = 1024 };

/* 0: fits; then smaller ones, from the largest down; the largest components are not here. */
static int32_t rank(const struct island_map *s, int32_t size)
{
    return mw_clamp(s->least - size, 0, RANKS);
}

/* First cells of the components that are not too large, by rank, at random within one; how many. */
static int32_t *list_components(const struct work *w, const struct components *c, int32_t *count,
                                int32_t *fitting)
{
    struct island_map *s = w->world;
    int32_t n = 0, *root = s->list, *cells = MW_NEW(s->run, int32_t, c->count + 1);
    char *mark = mw_mark(s->run);
    int32_t *first = MW_NEW(s->run, int32_t, c->count + 1);
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t r = c->first[y]; r < c->first[y + 1]; r++) {
            if (!c->size[r] || c->size[r] > s->largest)
                continue;
            first[r] = cell_at(w, c->runs[r].from, y);
            root[n++] = r;
        }
    mw_shuffle(&s->rng, root, n);
    uint64_t *ranks = MW_NEW(s->run, uint64_t, n);
    *fitting = 0;
    for (int32_t i = 0; i < n; i++) {
        ranks[i] = (uint64_t)rank(s, c->size[root[i]]);
        *fitting += !ranks[i];
    }
    mw_sort(s->run, ranks, root, n);
    for (int32_t i = 0; i < n; i++)
        cells[i] = first[root[i]];
    mw_rewind(s->run, mark);
    mw_tick(s->run, (uint64_t)n * 4 + (uint64_t)c->count);
    *count = n;
    return cells;
}

bool islands_order(struct island_map *s, struct plane *land)
{
    struct components c;
    int32_t largest = mw_min(s->largest, s->width * s->height) + 1;
    struct work w = {.world = s,
                     .cells = MW_NEW(s->run, int32_t, largest),
                     .pool = MW_NEW(s->run, int32_t, largest)};
    s->count = 0;
    life_label(s->run, land, &c);
    draw_map(&w, land);
    new_relief(&w);
    int32_t target = mw_between(&s->rng, s->fewest, s->most);
    int32_t fitting, n;
    const int32_t *starts = list_components(&w, &c, &n, &fitting);
    settle_components(&w, starts, fitting, s->most, false);
    if (s->count < s->most)
        carve_large(&w, &c, target);
    settle_components(&w, starts + fitting, n - fitting, target, true);
    found_more(&w, target);
    assert(s->count <= s->most);
    if (s->count < s->fewest)
        return false;
    copy_islands(&w, land);
    return true;
}
