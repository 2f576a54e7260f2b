/*
 * canvas.h: what a scene is drawn on, by verbs that a vector drawing and a raster both know.
 *
 * Coordinates are whole units of the scene, x to the right, y down; what lies outside the sheet is
 * cut off. Later figures cover earlier ones. How many pixels a unit is, is the canvas's matter, not
 * the scene's.
 *
 *     canvas_open(canvas, &(struct sheet){width, height, margin, pitch, INK_SEA});
 *     canvas_begin(canvas, (struct pen){.fill = INK_LABEL, .line = INK_BORDER, .tenths = 15});
 *     canvas_move(canvas, 0, 0), canvas_step(canvas, 14, 0), ... canvas_close(canvas);
 *     canvas_end(canvas);
 */
#ifndef MAPWRIGHT_CANVAS_H
#define MAPWRIGHT_CANVAS_H

#include "enc/ink.h"
#include "lib/gen.h"

struct sheet {
    int32_t width, height; /* units: of what is drawn; of an open one, with its margin */
    int32_t margin;        /* units around it: as the drawing needs; of an open one, as it is */
    int32_t pitch;         /* units from cell to cell, which `scale` counts in pixels */
    enum ink ground;
    int32_t most; /* the largest scale where none is asked for; 0: as a map has it */
    bool tiles;   /* copies of it are laid side by side: it is stretched to whole pixels */
    /* An odd number of inks from the ground on, from the upper rim down; 0: it alone. */
    int32_t shades;
};

/* So many things of a kind have a figure with a name each; more would bury the drawing. */
enum { CANVAS_NAMED = 5000 };
/* Pixels that letters are high, at least, to be read. */
enum { CANVAS_LEGIBLE = 6 };

/* How a figure is filled and lined; lines have round ends and joints. With neither it is not
   seen. */
struct pen {
    enum ink fill, line; /* INK_NONE: not */
    int32_t tenths;      /* width of the line, in tenths of a unit */
};

struct canvas;

/* A figure that is painted more than once: a vector drawing writes it once. Its points lie on a
   lattice, whole steps `along` and `across` from 0, 0. It is of closed ways or, if it is of rows,
   of strips along `along` that are as wide as its coat says. */
struct figure {
    void (*trace)(struct canvas *, const struct figure *);
    const void *of;
    struct mw_point along, across;
    bool rows;
    unsigned number; /* of a figure that is written; 0: it is not */
};

/* How it is painted. */
struct coat {
    enum ink ink;
    struct mw_point at;   /* where its 0, 0 comes to lie */
    struct mw_point wide; /* from one edge of its rows to the other: so many steps across */
};

struct canvas {
    struct mw_run *run;
    const struct mw_map *map;
    const struct canvas_verbs *verbs;
    bool tells;       /* it has room for names, so what is not seen may be drawn for its name */
    bool paints;      /* figures are paint and no more: their lines may be drawn last */
    bool answers;     /* of a board whose answer is another, that alone */
    bool quiet;       /* other cells will lie over what is drawn: it has one colour */
    bool smooths;     /* where edges of figures meet, what is behind is seen through a little */
    struct coat coat; /* of the figure that is traced */
    bool fresh;       /* it has not been begun: one without a way is left out */
    /* What lies under the map, and is drawn already: the sheet is open, and is that of its cells;
       NULL: nothing does. */
    const struct mw_cells *under;
    int32_t margin; /* units from the rim of the sheet that is open to what is drawn */
};

struct canvas_verbs {
    void (*open)(struct canvas *, const struct sheet *);
    /* The next figure is the thing of that kind, which is not copied, and short name: "region",
       "3". */
    void (*stand_for)(struct canvas *, const char *kind, const char *name);
    /* A figure of one loop or more, filled by the even-odd rule, or of open ways, which have no
       fill. */
    void (*begin)(struct canvas *, struct pen);
    void (*move)(struct canvas *, int32_t x, int32_t y);   /* a way begins at x, y */
    void (*step)(struct canvas *, int32_t dx, int32_t dy); /* from where the way has come to */
    void (*close)(struct canvas *);                        /* back to where it began */
    void (*end)(struct canvas *);
    void (*disc)(struct canvas *, struct pen, int32_t x, int32_t y, int32_t radius);
    /* NULL: the canvas keeps no figures, each coat is a figure by itself. */
    void (*paint)(struct canvas *, struct figure *, const struct coat *);
    /* Paints every other cell of the lattice within the figure, that at 0, 0 among them; cells are
       at most so many along and across. NULL: it cannot. */
    void (*chequer)(struct canvas *, struct figure *, const struct coat *, struct mw_point cells);
    /* A word of printable ASCII, centred at x, y, its capitals `height` units high. */
    void (*word)(struct canvas *, enum ink, int32_t x, int32_t y, int32_t height, const char *);
};

/* Opens a sheet, the margin of the look around it, unless the map is drawn over what lies under it.
 */
void canvas_open(struct canvas *, const struct sheet *);
static inline void canvas_stand_for(struct canvas *c, const char *kind, const char *name)
{
    if (c->tells)
        c->verbs->stand_for(c, kind, name);
}
static inline void canvas_begin(struct canvas *c, struct pen pen) { c->verbs->begin(c, pen); }
static inline void canvas_move(struct canvas *c, int32_t x, int32_t y) { c->verbs->move(c, x, y); }
static inline void canvas_step(struct canvas *c, int32_t dx, int32_t dy)
{
    c->verbs->step(c, dx, dy);
}
static inline void canvas_close(struct canvas *c) { c->verbs->close(c); }
static inline void canvas_end(struct canvas *c) { c->verbs->end(c); }
static inline void canvas_disc(struct canvas *c, struct pen pen, int32_t x, int32_t y,
                               int32_t radius)
{
    c->verbs->disc(c, pen, x, y, radius);
}
static inline void canvas_word(struct canvas *c, enum ink ink, int32_t x, int32_t y, int32_t height,
                               const char *word)
{
    c->verbs->word(c, ink, x, y, height, word);
}

/* Paints a figure. Its trace begins ways by `start`, or has rows of so many steps `along`. */
void canvas_paint(struct canvas *, struct figure *, struct coat);
void canvas_start(struct canvas *, struct mw_point);
void canvas_row(struct canvas *, const struct figure *, struct mw_point, int32_t steps);

/* Pixels that a cell is across: the look's scale, or as many as make the longer side some 1200, but
   of small maps no more than the sheet says, or than make it some 480. */
int32_t canvas_scale(const struct mw_look *, const struct sheet *);
/* A sheet with the margin of the look around it. */
struct sheet canvas_framed(const struct mw_look *, struct sheet);
/* `units` of the sheet in pixels, rounded up; where it tiles, to the nearest. */
int32_t canvas_pixels(int32_t units, int32_t scale, const struct sheet *);

#endif
