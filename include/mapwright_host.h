/*
 * mapwright_host.h: the tables behind mapwright.h, for hosts and for authors of generators.
 *
 * A generator declares its parameters as rows of `struct mw_field` and its result as rows of
 * `struct mw_part`. Every reader (URL, JSON body, shell), every encoder, the help, the OpenAPI
 * document, the property tests and the fuzzers are driven by those two tables. A host that has read
 * a request itself binds its arguments to the fields:
 *
 *     struct mw_request request;
 *     if (mw_bind(run, mw_find("regions"), args, count, "7", &request)) {
 *         const struct mw_map *map = mw_make(run, &request);
 *         if (map)
 *             bytes = mw_encode_with(run, mw_encoder_named("text"), map);
 *     }
 *
 * Ownership, threads and errors are as in mapwright.h. Authors of generators go on to
 * src/lib/gen.h.
 */
#ifndef MAPWRIGHT_HOST_H
#define MAPWRIGHT_HOST_H

#include "mapwright.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* ---- types of parameters and of results ------------------------------------------------------ */

enum mw_type {
    MW_END_OF_TABLE,
    MW_INTEGER,  /* int32_t */
    MW_DECIMAL,  /* int32_t, in thousandths: one spelling, no floats */
    MW_BOOLEAN,  /* bool */
    MW_ONE_OF,   /* int32_t, index into `choices` */
    MW_STRING,   /* const char *, UTF-8 */
    MW_INTEGERS, /* struct mw_ints */
    MW_POINT,    /* struct mw_point; results only */
    MW_POINTS,   /* struct mw_points */
    MW_BOX,      /* struct mw_box; results only */
    MW_ROWS,     /* struct mw_rows */
};

/*
 * What a column or part is, beyond its type: what a drawing may make of it, and what a parameter of
 * another map may be read from.
 */
enum mw_role {
    MW_PLAIN,
    /* POINT: worth a mark on the map (a capital); VALUE: the id of a row whose mark stands out */
    MW_MARK,
    /* INTEGERS: ids of rows of the same table that it is joined with */
    MW_LINKS,
    /* GRID: a cell is 0 (nothing) or the id of a row of a table; -1 is a way between */
    MW_LABEL_GRID,
    /* GRID: a cell is a height */
    MW_HEIGHT_GRID,
    /* ROWS: a board that tracks lie on; `#` is a wall */
    MW_BOARD,
    /* POINTS: a way from cell to cell, drawn as a line */
    MW_TRACK,
    /* STRING: what a row is called, drawn beside it */
    MW_NAME,
    /* BOOLEAN column: rows that stand out */
    MW_EMPHASIS,
    /* EDGES: those that hold all together, drawn thicker */
    MW_BACKBONE,
    /* INTEGERS: ids of rows in order; the tracks from each to the next stand out */
    MW_ROUTE,
    /* INTEGER columns: where a row is, to the right and downward */
    MW_ACROSS,
    MW_DOWN,
    /* EDGES: those of others that are drawn dashed */
    MW_DASHED,
};

/*
 * A parameter. Ranges hold for the value, or for each element of a list (both coordinates of a
 * point). In a URL or shell a list is `10,20,30`, points `3,4;7,8`, rows `..#./.##.`; in JSON they
 * are arrays.
 */
struct mw_field {
    const char *name;
    enum mw_type type;
    bool optional;               /* may be left out: no default is shown, the address omits it */
    uint32_t offset;             /* of its member in the generator's struct of parameters */
    int32_t least, most;         /* range of the value or of each element; DECIMAL in thousandths */
    int32_t fallback;            /* the default; of a BOOLEAN 0 or 1, of a ONE_OF its index */
    struct mw_ints list_default; /* INTEGERS: the default, where there is one */
    int32_t least_count, most_count; /* elements of a list, rows, bytes of a string */
    const char *const *choices;      /* ONE_OF: names, NULL last */
    const char *alphabet;            /* ROWS: the characters that may stand in a row */
    bool distinct; /* INTEGERS, POINTS: `check` refuses an element that comes twice */
    /* Types of fields, as bits: where it is left out, `check` may set it by what those hold. */
    unsigned follows;
    /* ROWS, POINTS, INTEGERS: may be given as the address of a map that has a part or column of
       this role, see struct mw_base; MW_PLAIN: may not */
    enum mw_role role;
    const char *help; /* one sentence, without a full stop */
};

