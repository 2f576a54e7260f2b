/*
 * scene_isles.c: a world of voxels seen from above at a slant, floating in the sky.
 *
 * A cell is a rhombus 16 units across and 8 down; its columns of land rise from plane 0, as many
 * layers as its height says, and earth hangs below, deeper inland. Bridges are planks level with
 * the first layer.
 *
 *            rear
 *           /    \         The viewer looks down along (-1, -1) of the map. What a ray of sight
 *      left  top  right    meets later lies lower, and farther to the rear. So what is painted
 *        | \    / |        layer by layer, from the lowest up, covers rightly, wherever on the map
 *        |  front |        it is: the order needs no sorting of cells.
 *         \   |  /
 *            \|/           Within a layer there are left sides (to the south), right sides (to the
 *                          east) and tops. A layer is no thicker than a rhombus is high, so that no
 *                          side that is seen reaches down to another side of its layer, and tops
 *                          come last, as a ray meets them first.
 *
 * So each layer is three figures: all its right sides, all its left ones, all its tops as outlines.
 * A top is drawn whole, with what the next layer will stand on: its outline is shorter. Sides that
 * go on straight are drawn as one.
 *
 * Figures whose edges meet let through a little of what is behind, where a drawing smooths its
 * edges. So what is painted first goes on under the next by a unit or two: sides under tops, right
 * sides under left ones, tops of planks under tops of land. It never shows, as it ends where there
 * is only sky behind. Of the edges between a cliff's layers a trace of turf is left, which does it
 * no harm.
 *
 * Planks are as thick as they are far from the rim of their cells: a ray that comes up from a
 * plank's side is at the top of the layer before it could leave the land of another cell by a side
 * that is seen. So planks are painted after the sides of the land, and before its tops.
 *
 * Cost: a pass over the cells for the depths, one to put faces into their layers, then the faces.
 * Memory: 6 bytes a cell and 4 a face.
 */
#include "enc/find.h"
#include "isles.h"
#include "kit/integer.h"
#include "kit/lattice.h"
#include "scene.h"

/* Half a rhombus; a layer of land, of earth; a plank. All in units. */
enum {
    ACROSS = ISLES_ACROSS,
    DOWN = ISLES_DOWN,
    RISE = ISLES_RISE,
    FALL = 7,
    PLANK = 2,
    MARGIN = 10
};
_Static_assert(RISE <= 2 * DOWN && FALL <= 2 * DOWN && PLANK <= 2 * DOWN / 4,
               "sides would overlap");
enum { MOST_FLAGS = 8 };
enum { TOP, LEFT, RIGHT, OTHER }; /* inks of a solid */

/* ---- where things are ------------------------------------------------------------------------ */

/* A point in a cell: quarters of it to the east and south of its rear corner, units above plane
   0. */
static struct mw_point corner(const struct isles *w, int32_t cell, int32_t east, int32_t south,
                              int32_t level)
{
    int32_t x = 4 * (cell % w->stride) + east, y = 4 * (cell / w->stride) + south;
    return (struct mw_point){w->rear.x + (x - y) * ACROSS / 4,
                             w->rear.y + (x + y) * DOWN / 4 - level};
}

static bool has(const struct mass *m, int32_t cell, int32_t layer)
{
    return m->layers[cell] >= layer;
}

static bool shows(const struct isles *w, const struct mass *m, int32_t cell, int32_t layer,
                  int side)
{
    return has(m, cell, layer) && !has(m, cell + w->aside[side], layer);
}

/* Of sides in a row, which starts at the cell, or 0 where it does not. `along` leads to the
   next. */
static int32_t row_of(const struct isles *w, const struct mass *m, int32_t cell, int32_t layer,
                      int side, int32_t along)
{
    int32_t n = 0;
    if (shows(w, m, cell - along, layer, side))
        return 0;
    while (shows(w, m, cell + n * along, layer, side))
        n++;
    mw_tick(w->run, (uint64_t)n + 1);
    return n;
}

/* ---- sides and tops -------------------------------------------------------------------------- */

static void begin(struct isles *w, enum ink ink)
{
    w->ink = ink;
    w->begun = false;
}

static void move(struct isles *w, struct mw_point at)
{
    if (!w->begun)
        canvas_begin(w->canvas, (struct pen){.fill = w->ink});
    w->begun = true;
    canvas_move(w->canvas, at.x, at.y);
}

static void end(const struct isles *w)
{
    if (w->begun)
        canvas_end(w->canvas);
}

/* A left side from its left end, `quarters` of a cell long: up by a unit at its front, under the
   top, and back below. */
