/*
 * vox.c: land of different heights as voxels, for MagicaVoxel.
 *
 * A file is `VOX `, its version and a chunk MAIN that holds all the others; a chunk is four
 * letters, the bytes of its content and of the chunks within, then those. All numbers are 32 bits,
 * the lowest byte first.
 *
 *     SIZE XYZI ...      the models: at most 256 voxels a side, four bytes a voxel: x, y, z, colour
 *     nTRN nGRP          a group of all, moved nowhere
 *     nTRN nSHP ...      for each model the place of its middle, and the model
 *     RGBA               the colours from number 1 on
 *
 * z goes up, and x, y and z as thumb, forefinger and middle finger of a right hand: so that the
 * world seen from above is the map, y counts from its last row. Larger maps are cut into squares of
 * 256 cells, those of air alone left out; all together they stand around the middle of the world.
 *
 * A cell of height h is a column of h voxels, coloured as drawings have land of that height. Ways
 * are planks on the lowest layer, and a pole stands on the cell of each mark that has a name.
 */
#include "enc/find.h"
#include "enc/ink.h"
#include "kit/integer.h"

enum { SIDE = 256, POLE = 3, HIGHEST = SIDE - POLE };
/* Numbers of colours; 0 is no voxel. */
enum { LAND = 1, PLANK = LAND + 2 * INK_LANDS, POLES, COLOURS = 256 };

struct world {
    struct mw_run *run;
    const struct mw_cells *cells, *heights;
    uint8_t *poles; /* by cell: the colour, 0: none */
    int32_t most;   /* the greatest height */
};

/* ---- bytes ----------------------------------------------------------------------------------- */

static char *write_number(char *to, int32_t value)
{
    for (int i = 0; i < 4; i++)
        *to++ = (char)((uint32_t)value >> 8 * i & 255);
    return to;
}

static void put_number(struct mw_run *run, int32_t value)
{
    mw_wrote(run, write_number(mw_room(run, 4), value));
}

/* `count` numbers. */
static void put_numbers(struct mw_run *run, const int32_t *numbers, int count)
{
    for (int i = 0; i < count; i++)
        put_number(run, numbers[i]);
}

static void put_string(struct mw_run *run, const char *text)
{
    put_number(run, (int32_t)strlen(text));
    mw_put(run, text);
}

/* The content of the chunk follows; the answer is for end_chunk. */
static char *begin_chunk(struct mw_run *run, const char *name)
{
    mw_put(run, name);
    char *sizes = mw_room(run, 8);
    put_numbers(run, (const int32_t[]){0, 0}, 2);
    return sizes;
}

/* What was put since is content, or chunks within. */
static void end_chunk(struct mw_run *run, char *sizes, bool within)
{
    ptrdiff_t size = run->bottom - (sizes + 8);
    assert(size >= 0);
    if (size > INT32_MAX)
        mw_fail(run, MW_TOO_BIG, "",
                "is %lld bytes of voxels, and the format counts up to %d: ask for less land",
                (long long)size, INT32_MAX);
    write_number(within ? sizes + 4 : sizes, (int32_t)size);
}

/* ---- models ---------------------------------------------------------------------------------- */

static int32_t height_at(const struct world *w, int32_t cell)
{
    return mw_min(w->heights->at[cell], HIGHEST);
}

/* The colour of layer z of a cell's land; every other cell is a shade lighter. */
static int32_t land_colour(const struct world *w, int32_t z, bool other)
{
    int32_t tier = w->most <= INK_LANDS ? z : z * (INK_LANDS - 1) / (w->most - 1);
    return LAND + 2 * tier + other;
}

static char *write_voxel(char *to, int32_t x, int32_t y, int32_t z, int32_t colour)
{
    assert(x >= 0 && x < SIDE && y >= 0 && y < SIDE && z >= 0 && z < SIDE);
    assert(colour > 0 && colour < 128); /* the sign bit stays clear */
    return write_number(to, colour << 24 | z << 16 | y << 8 | x);
}

