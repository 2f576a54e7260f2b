/* check_address.c: queries read, addresses written and read again. */
#include "unit/unit.h"

/* ---- queries --------------------------------------------------------------------------------- */

static const struct {
    const char *query, *decoded; /* as name=text| each, NULL: refused */
} queries[] = {
    {"", ""},
    {"&&", ""},
    {"a=1", "a=1|"},
    {"a=1&b=2", "a=1|b=2|"},
    {"a=1&a=2&", "a=1|a=2|"},
    {"a", "a=|"},
    {"a=", "a=|"},
    {"=1", "=1|"},
    {"=", "=|"},
    {"a=b=c", "a=b=c|"},
    {"a+b=c+d", "a b=c d|"},
    {"a%3Db=%26%3d", "a=b=&=|"},
    {"mask=%23.%23/..%23", "mask=#.#/..#|"},
    {"a=%C3%A9%fF", "a=\xc3\xa9\xff|"},
    {"a=%2B", "a=+|"},
    {"a=%", NULL},
    {"a=%2", NULL},
    {"a=%2&b", NULL},
    {"a=%G0", NULL},
    {"a=%0G", NULL},
    {"%=1", NULL},
    {"a=%%25", NULL},
};

TEST(reads_a_query, .end = COUNT(queries))
{
    struct mw_run *run = unit_open();
    const struct mw_arg *args;
    size_t count;
    char text[200] = "", *to = text;
    bool good = mw_read_query(run, queries[_i].query, strlen(queries[_i].query), &args, &count);
    ck_assert_int_eq(good, queries[_i].decoded != NULL);
    if (!good) {
        ck_assert_int_eq(mw_problems(run)->list[0].fault, MW_BAD_PARAM);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(args[i].shape, MW_RAW);
        memcpy(to, args[i].name, args[i].name_length);
        to += args[i].name_length;
        *to++ = '=';
        memcpy(to, args[i].text, args[i].length);
        to += args[i].length;
        *to++ = '|';
    }
    *to = '\0';
    ck_assert_str_eq(text, queries[_i].decoded);
}

TEST(a_decoded_zero_byte_is_kept)
{
    struct mw_run *run = unit_open();
    size_t count;
    const struct mw_arg *args = unit_args(run, "a=x%00y", &count);
    ck_assert_uint_eq(args[0].length, 3);
    ck_assert_mem_eq(args[0].text, "x\0y", 3);
}

/* ---- round trips ----------------------------------------------------------------------------- */

/* Queries of the sample that are good; their addresses must bind to themselves. */
static const char *const good[] = {
    "",
    "seed=7",
    "seed=%25%26%2B%3D%23%3F",
    "seed=caf%C3%A9",
    "word=%26x%3D1&seed=%01%7F",
    "word=a%2Fb%3F",
    "number=-5&share=-1.5&tiling=hex&flag=false&range=1,99&odds=-10,10,0&dots=0,0;100,100&board=.%"
    "23A/A.%23",
    "share=0.001",
    "share=-0.001",
    "share=0.1",
    "board=A",
};

TEST(binds_to_itself_and_holds_safe_characters, .end = COUNT(good))
{
    struct mw_run *run = unit_open();
    size_t count;
    struct mw_request request;
    const struct mw_arg *args = unit_args(run, good[_i], &count);
    ck_assert_msg(mw_bind(run, &mw_sample, args, count, "s", &request), "%s", unit_problems(run));
    static char address[1000];
    strcpy(address, request.address);
    for (const char *c = address; *c; c++)
        ck_assert_msg(strchr("/?&=,;%-._~", *c) || (*c >= '0' && *c <= '9') ||
                          (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'),
                      "%s holds a %d", address, *c);
    run = unit_open();
    args = unit_args(run, strchr(address, '?') + 1, &count);
    ck_assert_msg(mw_bind(run, &mw_sample, args, count, NULL, &request), "%s", unit_problems(run));
    ck_assert_str_eq(request.address, address);
    ck_assert(request.seed_given);
}

static const char *const no_addresses[] = {"",
                                           "/",
                                           "?",
                                           "x",
                                           "/?v=1",
                                           "/no-such",
                                           "/no-such?seed=1",
                                           "regions?seed=1",
                                           "//",
                                           "/regions/?seed=1",
                                           "/regions.svg?seed=1",
                                           "/region?seed=1"};

TEST(what_is_no_address_is_refused, .end = COUNT(no_addresses))
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    ck_assert(!mw_bind_address(run, no_addresses[_i], strlen(no_addresses[_i]), &request));
    ck_assert_int_eq(mw_problems(run)->list[0].fault, MW_BAD_PARAM);
}

TEST(every_registered_path_is_an_address)
{
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        char path[100] = "/";
        strcat(path, (*g)->name);
        struct mw_run *run = unit_open();
        struct mw_request request;
        mw_bind_address(run, path, strlen(path), &request);
        ck_assert_ptr_eq(request.generator, *g);
    }
}
