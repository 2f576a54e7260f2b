/*
 * check_bind.c: arguments to an address, or to problems.
 *
 * A row is a query with the shape of its values, and the address or all the problems that come of
 * it.
 */
#include "unit/unit.h"

#include "all/registry.h"

#include <stdlib.h>

#define REST "&tiling=square&flag=true&range=9,13"
#define A(number_to_flag) "/sample/maker?v=3&" number_to_flag "&seed=s"
#define DEFAULTS "number=6&share=0.25&tiling=square&flag=true"

struct row {
    enum mw_shape shape; /* of every value but the seed */
    const char *query, *address, *problems;
};

/* What may be asked of every picture. */
#define LOOKS \
    "format, scale, color, voxel, columns, tables, labels, grid_lines, theme, palette, solution, " \
    "under, margin, maps, collision"

static const struct row rows[] = {
    {MW_RAW, "", A(DEFAULTS "&range=9,13"), NULL},
    {MW_RAW, "&&", A(DEFAULTS "&range=9,13"), NULL},
    {MW_RAW, "format=svg", A(DEFAULTS "&range=9,13"), NULL},
    {MW_RAW, "v=3", A(DEFAULTS "&range=9,13"), NULL},
    /* integers */
    {MW_RAW, "number=10.0", A("number=10&share=0.25" REST), NULL},
    {MW_NUMBER, "number=1e1", A("number=10&share=0.25" REST), NULL},
    {MW_NUMBER, "number=-5", A("number=-5&share=0.25" REST), NULL},
    {MW_NUMBER, "number=40", A("number=40&share=0.25" REST), NULL},
    {MW_NIL, "number=null", A(DEFAULTS "&range=9,13"), NULL},
    {MW_NUMBER, "number=41", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_NUMBER, "number=-6", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_NUMBER, "number=1.5", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_NUMBER, "number=1e400", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_NUMBER, "number=4294967297", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_TEXT, "number=6", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_TRUTH, "number=true", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_LIST, "number=%006", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_OTHER, "number=6", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_LIST, "number=", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_RAW, "number=", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_RAW, "number", NULL, "/number: must be an integer from -5 to 40\n"},
    {MW_RAW, "number=+6", NULL, "/number: must be an integer from -5 to 40\n"},
    /* decimals: one spelling */
    {MW_RAW, "share=.5", A("number=6&share=0.5" REST), NULL},
    {MW_NUMBER, "share=0.500", A("number=6&share=0.5" REST), NULL},
    {MW_NUMBER, "share=5e-1", A("number=6&share=0.5" REST), NULL},
    {MW_NUMBER, "share=-1.5", A("number=6&share=-1.5" REST), NULL},
    {MW_NUMBER, "share=-0.05", A("number=6&share=-0.05" REST), NULL},
    {MW_NUMBER, "share=-0", A("number=6&share=0" REST), NULL},
    {MW_NUMBER, "share=0.0004", A("number=6&share=0" REST), NULL},
    {MW_NUMBER, "share=1", A("number=6&share=1" REST), NULL},
    {MW_NUMBER, "share=1.001", NULL, "/share: must be a number from -1.5 to 1\n"},
    {MW_NUMBER, "share=-1.501", NULL, "/share: must be a number from -1.5 to 1\n"},
    {MW_TEXT, "share=0.5", NULL, "/share: must be a number from -1.5 to 1\n"},
    {MW_RAW, "share=half", NULL, "/share: must be a number from -1.5 to 1\n"},
    /* choices and truth */
    {MW_TEXT, "tiling=hex", A("number=6&share=0.25&tiling=hex&flag=true&range=9,13"), NULL},
    {MW_TEXT, "tiling=Hex", NULL, "/tiling: must be one of: hex, square\n"},
    {MW_TEXT, "tiling=", NULL, "/tiling: must be one of: hex, square\n"},
    {MW_NUMBER, "tiling=0", NULL, "/tiling: must be one of: hex, square\n"},
    {MW_TRUTH, "flag=false", A("number=6&share=0.25&tiling=square&flag=false&range=9,13"), NULL},
    {MW_RAW, "flag=0", A("number=6&share=0.25&tiling=square&flag=false&range=9,13"), NULL},
    {MW_RAW, "flag=1", A(DEFAULTS "&range=9,13"), NULL},
    {MW_NUMBER, "flag=1", NULL, "/flag: must be true or false\n"},
    {MW_TEXT, "flag=true", NULL, "/flag: must be true or false\n"},
    {MW_RAW, "flag=yes", NULL, "/flag: must be true or false\n"},
    /* strings */
    {MW_TEXT, "word=caf%C3%A9+%26+%2F", A(DEFAULTS "&word=caf%C3%A9%20%26%20%2F&range=9,13"), NULL},
    {MW_TEXT, "word=a", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=abcdefghijklm", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=ab%C3", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=%C0%80ab", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=%C3a", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=%E0%80%80", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=%E0%A0%80", A(DEFAULTS "&word=%E0%A0%80&range=9,13"), NULL},
    {MW_TEXT, "word=%ED%9F%BF", A(DEFAULTS "&word=%ED%9F%BF&range=9,13"), NULL},
    {MW_TEXT, "word=%F0%80%80%80", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=%F0%90%80%80", A(DEFAULTS "&word=%F0%90%80%80&range=9,13"), NULL},
    {MW_TEXT, "word=%ED%A0%80", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=%F4%90%80%80", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_TEXT, "word=%F4%8F%BF%BF", A(DEFAULTS "&word=%F4%8F%BF%BF&range=9,13"), NULL},
    {MW_TEXT, "word=ab%00cd", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    {MW_NUMBER, "word=12", NULL, "/word: must be a string of 2 to 12 bytes of UTF-8\n"},
    /* lists of integers */
    {MW_LIST, "range=%0010%0020.0", A(DEFAULTS "&range=10,20"), NULL},
    {MW_RAW, "range=1e1,20&odds=-10", A(DEFAULTS "&range=10,20&odds=-10"), NULL},
    {MW_LIST, "range=%0010", NULL, "/range: has 1 element: must have 2\n"},
    {MW_LIST, "range=%001%002%003", NULL, "/range: has 3 elements: must have 2\n"},
    {MW_NUMBER, "range=9", NULL, "/range: must be a list of two integers\n"},
    {MW_LIST, "range=%000%00100", NULL,
     "/range/0: must be an integer from 1 to 99\n/range/1: must be an integer from 1 to 99\n"},
    {MW_LIST, "range=%005%004", NULL, "/range: goes from 5 down to 4\n"},
    {MW_RAW, "range=5,", NULL, "/range/1: must be an integer from 1 to 99\n"},
    {MW_RAW, "odds=", NULL, "/odds/0: must be an integer from -10 to 10\n"},
    {MW_LIST, "odds=", NULL, "/odds: has 0 elements: must have 1 to 5\n"},
    {MW_LIST, "odds=%001%002%003%004%005%006", NULL, "/odds: has 6 elements: must have 1 to 5\n"},
    {MW_NUMBER, "odds=1", NULL, "/odds: must be a list of integers\n"},
    {MW_LIST, "odds=%00[1,2%00[3,4", NULL,
     "/odds/0: must be an integer from -10 to 10\n/odds/1: must be an integer from -10 to 10\n"},
    {MW_LIST, "odds=%001%00\"2%003%00%00[1,2", NULL,
     "/odds/1: must be an integer from -10 to 10\n/odds/3: must be an integer from -10 to 10\n"
     "/odds/4: must be an integer from -10 to 10\n"},
    {MW_OTHER, "odds=1", NULL, "/odds: must be a list of integers\n"},
    /* points */
    {MW_LIST, "dots=%00[3,4%00[0,100", A(DEFAULTS "&range=9,13&dots=3,4;0,100"), NULL},
    {MW_RAW, "dots=3,4", A(DEFAULTS "&range=9,13&dots=3,4"), NULL},
    {MW_RAW, "dots=3", NULL, "/dots/0: must be [x, y] with both from 0 to 100\n"},
    {MW_RAW, "dots=3,4,5", NULL, "/dots/0: must be [x, y] with both from 0 to 100\n"},
    {MW_RAW, "dots=3,4;101,1", NULL, "/dots/1: must be [x, y] with both from 0 to 100\n"},
    {MW_RAW, "dots=3,4;", NULL, "/dots/1: must be [x, y] with both from 0 to 100\n"},
    {MW_LIST, "dots=%003%004", NULL,
     "/dots/0: must be [x, y] with both from 0 to 100\n"
     "/dots/1: must be [x, y] with both from 0 to 100\n"},
    {MW_LIST, "dots=%00[1,2%00", NULL, "/dots/1: must be [x, y] with both from 0 to 100\n"},
    {MW_LIST, "dots=", NULL, "/dots: has 0 points: must have 1 to 4\n"},
    {MW_LIST, "dots=%00[1,1%00[2,2%00[3,3%00[4,4%00[5,5", NULL,
     "/dots: has 5 points: must have 1 to 4\n"},
    /* rows */
    {MW_LIST, "board=%00\".%23%00\"A.", A(DEFAULTS "&range=9,13&board=.%23/A."), NULL},
    {MW_RAW, "board=.", A(DEFAULTS "&range=9,13&board=."), NULL},
    {MW_LIST, "board=%00\"..%00\"...", NULL,
     "/board/1: is of length 3 and row 0 of 2: rows must be of equal length\n"},
    {MW_RAW, "board=../x./.../.y/..", NULL,
     "/board/1: column 0 is 'x': must be one of .#A\n"
     "/board/2: is of length 3 and row 0 of 2: rows must be of equal length\n"
     "/board/3: column 1 is 'y': must be one of .#A\n"},
    {MW_LIST, "board=%00\".%001", NULL, "/board/1: must be a string of .#A\n"},
    {MW_LIST, "board=%001%002", NULL,
     "/board/0: must be a string of .#A\n/board/1: must be a string of .#A\n"},
    {MW_LIST, "board=%00\"..%00\".b", NULL, "/board/1: column 1 is 'b': must be one of .#A\n"},
    {MW_LIST, "board=%00\".%02", NULL,
     "/board/0: column 1 is no printable character: must be one of .#A\n"},
    {MW_LIST, "board=%00\".%C3", NULL,
     "/board/0: column 1 is no printable character: must be one of .#A\n"},
    {MW_RAW, "board=.%00", NULL,
     "/board/0: column 1 is no printable character: must be one of .#A\n"},
    {MW_LIST, "board=%00\"......", NULL, "/board: has rows of length 6: must be 1 to 5\n"},
    {MW_LIST, "board=%00\"", NULL, "/board: has rows of length 0: must be 1 to 5\n"},
    {MW_LIST, "board=%00\".%00\".%00\".%00\".%00\".%00\".", NULL,
     "/board: has 6 rows: must have 1 to 5\n"},
    {MW_TEXT, "board=..", NULL, "/board: must be a list of strings, one for each row\n"},
    {MW_LIST, "board=", NULL, "/board: has 0 rows: must have 1 to 5\n"},
    /* all problems at once, in the order of the table; then what is unknown */
    {MW_RAW, "nope=1&flag=2&number=99&share=x", NULL,
     "/number: must be an integer from -5 to 40\n/share: must be a number from -1.5 to 1\n"
     "/flag: must be true or false\n"
     "/nope: is no parameter of sample/maker: there are number, share, tiling, flag, word, "
     "range, odds, dots, board, v, seed, " LOOKS "\n"},
    {MW_RAW, "a/b~c=1", NULL,
     "/a~1b~0c: is no parameter of sample/maker: there are number, share, tiling, flag, word, "
     "range, odds, dots, board, v, seed, " LOOKS "\n"},
    {MW_RAW, "=1", NULL,
     "/: is no parameter of sample/maker: there are number, share, tiling, flag, word, range, "
     "odds, dots, board, v, seed, " LOOKS "\n"},
    {MW_RAW, "number=1&number=1", NULL, "/number: is given 2 times: give it once\n"},
    {MW_NIL, "number=1&number=1&number=1", NULL, "/number: is given 3 times: give it once\n"},
    {MW_RAW, "number=13", NULL, "/number: is 13: any other would do\n"},
    {MW_RAW, "v=4", NULL, "/v: is 4, but sample/maker is at version 3 here\n"},
    {MW_RAW, "v=0", NULL, "/v: must be an integer from 1 to 2147483647\n"},
    {MW_RAW, "v=3&v=3", NULL, "/v: is given 2 times: give it once\n"},
    {MW_RAW, "format=", NULL, "/format: must be a string of 1 to 32 bytes of UTF-8\n"},
};

TEST(binds, .end = COUNT(rows))
{
    const struct row *row = &rows[_i];
    struct mw_run *run = unit_open();
    size_t count;
    struct mw_arg args[16];
    const struct mw_arg *read = unit_args(run, row->query, &count);
    memcpy(args, read, count * sizeof *args);
    for (size_t i = 0; i < count; i++)
        args[i].shape = row->shape;
    struct mw_request request;
    bool good = mw_bind(run, &mw_sample, args, count, "s", &request);
    ck_assert_str_eq(unit_problems(run), row->problems ? row->problems : "");
    ck_assert_int_eq(good, row->address != NULL);
    if (good)
        ck_assert_str_eq(request.address, row->address);
}

/* ---- seeds ----------------------------------------------------------------------------------- */

#define BYTES_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define SEED_PROBLEM \
    "/seed: must be an integer from 0 to 9007199254740991, or a string of 1 to 64 bytes of " \
    "UTF-8\n"

static const struct {
    enum mw_shape shape;
    const char *text, *seed; /* as bound, or NULL */
    const char *json;        /* as it comes back */
} seeds[] = {
    {MW_NUMBER, "7", "7", "7"},
    {MW_TEXT, "7", "7", "7"},
    {MW_RAW, "7", "7", "7"},
    {MW_NUMBER, "7.0", "7", "7"},
    {MW_NUMBER, "0", "0", "0"},
    {MW_NUMBER, "-0", "0", "0"},
    {MW_NUMBER, "7e1", "70", "70"},
    {MW_TEXT, "007", "007", "\"007\""},
    {MW_TEXT, "7.0", "7.0", "\"7.0\""},
    {MW_TEXT, "-7", "-7", "\"-7\""},
    {MW_NUMBER, "9007199254740991", "9007199254740991", "9007199254740991"},
    {MW_NUMBER, "9007199254740992", NULL, NULL},
    {MW_TEXT, "9007199254740992", "9007199254740992", "\"9007199254740992\""},
    {MW_TEXT, "10000000000000000", "10000000000000000", "\"10000000000000000\""},
    {MW_NUMBER, "9007199254740991.5", NULL, NULL},
    {MW_NUMBER, "-1", NULL, NULL},
    {MW_NUMBER, "0.5", NULL, NULL},
    {MW_NUMBER, "1e400", NULL, NULL},
    {MW_TRUTH, "true", NULL, NULL},
    {MW_LIST, "1,2", NULL, NULL},
    {MW_OTHER, "", NULL, NULL},
    {MW_TEXT, "", NULL, NULL},
    {MW_RAW, "", NULL, NULL},
    {MW_TEXT, "caf\xc3\xa9", "caf\xc3\xa9", "\"caf\xc3\xa9\""},
    {MW_TEXT, "caf\xc3", NULL, NULL},
    {MW_TEXT, BYTES_64, BYTES_64, "\"" BYTES_64 "\""},
    {MW_TEXT, BYTES_64 "x", NULL, NULL},
    {MW_NIL, "", "fresh", "\"fresh\""},
};

static void put_seed(struct mw_run *run, const void *seed) { mw_put_seed_json(run, seed); }

TEST(seed, .end = COUNT(seeds))
{
    struct mw_run *run = unit_open();
    struct mw_arg arg = {"seed", 4, seeds[_i].shape, seeds[_i].text, strlen(seeds[_i].text)};
    struct mw_request request;
    bool good = mw_bind(run, &mw_sample, &arg, 1, "fresh", &request);
    ck_assert_str_eq(unit_problems(run), seeds[_i].seed ? "" : SEED_PROBLEM);
    ck_assert_int_eq(good, seeds[_i].seed != NULL);
    if (!good)
        return;
    ck_assert_str_eq(request.seed, seeds[_i].seed);
    ck_assert_int_eq(request.seed_given, seeds[_i].shape != MW_NIL);
    char kept[80];
    strcpy(kept, request.seed);
    ck_assert_str_eq(unit_put(put_seed, kept), seeds[_i].json);
}

TEST(a_seedless_generator_has_no_seed)
{
    struct mw_generator seedless = mw_null;
    seedless.seedless = true;
    struct mw_run *run = unit_open();
    struct mw_request request;
    ck_assert(mw_bind(run, &seedless, NULL, 0, "fresh", &request));
    ck_assert_ptr_null(request.seed);
    ck_assert_str_eq(request.address, "/null?v=1&width=24&height=12&marks=5");
    run = unit_open();
    struct mw_arg arg = {"seed", 4, MW_NUMBER, "7", 1};
    ck_assert(!mw_bind(run, &seedless, &arg, 1, "fresh", &request));
    ck_assert_str_eq(unit_problems(run),
                     "/seed: is no parameter of null: there are width, height, marks, v, " LOOKS
                     "\n");
}

TEST(another_version_is_a_fault_of_its_own)
{
    struct mw_run *run = unit_open();
    struct mw_arg arg = {"v", 1, MW_NUMBER, "2", 1};
    struct mw_request request;
    ck_assert(!mw_bind(run, &mw_sample, &arg, 1, NULL, &request));
    ck_assert_int_eq(mw_problems(run)->list[0].fault, MW_OTHER_VERSION);
}

TEST(problems_beyond_the_list_are_counted)
{
    enum { MANY = MW_PROBLEMS_MAX + 30 };
    static char names[MANY][8];
    static struct mw_arg args[MANY];
    for (int i = 0; i < MANY; i++) {
        *mw_write_int(names[i], i) = '\0';
        args[i] = (struct mw_arg){names[i], strlen(names[i]), MW_RAW, "", 0};
    }
    struct mw_run *run = unit_open();
    struct mw_request request;
    ck_assert(!mw_bind(run, &mw_sample, args, MANY, NULL, &request));
    ck_assert_uint_eq(mw_problems(run)->count, MW_PROBLEMS_MAX);
    ck_assert_uint_eq(mw_problems(run)->dropped, 30);
}

/* One long list does not hide what else is wrong. */
TEST(of_a_list_the_first_wrong_elements_are_told)
{
    struct mw_run *run = unit_open();
    for (int32_t i = 0; i < 2 * MW_ELEMENTS_MAX; i++) {
        mw_add_problem_at(run, MW_BAD_PARAM, "/odds", 3 * i, "is %d", i);
        mw_add_problem_at(run, MW_BAD_PARAM, "/odd", i, "is of another list");
    }
    mw_add_problem(run, MW_BAD_PARAM, "/range", "is told");
    const struct mw_problems *problems = mw_problems(run);
    ck_assert_uint_eq(problems->count, 2 * MW_ELEMENTS_MAX + 1);
    ck_assert_uint_eq(problems->dropped, 2 * MW_ELEMENTS_MAX);
    ck_assert_str_eq(problems->list[2].pointer, "/odds/3");
    ck_assert_str_eq(problems->list[2].detail, "is 1");
    ck_assert_str_eq(problems->list[problems->count - 1].pointer, "/range");
}

TEST(a_name_too_long_or_no_text_makes_a_good_pointer)
{
    static char name[500];
    memset(name, '~', sizeof name);
    struct mw_run *run = unit_open();
    struct mw_arg args[] = {{name, sizeof name, MW_RAW, "", 0}, {"x\xff\xc3", 3, MW_RAW, "", 0}};
    struct mw_request request;
    ck_assert(!mw_bind(run, &mw_sample, args, 2, NULL, &request));
    const char *pointer = mw_problems(run)->list[0].pointer;
    ck_assert_uint_lt(strlen(pointer), MW_POINTER_MAX);
    for (size_t i = 1; pointer[i]; i += 2)
        ck_assert_mem_eq(pointer + i, "~0", 2);
    for (const char *c = mw_problems(run)->list[1].pointer; *c; c++)
        ck_assert_msg(!(*c & 0x80), "the pointer is not UTF-8");
}

TEST(a_look_is_bound_beside_the_address)
{
    struct mw_run *run = unit_open();
    struct mw_arg args[] = {{"scale", 5, MW_NUMBER, "9", 1}, {"color", 5, MW_TRUTH, "true", 4}};
    struct mw_request plain, looked;
    ck_assert(mw_bind(run, &mw_null, args, 0, "7", &plain));
    ck_assert(mw_bind(run, &mw_null, args, 2, "7", &looked));
    ck_assert_str_eq(looked.address, plain.address);
    ck_assert_int_eq(plain.look.scale, 0);
    ck_assert_int_eq(looked.look.scale, 9);
    ck_assert(looked.look.color && !plain.look.color && !looked.look.format);
    struct mw_look look;
    ck_assert(mw_bind_look(run, args, 2, &look));
    ck_assert(look.scale == 9 && look.color && !look.format);
}

TEST(a_look_alone_takes_no_other_parameter)
{
    struct mw_run *run = unit_open();
    struct mw_arg args[] = {{"scale", 5, MW_RAW, "65", 2}, {"width", 5, MW_RAW, "4", 1}};
    struct mw_look look;
    ck_assert(!mw_bind_look(run, args, 2, &look));
    ck_assert_str_eq(unit_problems(run), "/scale: must be an integer from 1 to 64\n"
                                         "/width: is no parameter here: there are " LOOKS "\n");
}

TEST(an_encoder_sees_the_fields_of_its_mask)
{
    const struct mw_look all = {.format = "png", .scale = 9, .color = true, .voxel = 3};
    for (size_t i = 0; mw_encoders[i]; i++) {
        unsigned look_mask = mw_encoders[i]->look_mask;
        struct mw_look look = mw_effective_look(mw_encoders[i], all);
        ck_assert_str_eq(look.format, mw_encoders[i]->name);
        ck_assert_int_eq(look.scale, look_mask & MW_LOOK_BIT(SCALE) ? 9 : 0);
        ck_assert(look.color == !!(look_mask & MW_LOOK_BIT(COLOR)));
        ck_assert_int_eq(look.voxel, look_mask & MW_LOOK_BIT(VOXEL) ? 3 : 1);
    }
}

/* The bytes of a map in that look; valid until it is called again. */
static struct mw_bytes look_at(const char *address, const struct mw_encoder *encoder,
                               const struct mw_look *look)
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    ck_assert(mw_bind_address(run, address, strlen(address), &request));
    request.look = *look;
    const struct mw_map *map = mw_make(run, &request);
    ck_assert_msg(map != NULL, "%s: %s", address, unit_problems(run));
    return mw_encode_with(run, encoder, map);
}

TEST(fields_that_an_encoder_does_not_use_change_no_bytes, .end = 4)
{
    static const char *const addresses[] = {
        "/regions?width=8&height=6&count=3&seed=1", "/islands?islands=1,20&size=1,400&seed=386",
        "/starlanes?stars=20&seed=1", "/puzzle/generate?width=5&height=5&seed=1"};
    const struct mw_look odd = {.scale = 3,
                                .color = true,
                                .voxel = 2,
                                .columns = 33,
                                .tables = true,
                                .grid_lines = true,
                                .theme = MW_THEME_DARK,
                                .palette = 1,
                                .solution = MW_SOLUTION_SHOWN,
                                .margin = 7,
                                .maps = 2};
    const char *address = addresses[_i];
    for (size_t i = 0; mw_encoders[i]; i++) {
        const struct mw_encoder *encoder = mw_encoders[i];
        struct mw_request request;
        ck_assert(mw_bind_address(unit_open(), address, strlen(address), &request));
        if (!mw_fits(encoder, &request))
            continue;
        struct mw_look heeded = mw_effective_look(encoder, odd);
        struct mw_bytes one = look_at(address, encoder, &heeded);
        ck_assert(one.length > 0);
        char *kept = malloc(one.length);
        memcpy(kept, one.at, one.length);
        struct mw_bytes other = look_at(address, encoder, &odd);
        ck_assert_msg(one.length == other.length && !memcmp(kept, other.at, one.length), "%s of %s",
                      encoder->name, address);
        free(kept);
    }
}

TEST(a_look_is_told_as_far_as_it_is_no_default)
{
    struct mw_look plain, look, other;
    struct mw_arg args[] = {{"scale", 5, MW_RAW, "9", 1}, {"color", 5, MW_RAW, "true", 4}};
    char text[MW_LOOK_BYTES];
    ck_assert(mw_bind_look(unit_open(), args, 0, &plain));
    ck_assert(mw_bind_look(unit_open(), args, 2, &look));
    ck_assert_ptr_eq(mw_write_look(text, &plain), text);
    *mw_write_look(text, &look) = '\0';
    ck_assert_str_eq(text, "&scale=9&color=true");
    other = look;
    other.format = "svg";
    ck_assert(mw_same_look(&look, &other) && !mw_same_look(&look, &plain));
    other.voxel = 2;
    ck_assert(!mw_same_look(&look, &other));
}
