/*
 * cells.c: a grid of labels: one figure for each label, and marks and text on top (signs.c).
 *
 * Outlines are traced, cells are not drawn one by one, so the cost is a pass over the cells and the
 * length of all borders. In a vector drawing each label is one path with fill and stroke. On a
 * raster each side between two labels is drawn only once, which gives the same pixels.
 *
 * A world with heights that carries another map is drawn with its layers in place of labels, and
 * borders over them. Labels on such a world are lighter the higher the land.
 *
 * With a mask, land without a label is drawn as one more label, which has no name; without a mask
 * what has no label is sea. A pale band of shallows follows each shore.
 *
 * A map that wraps is drawn flat, its seam as a rim; without a margin it is drawn to be tiled. Then
 * the sheet is one period of the plane, the outlines are those of the map unrolled by the width of
 * a line, and everything else near an edge is drawn again on the opposite side, and clipped.
 */
#include "atlas.h"
#include "kit/integer.h"
#include "kit/lattice.h"

enum { FREE = -2 };  /* label of land without one */
enum { MARGIN = 1 }; /* units: half of the line around the map */

static struct weights weights_of(const struct sheet *sheet, int32_t cells, int32_t labels)
{
    const int32_t longer = mw_max(sheet->width, sheet->height),
                  size = (int32_t)mw_ceil_div(cells, mw_max(labels, 1)), /* mean, of a label */
        usual = ((int32_t)mw_root(size - 1) + 1) * sheet->pitch;
    return (struct weights){.border = mw_max(mw_min(longer / 70, usual / 10), 15),
                            .mark = mw_max(mw_min(longer / 320, usual / 15), 4),
                            .number = mw_max(longer / 40, 8)};
}

/* Whether the side of a cell is a shore. */
static bool is_shore(const struct atlas *atlas, int32_t cell, int side)
{
    const int32_t *labels = atlas->flat.cells.at,
                  across = mw_neighbour(&atlas->outline.flat, cell, side);
    return across >= 0 && !labels[across] && labels[cell] != -1;
}

/* From the current point, or else from where the side begins. */
static void draw_side(const struct atlas *atlas, int32_t cell, int side, bool goes_on)
{
    const struct cell_shape *f = atlas->shape;
    const int next = (side + 1) % mw_sides(&atlas->flat.cells.lattice);
    const struct mw_point at = middle_in(atlas, cell);
    if (!goes_on)
        canvas_move(atlas->canvas, (struct mw_point){at.x + f->x[side], at.y + f->y[side]});
    canvas_step(atlas->canvas, f->x[next] - f->x[side], f->y[next] - f->y[side]);
}

/* Draws the sides of a loop that are shores. */
static void draw_shores(struct atlas *atlas, int32_t loop)
{
    int32_t cell = loop / 8;
    bool goes_on = false;
    for (int side = loop % 8; outline_take(&atlas->outline, cell, side);
         outline_advance(&atlas->outline, &cell, &side)) {
        const bool shore = is_shore(atlas, cell, side);
        if (shore)
            draw_side(atlas, cell, side, goes_on);
        goes_on = shore;
    }
}

static enum ink fill_of(const struct atlas *atlas, int32_t label)
{
    assert(label && (atlas->holds_inks || label <= atlas->colors[0]));
    return atlas->holds_inks              ? (enum ink)label
           : atlas->canvas->is_background ? INK_PAPER
           : label == FREE                ? INK_FREE
           : label < 0                    ? INK_BRIDGE
                                          : (enum ink)(INK_LABEL + atlas->colors[label]);
}

static enum ink line_of(const struct atlas *atlas)
{
    return atlas->canvas->is_background ? INK_RULE : INK_BORDER;
}

/* Those of all labels, each side once. */
static void draw_borders(const struct atlas *atlas)
{
    const struct outline *o = &atlas->outline;
    const int32_t count = o->flat.width * o->flat.height;
    const int sides = mw_sides(&o->flat);
    canvas_begin(atlas->canvas,
                 (struct pen){.line = line_of(atlas), .tenths = atlas->weights.border});
    for (int32_t cell = 0; (cell = mw_next_byte(o->borders, cell, count)) < count; cell++) {
        for (unsigned left = o->borders[cell]; left; left &= left - 1) {
            int side = __builtin_ctz(left);
            int32_t across = side >= sides / 2 ? mw_neighbour(&o->flat, cell, side) : -1;
            if (across < 0 || !o->cells->at[across])
                draw_side(atlas, cell, side, false);
        }
    }
}

