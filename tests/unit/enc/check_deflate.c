/*
 * check_deflate.c: what deflate writes, read back by zlib.
 */
#include "enc/png_file.h"
#include "unit/unit.h"

#include <zlib.h>

enum { MOST = 1 << 20 };

static uint8_t bytes[MOST], back[MOST];

static size_t packed(size_t length, size_t stride)
{
    struct mw_run *run = unit_open();
    size_t before = (size_t)(run->bottom - run->output);
    deflate_rows(run, bytes, length, stride);
    const char *at = run->output + before;
    size_t size = (size_t)(run->bottom - at);
    uLongf n = sizeof back;
    int told = uncompress(back, &n, (const Bytef *)at, size);
    ck_assert_msg(told == Z_OK, "zlib says %d of %zu bytes", told, length);
    ck_assert_uint_eq(n, length);
    ck_assert(!length || !memcmp(back, bytes, length));
    return size;
}

/* Bytes of `kinds` kinds in runs of `most` at most; rows like the one above but for a few. */
static void fill_rows(uint64_t number, size_t length, size_t stride, int32_t kinds, int32_t most)
{
    struct mw_rng rng = unit_rng(number);
    for (size_t i = 0; i < length;) {
        uint8_t byte = (uint8_t)mw_between(&rng, 0, kinds - 1);
        bool above = i >= stride && mw_chance(&rng, 900);
        for (int32_t n = mw_between(&rng, 1, most); n > 0 && i < length; n--, i++)
            bytes[i] = above ? bytes[i - stride] : byte;
    }
}

static const struct {
    size_t length, stride;
    int32_t kinds, most;
} rows[] = {
    {0, 1, 1, 1},          {1, 1, 1, 1},          {2, 7, 256, 1},       {3, 1, 1, 9},
    {257, 50, 1, 9},       {258, 50, 2, 300},     {259, 258, 1, 1000},  {5000, 71, 256, 1},
    {65536, 257, 3, 1},    {MOST, 1001, 256, 1},  {MOST, 1001, 2, 40},  {MOST, 40000, 100, 400},
    {MOST, MOST, 1, 9999}, {300000, 32768, 9, 3}, {99999, 32769, 9, 3}, {80000, 3, 256, 2},
};

TEST(zlib_reads_what_was_packed, .end = COUNT(rows))
{
    fill_rows((uint64_t)_i, rows[_i].length, rows[_i].stride, rows[_i].kinds, rows[_i].most);
    size_t size = packed(rows[_i].length, rows[_i].stride);
    ck_assert_uint_lt(size, rows[_i].length + rows[_i].length / 16 + 120);
}

TEST(flat_rows_cost_next_to_nothing)
{
    memset(bytes, 7, sizeof bytes);
    ck_assert_uint_lt(packed(MOST, 1024), 7000);
    fill_rows(1, 1024, 1024, 256, 4);
    for (size_t i = 1024; i < MOST; i++)
        bytes[i] = bytes[i - 1024];
    ck_assert_uint_lt(packed(MOST, 1024), 16000);
}
