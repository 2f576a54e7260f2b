/* check_put.c: numbers and text, out. */
#include "unit/unit.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static const int64_t integers[] = {
    0,        1,         9,         10,         11,        99,         100,      101,
    999,      1000,      12345,     99999,      100000,    1000000,    9999999,  10000000,
    99999999, 100000000, 999999999, 1000000000, INT32_MAX, UINT32_MAX, INT64_MAX};

static void put_integer(struct mw_run *run, const void *number)
{
    mw_put_int(run, *(const int64_t *)number);
}

TEST(integers_as_printf_writes_them, .end = COUNT(integers))
{
    for (int sign = -1; sign <= 1; sign += 2) {
        int64_t n = sign * integers[_i];
        char expected[32], text[16];
        snprintf(expected, sizeof expected, "%" PRId64, n);
        ck_assert_str_eq(unit_put(put_integer, &n), expected);
        if (n < INT32_MIN || n > INT32_MAX)
            continue;
        *mw_write_int(text, (int32_t)n) = '\0';
        ck_assert_str_eq(text, expected);
    }
}

TEST(the_least_integers)
{
    int64_t least = INT64_MIN;
    char text[16];
    *mw_write_int(text, INT32_MIN) = '\0';
    ck_assert_str_eq(text, "-2147483648");
    ck_assert_str_eq(unit_put(put_integer, &least), "-9223372036854775808");
}

TEST(any_integer_as_printf_writes_it)
{
    struct mw_rng rng = unit_rng(1);
    for (int i = 0; i < 100000; i++) {
        int32_t n = (int32_t)(mw_next(&rng) >> mw_below(&rng, 64));
        char expected[16], text[16];
        snprintf(expected, sizeof expected, "%" PRId32, n);
        *mw_write_int(text, n) = '\0';
        ck_assert_str_eq(text, expected);
    }
}

static const struct {
    int32_t value;
    const char *text;
} thousandths[] = {{0, "0"},
                   {1, "0.001"},
                   {-1, "-0.001"},
                   {10, "0.01"},
                   {100, "0.1"},
                   {500, "0.5"},
                   {-500, "-0.5"},
                   {999, "0.999"},
                   {1000, "1"},
                   {-1000, "-1"},
                   {12000, "12"},
                   {1010, "1.01"},
                   {-12345, "-12.345"},
                   {INT32_MAX, "2147483.647"},
                   {INT32_MIN, "-2147483.648"}};

static void put_thousandths(struct mw_run *run, const void *number)
{
    mw_put_thousandths(run, *(const int32_t *)number);
}

TEST(thousandths_in_their_shortest_spelling, .end = COUNT(thousandths))
{
    ck_assert_str_eq(unit_put(put_thousandths, &thousandths[_i].value), thousandths[_i].text);
}

/* ---- text ------------------------------------------------------------------------------------ */

static const struct {
    const char *text, *json, *xml, *url;
} texts[] = {
    {"", "\"\"", "", ""},
    {"plain-._~09", "\"plain-._~09\"", "plain-._~09", "plain-._~09"},
    {"a\"b\\c/", "\"a\\\"b\\\\c/\"", "a&quot;b\\c/", "a%22b%5Cc%2F"},
    {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"", "", "%08%0C%0A%0D%09"},
    {"\x01\x1f\x7f", "\"\\u0001\\u001F\x7f\"", "", "%01%1F%7F"},
    {"a\xe2\x80\xae\xc2\x85.", "\"a\xe2\x80\xae\xc2\x85.\"", "a.", "a%E2%80%AE%C2%85."},
    {"<&>", "\"<&>\"", "&lt;&amp;&gt;", "%3C%26%3E"},
    {"caf\xc3\xa9", "\"caf\xc3\xa9\"", "caf\xc3\xa9", "caf%C3%A9"},
    {"\xef\xbf\xbd", "\"\xef\xbf\xbd\"", "\xef\xbf\xbd", "%EF%BF%BD"},
    {"\xef\xbf\xbe.\xef\xbf\xbf", "\"\xef\xbf\xbe.\xef\xbf\xbf\"", "?.?", "%EF%BF%BE.%EF%BF%BF"},
    {"\xef\xbc\x81", "\"\xef\xbc\x81\"", "\xef\xbc\x81", "%EF%BC%81"},
    {" +#?&=%,;", "\" +#?&=%,;\"", " +#?&amp;=%,;", "%20%2B%23%3F%26%3D%25%2C%3B"},
};

static void put_json(struct mw_run *run, const void *text)
{
    mw_put_json_string(run, text, strlen(text));
}

static void put_xml(struct mw_run *run, const void *text) { mw_put_xml(run, text); }

static void put_url(struct mw_run *run, const void *text)
{
    mw_put_url(run, text, strlen(text), "");
}

TEST(text_is_quoted, .end = COUNT(texts))
{
    ck_assert_str_eq(unit_put(put_json, texts[_i].text), texts[_i].json);
    ck_assert_str_eq(unit_put(put_xml, texts[_i].text), texts[_i].xml);
    ck_assert_str_eq(unit_put(put_url, texts[_i].text), texts[_i].url);
}

TEST(json_text_is_as_jansson_writes_it, .end = COUNT(texts))
{
    json_t *string = json_string(texts[_i].text);
    char *expected = json_dumps(string, JSON_ENCODE_ANY);
    ck_assert_str_eq(unit_put(put_json, texts[_i].text), expected);
    free(expected);
    json_decref(string);
}

static void put_url_with_slashes(struct mw_run *run, const void *text)
{
    mw_put_url(run, text, strlen(text), "/,");
}

TEST(some_characters_may_stay)
{
    ck_assert_str_eq(unit_put(put_url_with_slashes, "a/b,c#d"), "a/b,c%23d");
}

static void put_zero_byte(struct mw_run *run, const void *nothing)
{
    (void)nothing;
    mw_put_url(run, "\0/", 2, "/");
    mw_put_json_string(run, "a\0b", 3);
}

TEST(a_zero_byte_is_escaped)
{
    ck_assert_str_eq(unit_put(put_zero_byte, NULL), "%00/\"a\\u0000b\"");
}
