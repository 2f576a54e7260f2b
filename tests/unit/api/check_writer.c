/* check_writer.c: events to YAML and JSON. */
#include "api/writer.h"
#include "unit/unit.h"

static void put(struct writer *w, const char *key, const char *text)
{
    put_text(w, key, text, strlen(text));
}

static void write_strings(struct mw_run *run, const void *syntax)
{
    struct writer w = {.run = run, .syntax = *(const enum openapi_syntax *)syntax};
    put_map(&w, NULL);
    put(&w, "plain", "some words, and (more) {here}");
    put(&w, "empty", "");
    put(&w, "colon", "a: b");
    put(&w, "word", "No");
    put(&w, "digits", "7");
    put(&w, "blank", "end ");
    put(&w, "quote", "say \"a\\b\"");
    put(&w, "lines", "one\n\ntwo\n");
    put(&w, "cut", "one\ntwo");
    put(&w, "odd", "one\n\n");
    put(&w, "tab", "one\ttwo\n");
    put(&w, "404", "/x");
    put_end(&w);
}

TEST(strings_are_quoted_where_they_must_be)
{
    enum openapi_syntax yaml = OPENAPI_YAML, json = OPENAPI_JSON;
    ck_assert_str_eq(unit_put(write_strings, &yaml), "plain: \"some words, and (more) {here}\"\n"
                                                     "empty: \"\"\n"
                                                     "colon: \"a: b\"\n"
                                                     "word: \"No\"\n"
                                                     "digits: \"7\"\n"
                                                     "blank: \"end \"\n"
                                                     "quote: \"say \\\"a\\\\b\\\"\"\n"
                                                     "lines: |2\n  one\n\n  two\n"
                                                     "cut: |2-\n  one\n  two\n"
                                                     "odd: \"one\\n\\n\"\n"
                                                     "tab: \"one\\ttwo\\n\"\n"
                                                     "\"404\": /x");
    ck_assert_str_eq(unit_put(write_strings, &json),
                     "{\"plain\":\"some words, and (more) {here}\",\"empty\":\"\","
                     "\"colon\":\"a: b\",\"word\":\"No\",\"digits\":\"7\",\"blank\":\"end \","
                     "\"quote\":\"say \\\"a\\\\b\\\"\",\"lines\":\"one\\n\\ntwo\\n\","
                     "\"cut\":\"one\\ntwo\",\"odd\":\"one\\n\\n\",\"tab\":\"one\\ttwo\\n\","
                     "\"404\":\"/x\"}");
}

static void write_levels(struct mw_run *run, const void *syntax)
{
    struct writer w = {.run = run, .syntax = *(const enum openapi_syntax *)syntax};
    put_map(&w, NULL);
    put_list(&w, "list");
    put_raw(&w, NULL, "1", 1);
    put_map(&w, NULL);
    put_raw(&w, "a", "true", 4);
    put_map(&w, "b");
    put_end(&w);
    put_end(&w);
    put_list(&w, NULL);
    put(&w, NULL, "x");
    put_end(&w);
    put_end(&w);
    put_list(&w, "none");
    put_end(&w);
    put_end(&w);
}

TEST(maps_and_lists_lie_in_each_other)
{
    enum openapi_syntax yaml = OPENAPI_YAML, json = OPENAPI_JSON;
    ck_assert_str_eq(unit_put(write_levels, &yaml), "list: [1, {a: true, b: {}}, [x]]\nnone: []");
    ck_assert_str_eq(unit_put(write_levels, &json),
                     "{\"list\":[1,{\"a\":true,\"b\":{}},[\"x\"]],\"none\":[]}");
}

#define WORDS "forty characters and not one of them more"

/* Maps and lists that were put on one line, and what is too long for one, or of several itself. */
static void write_lines(struct mw_run *run, const void *syntax)
{
    struct writer w = {.run = run, .syntax = *(const enum openapi_syntax *)syntax};
    put_map(&w, NULL);
    put_list(&w, "list");
    for (int i = 0; i < 4; i++)
        put(&w, NULL, WORDS);
    put_end(&w);
    put_map(&w, "map");
    put(&w, "a", "x, {y}");
    put_map(&w, "b");
    for (int i = 0; i < 9; i++)
        put(&w, (char[]){(char)('a' + i), '\0'}, WORDS);
    put_end(&w);
    put_end(&w);
    put_end(&w);
}

TEST(lines_are_as_long_as_they_may_be)
{
    enum openapi_syntax yaml = OPENAPI_YAML;
    ck_assert_str_eq(unit_put(write_lines, &yaml),
                     "list: [" WORDS ", " WORDS ",\n  " WORDS ", " WORDS "]\n"
                     "map:\n  a: \"x, {y}\"\n  b:\n"
                     "    a: " WORDS "\n    b: " WORDS "\n    c: " WORDS "\n    d: " WORDS "\n"
                     "    e: " WORDS "\n    f: " WORDS "\n    g: " WORDS "\n    h: " WORDS "\n"
                     "    i: " WORDS);
}
