/* check_text.c: maps in characters. */
#include "unit.h"

static const struct {
    struct mw_lattice lattice;
    int32_t cells[12];
    const char *text;
} rows[] = {
    {{1, 1, MW_SQUARE, MW_WRAP_NONE}, {0}, ".\n\n"},
    {{3, 2, MW_SQUARE, MW_WRAP_NONE}, {0, 1, 2, -1, 1, 3}, ". 1 2\n+ 1 3\n\n"},
    {{3, 3, MW_HEX, MW_WRAP_NONE}, {1, 1, 1, 2, 2, 2, 0, 0, 0}, "1 1 1\n 2 2 2\n. . .\n\n"},
    {{4, 1, MW_SQUARE, MW_WRAP_NONE}, {9, 10, 35, 61}, "9 A Z z\n\n"},
    /* the colours begin again after 61, but never for a neighbour */
    {{4, 1, MW_SQUARE, MW_WRAP_NONE}, {62, 0, 1, 63}, "1 . 1 2\n\n"},
    {{2, 1, MW_SQUARE, MW_WRAP_NONE}, {1, 62}, "1 2\n\n"},
};

START_TEST(a_grid_is_drawn)
{
    struct mw_run *run = unit_open();
    struct mw_bytes bytes = mw_encode(run, mw_encoder_named("text"),
                                      unit_grid_map(run, &rows[_i].lattice, rows[_i].cells));
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    ck_assert_str_eq(bytes.at, rows[_i].text);
}
END_TEST

static const char expected[] =
    /* the grids are drawn at random: their place is checked alone */
    "number: 1\n"
    "share: -0.05\n"
    "tiling: hex\n"
    "flag: yes\n"
    "word: \"\xc3\xa9\n"
    "nothing: -\n"
    "odds: 3,-4\n"
    "dots: 1,2;3,4\n"
    "board:\n"
    ".A\n"
    "#.\n"
    "id speed home name at bounds near way look\n"
    "1 -1.5 no Sol 0,0 0,0,0,2147483647   \nab\ncd\n"
    "2 - yes caf\xc3\xa9 0,0 0,-1,1,2147483647 2 0,0 \nab\ncd\n"
    "3 0.502 no \"quoted\"\n\x01 0,1 0,-2,2,2147483647 2,3  \nab\ncd\n"
    "4 1.503 yes <&> 0,1 0,-3,3,2147483647  0,0;1,0;1,1 \nab\ncd\n"
    "lanes: 0-1 1-2 2-3\n";

START_TEST(every_type_is_written)
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    size_t n;
    const struct mw_arg *args = unit_args(
        run, "number=1&share=-.05&tiling=hex&word=%22%C3%A9&odds=3,-4&dots=1,2;3,4&board=.A/%23.",
        &n);
    ck_assert(mw_bind(run, &mw_sample, args, n, "s", &request));
    struct mw_bytes bytes = mw_encode(run, mw_encoder_named("text"), mw_make(run, &request));
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    /* stars at two places, a lane down between them; then two grids of two rows of one cell, the odd row of
       hexagons shoved */
    ck_assert(bytes.at[0] == '*' && bytes.at[80] == '.');
    const char *at = strstr(bytes.at, "\n\n");
    ck_assert_ptr_nonnull(at);
    ck_assert(*(at - 79) == '*');
    at += 2;
    ck_assert(at[1] == '\n' && at[2] == ' ' && !strncmp(at + 4, "\n\n", 2));
    ck_assert_str_eq(strstr(at, "number"), expected);
}
END_TEST

START_TEST(heights_are_digits_then_letters)
{
    static const struct mw_part parts[] = {
        {.name = "heights", .kind = MW_GRID, .role = MW_HEIGHT_GRID, .help = "Heights"},
        MW_END_PARTS};
    static const struct mw_field no_fields[] = {MW_END};
    static const struct mw_generator heights = {.name = "heights",
                                                .version = 1,
                                                .seedless = true,
                                                .fields = no_fields,
                                                .parts = parts,
                                                .params_size = 1};
    int32_t cells[] = {0, 1, 9, 10, 64, 0};
    struct mw_cells grid = {{3, 2, MW_SQUARE, MW_WRAP_NONE}, cells};
    struct mw_slot slot = {.present = true, .as.grid = grid};
    struct mw_request request = {.generator = &heights};
    struct mw_map map = {&request, &slot};
    struct mw_run *run = unit_open();
    struct mw_bytes bytes = mw_encode(run, mw_encoder_named("text"), &map);
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    ck_assert_str_eq(bytes.at, ". 1 9\nA 3 .\n\n");
}
END_TEST

Suite *suite_text(void)
{
    Suite *suite = suite_create("text");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, a_grid_is_drawn, 0, COUNT(rows));
    tcase_add_test(all, every_type_is_written);
    tcase_add_test(all, heights_are_digits_then_letters);
    suite_add_tcase(suite, all);
    return suite;
}
