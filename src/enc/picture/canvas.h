/*
 * canvas.h: the drawing interface of scenes, implemented by vector formats and by the raster.
 *
 * Coordinates are whole units of the scene, x to the right, y down, from the corner inside the
 * margin; the canvas adds the margin, and clips what is outside of the sheet. A figure ends where
 * the next one or a word begins; one without a path is left out. Later figures cover earlier ones.
 * The canvas decides how many pixels a unit is, not the scene.
 *
 *     canvas_open(canvas, &(struct sheet){width, height, margin, pitch, INK_SEA});
 *     canvas_begin(canvas, (struct pen){.fill = INK_LABEL, .line = INK_BORDER, .tenths = 15});
 *     canvas_move(canvas, (struct mw_point){0, 0});
 *     canvas_step(canvas, 14, 0);
 *     canvas_close(canvas);
 */
#ifndef MAPWRIGHT_CANVAS_H
#define MAPWRIGHT_CANVAS_H

#include "enc/ink.h"
#include "enc/outline.h"
#include "lib/gen.h"

struct sheet {
    int32_t width, height; /* units; with the margin once the sheet is framed */
    int32_t margin;        /* units: the least that the drawing needs; the real one once framed */
    int32_t pitch;         /* units from cell to cell; `scale` is this distance in pixels */
    enum ink ground;       /* background */
    bool tiles;            /* made to be tiled: stretched to a whole number of pixels */
    int32_t shades;        /* inks of a vertical gradient, an odd number from `ground`; 0: none */
    int32_t scale, columns, rows; /* pixels of a cell, and of the sheet; once it is framed */
};

/* How text is written: its ink, the ink of the halo around it (INK_NONE: none), and the height of
   its capitals in units. */
struct text_style {
    enum ink ink, halo;
    int32_t height;
};

/* If a map has more regions, nodes or islands than this, they have no figures and names of their
   own, which would bloat the drawing. */
enum { CANVAS_NAMED = 5000 };
/* The least height of legible letters, in pixels. */
enum { CANVAS_LEGIBLE = 6 };

/* Fill and stroke of a figure; lines have round ends and joints. With neither it is invisible. */
struct pen {
    enum ink fill, line; /* INK_NONE: none */
    int32_t tenths;      /* line width, in tenths of a unit */
};

struct canvas;

struct canvas {
    struct mw_run *run;
    const struct mw_map *map;
    const struct canvas_operations *operations;
    bool has_names; /* figures can have names (SVG): invisible ones may carry a name */
    /* Figures are pixels only: borders may be drawn once, at the end. The viewer of other drawings
       smooths edges, so that what is behind shows where figures meet. */
    bool is_raster;
    bool answer_only;   /* of a board with a question and an answer, draw only the answer */
    bool is_background; /* another map's cells will cover this one: draw it in one color */
    struct pen pen;     /* of the current figure */
    enum { NO_FIGURE, NO_PATH, HAS_PATH } figure;
    struct mw_point at, start; /* the current point of the sheet, and where its path began */
    /* The cells of the map underneath, which is drawn already: its sheet is open. NULL: none. */
    const struct mw_cells *under;
    int32_t margin; /* units from the edge of the open sheet to the drawing */
};

struct canvas_operations {
    void (*open)(struct canvas *, const struct sheet *);
    /* Names the next figure: a kind and a short name ("region", "3"), and its title (NULL: both).
       Only `name` is copied. */
    void (*name_figure)(struct canvas *, const char *kind, const char *name, const char *title);
    /* A figure of closed paths, filled by the even-odd rule, or of open paths without fill. */
    void (*begin)(struct canvas *, struct pen);
    void (*move)(struct canvas *);  /* begins a path at canvas->start */
    void (*step)(struct canvas *);  /* to canvas->at */
    void (*close)(struct canvas *); /* from there to canvas->start */
    void (*end)(struct canvas *);
    /* NULL: discs are drawn as lines of length 0. */
    void (*disc)(struct canvas *, struct pen, struct mw_point middle, int32_t radius_tenths);
    /* A line of printable ASCII. */
    void (*word)(struct canvas *, struct text_style, struct mw_point middle, const char *);
};

/* Opens a sheet with the margin of the look around it, unless a map underneath has opened one. */
void canvas_open(struct canvas *, const struct sheet *);
/* Ends the figure under way, if there is one. */
static inline void canvas_end(struct canvas *c)
{
    if (c->figure == HAS_PATH)
        c->operations->end(c);
    c->figure = NO_FIGURE;
}
static inline void canvas_name_figure(struct canvas *c, const char *kind, const char *name,
                                      const char *title)
{
    canvas_end(c);
    if (c->has_names)
        c->operations->name_figure(c, kind, name, title);
}
static inline void canvas_begin(struct canvas *c, struct pen pen)
{
    canvas_end(c);
    c->pen = pen;
    c->figure = NO_PATH;
}
/* A point of the sheet. */
static inline struct mw_point canvas_place(const struct canvas *c, struct mw_point at)
{
    return (struct mw_point){at.x + c->margin, at.y + c->margin};
}
static inline void canvas_move(struct canvas *c, struct mw_point to)
{
    if (c->figure == NO_PATH)
        c->operations->begin(c, c->pen);
    c->figure = HAS_PATH;
    c->at = c->start = canvas_place(c, to);
    c->operations->move(c);
}
static inline void canvas_step(struct canvas *c, int32_t dx, int32_t dy)
{
    c->at = (struct mw_point){c->at.x + dx, c->at.y + dy};
    c->operations->step(c);
}
/* A step to a point. */
static inline void canvas_step_to(struct canvas *c, struct mw_point to)
{
    to = canvas_place(c, to);
    canvas_step(c, to.x - c->at.x, to.y - c->at.y);
}
static inline void canvas_close(struct canvas *c)
{
    c->operations->close(c);
    c->at = c->start;
}
/* The line is centered on the rim. */
void canvas_disc(struct canvas *, struct pen, struct mw_point middle, int32_t radius_tenths);
static inline void canvas_word(struct canvas *c, struct text_style style, struct mw_point middle,
                               const char *word)
{
    canvas_end(c);
    c->operations->word(c, style, canvas_place(c, middle), word);
}

/* Adds a closed path to the figure under way: from a point along one side, then along the next. */
void canvas_parallelogram(struct canvas *, struct mw_point, struct mw_point along,
                          struct mw_point across);

/* Adds the loop of an outline that begins with a side of a cell, whose middle is given. */
void canvas_loop(struct canvas *, const struct cell_shape *, struct mw_point middle,
                 struct outline *, int32_t cell, int side);

/* Writes thousandths with spaces between them, for vector formats. */
void canvas_put_numbers(struct mw_run *, const int32_t *thousandths, int count);

/* Pixels across a cell: the look's scale, or what makes a picture at least 1200 pixels wide, unless
   it would be more than 2400 high. */
int32_t canvas_scale(const struct mw_look *, const struct sheet *);
/* The sheet with the margin of the look added. */
struct sheet canvas_framed(const struct mw_look *, struct sheet);

#endif