/* Land will cover the inner half of the line. */
static void draw_shallows(struct atlas *atlas)
{
    const int32_t tenths = mw_max(6 * atlas->shape->pitch_x, 4 * atlas->weights.border);
    int32_t *loops, count = outline_loops(&atlas->outline, &loops);
    canvas_begin(atlas->canvas, (struct pen){.line = INK_SHALLOWS, .tenths = tenths});
    for (int32_t i = 0; i < count; i++)
        draw_shores(atlas, loops[i]);
}

static void begin_label(const struct atlas *atlas, int32_t label)
{
    char name[16];
    *mw_write_int(name, label) = '\0';
    if (label > 0 && atlas->kind)
        canvas_name_figure(atlas->canvas, atlas->kind, name, marks_name(&atlas->marks, label));
    canvas_begin(atlas->canvas, (struct pen){.fill = fill_of(atlas, label),
                                             .line = atlas->canvas->is_raster || atlas->holds_inks
                                                         ? INK_NONE
                                                         : line_of(atlas),
                                             .tenths = atlas->weights.border});
}

/* Sorted by label, so that all loops of a label make one figure. */
static void draw_loops(struct atlas *atlas)
{
    uint64_t *keys;
    int32_t *loops, count = outline_sorted_loops(&atlas->outline, &loops, &keys);
    for (int32_t i = 0; i < count; i++) {
        if (!i || keys[i] != keys[i - 1])
            begin_label(atlas, (int32_t)(uint32_t)keys[i]);
        canvas_loop(atlas->canvas, atlas->shape, middle_in(atlas, loops[i] / 8), &atlas->outline,
                    loops[i] / 8, loops[i] % 8);
    }
}

static void draw_labels(struct atlas *atlas)
{
    if (!atlas->canvas->is_background && !atlas->canvas->under)
        draw_shallows(atlas);
    draw_loops(atlas);
    if (atlas->canvas->is_raster)
        draw_borders(atlas);
}

/* ---- lines between cells --------------------------------------------------------------------- */

/* Between cells of the same label, each side once. */
static void draw_net(const struct atlas *atlas)
{
    const struct mw_lattice *l = &atlas->flat.cells.lattice;
    const int32_t *labels = atlas->flat.cells.at;
    canvas_begin(atlas->canvas, (struct pen){.line = INK_NET, .tenths = 5});
    for (int32_t cell = 0; cell < l->width * l->height; cell++)
        for (int side = 0; side < mw_sides(l) / 2; side++) {
            int32_t across = mw_neighbour(l, cell, side);
            if (across >= 0 && labels[across] == labels[cell])
                draw_side(atlas, cell, side, false);
        }
}

/* ---- sheets ---------------------------------------------------------------------------------- */

static struct sheet sheet_for(const struct mw_lattice *l, bool tiles)
{
    const struct cell_shape *f = &outline_shapes[l->tiling];
    bool is_torus = tiles && l->wrap == MW_WRAP_XY;
    int32_t tips = 2 * f->middle_y - f->pitch_y; /* of the first row above it, and of the last */
    return (struct sheet){.width = l->width * f->pitch_x + (tiles ? 0 : f->row_shift),
                          .height = l->height * f->pitch_y + (is_torus ? 0 : tips),
                          .margin = MARGIN,
                          .pitch = f->pitch_x,
                          .ground = INK_SEA,
                          .tiles = tiles};
}

/* ---- land without a label -------------------------------------------------------------------- */

/* The cells with FREE for land without a label, if there is a mask and no map over or under this
   one. */
static struct mw_cells with_free(const struct canvas *canvas, const struct mw_cells *cells)
{
    const struct mw_rows *mask = find_rows(canvas->map->request, MW_LABEL_GRID);
    const int32_t count = cells->lattice.width * cells->lattice.height;
    if (!mask || !mask->count || canvas->is_background || canvas->under)
        return *cells;
    int32_t *labels = MW_NEW(canvas->run, int32_t, count);
    assert(mask->width == cells->lattice.width && mask->count == cells->lattice.height);
    for (int32_t y = 0, cell = 0; y < mask->count; y++)
        for (int32_t x = 0; x < mask->width; x++, cell++)
            labels[cell] = !cells->at[cell] && mask->at[cell + y] == '#' ? FREE : cells->at[cell];
    mw_tick(canvas->run, (uint64_t)count);
    return (struct mw_cells){cells->lattice, labels};
}

