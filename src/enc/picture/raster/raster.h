/*
 * raster.h: the canvas that is a field of pixels, and the picture that comes of it.
 *
 *     struct picture picture;
 *     raster_scene(run, map, &picture);
 */
#ifndef MAPWRIGHT_RASTER_H
#define MAPWRIGHT_RASTER_H

#include "enc/picture/canvas.h"
#include "kit/integer.h"

enum {
    RASTER_PARTS = 256,               /* places are counted in these parts of a sample */
    RASTER_FINEST = 8,                /* samples across a pixel, at most */
    RASTER_WORD = 64,                 /* samples in a word of a plane */
    RASTER_STRIP = 16,                /* rows of pixels that lie together */
    RASTER_BLOCK = 3,                 /* a block has 1 << RASTER_BLOCK samples, at least */
    RASTER_EIGHT = 1 << RASTER_BLOCK, /* bytes that are looked at as one number */
    RASTER_TILE = 4,                  /* pixels of rows and columns that lie together in `block` */
    RASTER_CHUNK = 256,               /* blocks */
    RASTER_PAIR = 254,                /* of a pixel: it has two inks */
    RASTER_MIXED = 255,               /* of a pixel: it has samples */
    RASTER_PAIRED = 16,               /* samples of a pixel that may be a pair, at most */
    RASTER_CHORDS = 512,
    PICTURE_COLOURS = 256
};
_Static_assert((int)INK_AT_ONCE <= RASTER_PAIR, "an ink must fit into a pixel");

/* Compiled anew wherever it is called, for what is known there. */
#define RASTER_EACH static inline __attribute__((always_inline))

struct place {
    int64_t x, y;
};

/* What draws lines and rims: half the width, and half the chord of that disc at distances from its
   middle. */
struct brush {
    int64_t radius;
    int shift; /* chord[i] is the chord at a distance of i << shift */
    int64_t chord[RASTER_CHORDS];
};

/* Short lines of the figure under way that are near each other, to be painted together. */
struct patch {
    int64_t row, column; /* of its first sample, that of a pixel */
    int32_t first, end;  /* its rows that are not empty; none are if `end` is 0 */
    uint64_t rows[RASTER_WORD];
};

/* The samples of mixed pixels, in blocks; those that were given back are a list. */
struct blocks {
    uint8_t **chunks;
    size_t size;            /* bytes of a block: its samples in any order, all as often */
    uint32_t count, unused; /* unused: the first that was given back, + 1 */
};

/* Colours by their numbers; each pixel is the number of one. */
struct picture {
    int32_t width, height, colours;
    uint32_t palette[PICTURE_COLOURS]; /* 0xrrggbb */
    uint8_t *at; /* row by row, with a 0 before each, as a file wants them: see picture_row */
};
/* A row of pixels of so many columns. */
static inline size_t picture_row(int32_t columns, int32_t y)
{
    return (size_t)y * ((size_t)columns + 1);
}

struct raster {
    struct canvas canvas;
    struct sheet sheet;
    int32_t finest; /* of a mixed pixel's samples: 1 << finest across it */
    /* As the figure under way has them: it may be so rough that each pixel is one. */
    int32_t fine, shift; /* samples across a pixel: 1 << shift */
    struct ratio {
        int64_t pixels, units;
    } across, down;        /* how wide and how high units are */
    int32_t width, height; /* in samples */
    int32_t words;         /* samples of a row, 64 to a word */
    int32_t stride;        /* words of a row, 64 to a number */
    int32_t columns, rows; /* in pixels */
    uint8_t *at;           /* of each pixel the number of its ink, or RASTER_PAIR or _MIXED; rows as
                              those of a picture */
    uint32_t *block;       /* of a pixel with samples; of others the pair; see raster_block_row */
    struct blocks blocks;
    enum ink ink[RASTER_PAIR]; /* those that were used, by number */
    int32_t inks;
    uint8_t number[INK_END]; /* of each of those, + 1; or 0 */
    /* Of the figure under way, a bit for each sample, 64 beside each other to a word, which lies
       where raster_word_at says: */
    uint64_t *edges;   /* an edge passes at its left */
    uint64_t *lines;   /* it lies on a line */
    uint64_t *touched; /* a bit for each word of a row of pixels: the figure may have changed it */
    int32_t first, last; /* rows of pixels with one */
    struct pen pen;
    struct brush brush;
    struct patch patches[2], *patch; /* that which is drawn on */
    int32_t x, y, start_x, start_y;  /* units */
    struct place place;              /* of x, y */
};

