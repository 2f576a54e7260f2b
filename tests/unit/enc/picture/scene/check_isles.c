/*
 * check_isles.c: the drawing of a world of voxels, judged by rays.
 *
 * A canvas of the test's own records the figures. The world is built once more, as boxes; where a
 * ray of sight meets first is what the figures must leave at that point of the sheet. Rays go
 * through points that lie on no edge: everything is counted in 16ths of a unit.
 */
#include "enc/picture/isles/isles.h"
#include "enc/picture/scene/scene.h"
#include "kit/integer.h"
#include "kit/lattice.h"
#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SIDE = 24,
    CELLS = SIDE * SIDE,
    MOST_BOXES = 16000,
    MOST_FIGURES = 4000,
    MOST_CORNERS = 60000
};
enum { UNIT = 16, QUARTER = UNIT * 16 }; /* along the map a cell is 4 quarters; a unit up is 16 */

/* ---- a map of heights, ways and marks -------------------------------------------------------- */

static const struct mw_field no_fields[] = {MW_END};
static const struct mw_column mark_columns[] = {MW_COLUMN("id", MW_INTEGER, "Number"),
                                                MW_COLUMN("at", MW_POINT, "Place", .role = MW_MARK),
                                                MW_END_COLUMNS};
static const struct mw_column way_columns[] = {
    MW_COLUMN("cells", MW_POINTS, "Cells", .role = MW_TRACK), MW_END_COLUMNS};
enum { LABELS, HEIGHTS, MARKS, WAYS, NEAR, FAR, ROUTE, PARTS };
static const struct mw_part parts[] = {
    [LABELS] = MW_GRID_PART("labels", MW_LABEL_GRID, "Labels"),
    [HEIGHTS] = MW_GRID_PART("heights", MW_HEIGHT_GRID, "Heights"),
    [MARKS] = MW_TABLE_PART("marks", mark_columns, "Marks"),
    [WAYS] = MW_TABLE_PART("ways", way_columns, "Ways"),
    [NEAR] = MW_VALUE_PART("near", MW_INTEGER, "One", .role = MW_MARK),
    [FAR] = MW_VALUE_PART("far", MW_INTEGER, "Another", .role = MW_MARK),
    [ROUTE] = MW_VALUE_PART("route", MW_INTEGERS, "Labels", .role = MW_ROUTE),
    MW_END_PARTS,
};
static const struct mw_generator generator = {.name = "world",
                                              .version = 1,
                                              .seedless = true,
                                              .fields = no_fields,
                                              .parts = parts,
                                              .params_size = 1};

struct world {
    struct mw_lattice lattice;
    int32_t labels[CELLS], heights[CELLS];
    struct mw_point way_cells[CELLS * 4], marks[2];
    struct mw_points ways[CELLS];
    bool lit[CELLS]; /* ways that are to be */
    int32_t way_count, mark_count;
    struct mw_ints route;
};

static int32_t margin = -1; /* of the look */

static const struct mw_map *map_of(struct mw_run *run, const struct world *world)
{
    static struct mw_request request = {
        .generator = &generator, .params = "", .address = "/world?v=1"};
    size_t size = (size_t)world->lattice.width * (size_t)world->lattice.height * sizeof(int32_t);
    struct mw_map *map = MW_NEW0(run, struct mw_map, 1);
    request.look.margin = margin;
    map->request = &request;
    map->slots = MW_NEW0(run, struct mw_slot, PARTS);
    memcpy(mw_add_grid(run, map, LABELS, &world->lattice), world->labels, size);
    memcpy(mw_add_grid(run, map, HEIGHTS, &world->lattice), world->heights, size);
    mw_add_table(run, map, MARKS, world->mark_count);
    mw_add_table(run, map, WAYS, world->way_count);
    for (int32_t i = 0; i < world->way_count; i++)
        mw_points_column(map, WAYS, 0)[i] = world->ways[i];
    for (int32_t i = 0; i < world->mark_count; i++) {
        mw_int_column(map, MARKS, 0)[i] = i + 1;
        mw_point_column(map, MARKS, 1)[i] = world->marks[i];
        mw_set_int(map, NEAR + i, i + 1);
    }
    if (world->route.count)
        mw_set_ints(map, ROUTE, world->route);
    return map;
}

static int32_t height_at(const struct world *world, int32_t x, int32_t y)
{
    bool inside = x >= 0 && y >= 0 && x < world->lattice.width && y < world->lattice.height;
    return inside ? world->heights[y * world->lattice.width + x] : 0;
}

