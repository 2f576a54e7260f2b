/*
 * isles.c: a world of voxels in isometric view, floating in the sky.
 *
 * A cell is a rhombus 16 units wide and 8 high. Land rises from level 0 by as many layers as the
 * cell's height, and earth hangs below, deeper inland.
 *
 *            rear
 *           /    \         The viewer looks down along (-1, -1) of the map. What a ray of sight
 *      left  top  right    hits later lies lower, and farther to the rear. So painting layer by
 *        | \    / |        layer, from the lowest up, covers correctly everywhere, without
 *        |  front |        sorting the cells.
 *         \   |  /
 *            \|/           A layer has left sides (to the south), right sides (to the east) and
 *                          tops. It is no thicker than a rhombus is high, so its visible sides do
 *                          not overlap each other. Tops come last, as a ray hits them first.
 *
 * A layer is its right sides, its left sides, and its tops as outlines (isles/faces.c). A top is
 * drawn whole, including what the next layer will cover, as its outline is shorter so. Planks of
 * bridges are level with the first layer and come before its tops (isles/decks.c), the parts of
 * trees in a layer before the tops of that layer (isles/trees.c).
 *
 * Where the viewer smooths edges, the background shows between figures that meet: there something
 * of the same solid is painted behind.
 *
 * Cost: a few passes over the cells for depths, tints and the faces of each layer, then the faces.
 */
#include "enc/picture/isles/isles.h"
#include "enc/find.h"
#include "enc/outline.h"
#include "kit/integer.h"
#include "kit/lattice.h"
#include "scene.h"

enum { ACROSS = ISLES_ACROSS, DOWN = ISLES_DOWN, RISE = ISLES_RISE, FALL = 7, MARGIN = 10 };
_Static_assert((int)RISE <= 2 * (int)DOWN && (int)FALL <= 2 * (int)DOWN, "sides would overlap");
enum { MOST_FLAGS = 8 };
enum { WOODED = 8 }; /* pixels across a cell, at least, for trees to be drawn */

/* ---- layers ---------------------------------------------------------------------------------- */

static void draw_earth(struct isles *w)
{
    for (int32_t n = w->earth.most; n > 0; n--) {
        int ink = INK_EARTH + 2 * mw_min(n / 2, INK_EARTHS - 1);
        isles_paint_sides(w, &w->earth, n, -(n - 1) * FALL, FALL, (enum ink)ink,
                          (enum ink)(ink + 1));
    }
}

static void draw_land(struct isles *w)
{
    for (int32_t n = 1; n <= w->land.most; n++) {
        enum ink ink = ink_of_layer(n, w->land.most);
        isles_paint_sides(w, &w->land, n, n * RISE, RISE, (enum ink)(ink + LEFT),
                          (enum ink)(ink + RIGHT));
        if (n == 1)
            isles_paint_decks(w);
        isles_paint_trees(w, n);
        isles_paint_tops(w, n, n * RISE);
    }
    for (int32_t n = w->land.most + 1; n <= w->land.most + 2; n++)
        isles_paint_trees(w, n);
    if (!w->land.most)
        isles_paint_decks(w);
}

/* ---- flags ----------------------------------------------------------------------------------- */

/* At the mark of the row that part p refers to; above other flags of the same cell. */
struct flag {
    const char *word;
    int32_t cell, pole, wide, letter; /* height of the pole, width, height of capitals */
    enum ink ink;
};