static void draw_left(struct isles *w, struct mw_point at, int32_t quarters, int32_t thick)
{
    struct canvas *c = w->canvas;
    move(w, at);
    canvas_step(c, 2, 0);
    assert(quarters > 0 && thick > 0);
    canvas_step(c, 2 * quarters - 2, quarters - 1);
    canvas_step(c, 0, thick + 1);
    canvas_step(c, -2 * quarters, -quarters);
    canvas_close(c);
}

/* A right side from its right end, with a strip at its front that a left side or a top will cover;
   and at its right end, too, where it meets a left side there. */
static void draw_right(struct isles *w, struct mw_point at, int32_t quarters, bool meets,
                       int32_t thick)
{
    struct canvas *c = w->canvas;
    move(w, (struct mw_point){at.x + (meets ? 2 : 0), at.y});
    canvas_step(c, -2, meets ? -1 : 0);
    canvas_step(c, -2 * quarters + (meets ? 0 : 2), quarters - (meets ? 0 : 1));
    canvas_step(c, -2, -1);
    canvas_step(c, 0, thick);
    canvas_step(c, 2, 2);
    canvas_step(c, 2 * quarters, -quarters);
    if (meets)
        canvas_step(c, 2, 0);
    canvas_close(c);
}

/* Whether a left side goes on where a row of right sides begins, with a top above both. */
static bool nests(const struct isles *w, const struct mass *m, int32_t cell, int32_t layer)
{
    int32_t behind = cell + w->aside[NORTH];
    return has(m, behind, layer) && has(m, behind + 1, layer);
}

static void draw_faces(struct isles *w, const struct mass *m, int32_t layer, int side, enum ink ink,
                       int32_t level, int32_t thick)
{
    begin(w, ink);
    int32_t along = side == EAST ? w->stride : 1;
    for (int64_t i = m->first[layer]; i < m->first[layer + 1]; i++) {
        int32_t cell = m->list[i], n = row_of(w, m, cell, layer, side, along);
        if (n && side == SOUTH)
            draw_left(w, corner(w, cell, 0, 4, level), 4 * n, thick);
        else if (n)
            draw_right(w, corner(w, cell, 4, 0, level), 4 * n, nests(w, m, cell, layer), thick);
    }
    end(w);
}

/* Clockwise round the layer: see scene_cells.c. */
static void advance(const struct isles *w, int32_t layer, int32_t *cell, int *side)
{
    assert(shows(w, &w->land, *cell, layer, *side));
    int turn = (*side + 1) % 4;
    int32_t beside = *cell + w->aside[turn], behind = beside + w->aside[*side];
    if (!has(&w->land, beside, layer)) {
        *side = turn;
    } else if (!has(&w->land, behind, layer)) {
        *cell = beside;
    } else {
        *cell = behind;
        *side = (*side + 3) % 4;
    }
}

static void draw_loop(struct isles *w, int32_t layer, int32_t cell, int side)
{
    struct mw_point at = corner(w, cell, side == EAST || side == SOUTH ? 4 : 0,
                                side == SOUTH || side == WEST ? 4 : 0, layer * RISE);
    move(w, at);
    while (!(w->walked[cell] >> side & 1)) {
        w->walked[cell] |= (uint8_t)(1 << side);
        canvas_step(w->canvas, side < WEST ? -ACROSS : ACROSS,
                    side == EAST || side == NORTH ? DOWN : -DOWN);
        advance(w, layer, &cell, &side);
        mw_tick(w->run, 1);
    }
    canvas_close(w->canvas);
}

static void draw_tops(struct isles *w, int32_t layer, enum ink ink)
{
    const struct mass *m = &w->land;
    begin(w, ink);
    for (int64_t i = m->first[layer]; i < m->first[layer + 1]; i++)
        w->walked[m->list[i]] = 0;
    for (int64_t i = m->first[layer]; i < m->first[layer + 1]; i++)
        for (int side = 0; side < 4; side++)
            if (shows(w, m, m->list[i], layer, side) && !(w->walked[m->list[i]] >> side & 1))
                draw_loop(w, layer, m->list[i], side);
    end(w);
}

/* Every other cell that has no land on it, so that one sees what a cell is. */
static void draw_others(struct isles *w, int32_t layer, enum ink ink)
{
    begin(w, ink);
    for (int64_t i = w->land.first[layer]; i < w->land.first[layer + 1]; i++) {
        int32_t cell = w->land.list[i];
        if (w->land.layers[cell] != layer || (cell % w->stride + cell / w->stride) % 2)
            continue;
        struct mw_point at = corner(w, cell, 0, 0, layer * RISE);
        move(w, at);
        canvas_step(w->canvas, ACROSS, DOWN);
        canvas_step(w->canvas, -ACROSS, DOWN);
        canvas_step(w->canvas, -ACROSS, -DOWN);
        canvas_close(w->canvas);
    }
    end(w);
    mw_tick(w->run, (uint64_t)(w->land.first[layer + 1] - w->land.first[layer]));
}

