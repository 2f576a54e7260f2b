/*
 * area_coast.c: land as nature makes it, with bays, capes and inlets of all sizes.
 *
 * The map gets a relief of fractal noise (kit/fractal.h), which is alike at all scales and rises
 * towards the rim where that is to stay sea. An area grows like water that rises: again and again
 * it takes the lowest cell beside it, so its coast is a level line of the relief. Some areas are
 * shaped by the relief alone and sprawl. For the others the distance from the origin counts too,
 * less along one axis than across it: they are compact, or long. So maps differ from each other.
 *
 *     relief        3 9 7 8 4        an area of      o . . . .
 *                   2 1 9 3 1        9 cells         o o . o o
 *                   9 1 1 2 5                        . o o o .
 *                   8 7 1 9 4                        . . o . .
 *
 * Three things make it look natural. A hollow that the water has reached fills from its inlet, cell
 * by cell with small random delays, as a true front would; otherwise a thread would run down to its
 * bottom and be left there when the area is full. A cell that has the area on nearly all sides is
 * taken at once, which leaves no ponds and slots of one cell. And an origin is sought in low land
 * with free room around it. Cells beside an area that was made before count as higher, so where
 * there is room a strait is left.
 *
 * Why it ends, and is right. Each cell is queued once, and each turn takes one from the queue.
 * Cells are taken beside the area only, so it is connected, and growth stops at its size. Without
 * holes a cell that would close a ring is taken with all that it encloses, so that a hill inland
 * becomes land. Where that is too much, or not all vacant, the cell is dropped; what is missing in
 * the end is for grow.c, whose promise does not depend on how an area began. When searches in vain
 * have looked at twice as many cells as the area wants, only small pockets are searched for.
 *
 * Cost: a queue by buckets (kit/bucket_queue.h) makes it linear. The queue holds the area and the
 * cells beside it, which are no more than 3 n + 4 for n cells on squares and on hexagons: a cell
 * that joins a shape adds two to those at most. 12 bytes for each of these, 2 for each cell of the
 * map.
 */
#include "areas.h"
#include "kit/bucket_queue.h"
#include "kit/coast.h"

enum { UNIT = MW_FRACTAL_UNIT };
enum { QUEUED = 0x8000 };                      /* in a cell's height: it is in the queue, or was */
enum { BUCKETS = 1 << 13, LEVELS = 4 * UNIT }; /* at most; heights and distances that they span */
enum { STRAIT = UNIT }; /* how much higher the land beside another area counts */
enum { CANDIDATES = 16, VIEWS = 8 };
enum { FINEST = 52 }; /* size of the smallest features, in sixteenths of a cell */

struct coast {
    struct mw_bucket_queue queue;
    uint16_t *height; /* by cell */
    int32_t radius;   /* of a disc of the area, in sixteenths of a cell */
    int shift;        /* from heights to buckets */
    /* Of the area at work: */
    int32_t x, y; /* its origin, in half cells and rows */
    struct mw_coast shape;
};

/* ---- the relief ------------------------------------------------------------------------------ */

void areas_new_coast(struct area *a)
{
    struct grid *g = a->grid;
    struct coast *c = MW_NEW0(g->run, struct coast, 1);
    int32_t area = a->wanted->area, buckets = mw_clamp(4 * mw_min(area, BUCKETS), 64, BUCKETS);
    int64_t room = mw_min64(g->cells, 3 * (int64_t)area + 4);
    while (LEVELS >> c->shift > buckets)
        c->shift++;
    c->radius = mw_disc_radius(area);
    c->height = MW_NEW(g->run, uint16_t, g->cells);
    int32_t coarsest = c->radius * mw_between(&a->rng, 6, 10) / 8;
    mw_fractal(g->run, &a->rng, &g->lattice, coarsest, FINEST, c->height);
    mw_raise_rim(g->run, &g->lattice, g->inside.x0, g->inside.y0, c->radius, c->height);
    mw_new_bucket_queue(g->run, &c->queue, buckets, (int32_t)room);
    a->coast = c;
}

/* ---- where an area begins -------------------------------------------------------------------- */

