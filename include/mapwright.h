/*
 * mapwright.h: maps for games, as a pure function.
 *
 * A map is named by an address, which is written as a URL:
 *
 *     /regions?v=1&width=60&height=40&grid=hex&wrap=none&count=8&variation=0&roughness=0.5&seed=7
 *
 * Generator, version, every parameter in the order of its table, then the seed. The same address
 * gives the same bytes on every machine, for ever; a generator whose bytes change raises its
 * version.
 *
 * Fields in, parts out. A generator declares its parameters as rows of `struct mw_field` and its
 * result as rows of `struct mw_part`. Every reader (URL, JSON body, shell), every encoder, the
 * help, the OpenAPI document, the property tests and the fuzzers are driven by those two tables.
 *
 * A run is all that happens to one request, inside one block of memory that the caller provides:
 *
 *     struct mw_run *run = mw_open(&limits);
 *     struct mw_request request;
 *     if (mw_bind(run, mw_find("regions"), args, n, "7", &request)) {
 *         const struct mw_map *map = mw_make(run, &request);
 *         struct mw_bytes text = map ? mw_encode(run, mw_encoder_named("text"), map) : no_bytes;
 *     }
 *     for (const struct mw_problems *p = mw_problems(run); ...)
 *
 * OWNERSHIP. The library owns nothing: no malloc, file, clock, thread, lock or global that changes.
 * All that it returns points into the run's block or into static tables, and lives until the block
 * is opened again. There is nothing to close.
 *
 * THREADS. Any call may be made from any thread, by as many at once as there are blocks: a run
 * serves one thread at a time, and runs in different blocks know nothing of each other. `stop` is
 * called on the thread that the run is on, and must not call back into that run; whoever wants to
 * end a run from elsewhere sets a flag of its own, which `stop` reads. MW_STACK bytes of stack are
 * enough for any call.
 *
 * ERRORS. Every call that can fail returns false or NULL (or `bytes.at == NULL`), and the reasons
 * stand in mw_problems(run). Messages are lower case, without a full stop, and say what would be
 * right.
 */
#ifndef MAPWRIGHT_H
#define MAPWRIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MW_VERSION "0.1.0"

/* All that is declared here is what a shared library shows; nothing else of it can be seen. */
#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

enum { MW_STACK = 64 << 10 };

/* MW_VERSION of the library that is there, not of the header. */
const char *mw_version(void);

/* ---- faults and problems --------------------------------------------------------------------- */

enum mw_fault {
    MW_OK,
    MW_BAD_PARAM,     /* a parameter of the wrong name, type or range */
    MW_OTHER_VERSION, /* `v` names a version that this library does not have */
    MW_NO_RESULT,     /* well-formed, but no map satisfies these parameters together */
    MW_TOO_HARD,      /* the step budget ended first: the same everywhere */
    MW_TOO_BIG,       /* the block of memory is too small for it */
    MW_STOPPED,       /* the caller's `stop` said so */
};

enum { MW_POINTER_MAX = 96, MW_DETAIL_MAX = 320, MW_PROBLEMS_MAX = 64, MW_ELEMENTS_MAX = 10 };

struct mw_problem {
    enum mw_fault fault;
    /* JSON pointer (RFC 6901) of the member at fault, or of an element of its list: /sizes/1; "":
       the whole */
    char pointer[MW_POINTER_MAX];
    char detail[MW_DETAIL_MAX];
};

struct mw_problems {
    size_t count;   /* rows in use */
    size_t dropped; /* further problems, for which there is no room; of one list MW_ELEMENTS_MAX are
                       told */
    struct mw_problem list[MW_PROBLEMS_MAX];
};

/* ---- types of parameters and of results ------------------------------------------------------ */

struct mw_point {
    int32_t x, y; /* x to the right, y down, from 0 */
};
struct mw_ints {
    const int32_t *at;
    int32_t count;
};
struct mw_points {
    const struct mw_point *at;
    int32_t count;
};
/* `count` rows of `width` characters each; row y begins at `at + y * (width + 1)`. */
struct mw_rows {
    const char *at;
    int32_t width, count;
};
struct mw_box {
    int32_t x0, y0, x1, y1; /* inclusive */
};

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
       this role, see struct mw_ground; MW_PLAIN: may not */
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

#define MW_NULL INT32_MIN

/* ---- lattices -------------------------------------------------------------------------------- */

enum mw_tiling { MW_HEX, MW_SQUARE };                 /* index into mw_tilings */
enum mw_wrap { MW_WRAP_NONE, MW_WRAP_X, MW_WRAP_XY }; /* index into mw_wraps */
extern const char *const mw_tilings[];                /* "hex", "square", NULL */
extern const char *const mw_wraps[];                  /* "none", "x", "xy", NULL */

/*
 * Cells are numbered y * width + x. HEX: pointy-top hexagons, odd rows shoved half a cell to the
 * right («odd-r»), six sides; SQUARE: four sides. HEX with MW_WRAP_XY needs an even height.
 */
struct mw_lattice {
    int32_t width, height;
    enum mw_tiling tiling;
    enum mw_wrap wrap;
};

