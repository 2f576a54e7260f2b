/* check_mask.c: the land of a mask, and the extent that follows from it. */
#include "kit/mask.h"
#include "unit/unit.h"

static const struct mw_rows none = {NULL, 0, 0};

TEST(land_is_counted)
{
    const struct mw_rows mask = {"#.#/..#", 3, 2}, sea = {".", 1, 1}, column = {"#/#/.", 1, 3};
    ck_assert_int_eq(mw_count_land(&mask, 3, 2), 3);
    ck_assert_int_eq(mw_count_land(&sea, 1, 1), 0);
    ck_assert_int_eq(mw_count_land(&column, 1, 3), 2);
    ck_assert_int_eq(mw_count_land(&none, 4096, 4096), 4096 * 4096);
}

#define DIFFERS(of, is, mask) \
    "/" of ": is " is ", but that of the mask is " mask ": leave it out, or make them equal\n"

static const struct {
    bool masked, width_given, height_given;
    int32_t width, height, fit_width, fit_height;
    const char *problems;
} fits[] = {
    {false, true, true, 40, 30, 40, 30, ""},
    {true, false, false, 40, 30, 3, 2, ""},
    {true, true, true, 3, 2, 3, 2, ""},
    {true, true, false, 4, 30, 3, 2, DIFFERS("width", "4", "3")},
    {true, true, true, 4, 1, 3, 2, DIFFERS("width", "4", "3") DIFFERS("height", "1", "2")},
};

TEST(the_extent_follows_from_the_mask, .end = COUNT(fits))
{
    const struct mw_rows mask = {"#.#/..#", 3, 2};
    struct mw_run *run = unit_open();
    int32_t width = fits[_i].width, height = fits[_i].height;
    mw_fit_mask(run, fits[_i].masked ? &mask : &none, fits[_i].width_given, fits[_i].height_given,
                &width, &height);
    ck_assert(width == fits[_i].fit_width && height == fits[_i].fit_height);
    ck_assert_str_eq(unit_problems(run), fits[_i].problems);
}
