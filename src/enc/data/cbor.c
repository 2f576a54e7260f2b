/*
 * cbor.c: the whole answer in binary, as CBOR (RFC 8949): the same members as in JSON, in the same
 * order, but a grid is one typed array (RFC 8746) of all its cells, row by row.
 *
 * An item begins with a byte: its kind in the upper three bits, and in the lower five a number up
 * to 23, or the size of the number that follows, highest byte first. Lengths come first, so no item
 * is of indefinite length. Cells are little-endian, so that a program in JavaScript gets an
 * Int16Array or a Uint16Array at once: labels have two bytes each, heights one, greater ones more,
 * and they are signed where there are ways. Integers have their shortest form; thousandths that are
 * no whole number are the nearest doubles.
 */
#include "answer.h"
#include "enc/bytes.h"
#include "enc/find.h"
#include "kit/integer.h"
#include "lib/number.h"

#include <float.h>

enum kind {
    UNSIGNED = 0 << 5,
    NEGATIVE = 1 << 5,
    BYTES = 2 << 5,
    TEXT = 3 << 5,
    ARRAY = 4 << 5,
    MAP = 5 << 5,
    TAG = 6 << 5,
};
enum { FALSE = 0xf4, TRUE = 0xf5, NOTHING = 0xf6, DOUBLE = 0xfb };
/* Tags of typed arrays: 64 + kind, and 2^kind bytes a number; other bits are: */
enum { TYPED = 64, LITTLE = 4, SIGNED = 8 };

/* ---- items ----------------------------------------------------------------------------------- */

static void put_head(struct mw_run *run, enum kind kind, uint64_t n)
{
    char *to = mw_reserve_output(run, 9);
    int size = n < 24 ? -1 : n <= UINT8_MAX ? 0 : n <= UINT16_MAX ? 1 : n <= UINT32_MAX ? 2 : 3;
    assert(size <= 3); /* eight bytes */
    *to++ = (char)((int)kind + (size < 0 ? (int)n : 24 + size));
    mw_end_output(run, size < 0 ? to : bytes_write_big(to, n, 1 << size));
}

static void put_integer(struct mw_run *run, int64_t n)
{
    put_head(run, n < 0 ? NEGATIVE : UNSIGNED, (uint64_t)(n < 0 ? -1 - n : n));
}

static void put_text(struct mw_run *run, const char *text, size_t length)
{
    put_head(run, TEXT, length);
    mw_put_bytes(run, text, length);
}

static void put_word(struct mw_run *run, const char *word)
{
    if (word)
        put_text(run, word, strlen(word));
    else
        mw_put_char(run, (char)NOTHING);
}

static void put_thousandths(struct mw_run *run, int32_t n)
{
    if (n % 1000 == 0) {
        put_integer(run, n / 1000);
        return;
    }
    const double nearest = n / 1000.0;
    uint64_t bits;
    static_assert(sizeof bits == sizeof nearest && DBL_MANT_DIG == 53, "doubles are of IEEE 754");
    memcpy(&bits, &nearest, sizeof bits);
    char *to = mw_reserve_output(run, 9);
    *to++ = (char)DOUBLE;
    mw_end_output(run, bytes_write_big(to, bits, 8));
}

static void put_integers(struct mw_run *run, const int32_t *at, int32_t count)
{
    put_head(run, ARRAY, (uint64_t)count);
    for (int32_t i = 0; i < count; i++)
        put_integer(run, at[i]);
}

static void put_points(struct mw_run *run, struct mw_points points)
{
    put_head(run, ARRAY, (uint64_t)points.count);
    for (int32_t i = 0; i < points.count; i++)
        put_integers(run, &points.at[i].x, 2);
}

static void put_rows(struct mw_run *run, struct mw_rows rows)
{
    put_head(run, ARRAY, (uint64_t)rows.count);
    for (int32_t y = 0; y < rows.count; y++)
        put_text(run, rows.at + (int64_t)y * (rows.width + 1), (size_t)rows.width);
}

/* ---- values of every type -------------------------------------------------------------------- */

static void put_number(struct mw_run *run, enum mw_type type, const char *const *choices,
                       int32_t value)
{
    if (value == MW_NULL)
        mw_put_char(run, (char)NOTHING);
    else if (type == MW_BOOLEAN)
        mw_put_char(run, (char)(value ? TRUE : FALSE));
    else if (type == MW_DECIMAL)
        put_thousandths(run, value);
    else if (type == MW_ONE_OF)
        put_word(run, choices[value]);
    else
        put_integer(run, value);
}

