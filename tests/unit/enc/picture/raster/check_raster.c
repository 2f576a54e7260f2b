/*
 * check_raster.c: samples, judged one by one.
 *
 * Polygons by counting crossings for every sample, lines and discs by their distance from it,
 * mixtures by taking the mean again.
 */
#include "enc/picture/raster/raster.h"
#include "unit/unit.h"

#include <math.h>
#include <stdlib.h>

enum { WIDE = 60, HIGH = 50, PITCH = 7 };

static const struct mw_map *scaled_map(struct mw_run *run, int32_t scale)
{
    static const int32_t cells[] = {1, 2, 0, -1};
    const struct mw_lattice l = {2, 2, MW_SQUARE, MW_WRAP_NONE};
    const struct mw_map *map = unit_grid_map(run, &l, cells);
    ((struct mw_request *)(uintptr_t)map->request)->look.scale = scale;
    return map;
}

/* A field of WIDE by HIGH units, all sea. */
static struct canvas *open_field(struct raster *r, int32_t scale)
{
    struct mw_run *run = unit_open();
    raster_init(r, run, scaled_map(run, scale));
    canvas_open(&r->canvas,
                &(struct sheet){.width = WIDE, .height = HIGH, .pitch = PITCH, .ground = INK_SEA});
    return &r->canvas;
}

static int ink_at(const struct raster *r, int32_t x, int32_t y)
{
    const int32_t row = y >> r->shift, column = x >> r->shift, least = r->fine - 1;
    const uint8_t pixel = raster_pixels(r, row)[column];
    const int number =
        pixel != RASTER_MIXED
            ? pixel
            : raster_samples(r, row, column)[((y & least) << r->shift) + (x & least)];
    int ink = INK_NONE;
    while (r->number[ink] != number + 1)
        ink++;
    return ink;
}

/* All of them, row by row. */
static void copy_samples(const struct raster *r, uint8_t *to, size_t most)
{
    ck_assert_uint_le((size_t)r->width * (size_t)r->height, most);
    for (int32_t y = 0; y < r->height; y++)
        for (int32_t x = 0; x < r->width; x++)
            *to++ = (uint8_t)ink_at(r, x, y);
}

/* Units in 256ths of a sample, as the canvas rounds them. */
static int64_t parts(const struct raster *r, int32_t units)
{
    double scale = (double)r->across.pixels / (double)r->across.units;
    return (int64_t)floor((double)units * scale * r->fine * 256 + 0.5);
}

enum { PIXEL = 8, TILE = 36, SAMPLES = TILE * RASTER_FINEST }; /* units; pixels; samples */

/* A field of so many pixels a side. */
static struct canvas *open_square(struct raster *r, int32_t side)
{
    static _Alignas(64) char block[64 << 20];
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = block, .size = sizeof block});
    raster_init(r, run, scaled_map(run, 1));
    canvas_open(&r->canvas, &(struct sheet){.width = PIXEL * side,
                                            .height = PIXEL * side,
                                            .pitch = PIXEL,
                                            .ground = INK_SEA});
    return &r->canvas;
}

/* ---- polygons -------------------------------------------------------------------------------- */

enum { CORNERS = 9, LOOPS = 3 };

struct loops {
    struct mw_point at[LOOPS][CORNERS];
};

static struct loops random_loops(struct mw_rng *rng)
{
    struct loops loops;
    for (int i = 0; i < LOOPS * CORNERS; i++)
        loops.at[i / CORNERS][i % CORNERS] =
            (struct mw_point){mw_between(rng, -15, WIDE + 15), mw_between(rng, -15, HIGH + 15)};
    return loops;
}

static void draw_loops(struct canvas *canvas, struct pen pen, const struct loops *loops)
{
    canvas_begin(canvas, pen);
    for (int i = 0; i < LOOPS; i++) {
        const struct mw_point *at = loops->at[i];
        canvas_move(canvas, at[0]);
        for (int j = 1; j < CORNERS; j++)
            canvas_step(canvas, at[j].x - at[j - 1].x, at[j].y - at[j - 1].y);
        canvas_close(canvas);
    }
    canvas_end(canvas);
}

