/*
 * gen.h: all that the author of a generator or an encoder reads.
 *
 * Nothing here returns an error. mw_alloc, mw_tick, mw_fail and the mw_put family do not come back
 * when the run is over: they jump to the one setjmp, in escape.c. That is sound because a run holds
 * no lock, file or malloc; the law that keeps it so: never call mw_* from a libc callback.
 *
 * The laws of determinism: integers for geometry (64-bit products, 128-bit where needed), no libm
 * in results, no qsort (sort.c is stable), nothing that depends on pointers, hashes of them or
 * locale, every loop over client data counted by mw_tick.
 */
#ifndef MAPWRIGHT_GEN_H
#define MAPWRIGHT_GEN_H

#include "mapwright_host.h"

#include <assert.h>
#include <string.h>

/* An invariant whose check costs more than the work itself: checked by `make long` alone. */
#ifdef MW_COSTLY_ASSERTS
#define mw_assert_costly(invariant) assert(invariant)
#else
#define mw_assert_costly(invariant) ((void)0)
#endif

/* Compiled also for wider registers, where the loader can choose; the results are the same. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(MW_ONE_TARGET)
#define MW_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MW_WIDE
#endif

/* Inline even where the compiler would not: it is compiled once for each value of some arguments,
   or has no effect but to prefetch. Not in builds without optimization. */
#ifdef __OPTIMIZE__
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* ---- tables ---------------------------------------------------------------------------------- */

/*
 * Rows of a generator's tables. Each macro's last argument is the help; members of the row that few
 * need may follow it: MW_COLUMN("holes", MW_INTEGER, "Lakes and ponds", .nullable = true).
 */
/* Help and other long texts for people, which the WebAssembly module leaves out: MW_NO_PROSE. Of a
   row of a table the last initializer counts. */
#ifdef MW_NO_PROSE
#define MW_PROSE(text) ""
#define MW_HELP(...) .help = __VA_ARGS__, .help = ""
#else
#define MW_PROSE(text) text
#define MW_HELP(...) .help = __VA_ARGS__
#endif

/* clang-format off */
/* Member f of struct S, which the field sets, checked at compile time to have type T. */
#define MW_FIELD(S, f, T, of_type, ...) \
    {.name = #f, .type = (of_type), __VA_ARGS__, \
     .offset = (uint32_t)(offsetof(S, f) + 0 * sizeof(_Generic(((S *)0)->f, T: 0)))}
#define MW_FIELD_FROM(S, f, T, of_type, low, high, ...) \
    MW_FIELD(S, f, T, of_type, .least = (low), .most = (high), __VA_ARGS__)

/* with .optional = true: 0, which need not be in the range, says that it was left out */
#define MW_INT(S, f, low, high, dflt, ...) \
    MW_FIELD_FROM(S, f, int32_t, MW_INTEGER, low, high, .fallback = (dflt), MW_HELP(__VA_ARGS__))
/* low, high and dflt in thousandths */
#define MW_DEC(S, f, low, high, dflt, ...) \
    MW_FIELD_FROM(S, f, int32_t, MW_DECIMAL, low, high, .fallback = (dflt), MW_HELP(__VA_ARGS__))
#define MW_BOOL(S, f, dflt, ...) \
    MW_FIELD_FROM(S, f, bool, MW_BOOLEAN, 0, 1, .fallback = (dflt), MW_HELP(__VA_ARGS__))
#define MW_CHOICE(S, f, names, dflt, ...) \
    MW_FIELD(S, f, int32_t, MW_ONE_OF, .choices = (names), .fallback = (dflt), MW_HELP(__VA_ARGS__))
/* The fewest and the most of something; dflt: an array of two. */
#define MW_RANGE(S, f, low, high, dflt, ...) \
    MW_FIELD_FROM(S, f, struct mw_ints, MW_INTEGERS, low, high, .least_count = 2, \
                  .most_count = 2, .list_default = {(dflt), 2}, MW_HELP(__VA_ARGS__))
/* A list of integers, left out by default; n to m of them, each from low to high. */
#define MW_LIST(S, f, n, m, low, high, ...) \
    MW_FIELD_FROM(S, f, struct mw_ints, MW_INTEGERS, low, high, .optional = true, \
                  .least_count = (n), .most_count = (m), MW_HELP(__VA_ARGS__))
#define MW_POINT_LIST(S, f, n, m, low, high, ...) \
    MW_FIELD_FROM(S, f, struct mw_points, MW_POINTS, low, high, .optional = true, \
                  .least_count = (n), .most_count = (m), .role = MW_MARK, MW_HELP(__VA_ARGS__))
/* Rows of # for land and . for none, left out by default. */
#define MW_MASK(S, f, side, ...) \
    MW_ROW_LIST(S, f, side, "#.", __VA_ARGS__, .role = MW_LABEL_GRID, .optional = true)
