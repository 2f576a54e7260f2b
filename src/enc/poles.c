/*
 * poles.c: where in each label there is most room.
 *
 * A name is put where it is farthest from all that it does not name: at the pole of inaccessibility
 * of the label's cells. How many steps a cell is from the nearest of another label is one more than
 * from the nearest at a border. A shortest way there can be laid such that it goes up or down
 * first, row by row, and then along a row, as its steps can be taken in any order. So what the
 * borders of a row say to its own cells is written first, in slopes between them; then the rows ask
 * those above, from the first on, and those below, from the last on. None asks beside itself, so
 * the cells of a row need not wait for each other.
 *
 * A cell at a border is one step from another label; so no border need be known after that, and
 * what stands beyond the end of a row is never less than what the cell there knows.
 *
 * Of cells that are equally deep, as in a corridor, the one nearest to the middle of all cells of
 * the label is taken; then the first. Cost: three passes over the cells, and two over the borders.
 */
#include "poles.h"
#include "kit/integer.h"
#include "labels.h"

enum { AFAR = INT16_MAX - 1 };

/* Steps from another label for cells that go away from a border for a whole row, and then back. */
static int16_t *make_slopes(struct mw_run *run, int32_t width)
{
    int16_t *slopes = MW_NEW(run, int16_t, 2 * (int64_t)width);
    for (int32_t i = 0; i < width; i++)
        slopes[i] = slopes[2 * width - 1 - i] = (int16_t)mw_min(i + 2, AFAR);
    return slopes;
}

/* Those of a row, by its borders alone. A row of labels has one at each end. */
static void fill_row(int16_t *depth, const uint8_t *borders, int32_t width, const int16_t *slopes)
{
    for (int32_t x = 0, n = 0; x < width; x += n + 1) {
        n = mw_next_byte(borders, x, width) - x;
        if (n) {
            const int32_t back = n / 2, away = n - back;
            memcpy(depth + x, slopes, (size_t)away * sizeof *depth);
            memcpy(depth + x + away, slopes + 2 * width - back, (size_t)back * sizeof *depth);
        }
        if (x + n < width)
            depth[x + n] = 1;
    }
}

/* `skew`: the other of two cells across that each touches, if there are two. */
static void ask_across(int16_t *restrict depth, const int16_t *restrict across, int32_t skew,
                       int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        int16_t least = across[x] < across[x + skew] ? across[x] : across[x + skew];
        int16_t said = (int16_t)(least + 1);
        depth[x] = depth[x] < said ? depth[x] : said;
    }
}

/* In rows from the first or the last on. */
static void sweep(const struct mw_lattice *l, int16_t *depth, int32_t step)
{
    for (int32_t i = 1; i < l->height; i++) {
        int32_t y = step > 0 ? i : l->height - 1 - i;
        int16_t *row = depth + (int64_t)y * l->width;
        ask_across(row, row - step * l->width, l->tiling != MW_HEX ? 0 : y & 1 ? 1 : -1, l->width);
    }
}

struct label_sum {
    int64_t x, y, count;
};

static struct mw_point *middles_of(const struct outline *o, int32_t labels)
{
    assert(labels >= 0);
    struct label_sum *sums = MW_NEW0(o->run, struct label_sum, (int64_t)labels + 1);
    struct mw_point *middles = MW_NEW0(o->run, struct mw_point, (int64_t)labels + 1);
    const int32_t width = o->flat.width;
    for (int32_t y = 0; y < o->flat.height; y++) {
        const int32_t *here = o->cells->at + y * width;
        for (int32_t x = 0, end = 0; x < width; x = end) {
            end = label_next_change(&o->flat, o->borders + y * width, x + 1);
            label_expect_below(o->cells, y * width + x);
            assert(here[x] <= labels && end > x);
            struct label_sum *sum = &sums[mw_max(here[x], 0)];
            sum->x += (end - x) * ((int64_t)x + end - 1) / 2;
            sum->y += (int64_t)(end - x) * y;
            sum->count += end - x;
        }
    }
    for (int32_t label = 1; label <= labels; label++)
        if (sums[label].count)
            middles[label] = (struct mw_point){(int32_t)(sums[label].x / sums[label].count),
                                               (int32_t)(sums[label].y / sums[label].count)};
    return middles;
}

/* Its square. */
static uint64_t from_middle(struct mw_point middle, int32_t x, int32_t y)
{
    int64_t dx = middle.x - x, dy = middle.y - y;
    return (uint64_t)(dx * dx + dy * dy);
}

/* The better of a run of cells and of what was found: the deepest, of these the nearest to the
   middle. Both ends of a run are at a border, and no cell of it is deeper than its steps from them:
   most are not looked at. */
static struct pole better(struct pole found, const int16_t *depth, int32_t cell, int32_t n,
                          int32_t width, struct mw_point middle)
{
    const int32_t shallow = mw_max(found.depth - 1, 0), end = cell + n - shallow;
    for (cell += shallow; cell < end; cell++)
        if (depth[cell] > found.depth ||
            (depth[cell] == found.depth &&
             from_middle(middle, cell % width, cell / width) <
                 from_middle(middle, found.cell % width, found.cell / width)))
            found = (struct pole){cell, depth[cell]};
    return found;
}

static void pick(const struct outline *o, const int16_t *depth, const struct mw_point *middles,
                 struct pole *poles)
{
    const int32_t width = o->flat.width;
    for (int32_t row = 0; row < width * o->flat.height; row += width) {
        const int32_t *here = o->cells->at + row;
        for (int32_t x = 0, end = 0; x < width; x = end) {
            end = label_next_change(&o->flat, o->borders + row, x + 1);
            label_expect_below(o->cells, row + x);
            if (here[x] > 0)
                poles[here[x]] =
                    better(poles[here[x]], depth, row + x, end - x, width, middles[here[x]]);
        }
    }
}

struct pole *poles_of(struct mw_run *run, const struct outline *o, int32_t labels)
{
    int32_t count = o->flat.width * o->flat.height;
    assert(mw_min(o->flat.width, o->flat.height) < 2 * AFAR);
    struct pole *poles = MW_NEW0(run, struct pole, (int64_t)labels + 1);
    char *mark = mw_mark(run);
    int16_t *depth = MW_NEW(run, int16_t, (int64_t)count + 2);
    *depth++ = AFAR; /* before the first row, as after the last */
    depth[count] = AFAR;
    const int16_t *slopes = make_slopes(run, o->flat.width);
    for (int32_t cell = 0; cell < count; cell += o->flat.width)
        fill_row(depth + cell, o->borders + cell, o->flat.width, slopes);
    sweep(&o->flat, depth, 1);
    sweep(&o->flat, depth, -1);
    pick(o, depth, middles_of(o, labels), poles);
    mw_tick(run, 3 * (uint64_t)count);
    mw_rewind(run, mark);
    return poles;
}
