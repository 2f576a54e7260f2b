/*
 * faces.c: the tops and sides of a layer.
 *
 * The sides of a layer are the area that its outline sweeps when it is moved down. On antialiased
 * canvases they are painted as the outline itself, moved down, in the ink of right sides, so that
 * there are no seams. The swept area has triangles at its leftmost and rightmost corners which the
 * two outlines lack. Those on the left are covered by the left sides. For those on the right the
 * area below the northern edge is painted, the rest of which a top covers.
 *
 * Tops are drawn for one tint after the other. Islands do not touch, so each loop of an outline
 * lies on one island, and the tops of a tint are some of the loops.
 *
 * Where land rises by a layer with each step inland, layers of land and of earth have the same
 * cells: then they share a terrace, whose figures are written once.
 */
#include "isles.h"
#include "kit/integer.h"

static bool has(const struct mass *m, int32_t cell, int32_t layer)
{
    return m->layers[cell] >= layer;
}

static bool shows(const struct terrace *t, int32_t cell, int side)
{
    return has(t->mass, cell, t->layer) && !has(t->mass, cell + t->w->aside[side], t->layer);
}

/* ---- outlines -------------------------------------------------------------------------------- */

/* Clockwise around the layer. */
static void advance(const struct terrace *t, int32_t *cell, int *side)
{
    assert(shows(t, *cell, *side));
    const int32_t *aside = t->w->aside;
    int turn = (*side + 1) % 4;
    int32_t beside = *cell + aside[turn], behind = beside + aside[*side];
    if (!has(t->mass, beside, t->layer)) {
        *side = turn;
    } else if (!has(t->mass, behind, t->layer)) {
        *cell = beside;
    } else {
        *cell = behind;
        *side = (*side + 3) % 4;
    }
}

static void trace_loop(struct canvas *canvas, const struct terrace *t, int32_t cell, int side)
{
    uint8_t *walked = t->w->walked;
    canvas_start(canvas, isles_point(t->w, cell, side == EAST || side == SOUTH ? 4 : 0,
                                     side == SOUTH || side == WEST ? 4 : 0));
    while (!(walked[cell] >> side & 1)) {
        walked[cell] |= (uint8_t)(1 << side);
        canvas_step(canvas, side < WEST ? -ISLES_ACROSS : ISLES_ACROSS,
                    side == EAST || side == NORTH ? ISLES_DOWN : -ISLES_DOWN);
        advance(t, &cell, &side);
        mw_tick(canvas->run, 1);
    }
    canvas_close(canvas);
}

static int tint_at(const struct isles *w, int32_t cell)
{
    int32_t x = cell % w->stride - 1, y = cell / w->stride - 1;
    return w->tints[w->labels->at[y * w->width + x]];
}

/* Outlines of the islands of a tint; -1: of all. */
static void trace_loops(struct canvas *canvas, const struct terrace *t, int tint)
{
    const int32_t *list = t->mass->list;
    int64_t from = t->mass->first[t->layer], to = t->mass->first[t->layer + 1];
    uint8_t *walked = t->w->walked;
    for (int64_t i = from; i < to; i++)
        walked[list[i]] = 0;
    for (int64_t i = from; i < to; i++)
        for (int side = 0; side < 4; side++)
            if (shows(t, list[i], side) && !(walked[list[i]] >> side & 1) &&
                (tint < 0 || tint_at(t->w, list[i]) == tint))
                trace_loop(canvas, t, list[i], side);
    mw_tick(canvas->run, (uint64_t)(to - from));
}

static void trace_outline(struct canvas *canvas, const struct figure *figure)
{
    trace_loops(canvas, figure->of, -1);
}

static void trace_top(struct canvas *canvas, const struct figure *figure)
{
    const struct terrace *t = figure->of;
    trace_loops(canvas, t, (int)(figure - t->tops));
}

/* ---- sides ----------------------------------------------------------------------------------- */

/* Left sides in rows, from their left end. */
static void trace_left(struct canvas *canvas, const struct figure *figure)
{
    const struct terrace *t = figure->of;
    for (int64_t i = t->mass->first[t->layer]; i < t->mass->first[t->layer + 1]; i++) {
        int32_t cell = t->mass->list[i], n = 0;
        while (shows(t, cell + n, SOUTH))
            n++;
        mw_tick(canvas->run, 1);
        if (n)
            canvas_row(canvas, figure, isles_point(t->w, cell, 0, 4), n);
        i += n > 1 ? n - 1 : 0;
    }
}

/* Right sides in rows, from their right end. */
static void trace_right(struct canvas *canvas, const struct figure *figure)
{
    const struct terrace *t = figure->of;
    int32_t along = t->w->stride;
    for (int64_t i = t->mass->first[t->layer]; i < t->mass->first[t->layer + 1]; i++) {
        int32_t cell = t->mass->list[i], n = 0;
        if (shows(t, cell - along, EAST))
            continue;
        while (shows(t, cell + n * along, EAST))
            n++;
        mw_tick(canvas->run, (uint64_t)n + 1);
        if (n)
            canvas_row(canvas, figure, isles_point(t->w, cell, 4, 0), n);
    }
}

