/* check_seam.c: without a margin the picture of a map that wraps has no seam: a map that is moved
   round gives the same pixels, moved round. */
#include "enc/picture/raster/raster.h"
#include "kit/integer.h"
#include "kit/lattice.h"
#include "lib/run.h"
#include "unit/unit.h"

#include <stdlib.h>

enum { WIDE = 24, HIGH = 16, LABELS = 5, SCALE = 14 };
enum { CELLS, TABLE, PART_END };

static const struct mw_column marked[] = {
    {.name = "id", .type = MW_INTEGER},
    {.name = "at", .type = MW_POINT, .role = MW_MARK},
    MW_END_COLUMNS,
};
static const struct mw_column walked[] = {
    {.name = "id", .type = MW_INTEGER},
    {.name = "at", .type = MW_POINT, .role = MW_MARK},
    {.name = "walk", .type = MW_POINTS},
    MW_END_COLUMNS,
};
static const struct mw_part parts[][PART_END + 1] = {
    {{.name = "cells", .kind = MW_GRID, .role = MW_LABEL_GRID},
     {.name = "things", .kind = MW_TABLE, .columns = marked},
     MW_END_PARTS},
    {{.name = "cells", .kind = MW_GRID, .role = MW_LABEL_GRID},
     {.name = "things", .kind = MW_TABLE, .columns = walked},
     MW_END_PARTS},
};
static const struct mw_field no_fields[] = {MW_END};

/* The middles of the labels, of which those of balls are as far apart as the balls are wide. */
static const struct mw_point seats[LABELS] = {{1, 0}, {12, 7}, {23, 8}, {7, 14}, {17, 1}};
static const int32_t radii[LABELS] = {3, 4, 2, 2, 1};

struct row {
    enum mw_tiling tiling;
    enum mw_wrap wrap;
    bool balls, walks;
};
static const struct row rows[] = {
    {MW_HEX, MW_WRAP_XY, true, false},    {MW_HEX, MW_WRAP_XY, false, false},
    {MW_HEX, MW_WRAP_XY, false, true},    {MW_HEX, MW_WRAP_X, false, false},
    {MW_SQUARE, MW_WRAP_XY, true, false}, {MW_SQUARE, MW_WRAP_XY, false, true},
    {MW_SQUARE, MW_WRAP_X, false, false},
};

/* Steps between two cells. */
static int32_t distance(const struct mw_lattice *l, int32_t from, int32_t to)
{
    int32_t queue[WIDE * HIGH] = {from}, steps[WIDE * HIGH] = {0}, n = 1;
    for (int32_t i = 0; i < n && queue[i] != to; i++)
        for (int side = 0; side < mw_sides(l); side++) {
            int32_t next = mw_neighbour(l, queue[i], side);
            if (next < 0 || next == from || steps[next])
                continue;
            steps[next] = steps[queue[i]] + 1;
            queue[n++] = next;
        }
    return steps[to];
}

/* Balls with water between, or the land of whoever is nearest. */
static int32_t label_at(const struct row *row, const struct mw_lattice *l, int32_t cell)
{
    int32_t best = 0, least = INT32_MAX;
    for (int i = 0; i < LABELS; i++) {
        int32_t far = distance(l, seats[i].y * WIDE + seats[i].x, cell);
        if (far < least && (!row->balls || far <= radii[i])) {
            least = far;
            best = i + 1;
        }
    }
    return best;
}

static struct mw_point moved(struct mw_point at, struct mw_point by)
{
    return (struct mw_point){(at.x + by.x) % WIDE, (at.y + by.y) % HIGH};
}

/* From the seat round the map, eastward, and back to it. */
static struct mw_points walk_from(struct mw_run *run, struct mw_point seat)
{
    struct mw_point *at = MW_NEW(run, struct mw_point, WIDE + 1);
    for (int32_t i = 0; i <= WIDE; i++)
        at[i] = moved(seat, (struct mw_point){i, 0});
    return (struct mw_points){at, WIDE + 1};
}

static void picture_of(struct mw_run *run, const struct row *row, struct mw_point by,
                       struct picture *picture)
{
    struct mw_generator generator = {.name = "wrapped",
                                     .version = 1,
                                     .fields = no_fields,
                                     .parts = parts[row->walks],
                                     .params_size = 1};
    const struct mw_request request = {
        .generator = &generator,
        .params = "",
        .address = "/wrapped",
        .look = {.scale = SCALE, .labels = row->balls, .grid_lines = !row->balls}};
    struct mw_map map = {&request, MW_NEW0(run, struct mw_slot, PART_END)};
    const struct mw_lattice lattice = {WIDE, HIGH, row->tiling, row->wrap};
    int32_t *cells = mw_add_grid(run, &map, CELLS, &lattice);
    for (int32_t cell = 0; cell < WIDE * HIGH; cell++) {
        struct mw_point to = moved((struct mw_point){cell % WIDE, cell / WIDE}, by);
        cells[to.y * WIDE + to.x] = label_at(row, &lattice, cell);
    }
    mw_add_table(run, &map, TABLE, LABELS);
    for (int32_t i = 0; i < LABELS; i++) {
        mw_int_column(&map, TABLE, 0)[i] = i + 1;
        mw_point_column(&map, TABLE, 1)[i] = moved(seats[i], by);
        if (row->walks)
            mw_points_column(&map, TABLE, 2)[i] = walk_from(run, moved(seats[i], by));
    }
    *picture = *raster_scene(run, &map);
}

struct pair {
    const struct row *row;
    struct mw_point by;
    struct picture picture[2];
};

static void draw_both(struct mw_run *run, void *context)
{
    struct pair *pair = context;
    picture_of(run, pair->row, (struct mw_point){0, 0}, &pair->picture[0]);
    picture_of(run, pair->row, pair->by, &pair->picture[1]);
}

static uint32_t pixel(const struct picture *picture, int32_t x, int32_t y)
{
    return picture->palette[picture->at[picture_row(picture->width, y) + (size_t)x]];
}

static void check_moved(const struct row *row, struct mw_point by)
{
    static struct pair pair;
    static _Alignas(64) char block[32 << 20];
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = block, .size = sizeof block});
    pair.row = row;
    pair.by = by;
    ck_assert_msg(mw_catch(run, draw_both, &pair), "%s", unit_problems(run));
    const struct picture *one = &pair.picture[0], *other = &pair.picture[1];
    ck_assert_int_eq(one->width, WIDE * SCALE);
    ck_assert_int_eq(other->width, one->width);
    ck_assert_int_eq(other->height, one->height);
    int32_t down = by.y * one->height / HIGH;
    for (int32_t y = 0; y < one->height; y++)
        for (int32_t x = 0; x < one->width; x++) {
            uint32_t here = pixel(one, x, y), there = pixel(other, (x + by.x * SCALE) % one->width,
                                                            (y + down) % one->height);
            ck_assert_msg(here == there, "%d, %d is %06x, moved by %d, %d it is %06x", x, y, here,
                          by.x, by.y, there);
        }
}

TEST(a_map_moved_round_is_its_picture_moved_round, .end = COUNT(rows))
{
    const struct row *row = &rows[_i];
    check_moved(row, (struct mw_point){1, 0});
    check_moved(row, (struct mw_point){11, 0});
    if (row->wrap != MW_WRAP_XY)
        return;
    check_moved(row, (struct mw_point){0, 2});
    check_moved(row, (struct mw_point){5, 8});
}
