/*
 * check_bind.c: arguments to an address, or to problems.
 *
 * A row is a query with the shape of its values, and the address or all the problems that come of
 * it.
 */
#include "unit/unit.h"

#include "all/registry.h"

#include <stdlib.h>

/* An argument whose text is written as in a query: %00 before each element of a list of JSON. */
struct bound_row {
    enum mw_shape shape; /* of every value */
    const char *query, *outcome;
};

/* Binds a row to the sample; its address, or its problems. */
static const char *bind_row(const struct bound_row *row)
{
    static struct mw_request request;
    struct mw_run *run = unit_open();
    size_t count;
    struct mw_arg args[16];
    const struct mw_arg *read = unit_args(run, row->query, &count);
    memcpy(args, read, count * sizeof *args);
    for (size_t i = 0; i < count; i++)
        args[i].shape = row->shape;
    bool good = mw_bind(run, &mw_sample, args, count, "s", &request);
    ck_assert_int_eq(good, !mw_problems(run)->count);
    return good ? request.address : unit_problems(run);
}

/* ---- good values ----------------------------------------------------------------------------- */

#define REST "&tiling=square&flag=true&range=9,13"
#define DEFAULTS "number=6&share=0.25&tiling=square&flag=true"

/* The outcome stands between "/sample/maker?v=3&" and "&seed=s". */
static const struct bound_row accepted[] = {
    {MW_RAW, "", DEFAULTS "&range=9,13"},
    {MW_RAW, "&&v=3&format=svg", DEFAULTS "&range=9,13"},
    {MW_NIL, "number=null", DEFAULTS "&range=9,13"},
    {MW_RAW, "number=10.0", "number=10&share=0.25" REST},
    {MW_NUMBER, "number=1e1", "number=10&share=0.25" REST},
    {MW_NUMBER, "number=-5", "number=-5&share=0.25" REST},
    {MW_NUMBER, "number=40", "number=40&share=0.25" REST},
    /* decimals: one spelling */
    {MW_RAW, "share=.5", "number=6&share=0.5" REST},
    {MW_NUMBER, "share=5e-1", "number=6&share=0.5" REST},
    {MW_NUMBER, "share=-1.5", "number=6&share=-1.5" REST},
    {MW_NUMBER, "share=-0.05", "number=6&share=-0.05" REST},
    {MW_NUMBER, "share=-0", "number=6&share=0" REST},
    {MW_NUMBER, "share=0.0004", "number=6&share=0" REST},
    {MW_NUMBER, "share=1", "number=6&share=1" REST},
    /* choices and truth */
    {MW_TEXT, "tiling=hex", "number=6&share=0.25&tiling=hex&flag=true&range=9,13"},
    {MW_TRUTH, "flag=false", "number=6&share=0.25&tiling=square&flag=false&range=9,13"},
    {MW_RAW, "flag=0", "number=6&share=0.25&tiling=square&flag=false&range=9,13"},
    {MW_RAW, "flag=1", DEFAULTS "&range=9,13"},
    /* strings */
    {MW_TEXT, "word=caf%C3%A9+%26+%2F", DEFAULTS "&word=caf%C3%A9%20%26%20%2F&range=9,13"},
    {MW_TEXT, "word=%E0%A0%80", DEFAULTS "&word=%E0%A0%80&range=9,13"},
    {MW_TEXT, "word=%ED%9F%BF", DEFAULTS "&word=%ED%9F%BF&range=9,13"},
    {MW_TEXT, "word=%F0%90%80%80", DEFAULTS "&word=%F0%90%80%80&range=9,13"},
    {MW_TEXT, "word=%F4%8F%BF%BF", DEFAULTS "&word=%F4%8F%BF%BF&range=9,13"},
    /* lists */
    {MW_LIST, "range=%0010%0020.0", DEFAULTS "&range=10,20"},
    {MW_RAW, "range=1e1,20&odds=-10", DEFAULTS "&range=10,20&odds=-10"},
    {MW_LIST, "dots=%00[3,4%00[0,100", DEFAULTS "&range=9,13&dots=3,4;0,100"},
    {MW_RAW, "dots=3,4", DEFAULTS "&range=9,13&dots=3,4"},
    {MW_LIST, "board=%00\".%23%00\"A.", DEFAULTS "&range=9,13&board=.%23/A."},
    {MW_RAW, "board=.", DEFAULTS "&range=9,13&board=."},
};

