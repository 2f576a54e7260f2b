/*
 * mapwright.h: maps for games, from a program.
 *
 * A map is named by an address, which is written as a URL. The same address gives the same bytes on
 * every machine and in every run:
 *
 *     /regions?v=7&width=60&height=40&grid=hex&wrap=none&count=8&variation=0&roughness=0.5
 *         &names=none&seed=7
 *
 * One block of memory is all that a map needs. A program opens a run in it, asks, and takes a file
 * or numbers from the map:
 *
 *     static _Alignas(64) char memory[16 << 20];
 *     struct mw_limits limits = {.memory = memory, .size = sizeof memory};
 *     struct mw_run *run = mw_open(&limits);
 *     const struct mw_request *request = mw_ask(run, "/islands.png?seed=7", NULL, NULL);
 *     const struct mw_map *map = request ? mw_make(run, request) : NULL;
 *     if (map) {
 *         struct mw_bytes png = mw_encode(run, map, NULL);
 *         struct mw_ints sizes = mw_ints_of(map, "islands", "size");
 *         for (int32_t i = 0; i < sizes.count; i++)
 *             printf("island %d has %d cells\n", i + 1, sizes.at[i]);
 *         fwrite(png.at, 1, png.length, file);
 *     }
 *     const struct mw_problems *problems = mw_problems(run);
 *     for (size_t i = 0; i < problems->count; i++)
 *         printf("%s: %s\n", problems->list[i].pointer, problems->list[i].detail);
 *
 * mapwright_host.h has the rest: the tables of parameters and results, for hosts that read requests
 * themselves and for authors of generators.
 *
 * OWNERSHIP. The library owns nothing: no malloc, file, clock, thread, lock or global that changes.
 * All that it returns points into the run's block or into static tables, and is valid until the
 * block is opened again. There is nothing to close.
 *
 * THREADS. Any call may be made from any thread: a run serves one thread at a time, and runs in
 * different blocks are independent. `stop` is called on the thread of the run and must not call
 * back into it; to end a run from another thread, set a flag that `stop` reads. MW_STACK bytes of
 * stack are enough for any call.
 *
 * ERRORS. Every call that can fail returns false or NULL (or `bytes.at == NULL`), and mw_problems
 * has the reasons. Messages are lower case, without a full stop, and say what would be right.
 */
#ifndef MAPWRIGHT_H
#define MAPWRIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MW_VERSION "1.0.0"

/* A shared library exports what its two headers declare, and nothing else. */
#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

enum { MW_STACK = 64 << 10 };

/* MW_VERSION of the library that is linked, not of the header. */
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
                       listed */
    struct mw_problem list[MW_PROBLEMS_MAX];
};

/* ---- shapes ---------------------------------------------------------------------------------- */

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

/* ---- lattices -------------------------------------------------------------------------------- */

enum mw_tiling { MW_HEX, MW_SQUARE };                 /* index into mw_tilings */
enum mw_wrap { MW_WRAP_NONE, MW_WRAP_X, MW_WRAP_XY }; /* index into mw_wraps */
extern const char *const mw_tilings[];                /* "hex", "square", NULL */
extern const char *const mw_wraps[];                  /* "none", "x", "xy", NULL */

/*
 * Cells are numbered y * width + x. HEX: pointy-top hexagons, odd rows shifted half a cell to the
 * right («odd-r»), six sides; SQUARE: four sides. HEX with MW_WRAP_XY needs an even height.
 */
struct mw_lattice {
    int32_t width, height;
    enum mw_tiling tiling;
    enum mw_wrap wrap;
};

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
/* ---- a run ----------------------------------------------------------------------------------- */

struct mw_run;
struct mw_request;
struct mw_map;

struct mw_limits {
    void *memory;   /* 64-byte aligned; contents do not matter and are not cleared. Of maps with a
                       million cells half of the time may go into touching it first, page by page:
                       madvise(2) with MADV_HUGEPAGE, or memory that served before */
    size_t size;    /* bytes; all of a run happens inside */
    uint64_t steps; /* most that the host allows; 0: the generator's own budget alone. Less gives
                       the same map or MW_TOO_HARD, never another map */
    /* Called about every 2^20 steps with the steps counted so far; true ends the run; may be
       NULL. */
    bool (*stop)(void *arg, uint64_t steps);
    void *stop_arg;
};

