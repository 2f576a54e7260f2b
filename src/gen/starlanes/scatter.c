/* scatter.c */
#include "scatter.h"
#include "kit/integer.h"

enum { UNIT = 1 << 20, PICTURE_MOST = 256 };

/* Cells for stars, in rows. */
struct cells {
    int32_t columns, rows;
};

/* Cells that are nearly square, at least as many as wanted, none without a place. */
static struct cells choose_cells(const struct scatter *p, int64_t least)
{
    int64_t wanted = mw_ceil_div(least * p->width, p->height);
    struct cells cells = {(int32_t)mw_max64(1, mw_min64(mw_root(wanted), p->width)), 0};
    int64_t rows = mw_ceil_div(least, cells.columns);
    if (rows > p->height) {
        rows = p->height;
        cells.columns = (int32_t)mw_min64(mw_ceil_div(least, rows), p->width);
    }
    cells.rows = (int32_t)rows;
    return cells;
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

/* As many cells as stars, each as likely as the others, get one (Knuth's algorithm S). */
static void fill_rectangle(struct mw_run *run, const struct scatter *p, struct mw_point *at)
{
    struct cells cells = choose_cells(p, p->stars);
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

/* The cell of `count` in which x lies. */
static int32_t cell_of(int32_t extent, int32_t x, int32_t count)
{
    return (int32_t)((((int64_t)x + 1) * count - 1) / extent);
}

struct halftone {
    const struct scatter *wanted;
    struct mw_rng rng;
    struct cells cells;
    struct mw_point centre; /* the cell of it */
    struct picture picture;
    int32_t grain;               /* cells to a side of a pixel */
    int64_t weight[DENSEST + 1]; /* of the shades, in UNITs */
    int64_t pot;
    int64_t room; /* cells of some weight that are left */
    int32_t left;
    int32_t *here, *next; /* weights */
    int64_t *error, *below;
    struct mw_point *at;
};

static int32_t shade_of(const struct halftone *h, int32_t x, int32_t y)
{
    if (x == h->centre.x && y == h->centre.y)
        return DENSEST;
    int32_t dx = x - h->centre.x, dy = y - h->centre.y;
    if (dx * (int64_t)dx <= 1 && dy * (int64_t)dy <= 1)
        return 0;
    return h->picture.shade[(y / h->grain) * h->picture.columns + x / h->grain];
}

/* How many cells have each shade. */
static void count_shades(const struct halftone *h, int64_t *count)
{
    for (int32_t y = 0; y < h->cells.rows; y++)
        for (int32_t x = 0; x < h->cells.columns; x++)
            count[shade_of(h, x, y)]++;
}

static void weigh_shades(struct halftone *h)
{
    int64_t count[DENSEST + 1] = {0}, sum = 0;
    count_shades(h, count);
    for (int32_t s = 1; s < DENSEST; s++)
        sum += count[s] * s;
    h->weight[DENSEST] = UNIT;
    h->pot = (int64_t)UNIT * (h->left - 1);
    for (int32_t s = DENSEST - 1; s > 0 && sum > 0; s--) {
        h->weight[s] = mw_min64(UNIT, h->pot * s / sum);
        h->pot -= h->weight[s] * count[s];
        sum -= s * count[s];
    }
    if (h->pot >= UNIT) {
        h->weight[0] = mw_ceil_div(h->pot, count[0]);
        h->pot -= h->weight[0] * count[0];
    }
    for (int32_t s = 0; s <= DENSEST; s++)
        h->room += h->weight[s] ? count[s] : 0;
}

static void expand_row(struct halftone *h, int32_t y, int32_t *to)
{
    memset(to, 0, (size_t)(h->cells.columns + 2) * sizeof *to);
    for (int32_t x = 0; y < h->cells.rows && x < h->cells.columns; x++)
        to[x + 1] = (int32_t)h->weight[shade_of(h, x, y)];
}

static void put_star(struct halftone *h, int32_t x, int32_t y)
{
    const struct scatter *p = h->wanted;
    if (x == h->centre.x && y == h->centre.y)
        *h->at = (struct mw_point){p->width / 2, p->height / 2};
    else {
        h->at->x = jittered(&h->rng, p->width, x, h->cells.columns, p->jitter);
        h->at->y = jittered(&h->rng, p->height, y, h->cells.rows, p->jitter);
    }
    h->at++;
    h->left--;
}

static void spread(struct halftone *h, int64_t error, int32_t x, int32_t step)
{
    int32_t a = h->here[x + step] ? 7 : 0, b = h->next[x - step] ? 3 : 0, c = h->next[x] ? 5 : 0,
            d = h->next[x + step] ? 1 : 0, all = a + b + c + d;
    if (!all) {
        h->pot += error;
        return;
    }
    int64_t ea = error * a / all, eb = error * b / all, ec = error * c / all, ed = error * d / all;
    h->error[x + step] += ea;
    h->below[x - step] += eb;
    h->below[x] += ec;
    h->below[x + step] += ed;
    h->pot += error - ea - eb - ec - ed;
}

static void halftone_row(struct halftone *h, int32_t y)
{
    int32_t step = y % 2 ? -1 : 1, n = h->cells.columns;
    for (int32_t i = 1; i <= n; i++) {
        int32_t x = step > 0 ? i : n + 1 - i;
        if (!h->here[x])
            continue;
        int64_t share = h->pot / 8, value = h->here[x] + h->error[x] + share;
        h->pot -= share;
        int64_t noise = (int64_t)(mw_next(&h->rng) >> 45) - (1 << 18);
        bool star = value > UNIT / 2 + noise;
        if (x - 1 == h->centre.x && y == h->centre.y)
            star = true;
        star = (star && h->left > 0) || h->left >= h->room;
        h->room--;
        if (star) {
            put_star(h, x - 1, y);
            value -= UNIT;
        }
        spread(h, value, x, step);
    }
}

static int64_t cells_wanted(const struct scatter *p)
{
    static const int32_t per_star[] = {1, 8, 24, 12, 16};
    return p->shape == RECTANGLE ? p->stars : (int64_t)p->stars * per_star[p->shape] + 16;
}

static void fill_galaxy(struct mw_run *run, const struct scatter *p, struct mw_point *at)
{
    struct halftone h = {.wanted = p, .rng = mw_stream(run, "stars"), .left = p->stars, .at = at};
    h.cells = choose_cells(p, cells_wanted(p));
    h.centre = (struct mw_point){cell_of(p->width, p->width / 2, h.cells.columns),
                                 cell_of(p->height, p->height / 2, h.cells.rows)};
    int64_t all = (int64_t)h.cells.columns * h.cells.rows;
    int64_t pixels = mw_min64(mw_max64(4 * (int64_t)p->stars, 1024), 65536);
    for (h.grain = 1; all / h.grain / h.grain > pixels; h.grain++)
        ;
    h.picture.columns = (h.cells.columns + h.grain - 1) / h.grain;
    h.picture.rows = (h.cells.rows + h.grain - 1) / h.grain;
    h.picture.shade = MW_NEW(run, uint8_t, (int64_t)h.picture.columns * h.picture.rows);
    starlanes_paint(run, p, &h.picture);
    weigh_shades(&h);
    int32_t n = h.cells.columns + 2;
    h.here = MW_NEW0(run, int32_t, n);
    h.next = MW_NEW0(run, int32_t, n);
    h.error = MW_NEW0(run, int64_t, n);
    h.below = MW_NEW0(run, int64_t, n);
    expand_row(&h, 0, h.next);
    mw_tick(run, (uint64_t)all);
    for (int32_t y = 0; y < h.cells.rows; y++) {
        int32_t *swap = h.here;
        h.here = h.next;
        h.next = swap;
        expand_row(&h, y + 1, h.next);
        int64_t *e = h.error;
        h.error = h.below;
        h.below = e;
        memset(h.below, 0, (size_t)n * sizeof *e);
        halftone_row(&h, y);
    }
    assert(h.left == 0);
}

uint64_t starlanes_scatter_steps(const struct scatter *p) { return (uint64_t)cells_wanted(p); }

struct mw_point *starlanes_scatter(struct mw_run *run, const struct scatter *p)
{
    struct mw_point *placed = MW_NEW(run, struct mw_point, p->stars);
    char *mark = mw_mark(run);
    if (p->shape == RECTANGLE)
        fill_rectangle(run, p, placed);
    else
        fill_galaxy(run, p, placed);
    mw_rewind(run, mark);
    return placed;
}
