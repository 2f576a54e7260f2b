/* check_strbuf.c: text that grows. */
#include "srv/base/strbuf.h"
#include "unit/unit.h"

#include <stdio.h>

TEST(grows)
{
    struct strbuf text = {0};
    char expected[9001];
    for (int i = 0; i < 3000; i++) {
        strbuf_format(&text, "%03d", i % 1000);
        snprintf(expected + 3 * i, 4, "%03u", (unsigned)i % 1000);
    }
    strbuf_put(&text, NULL, 0);
    ck_assert(text.length == 9000 && !memcmp(text.at, expected, 9000));
    strbuf_drop(&text, 8000);
    ck_assert(text.length == 1000 && !memcmp(text.at, expected + 8000, 1000));
    strbuf_clear(&text);
    ck_assert(text.at && !text.length);
    strbuf_release(&text);
}

TEST(keeps_failing_until_a_reset)
{
    struct strbuf text = {.failed = true};
    strbuf_add(&text, "def");
    strbuf_format(&text, "%d", 1);
    ck_assert(!text.length && !strbuf_reserve(&text, 1));
    ck_assert_ptr_null(strbuf_blob(&text, "text/plain"));
    strbuf_add(&text, "def");
    struct blob *blob = strbuf_blob(&text, "text/plain");
    ck_assert(blob && blob->length == 3 && !memcmp(blob->bytes, "def", 3));
    ck_assert_str_eq(blob->media, "text/plain");
    blob_drop(blob);
}
