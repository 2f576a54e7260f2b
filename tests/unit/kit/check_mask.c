/* check_mask.c: what a mask says of its map. */
#include "kit/mask.h"
#include "unit/unit.h"

static const struct mw_rows mask = {"#.#/..#", 3, 2}, none = {NULL, 0, 0};

START_TEST(land_is_what_the_mask_says)
{
    int32_t land = 0;
    for (int32_t cell = 0; cell < 6; cell++) {
        ck_assert_int_eq(mw_land(&mask, 3, cell), cell == 0 || cell == 2 || cell == 5);
        land += mw_land(&mask, 3, cell);
    }
    ck_assert_int_eq(mw_count_land(&mask, 3, 2), land);
}
END_TEST

START_TEST(without_a_mask_all_is_land)
{
    ck_assert(mw_land(&none, 3, 5));
    ck_assert_int_eq(mw_count_land(&none, 3, 2), 6);
    ck_assert_int_eq(mw_count_land(&none, 4096, 4096), 4096 * 4096);
}
END_TEST

START_TEST(a_row_may_be_all_there_is)
{
    const struct mw_rows sea = {".", 1, 1}, land = {"#", 1, 1}, column = {"#/#/.", 1, 3};
    ck_assert_int_eq(mw_count_land(&sea, 1, 1), 0);
    ck_assert_int_eq(mw_count_land(&land, 1, 1), 1);
    ck_assert_int_eq(mw_count_land(&column, 1, 3), 2);
}
END_TEST

Suite *suite_mask(void)
{
    Suite *suite = suite_create("mask");
    TCase *all = tcase_create("all");
    tcase_add_test(all, land_is_what_the_mask_says);
    tcase_add_test(all, without_a_mask_all_is_land);
    tcase_add_test(all, a_row_may_be_all_there_is);
    suite_add_tcase(suite, all);
    return suite;
}
