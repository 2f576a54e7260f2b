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

START_TEST(strings_are_quoted_where_they_must_be)
{
    enum openapi_syntax yaml = OPENAPI_YAML, json = OPENAPI_JSON;
    ck_assert_str_eq(unit_put(write_strings, &yaml), "plain: some words, and (more) {here}\n"
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
END_TEST

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

START_TEST(maps_and_lists_lie_in_each_other)
{
    enum openapi_syntax yaml = OPENAPI_YAML, json = OPENAPI_JSON;
    ck_assert_str_eq(unit_put(write_levels, &yaml),
                     "list:\n  - 1\n  - a: true\n    b: {}\n  - - x\nnone: []");
    ck_assert_str_eq(unit_put(write_levels, &json),
                     "{\"list\":[1,{\"a\":true,\"b\":{}},[\"x\"]],\"none\":[]}");
}
END_TEST

static const struct {
    const char *json, *yaml;
} values[] = {
    {"1", "a: 1"},
    {"[1,{\"b\":2}]", "a: [1,{\"b\":2}]"},
    {"{}", "a: {}"},
    {"{\"b\":{\"c\":[1,2],\"d\":\"x,\\\"}\"},\"e\":null}",
     "a:\n  b:\n    c: [1,2]\n    d: \"x,\\\"}\"\n  e: null"},
};

static void write_json(struct mw_run *run, const void *json)
{
    struct writer w = {.run = run, .syntax = OPENAPI_YAML};
    put_map(&w, NULL);
    put_json(&w, "a", json, strlen(json));
    put_end(&w);
}

START_TEST(objects_of_json_become_maps)
{
    ck_assert_str_eq(unit_put(write_json, values[_i].json), values[_i].yaml);
}
END_TEST

/* Deeper than there are levels, an object stays as it is written. */
START_TEST(no_object_is_too_deep)
{
    char json[512] = "";
    for (int i = 0; i < WRITER_DEPTH + 4; i++)
        strcat(json, "{\"a\":");
    strcat(json, "1");
    for (int i = 0; i < WRITER_DEPTH + 4; i++)
        strcat(json, "}");
    const char *yaml = unit_put(write_json, json);
    ck_assert_ptr_nonnull(strstr(yaml, "a: {\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}"));
}
END_TEST

Suite *suite_writer(void)
{
    Suite *suite = suite_create("writer");
    TCase *all = tcase_create("all");
    tcase_add_test(all, strings_are_quoted_where_they_must_be);
    tcase_add_test(all, maps_and_lists_lie_in_each_other);
    tcase_add_loop_test(all, objects_of_json_become_maps, 0, COUNT(values));
    tcase_add_test(all, no_object_is_too_deep);
    suite_add_tcase(suite, all);
    return suite;
}
