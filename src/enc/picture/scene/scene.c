/*
 * scene.c: chooses the drawing of a map, by the first of these parts that it has.
 *
 * A map that is built on another is drawn over the cells of that map, seen from above, and that
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

/* A map that may be tiled is unrolled; under a mask cells are copied. */
struct mw_cost scene_cost(const struct mw_request *request, const struct mw_forecast *f,
                          bool is_raster)
{
    int p;
    const struct scene *scene = scene_of(request->generator, &p);
    const uint64_t cells = request->look.margin ? 0 : 4 * f->cells;
    const struct mw_rows *mask = find_rows(request, MW_LABEL_GRID);
    assert(scene);
    return (struct mw_cost){.steps = mw_sum_unit_costs(f, &scene->steps) + 3 * cells,
                            .bytes = mw_sum_unit_costs(f, &scene->bytes) + 9 * cells +
                                     (mask && mask->count ? 4 * f->cells : 0),
                            .nanoseconds =
                                mw_sum_unit_costs(f, is_raster ? &scene->raster : &scene->vector) +
                                6 * cells};
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
    canvas->is_background = find_grid(map, MW_LABEL_GRID);
    scene_cells.draw(canvas, find_part(request.generator, MW_GRID, MW_LABEL_GRID));
    canvas->map = map;
    canvas->has_names = has_names;
    canvas->is_background = false;
    canvas->under = find_grid(under, MW_LABEL_GRID);
}

void scene_draw(struct canvas *canvas)
{
    int p;
    const struct scene *scene = scene_of(canvas->map->request->generator, &p);
    assert(scene); /* scene_fits has said so */
    draw_under(canvas, canvas->map);
    scene->draw(canvas, p);
    canvas_end(canvas);
}