/* What outlines lack of right sides: the area below the northern edge of their last cells. */
static void trace_tips(struct canvas *canvas, const struct figure *figure)
{
    const struct terrace *t = figure->of;
    for (int64_t i = t->mass->first[t->layer]; i < t->mass->first[t->layer + 1]; i++) {
        int32_t cell = t->mass->list[i];
        if (shows(t, cell, EAST) && shows(t, cell, NORTH))
            canvas_row(canvas, figure, isles_point(t->w, cell, 0, 0), 1);
    }
    mw_tick(canvas->run, (uint64_t)(t->mass->first[t->layer + 1] - t->mass->first[t->layer]));
}

/* Every other cell without land on it, so that single cells are visible. */
static void trace_others(struct canvas *canvas, const struct figure *figure)
{
    const struct terrace *t = figure->of;
    const struct isles *w = t->w;
    for (int64_t i = t->mass->first[t->layer]; i < t->mass->first[t->layer + 1]; i++) {
        int32_t cell = t->mass->list[i];
        if (t->mass->layers[cell] != t->layer || (cell % w->stride + cell / w->stride) % 2 ||
            tint_at(w, cell) != figure - t->others)
            continue;
        canvas_start(canvas, isles_point(w, cell, 0, 0));
        canvas_step(canvas, ISLES_ACROSS, ISLES_DOWN);
        canvas_step(canvas, -ISLES_ACROSS, ISLES_DOWN);
        canvas_step(canvas, -ISLES_ACROSS, -ISLES_DOWN);
        canvas_close(canvas);
    }
    mw_tick(canvas->run, (uint64_t)(t->mass->first[t->layer + 1] - t->mass->first[t->layer]));
}

/* ---- terraces -------------------------------------------------------------------------------- */

static struct terrace *terrace_of(struct isles *w, const struct mass *mass, int32_t layer)
{
    static const struct mw_point east = {ISLES_ACROSS, ISLES_DOWN},
                                 south = {-ISLES_ACROSS, ISLES_DOWN}, down = {0, 2 * ISLES_DOWN};
    bool shared = w->terraced && layer / 2 < w->land.most;
    int32_t n = mass == &w->land ? layer : layer / 2 + 1 + (shared ? 0 : w->land.most);
    assert(layer >= 0 && layer <= mass->most);
    struct terrace *t = &w->terraces[n];
    if (t->mass)
        return t;
    *t = (struct terrace){
        .w = w,
        .mass = mass,
        .layer = layer,
        .outline = {.trace = trace_outline, .of = t, .along = east, .across = south},
        .left = {.trace = trace_left, .of = t, .along = east, .across = down, .rows = true},
        .right = {.trace = trace_right, .of = t, .along = south, .across = down, .rows = true},
        .tips = {.trace = trace_tips, .of = t, .along = east, .across = down, .rows = true},
    };
    for (int i = 0; i < INK_ISLE_TINTS; i++) {
        t->tops[i] = t->others[i] = t->outline;
        t->tops[i].trace = trace_top;
        t->others[i].trace = trace_others;
    }
    return t;
}

/* Paints sides as moved outlines and tips. Two more outlines in between avoid seams where these
   meet; in coarse pictures one outline half way down replaces the tips. */
static void paint_swept(struct terrace *t, struct placement placement)
{
    const bool coarse = t->w->coarse;
    const int32_t y = placement.at.y, thick = placement.wide.y,
                  downs[] = {thick, coarse ? thick / 2 : thick - 1, 1};
    if (!coarse)
        canvas_paint(t->w->canvas, &t->tips, placement);
    for (int i = 0; i < (coarse ? 2 : 3); i++) {
        placement.at.y = y + downs[i];
        canvas_paint(t->w->canvas, &t->outline, placement);
    }
}

/* Left sides overlap those of the same cells and ink below them, to avoid a seam. */
void isles_paint_sides(struct isles *w, const struct mass *mass, int32_t layer, int32_t level,
                       int32_t thick, enum ink left, enum ink right)
{
    struct terrace *t = terrace_of(w, mass, layer);
    struct placement placement = {.ink = right, .at = isles_at(w, level), .wide = {0, thick}};
    if (w->canvas->antialiased)
        paint_swept(t, placement);
    else
        canvas_paint(w->canvas, &t->right, placement);
    placement.ink = left;
    placement.wide.y += mass == &w->earth && layer % 2 == 0 && layer < mass->most;
    canvas_paint(w->canvas, &t->left, placement);
}

static void paint_tint(struct terrace *t, enum ink ink, int32_t level, int tint)
{
    const struct isles *w = t->w;
    struct canvas *c = w->canvas;
    struct placement placement = {.ink = ink_of_top(ink, tint, false), .at = isles_at(w, level)};
    canvas_paint(c, &t->tops[tint], placement);
    placement.ink = ink_of_top(ink, tint, true);
    if (c->verbs->chequer)
        c->verbs->chequer(c, &t->tops[tint], &placement,
                          (struct mw_point){w->stride, w->height + 2});
    else
        canvas_paint(c, &t->others[tint], placement);
}

void isles_paint_tops(struct isles *w, int32_t layer, int32_t level)
{
    struct terrace *t = terrace_of(w, &w->land, layer);
    for (int tint = 0; tint < INK_ISLE_TINTS; tint++)
        paint_tint(t, ink_of_layer(layer, w->land.most), level, tint);
}
