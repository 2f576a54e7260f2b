/* check_etag.c: entity tags. */
#include "srv/out/etag.h"
#include "unit/unit.h"

static const struct {
    const char *list;
    bool has, strongly;
} tags[] = {
    {"\"a\"", true, true},
    {"*", true, true},
    {" * ", true, true},
    {"W/\"a\"", true, false},
    {"\"b\", \"a\"", true, true},
    {"\"b\",\"a\",\"c\"", true, true},
    {"\"b\" , W/\"a\" ,\"c\"", true, false},
    {"\"x,\\\", \"a\"", true, true},
    {"", false, false},
    {"a", false, false},
    {"\"b\"", false, false},
    {"\"ab\"", false, false},
    {"\"a\"b", false, false},
    {"\"b, a\"", false, false},
    {"\"b", false, false},
    {"w/\"a\"", false, false},
    {"W/", false, false},
};

TEST(finds_the_tag, .end = COUNT(tags))
{
    const struct etag tag = {"\"a\""};
    ck_assert_msg(etag_is_in(tags[_i].list, &tag, true) == tags[_i].has, "«%s»", tags[_i].list);
    ck_assert_msg(etag_is_in(tags[_i].list, &tag, false) == tags[_i].strongly, "«%s»",
                  tags[_i].list);
}

TEST(follows_from_the_bytes)
{
    struct etag a = etag_of("abc", 3), b = etag_of("abd", 3), again = etag_of("abcd", 3);
    ck_assert_str_eq(a.text, again.text);
    ck_assert_str_ne(a.text, b.text);
    ck_assert_uint_eq(strlen(a.text), 38);
    ck_assert(etag_is_in(a.text, &a, false) && !etag_is_in(b.text, &a, true));
}
