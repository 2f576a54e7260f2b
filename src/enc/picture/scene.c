/* scene.c: which drawing suits a map: the first of these parts that it has. */
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

void scene_draw(struct canvas *canvas)
{
    int p;
    const struct scene *scene = scene_of(canvas->map->request->generator, &p);
    assert(scene); /* scene_fits has said so */
    scene->draw(canvas, p);
}
