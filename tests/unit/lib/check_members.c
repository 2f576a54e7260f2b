/* check_members.c: JSON objects read as arguments. tests/fuzz/bind.c compares with jansson. */
#include "unit/unit.h"

#include <stdio.h>

#define ANY "must be a number, a string, a list, true, false or null"

static const struct {
    const char *json, *read; /* as name=shape:text| each; or the problem; NULL: a wrong escape */
} texts[] = {
    {"", ""},
    {" \t\r\n", ""},
    {" { } ", ""},
    {"\xef\xbb\xbf{}", ""},
    {"{\"a\": -10.50e+2 , \"b\":0}", "a=number:-10.50e+2|b=number:0|"},
    {"{\"a\":null,\"b\":true,\"c\":false}", "a=nil:|b=truth:true|c=truth:false|"},
    {"{\"a\":\"\",\"\":\"x y\"}", "a=text:|=text:x y|"},
    {"{\"a\":\"\\\"\\\\\\/\\n\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"}",
     "a=text:\"\\/\nA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80|"},
    /* elements, with ; for the zero before them */
    {"{\"\\u0061\":[]}", "a=list:|"},
    {"{\"a\":[ 1 , 2,3 ]}", "a=list:;1;2;3|"},
    {"{\"a\":[[1, 2] , [ -3,4 ]]}", "a=list:;[1,2;[-3,4|"},
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
    {"{\"a\":1.}", "line 1, column 8: " ANY},
    {"{\"a\":nul}", "line 1, column 6: " ANY},
    {"{\"a\":\"x", "line 1, column 8: the text ends within a string"},
    {"{\"a\":\"\xff\"}", "line 1, column 7: is not UTF-8"},
    {"{\"a\":\"\n\"}", "line 1, column 7: is a control character, which must be escaped"},
    {"{\"a\":\"\\ud800\"}", NULL},
    {"{\"a\":\"\\u0000\"}", NULL},
    {"{\"a\":\"\\x\"}", NULL},
    {"{\"a\":1} x", "line 1, column 9: must be the end of the text"},
};

static void write(char *to, const struct mw_arg *args, size_t count)
{
    static const char *const shapes[] = {
        [MW_NIL] = "nil",   [MW_TRUTH] = "truth", [MW_NUMBER] = "number",
        [MW_TEXT] = "text", [MW_LIST] = "list",   [MW_OTHER] = "other"};
    *to = '\0';
    for (size_t i = 0; i < count; i++) {
        to +=
            sprintf(to, "%.*s=%s:", (int)args[i].name_length, args[i].name, shapes[args[i].shape]);
        for (size_t k = 0; k < args[i].length; k++)
            *to++ = args[i].text[k] ? args[i].text[k] : ';';
        strcpy(to++, "|");
    }
}

TEST(reads_an_object, .end = COUNT(texts))
{
    char room[200];
    size_t count = 0;
    const struct mw_arg *args = NULL;
    struct mw_run *run = unit_open();
    if (mw_read_json(run, texts[_i].json, strlen(texts[_i].json), &args, &count)) {
        write(room, args, count);
        ck_assert_str_eq(room, texts[_i].read);
        return;
    }
    const char *detail = mw_problems(run)->list[0].detail;
    ck_assert_int_eq(mw_problems(run)->list[0].fault, MW_BAD_PARAM);
    ck_assert_msg(texts[_i].read ? !strcmp(detail, texts[_i].read)
                                 : strstr(detail, "is no escape") != NULL,
                  "%s", detail);
}

/* Members cannot be shorter than these, of which as many fit into a text as there is room for. */
TEST(the_shortest_members_have_room)
{
    enum { MOST = 1000 };
    char json[5 * MOST + 2] = "{";
    for (size_t n = 1; n <= MOST; n++) {
        size_t count = 0, end = 5 * n;
        const struct mw_arg *args = NULL;
        memcpy(json + end - 4, "\"\":0}", 5);
        ck_assert(mw_read_json(unit_open(), json, end + 1, &args, &count));
        ck_assert_uint_eq(count, n);
        json[end] = ',';
    }
}

/* Every beginning of a text is refused, and nothing behind its end is read; nor is the stack
   overrun by nesting. */
TEST(a_text_may_end_anywhere)
{
    enum { DEEP = 100000 };
    static char deep[DEEP + 10] = "{\"a\":";
    static const char json[] =
        "{\"a\": [[1,2.5e-1]], \"b\\n\": \"\\ud83d\\ude00\", \"c\": {\"d\": true}}";
    size_t count = 0;
    const struct mw_arg *args = NULL;
    for (size_t n = 1; n < sizeof json - 1; n++) {
        char copy[sizeof json];
        memcpy(copy, json, n);
        copy[n] = '}';
        ck_assert(!mw_read_json(unit_open(), copy, n, &args, &count));
    }
    struct mw_run *run = unit_open();
    memset(deep + 5, '[', DEEP);
    ck_assert(!mw_read_json(run, deep, DEEP + 5, &args, &count));
    ck_assert_ptr_nonnull(strstr(mw_problems(run)->list[0].detail, "nested too deep"));
}
