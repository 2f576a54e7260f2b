/*
 * isles_decks.c: bridges, as planks level with the first layer.
 *
 * A deck is the middle of its cell, half as wide as that, with arms to where it leads. So decks
 * that lead on to each other are strips, to the east and to the south. Strips go on under the tops
 * of land that they lead to. Sides end where arms leave; those to the right are swept as the sides
 * of land are, with the edge to the north where a deck has a corner there.
 *
 * Planks are as thick as they are far from the rim of their cells: a ray that comes up from a
 * plank's side is at the top of the layer before it could leave the land of another cell by a side
 * that is seen. So planks are painted after the sides of the land, and before its tops.
 */
#include "isles.h"

/* Units; quarters of a cell. */
enum { PLANK = 2, NEAR = 1, FAR = 3, WHOLE = 4 };
enum { TOP, LEFT, RIGHT, INKS };
enum { STRIPS = 4 }; /* of two kinds, two ways */
_Static_assert((int)PLANK <= 2 * (int)ISLES_DOWN / 4, "sides would overlap");

/* Of the decks of a kind the strips that lead east or south, and their sides to the south or east
   then. */
struct planks {
    const struct isles *w;
    int kind, ink, along, side;
    struct figure top, edge, tips;
};

/* Whether a deck leads on to that side: to land, or along a way. */
static bool leads(const struct isles *w, int32_t cell, int side)
{
    int32_t next = cell + w->aside[side];
    return w->land.layers[next] || w->deck[cell] & DECK_WAY << side;
}

static bool is_kind(const struct planks *p, int32_t cell)
{
    return (p->w->deck[cell] & DECK_KIND) == p->kind;
}

/* Whether the strip goes on to the next deck on that side. */
static bool goes_on(const struct planks *p, int32_t cell, int side)
{
    return leads(p->w, cell, side) && is_kind(p, cell + p->w->aside[side]);
}

/* From a quarter of the cell, counted along the strip, to another, which may be of a cell farther
   on. */
static void trace_row(struct canvas *canvas, const struct figure *figure, int32_t cell,
                      int32_t from, int32_t to)
{
    const struct planks *p = figure->of;
    bool east = p->along == EAST;
    if (from < to)
        canvas_row(canvas, figure, isles_point(p->w, cell, east ? from : 0, east ? 0 : from),
                   to - from);
}

/* A middle alone is left to the strip across, if that has an arm. */
static void trace_top(struct canvas *canvas, const struct figure *figure, int32_t first,
                      int32_t last, int32_t count)
{
    const struct planks *p = figure->of;
    int side = p->side, back = p->along + 2;
    bool before = leads(p->w, first, back), after = leads(p->w, last, p->along);
    int32_t under = p->w->land.layers[last + p->w->aside[p->along]] ? NEAR : 0;
    if (count > 1 || before || after ||
        !(leads(p->w, first, side) || leads(p->w, first, (side + 2) % 4)))
        trace_row(canvas, figure, first, before ? 0 : NEAR,
                  WHOLE * count - (after ? -under : NEAR));
}

/* Sides end where an arm leaves. */
static void trace_edge(struct canvas *canvas, const struct figure *figure, int32_t first,
                       int32_t last, int32_t count)
{
    const struct planks *p = figure->of;
    int32_t from = leads(p->w, first, p->along + 2) ? 0 : NEAR, cell = first;
    for (int32_t i = 0; i < count; i++, cell += p->w->aside[p->along])
        if (leads(p->w, cell, p->side)) {
            trace_row(canvas, figure, first, from, WHOLE * i + NEAR);
            from = WHOLE * i + FAR;
        }
    trace_row(canvas, figure, first, from,
              WHOLE * count - (leads(p->w, last, p->along) ? 0 : NEAR));
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
        (figure == &p->top ? trace_top : trace_edge)(
            canvas, figure, cell, cell + (count - 1) * w->aside[p->along], count);
        mw_tick(canvas->run, (uint64_t)count);
    }
    mw_tick(canvas->run, (uint64_t)w->deck_count);
}

static void trace_tips(struct canvas *canvas, const struct figure *figure)
{
    const struct planks *p = figure->of;
    for (int32_t i = 0; i < p->w->deck_count; i++) {
        int32_t cell = p->w->decks[i];
        if (is_kind(p, cell) && !leads(p->w, cell, EAST) && !leads(p->w, cell, NORTH))
            trace_row(canvas, figure, cell, NEAR, FAR);
    }
    mw_tick(canvas->run, (uint64_t)p->w->deck_count);
}

static struct planks planks_of(const struct isles *w, int kind, int along)
{
    static const struct mw_point ways[] = {{ISLES_ACROSS, ISLES_DOWN}, {-ISLES_ACROSS, ISLES_DOWN}};
    struct figure rows = {
        .along = {ways[along].x / WHOLE, ISLES_DOWN / WHOLE}, .across = ways[!along], .rows = true};
    int ink = INK_DECK + (kind - DECK) * INKS;
    struct planks planks = {w, kind, ink, along, !along, .top = rows, .edge = rows, .tips = rows};
    planks.top.trace = planks.edge.trace = trace_strips;
    planks.tips.trace = trace_tips;
    planks.edge.across = planks.tips.across = (struct mw_point){0, 2 * ISLES_DOWN};
    return planks;
}

static void paint(struct planks *p, struct figure *figure, int face, int32_t level)
{
    int32_t aside = figure == &p->edge ? FAR : NEAR, east = p->along == EAST ? 0 : aside;
    const struct mw_point from = isles_at(p->w, level),
                          at = isles_point(p->w, 0, east, aside - east),
                          half = {p->top.across.x / 2, p->top.across.y / 2};
    figure->of = p;
    canvas_paint(p->w->canvas, figure,
                 (struct coat){.ink = (enum ink)(p->ink + face),
                               .at = {from.x + at.x, from.y + at.y},
                               .wide = figure == &p->top ? half : (struct mw_point){0, PLANK}});
}

/* Under all edges of the strips there is something of them. */
static void paint_swept(struct planks *p)
{
    if (p->along == EAST)
        paint(p, &p->tips, RIGHT, ISLES_RISE);
    for (int32_t down = PLANK; down > 0; down--)
        paint(p, &p->top, RIGHT, ISLES_RISE - down);
}

/* Right sides before left ones, all of them before the tops. */
void isles_paint_decks(struct isles *w)
{
    struct planks planks[STRIPS];
    if (!w->deck_count)
        return;
    for (int i = 0; i < STRIPS; i++)
        planks[i] = planks_of(w, DECK + i % 2, i / 2);
    for (int i = 0; w->canvas->smooths && i < STRIPS; i++)
        paint_swept(&planks[i]);
    for (int i = w->canvas->smooths ? 1 : STRIPS - 1; i >= 0; i--)
        paint(&planks[i], &planks[i].edge, planks[i].side == SOUTH ? LEFT : RIGHT, ISLES_RISE);
    for (int i = 0; i < STRIPS; i++)
        paint(&planks[i], &planks[i].top, TOP, ISLES_RISE);
}