/* Element i of an array of values of that type. */
static void put_value(struct mw_run *run, enum mw_type type, const char *const *choices,
                      const void *array, int32_t i)
{
    switch (type) {
    case MW_STRING: put_word(run, ((const char *const *)array)[i]); break;
    case MW_INTEGERS: {
        struct mw_ints ints = ((const struct mw_ints *)array)[i];
        put_integers(run, ints.at, ints.count);
        break;
    }
    case MW_POINT: put_integers(run, &((const struct mw_point *)array)[i].x, 2); break;
    case MW_POINTS: put_points(run, ((const struct mw_points *)array)[i]); break;
    case MW_BOX: put_integers(run, &((const struct mw_box *)array)[i].x0, 4); break;
    case MW_ROWS: put_rows(run, ((const struct mw_rows *)array)[i]); break;
    case MW_INTEGER:
    case MW_DECIMAL:
    case MW_BOOLEAN:
    case MW_ONE_OF: put_number(run, type, choices, ((const int32_t *)array)[i]); break;
    case MW_END_OF_TABLE: assert(!"a value has a type");
    }
}

/* ---- grids ----------------------------------------------------------------------------------- */

/* Cells of 2^size bytes each. */
struct cell_type {
    int size;
    bool is_signed;
};

static struct cell_type type_of(struct mw_run *run, const struct mw_cells *cells, int64_t count,
                                int least)
{
    int32_t low = 0, high = 0;
    for (int64_t i = 0; i < count; i++) {
        low = mw_min(low, cells->at[i]);
        high = mw_max(high, cells->at[i]);
    }
    mw_tick(run, (uint64_t)count);
    int64_t most = low < 0 ? mw_max64(high, -1 - (int64_t)low) : high / 2;
    int size = most <= INT8_MAX ? 0 : most <= INT16_MAX ? 1 : 2;
    return (struct cell_type){size > least ? size : least, low < 0};
}

static void put_grid(struct mw_run *run, const struct mw_cells *cells, enum mw_role role)
{
    int64_t count = (int64_t)cells->lattice.width * cells->lattice.height;
    struct cell_type type = type_of(run, cells, count, role == MW_LABEL_GRID);
    int kind = type.size + (type.is_signed ? SIGNED : 0) + (type.size ? LITTLE : 0);
    size_t bytes = (size_t)count << type.size;
    assert(type.size >= 0 && type.size <= 2);
    put_head(run, TAG, (uint64_t)(TYPED + kind));
    put_head(run, BYTES, bytes);
    char *to = mw_reserve_output(run, bytes);
    for (int64_t i = 0; i < count; i++)
        to = bytes_write_little(to, (uint32_t)cells->at[i], 1 << type.size);
    mw_end_output(run, to);
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void begin(struct mw_run *run, enum answer_kind kind, uint64_t count)
{
    put_head(run, kind == ANSWER_LIST ? ARRAY : MAP, count);
}

/* Lengths come first, so nothing separates or ends items. */
static void end(struct mw_run *run, enum answer_kind kind) { (void)run, (void)kind; }
static void before_item(struct mw_run *run) { (void)run; }

static void put_seed(struct mw_run *run, const char *seed)
{
    int64_t number;
    bool exact;
    if (mw_seed_is_number(seed) && mw_read_number(seed, strlen(seed), 0, &number, &exact))
        put_integer(run, number);
    else
        put_word(run, seed);
}

static void put_parameter(struct mw_run *run, const struct mw_field *field,
                          const struct mw_request *request)
{
    const void *at = (const char *)request->params + field->offset;
    const struct mw_base *ground = mw_base_of(request, field);
    if (ground)
        put_text(run, ground->address, ground->address_length);
    else if (!mw_field_present(field, request->params))
        mw_put_char(run, (char)NOTHING);
    else if (field->type == MW_BOOLEAN) /* where columns have an int32_t */
        put_number(run, MW_BOOLEAN, NULL, *(const bool *)at);
    else
        put_value(run, field->type, field->choices, at, 0);
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    static const struct answer_format cbor = {.begin = begin,
                                              .end = end,
                                              .put_key = put_word,
                                              .before_item = before_item,
                                              .put_text = put_text,
                                              .put_seed = put_seed,
                                              .put_value = put_value,
                                              .put_grid = put_grid,
                                              .put_parameter = put_parameter};
    answer_put(run, &cbor, map);
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* Two bytes a cell usually, four at most; each row repeats the names. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    uint64_t wide = f->rows > INT16_MAX ? 4 : 2;
    const struct mw_unit_costs bytes = {4096, wide, 0, 0, 120, 11, 11},
                               steps = {0, 1, 0, 0, 0, 0, 0},
                               nanoseconds = {9000, 1, 0, 0, 100, 10, 10};
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes) + 2 * request->address_length,
                            .steps = mw_sum_unit_costs(f, &steps),
                            .nanoseconds = mw_sum_unit_costs(f, &nanoseconds)};
}

const struct mw_encoder mw_cbor = {.name = "cbor",
                                   .media = "application/cbor",
                                   .help = MW_PROSE("everything, in binary, grids as typed arrays"),
                                   .fits = find_any,
                                   .forecast = forecast,
                                   .encode = encode};
