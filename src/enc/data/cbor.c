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
enum { DOUBLE = 0xfb };
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

/* ---- grids ----------------------------------------------------------------------------------- */

/* The kind of a typed array that all cells fit into, of 2^least bytes each at least. */
static int kind_of(struct mw_run *run, const struct mw_cells *cells, int64_t count, int least)
{
    int32_t low = 0, high = 0;
    for (int64_t i = 0; i < count; i++) {
        low = mw_min(low, cells->at[i]);
        high = mw_max(high, cells->at[i]);
    }
    mw_tick(run, (uint64_t)count);
    int64_t most = low < 0 ? mw_max64(high, -1 - (int64_t)low) : high / 2;
    int size = mw_max(most <= INT8_MAX ? 0 : most <= INT16_MAX ? 1 : 2, least);
    return size + (low < 0 ? SIGNED : 0) + (size ? LITTLE : 0);
}

static void put_grid(struct mw_run *run, const struct mw_cells *cells, enum mw_role role)
{
    int64_t count = (int64_t)cells->lattice.width * cells->lattice.height;
    int kind = kind_of(run, cells, count, role == MW_LABEL_GRID), size = kind & ~(LITTLE | SIGNED);
    size_t bytes = (size_t)count << size;
    assert(size >= 0 && size <= 2);
    put_head(run, TAG, (uint64_t)(TYPED + kind));
    put_head(run, BYTES, bytes);
    char *to = mw_reserve_output(run, bytes);
    for (int64_t i = 0; i < count; i++)
        to = bytes_write_little(to, (uint32_t)cells->at[i], 1 << size);
    mw_end_output(run, to);
}

/* ---- the answer ------------------------------------------------------------------------------ */

static void put_count(struct mw_run *run, uint64_t count) { put_head(run, ARRAY, count); }
static void put_members(struct mw_run *run, uint64_t count) { put_head(run, MAP, count); }
static void put_key(struct mw_run *run, const char *name) { put_text(run, name, strlen(name)); }

/* Lengths come first, so nothing separates or ends items. */
static void encode(struct mw_run *run, const struct mw_map *map)
{
    static const struct mw_spelling spelling = {.put_count = put_count,
                                                .put_text = put_text,
                                                .put_int = put_integer,
                                                .put_thousandths = put_thousandths,
                                                .yes = "\xf5",
                                                .no = "\xf4",
                                                .nothing = "\xf6",
                                                .put_members = put_members,
                                                .put_key = put_key};
    answer_put(run, &spelling, put_grid, map);
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