/* ---- a result -------------------------------------------------------------------------------- */

struct mw_cells {
    struct mw_lattice lattice;
    int32_t *at; /* width * height, row by row */
};
struct mw_edge {
    int32_t a, b;
};
struct mw_edges {
    struct mw_edge *at;
    int32_t count;
};
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

struct mw_request;

/* Slot i belongs to row i of request->generator->parts. */
struct mw_map {
    const struct mw_request *request;
    struct mw_slot *slots;
};

/* The grid of that name, "cells" as a rule; NULL: it has none. */
const struct mw_cells *mw_grid(const struct mw_map *, const char *name);

/* ---- generators and encoders ----------------------------------------------------------------- */

struct mw_run;
struct mw_forecast; /* gen.h */
struct mw_cost;

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
       mw_complain(). NULL where there is nothing of the kind. */
    void (*check)(struct mw_run *, void *params, mw_given);
    /* What `make` will take, from checked params. NULL: what is usual for so many cells. */
    void (*forecast)(const void *params, struct mw_forecast *);
    /* Fills `map`. Runs only on checked params. */
    void (*make)(struct mw_run *, const void *params, struct mw_map *map);
};

struct mw_encoder {
    const char *name;   /* "svg": the value of `format`, and the suffix of paths and file names */
    const char *suffix; /* instead, where files of its kind are called otherwise; else NULL */
    const char *media;  /* "image/svg+xml" */
    const char *help;
    unsigned heeds; /* the fields of the look that matter to it: MW_HEEDS(SCALE) | ... */
    bool (*fits)(const struct mw_generator *); /* whether it can draw what the generator makes */
    /* What `encode` will take, its output included. NULL: what is usual. */
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
    bool under;       /* with the map that it stands on */
    int32_t margin;   /* pixels around a picture; -1: as the drawing needs */
    int32_t maps;     /* on a sheet to print; 0: one */
};
enum { MW_THEME_LIGHT, MW_THEME_DARK };
/* By default where it is what was asked for. */
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
    MW_LOOK_MAPS
};
#define MW_HEEDS(row) (1u << MW_LOOK_##row)
extern const struct mw_field mw_look_fields[];

/* A look in which all is as by default that the encoder does not heed: same looks, same bytes. */
struct mw_look mw_heeded(const struct mw_encoder *, struct mw_look);
/* Whether they are the same, apart from the format. */
bool mw_same_look(const struct mw_look *, const struct mw_look *);
/* Writes what of it, apart from the format, is not as by default: `&scale=9&color=true`; the byte
   past the last of at most MW_LOOK_BYTES. */
enum { MW_LOOK_BYTES = 256 };
char *mw_write_look(char *to, const struct mw_look *);

/* ---- a run ----------------------------------------------------------------------------------- */

struct mw_limits {
    void *memory;   /* 64-byte aligned; contents do not matter and are not cleared. Of maps with a
                       million cells half of the time may go into touching it first, page by page:
                       madvise(2) with MADV_HUGEPAGE, or memory that served before */
    size_t size;    /* bytes; all of a run happens inside */
    uint64_t steps; /* most that the host allows; 0: the generator's own budget alone. Less gives
                       the same map or MW_TOO_HARD, never another map */
    /* Asked every 2^20 steps or so, and told the steps counted so far; true ends the run; may be
       NULL. */
    bool (*stop)(void *arg, uint64_t steps);
    void *stop_arg;
};

/* Begins a run at the start of the block, forgetting the one before. NULL: the block is too
   small. */
struct mw_run *mw_open(const struct mw_limits *);

/* What a reader found: one member of a JSON object, one pair of a query, one word of a command
   line. */
enum mw_shape {
    MW_RAW,     /* text whose type only the field knows: from a URL or a shell */
    MW_NIL,     /* JSON null: counts as left out */
    MW_TRUTH,   /* "true" or "false" */
    MW_NUMBER,  /* a JSON number, as text */
    MW_TEXT,    /* a JSON string */
    MW_NUMBERS, /* an array of numbers, as `1,2,3` */
    MW_PAIRS,   /* an array of arrays of two numbers, as `1,2;3,4` */
    MW_STRINGS, /* an array of strings, as `ab/cd`; a `/` of their own is given as MW_SLASH */
    MW_EMPTY,   /* an array of nothing */
    MW_MIXED,   /* an array of a mixture: a letter for each element, MW_KIND_... */
    MW_OTHER,   /* an object: fits no field */
};
enum { MW_SLASH = 1 };
/* What an element of MW_MIXED is: a number, two numbers, a string, or nothing of that. */
enum { MW_KIND_NUMBER = 'n', MW_KIND_PAIR = 'p', MW_KIND_STRING = 's', MW_KIND_OTHER = '?' };

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

/* Reads a JSON object, as it is the body of a request: a member for each parameter. Blank text says
   nothing. A name that comes twice is told by mw_bind. The arguments live in the run, not in the
   text. */
bool mw_read_json(struct mw_run *, const char *text, size_t length, const struct mw_arg **args,
                  size_t *count);

