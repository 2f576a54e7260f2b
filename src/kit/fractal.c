/*
 * fractal.c: fractal noise, as a sum of gradient noises (Perlin 1985; Musgrave's fBm).
 *
 * An octave is a coarse grid of nodes, each with a random slope; between nodes the four planes
 * around are mixed smoothly. Each further octave has half the spacing and 11/16 of the range, so
 * the noise looks alike at all scales, and its level lines are like coasts. The spacing is rounded
 * so that a whole number of steps fits the map, which begins anywhere in the first; on a map that
 * wraps the last step leads back to the first node, and there is no seam.
 *
 * Slopes are hashes of row and column under a key of the octave, so an octave keeps only the nodes
 * above and below the row at hand, mixed for that row: a value and a slope at each column of nodes.
 * Numbers have 16 bits, so that a processor does eight cells at once.
 *
 * It cannot overflow: slopes of an octave are at most its range, a value is at most a slope, and
 * what is added for a cell is a quarter of that; the ranges of all octaves add up to 3.2 * RANGE.
 *
 * Cost: a nanosecond or less for each cell and octave. The same on every machine.
 */
#include "fractal.h"
#include "kit/integer.h"
#include "kit/noise.h"

enum { OCTAVES = 12, GAIN_TOP = 11, GAIN_BOTTOM = 16 };
enum { RANGE = 1 << 13 }; /* of the coarsest octave's slopes */

/* A place on a line of nodes. */
struct place {
    int32_t node;         /* the node before it */
    int16_t part, weight; /* how far behind that, and the same smoothed: of WHOLE */
};
enum { WHOLE = 1 << 14 };
enum { LANES = 8 }; /* cells at a time */

/* Where a row crosses the column of a node: a value, and a slope for a step to the right. */
struct noise_node {
    int16_t value, slope;
};

/* At a node: to the right, and down. */
struct slopes {
    int16_t across, down;
};

struct octave {
    uint32_t key;
    int32_t range, columns, rows; /* steps across and down */
    int32_t from_x, from_y;       /* where the map begins in the first step, of WHOLE */
    int32_t row;                  /* of the nodes above the row of the map at hand; -1: none yet */
    struct slopes *above, *below; /* of these nodes, and of those below */
    struct noise_node *node;      /* mixed of both */
    int16_t *part, *weight;       /* by x */
    int32_t *first;               /* by node: the first x behind it; the width, after the last */
};

int32_t mw_disc_radius(int32_t cells)
{
    assert(cells > 0);
    return mw_max((int32_t)mw_root((int64_t)cells * 8149 / 100), 9); /* 256 / pi */
}

/* A smooth step from 0 to WHOLE: 3 t^2 - 2 t^3. */
static int16_t smooth(int64_t t)
{
    return (int16_t)((t * t * (3 * WHOLE - 2 * t)) / ((int64_t)WHOLE * WHOLE));
}

/* Where cell i of n lies on a line of `steps` steps. */
static struct place place_on(int32_t i, int32_t n, int32_t steps, int32_t from)
{
    int64_t at = ((int64_t)i * 2 + 1) * steps * (WHOLE / 2) / n + from;
    assert(at >= 0 && at / WHOLE <= steps);
    return (struct place){(int32_t)(at / WHOLE), (int16_t)(at % WHOLE), smooth(at % WHOLE)};
}

static void new_octave(struct mw_run *run, struct octave *o, const struct mw_lattice *l,
                       int32_t size)
{
    int32_t height = l->tiling == MW_HEX ? (int32_t)((int64_t)l->height * 887 / 1024) : l->height;
    o->columns = mw_max((int32_t)(((int64_t)l->width * 16 + size / 2) / size), 1);
    o->rows = mw_max((int32_t)(((int64_t)height * 16 + size / 2) / size), 1);
    o->row = -1;
    o->above = MW_NEW(run, struct slopes, o->columns + 2);
    o->below = MW_NEW(run, struct slopes, o->columns + 2);
    o->node = MW_NEW(run, struct noise_node, o->columns + 2);
    o->part = MW_NEW0(run, int16_t, l->width + LANES);
    o->weight = MW_NEW0(run, int16_t, l->width + LANES);
    o->first = MW_NEW(run, int32_t, o->columns + 2);
    int32_t nodes = 0;
    for (int32_t x = 0; x < l->width; x++) {
        struct place p = place_on(x, l->width, o->columns, o->from_x);
        o->part[x] = p.part;
        o->weight[x] = p.weight;
        while (nodes <= p.node)
            o->first[nodes++] = x;
    }
    while (nodes < o->columns + 2)
        o->first[nodes++] = l->width;
}

/* A slope from -range to range, from 16 bits. */
static int16_t slope_of(const struct octave *o, uint32_t bits)
{
    return (int16_t)(((int32_t)(bits & 0xffff) - 0x8000) * o->range / 0x8000);
}