static int32_t label_at(const struct world *world, int32_t x, int32_t y)
{
    bool inside = x >= 0 && y >= 0 && x < world->lattice.width && y < world->lattice.height;
    return inside ? world->labels[y * world->lattice.width + x] : 0;
}

/* ---- a canvas that remembers ----------------------------------------------------------------- */

struct drawn {
    struct pen pen;
    int first, count; /* corners */
};

static struct {
    struct sheet sheet;
    struct drawn figures[MOST_FIGURES];
    int figure_count, corner_count, start, words;
    struct {
        int32_t x, y; /* in units */
        int next;     /* the corner that follows, or -1 */
    } at[MOST_CORNERS];
} seen;

static void on_open(struct canvas *canvas, const struct sheet *sheet)
{
    (void)canvas;
    seen.sheet = *sheet;
    seen.figure_count = seen.corner_count = seen.words = 0;
}

static void on_begin(struct canvas *canvas, struct pen pen)
{
    (void)canvas;
    ck_assert_int_lt(seen.figure_count, MOST_FIGURES);
    seen.figures[seen.figure_count] = (struct drawn){pen, seen.corner_count, 0};
}

static void add_corner(int32_t x, int32_t y)
{
    ck_assert_int_lt(seen.corner_count, MOST_CORNERS);
    seen.at[seen.corner_count].x = x;
    seen.at[seen.corner_count].y = y;
    seen.at[seen.corner_count++].next = -1;
    seen.figures[seen.figure_count].count++;
}

static void on_move(struct canvas *canvas)
{
    seen.start = seen.corner_count;
    add_corner(canvas->at.x, canvas->at.y);
}

static void on_step(struct canvas *canvas)
{
    seen.at[seen.corner_count - 1].next = seen.corner_count;
    add_corner(canvas->at.x, canvas->at.y);
}

static void on_close(struct canvas *canvas)
{
    (void)canvas;
    seen.at[seen.corner_count - 1].next = seen.start;
}

static void on_end(struct canvas *canvas)
{
    (void)canvas;
    ck_assert_msg(seen.figures[seen.figure_count].count > 0, "a figure has no way");
    seen.figure_count++;
}

static void on_disc(struct canvas *canvas, struct pen pen, struct mw_point at, int32_t radius)
{
    (void)canvas, (void)pen, (void)at, (void)radius;
    ck_abort_msg("a world has no discs");
}

static void on_word(struct canvas *canvas, struct text_style style, struct mw_point at,
                    const char *word)
{
    (void)canvas;
    ck_assert(!strcmp(word, "near") || !strcmp(word, "far"));
    ck_assert(at.x > 0 && at.x < seen.sheet.width && at.y - style.height / 2 >= 0 &&
              at.y < seen.sheet.height);
    seen.words++;
}

static const struct canvas_operations operations = {.open = on_open,
                                                    .begin = on_begin,
                                                    .move = on_move,
                                                    .step = on_step,
                                                    .close = on_close,
                                                    .end = on_end,
                                                    .disc = on_disc,
                                                    .word = on_word};

static bool smooths;

static void encode(struct mw_run *run, const struct mw_map *map)
{
    struct canvas canvas = {
        .run = run, .map = map, .operations = &operations, .is_raster = !smooths};
    scene_draw(&canvas);
}

static void draw(const struct world *world)
{
    static const struct mw_encoder encoder = {
        .name = "seen", .look_mask = SCENE_LOOK_MASK, .encode = encode};
    struct mw_run *run = unit_open();
    struct mw_bytes bytes = mw_encode_with(run, &encoder, map_of(run, world));
    ck_assert_msg(bytes.at != NULL, "%s", unit_problems(run));
}

/* By the even-odd rule; x and y in 16ths of a unit. */
static bool covers(const struct drawn *figure, int32_t x, int32_t y)
{
    bool inside = false;
    for (int i = figure->first; i < figure->first + figure->count; i++) {
        int j = seen.at[i].next;
        if (j < 0)
            return false; /* a line */
        int64_t ax = UNIT * seen.at[i].x, ay = UNIT * seen.at[i].y;
        int64_t bx = UNIT * seen.at[j].x, by = UNIT * seen.at[j].y;
        int64_t side = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
        if ((ay > y) != (by > y))
            inside ^= by > ay ? side > 0 : side < 0;
    }
    return inside;
}