/* A request, bound: everything about a map but its bytes. */
struct mw_request {
    const struct mw_generator *generator;
    void *params;
    const char *seed;    /* NULL for the seedless */
    bool seed_given;     /* by the client, or drawn for it or for a map that it stands on */
    const char *address; /* canonical, "/regions?v=1&...&seed=7" */
    size_t address_length;
    char id[37]; /* name-based UUID of the address: filled in by mw_ask or the host, else "" */
    struct mw_look look;
    mw_given given;
    struct mw_ground *grounds; /* the maps that it stands on, in order of fields; NULL: none */
    const void *expected;      /* of what stands on others: params as far as can be foreseen */
};

/*
 * A map that another one stands on: a parameter that takes rows, points or indices was given as its
 * address, and is read from the part or column of the field's role once that map is made. Its
 * address is canonical within the outer one; `of` picks labels or rows by their ids:
 *
 *     /regions?v=3&...&mask=/areas?v=2%26...%26seed=4%26of=1,3&seed=7
 *
 * Without a seed it has one from the outer's, so that one seed makes a world. Until it is made, the
 * outer's params are not complete, and nobody has checked them.
 */
struct mw_ground {
    struct mw_ground *next;
    const struct mw_field *field;
    const char *address; /* as it came, and then canonical, `of` included */
    size_t address_length;
    struct mw_ints of; /* count 0: all */
    struct mw_request request;
    const struct mw_map *map; /* once it is made */
};

/* A map may stand on so many others, those that they stand on included. */
enum { MW_GROUNDS_MAX = 8 };

/* What gives the value of a field; NULL: the params hold it. */
const struct mw_ground *mw_ground_of(const struct mw_request *, const struct mw_field *);

/*
 * Binds arguments to the generator's fields: types, ranges, defaults, duplicates, unknown names,
 * all problems at once, those of maps that it stands on too. `fresh_seed` serves where none is
 * given (NULL: a missing seed is "0").
 */
bool mw_bind(struct mw_run *, const struct mw_generator *, const struct mw_arg *, size_t count,
             const char *fresh_seed, struct mw_request *);

/* The same from an address: "/regions?v=1&..." (a path suffix such as ".svg" is not one). */
bool mw_bind_address(struct mw_run *, const char *address, size_t length, struct mw_request *);

/* Binds a look alone, for a map that is named otherwise. */
bool mw_bind_look(struct mw_run *, const struct mw_arg *, size_t count, struct mw_look *);

/* Makes the map, those that it stands on first. NULL: see mw_problems. At most once in a run.
   `request` must outlive the map. */
const struct mw_map *mw_make(struct mw_run *, const struct mw_request *);

struct mw_bytes {
    const char *at; /* NULL: see mw_problems */
    size_t length;
};

/* Writes the map down, in the look of its request as far as the encoder heeds that. May be called
   again with other encoders; each result stays valid. */
struct mw_bytes mw_encode(struct mw_run *, const struct mw_encoder *, const struct mw_map *);

const struct mw_problems *mw_problems(const struct mw_run *); /* count 0: all is well */
uint64_t mw_steps(const struct mw_run *);                     /* spent so far */
size_t mw_peak(const struct mw_run *); /* bytes of the block in use at most, so far */

/* ---- cost ------------------------------------------------------------------------------------ */

/* What a request takes, as far as can be known before it is made. */
struct mw_cost {
    uint64_t steps;       /* that mw_make and mw_encode count */
    uint64_t bytes;       /* of the block that are touched: rather too many than too few */
    uint64_t nanoseconds; /* of one core, roughly */
};

/*
 * From the params alone: a microsecond as a rule, no memory. Steps counted are at most four times
 * as many and, where a map is made, hardly ever fewer than a tenth; more bytes are hardly ever
 * touched. Searches (puzzles; walks and countries on masked land) may take far longer than is
 * usual: their budget alone bounds them.
 */
struct mw_cost mw_estimate(const struct mw_request *, const struct mw_encoder *);

/* How far a run is that has counted so many steps of an estimate: from 0, never falling as steps
   rise, never 1. Most runs end between .6 and .95. */
double mw_progress(uint64_t steps, uint64_t estimate);

/* ---- the whole at once ----------------------------------------------------------------------- */

/* What was asked for. */
struct mw_asked {
    const struct mw_request *request; /* for mw_make; with its id */
    const struct mw_encoder *encoder; /* for mw_encode: of `format`, else the suffix, else JSON */
    struct mw_cost cost;
};

/*
 * As the service reads a request: "/regions.svg?width=60&seed=7", and (NULL: none) a JSON object
 * with more parameters. Both end in a zero. `fresh_seed` as for mw_bind. NULL: see mw_problems.
 *
 *     const struct mw_asked *asked = mw_ask(run, "/islands.png?seed=7", NULL, NULL);
 *     const struct mw_map *map = asked ? mw_make(run, asked->request) : NULL;
 *     struct mw_bytes png = map ? mw_encode(run, asked->encoder, map) : no_bytes;
 */
const struct mw_asked *mw_ask(struct mw_run *, const char *address, const char *json,
                              const char *fresh_seed);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