/* ---- decks ----------------------------------------------------------------------------------- */

/* Whether a deck leads on to that side: to land, or along a way. */
static bool leads(const struct isles *w, int32_t cell, int side)
{
    int32_t next = cell + w->aside[side];
    return w->land.layers[next] || w->deck[cell] & DECK_WAY << side;
}

static void step_quarters(struct canvas *c, int32_t east, int32_t south)
{
    canvas_step(c, (east - south) * ACROSS / 4, (east + south) * DOWN / 4);
}

/* A side to the east or south, `from` and `to` in quarters along it. */
static void draw_edge(struct isles *w, int32_t cell, int side, int32_t from, int32_t to)
{
    struct mw_point at = corner(w, cell, side == EAST ? 3 : from, side == EAST ? from : 3, RISE);
    int32_t east = side == EAST ? 0 : to - from, south = side == EAST ? to - from : 0;
    if (from == to)
        return;
    move(w, at);
    step_quarters(w->canvas, east, south);
    canvas_step(w->canvas, 0, PLANK);
    step_quarters(w->canvas, -east, -south);
    canvas_close(w->canvas);
}

/* The sides of a deck to the east or south: one, or two beside the arm that leads there. */
static void draw_deck_sides(struct isles *w, int32_t cell, int side)
{
    int before = side == EAST ? NORTH : WEST, after = side == EAST ? SOUTH : EAST;
    int32_t from = leads(w, cell, before) ? 0 : 1, to = leads(w, cell, after) ? 4 : 3;
    if (leads(w, cell, side)) {
        draw_edge(w, cell, side, from, 1);
        draw_edge(w, cell, side, 3, to);
    } else {
        draw_edge(w, cell, side, from, to);
    }
}

/* The middle of the cell, with an arm to each side that it leads to, clockwise from the north-west.
   A top goes on under the top of land. */
static void draw_deck_top(struct isles *w, int32_t cell, int32_t level)
{
    static const int sides[] = {NORTH, EAST, SOUTH, WEST};
    static const int8_t out_x[] = {0, 1, 0, -1}, out_y[] = {-1, 0, 1, 0};
    struct mw_point at = corner(w, cell, 1, 1, level);
    move(w, at);
    for (int i = 0; i < 4; i++) {
        int along = (i + 1) % 4, arm = leads(w, cell, sides[i]);
        if (arm && level == RISE && w->land.layers[cell + w->aside[sides[i]]])
            arm = 2;
        step_quarters(w->canvas, arm * out_x[i], arm * out_y[i]);
        step_quarters(w->canvas, 2 * out_x[along], 2 * out_y[along]);
        step_quarters(w->canvas, -arm * out_x[i], -arm * out_y[i]);
    }
    canvas_close(w->canvas);
}

