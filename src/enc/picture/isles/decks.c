/*
 * decks.c: bridges, as planks level with the first layer.
 *
 * A deck is the middle of its cell, half as wide as the cell, with arms to the neighbors that it
 * leads to. So decks in a line are strips, to the east or to the south. Sides of strips end where
 * arms begin. On antialiased canvases the tops are painted below their sides, too, to leave no
 * seam.
 *
 * A plank is as thick as its distance from the rim of its cell. So a ray from a plank's side
 * reaches the top of the layer before it could pass a visible side of another cell, and painting
 * planks after the sides of the land and before its tops is correct.
 */
#include "isles.h"
#include "kit/integer.h"

/* Units; quarters of a cell. */
enum { PLANK = 2, NEAR = 1, FAR = 3, WHOLE = 4 };
_Static_assert((int)PLANK <= 2 * (int)ISLES_DOWN / 4, "sides would overlap");

/* Strips of decks of a kind, tops or sides. */
struct planks {
    const struct isles *w;
    int kind, along;               /* strips lead east or south */
    bool edge;                     /* sides, not tops */
    int32_t level, inset;          /* units; quarters of a cell from its far side */
    struct mw_point quarter, wide; /* a step along the strip, and across it */
};

/* Whether a deck leads to that side: to land, or along a bridge. */
static bool leads(const struct isles *w, int32_t cell, int side)
{
    int32_t next = cell + w->offset[side];
    return w->land.layers[next] || w->deck[cell] & DECK_WAY << side;
}

static bool is_kind(const struct planks *p, int32_t cell)
{
    return (p->w->deck[cell] & DECK_KIND) == p->kind;
}

/* Whether the strip continues with the next deck on that side. */
static bool goes_on(const struct planks *p, int32_t cell, int side)
{
    return leads(p->w, cell, side) && is_kind(p, cell + p->w->offset[side]);
}

/* From one quarter to another, counted along the strip from the start of the cell. */
static void draw_piece(const struct planks *p, int32_t cell, int32_t from, int32_t to)
{
    const bool east = p->along == EAST;
    if (from < to)
        canvas_parallelogram(
            p->w->canvas,
            isles_place(p->w, cell, east ? from : p->inset, east ? p->inset : from, p->level),
            (struct mw_point){(to - from) * p->quarter.x, (to - from) * p->quarter.y}, p->wide);
}

/* Sides end where an arm begins. Returns where the rest begins. */
static int32_t draw_edges(const struct planks *p, int32_t first, int32_t count, int32_t from)
{
    for (int32_t i = 0; i < count; i++)
        if (leads(p->w, first + i * p->w->offset[p->along], !p->along)) {
            draw_piece(p, first, from, WHOLE * i + NEAR);
            from = WHOLE * i + FAR;
        }
    return from;
}

/* A single middle is drawn by the strip across it, if that has an arm. */
static void draw_strip(const struct planks *p, int32_t first, int32_t count)
{
    const struct isles *w = p->w;
    assert(count > 0 && w->deck[first]);
    int32_t last = first + (count - 1) * w->offset[p->along];
    int32_t from = leads(w, first, p->along + 2) ? 0 : NEAR,
            to = WHOLE * count - (leads(w, last, p->along) ? 0 : NEAR);
    bool across = leads(w, first, !p->along) || leads(w, first, !p->along + 2);
    if (p->edge)
        from = draw_edges(p, first, count, from);
    else if (across && to - from == FAR - NEAR)
        from = to;
    draw_piece(p, first, from, to);
}

static void draw_strips(const struct planks *p)
{
    const struct isles *w = p->w;
    for (int32_t cell = 0; (cell = mw_next_byte(w->deck, cell, w->count)) < w->count; cell++) {
        int32_t count = 1;
        if (!is_kind(p, cell) || goes_on(p, cell, p->along + 2))
            continue;
        while (goes_on(p, cell + (count - 1) * w->offset[p->along], p->along))
            count++;
        draw_strip(p, cell, count);
        mw_tick(w->run, (uint64_t)count);
    }
    mw_tick(w->run, (uint64_t)w->count / 8 + (uint64_t)w->deck_count);
}

/* The strips in a direction, `down` below the first layer; upper edges of sides are level with
   tops. */
static void paint(const struct isles *w, int along, bool edge, int face, int32_t down)
{
    const int32_t x = along == EAST ? ISLES_ACROSS : -ISLES_ACROSS;
    struct planks p = {.w = w,
                       .along = along,
                       .edge = edge,
                       .level = ISLES_RISE - down,
                       .inset = edge ? FAR : NEAR,
                       .quarter = {x / WHOLE, ISLES_DOWN / WHOLE},
                       .wide = {edge ? 0 : -x / 2, edge ? PLANK : ISLES_DOWN / 2}};
    for (p.kind = DECK; p.kind <= DECK_LIT; p.kind++) {
        canvas_begin(w->canvas, (struct pen){.fill = (enum ink)(
                                                 INK_DECK + (p.kind - DECK) * (RIGHT + 1) + face)});
        draw_strips(&p);
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
