/*
 * faces.c: the tops and sides of a layer.
 *
 * Sides in a straight line are one strip. A viewer that smooths edges would show the background
 * where strips and tops meet: on such a canvas the outline of the layer is painted below them, in
 * the ink of right sides, once just below its tops and once at the foot of its sides.
 *
 * Tops are drawn for one tint after the other. Islands do not touch, so each loop of an outline
 * lies on one island, and the tops of a tint are some of the loops.
 */
#include "isles.h"
#include "kit/integer.h"

enum { ALL_TINTS = -1 };

/* A layer of the land or of the earth. */
struct mass_layer {
    const struct isles *w;
    const struct mass *mass;
    int32_t number;
    int64_t first, past;  /* its cells in the list of the mass */
    struct outline faces; /* that of the world */
};

/* Notes the visible sides of the layer's cells. */
static struct mass_layer open_layer(const struct isles *w, const struct mass *m, int32_t number)
{
    assert(number > 0 && number <= m->most);
    for (int64_t i = m->first[number]; i < m->first[number + 1]; i++)
        for (int side = 0; side < 4; side++)
            w->faces.borders[m->list[i]] |=
                (uint8_t)((m->layers[m->list[i] + w->offset[side]] < number) << side);
    return (struct mass_layer){w, m, number, m->first[number], m->first[number + 1], w->faces};
}

static void close_layer(const struct mass_layer *l)
{
    for (int64_t i = l->first; i < l->past; i++)
        l->faces.borders[l->mass->list[i]] = 0;
}

/* Whether the cell has a visible side there. */
static bool shows(const struct mass_layer *l, int32_t cell, int side)
{
    return l->faces.borders[cell] >> side & 1;
}

/* ---- outlines -------------------------------------------------------------------------------- */

void isles_draw_loop(const struct isles *w, int32_t level, int32_t from, struct outline *outline,
                     int32_t cell, int side)
{
    static const struct cell_shape rhombus = {.x = {ISLES_ACROSS, 0, -ISLES_ACROSS, 0},
                                              .y = {0, ISLES_DOWN, 0, -ISLES_DOWN}};
    canvas_loop(w->canvas, &rhombus, isles_place(w, from, 2, 2, level), outline, cell, side);
}

/* The outlines of the islands of a tint, or of all. */
static void draw_outlines(struct mass_layer *l, int32_t level, int tint, enum ink ink)
{
    const int32_t *list = l->mass->list;
    uint8_t *walked = l->faces.walked;
    canvas_begin(l->w->canvas, (struct pen){.fill = ink});
    for (int64_t i = l->first; i < l->past; i++)
        walked[list[i]] = 0;
    for (int64_t i = l->first; i < l->past; i++)
        for (int side = 0; side < 4 && (tint == ALL_TINTS || l->w->tints[list[i]] == tint); side++)
            if (shows(l, list[i], side) && !(walked[list[i]] >> side & 1))
                isles_draw_loop(l->w, level, list[i], &l->faces, list[i], side);
    mw_tick(l->w->run, (uint64_t)(l->past - l->first));
}

/* ---- sides ----------------------------------------------------------------------------------- */

/* The left sides (SOUTH) or right sides (EAST): those in a straight line are one strip. */
static void draw_sides(const struct mass_layer *l, int side, int32_t level, int32_t thick,
                       enum ink ink)
{
    const bool left = side == SOUTH;
    const int32_t next = left ? 1 : l->w->stride, across = left ? ISLES_ACROSS : -ISLES_ACROSS;
    canvas_begin(l->w->canvas, (struct pen){.fill = ink});
    for (int64_t i = l->first; i < l->past; i++) {
        int32_t cell = l->mass->list[i], n = 0;
        if (shows(l, cell - next, side))
            continue;
        while (shows(l, cell + n * next, side))
            n++;
        mw_tick(l->w->run, (uint64_t)n + 1);
        if (n)
            canvas_parallelogram(
                l->w->canvas, isles_place(l->w, cell, left ? 0 : 4, left ? 4 : 0, level),
                (struct mw_point){n * across, n * ISLES_DOWN}, (struct mw_point){0, thick});
    }
}

/* Left sides overlap those of the same cells and ink below them, to avoid a seam. */
void isles_paint_sides(const struct isles *w, const struct mass *mass, int32_t layer, int32_t level,
                       int32_t thick, enum ink left, enum ink right)
{
    struct mass_layer l = open_layer(w, mass, layer);
    const bool overlap = mass == &w->earth && layer % 2 == 0 && layer < mass->most;
    if (!w->canvas->is_raster) {
        draw_outlines(&l, level - thick, ALL_TINTS, right);
        draw_outlines(&l, level - 1, ALL_TINTS, right);
    }
    draw_sides(&l, EAST, level, thick, right);
    draw_sides(&l, SOUTH, level, thick + overlap, left);
    close_layer(&l);
}

/* ---- tops ------------------------------------------------------------------------------------ */

/* Every other cell without land on it, so that single cells are visible. */
static void draw_others(const struct mass_layer *l, int32_t level, int tint, enum ink ink)
{
    const struct isles *w = l->w;
    canvas_begin(w->canvas, (struct pen){.fill = ink});
    for (int64_t i = l->first; i < l->past; i++) {
        int32_t cell = l->mass->list[i];
        if (l->mass->layers[cell] == l->number && (cell % w->stride + cell / w->stride) % 2 == 0 &&
            w->tints[cell] == tint)
            canvas_parallelogram(w->canvas, isles_place(l->w, cell, 0, 0, level),
                                 (struct mw_point){ISLES_ACROSS, ISLES_DOWN},
                                 (struct mw_point){-ISLES_ACROSS, ISLES_DOWN});
    }
    mw_tick(w->run, (uint64_t)(l->past - l->first));
}

void isles_paint_tops(const struct isles *w, int32_t layer, int32_t level)
{
    struct mass_layer l = open_layer(w, &w->land, layer);
    const enum ink ink = ink_of_layer(layer, w->land.most);
    for (int tint = 0; tint < INK_ISLE_TINTS; tint++) {
        draw_outlines(&l, level, tint, ink_of_top(ink, tint, false));
        draw_others(&l, level, tint, ink_of_top(ink, tint, true));
    }
    close_layer(&l);
}