/* The voxels of the cell in that row and column of the map; x and y are counted in its model. */
static void put_column(const struct world *w, struct mw_point at, int32_t x, int32_t y)
{
    int32_t cell = at.y * w->cells->lattice.width + at.x, z = 0;
    int32_t label = w->cells->at[cell], height = label > 0 ? height_at(w, cell) : label < 0;
    char *to = mw_room(w->run, SIDE * 4);
    for (; z < height; z++)
        to = write_voxel(to, x, y, z, label < 0 ? PLANK : land_colour(w, z, (at.x + at.y) & 1));
    for (int32_t end = z + POLE; w->poles[cell] && z < end; z++)
        to = write_voxel(to, x, y, z, w->poles[cell]);
    mw_tick(w->run, (uint64_t)z + 1);
    mw_wrote(w->run, to);
}

/* The square of cells from x0, y0, counted from the last row; false: there is nothing, and nothing
   was put. */
static bool put_model(const struct world *w, int32_t x0, int32_t y0, struct mw_point size)
{
    struct mw_run *run = w->run;
    char *before = run->bottom, *sizes = begin_chunk(run, "SIZE");
    put_numbers(run, (const int32_t[]){size.x, size.y, w->most + POLE}, 3);
    end_chunk(run, sizes, false);
    sizes = begin_chunk(run, "XYZI");
    char *count = run->bottom;
    put_number(run, 0);
    for (int32_t y = 0; y < size.y; y++) {
        int32_t row = w->cells->lattice.height - 1 - (y0 + y);
        for (int32_t x = 0; x < size.x; x++)
            put_column(w, (struct mw_point){x0 + x, row}, x, y);
    }
    end_chunk(run, sizes, false);
    write_number(count, (int32_t)((run->bottom - count) / 4 - 1));
    bool empty = run->bottom == count + 4;
    if (empty)
        mw_wrote(run, before);
    return !empty;
}

/* ---- the scene ------------------------------------------------------------------------------- */

static struct mw_point size_of(const struct world *w, int32_t x0, int32_t y0)
{
    int32_t width = w->cells->lattice.width - x0, height = w->cells->lattice.height - y0;
    return (struct mw_point){mw_min(width, SIDE), mw_min(height, SIDE)};
}

/* Moves the node `child`; `place` may be NULL. */
static void put_move(struct mw_run *run, int32_t node, int32_t child, const int32_t place[3])
{
    char *sizes = begin_chunk(run, "nTRN");
    enum { ATTRIBUTES = 0, RESERVED = -1, FRAMES = 1 };
    const int32_t layer = place ? 0 : -1, members = place != NULL;
    put_numbers(run, (const int32_t[]){node, ATTRIBUTES, child, RESERVED, layer, FRAMES, members},
                7);
    if (place) {
        char text[48], *to = text;
        for (int i = 0; i < 3; i++) {
            to = mw_write_int(to, place[i]);
            *to++ = i < 2 ? ' ' : '\0';
        }
        put_string(run, "_t");
        put_string(run, text);
    }
    end_chunk(run, sizes, false);
}

static void put_group(struct mw_run *run, int32_t models)
{
    char *sizes = begin_chunk(run, "nGRP");
    put_numbers(run, (const int32_t[]){1, 0, models}, 3);
    for (int32_t i = 0; i < models; i++)
        put_number(run, 2 + 2 * i);
    end_chunk(run, sizes, false);
}

static void put_shape(struct mw_run *run, int32_t node, int32_t model)
{
    char *sizes = begin_chunk(run, "nSHP");
    put_numbers(run, (const int32_t[]){node, 0, 1, model, 0}, 5);
    end_chunk(run, sizes, false);
}

/* A model turns about its middle, rounded down, which is what is placed. */
static void put_scene(const struct world *w, const struct mw_point *corners, int32_t models)
{
    put_move(w->run, 0, 1, NULL);
    put_group(w->run, models);
    for (int32_t i = 0; i < models; i++) {
        struct mw_point size = size_of(w, corners[i].x, corners[i].y);
        const int32_t place[] = {corners[i].x + size.x / 2 - w->cells->lattice.width / 2,
                                 corners[i].y + size.y / 2 - w->cells->lattice.height / 2,
                                 (w->most + POLE) / 2};
        put_move(w->run, 2 + 2 * i, 3 + 2 * i, place);
        put_shape(w->run, 3 + 2 * i, i);
    }
}

/* ---- colours --------------------------------------------------------------------------------- */

