/* check_etag.c: entity tags. */
#include "srv/out/etag.h"
#include "unit/unit.h"

TEST(follows_from_the_bytes)
{
    struct etag a = etag_of("abc", 3), b = etag_of("abd", 3), again = etag_of("abcd", 3);
    ck_assert_str_eq(a.text, again.text);
    ck_assert_str_ne(a.text, b.text);
    ck_assert_uint_eq(strlen(a.text), 38);
}
