/* check_svg.c: drawings of small maps; tests/cli/test_pictures.py looks at those of others. */
#include "unit/unit.h"

TEST(an_empty_map_has_no_path)
{
    int32_t cells[] = {0, 0, 0, 0};
    struct mw_lattice l = {2, 2, MW_HEX, MW_WRAP_XY};
    struct mw_run *run = unit_open();
    struct mw_bytes bytes =
        mw_encode_with(run, mw_encoder_named("svg"), unit_grid_map(run, &l, cells));
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    ck_assert_ptr_null(strstr(bytes.at, "<path"));
}

static struct mw_bytes draw_again(struct mw_run *run, const char *address)
{
    const struct mw_request *request = mw_ask(run, address, NULL, NULL);
    ck_assert_msg(request != NULL, "%s", unit_problems(run));
    const struct mw_map *map = mw_make(run, request);
    ck_assert_msg(map != NULL, "%s", unit_problems(run));
    struct mw_bytes first = mw_encode(run, map, NULL), second = mw_encode(run, map, NULL);
    ck_assert_ptr_nonnull(second.at);
    ck_assert_uint_eq(first.length, second.length);
    ck_assert_msg(!memcmp(first.at, second.at, first.length), "%s is drawn otherwise", address);
    return second;
}

/* Groups of text have ids of the drawing's own: a page may show two drawings. */
TEST(a_second_drawing_is_the_same_and_shares_no_id_with_another_map)
{
    struct mw_run *run = unit_open();
    struct mw_bytes one = draw_again(run, "/islands.svg?seed=7&names=latin"),
                    other = draw_again(run, "/islands.svg?seed=8&names=latin");
    const char *id = memmem(one.at, one.length, " id=\"w", 6);
    ck_assert_ptr_nonnull(id);
    const char *end = strchr(id + 6, '"');
    ck_assert_ptr_null(memmem(other.at, other.length, id, (size_t)(end - id) + 1));
}
