/* check_strbuf.c: text that grows. */
#include "srv/base/strbuf.h"
#include "unit/unit.h"

#include <stdio.h>

TEST(grows)
{
    struct strbuf text = {0};
    char expected[9001];
    for (int i = 0; i < 2999; i++) {
        strbuf_format(&text, "%03d", i % 1000);
        snprintf(expected + 3 * i, 4, "%03u", (unsigned)i % 1000);
    }
    strbuf_char(&text, 'x');
    strbuf_add(&text, "yz");
    strbuf_put(&text, NULL, 0);
    memcpy(expected + 3 * 2999, "xyz", 3);
    ck_assert_uint_eq(text.length, 9000);
    ck_assert(text.room >= text.length && !text.failed);
    ck_assert(!memcmp(text.at, expected, 9000));
    strbuf_release(&text);
    ck_assert(!text.at && !text.length && !text.room);
}

TEST(keeps_room)
{
    struct strbuf text = {0};
    strbuf_reserve(&text, 1000);
    const char *at = text.at;
    strbuf_add(&text, "abc");
    strbuf_reset(&text, 4096);
    ck_assert(text.at == at && !text.length);
    strbuf_reset(&text, 10);
    ck_assert_ptr_null(text.at);
}

TEST(keeps_failing_until_a_reset)
{
    struct strbuf text = {0};
    strbuf_add(&text, "abc");
    text.failed = true;
    strbuf_add(&text, "def");
    strbuf_format(&text, "%d", 1);
    ck_assert_uint_eq(text.length, 3);
    ck_assert(!strbuf_reserve(&text, 1));
    ck_assert_ptr_null(strbuf_blob(&text, "text/plain"));
    ck_assert_ptr_null(text.at);
    strbuf_add(&text, "def");
    struct blob *blob = strbuf_blob(&text, "text/plain");
    ck_assert(blob && blob->length == 3 && !memcmp(blob->bytes, "def", 3));
    ck_assert_str_eq(blob->media, "text/plain");
    blob_drop(blob);
}