/* Begins a run at the start of the block, forgetting the one before. NULL: the block is too
   small. */
struct mw_run *mw_open(const struct mw_limits *);

/*
 * Reads a request as the service does: "/regions.svg?width=60&seed=7" and (NULL: none) a JSON
 * object with more parameters. Both end in a zero. Where no seed is given, `fresh_seed` is the seed
 * (NULL: "0"). NULL: see mw_problems. The format is that of `format`, else of the suffix, else
 * JSON.
 */
const struct mw_request *mw_ask(struct mw_run *, const char *address, const char *json,
                                const char *fresh_seed);

/* The canonical address, and the map's id: the name-based UUID of the address. */
const char *mw_request_address(const struct mw_request *);
const char *mw_request_id(const struct mw_request *);
/* The media type of the format that was asked for: "image/svg+xml". */
const char *mw_request_media(const struct mw_request *);

/* Makes the map, after those that it is built on. NULL: see mw_problems. At most once in a run.
   `request` must outlive the map. */
const struct mw_map *mw_make(struct mw_run *, const struct mw_request *);

struct mw_bytes {
    const char *at; /* NULL: see mw_problems */
    size_t length;
};

/* Writes the map in a format: "json", "svg", "png" ...; NULL: the one that was asked for. May be
   called again with other formats; each result stays valid. */
struct mw_bytes mw_encode(struct mw_run *, const struct mw_map *, const char *format);

const struct mw_problems *mw_problems(const struct mw_run *); /* count 0: all is well */
uint64_t mw_steps(const struct mw_run *);                     /* spent so far */
size_t mw_peak(const struct mw_run *); /* the most bytes of the block in use so far */

/* ---- results by name ------------------------------------------------------------------------- */

/*
 * What a map holds, by the names of its JSON: a `part` is a member of `result`, a `column` a member
 * of its rows, and NULL where the part is a value by itself. Booleans are 0 or 1, decimals are in
 * thousandths, choices are numbers in the order in which openapi.yaml lists them, and MW_NULL
 * stands for null. Where the map has nothing of that name and type the count is 0 and `at` is NULL.
 *
 *     mw_ints_of(map, "regions", "size")             the size of each country
 *     mw_list_of(map, "regions", "neighbors", 2)    the neighbours of the third
 *     mw_points_of(map, "regions", "capital")        the capital of each
 *     mw_track_of(map, "bridges", "cells", 0)        the cells of the first bridge
 *     mw_edges_of(map, "lanes")                      pairs of stars
 *     mw_grid(map, "cells")                          the labels of all cells
 */
#define MW_NULL INT32_MIN
struct mw_ints mw_ints_of(const struct mw_map *, const char *part, const char *column);
struct mw_ints mw_list_of(const struct mw_map *, const char *part, const char *column, int32_t row);
struct mw_points mw_points_of(const struct mw_map *, const char *part, const char *column);
struct mw_points mw_track_of(const struct mw_map *, const char *part, const char *column,
                             int32_t row);
/* The text in a row; NULL: there is none. */
const char *mw_string_of(const struct mw_map *, const char *part, const char *column, int32_t row);
struct mw_rows mw_board_of(const struct mw_map *, const char *part);
struct mw_edges mw_edges_of(const struct mw_map *, const char *part);
/* NULL: it has none. */
const struct mw_cells *mw_grid(const struct mw_map *, const char *part);

/* ---- cost ------------------------------------------------------------------------------------ */

/* What a request takes, as far as can be known before it is made. */
struct mw_cost {
    uint64_t steps;       /* counted by mw_make and mw_encode */
    uint64_t bytes;       /* of the block that are touched: rather too many than too few */
    uint64_t nanoseconds; /* of one core, roughly */
};

/* What making and writing the request takes, computed by mw_ask. */
struct mw_cost mw_request_cost(const struct mw_request *);

/* How far a run is that has counted so many steps of an estimate: from 0, never falling as steps
   rise, never 1. Most runs end between .6 and .95. */
double mw_progress(uint64_t steps, uint64_t estimate);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