/* Whether a figure is of land, earth or a deck: not of a tree, a flag or a line. */
static bool is_solid(const struct drawn *figure)
{
    const enum ink ink = figure->pen.fill;
    return ink != INK_NONE && (ink < INK_TREE || ink >= INK_TREE_END) &&
           (ink < INK_FLAG || ink >= INK_FLAG_END);
}

static enum ink drawn_at(int32_t x, int32_t y)
{
    for (int i = seen.figure_count - 1; i >= 0; i--)
        if (is_solid(&seen.figures[i]) && covers(&seen.figures[i], x, y))
            return seen.figures[i].pen.fill;
    return seen.sheet.ground;
}

/* ---- the world as boxes ---------------------------------------------------------------------- */

/* East and south in quarters of a cell, up in units; the inks of its top, left and right sides. */
struct box {
    int32_t x0, y0, z0, x1, y1, z1;
    enum ink inks[3];
};

static struct box boxes[MOST_BOXES];
static int box_count;

static void add_box(struct box box)
{
    ck_assert_int_lt(box_count, MOST_BOXES);
    boxes[box_count++] = box;
}

/* Steps to the nearest cell without land: the least distance along rows and columns. */
static int32_t steps_inland(const struct world *world, int32_t x, int32_t y)
{
    int32_t least = SIDE * 2;
    for (int32_t v = -1; v <= world->lattice.height; v++)
        for (int32_t u = -1; u <= world->lattice.width; u++)
            if (!height_at(world, u, v) && abs(u - x) + abs(v - y) < least)
                least = abs(u - x) + abs(v - y);
    return least;
}

static void add_column(const struct world *world, int32_t x, int32_t y, int32_t most)
{
    int32_t height = height_at(world, x, y), depth = 2 * steps_inland(world, x, y) - 1;
    for (int32_t n = 1; n <= height; n++) {
        int tier = most <= 8 ? n - 1 : (n - 1) * 7 / (most - 1), ink = INK_LAND + 4 * tier;
        add_box((struct box){
            4 * x,
            4 * y,
            6 * n - 6,
            4 * x + 4,
            4 * y + 4,
            6 * n,
            {(enum ink)(ink + ((x + y) % 2 ? 0 : 3)), (enum ink)(ink + 1), (enum ink)(ink + 2)}});
    }
    for (int32_t n = 1; n <= depth && n <= 16; n++) {
        int ink = INK_EARTH + 2 * (n / 2 < 3 ? n / 2 : 3);
        add_box((struct box){4 * x,
                             4 * y,
                             -7 * n,
                             4 * x + 4,
                             4 * y + 4,
                             7 - 7 * n,
                             {INK_NONE, (enum ink)ink, (enum ink)(ink + 1)}});
    }
}

static bool is_on(const struct mw_points *way, int32_t i, int32_t x, int32_t y)
{
    return i >= 0 && i < way->count && way->at[i].x == x && way->at[i].y == y;
}

static bool goes(const struct world *world, int32_t x, int32_t y, int32_t u, int32_t v)
{
    bool found = height_at(world, u, v) > 0;
    for (int32_t w = 0; w < world->way_count; w++)
        for (int32_t i = 0; i < world->ways[w].count; i++)
            found |= is_on(&world->ways[w], i, x, y) &&
                     (is_on(&world->ways[w], i - 1, u, v) || is_on(&world->ways[w], i + 1, u, v));
    return found;
}

static int ink_at(const struct world *world, int32_t x, int32_t y)
{
    int ink = INK_DECK;
    for (int32_t w = 0; w < world->way_count; w++)
        for (int32_t i = 0; i < world->ways[w].count; i++)
            if (world->lit[w] && is_on(&world->ways[w], i, x, y))
                ink = INK_DECK + 3;
    return ink;
}

static void add_deck(const struct world *world, int32_t x, int32_t y)
{
    int ink = ink_at(world, x, y);
    int32_t u = 4 * x, v = 4 * y;
    struct box box = {u + 1,
                      v + 1,
                      4,
                      u + 3,
                      v + 3,
                      6,
                      {(enum ink)ink, (enum ink)(ink + 1), (enum ink)(ink + 2)}};
    add_box(box);
    for (int i = 0; i < 4; i++) {
        static const int32_t dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
        struct box arm = box;
        arm.x0 += dx[i] > 0 ? 2 : -(dx[i] < 0);
        arm.x1 += dx[i] < 0 ? -2 : dx[i] > 0;
        arm.y0 += dy[i] > 0 ? 2 : -(dy[i] < 0);
        arm.y1 += dy[i] < 0 ? -2 : dy[i] > 0;
        if (goes(world, x, y, x + dx[i], y + dy[i]))
            add_box(arm);
    }
}