enum mw_kind {
    MW_NO_PART,
    MW_VALUE, /* one value of any type above */
    MW_TABLE, /* rows with typed columns */
    MW_GRID,  /* cells on a lattice, int32_t each */
    MW_EDGES, /* pairs [a, b] of row numbers of the table named `of` */
};

struct mw_column {
    const char *name;
    enum mw_type type;
    enum mw_role role;
    bool nullable; /* MW_NULL stands for JSON's null */
    const char *help;
};

/* A member of the result. */
struct mw_part {
    const char *name;
    enum mw_kind kind;
    enum mw_type type; /* VALUE */
    enum mw_role role;
    bool optional;                   /* may be absent from a result */
    bool nullable;                   /* VALUE: MW_NULL stands for JSON's null; of a string, NULL */
    bool single;                     /* TABLE: of one row, which is written without a list */
    const char *const *choices;      /* VALUE of ONE_OF */
    const struct mw_column *columns; /* TABLE */
    const char *of;                  /* EDGES: the table whose rows they join */
    const char *help;
};

/* ---- a result -------------------------------------------------------------------------------- */

union mw_value {
    int32_t integer; /* INTEGER, DECIMAL, ONE_OF, BOOLEAN */
    const char *string;
    struct mw_ints integers;
    struct mw_point point;
    struct mw_points points;
    struct mw_box box;
    struct mw_rows rows;
};
/* One array a column, of `rows` elements: int32_t (INTEGER, DECIMAL, BOOLEAN), const char *, struct
   mw_... */
struct mw_rowset {
    int32_t rows;
    void **columns;
};
struct mw_slot {
    bool present; /* is written down; a drawing may use what is not */
    union {
        union mw_value value;
        struct mw_rowset table;
        struct mw_cells grid;
        struct mw_edges edges;
    } as;
};

/* Slot i belongs to row i of request->generator->parts. */
struct mw_map {
    const struct mw_request *request;
    struct mw_slot *slots;
};

/* ---- generators and encoders ----------------------------------------------------------------- */

struct mw_forecast; /* gen.h */

/* Bit i: field i of the generator was given by the client, not filled in. */
typedef uint64_t mw_given;

struct mw_generator {
    const char *name;              /* "regions": path, CLI verb, start of every address */
    unsigned version;              /* raised when an address gives other bytes */
    bool seedless;                 /* draws no randomness, so has no seed */
    const char *summary;           /* one line, for --help and OpenAPI */
    const char *about;             /* a paragraph, for people */
    const struct mw_field *fields; /* in:  ends with MW_END */
    const struct mw_part *parts;   /* out: ends with MW_END_PARTS */
    size_t params_size;
    uint64_t steps; /* its budget on the run's first clock: part of the version */
    /* Completes defaults that depend on other fields, then reports what a range cannot say, by
       mw_add_problem(). NULL where there is nothing of the kind. */
    void (*check)(struct mw_run *, void *params, mw_given);
    /* What `make` will take, from checked params; or from those of a map that is built on others
       which are not made yet. These are not checked, and what is read from those others has a
       length alone: its elements are NULL. */
    void (*forecast)(const void *params, struct mw_forecast *);
    /* Fills `map`. Runs only on checked params. */
    void (*make)(struct mw_run *, const void *params, struct mw_map *map);
};

struct mw_encoder {
    const char *name;   /* "svg": the value of `format`, and the suffix of paths and file names */
    const char *suffix; /* instead, where files of its kind are called otherwise; else NULL */
    const char *media;  /* "image/svg+xml" */
    const char *help;
    unsigned look_mask; /* the fields of the look that matter to it: MW_LOOK_BIT(SCALE) | ... */
    bool (*fits)(const struct mw_generator *); /* whether it can draw what the generator makes */
    /* What `encode` will take, its output included. */
    struct mw_cost (*forecast)(const struct mw_request *, const struct mw_forecast *);
    void (*encode)(struct mw_run *, const struct mw_map *);
};

