/*
 * decks.c: bridges, as planks level with the first layer.
 *
 * A deck is the middle of its cell, half as wide as the cell, with arms to the neighbours that it
 * leads to. So decks in a line are strips, to the east or to the south. Sides of strips end where
 * arms begin. On antialiased canvases the right sides are the moved outline, as those of land are;
 * in coarse pictures the left sides are the tops, moved down to the left.
 *
 * A plank is as thick as its distance from the rim of its cell. So a ray from a plank's side
 * reaches the top of the layer before it could pass a visible side of another cell, and painting
 * planks after the sides of the land and before its tops is correct.
 */
#include "isles.h"

/* Units; quarters of a cell. */
enum { PLANK = 2, NEAR = 1, FAR = 3, WHOLE = 4 };
enum { TOP, LEFT, RIGHT, INKS };
_Static_assert((int)PLANK <= 2 * (int)ISLES_DOWN / 4, "sides would overlap");

/* What a figure of decks shows. */
struct planks {
    const struct isles *w;
    int kind, along; /* strips lead east or south */
    bool edge;       /* sides, not tops */
};

/* Whether a deck leads to that side: to land, or along a bridge. */
static bool leads(const struct isles *w, int32_t cell, int side)
{
    int32_t next = cell + w->aside[side];
    return w->land.layers[next] || w->deck[cell] & DECK_WAY << side;
}

static bool is_kind(const struct planks *p, int32_t cell)
{
    return (p->w->deck[cell] & DECK_KIND) == p->kind;
}

/* Whether the strip continues with the next deck on that side. */
static bool goes_on(const struct planks *p, int32_t cell, int side)
{
    return leads(p->w, cell, side) && is_kind(p, cell + p->w->aside[side]);
}

/* From one quarter to another, counted along the strip from the start of the cell. */
static void trace_row(struct canvas *canvas, const struct figure *figure, int32_t cell,
                      int32_t from, int32_t to)
{
    const struct planks *p = figure->of;
    bool east = p->along == EAST;
    if (from < to)
        canvas_row(canvas, figure, isles_point(p->w, cell, east ? from : 0, east ? 0 : from),
                   to - from);
}

/* Sides end where an arm begins. Returns where the rest begins. */
static int32_t trace_edges(struct canvas *canvas, const struct figure *figure, int32_t first,
                           int32_t count, int32_t from)
{
    const struct planks *p = figure->of;
    for (int32_t i = 0; i < count; i++)
        if (leads(p->w, first + i * p->w->aside[p->along], !p->along)) {
            trace_row(canvas, figure, first, from, WHOLE * i + NEAR);
            from = WHOLE * i + FAR;
        }
    return from;
}

/* A single middle is drawn by the strip across it, if that has an arm. On antialiased canvases only
   the tip of right sides is drawn here; where a strip begins at land it is less than a unit. */
static void trace_strip(struct canvas *canvas, const struct figure *figure, int32_t first,
                        int32_t count)
{
    const struct planks *p = figure->of;
    const struct isles *w = p->w;
    assert(count > 0 && w->deck[first]);
    int32_t last = first + (count - 1) * w->aside[p->along];
    int32_t from = leads(w, first, p->along + 2) ? 0 : NEAR,
            to = WHOLE * count - (leads(w, last, p->along) ? 0 : NEAR);
    bool after = leads(w, first, !p->along), across = after || leads(w, first, !p->along + 2);
    if (!p->edge)
        from = across && to - from == FAR - NEAR ? to : from;
    else if (canvas->antialiased && p->along == SOUTH)
        to = from && !after ? from + 1 : from;
    else
        from = trace_edges(canvas, figure, first, count, from);
    trace_row(canvas, figure, first, from, to);
}

static void trace_strips(struct canvas *canvas, const struct figure *figure)
{
    const struct planks *p = figure->of;
    const struct isles *w = p->w;
    for (int32_t i = 0; i < w->deck_count; i++) {
        int32_t cell = w->decks[i], count = 1;
        if (!is_kind(p, cell) || goes_on(p, cell, p->along + 2))
            continue;
        while (goes_on(p, cell + (count - 1) * w->aside[p->along], p->along))
            count++;
        trace_strip(canvas, figure, cell, count);
        mw_tick(canvas->run, (uint64_t)count);
    }
    mw_tick(canvas->run, (uint64_t)w->deck_count);
}

/* `from`: the position of 0, 0; the upper edges of sides are level with tops. */
static void paint(const struct isles *w, struct figure *figure, int face, struct mw_point from)
{
    const struct planks *p = figure->of;
    int32_t aside = p->edge ? FAR : NEAR, east = p->along == EAST ? 0 : aside;
    const struct mw_point at = isles_point(w, 0, east, aside - east), across = figure->across;
    canvas_paint(w->canvas, figure,
                 (struct placement){.ink = (enum ink)(INK_DECK + (p->kind - DECK) * INKS + face),
                                    .at = {from.x + at.x, from.y + at.y},
                                    .wide = across.x ? (struct mw_point){across.x / 2, across.y / 2}
                                                     : (struct mw_point){0, PLANK}});
}

/* Right sides before left ones, all of them before the tops. */
void isles_paint_decks(struct isles *w)
{
    static const struct mw_point ways[] = {{ISLES_ACROSS, ISLES_DOWN}, {-ISLES_ACROSS, ISLES_DOWN}};
    enum { RIGHTS = 4, LEFTS = 6, FIGURES = 8 }; /* figures before RIGHTS are tops */
    struct planks planks[FIGURES];
    struct figure figures[FIGURES];
    for (int i = 0; i < FIGURES; i++) {
        int along = i / 2 % 3 ? SOUTH : EAST;
        planks[i] = (struct planks){w, DECK + i % 2, along, i >= RIGHTS};
        figures[i] = (struct figure){.trace = trace_strips,
                                     .of = &planks[i],
                                     .along = {ways[along].x / WHOLE, ISLES_DOWN / WHOLE},
                                     .across = i < RIGHTS ? ways[!along]
                                                          : (struct mw_point){0, 2 * ISLES_DOWN},
                                     .rows = true};
    }
    if (!w->deck_count)
        return;
    const struct mw_point top = isles_at(w, ISLES_RISE);
    for (int down = w->canvas->antialiased ? PLANK : 0; down > (w->coarse ? 1 : 0); down--)
        for (int i = 0; i < RIGHTS; i++)
            paint(w, &figures[i], RIGHT, (struct mw_point){top.x, top.y + down});
    for (int i = w->coarse ? 0 : RIGHTS; i < (w->coarse ? RIGHTS : FIGURES); i++)
        paint(w, &figures[i], i < RIGHTS || i >= LEFTS ? LEFT : RIGHT,
              w->coarse ? (struct mw_point){top.x - PLANK, top.y + PLANK / 2} : top);
    for (int i = 0; i < RIGHTS; i++)
        paint(w, &figures[i], TOP, top);
}
