/*
 * draw.h: random addresses, over the whole range of every parameter.
 *
 * All comes from the table of a generator: a new field is drawn without a new line here. Numbers,
 * sides and lengths of lists are log-uniform, so that most maps are small and all sizes come.
 *
 * Values that are drawn each for itself contradict each other as a rule (capitals beyond the map).
 * So seven of eight drafts are fitting: fit.c bounds a value by those drawn before it.
 */
#ifndef MAPWRIGHT_WIDE_DRAW_H
#define MAPWRIGHT_WIDE_DRAW_H

#include "prop/arbitrary.h"
#include "text.h"

enum { DRAFT_FIELDS = 64, DRAFT_DEPTH = 2 };

struct draft {
    struct arbitrary *source;
    const struct mw_generator *generator;
    struct text *text;
    int depth;                   /* of maps that it stands below */
    bool fitting;                /* values heed those that were drawn before */
    bool given[DRAFT_FIELDS];    /* by field */
    int64_t value[DRAFT_FIELDS]; /* a number, the index of a choice, the first of a list */
    int64_t count[DRAFT_FIELDS]; /* elements of a list */
    /* Of a map of cells: */
    int64_t width, height;
    int64_t land;   /* cells that may be used; of a mask that is another map, a guess */
    int64_t pieces; /* that the land is in, as far as is known */
    char *mask;     /* rows with a separator behind each; NULL: all is land, or not known */
    const struct mw_generator *mask_from; /* it is a map of this one; NULL: it is none */
    int64_t forced_width, forced_height;  /* 0: drawn; else that of the map that stands on it */
};

/* Writes an address with its seed, without a format or look. */
void draw_address(struct draft *);
/* One of the formats that the map comes in. */
const struct mw_encoder *draw_format(const struct draft *);
/* Adds parameters of the look to the address. */
void draw_look(struct draft *);

/* ---- for fit.c ------------------------------------------------------------------------------- */

bool one_in(struct arbitrary *, uint32_t n);
/* Log-uniform, both ends included; the ends come more often. */
int64_t draw_number(struct arbitrary *, int64_t least, int64_t most);
/* Row of the field of that name, or -1. */
int field_row(const struct mw_generator *, const char *name);
/* The number drawn for it, or its default; `otherwise` if there is no such field or no default. */
int64_t value_of(const struct draft *, const char *name, int64_t otherwise);
bool is_given(const struct draft *, const char *name);

/* Draws the value of a field as it fits the draft; false: there is nothing special about it. */
bool draw_fitting(struct draft *, int row);
/* Whether its value may be given beside what it follows, as it is drawn to agree with that. */
bool agrees(const struct mw_generator *, int row);
/* Rows of a mask or a board; sets what the draft knows of its map. */
void draw_rows(struct draft *, int row);

#endif