/* At most MOST_FLAGS; returns their number. */
static int find_flags(const struct isles *w, struct flag *flags)
{
    const struct mw_map *map = w->canvas->map;
    const struct mw_part *parts = map->request->generator->parts;
    const struct marks marks = find_marks(map);
    int32_t letter = mw_max((w->width + w->height) * ACROSS / 100, 7);
    int n = 0;
    struct mw_point at;
    for (int p = -1; n < MOST_FLAGS && (p = marks_next(&marks, map, p, &at)) >= 0;) {
        flags[n] =
            (struct flag){.word = parts[p].name,
                          .cell = isles_cell(w, at.x, at.y),
                          .pole = 5 * letter,
                          .wide = (int32_t)strlen(parts[p].name) * letter * 3 / 4 + 3 * letter,
                          .letter = letter,
                          .ink = (enum ink)(INK_FLAG + n % INK_FLAGS)};
        for (int i = 0; i < n; i++)
            if (flags[i].cell == flags[n].cell)
                flags[n].pole = flags[i].pole + 5 * letter / 2;
        n++;
    }
    return n;
}

static struct mw_point foot_of(const struct isles *w, int32_t cell)
{
    return isles_place(w, cell, 2, 2, w->land.layers[cell] * RISE);
}

static void draw_flag(const struct isles *w, const struct flag *flag)
{
    struct canvas *c = w->canvas;
    struct mw_point foot = foot_of(w, flag->cell);
    int32_t letter = flag->letter, top = foot.y - flag->pole;
    canvas_begin(c, (struct pen){.line = INK_MARK, .tenths = 2 * letter});
    canvas_move(c, foot);
    canvas_step(c, 0, -flag->pole);
    canvas_begin(c, (struct pen){.fill = flag->ink});
    canvas_move(c, (struct mw_point){foot.x, top});
    canvas_step(c, flag->wide, 0);
    canvas_step(c, -letter, letter);
    canvas_step(c, letter, letter);
    canvas_step(c, -flag->wide, 0);
    canvas_close(c);
    canvas_word(c, (struct text_style){INK_PALE, INK_NONE, letter},
                (struct mw_point){foot.x + (flag->wide - letter) / 2, top + letter}, flag->word);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* As high as letters of flags, but with room for a name on each island. */
static void draw_names(const struct isles *w)
{
    const struct marks marks = find_marks(w->canvas->map);
    if (!marks.names || !marks.at || !w->canvas->map->request->look.labels ||
        marks.table->rows > CANVAS_NAMED)
        return;
    const int32_t rows = marks.table->rows, plan = w->width * w->height,
                  room = 2 * ACROSS * (int32_t)mw_root(plan / rows) / 7,
                  letter = mw_max(mw_min((w->width + w->height) * ACROSS / 100, room), 5);
    for (int32_t row = 0; row < rows; row++) {
        struct mw_point foot = foot_of(w, isles_cell(w, marks.at[row].x, marks.at[row].y));
        canvas_word(w->canvas, (struct text_style){INK_TEXT, INK_HALO, letter},
                    (struct mw_point){foot.x, foot.y + letter}, marks.names[row]);
    }
    mw_tick(w->run, 30 * (uint64_t)rows);
}

/* The world is drawn layer by layer, so no figure is a whole island: an invisible outline, drawn
   last at the height of the first layer, carries its name and can be styled by a page. */
static void name_islands(const struct isles *w)
{
    struct canvas *canvas = w->canvas;
    const struct marks marks = find_marks(canvas->map);
    if (!canvas->has_names || !marks.part || marks.table->rows > CANVAS_NAMED)
        return;
    const char *kind = find_kind(canvas->run, marks.part);
    struct outline outline = outline_of(canvas->run, w->labels);
    uint64_t *keys;
    int32_t *loops, count = outline_sorted_loops(&outline, &loops, &keys);
    for (int32_t i = 0; i < count && (int32_t)(uint32_t)keys[i] > 0; i++) {
        char name[16];
        *mw_write_int(name, (int32_t)keys[i]) = '\0';
        if (!i || keys[i] != keys[i - 1]) {
            canvas_name_figure(canvas, kind, name, marks_name(&marks, (int32_t)keys[i]));
            canvas_begin(canvas, (struct pen){0});
        }
        const int32_t cell = loops[i] / 8;
        isles_draw_loop(w, RISE, isles_cell(w, cell % w->width, cell / w->width), &outline, cell,
                        loops[i] % 8);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Large enough for the plan, the land above and the earth below it, and the flags. */
static void open_sheet(struct isles *w, const struct flag *flags, int flown)
{
    int32_t left = -w->height * ACROSS, right = w->width * ACROSS, top = 0,
            bottom = (w->width + w->height) * DOWN;
    w->rear = (struct mw_point){0, -2 * DOWN};
    for (int64_t i = 0; w->land.most && i < w->land.first[w->land.most + 1]; i++) {
        int32_t cell = w->land.list[i], y = isles_place(w, cell, 0, 0, 0).y;
        top = mw_min(top, y - w->land.layers[cell] * RISE);
        bottom = mw_max(bottom, y + 2 * DOWN + w->earth.layers[cell] * FALL);
        if (w->trees[cell])
            top = mw_min(top, isles_treetop(w, cell));
    }
    mw_tick(w->run, (uint64_t)w->count + (uint64_t)w->deck_count);
    for (int32_t cell = 0; (cell = mw_next_byte(w->deck, cell, w->count)) < w->count; cell++)
        top = mw_min(top, isles_place(w, cell, 1, 1, RISE).y);
    for (int i = 0; i < flown; i++) {
        struct mw_point foot = foot_of(w, flags[i].cell);
        int32_t half = flags[i].letter / 10 + 1; /* of the width of its pole */
        left = mw_min(left, foot.x - half);
        right = mw_max(right, foot.x + flags[i].wide);
        top = mw_min(top, foot.y - flags[i].pole - half);
    }
    assert(left < right && top < bottom);
    const struct sheet sheet = {.width = right - left,
                                .height = bottom - top,
                                .margin = MARGIN,
                                .pitch = 2 * ACROSS,
                                .ground = INK_SKY,
                                .shades = INK_SKIES};
    canvas_open(w->canvas, &sheet);
    int32_t scale = canvas_scale(&w->canvas->map->request->look, &sheet);
    w->trees = scale >= WOODED ? w->trees : NULL;
    w->rear = (struct mw_point){-left, -top - 2 * DOWN};
}

static void draw(struct canvas *canvas, int p)
{
    const struct mw_map *map = canvas->map;
    int labels = find_part(map->request->generator, MW_GRID, MW_LABEL_GRID);
    const struct mw_cells *heights = &map->slots[p].as.grid;
    if (heights->lattice.tiling != MW_SQUARE) {
        scene_cells.draw(canvas, labels);
        return;
    }
    struct isles w = isles_of(canvas, heights, &map->slots[labels].as.grid);
    struct flag flags[MOST_FLAGS];
    int flown = find_flags(&w, flags);
    if (flown == 2)
        isles_find_route(&w, flags[0].cell, flags[1].cell);
    isles_plant(&w);
    open_sheet(&w, flags, flown);
    draw_earth(&w);
    draw_land(&w);
    isles_paint_route(&w);
    draw_names(&w);
    for (int i = 0; i < flown; i++)
        draw_flag(&w, &flags[i]);
    name_islands(&w);
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* The plan, and a few layers above and below it. */
static struct sheet sheet_of(const struct mw_forecast *f)
{
    int32_t sides = f->plan.width + f->plan.height;
    return (struct sheet){.width = sides * ACROSS,
                          .height = sides * DOWN + 4 * (RISE + FALL),
                          .margin = MARGIN,
                          .pitch = 2 * ACROSS};
}

const struct scene scene_isles = {
    .kind = MW_GRID,
    .role = MW_HEIGHT_GRID,
    .draw = draw,
    .sheet = sheet_of,
    .steps = {300, .cell = 7, .land = 24, .item = 9},
    .bytes = {8192, .cell = 5, .land = 79, .row = 400, .item = 200},
    .vector = {8000, .cell = 8, .land = 140, .row = 120, .item = 300},
    .raster = {.cell = 9, .land = 700, .item = 200},
};
