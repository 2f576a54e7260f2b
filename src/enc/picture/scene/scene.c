/*
 * scene.c: chooses the drawing of a map, by the first of these parts that it has.
 *
 * A map that stands on another is drawn over the other's cells, which are seen from above, and that
 * over the map below it in turn. A map underneath has no names and no labels; under a grid of cells
 * it is a pale background.
 */
#include "scene.h"

static const struct scene *const scenes[] = {&scene_isles, &scene_cells, &scene_graph,
                                             &scene_board};

const struct scene *scene_of(const struct mw_generator *generator, int *p)
{
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        *p = find_part(generator, scenes[i]->kind, scenes[i]->role);
        if (*p >= 0)
            return scenes[i];
    }
    return NULL;
}

bool scene_fits(const struct mw_generator *generator)
{
    int p;
    return scene_of(generator, &p) != NULL;
}

struct mw_cost scene_unrolling(const struct mw_look *look, const struct mw_forecast *f)
{
    uint64_t cells = look->margin ? 0 : 4 * f->cells;
    return (struct mw_cost){.steps = 3 * cells, .bytes = 9 * cells, .nanoseconds = 6 * cells};
}

/* From the lowest map up: there are at most eight. */
static void draw_under(struct canvas *canvas, const struct mw_map *map)
{
    const struct mw_map *under = find_under(map);
    if (!under)
        return;
    struct mw_request request = *under->request;
    const struct mw_map seen = {&request, under->slots};
    const bool has_names = canvas->has_names;
    request.look = map->request->look;
    request.look.labels = request.look.grid_lines = false;
    draw_under(canvas, &seen);
    canvas->map = &seen;
    canvas->has_names = false;
    canvas->is_background = find_cells(map);
    scene_cells.draw(canvas, find_part(request.generator, MW_GRID, MW_LABEL_GRID));
    canvas->map = map;
    canvas->has_names = has_names;
    canvas->is_background = false;
    canvas->under = find_cells(under);
}

void scene_draw(struct canvas *canvas)
{
    int p;
    const struct scene *scene = scene_of(canvas->map->request->generator, &p);
    assert(scene); /* scene_fits has said so */
    draw_under(canvas, canvas->map);
    scene->draw(canvas, p);
}