/* How many of the cells around one, somewhat farther than the radius, are not vacant. */
static int32_t closed_views(const struct area *a, int32_t cell)
{
    static const int8_t dx[VIEWS] = {4, 3, 0, -3, -4, -3, 0, 3};
    static const int8_t dy[VIEWS] = {0, 3, 4, 3, 0, -3, -4, -3};
    const struct grid *g = a->grid;
    int32_t width = g->lattice.width, height = g->lattice.height, closed = 0;
    const struct mw_point at = areas_point(g, cell);
    for (int k = 0; k < VIEWS; k++) {
        int32_t x = at.x + dx[k] * a->coast->radius / 48, y = at.y + dy[k] * a->coast->radius / 48;
        if (g->lattice.wrap != MW_WRAP_NONE)
            x = (x % width + width) % width;
        if (g->lattice.wrap == MW_WRAP_XY)
            y = (y % height + height) % height;
        bool outside = x < 0 || y < 0 || x >= width || y >= height;
        closed += outside || g->owner[y * width + x] != g->vacant;
    }
    return closed;
}

int32_t areas_low_origin(struct area *a)
{
    int32_t best = -1, least = INT32_MAX;
    for (int i = 0; i < CANDIDATES; i++) {
        int32_t cell = (int32_t)mw_below(&a->rng, (uint32_t)a->grid->cells);
        if (a->grid->owner[cell] != a->grid->vacant)
            continue;
        int32_t cost = a->coast->height[cell] + closed_views(a, cell) * UNIT;
        best = cost < least ? cell : best;
        least = mw_min(cost, least);
    }
    mw_tick(a->grid->run, CANDIDATES * 4);
    return best;
}

/* ---- growing --------------------------------------------------------------------------------- */

static void begin_shape(struct area *a, int32_t origin)
{
    struct coast *c = a->coast;
    mw_draw_coast(&c->shape, &a->rng, c->radius, UNIT, c->shift);
    const struct mw_point at = areas_point(a->grid, origin);
    c->y = at.y;
    c->x = 2 * at.x + (a->grid->lattice.tiling == MW_HEX && at.y & 1);
}

/* The shorter of both ways round a ring of n. */
static inline int32_t shorter(int32_t way, int32_t n)
{
    return way > n / 2 ? way - n : way < -(n / 2) ? way + n : way;
}

/* The height of a cell and its distance from the origin, as a bucket. */
ALWAYS_INLINE int32_t bucket_of(const struct coast *c, const struct grid *g, int32_t cell, bool hex)
{
    const struct mw_lattice *l = &g->lattice;
    if (!c->shape.slope)
        return c->height[cell] >> c->shift;
    const struct mw_point at = areas_point(g, cell);
    int32_t x = 2 * at.x + (hex & at.y & 1) - c->x, y = at.y - c->y;
    if (l->wrap != MW_WRAP_NONE)
        x = shorter(x, 2 * l->width);
    if (l->wrap == MW_WRAP_XY)
        y = shorter(y, l->height);
    x *= 8; /* to sixteenths of a cell */
    y = hex ? y * 443 / 32 : y * 16;
    int64_t key = c->height[cell] + mw_coast_rise(&c->shape, x, y);
    return (int32_t)mw_min64(key >> c->shift, c->queue.buckets - 1);
}

/* The cell across a side; -1 outside. */
ALWAYS_INLINE int32_t across(const struct grid *g, int32_t cell, int side, bool hex)
{
    uint8_t exits = g->exits[cell];
    if (exits & AREAS_EDGE)
        return mw_neighbour(&g->lattice, cell, side);
    return cell + g->step[hex ? exits >> 6 : 0][side];
}

/* Whether most sides of a vacant cell are the area's: all but one of four, but two of six. */
ALWAYS_INLINE bool is_closed_in(const struct area *a, int32_t cell, bool hex)
{
    int others = 0, sides = hex ? 6 : 4;
    for (int side = 0; side < sides; side++) {
        int32_t next = across(a->grid, cell, side, hex);
        others += next < 0 || a->grid->owner[next] != a->id;
    }
    return others < sides / 2;
}

/* Takes a cell; false where that would leave a hole that must not be. */
ALWAYS_INLINE bool take(struct area *a, int32_t cell, bool whole)
{
    struct grid *g = a->grid;
    int32_t all = a->wanted->area;
    if (whole && !areas_joins_once(g, cell)) {
        int32_t most = a->wasted < 2 * (int64_t)all ? all : AREAS_POCKET;
        return areas_take_whole(a, cell, mw_min(most, all - a->size));
    }
    areas_take(a, cell);
    return true;
}

