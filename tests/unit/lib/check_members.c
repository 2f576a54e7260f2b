/* check_members.c: JSON objects read as arguments. tests/fuzz/bind.c compares with jansson. */
#include "unit/unit.h"

#include <stdio.h>

static const struct {
    const char *json, *read; /* as name=shape:text| each; or the problem */
} texts[] = {
    {"", ""},
    {" \t\r\n", ""},
    {"{}", ""},
    {" { } ", ""},
    {"\xef\xbb\xbf{}", ""},
    {"{\"a\":1}", "a=number:1|"},
    {"{\"a\": -10.50e+2 , \"b\":0}", "a=number:-10.50e+2|b=number:0|"},
    {"{\"a\":null,\"b\":true,\"c\":false}", "a=nil:|b=truth:true|c=truth:false|"},
    {"{\"a\":\"\",\"\":\"x y\"}", "a=text:|=text:x y|"},
    {"{\"a\":\"\\\"\\\\\\/\\n\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"}",
     "a=text:\"\\/\nA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80|"},
    /* elements, with ; for the zero before them */
    {"{\"\\u0061\":[]}", "a=list:|"},
    {"{\"a\":[ 1 , 2,3 ]}", "a=list:;1;2;3|"},
    {"{\"a\":[[1, 2] , [ -3,4 ]]}", "a=list:;[1,2;[-3,4|"},
    {"{\"a\":[\"#.\",\".#\"]}", "a=list:;\"#.;\".#|"},
    {"{\"a\":[\"#/\",\"\"]}", "a=list:;\"#/;\"|"},
    {"{\"a\":[1,[1,2],\"x\",{\"b\":[1]},[1],[],[1,2,3],null,true]}",
     "a=list:;1;[1,2;\"x;;[1;;[1,2,3;;true|"},
    {"{\"a\":[[[1,2],3]],\"b\":[[\"1\",2]]}", "a=list:;[[1,2,3|b=list:;[\"1,2|"},
    {"{\"a\":{\"b\":[{}]},\"a\":2}", "a=other:|a=number:2|"},
    {"[]", "must be an object in UTF-8: {\"name\": value, ...}"},
    {"{", "line 1, column 2: must be a string in double quotes"},
    {"{\"a\"}", "line 1, column 5: must be : between a name and its value"},
    {"{\"a\":1,}", "line 1, column 8: must be a string in double quotes"},
    {"{\"a\":1 \"b\":2}", "line 1, column 8: must be , or }"},
    {"{\n \"a\":[1;2]}", "line 2, column 8: must be , or ]"},
    {"{\"a\":01}", "line 1, column 7: must be , or }"},
    {"{\"a\":1.}", "line 1, column 8: must be a number, a string, a list, true, false or null"},
    {"{\"a\":nul}", "line 1, column 6: must be a number, a string, a list, true, false or null"},
    {"{\"a\":\"x", "line 1, column 8: the text ends within a string"},
    {"{\"a\":\"\xff\"}", "line 1, column 7: is not UTF-8"},
    {"{\"a\":\"\n\"}", "line 1, column 7: is a control character, which must be escaped"},
    {"{\"a\":\"\\ud800\"}", NULL},
    {"{\"a\":\"\\u0000\"}", NULL},
    {"{\"a\":\"\\x\"}", NULL},
    {"{\"a\":1} x", "line 1, column 9: must be the end of the text"},
};

static const char *write(char *to, const struct mw_arg *args, size_t count)
{
    static const char *const shapes[] = {
        [MW_NIL] = "nil",   [MW_TRUTH] = "truth", [MW_NUMBER] = "number",
        [MW_TEXT] = "text", [MW_LIST] = "list",   [MW_OTHER] = "other"};
    char *start = to;
    *to = '\0';
    for (size_t i = 0; i < count; i++) {
        to +=
            sprintf(to, "%.*s=%s:", (int)args[i].name_length, args[i].name, shapes[args[i].shape]);
        for (size_t k = 0; k < args[i].length; k++)
            *to++ = args[i].text[k] ? args[i].text[k] : ';';
        strcpy(to++, "|");
    }
    return start;
}

TEST(reads_an_object, .end = COUNT(texts))
{
    char room[200];
    size_t count = 0;
    const struct mw_arg *args = NULL;
    struct mw_run *run = unit_open();
    const char *json = texts[_i].json, *wanted = texts[_i].read;
    if (mw_read_json(run, json, strlen(json), &args, &count)) {
        ck_assert_str_eq(write(room, args, count), wanted);
        return;
    }
    const struct mw_problem *problem = &mw_problems(run)->list[0];
    ck_assert_int_eq(problem->fault, MW_BAD_PARAM);
    if (wanted)
        ck_assert_str_eq(problem->detail, wanted);
    else
        ck_assert_ptr_nonnull(strstr(problem->detail, "is no escape"));
}

/* Every beginning of a text is refused, and nothing behind its end is looked at. */
TEST(a_text_may_end_anywhere)
{
    static const char json[] =
        "{\"a\": [[1,2.5e-1]], \"b\\n\": \"\\ud83d\\ude00\", \"c\": {\"d\": true}}";
    for (size_t n = 1; n < sizeof json - 1; n++) {
        size_t count = 0;
        const struct mw_arg *args = NULL;
        char copy[sizeof json];
        memcpy(copy, json, n);
        copy[n] = '}';
        ck_assert(!mw_read_json(unit_open(), copy, n, &args, &count));
    }
}

TEST(nesting_has_an_end)
{
    enum { DEEP = 100000 };
    static char json[DEEP + 10];
    size_t count = 0;
    const struct mw_arg *args = NULL;
    struct mw_run *run = unit_open();
    memcpy(json, "{\"a\":", 5);
    memset(json + 5, '[', DEEP);
    ck_assert(!mw_read_json(run, json, DEEP + 5, &args, &count));
    ck_assert_ptr_nonnull(strstr(mw_problems(run)->list[0].detail, "nested too deep"));
}
