/* check_put.c: numbers and text, out. */
#include "unit/unit.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- numbers --------------------------------------------------------------------------------- */

static void check_int(int64_t n)
{
    char expected[32], text[32];
    snprintf(expected, sizeof expected, "%" PRId64, n);
    *mw_write_int(text, n) = '\0';
    ck_assert_str_eq(text, expected);
}

/* Of all lengths, and about every power of ten. */
TEST(integers_as_printf_writes_them)
{
    struct mw_rng rng = unit_rng(1);
    for (int i = 0; i < 100000; i++)
        check_int((int64_t)(mw_next(&rng) >> mw_below(&rng, 64)));
    for (int64_t n = 1; n < INT64_MAX / 10; n *= 10)
        for (int64_t k = n - 1; k <= n + 1; k++) {
            check_int(k);
            check_int(-k);
        }
    check_int(INT64_MIN);
    check_int(INT64_MAX);
}

static const struct {
    int64_t value, unit;
    const char *text;
} decimals[] = {
    {0, 1000, "0"},
    {1, 1000, "0.001"},
    {-1, 1000, "-0.001"},
    {10, 1000, "0.01"},
    {500, 1000, "0.5"},
    {999, 1000, "0.999"},
    {-1000, 1000, "-1"},
    {12000, 1000, "12"},
    {1010, 1000, "1.01"},
    {INT32_MIN, 1000, "-2147483.648"},
    {7, 1, "7"},
    {-1234500, 1000000, "-1.2345"},
    {INT64_MIN, 1000000, "-9223372036854.775808"},
};

static void put_decimal(struct mw_run *run, const void *row)
{
    mw_put_decimal(run, decimals[*(const int *)row].value, decimals[*(const int *)row].unit);
}

TEST(decimals_in_their_shortest_spelling, .end = COUNT(decimals))
{
    ck_assert_str_eq(unit_put(put_decimal, &_i), decimals[_i].text);
}

/* ---- text ------------------------------------------------------------------------------------ */

static const struct {
    const char *text, *xml, *url;
} texts[] = {
    {"", "", ""},
    {"plain-._~09", "plain-._~09", "plain-._~09"},
    {"a\"b\\c/", "a&quot;b\\c/", "a%22b%5Cc/"},
    {"\b\f\n\r\t", "", "%08%0C%0A%0D%09"},
    {"\x01\x1f\x7f", "", "%01%1F%7F"},
    {"a\xe2\x80\xae\xc2\x85.", "a.", "a%E2%80%AE%C2%85."},
    {"<&>", "&lt;&amp;&gt;", "%3C%26%3E"},
    {"caf\xc3\xa9", "caf\xc3\xa9", "caf%C3%A9"},
    {"\xef\xbf\xbe.\xef\xbf\xbf", "?.?", "%EF%BF%BE.%EF%BF%BF"},
    {" +#?&=%,;", " +#?&amp;=%,;", "%20%2B%23%3F%26%3D%25,%3B"},
};

static void put_json(struct mw_run *run, const void *text)
{
    mw_put_json_string(run, text, strlen(text));
}

static void put_xml(struct mw_run *run, const void *text) { mw_put_xml(run, text); }

static void put_url(struct mw_run *run, const void *text)
{
    mw_put_url(run, text, strlen(text), "/,");
}

/* JSON as jansson writes it. */
TEST(text_is_quoted, .end = COUNT(texts))
{
    json_t *string = json_string(texts[_i].text);
    char *expected = json_dumps(string, JSON_ENCODE_ANY);
    ck_assert_str_eq(unit_put(put_json, texts[_i].text), expected);
    free(expected);
    json_decref(string);
    ck_assert_str_eq(unit_put(put_xml, texts[_i].text), texts[_i].xml);
    ck_assert_str_eq(unit_put(put_url, texts[_i].text), texts[_i].url);
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
