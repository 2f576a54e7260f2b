/* png.c: the picture as PNG. */
#include "enc/picture/scene/scene.h"
#include "enc/png_file.h"
#include "raster.h"

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct picture *picture = MW_NEW(run, struct picture, 1);
    raster_scene(run, map, picture);
    png_put(run, picture, map->request);
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* Tables of mixtures and tokens; the usual time to fill them. */
enum { BASE_BYTES = 3 << 19, BASE_NANOSECONDS = 300000 };

/* Each mixture may be compared with all colours. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    int p;
    const struct scene *scene = scene_of(request->generator, &p);
    struct extent extent = raster_extent(&request->look, scene->sheet(f));
    uint64_t pixels = extent.pixels;
    uint64_t compared = scene->mixtures * PICTURE_COLOURS / 8;
    struct mw_cost more = scene_unrolling(&request->look, f);
    return (struct mw_cost){.steps = compared + mw_sum_unit_costs(f, &scene->steps) + 3 * pixels +
                                     more.steps,
                            .bytes = BASE_BYTES + mw_sum_unit_costs(f, &scene->bytes) +
                                     extent.bytes + 6 * pixels + more.bytes,
                            .nanoseconds = BASE_NANOSECONDS + mw_sum_unit_costs(f, &scene->raster) +
                                           4 * pixels + more.nanoseconds};
}

const struct mw_encoder mw_png = {.name = "png",
                                  .media = "image/png",
                                  .help = MW_PROSE("a picture, for people"),
                                  .look_mask = SCENE_LOOK_MASK,
                                  .fits = scene_fits,
                                  .forecast = forecast,
                                  .encode = encode};