/* OTHER is what comes under the edges where sides and tops meet: the tops, half as high. */
static void draw_decks(struct isles *w, int kind, int face)
{
    int ink = INK_DECK + (kind - DECK) * 3 + (face == OTHER ? LEFT : face);
    begin(w, (enum ink)ink);
    for (int32_t i = 0; i < w->deck_count; i++) {
        int32_t cell = w->decks[i];
        if ((w->deck[cell] & DECK_KIND) != kind)
            continue;
        if (face == LEFT || face == RIGHT)
            draw_deck_sides(w, cell, face == LEFT ? SOUTH : EAST);
        else
            draw_deck_top(w, cell, face == TOP ? RISE : RISE - PLANK / 2);
    }
    end(w);
    mw_tick(w->run, (uint64_t)w->deck_count);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static void draw_earth(struct isles *w)
{
    for (int32_t n = w->earth.most; n > 0; n--) {
        int32_t tier = mw_min(n / 2, INK_EARTHS - 1), level = -(n - 1) * FALL;
        draw_faces(w, &w->earth, n, EAST, (enum ink)(INK_EARTH + 2 * tier + 1), level, FALL);
        draw_faces(w, &w->earth, n, SOUTH, (enum ink)(INK_EARTH + 2 * tier), level, FALL);
    }
}

static enum ink ink_of(const struct isles *w, int32_t n) { return ink_of_layer(n, w->land.most); }

static void draw_land_sides(struct isles *w, int32_t n)
{
    draw_faces(w, &w->land, n, EAST, (enum ink)(ink_of(w, n) + RIGHT), n * RISE, RISE);
    draw_faces(w, &w->land, n, SOUTH, (enum ink)(ink_of(w, n) + LEFT), n * RISE, RISE);
}

static void draw_land_tops(struct isles *w, int32_t n)
{
    draw_tops(w, n, ink_of(w, n));
    draw_others(w, n, (enum ink)(ink_of(w, n) + OTHER));
}

static void draw_land(struct isles *w)
{
    if (w->land.most)
        draw_land_sides(w, 1);
    for (int face = OTHER; face >= TOP; face--)
        for (int kind = DECK; kind <= DECK_LIT; kind++)
            draw_decks(w, kind, face);
    if (w->land.most)
        draw_land_tops(w, 1);
    for (int32_t n = 2; n <= w->land.most; n++) {
        draw_land_sides(w, n);
        draw_land_tops(w, n);
    }
}

/* ---- flags ----------------------------------------------------------------------------------- */

/* On the mark of the row that part p names; above other flags that stand there. */
struct flag {
    const char *word;
    int32_t cell, pole, wide, letter; /* `letter`: the height of its capitals */
    enum ink ink;
};

/* Fills `flags` with at most MOST_FLAGS. */
static int find_flags(const struct isles *w, struct flag *flags)
{
    const struct mw_map *map = w->canvas->map;
    const struct mw_part *parts = map->request->generator->parts;
    const struct marks marks = find_marks(map);
    int32_t letter = mw_max((w->width + w->height) * ACROSS / 100, 7);
    int n = 0;
    for (int p = 0; parts[p].kind != MW_NO_PART && n < MOST_FLAGS; p++) {
        struct mw_point at;
        if (!marks_place(&marks, map, p, &at))
            continue;
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
    return corner(w, cell, 2, 2, w->land.layers[cell] * RISE);
}

static void draw_flag(const struct isles *w, const struct flag *flag)
{
    struct canvas *c = w->canvas;
    struct mw_point foot = foot_of(w, flag->cell);
    int32_t letter = flag->letter, top = foot.y - flag->pole;
    canvas_begin(c, (struct pen){.line = INK_MARK, .tenths = 2 * letter});
    canvas_move(c, foot.x, foot.y);
    canvas_step(c, 0, -flag->pole);
    canvas_end(c);
    canvas_begin(c, (struct pen){.fill = flag->ink});
    canvas_move(c, foot.x, top);
    canvas_step(c, flag->wide, 0);
    canvas_step(c, -letter, letter);
    canvas_step(c, letter, letter);
    canvas_step(c, -flag->wide, 0);
    canvas_close(c);
    canvas_end(c);
    canvas_word(c, INK_PALE, foot.x + (flag->wide - letter) / 2, top + letter, letter, flag->word);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Room for the plan, and for what rises, hangs or flies beyond it. */
static void open_sheet(struct isles *w, const struct flag *flags, int flown)
{
    int32_t left = -w->height * ACROSS, right = w->width * ACROSS, top = 0,
            bottom = (w->width + w->height) * DOWN;
    w->rear = (struct mw_point){0, -2 * DOWN};
    for (int64_t i = 0; w->land.most && i < w->land.first[w->land.most + 1]; i++) {
        int32_t cell = w->land.list[i], y = corner(w, cell, 0, 0, 0).y;
        top = mw_min(top, y - w->land.layers[cell] * RISE);
        bottom = mw_max(bottom, y + 2 * DOWN + w->earth.layers[cell] * FALL);
    }
    mw_tick(w->run, (uint64_t)w->count + (uint64_t)w->deck_count);
    for (int32_t i = 0; i < w->deck_count; i++)
        top = mw_min(top, corner(w, w->decks[i], 1, 1, RISE).y);
    for (int i = 0; i < flown; i++) {
        struct mw_point foot = foot_of(w, flags[i].cell);
        right = mw_max(right, foot.x + flags[i].wide);
        top = mw_min(top, foot.y - flags[i].pole);
    }
    canvas_open(w->canvas, &(struct sheet){.width = right - left,
                                           .height = bottom - top,
                                           .margin = MARGIN,
                                           .pitch = 2 * ACROSS,
                                           .ground = INK_SKY});
    int32_t margin = w->canvas->margin;
    w->rear = (struct mw_point){margin - left, margin - top - 2 * DOWN};
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
    open_sheet(&w, flags, flown);
    draw_earth(&w);
    draw_land(&w);
    for (int i = 0; i < flown; i++)
        draw_flag(&w, &flags[i]);
    isles_stand(canvas, w.labels, corner(&w, isles_cell(&w, 0, 0), 0, 0, 0));
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* Room for the plan, and for a few layers above it and below. */
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
    .steps = {300, .cell = 7, .land = 20, .item = 9},
    .bytes = {8192, .cell = 5, .land = 75, .row = 20, .item = 200},
    .vector = {8000, .cell = 8, .land = 140, .row = 120, .item = 300},
    .raster = {.cell = 9, .land = 520, .item = 150},
    .mixtures = 5000,
};