static void set_colour(char palette[COLOURS * 4], int number, uint32_t rgb)
{
    assert(number > 0 && number < COLOURS);
    char *to = palette + (number - 1) * 4;
    for (int i = 0; i < 3; i++)
        to[i] = (char)(rgb >> 8 * (2 - i) & 255);
    to[3] = (char)255;
}

static void put_palette(struct mw_run *run)
{
    char palette[COLOURS * 4] = {0}, *sizes = begin_chunk(run, "RGBA");
    for (int i = 0; i < INK_LANDS; i++) {
        set_colour(palette, LAND + 2 * i, ink_rgb[INK_LAND + 4 * i]);
        set_colour(palette, LAND + 2 * i + 1, ink_rgb[INK_LAND + 4 * i + 3]);
    }
    set_colour(palette, PLANK, ink_rgb[INK_DECK]);
    for (int i = 0; i < INK_FLAGS; i++)
        set_colour(palette, POLES + i, ink_rgb[INK_FLAG + i]);
    mw_put_bytes(run, palette, sizeof palette);
    end_chunk(run, sizes, false);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static uint8_t *poles_of(struct mw_run *run, const struct mw_map *map, const struct mw_lattice *l)
{
    const struct mw_part *parts = map->request->generator->parts;
    struct marks marks = find_marks(map);
    uint8_t *poles = MW_NEW0(run, uint8_t, l->width * l->height);
    for (int p = 0, n = 0; parts[p].kind != MW_NO_PART; p++) {
        struct mw_point at;
        if (!marks_place(&marks, map, p, &at))
            continue;
        if (!poles[at.y * l->width + at.x])
            poles[at.y * l->width + at.x] = (uint8_t)(POLES + n % INK_FLAGS);
        n++;
    }
    return poles;
}

static int32_t most_of(const struct world *w)
{
    int32_t most = 1, count = w->cells->lattice.width * w->cells->lattice.height;
    for (int32_t c = 0; c < count; c++)
        if (w->cells->at[c] > 0)
            most = mw_max(most, height_at(w, c));
    mw_tick(w->run, (uint64_t)count);
    return most;
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    const struct mw_generator *generator = map->request->generator;
    const struct mw_cells *cells =
        &map->slots[find_part(generator, MW_GRID, MW_LABEL_GRID)].as.grid;
    const struct mw_lattice *l = &cells->lattice;
    struct world w = {.run = run,
                      .cells = cells,
                      .heights = &map->slots[find_part(generator, MW_GRID, MW_HEIGHT_GRID)].as.grid,
                      .poles = poles_of(run, map, l)};
    w.most = most_of(&w);
    struct mw_point *corners =
        MW_NEW(run, struct mw_point, ((l->width - 1) / SIDE + 1) * ((l->height - 1) / SIDE + 1));
    int32_t models = 0;
    mw_put(run, "VOX ");
    put_number(run, 150);
    char *sizes = begin_chunk(run, "MAIN");
    for (int32_t y = 0; y < l->height; y += SIDE)
        for (int32_t x = 0; x < l->width; x += SIDE)
            if (put_model(&w, x, y, size_of(&w, x, y)))
                corners[models++] = (struct mw_point){x, y};
    put_scene(&w, corners, models);
    put_palette(run);
    end_chunk(run, sizes, true);
}

static bool fits(const struct mw_generator *generator)
{
    return find_part(generator, MW_GRID, MW_LABEL_GRID) >= 0 &&
           find_part(generator, MW_GRID, MW_HEIGHT_GRID) >= 0;
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* A voxel of four bytes for the top of each cell of land, some more at its sides. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    static const struct mw_rates bytes = {16384, 1, 20, 0, 1, 8, 0}, steps = {10, 1, 1, 0, 0, 1, 0},
                                 nanoseconds = {2000, 2, 8, 0, 9, 4, 0};
    (void)request;
    return (struct mw_cost){.bytes = mw_rated(f, &bytes),
                            .steps = mw_rated(f, &steps),
                            .nanoseconds = mw_rated(f, &nanoseconds)};
}

const struct mw_encoder mw_vox = {.name = "vox",
                                  .media = "model/x-vox",
                                  .help = "voxels, for MagicaVoxel",
                                  .fits = fits,
                                  .forecast = forecast,
                                  .encode = encode};