/* The slopes of a row of nodes. */
static void draw_slopes(const struct octave *o, const struct mw_lattice *l, int32_t row,
                        struct slopes *to)
{
    uint32_t wrapped = (uint32_t)(l->wrap == MW_WRAP_XY ? row % o->rows : row);
    uint32_t key = mw_noise(o->key + wrapped);
    for (int32_t x = 0; x < o->columns + 2; x++) {
        int32_t column = l->wrap != MW_WRAP_NONE ? x % o->columns : x;
        uint32_t bits = mw_noise(key + (uint32_t)column);
        to[x] = (struct slopes){slope_of(o, bits), slope_of(o, bits >> 16)};
    }
}

static int16_t mix(int32_t from, int32_t to, int32_t weight)
{
    return (int16_t)(from + (to - from) * weight / WHOLE);
}

/* Mixes the nodes above and below a row of the map. */
static void mix_row(struct octave *o, const struct mw_lattice *l, int32_t y)
{
    struct place p = place_on(y, l->height, o->rows, o->from_y);
    if (p.node != o->row) {
        draw_slopes(o, l, p.node, o->above);
        draw_slopes(o, l, p.node + 1, o->below);
        o->row = p.node;
    }
    for (int32_t x = 0; x < o->columns + 2; x++) {
        int32_t top = o->above[x].down * p.part / WHOLE;
        int32_t bottom = o->below[x].down * (p.part - WHOLE) / WHOLE;
        o->node[x].value = mix(top, bottom, p.weight);
        o->node[x].slope = mix(o->above[x].across, o->below[x].across, p.weight);
    }
}

/* a * b / 2^16, down; a processor does eight at once. */
static inline int16_t high(int16_t a, int16_t b) { return (int16_t)((int32_t)a * b >> 16); }

/* Noise of the cells between two nodes. Products are quarters. Writes whole groups of LANES cells:
   those behind the second node are overwritten next. */
static void set_cells(const struct noise_node *n, const int16_t *restrict part,
                      const int16_t *restrict weight, int32_t count, int16_t *restrict noise)
{
    int16_t left = (int16_t)(n[0].value >> 2), right = (int16_t)((n[1].value - n[1].slope) >> 2);
    int16_t left_slope = n[0].slope, right_slope = n[1].slope;
    for (int32_t i = 0; i < count; i += LANES)
        for (int32_t k = i; k < i + LANES; k++) {
            int16_t from = (int16_t)(left + high(left_slope, part[k]));
            int16_t to = (int16_t)(right + high(right_slope, part[k]));
            noise[k] = (int16_t)(from + 4 * high((int16_t)(to - from), weight[k]));
        }
}

/* Adds an octave's noise to that of a row of `width` cells; `noise` is scratch. */
static void add_row(const struct octave *o, int32_t width, int16_t *restrict noise,
                    int16_t *restrict sum)
{
    for (int32_t i = 0; i <= o->columns; i++) {
        int32_t x = o->first[i];
        set_cells(o->node + i, o->part + x, o->weight + x, o->first[i + 1] - x, noise + x);
    }
    for (int32_t x = 0; x < width; x++)
        sum[x] = (int16_t)(sum[x] + noise[x]);
}

static int new_octaves(struct mw_run *run, struct mw_rng *rng, const struct mw_lattice *l,
                       int32_t coarsest, int32_t finest, struct octave octave[OCTAVES])
{
    int n = 0;
    int32_t range = RANGE;
    for (int32_t size = coarsest; n < OCTAVES && (!n || size >= finest); size /= 2) {
        octave[n] = (struct octave){.key = (uint32_t)mw_next(rng),
                                    .range = range,
                                    .from_x = (int32_t)mw_below(rng, WHOLE),
                                    .from_y = (int32_t)mw_below(rng, WHOLE)};
        new_octave(run, &octave[n++], l, size);
        range = range * GAIN_TOP / GAIN_BOTTOM;
    }
    return n;
}

void mw_fractal(struct mw_run *run, struct mw_rng *rng, const struct mw_lattice *l,
                int32_t coarsest, int32_t finest, uint16_t *noise)
{
    assert(coarsest > 0 && finest > 0 && l->width > 0 && l->height > 0);
    char *mark = mw_mark(run);
    struct octave octave[OCTAVES];
    int n = new_octaves(run, rng, l, coarsest, finest, octave);
    int16_t *sum = MW_NEW(run, int16_t, l->width), *one = MW_NEW(run, int16_t, l->width + LANES);
    for (int32_t y = 0; y < l->height; y++) {
        memset(sum, 0, (size_t)l->width * sizeof *sum);
        for (int i = 0; i < n; i++) {
            mix_row(&octave[i], l, y);
            add_row(&octave[i], l->width, one, sum);
        }
        uint16_t *row = noise + (int64_t)y * l->width;
        for (int32_t x = 0; x < l->width; x++) {
            row[x] = (uint16_t)mw_clamp(sum[x] + MW_FRACTAL_MOST / 2, 0, MW_FRACTAL_MOST - 1);
        }
        mw_tick(run, (uint64_t)l->width * (uint64_t)n);
    }
    mw_rewind(run, mark);
}

int32_t mw_fractal_range(int32_t coarsest, int32_t size)
{
    int32_t range = MW_FRACTAL_UNIT;
    assert(size > 0);
    for (; coarsest > size + size / 2; coarsest /= 2)
        range = range * GAIN_TOP / GAIN_BOTTOM;
    return range;
}
