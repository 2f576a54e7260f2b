/* check_blob.c: counted bytes. */
#include "srv/base/blob.h"
#include "unit/unit.h"

TEST(counts_references)
{
    struct blob *blob = blob_new("abc", 3, "text/plain");
    ck_assert(blob->length == 3 && !memcmp(blob->bytes, "abc", 3) && !blob->fault && !blob->coding);
    ck_assert_ptr_eq(blob_ref(blob), blob);
    ck_assert_uint_eq(atomic_load(&blob->refs), 2);
    blob_drop(blob);
    ck_assert_uint_eq(atomic_load(&blob->refs), 1);
    ck_assert_uint_ge(blob_weight(blob), 3 + sizeof *blob);
    blob_drop(blob);
    blob_drop(NULL);
}

TEST(holds_problems)
{
    static const struct mw_problem problem = {MW_NO_RESULT, "/width", "is too small"};
    struct blob *blob = blob_of_fault(FAULT_NO_RESULT, &problem, sizeof problem);
    ck_assert_int_eq(blob->fault, FAULT_NO_RESULT);
    const struct mw_problem *list = (const struct mw_problem *)(const void *)blob->bytes;
    ck_assert_str_eq(list->detail, "is too small");
    ck_assert_uint_eq((uintptr_t)list % _Alignof(struct mw_problem), 0);
    blob_drop(blob);
    blob = blob_of_fault(FAULT_BUSY, NULL, 0);
    ck_assert_uint_eq(blob->length, 0);
    blob_drop(blob);
}