/* Whether a cell lies beside an area that was made before. */
static bool is_beside_other(const struct area *a, int32_t cell)
{
    const struct grid *g = a->grid;
    for (int side = 0; side < g->sides; side++) {
        int32_t next = areas_across(g, cell, side);
        if (next >= 0 && g->owner[next] > 0 && g->owner[next] != a->id)
            return true;
    }
    return false;
}

/* The bucket where a cell beside the area has its turn; never before the one at work. */
ALWAYS_INLINE int32_t turn_of(const struct area *a, const struct coast *c, int32_t cell, bool hex)
{
    int32_t now = c->queue.now + mw_coast_delay(&c->shape, cell);
    int32_t turn = mw_max(bucket_of(c, a->grid, cell, hex), now);
    if (a->id > 1 && is_beside_other(a, cell))
        turn += STRAIT >> c->shift;
    return mw_min(turn, c->queue.buckets - 1);
}

/* Whether a cell has few exits: one on squares, two on hexagons. */
ALWAYS_INLINE bool is_narrow(const struct grid *g, int32_t cell, bool hex)
{
    unsigned open = g->exits[cell] & AREAS_EXITS;
    open &= open - 1;
    return !(hex ? open & (open - 1) : open);
}

/* Takes the vacant cells beside one whose turn it is, or which are closed in, and queues the
   others. */
ALWAYS_INLINE void look_around(struct area *a, struct coast *c, int32_t cell, bool hex, bool whole)
{
    const struct grid *g = a->grid;
    const uint8_t *exits = g->exits + cell;
    for (unsigned ways = *exits & AREAS_EXITS; ways; ways &= (ways - 1) & *exits) {
        int32_t next = across(g, cell, __builtin_ctz(ways), hex);
        bool room = a->size < a->wanted->area;
        if (room && is_narrow(g, next, hex) && is_closed_in(a, next, hex) && take(a, next, whole))
            continue;
        if (c->height[next] & QUEUED)
            continue;
        int32_t turn = turn_of(a, c, next, hex);
        if (room && turn == c->queue.now && take(a, next, whole))
            continue;
        mw_bucket_push(&c->queue, turn, next, a->id);
        c->height[next] |= QUEUED;
    }
}

static void clear_queue(struct area *a)
{
    struct mw_bucket_queue *q = &a->coast->queue;
    for (int32_t i = 0; i < q->entries; i++)
        a->coast->height[q->entry[i].item] &= (uint16_t)~QUEUED;
    mw_tick(a->grid->run, (uint64_t)q->entries + (uint64_t)q->buckets);
    mw_clear_bucket_queue(q);
}

/* Loads what the next turn needs, ahead of time. */
static inline void prefetch(const struct grid *g, const struct mw_bucket_queue *q)
{
    int32_t soon = q->first[q->now], cell = soon < 0 ? 0 : q->entry[soon].item;
    __builtin_prefetch(g->owner + cell);
    __builtin_prefetch(g->exits + cell);
}

/* Compiled for each pair of the constants: `whole` for no holes. */
ALWAYS_INLINE void grow(struct area *a, bool hex, bool whole)
{
    struct coast c = *a->coast; /* a copy, so that the compiler keeps it in registers */
    assert(!c.queue.entries && a->size > 0);
    for (int32_t seen = 0, all = a->wanted->area; a->size < all;) {
        mw_tick(a->grid->run, 4);
        while (seen < a->size)
            look_around(a, &c, a->cells[seen++], hex, whole);
        const struct mw_bucket_entry *next = mw_bucket_pop(&c.queue);
        if (!next)
            break;
        prefetch(a->grid, &c.queue);
        if (a->size < all && a->grid->owner[next->item] == a->grid->vacant)
            take(a, next->item, whole);
    }
    a->coast->queue = c.queue;
}

bool areas_grow_coast(struct area *a, int32_t origin)
{
    areas_begin(a, origin);
    begin_shape(a, origin);
    bool hex = a->grid->sides == 6;
    if (!a->wanted->holes)
        hex ? grow(a, true, true) : grow(a, false, true);
    else
        hex ? grow(a, true, false) : grow(a, false, false);
    clear_queue(a);
    return areas_finish(a);
}
