/* check_mask.c: what a mask says of its map. */
#include "kit/mask.h"
#include "unit/unit.h"

static const struct mw_rows mask = {"#.#/..#", 3, 2}, none = {NULL, 0, 0};

TEST(land_is_what_the_mask_says) { ck_assert_int_eq(mw_count_land(&mask, 3, 2), 3); }

TEST(without_a_mask_all_is_land)
{
    ck_assert_int_eq(mw_count_land(&none, 3, 2), 6);
    ck_assert_int_eq(mw_count_land(&none, 4096, 4096), 4096 * 4096);
}

TEST(a_row_may_be_all_there_is)
{
    const struct mw_rows sea = {".", 1, 1}, land = {"#", 1, 1}, column = {"#/#/.", 1, 3};
    ck_assert_int_eq(mw_count_land(&sea, 1, 1), 0);
    ck_assert_int_eq(mw_count_land(&land, 1, 1), 1);
    ck_assert_int_eq(mw_count_land(&column, 1, 3), 2);
}

static const struct {
    bool width_given, height_given;
    int32_t width, height;
    const char *problems;
} fits[] = {
    {false, false, 40, 30, ""},
    {true, true, 3, 2, ""},
    {true, false, 4, 30,
     "/width: is 4, but that of the mask is 3: leave it out, or make them equal\n"},
    {true, true, 4, 1,
     "/width: is 4, but that of the mask is 3: leave it out, or make them equal\n"
     "/height: is 1, but that of the mask is 2: leave it out, or make them equal\n"},
};

TEST(a_mask_says_how_large_the_map_is, .end = COUNT(fits))
{
    struct mw_run *run = unit_open();
    int32_t width = fits[_i].width, height = fits[_i].height;
    mw_fit_mask(run, &mask, fits[_i].width_given, fits[_i].height_given, &width, &height);
    ck_assert_int_eq(width, 3);
    ck_assert_int_eq(height, 2);
    ck_assert_str_eq(unit_problems(run), fits[_i].problems);
}

TEST(no_mask_says_nothing)
{
    struct mw_run *run = unit_open();
    int32_t width = 40, height = 30;
    mw_fit_mask(run, &none, true, true, &width, &height);
    ck_assert_int_eq(width, 40);
    ck_assert_int_eq(height, 30);
    ck_assert_str_eq(unit_problems(run), "");
}
