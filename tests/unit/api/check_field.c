/* check_field.c: what the tables of fields answer. */
#include "api/field.h"

#include "unit/unit.h"

static const struct {
    const char *alphabet, *class;
} classes[] = {
    {"#.", "[#.]"},
    {"ab", "[ab]"},
    {"abc", "[abc]"},
    {"abcd", "[a-d]"},
    {".ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#", "[.A-Z0-9#]"},
    {"-]^", "[\\-\\]\\^]"},
    {"[\\", "[\\[\\\\]"},
    {"XYZ[", "[XYZ\\[]"},
};

TEST(alphabets_as_classes, .end = COUNT(classes))
{
    char class[CLASS_BYTES];
    ck_assert_str_eq(field_class(class, classes[_i].alphabet), classes[_i].class);
}

/* A list that is neither optional nor has a default; a number whose default follows from others. */
TEST(what_must_be_given)
{
    struct mw_field rows = {.type = MW_ROWS, .least = 1, .most = 5};
    struct mw_field number = {.type = MW_INTEGER, .least = 1, .most = 5, .fallback = 0};
    ck_assert(field_is_required(&rows));
    ck_assert(!field_has_default(&number) && !field_is_required(&number));
    number.fallback = 6;
    ck_assert(!field_has_default(&number));
    number.fallback = 5;
    ck_assert(field_has_default(&number));
}