static void build(const struct world *world)
{
    int32_t most = 0;
    box_count = 0;
    for (int32_t i = 0; i < world->lattice.width * world->lattice.height; i++)
        most = world->heights[i] > most ? world->heights[i] : most;
    for (int32_t y = 0; y < world->lattice.height; y++)
        for (int32_t x = 0; x < world->lattice.width; x++)
            if (height_at(world, x, y))
                add_column(world, x, y, most);
            else if (label_at(world, x, y) < 0)
                add_deck(world, x, y);
}

/* Where the rear corner of the plan lies: by the highest corner of land or a deck. */
static struct mw_point rear_corner(const struct world *world)
{
    int32_t least = INT32_MAX, highest = INT32_MAX;
    for (int i = 0; i < box_count; i++)
        least = mw_min(least, boxes[i].x0 + boxes[i].y0 - boxes[i].z1);
    for (int f = 0; f < seen.figure_count; f++) {
        const struct drawn *figure = &seen.figures[f];
        for (int i = figure->first; is_solid(figure) && i < figure->first + figure->count; i++)
            highest = mw_min(highest, seen.at[i].y);
    }
    return (struct mw_point){10 + 8 * world->lattice.height, box_count ? highest - least : 10};
}

/*
 * From the rear corner a point of the sheet is `right`, `down`. Up at z the ray is at east = (right
 * / 2 + down + z) / 2, south = (down + z - right / 2) / 2 in quarters, as a quarter to the east is
 * 2 units right and 1 down: it leaves a box upwards where the first of its three upper faces is.
 * All times UNIT.
 */
static enum ink met_by(int32_t right, int32_t down)
{
    int32_t highest = INT32_MIN;
    enum ink ink = INK_SKY;
    for (int i = 0; i < box_count; i++) {
        const struct box *b = &boxes[i];
        int32_t east = -down - right / 2, south = -down + right / 2;
        int32_t leaves[] = {UNIT * b->z1, 2 * UNIT * b->y1 + south, 2 * UNIT * b->x1 + east};
        int32_t enters[] = {UNIT * b->z0, 2 * UNIT * b->y0 + south, 2 * UNIT * b->x0 + east};
        int face = 0;
        for (int k = 1; k < 3; k++)
            face = leaves[k] < leaves[face] ? k : face;
        bool hit = leaves[face] > enters[0] && leaves[face] > enters[1] && leaves[face] > enters[2];
        if (!hit || leaves[face] <= highest)
            continue;
        highest = leaves[face];
        ink = b->inks[face];
    }
    return ink;
}

/* ---- worlds ---------------------------------------------------------------------------------- */

static const struct row {
    int32_t width, height, most;
    int32_t air;   /* percent */
    int32_t decks; /* percent of the air */
    bool even;     /* all land is as high as it can be */
    int32_t far;   /* units from ray to ray */
} rows[] = {
    {1, 1, 1, 0, 0, true, 1},    {1, 1, 9, 0, 0, true, 1},      {7, 1, 4, 30, 50, false, 1},
    {1, 7, 4, 30, 50, false, 1}, {6, 6, 2, 50, 60, false, 1},   {6, 6, 1, 60, 100, true, 1},
    {8, 8, 8, 20, 50, false, 2}, {8, 8, 9, 20, 50, false, 2},   {7, 9, 20, 40, 50, false, 2},
    {9, 7, 3, 70, 80, false, 1}, {5, 5, 2, 100, 100, false, 1}, {10, 10, 64, 50, 40, false, 5},
    {22, 22, 2, 0, 0, true, 9},  {12, 12, 3, 5, 50, false, 3},
};

/* Ways from deck to deck, at random; some decks are on none. */
static void lay_ways(struct world *world, struct mw_rng *rng)
{
    const struct mw_lattice *l = &world->lattice;
    int32_t used = 0;
    world->way_count = 0;
    for (int32_t c = 0; c < l->width * l->height; c++) {
        if (world->labels[c] >= 0 || world->heights[c] || mw_chance(rng, 300))
            continue;
        struct mw_points *way = &world->ways[world->way_count++];
        *way = (struct mw_points){world->way_cells + used, 0};
        for (int32_t at = c, n = mw_between(rng, 1, 4); n > 0; n--) {
            world->way_cells[used++] = (struct mw_point){at % l->width, at / l->width};
            way->count++;
            int32_t next = mw_neighbour(l, at, mw_between(rng, 0, 3));
            if (next < 0 || world->labels[next] >= 0 || world->heights[next])
                break;
            at = next;
        }
    }
}

