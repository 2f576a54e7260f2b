/* check_coding.c: content codings, read back by the libraries that clients have. */
#include "srv/out/coding.h"
#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

enum { LENGTH = 20000 };

static char bytes[LENGTH], unpacked[LENGTH + 1];

static void fill(void)
{
    struct mw_rng rng = unit_rng(1);
    for (int i = 0; i < LENGTH;)
        i += snprintf(bytes + i, (size_t)(LENGTH - i), "{\"x\":%d,\"y\":%d},",
                      (int)mw_below(&rng, 1000), (int)mw_below(&rng, 1000));
}

static size_t unpack(const struct blob *blob)
{
    if (!strcmp(blob->coding, "zstd"))
        return ZSTD_decompress(unpacked, sizeof unpacked, blob->bytes, blob->length);
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)blob->bytes,
                       .avail_in = (uInt)blob->length,
                       .next_out = (Bytef *)unpacked,
                       .avail_out = sizeof unpacked};
    ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
    ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    inflateEnd(&stream);
    return stream.total_out;
}

TEST(codes, .first = CODING_GZIP, .end = CODING_END)
{
    size_t before = LENGTH;
    fill();
    for (int effort = EFFORT_FAST; effort <= EFFORT_SMALL; effort++) {
        struct blob *blob = coding_apply((enum coding)_i, (enum effort)effort, bytes, LENGTH, "");
        ck_assert_str_eq(blob->coding, coding_names[_i]);
        ck_assert_uint_lt(blob->length, before);
        ck_assert(unpack(blob) == LENGTH && !memcmp(unpacked, bytes, LENGTH));
        before = blob->length;
        blob_drop(blob);
    }
}

static void judge_uncoded(enum coding coding, size_t length, const char *media)
{
    struct blob *blob = coding_apply(coding, EFFORT_FAST, bytes, length, media);
    ck_assert(blob && !blob->coding && blob->length == length);
    ck_assert(!memcmp(blob->bytes, bytes, length));
    blob_drop(blob);
}

TEST(leaves_what_does_not_pay, .first = CODING_GZIP, .end = CODING_END)
{
    enum coding coding = (enum coding)_i;
    struct mw_rng rng = unit_rng(1);
    fill();
    judge_uncoded(CODING_NONE, LENGTH, "text/plain");
    judge_uncoded(coding, 859, "text/plain");
    judge_uncoded(coding, 0, "text/plain");
    judge_uncoded(coding, LENGTH, "image/png");
    for (int i = 0; i < LENGTH; i++)
        bytes[i] = (char)mw_next(&rng);
    judge_uncoded(coding, LENGTH, "text/plain");
}
