/*
 * star_places.c: random places for stars, on a rectangle or in the shape of a galaxy.
 *
 * RECTANGLE. A lattice of as many cells as stars or a few more. As many cells as stars are drawn at
 * random, all choices equally likely (algorithm S of Knuth), and get one star each, somewhere
 * within.
 *
 * GALAXIES. A galaxy is a picture in greys (galaxy_picture.c), and stars are placed by halftoning,
 * as a printer with one ink prints greys. Each cell of a lattice has a weight, its grey scaled so
 * that all weights add up to the number of stars; no cell weighs more than one star, and the
 * darker ones take the rest. Then follows error diffusion (Floyd and Steinberg 1976), row by row,
 * alternately from the left and from the right. The value of a cell is its weight plus the error
 * passed on to it. From about one half on it gets a star, and the remaining error is passed on to
 * the neighbours that come later, in sixteenths:
 *
 *        cell  7        Dark neighbours get nothing, and the others share it, as arms are a few
 *     3   5    1        cells wide and would lose error at their edges; where all are dark it is
 *                       saved in `pot` and spread over the next row.
 *
 * So a star leaves a negative error around it in which no other comes soon, over the more cells the
 * darker it is there: blue noise, in any shape. The threshold is random (Ulichney 1987), or stars
 * would form lines. A cell next to a star's, even at a corner, gets none unless its weight is too
 * large for that, which happens only where the extent has hardly more places than stars. Otherwise
 * two stars are at least 2 - jitter cells apart.
 *
 * WHY ALL STARS ARE PLACED. Integers lose nothing: weights and pot add up to the stars and one
 * more, exactly. The last cells settle the count as algorithm S does: no star when none is left,
 * and one in each cell when there are no more cells than stars. There are enough cells: where even
 * a galaxy with a star in each cell is too small, dark cells get the rest.
 *
 * THE CENTRE of a galaxy has a star, the first, and the eight cells around it have none: the ways
 * to the homes start there, and in a ring it may be alone.
 *
 * COST. About 1 ns for a dark cell and 6 ns for others, and 10 to 40 cells a star: where the galaxy
 * is brightest one cell in SPARSE has a star, which a thumbnail tells beforehand. Pixels cost more
 * than cells, so each is a square of `grain` cells where there are many.
 */
#include "kit/integer.h"
#include "starlanes.h"

/* Weights: that of a star, and the greatest that needs no two stars in neighbouring cells. */
enum { UNIT = 1 << 20, PACKED = UNIT / 4 };
/* Cells a star: where the galaxy is brightest, and at most. */
enum { SPARSE = 5, DARK_MOST = 100 };
enum { THUMBNAIL = 32, PIXELS_LEAST = 1024, PIXELS_MOST = 1 << 16 };

/* ---- cells ----------------------------------------------------------------------------------- */

/* Cells for stars, in rows. */
struct star_cells {
    int32_t columns, rows;
};

/* Nearly square cells, each with a place: at least `least`, or one for each place. */
static struct star_cells choose_cells(const struct starlanes *p, int64_t least)
{
    int64_t wanted = mw_ceil_div(least * p->width, p->height);
    int64_t columns = mw_max64(1, mw_min64(mw_root(wanted), p->width));
    int64_t rows = mw_ceil_div(least, columns);
    if (rows > p->height) {
        rows = p->height;
        columns = mw_min64(mw_ceil_div(least, rows), p->width);
    }
    assert(columns * rows >= p->stars);
    return (struct star_cells){(int32_t)columns, (int32_t)rows};
}

/* A place in the i-th of `count` parts of `extent`. */
static int32_t jittered(struct mw_rng *rng, int32_t extent, int32_t i, int32_t count,
                        int32_t jitter)
{
    int32_t low = (int32_t)((int64_t)extent * i / count),
            end = (int32_t)((int64_t)extent * (i + 1) / count);
    int32_t span = (int32_t)((int64_t)(end - low - 1) * jitter / 1000);
    low += (end - low - 1 - span) / 2;
    assert(low >= 0 && low + span < extent);
    return mw_between(rng, low, low + span);
}

