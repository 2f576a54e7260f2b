/*
 * trees.c: scattered trees.
 *
 * Their cells depend on a cell's number and height alone. No two are neighbors, and none is on the
 * route. The page plants the same ones (src/web/draw/world.js).
 *
 * A tree is a trunk and two cones: the lower is within the layer above its land, the upper within
 * the next. Each is painted with its layer, after the sides and before the tops, as decks are, so
 * that nearer things cover it correctly. Trees on one layer are so far apart that cones of the same
 * height do not overlap, so all of them are one figure for each ink.
 */
#include "isles.h"
#include "kit/integer.h"
#include "kit/noise.h"

enum { TRUNK = 3, LIGHT = 0, SHADE = 1, CONE = 2 }; /* units; inks of a cone */

const struct isles_cone isles_trees[ISLES_TREES][2] = {
    {{2, 8, 3}, {7, 10, 2}}, {{2, 9, 4}, {7, 11, 3}}, {{2, 9, 5}, {7, 12, 4}}};
enum { HIGHEST = 12 };
_Static_assert((int)HIGHEST == 2 * (int)ISLES_RISE, "a cone would reach beyond its layer");

static const struct isles_cone *cones_of(uint32_t number)
{
    return isles_trees[mw_noise_below(number + 77, ISLES_TREES)];
}

static uint32_t number_of(const struct isles *w, int32_t cell)
{
    assert(cell >= 0 && cell < w->count);
    return (uint32_t)((cell / w->stride - 1) * w->width + cell % w->stride - 1);
}

static bool takes_root(uint32_t number)
{
    return mw_noise_below(3 * number + 5, ISLES_TREE_CELLS) == 0;
}

static bool may_have(const struct isles *w, int32_t cell)
{
    uint32_t number = number_of(w, cell), width = (uint32_t)w->width;
    int32_t height = w->land.layers[cell];
    return height && height <= mw_max(2, w->land.most / 2) && takes_root(number) &&
           !takes_root(number - 1) && !takes_root(number - width);
}

void isles_plant(struct isles *w)
{
    w->trees = MW_NEW(w->run, bool, w->count);
    for (int32_t cell = 0; cell < w->count; cell++)
        w->trees[cell] = may_have(w, cell);
    for (int32_t i = 0; i < w->route_length; i++)
        w->trees[w->route[i]] = false;
    mw_tick(w->run, (uint64_t)w->count);
}

/* In the middle of its cell or slightly to the rear: then a ray from a cone leaves the layer before
   it could pass a side of a nearer cell. */
static struct mw_point foot_of(const struct isles *w, int32_t cell)
{
    static const struct mw_point quarters[] = {{1, 1}, {1, 2}, {2, 1}};
    const struct mw_point off = quarters[mw_noise_below(number_of(w, cell) + 3, 3)];
    return isles_place(w, cell, off.x, off.y, w->land.layers[cell] * ISLES_RISE);
}

int32_t isles_treetop(const struct isles *w, int32_t cell)
{
    return foot_of(w, cell).y - cones_of(number_of(w, cell))[1].tip;
}

/* The whole cone, or the half in the shade. */
static void draw_cone(struct canvas *c, struct mw_point foot, struct isles_cone cone, bool is_shade)
{
    int32_t high = cone.tip - cone.rim, half = cone.half;
    assert(high > 0 && cone.tip <= HIGHEST);
    canvas_move(c, (struct mw_point){foot.x - (is_shade ? 0 : half),
                                     foot.y - (is_shade ? cone.tip : cone.rim)});
    if (!is_shade)
        canvas_step(c, half, -high);
    canvas_step(c, half, high);
    canvas_step(c, -half, 1);
    canvas_close(c);
}

/* One part of all trees on a layer: trunks, or lower or upper cones. */
static void paint_parts(struct isles *w, int32_t layer, struct pen pen, int height)
{
    struct canvas *c = w->canvas;
    canvas_begin(c, pen);
    for (int64_t i = w->land.first[layer]; i < w->land.first[layer + 1]; i++) {
        int32_t cell = w->land.list[i];
        if (!w->trees[cell] || w->land.layers[cell] != layer)
            continue;
        const struct mw_point foot = foot_of(w, cell);
        if (pen.line) {
            canvas_move(c, foot);
            canvas_step(c, 0, -TRUNK);
        } else {
            draw_cone(c, foot, cones_of(number_of(w, cell))[height],
                      (int)pen.fill % 2 != INK_TREE % 2);
        }
    }
    mw_tick(w->run, (uint64_t)(w->land.first[layer + 1] - w->land.first[layer]));
}

static void paint_cones(struct isles *w, int32_t layer, int height)
{
    for (int shade = LIGHT; shade <= SHADE; shade++)
        paint_parts(w, layer, (struct pen){.fill = (enum ink)(INK_TREE + CONE * height + shade)},
                    height);
}

void isles_paint_trees(struct isles *w, int32_t layer)
{
    if (!w->trees)
        return;
    if (layer >= 3 && layer - 2 <= w->land.most)
        paint_cones(w, layer - 2, 1);
    if (layer < 2 || layer - 1 > w->land.most)
        return;
    paint_parts(w, layer - 1, (struct pen){.line = INK_WOOD, .tenths = 10}, 0);
    paint_cones(w, layer - 1, 0);
}
