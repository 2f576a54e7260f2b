/*
 * vox.c: land of different heights as voxels, for MagicaVoxel.
 *
 * A file is `VOX `, its version and a chunk MAIN that holds all the others; a chunk is four
 * letters, the sizes of its content and of the chunks within, then these. Numbers have 32 bits,
 * little-endian.
 *
 *     SIZE XYZI ...      the models: at most 256 voxels a side, four bytes a voxel: x, y, z, color
 *     nTRN nGRP          a group of all, moved nowhere
 *     nTRN nSHP ...      for each model the position of its middle, and the model
 *     RGBA               the colors from number 1 on
 *
 * z goes up and axes are right-handed: so that the world seen from above is the map, y counts from
 * its last row. Larger worlds are cut into cubes of 256 voxels, or of as many as whole cells have;
 * empty cubes are left out. All together they are centered in x and y, and begin at z = 0.
 *
 * A cell of height h is a column of h cubes, each as many voxels a side as the look's `voxel`, in
 * the colors of land in drawings; the lowest has the green of the program that islands come from.
 * Bridges are planks on the lowest layer, and each named mark has a pole.
 */
#include "enc/bytes.h"
#include "enc/find.h"
#include "enc/ink.h"
#include "kit/integer.h"

enum { SIDE = 256, POLE = 3 };
/* Palette indices; 0 means no voxel. */
enum { LAND = 1, PLANK = LAND + 2 * INK_LANDS, POLES, COLORS = 256 };

struct voxels {
    struct mw_run *run;
    const struct mw_cells *cells, *heights;
    uint8_t *poles;    /* by cell: the color, 0: none */
    int32_t extent[3]; /* in cells */
    int32_t along;     /* voxels along a cell */
    int32_t side;      /* cells along a model, at most */
};
/* A model: the cells from a corner on, counted from the last row. */
struct model {
    int32_t corner[3];
};

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Writes `count` numbers. */
static void put_numbers(struct mw_run *run, const int32_t *numbers, int count)
{
    for (int i = 0; i < count; i++)
        bytes_put_little(run, (uint32_t)numbers[i]);
}

/* Begins a chunk; the result is passed to end_chunk. */
static char *begin_chunk(struct mw_run *run, const char *name)
{
    mw_put(run, name);
    char *sizes = mw_reserve_output(run, 8);
    put_numbers(run, (const int32_t[]){0, 0}, 2);
    return sizes;
}

