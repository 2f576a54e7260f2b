/* check_template.c: what a template plays, row by row; and what it refuses. */
#include "api/template.h"
#include "lib/run.h"
#include "unit/unit.h"

/* The scope is the member of a set, a text. */
static bool each(struct player *p, const void *scope, const char *set, const char *rest,
                 struct lines lines)
{
    (void)scope;
    if (strcmp(set, "letter"))
        return false;
    for (const char *c = rest; *c; c++) {
        char letter[] = {*c, '\0'};
        if (*c != ' ')
            template_play_lines(p, letter, lines);
    }
    return true;
}

static bool holds(const void *scope, const char *condition, bool *result)
{
    *result = !strcmp(scope, "b");
    return !strcmp(condition, "second");
}

static const char *text(const void *scope, const char *hole)
{
    return !strcmp(hole, "letter")  ? scope
           : !strcmp(hole, "path")  ? "two/small_words2go"
           : !strcmp(hole, "seven") ? "7"
                                    : NULL;
}

static bool put(struct writer *w, const char *key, const void *scope, const char *value)
{
    (void)scope;
    if (!strcmp(value, "nothing"))
        return true;
    put_raw(w, key, "99", 2);
    return !strcmp(value, "number");
}

static void play(struct mw_run *run, void *lines)
{
    static const struct vocabulary words = {each, holds, text, put};
    struct writer writer = {.run = run, .syntax = OPENAPI_JSON};
    template_play(&writer, lines, strlen(lines), &words, "s");
}

static void play_text(struct mw_run *run, const void *lines) { play(run, (char *)lines); }

#define ROOT "root:\n"

static const struct {
    const char *lines, *json;
} rows[] = {
    /* scalars */
    {ROOT "  a: some words", "{\"a\":\"some words\"}"},
    {ROOT "  a: 12\n  b: -0.5\n  c: true\n  d: null\n  e: false",
     "{\"a\":12,\"b\":-0.5,\"c\":true,\"d\":null,\"e\":false}"},
    {ROOT "  a: \"12\"\n  b: \"x\\n\\\"y\\\\\"\n  \"200\": z",
     "{\"a\":\"12\",\"b\":\"x\\n\\\"y\\\\\",\"200\":\"z\"}"},
    {ROOT "  a: http://x: y", "{\"a\":\"http://x: y\"}"},
    {ROOT "  a: >-\n    one\n    two\n\n\n    three\n  b: c",
     "{\"a\":\"one two\\n\\nthree\",\"b\":\"c\"}"},
    {ROOT "  a: []\n  b: [{\"c\": 1}]", "{\"a\":[],\"b\":[{\"c\": 1}]}"},
    /* levels */
    {ROOT "  a:\n    b:\n      c: d\n  e: f", "{\"a\":{\"b\":{\"c\":\"d\"}},\"e\":\"f\"}"},
    {ROOT "  - a\n  - b: c\n    d: e\n  - \"f\"", "[\"a\",{\"b\":\"c\",\"d\":\"e\"},\"f\"]"},
    {ROOT "  a: {b: c, d: 1}\n  e: [f, g]\n  h: {i: \"j\"}",
     "{\"a\":{\"b\":\"c\",\"d\":1},\"e\":[\"f\",\"g\"],\"h\":{\"i\":\"j\"}}"},
    {"# a comment\n\n" ROOT "\n  # another\n  a: b # c\n", "{\"a\":\"b # c\"}"},
    /* holes */
    {ROOT "  <path>: <Path> and <path>",
     "{\"two/small_words2go\":\"TwoSmallWords2Go and two/small_words2go\"}"},
    {ROOT "  a: <seven>\n  b: \"<seven>\"\n  c: 1 < 2", "{\"a\":7,\"b\":\"7\",\"c\":\"1 < 2\"}"},
    /* sets and conditions */
    {ROOT "  @each letter a b\n    <letter>: {x: <Letter>}",
     "{\"a\":{\"x\":\"A\"},\"b\":{\"x\":\"B\"}}"},
    {ROOT "  @each letter abc\n    @if second\n      - <letter>\n    @if not second\n      - 1",
     "[1,\"b\",1]"},
    {ROOT
     "  @each letter abc\n    @if letter a c\n      - <letter>\n    @if not letter a\n      - 0",
     "[\"a\",0,\"c\",0]"},
    {ROOT "  @each letter\n    a: b", "{}"},
    /* blocks and values */
    {ROOT "  @more\n  a: @more\nmore:\n  b: c", "{\"b\":\"c\",\"a\":{\"b\":\"c\"}}"},
    {ROOT "  a:\n    @more\nmore:\n  - b", "{\"a\":[\"b\"]}"},
    {ROOT "  a: @number\n  b: @nothing", "{\"a\":99}"},
};

TEST(plays, .end = COUNT(rows))
{
    ck_assert_str_eq(unit_put(play_text, rows[_i].lines), rows[_i].json);
}

static const struct {
    const char *lines, *problem;
} mistakes[] = {
    {ROOT "  a: <other>", ": the template has no text 'other'\n"},
    {ROOT "  @each thing", ": the template has no set 'thing'\n"},
    {ROOT "  @if thing", ": the template has no condition 'thing'\n"},
    {ROOT "  @if thing a b", ": the template has no text 'thing'\n"},
    {ROOT "  @thing", ": the template has no block 'thing'\n"},
    {ROOT "  a: @thing", ": the template has no value 'thing'\n"},
    {ROOT "  word", ": the template has no key in 'word'\n"},
};

TEST(refuses, .end = COUNT(mistakes))
{
    struct mw_run *run = unit_open();
    ck_assert(!mw_guarded(run, play, (char *)mistakes[_i].lines));
    ck_assert_str_eq(unit_problems(run), mistakes[_i].problem);
}