static void make_world(struct world *world, const struct row *row, uint64_t number)
{
    struct mw_rng rng = unit_rng(number);
    *world = (struct world){.lattice = {row->width, row->height, MW_SQUARE, MW_WRAP_NONE}};
    for (int32_t c = 0; c < row->width * row->height; c++) {
        bool land = !mw_chance(&rng, row->air * 10);
        world->heights[c] = !land ? 0 : row->even ? row->most : mw_between(&rng, 1, row->most);
        world->labels[c] = land ? 1 : mw_chance(&rng, row->decks * 10) ? -1 : 0;
    }
    lay_ways(world, &rng);
}

/* The ink of land for a top of any tint. */
static enum ink without_tint(enum ink ink)
{
    int32_t n = (int32_t)ink - INK_ISLE, layer = n / 2 % INK_LANDS;
    return n < 0 || ink >= INK_ISLE_END ? ink : (enum ink)(INK_LAND + 4 * layer + n % 2 * 3);
}

static void check_rays(const struct world *world, int32_t far)
{
    struct mw_point rear = rear_corner(world);
    for (int32_t y = 0; y < seen.sheet.height; y += far)
        for (int32_t x = 0; x < seen.sheet.width; x += far) {
            int32_t sx = UNIT * x + 6, sy = UNIT * y + 4;
            enum ink want = met_by(sx - UNIT * rear.x, sy - UNIT * rear.y),
                     is = without_tint(drawn_at(sx, sy));
            ck_assert_msg(is == want, "at %d, %d ink %d was drawn, not %d", x, y, is, want);
        }
}

static void check_corners(void)
{
    for (int i = 0; i < seen.corner_count; i++)
        ck_assert_msg(seen.at[i].x >= 0 && seen.at[i].x <= seen.sheet.width && seen.at[i].y >= 0 &&
                          seen.at[i].y <= seen.sheet.height,
                      "%d, %d lies outside the sheet", seen.at[i].x, seen.at[i].y);
}

static struct world world;

TEST(the_nearest_is_what_is_seen, .end = COUNT(rows))
{
    for (uint64_t number = 0; number < 4; number++) {
        make_world(&world, &rows[_i], number);
        smooths = number % 2;
        draw(&world);
        build(&world);
        check_rays(&world, rows[_i].far);
        check_corners();
        ck_assert_int_eq(seen.sheet.width, 8 * (rows[_i].width + rows[_i].height) + 20);
        ck_assert_int_eq(seen.sheet.pitch, 16);
    }
}

/* `+` is a deck, a digit land of that label, one layer high. */
static void read_world(const char *const *plan, int32_t height)
{
    world = (struct world){.lattice = {(int32_t)strlen(plan[0]), height, MW_SQUARE, MW_WRAP_NONE}};
    for (int32_t c = 0; c < world.lattice.width * height; c++) {
        char at = plan[c / world.lattice.width][c % world.lattice.width];
        world.labels[c] = at == '+' ? -1 : at == '.' ? 0 : at - '0';
        world.heights[c] = world.labels[c] > 0;
    }
}

static void add_way(int32_t x, int32_t y, int32_t dx, int32_t count, bool lit)
{
    struct mw_point *cells = world.way_cells + 8 * world.way_count;
    for (int32_t i = 0; i < count; i++)
        cells[i] = (struct mw_point){x + i * dx, y};
    world.lit[world.way_count] = lit;
    world.ways[world.way_count++] = (struct mw_points){cells, count};
}

static const char *const three[] = {
    "11.22.33",
    "1++2+33.",
    "1..+.3..",
    "1++++3..",
};

TEST(ways_on_the_route_are_lit)
{
    static const int32_t route[] = {1, 3, 2};
    read_world(three, COUNT(three));
    add_way(2, 1, -1, 2, false);
    add_way(4, 1, 1, 1, true);
    add_way(4, 3, -1, 4, true);
    add_way(3, 2, 0, 1, false); /* ends nowhere */
    add_way(3, 2, 0, 1, false);
    world.way_cells[8 * (world.way_count - 1) + 1] = (struct mw_point){3, 3}; /* and meets one */
    world.ways[world.way_count - 1].count = 2;
    world.route = (struct mw_ints){route, COUNT(route)};
    for (int i = 0; i < 2; i++) {
        smooths = i;
        draw(&world);
        build(&world);
        check_rays(&world, 1);
    }
}