/* Stores the size of what was written since: of content or, with `within`, of child chunks. */
static void end_chunk(struct mw_run *run, char *sizes, bool within)
{
    ptrdiff_t size = run->bottom - (sizes + 8);
    assert(size >= 0);
    if (size > INT32_MAX)
        mw_fail(run, MW_TOO_BIG, "",
                "is %lld bytes of voxels, and the format counts up to %d: ask for less land",
                (long long)size, INT32_MAX);
    bytes_write_little(within ? sizes + 4 : sizes, (uint32_t)size, 4);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* The color of a layer of land; every other cell is a shade lighter. */
static int32_t land_color(const struct voxels *w, int32_t layer, bool other)
{
    const enum ink ink = ink_of_layer(layer + 1, w->extent[2] - POLE);
    return LAND + ((int32_t)ink - INK_LAND) / 2 + other;
}

/* The color of a cell's cube in a layer; 0: there is none. */
static int32_t color_at(const struct voxels *w, struct mw_point at, int32_t layer)
{
    int32_t cell = at.y * w->cells->lattice.width + at.x, label = w->cells->at[cell];
    int32_t height = label > 0 ? w->heights->at[cell] : label < 0;
    if (layer < height)
        return label < 0 ? PLANK : land_color(w, layer, (at.x + at.y) & 1);
    return layer < height + POLE ? w->poles[cell] : 0;
}

static char *write_voxel(char *to, int32_t x, int32_t y, int32_t z, int32_t color)
{
    assert(x >= 0 && x < SIDE && y >= 0 && y < SIDE && z >= 0 && z < SIDE);
    assert(color > 0 && color < 128); /* the sign bit stays clear */
    return bytes_write_little(to, (uint32_t)(color << 24 | z << 16 | y << 8 | x), 4);
}

/* Its cells along an axis. */
static int32_t size_of(const struct voxels *w, const struct model *m, int axis)
{
    return mw_min(w->extent[axis] - m->corner[axis], w->side);
}

/* The voxels above one place of a model. */
static void put_column(const struct voxels *w, const struct model *m, int32_t layers, int32_t x,
                       int32_t y)
{
    struct mw_point at = {m->corner[0] + x / w->along,
                          w->extent[1] - 1 - (m->corner[1] + y / w->along)};
    int32_t color, z = 0;
    char *to = mw_reserve_output(w->run, SIDE * 4);
    for (; z < layers && (color = color_at(w, at, m->corner[2] + z)) != 0; z++)
        for (int32_t k = 0; k < w->along; k++)
            to = write_voxel(to, x, y, z * w->along + k, color);
    mw_tick(w->run, (uint64_t)(z * w->along) + 1);
    mw_end_output(w->run, to);
}

/* Writes a model; returns false, and writes nothing, if it is empty. */
static bool put_model(const struct voxels *w, const struct model *m)
{
    struct mw_run *run = w->run;
    char *before = run->bottom, *sizes = begin_chunk(run, "SIZE");
    const int32_t layers = size_of(w, m, 2);
    const int32_t size[] = {size_of(w, m, 0) * w->along, size_of(w, m, 1) * w->along,
                            layers * w->along};
    put_numbers(run, size, 3);
    end_chunk(run, sizes, false);
    sizes = begin_chunk(run, "XYZI");
    char *count = run->bottom;
    bytes_put_little(run, 0);
    for (int32_t y = 0; y < size[1]; y++)
        for (int32_t x = 0; x < size[0]; x++)
            put_column(w, m, layers, x, y);
    end_chunk(run, sizes, false);
    bytes_write_little(count, (uint32_t)((run->bottom - count) / 4 - 1), 4);
    bool empty = run->bottom == count + 4;
    if (empty)
        mw_end_output(run, before);
    return !empty;
}

/* The number of models that the world is cut into along an axis. */
static int32_t count_along(const struct voxels *w, int axis)
{
    return (w->extent[axis] - 1) / w->side + 1;
}

/* Lists the models that are not empty; returns their number. */
static int32_t put_models(const struct voxels *w, struct model *list)
{
    int32_t n = 0;
    for (int32_t z = 0; z < count_along(w, 2); z++)
        for (int32_t y = 0; y < count_along(w, 1); y++)
            for (int32_t x = 0; x < count_along(w, 0); x++) {
                list[n] = (struct model){{x * w->side, y * w->side, z * w->side}};
                n += put_model(w, &list[n]);
            }
    return n;
}

/* ---- the scene ------------------------------------------------------------------------------- */

/* Moves the node `child`; `place` may be NULL. */
static void put_move(struct mw_run *run, int32_t node, int32_t child, const int32_t place[3])
{
    char *sizes = begin_chunk(run, "nTRN");
    enum { ATTRIBUTES = 0, RESERVED = -1, FRAMES = 1 };
    const int32_t layer = place ? 0 : -1, members = place != NULL;
    put_numbers(run, (const int32_t[]){node, ATTRIBUTES, child, RESERVED, layer, FRAMES, members},
                7);
    if (place) {
        bytes_put_little(run, 2);
        mw_put(run, "_t");
        char *length = run->bottom;
        bytes_put_little(run, 0);
        mw_print(run, "%d %d %d", place[0], place[1], place[2]);
        bytes_write_little(length, (uint32_t)(run->bottom - length - 4), 4);
    }
    end_chunk(run, sizes, false);
}

static void put_group(struct mw_run *run, int32_t models)
{
    char *sizes = begin_chunk(run, "nGRP");
    put_numbers(run, (const int32_t[]){1, 0, models}, 3);
    for (int32_t i = 0; i < models; i++)
        bytes_put_little(run, (uint32_t)(2 + 2 * i));
    end_chunk(run, sizes, false);
}

/* A node's position is that of its model's middle, rounded down. */
static void put_scene(const struct voxels *w, const struct model *list, int32_t models)
{
    put_move(w->run, 0, 1, NULL);
    put_group(w->run, models);
    for (int32_t i = 0; i < models; i++) {
        int32_t place[3];
        for (int k = 0; k < 3; k++) /* x and y centered, z from 0 */
            place[k] = list[i].corner[k] * w->along + size_of(w, &list[i], k) * w->along / 2 -
                       (k < 2 ? w->extent[k] * w->along / 2 : 0);
        put_move(w->run, 2 + 2 * i, 3 + 2 * i, place);
        char *sizes = begin_chunk(w->run, "nSHP");
        put_numbers(w->run, (const int32_t[]){3 + 2 * i, 0, 1, i, 0}, 5);
        end_chunk(w->run, sizes, false);
    }
}

/* ---- colors --------------------------------------------------------------------------------- */

static void put_palette(struct mw_run *run)
{
    uint32_t colors[COLORS] = {0};
    char *sizes = begin_chunk(run, "RGBA");
    for (int i = 0; i < 2 * INK_LANDS; i++)
        colors[LAND + i] =
            i < 2 ? ink_rgb[INK_TURF + i] : ink_rgb[INK_LAND + i / 2 * 4 + i % 2 * 3];
    colors[PLANK] = ink_rgb[INK_DECK];
    memcpy(colors + POLES, ink_rgb + INK_FLAG, INK_FLAGS * sizeof *colors);
    for (int i = 1; i <= COLORS; i++) /* the last is that of no voxel */
        bytes_put_big(run, colors[i % COLORS] ? colors[i % COLORS] << 8 | 255 : 0);
    end_chunk(run, sizes, false);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static uint8_t *poles_of(struct mw_run *run, const struct mw_map *map, const struct mw_lattice *l)
{
    struct marks marks = find_marks(map);
    uint8_t *poles = MW_NEW0(run, uint8_t, l->width * l->height);
    struct mw_point at;
    for (int p = -1, n = 0; (p = marks_next(&marks, map, p, &at)) >= 0; n++)
        if (!poles[at.y * l->width + at.x])
            poles[at.y * l->width + at.x] = (uint8_t)(POLES + n % INK_FLAGS);
    return poles;
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_cells *cells = find_grid(map, MW_LABEL_GRID);
    const struct mw_lattice *l = &cells->lattice;
    int32_t along = mw_max(map->request->look.voxel, 1);
    struct voxels w = {.run = run,
                       .cells = cells,
                       .heights = find_grid(map, MW_HEIGHT_GRID),
                       .poles = poles_of(run, map, l),
                       .extent = {l->width, l->height},
                       .along = along,
                       .side = SIDE / along};
    w.extent[2] = find_highest(run, w.heights) + POLE;
    struct model *list =
        MW_NEW(run, struct model, count_along(&w, 0) * count_along(&w, 1) * count_along(&w, 2));
    mw_put(run, "VOX ");
    bytes_put_little(run, 150);
    char *sizes = begin_chunk(run, "MAIN");
    put_scene(&w, list, put_models(&w, list));
    put_palette(run);
    end_chunk(run, sizes, true);
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* So many voxels a cell of land, as many as its layers, of four bytes; and some for ways and
   poles. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    static const struct mw_unit_costs cells = {64, 0, 0, 0, 0, 1, 0},
                                      bytes = {16384, 1, 0, 0, 1, 0, 0},
                                      nanoseconds = {2000, 2, 0, 0, 9, 0, 0};
    uint64_t along = (uint64_t)mw_max(request->look.voxel, 1);
    uint64_t voxels = (f->volume + mw_sum_unit_costs(f, &cells)) * along * along * along;
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes) + 4 * voxels,
                            .steps = f->cells / 2 * (1 + along * along) + voxels,
                            .nanoseconds = mw_sum_unit_costs(f, &nanoseconds) + 4 * voxels};
}

const struct mw_encoder mw_vox = {.name = "vox",
                                  .media = "model/x-vox",
                                  .help = MW_PROSE("voxels, for MagicaVoxel"),
                                  .look_mask = MW_LOOK_BIT(VOXEL),
                                  .fits = find_world,
                                  .forecast = forecast,
                                  .encode = encode};