/* NULL-terminated, in the order in which they are to be listed. */
extern const struct mw_generator *const mw_generators[];
extern const struct mw_encoder *const mw_encoders[];

/* NULL: there is none. Encoders go by their name or their suffix. */
const struct mw_generator *mw_find(const char *name);
const struct mw_encoder *mw_encoder_named(const char *name);
const char *mw_suffix(const struct mw_encoder *); /* "txt": of paths and file names */

/* Fields that every generator has beside its own: v, seed (not the seedless). */
extern const struct mw_field mw_common_fields[];

/* How a map is to be written down: no part of its address. */
struct mw_look {
    const char *format; /* as given, else NULL; a name that may not exist */
    int32_t scale;      /* pixels from cell to cell, see its field; 0: as fits */
    bool color;         /* `text` in the colours of a terminal */
    int32_t voxel;      /* voxels, or metres, along a cell; 0: one */
    int32_t columns;    /* of `text`, at most; 0: 80 */
    bool tables;        /* `text` with all that is known */
    /* pictures: */
    bool labels;      /* regions and areas with their ids */
    bool grid_lines;  /* lines between cells */
    int32_t theme;    /* MW_THEME_... */
    int32_t palette;  /* index into the choices of its field */
    int32_t solution; /* of a puzzle: MW_SOLUTION_... */
    bool under;       /* with its base map drawn under it */
    int32_t margin;   /* pixels around a picture; -1: as the drawing needs */
    int32_t maps;     /* on a sheet to print; 0: one */
    bool collision;   /* a scene with colliders for Godot */
};
enum { MW_THEME_LIGHT, MW_THEME_DARK };
/* AUTO: shown where the solution is what the request is for. */
enum { MW_SOLUTION_AUTO, MW_SOLUTION_SHOWN, MW_SOLUTION_HIDDEN };
/* Rows of the table of its fields. */
enum mw_look_row {
    MW_LOOK_FORMAT,
    MW_LOOK_SCALE,
    MW_LOOK_COLOR,
    MW_LOOK_VOXEL,
    MW_LOOK_COLUMNS,
    MW_LOOK_TABLES,
    MW_LOOK_LABELS,
    MW_LOOK_GRID_LINES,
    MW_LOOK_THEME,
    MW_LOOK_PALETTE,
    MW_LOOK_SOLUTION,
    MW_LOOK_UNDER,
    MW_LOOK_MARGIN,
    MW_LOOK_MAPS,
    MW_LOOK_COLLISION
};
#define MW_LOOK_BIT(row) (1u << MW_LOOK_##row)
extern const struct mw_field mw_look_fields[];

/* The look with all fields that the encoder does not use set to their defaults: equal looks give
   equal bytes. */
struct mw_look mw_effective_look(const struct mw_encoder *, struct mw_look);
/* Whether they are the same, apart from the format. */
bool mw_same_look(const struct mw_look *, const struct mw_look *);
/* Writes what of it, apart from the format, is not as by default: `&scale=9&color=true`; the byte
   past the last of at most MW_LOOK_BYTES. */
enum { MW_LOOK_BYTES = 256 };
char *mw_write_look(char *to, const struct mw_look *);

/* ---- reading requests ------------------------------------------------------------------------ */

/* What a reader found: one member of a JSON object, one pair of a query, one word of a command
   line. */
enum mw_shape {
    MW_RAW,    /* text whose type only the field knows: from a URL or a shell */
    MW_NIL,    /* JSON null: counts as left out */
    MW_TRUTH,  /* "true" or "false" */
    MW_NUMBER, /* a JSON number, as text */
    MW_TEXT,   /* a JSON string */
    MW_LIST,   /* a JSON array; in its text each element has a zero before it. A number is as it is,
                  a string has a `"` before it, an array is written as `[3,4` */
    MW_OTHER,  /* an object: fits no field */
};

