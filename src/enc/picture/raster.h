/*
 * raster.h: the canvas that is a field of pixels, and the picture that comes of it.
 *
 *     struct picture picture;
 *     raster_scene(run, map, &picture);
 */
#ifndef MAPWRIGHT_RASTER_H
#define MAPWRIGHT_RASTER_H

#include "canvas.h"

enum {
    RASTER_PARTS = 256, /* places are counted in these parts of a sample */
    RASTER_FINEST = 8,  /* samples across a pixel, at most */
    RASTER_WORD = 64,   /* samples in a word of a plane */
    RASTER_BLOCK = 3,   /* a block has 1 << RASTER_BLOCK samples, at least */
    RASTER_CHUNK = 256, /* blocks */
    RASTER_MIXED = 255, /* of a pixel: it has more than one ink */
    RASTER_CHORDS = 512,
    PICTURE_COLOURS = 256
};
_Static_assert((int)INK_END <= RASTER_MIXED, "an ink must fit into a pixel");

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

/* The words of a row of pixels that the figure under way may have changed. */
struct span {
    int32_t from, to;
};

/* The samples of mixed pixels, in blocks; those that were given back are a list. */
struct blocks {
    uint8_t **chunks;
    size_t size;            /* bytes of a block: its samples in any order, all as often */
    uint32_t count, unused; /* unused: the first that was given back, + 1 */
};

struct raster {
    struct canvas canvas;
    struct sheet sheet;
    int32_t fine, shift; /* samples across a pixel: 1 << shift */
    struct ratio {
        int64_t pixels, units;
    } across, down;        /* how wide and how high units are */
    int32_t width, height; /* in samples */
    int32_t columns, rows; /* in pixels */
    uint8_t *at;           /* of each pixel its ink, or RASTER_MIXED */
    uint32_t *block;       /* of a mixed pixel */
    struct blocks blocks;
    /* Of the figure under way, a bit for each sample: */
    uint64_t *edges; /* an edge passes at its left */
    uint64_t *lines; /* it lies on a line */
    int32_t words;   /* in a row of them */
    struct span *spans;
    int32_t first, last; /* rows of pixels with a span */
    struct pen pen;
    struct brush brush;
    int32_t x, y, start_x, start_y; /* units */
};

/* Colours by their numbers; each pixel is the number of one. */
struct picture {
    int32_t width, height, colours;
    uint32_t palette[PICTURE_COLOURS]; /* 0xrrggbb */
    uint8_t *at;                       /* row by row */
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

/* Rows of samples, from the first whose middle is at or below y; columns alike. Never outside the
   field. */
int32_t raster_row(const struct raster *, int64_t y);
int32_t raster_column(const struct raster *, int64_t x);
/* An edge of the figure under way; samples of a row that lie on its lines; and all of it, painted
   with the pen. */
void raster_toggle(struct raster *, struct place, struct place);
void raster_cover(struct raster *, int32_t row, int32_t from, int32_t to);
void raster_fill(struct raster *);

/* Paints with an ink the samples whose bits are set: a word of each row of samples in row y of
   pixels. */
void raster_paint(struct raster *, int32_t y, int32_t word, const uint64_t *bits, enum ink);
void raster_paint_all(struct raster *, int32_t y, int32_t word, enum ink);
/* Chunks of blocks that so many pixels may need; a block. */
size_t raster_chunks(size_t pixels);
static inline uint8_t *raster_block(const struct raster *r, uint32_t block)
{
    return r->blocks.chunks[block / RASTER_CHUNK] + block % RASTER_CHUNK * r->blocks.size;
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