/* Rows of equal length, 1 to `side` each way, of characters of `chars`; where they may be left out,
   .optional = true. */
#define MW_ROW_LIST(S, f, side, chars, ...) \
    MW_FIELD_FROM(S, f, struct mw_rows, MW_ROWS, 1, side, .least_count = 1, \
                  .most_count = (side), .alphabet = (chars), MW_HELP(__VA_ARGS__))

/* .follows = MW_FOLLOWS(ROWS): what it is where it is left out depends on them */
#define MW_FOLLOWS(type) (1u << MW_##type)

#define MW_COLUMN(title, of_type, ...) {.name = (title), .type = (of_type), MW_HELP(__VA_ARGS__)}

#define MW_VALUE_PART(title, of_type, ...) \
    {.name = (title), .kind = MW_VALUE, .type = (of_type), MW_HELP(__VA_ARGS__)}
#define MW_CHOICE_PART(title, names, ...) \
    {.name = (title), .kind = MW_VALUE, .type = MW_ONE_OF, .choices = (names), MW_HELP(__VA_ARGS__)}
#define MW_TABLE_PART(title, its_columns, ...) \
    {.name = (title), .kind = MW_TABLE, .columns = (its_columns), MW_HELP(__VA_ARGS__)}
#define MW_GRID_PART(title, its_role, ...) \
    {.name = (title), .kind = MW_GRID, .role = (its_role), MW_HELP(__VA_ARGS__)}
/* between rows of the table of that name */
#define MW_EDGES_PART(title, table, ...) \
    {.name = (title), .kind = MW_EDGES, .of = (table), MW_HELP(__VA_ARGS__)}

#define MW_END {.type = MW_END_OF_TABLE}
#define MW_END_COLUMNS {.type = MW_END_OF_TABLE}
#define MW_END_PARTS {.kind = MW_NO_PART}
/* clang-format on */

/* ---- the run --------------------------------------------------------------------------------- */

struct mw_run {
    char *bottom, *top; /* output has come up to `bottom`, allocations down to `top` */
    int64_t ticks;      /* steps left before mw_tick has to look */
    char *end;          /* of the block */
    /* Of the map under way: what was there before it does not matter to it. */
    char *floor;     /* `top` when it was begun */
    uint64_t begun;  /* steps until then */
    uint64_t budget; /* steps that the generator may go by, the same everywhere */
    /* run.c's own: */
    char *output;     /* where output began */
    uint64_t most;    /* steps in all: `begun` and `budget`, or what the host allows */
    uint64_t granted; /* steps handed to `ticks` so far */
    size_t peak;
    const char *seed, *generator;
    struct mw_limits limits;
    struct mw_problems problems;
    void *escape; /* jmp_buf of the call under way */
};

/* 64-byte aligned, not cleared: clear only what is read before it is written. */
void *mw_alloc(struct mw_run *, size_t count, size_t size);
void *mw_calloc(struct mw_run *, size_t count, size_t size); /* cleared */
#define MW_NEW(run, T, n) ((T *)mw_alloc((run), (size_t)(n), sizeof(T)))
#define MW_NEW0(run, T, n) ((T *)mw_calloc((run), (size_t)(n), sizeof(T)))
/* A copy of a text, ended by a zero. */
char *mw_copy_text(struct mw_run *, const char *text, size_t length);

/* What is left of an allowance of the generator's own. A search that gives up when memory is short
   uses this, not the block: the same address must end alike in blocks of all sizes, or be too
   big. */
static inline size_t mw_left(const struct mw_run *run, size_t allowance)
{
    size_t used = (size_t)(run->floor - run->top);
    return used < allowance ? allowance - used : 0;
}

/* Scratch: what was allocated since the mark is given back. */
static inline char *mw_mark(const struct mw_run *run) { return run->top; }
static inline void mw_rewind(struct mw_run *run, char *mark)
{
    assert(mark >= run->top && mark <= run->end);
    run->top = mark;
}

/* n steps of work were done, or are about to be. Ends the run when the budget is spent, or the host
   stops. */
void mw_tick_slowly(struct mw_run *);
static inline void mw_tick(struct mw_run *run, uint64_t n)
{
    run->ticks -= (int64_t)n;
    if (run->ticks < 0)
        mw_tick_slowly(run);
}

/* Steps that this map alone has taken; mw_steps includes those of its base maps. */
static inline uint64_t mw_spent(const struct mw_run *run) { return mw_steps(run) - run->begun; }