/* How large the raster of a sheet will be; bytes: the most of any sheet that is no larger. */
struct extent {
    uint64_t pixels, bytes;
};
struct extent raster_extent(const struct mw_look *, struct sheet);

/* A canvas for a map in the look of its request; its pixels are there once a scene has opened
   it. */
void raster_init(struct raster *, struct mw_run *, const struct mw_map *);
/* Mixes the samples of each pixel, in place: nothing can be drawn any more. */
void raster_mix(struct raster *, struct picture *);
/* All of it. */
void raster_scene(struct mw_run *, const struct mw_map *, struct picture *);

/* ---- what its files share -------------------------------------------------------------------- */

/* The first sample whose middle is at or beyond a place, of so many. */
static inline int32_t raster_first(int64_t place, int32_t most)
{
    uint64_t n = (uint64_t)(mw_max64(place, RASTER_PARTS / 2) + RASTER_PARTS / 2 - 1);
    return (int32_t)mw_min64((int64_t)(n / RASTER_PARTS), most);
}
/* Rows of samples, from the first whose middle is at or below y; columns alike. Never outside the
   field. */
static inline int32_t raster_row(const struct raster *r, int64_t y)
{
    return raster_first(y, r->height);
}
static inline int32_t raster_column(const struct raster *r, int64_t x)
{
    return raster_first(x, r->width);
}

static inline int64_t raster_middle(int32_t row)
{
    return (int64_t)row * RASTER_PARTS + RASTER_PARTS / 2;
}

/* A quotient whose dividend grows evenly from row to row, rounded down: two divisions for all. Its
   32 bits of fraction are rounded up, so that it never falls short of a whole number; what it is
   too large by adds up, along a line of less than 2^20 parts, to less than a division by its height
   can leave. The growth of a line that meets one row may wrap, but is not used. */
enum { RAMP_FRACTION = 32 };
struct ramp {
    int64_t at, step;
};
static inline int64_t ramp_quotient(int64_t dividend, int64_t by)
{
    int64_t whole = mw_floor_div(dividend, by), rest = dividend - whole * by;
    return (int64_t)((uint64_t)whole << RAMP_FRACTION) + (rest << RAMP_FRACTION) / by + (rest > 0);
}
static inline struct ramp ramp_of(int64_t dividend, int64_t growth, int64_t by)
{
    return (struct ramp){ramp_quotient(dividend, by), ramp_quotient(growth, by)};
}
static inline int64_t ramp_next(struct ramp *ramp)
{
    int64_t at = ramp->at >> RAMP_FRACTION;
    ramp->at = (int64_t)((uint64_t)ramp->at + (uint64_t)ramp->step);
    return at;
}

/* An edge of the figure under way; and all of it, painted with the pen; what lies on the patch. */
void raster_toggle(struct raster *, struct place, struct place);
void raster_fill(struct raster *);
void raster_paint_patch(struct raster *);
/* A word of a plane, of the first row of samples in row y of pixels: those below follow, then those
   below that in the strip, then the word to the right. So lines of any slope stay near where they
   have been. */
static inline size_t raster_word_at(const struct raster *r, int32_t y, int32_t word)
{
    int32_t top = y & ~(RASTER_STRIP - 1), high = mw_min(r->rows - top, RASTER_STRIP);
    return ((size_t)top * (size_t)r->words + (size_t)(word * high + y - top)) << r->shift;
}