/* Sides that cross the row of the sample at its left. */
static bool is_inside(const struct spot *corners, int32_t x, int32_t y)
{
    bool inside = false;
    int64_t px = (int64_t)x * 256 + 128, py = (int64_t)y * 256 + 128;
    for (int i = 0; i < LOOPS * CORNERS; i++) {
        struct spot a = corners[i], b = corners[i / CORNERS * CORNERS + (i + 1) % CORNERS];
        if ((a.y <= py) == (b.y <= py))
            continue;
        int64_t side = (px - a.x) * (b.y - a.y) - (b.x - a.x) * (py - a.y);
        inside ^= b.y > a.y ? side >= 0 : side <= 0;
    }
    return inside;
}

TEST(polygons_hold_the_samples_inside, .end = 40)
{
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct loops loops = random_loops(&rng);
    struct raster r;
    struct spot corners[LOOPS * CORNERS];
    draw_loops(open_field(&r, 1 + _i % 6), (struct pen){.fill = INK_HOME}, &loops);
    for (int i = 0; i < LOOPS * CORNERS; i++) {
        struct mw_point corner = loops.at[i / CORNERS][i % CORNERS];
        corners[i] = (struct spot){parts(&r, corner.x), parts(&r, corner.y)};
    }
    int inside = 0;
    for (int32_t y = 0; y < r.height; y++)
        for (int32_t x = 0; x < r.width; x++) {
            int wanted = is_inside(corners, x, y) ? INK_HOME : INK_SEA;
            inside += wanted == INK_HOME;
            ck_assert_msg(ink_at(&r, x, y) == wanted, "sample %d, %d has ink %d", x, y,
                          ink_at(&r, x, y));
        }
    ck_assert_int_gt(inside, 0);
}

/* A fan of triangles round a point covers all, with every sample in one of them, whatever was
   there. */
TEST(shared_edges_leave_no_seam, .end = 8)
{
    struct mw_rng rng = unit_rng((uint64_t)_i + 100);
    static const struct mw_point rim[] = {{-1, -1},     {30, -1},   {WIDE, -1}, {WIDE, 20},
                                          {WIDE, HIGH}, {11, HIGH}, {-1, HIGH}, {-1, 33}};
    struct mw_point hub = {mw_between(&rng, 1, WIDE - 1), mw_between(&rng, 1, HIGH - 1)};
    struct raster r;
    struct canvas *canvas = open_field(&r, 1 + _i);
    for (int i = 0; i < COUNT(rim); i++) {
        struct mw_point a = rim[i], b = rim[(i + 1) % COUNT(rim)];
        canvas_begin(canvas, (struct pen){.fill = (enum ink)(INK_LABEL + i)});
        canvas_move(canvas, hub);
        canvas_step(canvas, a.x - hub.x, a.y - hub.y);
        canvas_step(canvas, b.x - a.x, b.y - a.y);
        canvas_close(canvas);
        canvas_end(canvas);
    }
    for (int32_t y = 0; (y + 1) * 256 <= parts(&r, HIGH); y++)
        for (int32_t x = 0; (x + 1) * 256 <= parts(&r, WIDE); x++)
            ck_assert_msg(ink_at(&r, x, y) != INK_SEA, "sample %d, %d is in no triangle", x, y);
}

/* ---- lines and discs ------------------------------------------------------------------------- */

