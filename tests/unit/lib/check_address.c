/* check_address.c: queries read, and what is no address of a map. */
#include "unit/unit.h"

static const struct {
    const char *query, *decoded; /* as name=text| each, NULL: refused */
} queries[] = {
    {"", ""},
    {"&&", ""},
    {"a=1&a=2&", "a=1|a=2|"},
    {"a", "a=|"},
    {"=1", "=1|"},
    {"=", "=|"},
    {"a=b=c", "a=b=c|"},
    {"a+b=c+d", "a b=c d|"},
    {"a%3Db=%26%3d", "a=b=&=|"},
    {"mask=%23.%23/..%23", "mask=#.#/..#|"},
    {"a=%C3%A9%fF", "a=\xc3\xa9\xff|"},
    {"a=%2B", "a=+|"},
    {"a=x%00y", "a=x\0y|"},
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
    bool good = mw_read_query(run, queries[_i].query, strlen(queries[_i].query), &args, &count);
    ck_assert_int_eq(good, queries[_i].decoded != NULL);
    ck_assert(good || mw_problems(run)->list[0].fault == MW_BAD_PARAM);
    const char *at = queries[_i].decoded;
    for (size_t i = 0; good && i < count; i++) {
        ck_assert_int_eq(args[i].shape, MW_RAW);
        ck_assert_mem_eq(at, args[i].name, args[i].name_length);
        at += args[i].name_length;
        ck_assert_int_eq(*at++, '=');
        ck_assert_mem_eq(at, args[i].text, args[i].length);
        at += args[i].length;
        ck_assert_int_eq(*at++, '|');
    }
    ck_assert(!good || !*at);
}

static const char *const no_addresses[] = {"",   "/",         "?",    "/?v=1", "/no-such?seed=1",
                                           "//", "/regions/", "/.svg"};

TEST(an_address_begins_with_the_path_of_a_generator)
{
    struct mw_request request;
    for (int i = 0; i < COUNT(no_addresses); i++) {
        struct mw_run *run = unit_open();
        ck_assert(!mw_bind_address(run, no_addresses[i], strlen(no_addresses[i]), &request));
        ck_assert_int_eq(mw_problems(run)->list[0].fault, MW_BAD_PARAM);
    }
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        char path[100] = "/";
        strcat(path, (*g)->name);
        mw_bind_address(unit_open(), path, strlen(path), &request);
        ck_assert_ptr_eq(request.generator, *g);
    }
}