/* The word of a plane that has a sample, which the figure under way may change. */
static inline size_t raster_touch(struct raster *r, int32_t row, int32_t word)
{
    int32_t y = row >> r->shift;
    uint64_t *touched = &r->touched[(size_t)y * (size_t)r->stride + (size_t)word / RASTER_WORD];
    uint64_t bit = UINT64_C(1) << (size_t)word % RASTER_WORD;
    size_t column = raster_word_at(r, y, word);
    if (!(*touched & bit)) {
        *touched |= bit;
        r->first = mw_min(r->first, y);
        r->last = mw_max(r->last, y);
        if (r->pen.fill)
            memset(r->edges + column, 0, (size_t)r->fine * sizeof *r->edges);
        if (r->pen.line)
            memset(r->lines + column, 0, (size_t)r->fine * sizeof *r->lines);
    }
    return column + (size_t)(row & (r->fine - 1));
}

/* Paints with the number of an ink the samples whose bits are set, a word of each row of samples in
   so many rows of pixels, from pixel x of row y on; whole pixels, from one up to another. */
void raster_paint(struct raster *, int32_t y, int32_t x, const uint64_t *bits, int32_t rows,
                  uint8_t number);
/* What a convex figure covers of a row of pixels: of each of its rows of samples the columns from
   one up to another, or from 0 up to 0. */
struct slice {
    int32_t from[RASTER_FINEST], to[RASTER_FINEST];
    int32_t least, most; /* of them all */
};
void raster_paint_slice(struct raster *, int32_t y, const struct slice *, uint8_t number);
void raster_paint_run(struct raster *, int32_t y, int32_t from, int32_t to, uint8_t number);
/* The number of an ink that is used. */
uint8_t raster_ink(struct raster *, enum ink);
/* Chunks of blocks that so many pixels may need; a block. */
size_t raster_chunks(size_t pixels);
static inline uint8_t *raster_block(const struct raster *r, uint32_t block)
{
    return r->blocks.chunks[block / RASTER_CHUNK] + block % RASTER_CHUNK * r->blocks.size;
}
/* The pixels of a row. */
static inline uint8_t *raster_pixels(const struct raster *r, int32_t y)
{
    return r->at + picture_row(r->columns, y);
}
/* Where `block` has the first pixel of a row, and how much farther another of it: four by four of
   them lie together, so that lines of any slope stay near where they have been. */
static inline size_t raster_block_row(const struct raster *r, int32_t y)
{
    const size_t part = RASTER_TILE - 1, wide = ((size_t)r->columns + part) & ~part;
    return ((size_t)y & ~part) * wide + ((size_t)y & part) * RASTER_TILE;
}
static inline size_t raster_block_at(int32_t x)
{
    return (size_t)(x + (RASTER_TILE - 1) * (x & ~(RASTER_TILE - 1)));
}
/* Pixels of a row, from one to another, that will be painted soon. Not a call: compilers take one
   without an effect for none. */
RASTER_EACH void raster_expect(const struct raster *r, int32_t y, int32_t from, int32_t to)
{
    const uint32_t *block = r->block + raster_block_row(r, y);
    __builtin_prefetch(raster_pixels(r, y) + from);
    __builtin_prefetch(block + raster_block_at(from));
    __builtin_prefetch(block + raster_block_at(to));
}
/* Two inks of a pixel, by their numbers, and which samples have the upper one. */
struct inks {
    uint32_t samples; /* a bit for each of `size` of them: some, not all */
    uint8_t upper, lower;
};
static inline uint32_t raster_pack(struct inks pair)
{
    return pair.samples | (uint32_t)pair.upper << 16 | (uint32_t)pair.lower << 24;
}
static inline struct inks raster_pair(uint32_t packed)
{
    return (struct inks){packed & 0xffff, packed >> 16 & 255, (uint8_t)(packed >> 24)};
}
/* For tests: the ink of a sample. */
enum ink raster_sample(const struct raster *, int32_t x, int32_t y);

/* The brush of lines: half their width. */
void raster_brush(struct raster *, int64_t radius);
/* A straight line with round ends. */
void raster_stroke(struct raster *, struct place, struct place);
/* A disc with a hole, which may be none (0). */
void raster_ring(struct raster *, enum ink, struct place, int64_t radius, int64_t hole);
/* A word, its capitals `height` high, centred at a place. */
void raster_word(struct raster *, enum ink, struct place, int64_t height, const char *);

#endif