/* From a sample to the way from a to b, in samples. */
static double distance(const struct raster *r, int32_t x, int32_t y, struct mw_point a,
                       struct mw_point b)
{
    double ax = (double)parts(r, a.x), ay = (double)parts(r, a.y), dx = (double)parts(r, b.x) - ax,
           dy = (double)parts(r, b.y) - ay, px = x * 256.0 + 128 - ax, py = y * 256.0 + 128 - ay;
    double square = dx * dx + dy * dy, t = square > 0 ? (px * dx + py * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return sqrt((px - t * dx) * (px - t * dx) + (py - t * dy) * (py - t * dy)) / 256;
}

static void judge(const struct raster *r, struct mw_point a, struct mw_point b, double least,
                  double most)
{
    for (int32_t y = 0; y < r->height; y++)
        for (int32_t x = 0; x < r->width; x++) {
            double far = distance(r, x, y, a, b);
            bool drawn = ink_at(r, x, y) == INK_BORDER;
            ck_assert_msg(drawn ? far > least - 0.25 && far < most + 0.25
                                : far < least + 0.25 || far > most - 0.25,
                          "sample %d, %d at %g of %g to %g is %sdrawn", x, y, far, least, most,
                          drawn ? "" : "not ");
        }
}

static struct mw_point random_point(struct mw_rng *rng)
{
    return (struct mw_point){mw_between(rng, -9, WIDE + 9), mw_between(rng, -9, HIGH + 9)};
}

/* A line in equal steps is what a disc covers on its way. */
static void check_line(const struct raster *r, struct canvas *canvas, struct mw_point a,
                       struct mw_point b, int32_t steps, int32_t tenths)
{
    canvas_begin(canvas, (struct pen){.line = INK_BORDER, .tenths = tenths});
    canvas_move(canvas, a);
    for (int32_t i = 0; i < steps; i++)
        canvas_step(canvas, (b.x - a.x) / steps, (b.y - a.y) / steps);
    canvas_end(canvas);
    judge(r, a, b, -1,
          (double)tenths * (double)r->across.pixels * r->fine / (20.0 * (double)r->across.units));
}

TEST(lines_are_what_a_disc_covers, .end = 40)
{
    struct mw_rng rng = unit_rng((uint64_t)_i + 300);
    struct mw_point a = random_point(&rng), b = _i % 4 ? random_point(&rng) : a;
    b.y = _i % 4 == 1 ? a.y : b.y;
    b.x = _i % 4 == 2 ? a.x : b.x;
    int32_t scale = mw_between(&rng, 2, 6), tenths = mw_between(&rng, 12, 120);
    struct raster r;
    check_line(&r, open_field(&r, scale), a, b, 1, tenths);
}

/* Rows of pixels touch each other in memory; larger pictures have fewer samples. */
static const struct {
    int32_t side;
    struct mw_point a, b;
    int32_t steps, tenths;
} lines[] = {
    {64, {PIXEL * 59, 24}, {PIXEL * 69, 56}, 8, 160},
    {64, {PIXEL * 5, 24}, {PIXEL * -5, 56}, 8, 160},
    {400, {100, 200}, {2700, 3100}, 1, 250},
    {400, {1000, 200}, {2700, 300}, 1, 50},
};

TEST(lines_are_cut_off_at_the_edge_and_drawn_in_larger_pictures, .end = COUNT(lines))
{
    struct raster r;
    struct canvas *canvas = open_square(&r, lines[_i].side);
    check_line(&r, canvas, lines[_i].a, lines[_i].b, lines[_i].steps, lines[_i].tenths);
}

TEST(thin_lines_have_a_sample_in_each_column, .end = 5)
{
    struct raster r;
    struct canvas *canvas = open_field(&r, 2);
    canvas_begin(canvas, (struct pen){.line = INK_BORDER, .tenths = _i});
    canvas_move(canvas, (struct mw_point){0, 3});
    canvas_step(canvas, WIDE, 31);
    canvas_end(canvas);
    for (int32_t x = 0; x < parts(&r, WIDE) / 256; x++) {
        int in_column = 0;
        for (int32_t y = 0; y < r.height; y++)
            in_column += ink_at(&r, x, y) == INK_BORDER;
        ck_assert(in_column == 1 || in_column == 2);
    }
}

TEST(discs_are_round, .end = 20)
{
    struct mw_rng rng = unit_rng((uint64_t)_i + 400);
    struct mw_point middle = random_point(&rng);
    int32_t radius = mw_between(&rng, 2, 20), scale = mw_between(&rng, 2, 6);
    struct raster r;
    struct pen pen = {.fill = _i % 2 ? INK_SEA : INK_BORDER,
                      .line = _i % 2 ? INK_BORDER : INK_NONE,
                      .tenths = 25};
    canvas_disc(open_field(&r, scale), pen, middle, 10 * radius);
    double unit = (double)scale * r.fine / PITCH;
    if (_i % 2)
        judge(&r, middle, middle, (radius - 1.25) * unit, (radius + 1.25) * unit);
    else
        judge(&r, middle, middle, -1, radius * unit);
}

TEST(the_smallest_disc_is_seen)
{
    struct raster r;
    canvas_disc(open_field(&r, 1), (struct pen){.fill = INK_BORDER}, (struct mw_point){30, 20}, 0);
    int drawn = 0;
    for (int32_t y = 0; y < r.height; y++)
        for (int32_t x = 0; x < r.width; x++)
            drawn += ink_at(&r, x, y) == INK_BORDER;
    ck_assert(drawn > 0 && drawn <= 4);
}

/* ---- words ----------------------------------------------------------------------------------- */

enum { FIRST = '!', LAST = '~', LETTERS = 3, ACROSS = 8 * 26, DOWN = 8 * 22, FACE = ACROSS * DOWN };

static void draw_letter(char c, uint8_t *face)
{
    struct raster r;
    char text[] = {c, '\0'};
    canvas_word(open_field(&r, LETTERS), (struct text_style){INK_LETTER, INK_NONE, 20},
                (struct mw_point){WIDE / 2, HIGH / 2}, text);
    ck_assert_int_eq(r.width * r.height, FACE);
    copy_samples(&r, face, FACE);
}

TEST(letters_are_all_different)
{
    static uint8_t faces[LAST + 1][FACE];
    for (int c = FIRST; c <= LAST; c++) {
        draw_letter((char)c, faces[c]);
        int inked = 0;
        for (int i = 0; i < FACE; i++)
            inked += faces[c][i] == INK_LETTER;
        ck_assert_msg(inked > 27, "«%c» cannot be seen", c);
        for (int other = FIRST; other < c; other++) {
            int apart = 0;
            for (int i = 0; i < FACE; i++)
                apart += faces[c][i] != faces[other][i];
            ck_assert_msg(apart > 50, "«%c» and «%c» look alike", c, other);
        }
    }
}

TEST(capitals_and_digits_are_centred_and_fill_their_height)
{
    static uint8_t face[FACE];
    const int middle_x = WIDE * LETTERS * 8 / (2 * PITCH),
              middle_y = HIGH * LETTERS * 8 / (2 * PITCH), height = 20 * LETTERS * 8 / PITCH;
    for (const char *c = "ABCDEHIKMNOSTUVXZ0235678"; *c; c++) {
        int left = ACROSS, right = 0, top = DOWN, bottom = 0;
        draw_letter(*c, face);
        for (int i = 0; i < FACE; i++)
            if (face[i] == INK_LETTER) {
                left = i % ACROSS < left ? i % ACROSS : left;
                right = i % ACROSS > right ? i % ACROSS : right;
                top = i / ACROSS < top ? i / ACROSS : top;
                bottom = i / ACROSS > bottom ? i / ACROSS : bottom;
            }
        ck_assert_msg(
            abs(left + right - 2 * middle_x) <= 13 && abs(top + bottom - 2 * middle_y) <= 11 &&
                abs(bottom - top - height) <= 12,
            "«%c» goes from %d to %d and from %d down to %d", *c, left, right, top, bottom);
    }
}

/* ---- one over another ------------------------------------------------------------------------ */

/* Filled, or its sides as lines; most of those are longer than a stamp. */
static void draw_triangle(struct canvas *canvas, struct mw_rng rng, enum ink ink, int32_t x,
                          int32_t y)
{
    const int32_t tenths = mw_between(&rng, 45, 300);
    const bool is_line = mw_between(&rng, 0, 1);
    struct mw_point at[3];
    for (int i = 0; i < 3; i++)
        at[i] = (struct mw_point){mw_between(&rng, 2 * PIXEL, (TILE - 2) * PIXEL),
                                  mw_between(&rng, 2 * PIXEL, (TILE - 2) * PIXEL)};
    canvas_begin(canvas,
                 is_line ? (struct pen){.line = ink, .tenths = tenths} : (struct pen){.fill = ink});
    canvas_move(canvas, (struct mw_point){x + at[0].x, y + at[0].y});
    canvas_step(canvas, at[1].x - at[0].x, at[1].y - at[0].y);
    canvas_step(canvas, at[2].x - at[1].x, at[2].y - at[1].y);
    canvas_close(canvas);
    canvas_end(canvas);
}

/* Each is drawn a second time, where it lies alone: there is seen what it covers. */
TEST(later_figures_lie_over_earlier_ones, .end = 3)
{
    enum { FIGURES = 50 };
    static const enum ink inks[] = {INK_SEA, INK_HOME, INK_MARK, INK_STAR};
    static const int32_t sides[] = {360, 400, 2100};
    static int wanted[SAMPLES][SAMPLES];
    struct raster r;
    struct canvas *canvas = open_square(&r, sides[_i]);
    const int32_t wide = TILE * r.fine, across = sides[_i] / TILE;
    ck_assert_int_eq(r.fine, RASTER_FINEST >> _i);
    for (int32_t i = 0; i < wide * wide; i++)
        wanted[i / wide][i % wide] = INK_SEA;
    for (int32_t i = 1; i <= FIGURES; i++) {
        struct mw_rng rng = unit_rng((uint64_t)i);
        const int32_t column = i % across, row = i / across;
        const enum ink ink = inks[mw_between(&rng, 0, COUNT(inks) - 1)];
        draw_triangle(canvas, rng, ink, 0, 0);
        draw_triangle(canvas, rng, INK_HOME, column * TILE * PIXEL, row * TILE * PIXEL);
        for (int32_t y = 0; y < wide; y++)
            for (int32_t x = 0; x < wide; x++) {
                if (ink_at(&r, column * wide + x, row * wide + y) == INK_HOME)
                    wanted[y][x] = (int)ink;
                ck_assert_int_eq(ink_at(&r, x, y), wanted[y][x]);
            }
    }
}

/* ---- mixtures -------------------------------------------------------------------------------- */

static void draw_confetti(struct canvas *canvas, int inks)
{
    struct mw_rng rng = unit_rng((uint64_t)inks);
    for (int i = 0; i < 3000; i++) {
        struct mw_point at = random_point(&rng);
        canvas_disc(canvas, (struct pen){.fill = (enum ink)mw_between(&rng, 1, inks)}, at,
                    10 * mw_between(&rng, 0, 3));
    }
}

/* How far a pixel's color is from the mean of its samples, in the component that is farthest. */
static int astray(const uint8_t *samples, const struct raster *r, const struct picture *p,
                  int32_t x, int32_t y)
{
    const uint32_t color = p->palette[p->at[picture_row(p->width, y) + (size_t)x]];
    const uint8_t *first = samples + y * r->fine * r->width + x * r->fine;
    const struct mw_look *look = &r->canvas.map->request->look;
    int most = 0, n = r->fine * r->fine;
    for (int shift = 0; shift < 24; shift += 8) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum +=
                (int)(ink_color(look, first[i / r->fine * r->width + i % r->fine]) >> shift & 255);
        int off = abs(sum / n - (int)(color >> shift & 255));
        most = off > most ? off : most;
    }
    return most;
}