struct mw_arg {
    const char *name;
    size_t name_length;
    enum mw_shape shape;
    const char *text; /* need not end in NUL */
    size_t length;
};

/*
 * Reads a query string (the part after `?`, without it): percent-decodes, splits. The arguments
 * live in the run. False: out of memory, or a broken escape, reported. `+` is a space, as in forms.
 */
bool mw_read_query(struct mw_run *, const char *query, size_t length, const struct mw_arg **args,
                   size_t *count);

/* Reads a JSON object, as it is the body of a request: adds an argument for each member behind
   those that are there (NULL and 0: none). Blank text has no members. mw_bind reports a
   name that comes twice. The arguments live in the run, not in the text. */
bool mw_read_json(struct mw_run *, const char *text, size_t length, const struct mw_arg **args,
                  size_t *count);

/* A request, bound: everything about a map but its bytes. */
struct mw_request {
    const struct mw_generator *generator;
    void *params;
    const char *seed;    /* NULL for the seedless */
    bool seed_given;     /* by the client; false: drawn for it, or for one of its base maps */
    bool version_given;  /* v, for it and for each of its base maps */
    const char *address; /* canonical, "/regions?v=1&...&seed=7" */
    size_t address_length;
    char id[37]; /* name-based UUID of the address: set by mw_ask or the host, else "" */
    const struct mw_encoder *encoder; /* of the format, and the cost of both: set by mw_ask */
    struct mw_cost cost;
    struct mw_look look;
    mw_given given;
    struct mw_base *bases; /* in order of fields; NULL: none */
};

/*
 * A base map, on which another one is built: a parameter that takes rows, points or indices was
 * given as its address, and is read from the part or column of the field's role once that map is
 * made. Its address is canonical within the outer one; `of` picks labels or rows by their ids:
 *
 *     /regions?v=7&...&mask=/areas?v=2%26...%26seed=4%26of=1,3&seed=7
 *
 * Without a seed it has one from the outer's, so that one seed makes a world. Until it is made, the
 * outer's params have only the length of what is read from it, and are not checked.
 */
struct mw_base {
    struct mw_base *next;
    const struct mw_field *field;
    const char *address; /* as it came, and then canonical, `of` included */
    size_t address_length;
    struct mw_ints of; /* count 0: all */
    struct mw_request request;
    const struct mw_map *map; /* once it is made */
};

/* Most base maps that a map may have, those of its base maps included. */
enum { MW_BASES_MAX = 8 };

/* What gives the value of a field; NULL: the params hold it. */
const struct mw_base *mw_base_of(const struct mw_request *, const struct mw_field *);

/*
 * Binds arguments to the generator's fields: types, ranges, defaults, duplicates, unknown names,
 * all problems at once, those of base maps too. `fresh_seed` serves where none is given (NULL: a
 * missing seed is "0").
 */
bool mw_bind(struct mw_run *, const struct mw_generator *, const struct mw_arg *, size_t count,
             const char *fresh_seed, struct mw_request *);

/* The same from an address: "/regions?v=1&..."; the suffix of a format is ignored. */
bool mw_bind_address(struct mw_run *, const char *address, size_t length, struct mw_request *);

/* Binds a look alone, for a map that is named otherwise. */
bool mw_bind_look(struct mw_run *, const struct mw_arg *, size_t count, struct mw_look *);

/* mw_encode by an encoder: in the look of the map's request, as far as the encoder uses it. */
struct mw_bytes mw_encode_with(struct mw_run *, const struct mw_encoder *, const struct mw_map *);

/*
 * From the params alone: a microsecond as a rule, no memory. Steps counted are at most four times
 * as many and, where a map is made, hardly ever fewer than a tenth; more bytes are hardly ever
 * touched. Searches (puzzles; walks and countries on masked land) may take far longer than is
 * usual: their budget alone bounds them.
 */
struct mw_cost mw_estimate(const struct mw_request *, const struct mw_encoder *);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
