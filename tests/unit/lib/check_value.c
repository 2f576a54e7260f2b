/* check_value.c: values of every type, in every spelling. */
#include "unit/unit.h"

#define NUMBERS ((const int32_t[]){7, -8, INT32_MAX})
#define POINTS ((const struct mw_point[]){{1, -2}, {3, 4}})
static const char *const names[] = {"first", "a \"b\"", NULL};

static const struct {
    enum mw_type type;
    union mw_value value;
    const char *spelled[3]; /* JSON, address, text; NULL: there is none */
} rows[] = {
    {MW_INTEGER, {.integer = -5}, {"-5", "-5", "-5"}},
    {MW_INTEGER, {.integer = MW_NULL}, {"null", NULL, "-"}},
    {MW_DECIMAL, {.integer = 1250}, {"1.25", "1.25", "1.25"}},
    {MW_DECIMAL, {.integer = MW_NULL}, {"null", NULL, "-"}},
    {MW_BOOLEAN, {.integer = 1}, {"true", "true", "yes"}},
    {MW_BOOLEAN, {.integer = 0}, {"false", "false", "no"}},
    {MW_ONE_OF, {.integer = 1}, {"\"a \\\"b\\\"\"", "a%20%22b%22", "a \"b\""}},
    {MW_STRING, {.string = "a/b c"}, {"\"a/b c\"", "a%2Fb%20c", "a/b c"}},
    {MW_INTEGERS, {.integers = {NUMBERS, 0}}, {"[]", "", ""}},
    {MW_INTEGERS, {.integers = {NUMBERS, 1}}, {"[7]", "7", "7"}},
    {MW_INTEGERS,
     {.integers = {NUMBERS, 3}},
     {"[7,-8,2147483647]", "7,-8,2147483647", "7,-8,2147483647"}},
    {MW_POINT, {.point = {-1, 2}}, {"[-1,2]", NULL, "-1,2"}},
    {MW_POINTS, {.points = {POINTS, 0}}, {"[]", "", ""}},
    {MW_POINTS, {.points = {POINTS, 2}}, {"[[1,-2],[3,4]]", "1,-2;3,4", "1,-2;3,4"}},
    {MW_BOX, {.box = {1, 2, 3, 4}}, {"[1,2,3,4]", NULL, "1,2,3,4"}},
    {MW_ROWS, {.rows = {"ab\0.#", 2, 2}}, {"[\"ab\",\".#\"]", "ab/.%23", "\nab\n.#"}},
    {MW_ROWS, {.rows = {"", 0, 0}}, {"[]", "", ""}},
};

struct asked {
    enum mw_spelling spelling;
    int row;
};

static void put_row(struct mw_run *run, const void *asked)
{
    const struct asked *a = asked;
    mw_put_value(run, a->spelling, rows[a->row].type, names, &rows[a->row].value, 0);
}

TEST(a_value_is_spelled, .end = COUNT(rows))
{
    for (int s = MW_AS_JSON; s <= MW_AS_TEXT; s++) {
        const struct asked asked = {(enum mw_spelling)s, _i};
        if (rows[_i].spelled[s])
            ck_assert_str_eq(unit_put(put_row, &asked), rows[_i].spelled[s]);
    }
}

static void put_third(struct mw_run *run, const void *numbers)
{
    mw_put_value(run, MW_AS_TEXT, MW_INTEGER, NULL, numbers, 2);
}

TEST(one_of_many_is_spelled) { ck_assert_str_eq(unit_put(put_third, NUMBERS), "2147483647"); }