/* On a sheet to be tiled with those around the map, by half of a border and a cell more. */
static void take_cells(struct atlas *atlas, const struct mw_cells *cells)
{
    int32_t far = atlas->sheet.tiles ? atlas->weights.border / 20 / atlas->shape->pitch_y + 2 : 0;
    atlas_take(atlas, cells, far, far);
}

/* ---- land with heights ----------------------------------------------------------------------- */

/* Draws figures of cells that hold inks; 0: not drawn. */
static void fill_inks(const struct atlas *labels, int32_t *inks)
{
    struct atlas atlas = *labels;
    take_cells(&atlas, &(struct mw_cells){labels->cells->lattice, inks});
    atlas.kind = NULL;
    atlas.holds_inks = true;
    draw_loops(&atlas);
}

/* The color of a cell of a world that another map will be drawn on, or of a label on such land. */
static enum ink ink_on_land(const struct atlas *atlas, int32_t label, enum ink layer, bool is_world)
{
    if (is_world)
        return label < 0 ? INK_DECK : label ? layer : INK_NONE;
    return label <= 0 ? INK_NONE
                      : (enum ink)(INK_RELIEF + atlas->colors[label] * INK_LANDS +
                                   ((int32_t)layer - INK_LAND) / 4);
}

/* Land in the colors of its layers, or of its labels, lighter the higher it is, and borders. In a
   vector drawing the named figures of labels are drawn first, so that no seam shows the sea. */
static void draw_on_land(struct atlas *atlas, const struct mw_cells *heights, bool is_world)
{
    struct mw_run *run = atlas->canvas->run;
    const int32_t count = heights->lattice.width * heights->lattice.height,
                  layers = find_highest(run, heights);
    int32_t *inks = MW_NEW(run, int32_t, count);
    for (int32_t i = 0; i < count; i++)
        inks[i] = (int32_t)ink_on_land(atlas, atlas->cells->at[i],
                                       ink_of_layer(mw_max(heights->at[i], 1), layers), is_world);
    mw_tick(run, (uint64_t)count);
    if (!atlas->canvas->is_raster && !is_world)
        draw_loops(atlas);
    fill_inks(atlas, inks);
    draw_borders(atlas);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void draw(struct canvas *canvas, int p)
{
    const struct mw_cells cells = with_free(canvas, &canvas->map->slots[p].as.grid);
    const struct mw_lattice *l = &cells.lattice;
    const struct mw_look *look = &canvas->map->request->look;
    bool tiles = !look->margin && l->wrap != MW_WRAP_NONE;
    struct sheet sheet = sheet_for(l, tiles);
    struct atlas atlas = {
        .canvas = canvas,
        .cells = &cells,
        .sheet = sheet,
        .period = {tiles ? sheet.width : 0, tiles && l->wrap == MW_WRAP_XY ? sheet.height : 0},
        .shape = &outline_shapes[l->tiling]};
    atlas_take(&atlas, &cells, 0, 0);
    atlas.colors = label_colors(canvas->run, &cells, atlas.outline.borders, INK_LABELS);
    atlas.weights = weights_of(&sheet, l->width * l->height, atlas.colors[0]);
    atlas.marks = find_marks(canvas->map);
    if (atlas.marks.part && atlas.colors[0] <= CANVAS_NAMED)
        atlas.kind = find_kind(canvas->run, atlas.marks.part);
    canvas_open(canvas, &sheet);
    if (tiles)
        take_cells(&atlas, &cells);
    const struct mw_cells *heights = find_grid(canvas->map, MW_HEIGHT_GRID),
                          *under = canvas->under
                                       ? find_grid(find_under(canvas->map), MW_HEIGHT_GRID)
                                       : NULL;
    if ((heights || under) && !canvas->is_background)
        draw_on_land(&atlas, heights ? heights : under, heights);
    else
        draw_labels(&atlas);
    if (look->grid_lines)
        draw_net(&atlas);
    if (!canvas->is_background)
        draw_signs(&atlas);
}

/* ---- cost ------------------------------------------------------------------------------------ */

static struct sheet sheet_of(const struct mw_forecast *f) { return sheet_for(&f->plan, false); }

const struct scene scene_cells = {
    .kind = MW_GRID,
    .role = MW_LABEL_GRID,
    .draw = draw,
    .sheet = sheet_of,
    .steps = {.cell = 7, .border = 3, .row = 1},
    .bytes = {8192, .cell = 7, .border = 7, .row = 500},
    .vector = {10000, .cell = 22, .border = 55, .row = 150},
    .raster = {.cell = 16, .border = 300, .row = 900},
};