TEST(flags_fly_within_the_sheet)
{
    static const struct mw_point places[] = {{0, 0}, {7, 0}, {0, 3}};
    read_world(three, COUNT(three));
    world.mark_count = 2;
    world.marks[0] = (struct mw_point){0, 0};
    for (int i = 0; i < 2 * COUNT(places); i++) {
        margin = i % 2 - 1;
        world.marks[1] = places[i / 2];
        draw(&world);
        check_corners();
        ck_assert_int_eq(seen.words, 2);
    }
    margin = -1;
}

/*
 * A canvas that smooths edges mixes each figure with what it covers, by the share of the pixel that
 * it covers. Where a pixel has nothing of the sky in it, the sky must not be left in the mixture.
 */
enum {
    FINE = 10,
    STEP = 2,
    PIXEL = FINE * STEP
}; /* samples each way, and from one to the next, in 16ths of a unit */

static void check_pixel(struct mw_point rear, int32_t x, int32_t y)
{
    double sky = 1;
    for (int i = 0; i < FINE * FINE; i++)
        if (met_by(x + STEP * (i % FINE) - UNIT * rear.x, y + STEP * (i / FINE) - UNIT * rear.y) ==
            INK_SKY)
            return;
    for (int f = 0; f < seen.figure_count; f++) {
        int covered = 0;
        for (int i = 0; i < FINE * FINE; i++)
            covered += covers(&seen.figures[f], x + STEP * (i % FINE), y + STEP * (i / FINE));
        sky *= 1 - (double)covered / (FINE * FINE);
    }
    ck_assert_msg(sky < 0.1, "%.0f%% of the sky are seen through a seam at %d, %d", sky * 100,
                  x / UNIT, y / UNIT);
}

TEST(no_seam_shows_the_sky)
{
    static const char *const plan[] = {
        "11111......", "11111......", "11111++++22", "111.....+22",
        "111.....+..", "........333", "........333",
    };
    read_world(plan, COUNT(plan));
    for (int32_t y = 0; y < 5; y++)
        for (int32_t x = 0; x < 5; x++)
            if (label_at(&world, x, y))
                world.heights[y * world.lattice.width + x] =
                    x % 4 && y % 4 ? 1 + (x < 3) + (x == y) : 1;
    add_way(5, 2, 1, 4, false);
    struct mw_point *cells = world.way_cells + 8 * world.way_count;
    for (int32_t i = 0; i < 3; i++)
        cells[i] = (struct mw_point){8, 2 + i};
    world.ways[world.way_count++] = (struct mw_points){cells, 3};
    smooths = true;
    draw(&world);
    build(&world);
    struct mw_point rear = rear_corner(&world);
    for (int32_t y = 5; y + PIXEL < UNIT * seen.sheet.height; y += PIXEL)
        for (int32_t x = 2; x + PIXEL < UNIT * seen.sheet.width; x += PIXEL)
            check_pixel(rear, x, y);
}

TEST(hexagons_are_drawn_flat)
{
    make_world(&world, &rows[4], 1);
    world.lattice.tiling = MW_HEX;
    draw(&world);
    ck_assert_int_eq(seen.sheet.ground, INK_SEA);
}

TEST(islands_joined_by_a_bridge_differ_in_tint, .end = 60)
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    char query[80];
    size_t n;
    snprintf(query, sizeof query, "width=64&height=64&islands=40,80&loops=1&seed=%d", _i);
    const struct mw_arg *args = unit_args(run, query, &n);
    ck_assert(mw_bind(run, mw_find("islands"), args, n, NULL, &request));
    const struct mw_map *map = mw_make(run, &request);
    struct canvas canvas = {.run = run, .map = map};
    const struct isles w = isles_of(&canvas, mw_grid(map, "heights"), mw_grid(map, "cells"));
    struct mw_ints from = mw_ints_of(map, "bridges", "from"), to = mw_ints_of(map, "bridges", "to");
    ck_assert_int_gt(from.count, 40);
    const struct mw_point *at = mw_points_of(map, "islands", "center").at;
    for (int32_t i = 0; i < from.count; i++) {
        const struct mw_point a = at[from.at[i] - 1], b = at[to.at[i] - 1];
        ck_assert_int_ne(w.tints[isles_cell(&w, a.x, a.y)], w.tints[isles_cell(&w, b.x, b.y)]);
    }
}