static bool is_pure(const uint8_t *samples, const struct raster *r, int32_t x, int32_t y)
{
    const uint8_t *at = samples + y * r->fine * r->width + x * r->fine;
    for (int i = 0; i < r->fine * r->fine; i++)
        if (at[i / r->fine * r->width + i % r->fine] != *at)
            return false;
    return true;
}

TEST(pixels_are_the_mean_of_their_samples, .end = 4)
{
    static uint8_t samples[960 * 800];
    static const struct {
        int inks, most_mixed;                                  /* how far a mixture may be off */
    } rows[] = {{1, 7}, {2, 7}, {4, 13}, {INK_LAND_END, 128}}; /* those of pictures */
    struct raster r;
    const struct picture *picture = &r.picture;
    draw_confetti(open_field(&r, 14), rows[_i].inks);
    copy_samples(&r, samples, sizeof samples);
    raster_mix(&r);
    ck_assert_int_eq(picture->width, r.width / r.fine);
    ck_assert_int_le(picture->colors, PICTURE_COLORS);
    int pure = 0, far = 0;
    for (int32_t y = 0; y < picture->height; y++)
        for (int32_t x = 0; x < picture->width; x++) {
            bool is = is_pure(samples, &r, x, y);
            int off = astray(samples, &r, picture, x, y);
            pure += is;
            far += off > 12;
            ck_assert_msg(off <= (is ? 0 : rows[_i].most_mixed), "pixel %d, %d is off by %d", x, y,
                          off);
        }
    ck_assert_int_gt(pure, 0);
    ck_assert_int_lt(far, picture->width * picture->height / 10);
    ck_assert(rows[_i].inks < 5 || picture->colors == PICTURE_COLORS);
}

static int count_mixed(const struct raster *r)
{
    int mixed = 0;
    for (int32_t y = 0; y < r->picture.height; y++)
        for (int32_t x = 0; x < r->picture.width; x++)
            mixed += raster_pixels(r, y)[x] == RASTER_MIXED;
    return mixed;
}

TEST(a_pixel_that_a_figure_covers_again_has_one_ink)
{
    struct raster r;
    struct canvas *canvas = open_field(&r, 7);
    canvas_disc(canvas, (struct pen){.fill = INK_BORDER}, (struct mw_point){30, 25}, 90);
    ck_assert_int_gt(count_mixed(&r), 0);
    canvas_disc(canvas, (struct pen){.fill = INK_SEA}, (struct mw_point){30, 25}, 190);
    ck_assert_int_eq(count_mixed(&r), 0);
}