/* The part in which a place lies. */
static int32_t part_of(int32_t extent, int32_t place, int32_t count)
{
    assert(place >= 0 && place < extent && count <= extent);
    return (int32_t)((((int64_t)place + 1) * count - 1) / extent);
}

static void fill_rectangle(struct mw_run *run, const struct starlanes *p, struct mw_point *at)
{
    struct star_cells cells = choose_cells(p, p->stars);
    struct mw_rng rng = mw_stream(run, "stars");
    int64_t all = (int64_t)cells.columns * cells.rows;
    int32_t left = p->stars;
    mw_tick(run, (uint64_t)all);
    for (int64_t i = 0; left > 0; i++) {
        if (mw_below(&rng, (uint32_t)(all - i)) >= (uint32_t)left)
            continue;
        at->x = jittered(&rng, p->width, (int32_t)(i % cells.columns), cells.columns, p->jitter);
        at->y = jittered(&rng, p->height, (int32_t)(i / cells.columns), cells.rows, p->jitter);
        at++;
        left--;
    }
}

/* ---- greys ----------------------------------------------------------------------------------- */

/* The cells of a row, numbered from 1. */
struct halftone_row {
    int32_t *weight, *error; /* of each cell; the error that was passed on to it */
    bool *barred;            /* whether it lies beside a star */
};

struct halftone {
    const struct starlanes *wanted;
    struct mw_rng rng, dither;
    struct star_cells cells;
    struct mw_point centre; /* the cell of the central star */
    struct grey_picture picture;
    int32_t grain;          /* cells to a side of a pixel */
    int32_t weight[SHADES]; /* of a cell, in UNITs */
    struct halftone_row here, next;
    int64_t pot, room;           /* error saved for later rows; cells with a weight that are left */
    struct mw_point *star, *end; /* where the next star is written */
};

static bool is_central(const struct halftone *h, int32_t x, int32_t y)
{
    return x == h->centre.x && y == h->centre.y;
}

/* How many cells have each shade: the centre is not counted, the cells around it count as dark. */
static void count_shades(const struct halftone *h, int64_t *count)
{
    const struct grey_picture *p = &h->picture;
    for (int32_t j = 0; j < p->rows; j++) {
        int64_t down = mw_min(h->grain, h->cells.rows - j * h->grain);
        for (int32_t i = 0; i < p->columns; i++)
            count[p->shade[j * p->columns + i]] +=
                down * mw_min(h->grain, h->cells.columns - i * h->grain);
    }
    for (int32_t y = mw_max(h->centre.y - 1, 0); y <= h->centre.y + 1 && y < h->cells.rows; y++)
        for (int32_t x = mw_max(h->centre.x - 1, 0); x <= h->centre.x + 1 && x < h->cells.columns;
             x++) {
            count[p->shade[y / h->grain * p->columns + x / h->grain]]--;
            count[0] += !is_central(h, x, y);
        }
}

/* From the brightest down, each shade gets its share of the stars that are left. */
static void weigh_shades(struct halftone *h)
{
    int64_t count[SHADES] = {0}, sum = 0;
    count_shades(h, count);
    for (int32_t s = 1; s < SHADES; s++)
        sum += count[s] * s;
    h->pot = (int64_t)UNIT * (h->end - h->star);
    for (int32_t s = SHADES - 1; s >= 0; s--) {
        int64_t share = s && sum ? h->pot * s / sum : 0;
        if (!s && h->pot >= UNIT) /* all are full */
            share = mw_ceil_div(h->pot, count[0]);
        h->weight[s] = (int32_t)mw_min64(share, UNIT);
        h->room += h->weight[s] ? count[s] : 0;
        h->pot -= h->weight[s] * count[s];
        sum -= s * count[s];
    }
    h->pot += UNIT; /* so that the last star need not be squeezed in */
}