/* The address binds to itself, and holds no character that must be escaped in a query. */
TEST(good_values_have_one_address, .end = COUNT(accepted))
{
    char address[1000], expected[1000] = "/sample/maker?v=3&";
    strcat(strcat(expected, accepted[_i].outcome), "&seed=s");
    strcpy(address, bind_row(&accepted[_i]));
    ck_assert_str_eq(address, expected);
    ck_assert_str_eq(bind_row(&(struct bound_row){MW_RAW, strchr(address, '?') + 1, NULL}),
                     address);
    ck_assert_uint_eq(strspn(address,
                             "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "/?&=,;%-._~"),
                      strlen(address));
}

/* ---- problems -------------------------------------------------------------------------------- */

#define LOOKS \
    "format, scale, color, voxel, columns, tables, labels, grid_lines, theme, palette, solution, " \
    "under, margin, maps, collision"
#define NUMBER "/number: must be an integer from -5 to 40\n"
#define SHARE "/share: must be a number from -1.5 to 1\n"
#define TILING "/tiling: must be one of: hex, square\n"
#define FLAG "/flag: must be true or false\n"
#define WORD "/word: must be a string of 2 to 12 bytes of UTF-8\n"
#define RANGE(i) "/range/" #i ": must be an integer from 1 to 99\n"
#define ODDS(i) "/odds/" #i ": must be an integer from -10 to 10\n"
#define DOTS(i) "/dots/" #i ": must be [x, y] with both from 0 to 100\n"
#define BOARD(i) "/board/" #i ": must be a string of .#A\n"
#define UNPRINTABLE "/board/0: column 1 is no printable character: must be one of .#A\n"
#define UNKNOWN \
    ": is no parameter of sample/maker: there are number, share, tiling, flag, word, range, " \
    "odds, dots, board, v, seed, " LOOKS "\n"

static const struct bound_row refused[] = {
    {MW_NUMBER, "number=41", NUMBER},
    {MW_NUMBER, "number=-6", NUMBER},
    {MW_NUMBER, "number=1.5", NUMBER},
    {MW_NUMBER, "number=4294967297", NUMBER},
    {MW_TEXT, "number=6", NUMBER},
    {MW_TRUTH, "number=true", NUMBER},
    {MW_OTHER, "number=6", NUMBER},
    {MW_RAW, "number", NUMBER},
    {MW_NUMBER, "share=1.0004", SHARE},
    {MW_NUMBER, "share=-1.501", SHARE},
    {MW_TEXT, "share=0.5", SHARE},
    {MW_RAW, "share=half", SHARE},
    {MW_TEXT, "tiling=Hex", TILING},
    {MW_NUMBER, "tiling=0", TILING},
    {MW_NUMBER, "flag=1", FLAG},
    {MW_TEXT, "flag=true", FLAG},
    {MW_TEXT, "word=a", WORD},
    {MW_TEXT, "word=abcdefghijklm", WORD},
    {MW_TEXT, "word=ab%C3", WORD},
    {MW_TEXT, "word=%C0%80ab", WORD},
    {MW_TEXT, "word=%C3a", WORD},
    {MW_TEXT, "word=%E0%80%80", WORD},
    {MW_TEXT, "word=%F0%80%80%80", WORD},
    {MW_TEXT, "word=%ED%A0%80", WORD},
    {MW_TEXT, "word=%F4%90%80%80", WORD},
    {MW_TEXT, "word=ab%00cd", WORD},
    {MW_NUMBER, "word=12", WORD},
    /* lists of integers */
    {MW_LIST, "range=%0010", "/range: has 1 element: must have 2\n"},
    {MW_LIST, "range=%001%002%003", "/range: has 3 elements: must have 2\n"},
    {MW_NUMBER, "range=9", "/range: must be a list of two integers\n"},
    {MW_LIST, "range=%000%00100", RANGE(0) RANGE(1)},
    {MW_LIST, "range=%005%004", "/range: goes from 5 down to 4\n"},
    {MW_RAW, "range=5,", RANGE(1)},
    {MW_RAW, "odds=", ODDS(0)},
    {MW_LIST, "odds=", "/odds: has 0 elements: must have 1 to 5\n"},
    {MW_LIST, "odds=%001%002%003%004%005%006", "/odds: has 6 elements: must have 1 to 5\n"},
    {MW_LIST, "odds=%001%00\"2%003%00%00[1,2", ODDS(1) ODDS(3) ODDS(4)},
    {MW_OTHER, "odds=1", "/odds: must be a list of integers\n"},
    /* points */
    {MW_RAW, "dots=3", DOTS(0)},
    {MW_RAW, "dots=3,4,5", DOTS(0)},
    {MW_RAW, "dots=3,4;101,1", DOTS(1)},
    {MW_RAW, "dots=3,4;", DOTS(1)},
    {MW_LIST, "dots=%003%004", DOTS(0) DOTS(1)},
    {MW_LIST, "dots=", "/dots: has 0 points: must have 1 to 4\n"},
    /* rows */
    {MW_LIST, "board=%00\"..%00\"...",
     "/board/1: is of length 3 and row 0 of 2: rows must be of equal length\n"},
    {MW_RAW, "board=../x./.../.y/..",
     "/board/1: column 0 is 'x': must be one of .#A\n"
     "/board/2: is of length 3 and row 0 of 2: rows must be of equal length\n"
     "/board/3: column 1 is 'y': must be one of .#A\n"},
    {MW_LIST, "board=%00\".%001", BOARD(1)},
    {MW_LIST, "board=%001%002", BOARD(0) BOARD(1)},
    {MW_LIST, "board=%00\".%02", UNPRINTABLE},
    {MW_LIST, "board=%00\".%C3", UNPRINTABLE},
    {MW_RAW, "board=.%00", UNPRINTABLE},
    {MW_LIST, "board=%00\"......", "/board: has rows of length 6: must be 1 to 5\n"},
    {MW_LIST, "board=%00\"", "/board: has rows of length 0: must be 1 to 5\n"},
    {MW_LIST, "board=%00\".%00\".%00\".%00\".%00\".%00\".",
     "/board: has 6 rows: must have 1 to 5\n"},
    {MW_TEXT, "board=..", "/board: must be a list of strings, one for each row\n"},
    /* all problems at once, in the order of the table; then what is unknown */
    {MW_RAW, "nope=1&flag=2&number=99&share=x", NUMBER SHARE FLAG "/nope" UNKNOWN},
    {MW_RAW, "a/b~c=1", "/a~1b~0c" UNKNOWN},
    {MW_RAW, "=1", "/" UNKNOWN},
    {MW_RAW, "number=1&number=1", "/number: is given 2 times: give it once\n"},
    {MW_NIL, "number=1&number=1&number=1", "/number: is given 3 times: give it once\n"},
    {MW_RAW, "number=13", "/number: is 13: any other would do\n"},
    {MW_RAW, "v=4", "/v: is 4, but sample/maker is at version 3 here\n"},
    {MW_RAW, "v=0", "/v: must be an integer from 1 to 2147483647\n"},
    {MW_RAW, "format=", "/format: must be a string of 1 to 32 bytes of UTF-8\n"},
};

TEST(all_problems_are_reported, .end = COUNT(refused))
{
    ck_assert_str_eq(bind_row(&refused[_i]), refused[_i].outcome);
}

/* ---- seeds ----------------------------------------------------------------------------------- */

#define BYTES_64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct {
    enum mw_shape shape;
    const char *text, *seed; /* as bound; NULL: refused */
    bool number;             /* whether it comes back as one */
} seeds[] = {
    {MW_NUMBER, "7", "7", true},
    {MW_TEXT, "7", "7", true},
    {MW_RAW, "7", "7", true},
    {MW_NUMBER, "7.0", "7", true},
    {MW_NUMBER, "-0", "0", true},
    {MW_NUMBER, "7e1", "70", true},
    {MW_NUMBER, "9007199254740991", "9007199254740991", true},
    {MW_TEXT, "007", "007", false},
    {MW_TEXT, "7.0", "7.0", false},
    {MW_TEXT, "-7", "-7", false},
    {MW_TEXT, "9007199254740992", "9007199254740992", false},
    {MW_TEXT, "10000000000000000", "10000000000000000", false},
    {MW_TEXT, "caf\xc3\xa9", "caf\xc3\xa9", false},
    {MW_TEXT, BYTES_64, BYTES_64, false},
    {MW_NIL, "", "fresh", false},
    {MW_NUMBER, "9007199254740992", NULL, false},
    {MW_NUMBER, "9007199254740991.5", NULL, false},
    {MW_NUMBER, "-1", NULL, false},
    {MW_NUMBER, "1e400", NULL, false},
    {MW_TRUTH, "true", NULL, false},
    {MW_LIST, "1,2", NULL, false},
    {MW_OTHER, "", NULL, false},
    {MW_RAW, "", NULL, false},
    {MW_TEXT, "caf\xc3", NULL, false},
    {MW_TEXT, BYTES_64 "x", NULL, false},
};

