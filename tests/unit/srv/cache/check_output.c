/* check_output.c: a cap on the bytes of answers on their way to clients. */
#include "srv/base/blob.h"
#include "srv/cache/output.h"
#include "unit/unit.h"

enum { KIB = 1024 };

TEST(counts_what_nobody_keeps)
{
    size_t before = blob_loose();
    struct blob *blob = blob_new("abc", 3, "text/plain");
    ck_assert_uint_eq(blob_loose(), before + blob_weight(blob));
    blob_keep(blob);
    ck_assert_uint_eq(blob_loose(), before);
    blob_drop(blob_ref(blob));
    ck_assert_uint_eq(blob_loose(), before);
    blob_let_go(blob);
    ck_assert_uint_eq(blob_loose(), before + blob_weight(blob));
    blob_drop(blob);
    ck_assert_uint_eq(blob_loose(), before);
    blob = blob_new("abc", 3, "text/plain");
    blob_keep(blob);
    blob_drop(blob);
    ck_assert_uint_eq(blob_loose(), before);
}

TEST(promises_no_more_than_there_is)
{
    size_t limit = blob_loose() + 100 * KIB;
    struct output *output = output_new(limit);
    ck_assert_int_eq(output_make_room(output, 60 * KIB), ROOM_THERE);
    ck_assert_int_eq(output_make_room(output, 60 * KIB), ROOM_NONE);
    ck_assert(!output_has_room(output, 60 * KIB));
    ck_assert_int_eq(output_make_room(output, 40 * KIB), ROOM_THERE);
    output_made(output, 60 * KIB);
    struct blob *blob = blob_reserve(60 * KIB - sizeof *blob, "text/plain");
    ck_assert_int_eq(output_make_room(output, KIB), ROOM_NONE);
    ck_assert_uint_eq(output_missing(output), 0);
    blob_keep(blob);
    ck_assert_int_eq(output_make_room(output, 60 * KIB), ROOM_THERE);
    blob_let_go(blob);
    ck_assert_uint_eq(output_missing(output), 60 * KIB);
    blob_drop(blob);
    ck_assert_uint_eq(output_missing(output), 0);
    output_made(output, 100 * KIB);
    ck_assert_int_eq(output_make_room(output, limit + 1), ROOM_NEVER);
    output_drop(output);
}