/* Fills the weights of a row; returns how many cells of it have one. */
static int32_t read_row(const struct halftone *h, int32_t y, int32_t *weight)
{
    int32_t columns = h->cells.columns, lit = 0;
    memset(weight, 0, (size_t)(columns + 2) * sizeof *weight);
    if (y >= h->cells.rows)
        return 0;
    const uint8_t *shade = h->picture.shade + y / h->grain * h->picture.columns;
    for (int32_t x = 1; x <= columns; shade++) {
        int32_t w = h->weight[*shade], end = mw_min(x + h->grain, columns + 1);
        lit += w ? end - x : 0;
        while (x < end)
            weight[x++] = w;
    }
    if (y < h->centre.y - 1 || y > h->centre.y + 1)
        return lit;
    for (int32_t x = mw_max(h->centre.x, 1); x <= h->centre.x + 2 && x <= columns; x++) {
        lit -= weight[x] > 0;
        weight[x] = is_central(h, x - 1, y) ? 0 : h->weight[0];
        lit += weight[x] > 0;
    }
    return lit;
}

/* ---- stars ----------------------------------------------------------------------------------- */

static void put_star(struct halftone *h, int32_t x, int32_t y)
{
    assert(h->star < h->end && !is_central(h, x, y));
    const struct starlanes *p = h->wanted;
    h->star->x = jittered(&h->rng, p->width, x, h->cells.columns, p->jitter);
    h->star->y = jittered(&h->rng, p->height, y, h->cells.rows, p->jitter);
    h->star++;
}

/* The same where a neighbour is dark: the others share the error. Returns the share of the next
   cell in the row. */
static int32_t pass_on_in_shares(struct halftone *h, int32_t x, int32_t step, int32_t error)
{
    const int32_t *next = h->next.weight;
    int32_t a = h->here.weight[x + step] ? 7 : 0, b = next[x - step] ? 3 : 0, c = next[x] ? 5 : 0,
            d = next[x + step] ? 1 : 0, all = a + b + c + d;
    if (all)
        a = error * a / all, b = error * b / all, c = error * c / all, d = error * d / all;
    h->next.error[x - step] += b;
    h->next.error[x] += c;
    h->next.error[x + step] += d;
    h->pot += error - a - b - c - d;
    return a;
}

static int32_t pass_on(struct halftone *h, int32_t x, int32_t step, int32_t error)
{
    const int32_t *next = h->next.weight;
    if (!h->here.weight[x + step] || !next[x - 1] || !next[x] || !next[x + 1])
        return pass_on_in_shares(h, x, step, error);
    int32_t a = error * 7 >> 4, b = error * 3 >> 4, c = error * 5 >> 4;
    h->next.error[x - step] += b;
    h->next.error[x] += c;
    h->next.error[x + step] += error - a - b - c;
    return a;
}

/* Bars the cells beside this one: they get a star only if they must. */
static void bar_around(struct halftone *h, int32_t x, int32_t step)
{
    bool *next = h->next.barred;
    h->here.barred[x + step] = next[x - 1] = next[x] = next[x + 1] = true;
}

static void halftone_row(struct halftone *h, int32_t y, int32_t lit)
{
    int32_t step = y % 2 ? -1 : 1, columns = h->cells.columns, ahead = 0;
    int32_t part = (int32_t)mw_max64(mw_min64(h->pot / mw_max(lit, 1), UNIT / 8), -UNIT / 8);
    h->pot -= (int64_t)part * lit;
    struct mw_rng dither = h->dither;
    for (int32_t x = step > 0 ? 1 : columns; x > 0 && x <= columns; x += step) {
        int32_t weight = h->here.weight[x];
        if (!weight)
            continue;
        int32_t value = weight + h->here.error[x] + ahead + part;
        int32_t threshold = UNIT / 4 + (int32_t)(mw_next(&dither) >> 45);
        bool may = !h->here.barred[x] || weight > PACKED;
        int64_t left = h->end - h->star;
        if (left > 0 && ((value > threshold && may) || left >= h->room)) {
            put_star(h, x - 1, y);
            bar_around(h, x, step);
            value -= UNIT;
        }
        h->room--;
        ahead = pass_on(h, x, step, value);
    }
    h->dither = dither;
}