static void put_seed(struct mw_run *run, const void *seed) { mw_put_seed(run, &mw_as_json, seed); }

TEST(seeds_are_numbers_or_strings, .end = COUNT(seeds))
{
    struct mw_run *run = unit_open();
    struct mw_arg arg = {"seed", 4, seeds[_i].shape, seeds[_i].text, strlen(seeds[_i].text)};
    struct mw_request request;
    bool good = mw_bind(run, &mw_sample, &arg, 1, "fresh", &request);
    ck_assert_str_eq(unit_problems(run),
                     seeds[_i].seed ? ""
                                    : "/seed: must be an integer from 0 to 9007199254740991, or a "
                                      "string of 1 to 64 bytes of UTF-8\n");
    if (!good)
        return;
    ck_assert_str_eq(request.seed, seeds[_i].seed);
    ck_assert_int_eq(request.seed_given, seeds[_i].shape != MW_NIL);
    ck_assert_int_eq(*unit_put(put_seed, seeds[_i].seed) != '"', seeds[_i].number);
}

/* ---- many problems, odd names ---------------------------------------------------------------- */

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
TEST(of_a_list_the_first_wrong_elements_are_reported)
{
    struct mw_run *run = unit_open();
    for (int32_t i = 0; i < 2 * MW_ELEMENTS_MAX; i++) {
        mw_add_problem_at(run, MW_BAD_PARAM, "/odds", 3 * i, "is %d", i);
        mw_add_problem_at(run, MW_BAD_PARAM, "/odd", i, "is of another list");
    }
    const struct mw_problems *problems = mw_problems(run);
    ck_assert_uint_eq(problems->count, 2 * MW_ELEMENTS_MAX);
    ck_assert_uint_eq(problems->dropped, 2 * MW_ELEMENTS_MAX);
    ck_assert_str_eq(problems->list[2].pointer, "/odds/3");
    ck_assert_str_eq(problems->list[2].detail, "is 1");
}

