/* check_blob.c: counted bytes, and a cap on those on their way to clients. */
#include "srv/base/blob.h"
#include "unit/unit.h"

enum { KIB = 1024, HEAD = sizeof(struct blob) };

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

static enum fault fault_of_blob(size_t bytes)
{
    struct blob *blob = output_blob(bytes, "text/plain");
    enum fault fault = blob->fault;
    blob_drop(blob);
    return fault;
}

TEST(gives_no_more_room_than_there_is)
{
    size_t limit = blob_loose() + 100 * KIB;
    output_limit(limit);
    struct blob *blob = output_blob(60 * KIB - HEAD, "text/plain");
    ck_assert(!blob->fault && blob->length == 60 * KIB - HEAD);
    ck_assert_int_eq(fault_of_blob(60 * KIB), FAULT_BUSY);
    ck_assert_int_eq(fault_of_blob(39 * KIB), FAULT_NONE);
    ck_assert_uint_eq(output_missing(), 0);
    blob_keep(blob);
    struct blob *other = output_blob(100 * KIB - HEAD, "text/plain");
    ck_assert(!other->fault);
    blob_let_go(blob);
    ck_assert_uint_eq(output_missing(), 60 * KIB);
    blob_drop(other);
    ck_assert_uint_eq(output_missing(), 0);
    blob_drop(blob);
    ck_assert_int_eq(fault_of_blob(limit + 1), FAULT_TOO_BIG);
}