static struct halftone_row new_row(struct mw_run *run, int32_t wide)
{
    return (struct halftone_row){MW_NEW0(run, int32_t, wide), MW_NEW0(run, int32_t, wide),
                                 MW_NEW0(run, bool, wide)};
}

/* The row below becomes the one at hand, and the one below that has no errors and no bars yet. */
static void next_row(struct halftone *h, int32_t wide)
{
    struct halftone_row old = h->here;
    h->here = h->next;
    h->next = old;
    memset(old.error, 0, (size_t)wide * sizeof *old.error);
    memset(old.barred, 0, (size_t)wide * sizeof *old.barred);
}

static void halftone(struct mw_run *run, struct halftone *h)
{
    int32_t wide = h->cells.columns + 2;
    h->here = new_row(run, wide);
    h->next = new_row(run, wide);
    int32_t lit = read_row(h, 0, h->next.weight);
    for (int32_t y = 0; y < h->cells.rows; y++) {
        next_row(h, wide);
        int32_t coming = read_row(h, y + 1, h->next.weight);
        mw_tick(run, (uint64_t)wide);
        halftone_row(h, y, lit);
        lit = coming;
    }
    assert(h->star == h->end);
}

/* As many cells as leave one in SPARSE with a star where the galaxy is brightest. */
static int64_t cells_wanted(const struct starlanes *p, const struct galaxy_sketch *sketch)
{
    uint8_t shade[THUMBNAIL * THUMBNAIL];
    starlanes_paint(sketch, &(struct grey_picture){THUMBNAIL, THUMBNAIL, shade});
    int64_t sum = 1, most = 1;
    for (int32_t i = 0; i < THUMBNAIL * THUMBNAIL; i++) {
        sum += shade[i];
        most = mw_max64(most, shade[i]);
    }
    return mw_min64(SPARSE * most * THUMBNAIL * THUMBNAIL / sum, DARK_MOST) * p->stars + 16;
}

/* Pixels of whole cells, about four a star within bounds. */
static void start_picture(struct mw_run *run, struct halftone *h)
{
    int64_t cells = (int64_t)h->cells.columns * h->cells.rows, stars = h->wanted->stars;
    int64_t most = mw_max64(PIXELS_LEAST, mw_min64(4 * stars, PIXELS_MOST));
    h->grain = 1;
    while (cells / h->grain / h->grain > most)
        h->grain++;
    h->picture.columns = (h->cells.columns + h->grain - 1) / h->grain;
    h->picture.rows = (h->cells.rows + h->grain - 1) / h->grain;
    int64_t pixels = (int64_t)h->picture.columns * h->picture.rows;
    h->picture.shade = MW_NEW(run, uint8_t, pixels);
    mw_tick(run, 8 * (uint64_t)pixels);
}

static void fill_galaxy(struct mw_run *run, const struct starlanes *p, struct mw_point *at)
{
    struct halftone h = {.wanted = p, .rng = mw_stream(run, "stars")};
    h.dither = mw_stream(run, "shaken");
    struct galaxy_sketch *sketch = starlanes_sketch(run, p);
    h.cells = choose_cells(p, cells_wanted(p, sketch));
    struct mw_point middle = {p->width / 2, p->height / 2};
    h.centre.x = part_of(p->width, middle.x, h.cells.columns);
    h.centre.y = part_of(p->height, middle.y, h.cells.rows);
    at[0] = middle;
    h.star = at + 1;
    h.end = at + p->stars;
    start_picture(run, &h);
    starlanes_paint(sketch, &h.picture);
    weigh_shades(&h);
    halftone(run, &h);
}

struct mw_point *starlanes_scatter(struct mw_run *run, const struct starlanes *p)
{
    assert(p->stars > 0 && (int64_t)p->width * p->height >= p->stars);
    struct mw_point *at = MW_NEW(run, struct mw_point, p->stars);
    char *mark = mw_mark(run);
    if (p->shape == RECTANGLE)
        fill_rectangle(run, p, at);
    else
        fill_galaxy(run, p, at);
    mw_rewind(run, mark);
    return at;
}
