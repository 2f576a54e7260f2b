/*
 * raster.h: the canvas that is a field of samples, and the picture that comes of it.
 *
 *     struct picture picture;
 *     raster_scene(run, map, &picture);
 */
#ifndef MAPWRIGHT_RASTER_H
#define MAPWRIGHT_RASTER_H

#include "canvas.h"

enum {
    RASTER_PARTS = 256, /* places are counted in these parts of a sample */
    RASTER_FLAG = 0x80, /* of a sample: an edge of the figure under way passes at its left */
    RASTER_LINE = 0x7f, /* a sample's ink: it lies on the line of the figure under way */
    RASTER_CHORDS = 512,
    PICTURE_COLOURS = 256
};
_Static_assert((int)INK_END <= RASTER_LINE, "an ink must fit into a sample");

struct place {
    int64_t x, y;
};

/* What draws lines and rims: half the width, and half the chord of that disc at distances from its
   middle. */
struct brush {
    int64_t radius;
    int shift; /* chord[i] is the chord at a distance of i << shift */
    int64_t chord[RASTER_CHORDS];
    uint8_t keep, put; /* how a sample is changed: what stays of it, what is put */
};

/* The samples of a row that the figure under way may have changed. */
struct span {
    int32_t from, to;
};

struct raster {
    struct canvas canvas;
    struct sheet sheet;
    int32_t scale;         /* pixels to sheet.pitch units */
    int32_t fine;          /* samples across a pixel */
    int32_t width, height; /* in samples */
    uint8_t *at;           /* each the number of an ink, row by row */
    struct span *spans;
    int32_t first, last; /* rows with a span */
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

/* How large the raster of a sheet will be; samples: the most of any sheet that is no larger. */
struct extent {
    uint64_t pixels, samples;
};
struct extent raster_extent(const struct mw_look *, struct sheet);

/* A canvas for a map in the look of its request; its samples are there once a scene has opened
   it. */
void raster_init(struct raster *, struct mw_run *, const struct mw_map *);
/* Mixes the samples of each pixel, in place: nothing can be drawn any more. */
void raster_mix(struct raster *, struct picture *);
/* All of it. */
void raster_scene(struct mw_run *, const struct mw_map *, struct picture *);

/* ---- what its files share -------------------------------------------------------------------- */

/* Rows, from the first whose middle is at or below y; columns alike. Never outside the field. */
int32_t raster_row(const struct raster *, int64_t y);
int32_t raster_column(const struct raster *, int64_t x);
/* The figure under way has changed samples of the row. */
void raster_touch(struct raster *, int32_t row, int32_t from, int32_t to);
/* An edge of the figure under way; and all of it, filled. */
void raster_toggle(struct raster *, struct place, struct place);
void raster_fill(struct raster *);

/* A brush that paints with an ink, or that marks samples for the figure under way (RASTER_LINE). */
void raster_brush(struct raster *, int64_t radius, uint8_t ink);
/* A straight line with round ends. */
void raster_stroke(struct raster *, struct place, struct place);
/* A disc with a hole, which may be none (0). */
void raster_ring(struct raster *, uint8_t ink, struct place, int64_t radius, int64_t hole);
/* A word, its capitals `height` high, centred at a place. */
void raster_word(struct raster *, enum ink, struct place, int64_t height, const char *);

#endif
