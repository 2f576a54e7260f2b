/*
 * json.c: the whole answer as JSON, written directly to the output.
 *
 * Most bytes are in grids. The text of small numbers is prepared in eight bytes each, so that a
 * cell costs a look-up, one store that the next one overlaps, and an addition, without a branch.
 */
#include "answer.h"
#include "enc/find.h"
#include "kit/integer.h"

/* Bytes of the longest int32_t and its comma; the most numbers that are prepared. */
enum { NUMBER = 12, NUMERALS = 1 << 17 };

/* The text of a number with its comma, and its length in the last byte. */
struct numeral {
    char text[8];
};

/* Labels are seldom more than cells. */
static uint32_t most_numerals(const struct mw_lattice *lattice)
{
    return (uint32_t)mw_min(lattice->width * lattice->height + 2, NUMERALS);
}

/* Those of -1, 0, 1 and so on up to the greatest cell, and some more; returns that of 0. NULL: they
   are too many, or a cell is below -1. */
static const struct numeral *prepare(struct mw_run *run, const struct mw_cells *cells)
{
    const int32_t count = cells->lattice.width * cells->lattice.height;
    uint32_t bits = 0; /* of all cells: an upper bound of the greatest + 1 */
    for (int32_t i = 0; i < count; i++)
        bits |= (uint32_t)cells->at[i] + 1;
    if (bits >= most_numerals(&cells->lattice))
        return NULL;
    struct numeral *numerals = MW_NEW(run, struct numeral, bits + 1);
    for (uint32_t n = 0; n <= bits; n++) {
        char text[NUMBER] = "", *past = mw_write_int(text, (int32_t)n - 1);
        *past++ = ',';
        assert((size_t)(past - text) < sizeof numerals->text);
        memcpy(numerals[n].text, text, sizeof numerals->text);
        numerals[n].text[7] = (char)(past - text);
    }
    return numerals + 1;
}

static inline char *write_one(char *to, int32_t value, const struct numeral *zero)
{
    struct numeral numeral = zero[value];
    memcpy(to, numeral.text, sizeof numeral.text);
    return to + numeral.text[7];
}

/* At a nanosecond a cell, memory is the bottleneck: both ends are prefetched. */
static char *write_prepared(char *to, const int32_t *cells, int32_t width,
                            const struct numeral *zero)
{
    int32_t x = 0;
    for (; x + 8 <= width; x += 8) {
        __builtin_prefetch((const void *)((uintptr_t)(cells + x) + 8192));
        __builtin_prefetch((const void *)((uintptr_t)to + 1024), 1);
        for (int i = 0; i < 8; i++)
            to = write_one(to, cells[x + i], zero);
    }
    for (; x < width; x++)
        to = write_one(to, cells[x], zero);
    return to;
}

static char *write_any(char *to, const int32_t *cells, int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        to = mw_write_int(to, cells[x]);
        *to++ = ',';
    }
    return to;
}

static void put_grid(struct mw_run *run, const struct mw_cells *cells, enum mw_role role)
{
    (void)role;
    const int32_t width = cells->lattice.width;
    char *mark = mw_mark(run);
    const struct numeral *zero = prepare(run, cells);
    assert(width > 0);
    mw_put_char(run, '[');
    for (int32_t y = 0; y < cells->lattice.height; y++) {
        const int32_t *row = cells->at + (int64_t)y * width;
        char *to = mw_reserve_output(run, (size_t)width * NUMBER + sizeof(struct numeral));
        if (y)
            *to++ = ',';
        *to++ = '[';
        to = zero ? write_prepared(to, row, width, zero) : write_any(to, row, width);
        to[-1] = ']'; /* in place of the last comma */
        mw_end_output(run, to);
    }
    mw_put_char(run, ']');
    mw_rewind(run, mark);
}

static void encode(struct mw_run *run, const struct mw_map *map)
{
    answer_put(run, &mw_as_json, put_grid, map);
    mw_put_char(run, '\n');
}

/* ---- cost ------------------------------------------------------------------------------------ */

/* Labels with commas; points and ids; the numerals; the parameters. */
static struct mw_cost forecast(const struct mw_request *request, const struct mw_forecast *f)
{
    char digits[24];
    uint64_t wide = 2 + (uint64_t)(mw_write_int(digits, (int64_t)f->rows) - digits);
    uint64_t prepared = f->cells ? most_numerals(&f->plan) * sizeof(struct numeral) : 0;
    const struct mw_unit_costs bytes = {4096 + prepared, wide, 0, 0, 130, 13, 16},
                               nanoseconds = {12000, 1, 0, 0, 130, 14, 5};
    return (struct mw_cost){.bytes = mw_sum_unit_costs(f, &bytes) + 2 * request->address_length,
                            .nanoseconds = mw_sum_unit_costs(f, &nanoseconds)};
}

const struct mw_encoder mw_json = {.name = "json",
                                   .media = "application/json",
                                   .help = MW_PROSE("everything, for programs"),
                                   .fits = find_any,
                                   .forecast = forecast,
                                   .encode = encode};
