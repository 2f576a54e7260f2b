/*
 * raster.h: a canvas of samples, several to a pixel, and the resulting picture.
 *
 *     const struct picture *picture = raster_scene(run, map);
 */
#ifndef MAPWRIGHT_RASTER_H
#define MAPWRIGHT_RASTER_H

#include "enc/picture/canvas.h"
#include "enc/png_file.h"
#include "kit/integer.h"

enum {
    RASTER_PARTS = 256, /* coordinates are in these fractions of a sample */
    RASTER_FINEST = 8,  /* samples across a pixel, at most */
    RASTER_WORD = 64,   /* samples in a word of `crossings` */
    RASTER_MIXED = 255, /* in place of an ink's number: the pixel has samples */
};

/* Times a byte: eight of them. */
#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* A point of the raster, in fractions of a sample. */
struct spot {
    int64_t x, y;
};

/* The words of `crossings` in a row of pixels that may have a bit; none if first > last. */
struct word_span {
    int32_t first, last;
};

struct raster {
    struct canvas canvas;
    /* Its bytes are the number of a pixel's ink, or RASTER_MIXED; its palette holds the inks by
       number, those of the same color as one. Mixed pixels get colors at the end. */
    struct picture picture;
    int32_t fine, shift;   /* samples across a pixel: fine = 1 << shift */
    int32_t width, height; /* samples */
    struct ratio {
        int64_t pixels, units;
    } across, down;          /* the width and height of a unit, in pixels */
    uint8_t *samples;        /* by mixed pixel: the numbers of its samples' inks */
    uint64_t *crossings;     /* of the current figure, a bit per sample: see fill.c */
    int32_t words;           /* of `crossings`, per row of samples */
    struct word_span *spans; /* by row of pixels */
    int32_t first, last;     /* rows of pixels that have a bit */
    uint8_t number[INK_END]; /* by ink: its number + 1; 0: not in use */
    uint8_t paint;           /* number of the ink in use */
    int64_t radius;          /* half of the width of lines */
    struct spot spot;        /* the current point */
};

/* Prepares a canvas for a map. */
void raster_init(struct raster *, struct mw_run *, const struct mw_map *);
/* Gives each mixed pixel a color. Nothing can be drawn after that. */
void raster_mix(struct raster *);
/* Draws the map. */
const struct picture *raster_scene(struct mw_run *, const struct mw_map *);

/* ---- for the other files of this folder ------------------------------------------------------ */

/* The pixels of a row; the samples of a pixel, row by row. */
static inline uint8_t *raster_pixels(const struct raster *r, int32_t y)
{
    return r->picture.at + picture_row(r->picture.width, y);
}
static inline uint8_t *raster_samples(const struct raster *r, int32_t y, int32_t x)
{
    const struct picture *p = &r->picture;
    assert(y >= 0 && y < p->height && x >= 0 && x < p->width);
    return r->samples + (((size_t)y * (size_t)p->width + (size_t)x) << 2 * r->shift);
}

/* The number of an ink; takes it into use. */
uint8_t raster_number(struct raster *, enum ink);
/* Adds an edge to the current figure. */
void raster_toggle(struct raster *, struct spot, struct spot);
/* Paints the inside of the current figure, and clears it. */
void raster_fill(struct raster *);
/* Draws a straight line with round ends, of the raster's radius; from a spot to itself, a disc. */
void raster_stroke(struct raster *, struct spot, struct spot);
/* Draws a line of text, its capitals `height` high and its strokes `stem` hundredths of that wide,
   centered at a spot. */
void raster_word(struct raster *, enum ink, struct spot, int64_t height, int stem, const char *);

#endif
