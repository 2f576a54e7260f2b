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

/* What cannot be had is not begun: `failed` stays until a reset. */
TEST(says_that_it_failed)
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

#define BAD "\xef\xbf\xbd"

static const struct {
    const char *text, *json;
} strings[] = {
    {"", "\"\""},
    {"plain", "\"plain\""},
    {"\"\\/", "\"\\\"\\\\/\""},
    {"\n\x01\x1f\x7f", "\"\\u000a\\u0001\\u001f\x7f\""},
    {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82", "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82\""},
    {"\xe0\xa0\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf", "\"\xe0\xa0\x80\xed\x9f\xbf\xf4\x8f\xbf\xbf\""},
    {"\xff", "\"" BAD "\""},
    {"\x80", "\"" BAD "\""},
    {"\xc3", "\"" BAD "\""},
    {"\xc3x", "\"" BAD "x\""},
    {"\xc0\x80", "\"" BAD BAD "\""},
    {"\xe0\x80\x80", "\"" BAD BAD BAD "\""},
    {"\xed\xa0\x80", "\"" BAD BAD BAD "\""},
    {"\xe2\x82", "\"" BAD BAD "\""},
    {"\xe2\x82x", "\"" BAD BAD "x\""},
    {"\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\""},
    {"\xf0\x9f\x99", "\"" BAD BAD BAD "\""},
};

TEST(writes_json_strings, .end = COUNT(strings))
{
    struct strbuf text = {0};
    strbuf_json(&text, strings[_i].text, strlen(strings[_i].text));
    ck_assert_msg(text.length == strlen(strings[_i].json) &&
                      !memcmp(text.at, strings[_i].json, text.length),
                  "«%.*s» instead of «%s»", (int)text.length, text.at, strings[_i].json);
    strbuf_release(&text);
}