/* Reports a problem at a JSON pointer and goes on; for `check`. */
void mw_add_problem(struct mw_run *, enum mw_fault, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same of element i of the list at `pointer`: /sizes, 1 is /sizes/1. */
void mw_add_problem_at(struct mw_run *, enum mw_fault, const char *pointer, int32_t i,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Reports it and ends the run; for `make`. NO_RESULT as a rule, with the numbers that show why. */
_Noreturn void mw_fail(struct mw_run *, enum mw_fault, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- what it will take ----------------------------------------------------------------------- */

/*
 * What a map will take and hold, estimated by its generator from the params alone, before it is
 * made. Steps and nanoseconds are those of a usual run; memory is an upper bound, as the host sets
 * it aside. The counts of what the map holds, from which the cost of writing is estimated, should
 * be rather too high than too low.
 */
struct mw_forecast {
    uint64_t steps, nanoseconds; /* of make */
    uint64_t bytes;              /* of memory, at most, while it is made */
    uint64_t kept;               /* and once it is made */
    struct mw_lattice plan;      /* of its grids or board; of a graph, its extent */
    uint64_t cells;              /* of all its grids and boards, with a rim around */
    uint64_t land;               /* cells of one grid that are not 0 */
    uint64_t volume;             /* the sum of their heights, if it has heights */
    uint64_t borders;            /* their sides that face another label */
    uint64_t nodes;              /* of a graph; 0: it is none */
    uint64_t rows;               /* of all its tables */
    uint64_t items;              /* of all lists in them */
    uint64_t edges;
};

/* So much for each of what a map holds. */
struct mw_unit_costs {
    uint64_t base, cell, land, border, row, item, edge;
};
uint64_t mw_sum_unit_costs(const struct mw_forecast *, const struct mw_unit_costs *);
/* Cells of a map with a rim around it, as most keep it. */
static inline uint64_t mw_rimmed(int32_t width, int32_t height)
{
    return ((uint64_t)width + 2) * ((uint64_t)height + 2);
}

/* ---- randomness ------------------------------------------------------------------------------ */

struct mw_rng {
    uint64_t s[4]; /* xoshiro256** */
};

/* The stream of that name: a function of generator, seed and name alone. A new draw in one stream
   moves no other. */
struct mw_rng mw_stream(const struct mw_run *, const char *name);

static inline uint64_t mw_rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline uint64_t mw_next(struct mw_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = mw_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = mw_rotl(s[3], 45);
    return result;
}
/* Uniform in 0 .. n-1, without bias; n > 0. Multiplies and rejects (Lemire). */
static inline uint32_t mw_below(struct mw_rng *rng, uint32_t n)
{
    assert(n > 0);
    uint64_t m = (mw_next(rng) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t floor = -n % n;
        while ((uint32_t)m < floor)
            m = (mw_next(rng) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}
/* Uniform in low .. high, both included. */
static inline int32_t mw_between(struct mw_rng *rng, int32_t low, int32_t high)
{
    assert(low <= high);
    return (int32_t)(low + (int64_t)mw_below(rng, (uint32_t)high - (uint32_t)low + 1));
}
/* True with the chance of `thousandths` / 1000. */
static inline bool mw_chance(struct mw_rng *rng, int32_t thousandths)
{
    return (int32_t)mw_below(rng, 1000) < thousandths;
}
void mw_shuffle(struct mw_rng *, int32_t *items, int32_t count);

/* ---- parts: p and c are the row numbers in the tables of parts and columns ------------------- */

/* The value of a part that is now present. */
union mw_value *mw_set_value(struct mw_map *, int p);
#define MW_SETTER(name, member, T) \
    static inline void name(struct mw_map *map, int p, T value) \
    { \
        mw_set_value(map, p)->member = value; \
    }
MW_SETTER(mw_set_int, integer, int32_t) /* also BOOLEAN, DECIMAL, ONE_OF */
MW_SETTER(mw_set_string, string, const char *)
MW_SETTER(mw_set_ints, integers, struct mw_ints)
MW_SETTER(mw_set_points, points, struct mw_points)
MW_SETTER(mw_set_rows, rows, struct mw_rows)
/* Uncleared cells of the part. */
int32_t *mw_add_grid(struct mw_run *, struct mw_map *, int p, const struct mw_lattice *);
/* A table of that many rows, all of them zeros. */
void mw_add_table(struct mw_run *, struct mw_map *, int p, int32_t rows);
/* The elements of a column, which are `width` bytes each. */
void *mw_column(struct mw_map *, int p, int c, size_t width);
#define MW_COLUMN_GETTER(name, T) \
    static inline T *name(struct mw_map *map, int p, int c) \
    { \
        return mw_column(map, p, c, sizeof(T)); \
    }
MW_COLUMN_GETTER(mw_int_column, int32_t) /* INTEGER, DECIMAL, BOOLEAN */
MW_COLUMN_GETTER(mw_string_column, const char *)
MW_COLUMN_GETTER(mw_point_column, struct mw_point)
MW_COLUMN_GETTER(mw_box_column, struct mw_box)
MW_COLUMN_GETTER(mw_ints_column, struct mw_ints)
MW_COLUMN_GETTER(mw_points_column, struct mw_points)
struct mw_edge *mw_add_edges(struct mw_run *, struct mw_map *, int p, int32_t count);

/* ---- sorting --------------------------------------------------------------------------------- */

/* Stable sort of `keys`, with `items` (which may be NULL) moved alike. n log n; scratch from the
   run. */
void mw_sort(struct mw_run *, uint64_t *keys, int32_t *items, int32_t count);

/* ---- writing: output goes up from the bottom of the block ------------------------------------ */

/* Room for n more bytes; then mw_end_output(run, past the last one written). */
_Noreturn void mw_out_of_room(struct mw_run *, size_t wanted);
static inline char *mw_reserve_output(struct mw_run *run, size_t n)
{
    if ((size_t)(run->top - run->bottom) < n)
        mw_out_of_room(run, n);
    return run->bottom;
}
static inline void mw_end_output(struct mw_run *run, char *past)
{
    assert(past >= run->output && past <= run->top);
    run->bottom = past;
}

static inline void mw_put_char(struct mw_run *run, char c)
{
    *mw_reserve_output(run, 1) = c;
    run->bottom++;
}
void mw_put_bytes(struct mw_run *, const char *, size_t);
void mw_put(struct mw_run *, const char *text);
void mw_put_int(struct mw_run *, int64_t);
/* As printf, of which there are %s %.*s %c %d %u %lld %llu %zu %%. */
void mw_print(struct mw_run *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number of parts of `unit`, a power of ten, in its shortest spelling: 500 of 1000 as 0.5. */
void mw_put_decimal(struct mw_run *, int64_t n, int64_t unit);
static inline void mw_put_thousandths(struct mw_run *run, int32_t n)
{
    mw_put_decimal(run, n, 1000);
}
void mw_put_json_string(struct mw_run *, const char *, size_t);
void mw_put_next(struct mw_run *); /* a comma, unless a list or object of JSON has just begun */
/* Text, with & < > " escaped and without characters that control how it is shown. */
void mw_put_xml(struct mw_run *, const char *);
void mw_put_url(struct mw_run *, const char *, size_t,
                const char *also); /* escapes all but unreserved and `also` */
/* The same at `to`: up to 20 bytes, of 32-bit integers up to 11, of a decimal two more. The byte
   past the last. */
char *mw_write_int(char *to, int64_t value);
char *mw_write_decimal(char *to, int64_t n, int64_t unit);

/* How values are spelled: see value.c. A character that is 0 is not written. */
struct mw_spelling {
    void (*put_count)(struct mw_run *, uint64_t); /* of a list's items, before them; NULL: none */
    void (*put_text)(struct mw_run *, const char *, size_t);
    void (*put_int)(struct mw_run *, int64_t);
    void (*put_thousandths)(struct mw_run *, int32_t);
    char open, close, next, next_point, before_rows, next_row; /* of lists */
    const char *yes, *no, *nothing;
    /* Of formats that have objects: their marks, and what is before them and before a member. */
    char open_object, close_object;
    void (*put_members)(struct mw_run *, uint64_t); /* their number; NULL: none */
    void (*put_key)(struct mw_run *, const char *name);
};
extern const struct mw_spelling mw_as_json, mw_as_url, mw_as_text;
/* A list of so many items begins; between its items comes s->next, and s->close after the last. */
void mw_begin_list(struct mw_run *, const struct mw_spelling *, int32_t count);
static inline void mw_put_mark(struct mw_run *run, char c)
{
    if (c)
        mw_put_char(run, c);
}
/* Element i of an array of values of that type; a single value is element 0. `choices`: of ONE_OF.
   What may be null is MW_NULL in an integer, NULL in a string. */
void mw_put_value(struct mw_run *, const struct mw_spelling *, enum mw_type,
                  const char *const *choices, const void *array, int32_t i);
/* A parameter's value. */
void mw_put_field(struct mw_run *, const struct mw_spelling *, const struct mw_field *,
                  const struct mw_request *);
/* The default of a field that has one. */
void mw_put_default(struct mw_run *, const struct mw_spelling *, const struct mw_field *);
/* The number of a seed that is an integer in its plainest spelling, up to 2^53 - 1; false: it is
   none. */
bool mw_read_seed(const char *seed, int64_t *number);
/* A seed as it came: 7 for 7, "seven" for seven. */
void mw_put_seed(struct mw_run *, const struct mw_spelling *, const char *seed);
/* Whether an optional field has a value. */
bool mw_field_present(const struct mw_field *, const void *params);

#endif
