/*
 * decks.c: bridges, as planks level with the first layer.
 *
 * A deck is the middle of its cell, half as wide as the cell, with arms to the neighbors that it
 * leads to. Parts in a row are one strip, to the east or to the south: a middle is in the strip of
 * its arms to the east or west, if it has one. Sides of strips end where arms begin. On antialiased
 * canvases the tops are painted below their sides, too, to leave no seam.
 *
 * A plank is as thick as its distance from the rim of its cell. So a ray from a plank's side
 * reaches the top of the layer before it could pass a visible side of another cell, and painting
 * planks after the sides of the land and before its tops is correct.
 */
#include "isles.h"
#include "kit/integer.h"

enum { PLANK = 2 }; /* units */
_Static_assert((int)PLANK <= 2 * (int)ISLES_DOWN / 4, "sides would overlap");

/* Strips of decks of a kind, tops or sides. */
struct planks {
    const struct isles *w;
    int kind, along;               /* strips lead EAST or SOUTH */
    bool edge;                     /* sides, not tops */
    int32_t level;                 /* units */
    struct mw_point quarter, wide; /* a step along the strip, and across it */
};

/* Whether a deck leads to that side: to land, or along a bridge. */
static bool leads(const struct isles *w, int32_t cell, int side)
{
    int32_t next = cell + w->offset[side];
    return w->land.layers[next] || w->deck[cell] & DECK_WAY << side;
}

/* Whether the middle of a deck is in a strip: it has a side where no arm is, and its top once. */
static bool has_middle(const struct planks *p, int32_t cell)
{
    const bool wide = leads(p->w, cell, EAST) || leads(p->w, cell, WEST);
    return p->edge ? !leads(p->w, cell, !p->along) : wide == (p->along == EAST);
}

static bool is_kind(const struct planks *p, int32_t cell)
{
    return (p->w->deck[cell] & DECK_KIND) == p->kind;
}

/* Whether there is a quarter in a strip, counted from the first of the cell: an arm, two of the
   middle, an arm. */
static bool has_quarter(const struct planks *p, int32_t cell, int32_t quarter)
{
    cell += (int32_t)mw_floor_div(quarter, 4) * p->w->offset[p->along];
    if (!is_kind(p, cell))
        return false;
    quarter = (quarter + 4) % 4;
    return quarter % 3 ? has_middle(p, cell) : leads(p->w, cell, quarter ? p->along : p->along + 2);
}

/* The strips that begin in a cell. */
static void draw_strips(const struct planks *p, int32_t cell)
{
    const int32_t inset = p->edge ? 3 : 1;
    int32_t from = 0;
    while (has_quarter(p, cell, from - 1) && from < 4)
        from++;
    for (int32_t count; from < 4; from += count + 1) {
        for (count = 0; has_quarter(p, cell, from + count);)
            count++;
        mw_tick(p->w->run, (uint64_t)count);
        if (count)
            canvas_parallelogram(p->w->canvas,
                                 isles_place(p->w, cell, p->along == EAST ? from : inset,
                                             p->along == EAST ? inset : from, p->level),
                                 (struct mw_point){count * p->quarter.x, count * p->quarter.y},
                                 p->wide);
    }
}

/* `down` below the first layer; upper edges of sides are level with tops. */
static void paint(const struct isles *w, int along, bool edge, int face, int32_t down)
{
    const int32_t x = along == EAST ? ISLES_ACROSS : -ISLES_ACROSS;
    struct planks p = {.w = w,
                       .along = along,
                       .edge = edge,
                       .level = ISLES_RISE - down,
                       .quarter = {x / 4, ISLES_DOWN / 4},
                       .wide = {edge ? 0 : -x / 2, edge ? PLANK : ISLES_DOWN / 2}};
    for (p.kind = DECK; p.kind <= DECK_LIT; p.kind++) {
        canvas_begin(w->canvas, (struct pen){.fill = (enum ink)(
                                                 INK_DECK + (p.kind - DECK) * (RIGHT + 1) + face)});
        for (int32_t cell = 0; (cell = mw_next_byte(w->deck, cell, w->count)) < w->count; cell++)
            if (is_kind(&p, cell))
                draw_strips(&p, cell);
        mw_tick(w->run, (uint64_t)w->count / 8 + (uint64_t)w->deck_count);
    }
}

/* Right sides before left ones, all of them before the tops. */
void isles_paint_decks(const struct isles *w)
{
    for (int32_t down = w->canvas->is_raster ? 0 : PLANK; down > 0; down--) {
        paint(w, EAST, false, RIGHT, down);
        paint(w, SOUTH, false, RIGHT, down);
    }
    paint(w, SOUTH, true, RIGHT, 0);
    paint(w, EAST, true, LEFT, 0);
    paint(w, EAST, false, TOP, 0);
    paint(w, SOUTH, false, TOP, 0);
}