TEST(a_name_too_long_or_not_in_utf_8_makes_a_good_pointer)
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
    ck_assert_str_eq(mw_problems(run)->list[1].pointer, "/x??");
}

/* ---- looks ----------------------------------------------------------------------------------- */

TEST(a_look_is_bound_beside_the_address_or_alone)
{
    struct mw_arg args[] = {{"scale", 5, MW_NUMBER, "9", 1}, {"color", 5, MW_TRUTH, "true", 4}},
                  wrong[] = {{"scale", 5, MW_RAW, "65", 2}, {"width", 5, MW_RAW, "4", 1}};
    struct mw_request request;
    struct mw_look plain, look;
    char text[MW_LOOK_BYTES];
    ck_assert(mw_bind_look(unit_open(), args, 0, &plain));
    ck_assert(plain.scale == 0 && !plain.color && mw_write_look(text, &plain) == text);
    ck_assert(mw_bind_look(unit_open(), args, 2, &look));
    ck_assert(look.scale == 9 && look.color && !look.format);
    *mw_write_look(text, &look) = '\0';
    ck_assert_str_eq(text, "&scale=9&color=true");
    ck_assert(mw_bind(unit_open(), &mw_null, args, 2, "7", &request));
    ck_assert_str_eq(request.address, "/null?v=1&width=24&height=12&marks=5&seed=7");
    ck_assert(mw_same_look(&look, &request.look) && !mw_same_look(&look, &plain));
    struct mw_run *run = unit_open();
    ck_assert(!mw_bind_look(run, wrong, 2, &look));
    ck_assert_str_eq(unit_problems(run), "/scale: must be an integer from 1 to 64\n"
                                         "/width: is no parameter here: there are " LOOKS "\n");
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
    for (size_t i = 0; mw_encoders[i]; i++) {
        const struct mw_encoder *encoder = mw_encoders[i];
        struct mw_request request;
        mw_bind_address(unit_open(), addresses[_i], strlen(addresses[_i]), &request);
        struct mw_look used = mw_effective_look(encoder, odd);
        ck_assert_int_eq(used.voxel, encoder->look_mask & MW_LOOK_BIT(VOXEL) ? 2 : 1);
        ck_assert_int_eq(used.color, !!(encoder->look_mask & MW_LOOK_BIT(COLOR)));
        if (!mw_fits(encoder, &request))
            continue;
        struct mw_bytes one = look_at(addresses[_i], encoder, &used);
        char *copy = malloc(one.length);
        memcpy(copy, one.at, one.length);
        struct mw_bytes other = look_at(addresses[_i], encoder, &odd);
        ck_assert_msg(one.length && one.length == other.length &&
                          !memcmp(copy, other.at, one.length),
                      "%s of %s", encoder->name, addresses[_i]);
        free(copy);
    }
}
