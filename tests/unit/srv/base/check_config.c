/* check_config.c: flags, environment, defaults. */
#include "srv/base/config.h"
#include "unit/unit.h"

#include <stdlib.h>

static const char *variable, *variable_value; /* the one that is set */

static const char *environment(const char *name)
{
    return variable && !strcmp(name, variable) ? variable_value : NULL;
}

static enum config_outcome read_flags(struct config *config, const char *first, const char *second,
                                      char why[320])
{
    char *argv[] = {(char *)(uintptr_t) "mapwrightd", (char *)(uintptr_t)first,
                    (char *)(uintptr_t)second, NULL};
    return config_read(config, second ? 3 : first ? 2 : 1, argv, environment, why);
}

static const struct {
    const char *first, *second;
    enum config_outcome outcome;
    const char *why; /* a part of it */
} rows[] = {
    {NULL, NULL, CONFIG_OK, NULL},
    {"--port=1", NULL, CONFIG_OK, NULL},
    {"--port", "65535", CONFIG_OK, NULL},
    {"--log=off", NULL, CONFIG_OK, NULL},
    {"--host=::1", NULL, CONFIG_OK, NULL},
    {"--cache-bytes=0", NULL, CONFIG_OK, NULL},
    {"--help", NULL, CONFIG_HELP, NULL},
    {"--version", NULL, CONFIG_VERSION, NULL},
    {"--port=0", NULL, CONFIG_WRONG, "from 1 to 65535"},
    {"--port=65536", NULL, CONFIG_WRONG, "from 1 to 65535"},
    {"--port=", NULL, CONFIG_WRONG, "--port"},
    {"--port=80x", NULL, CONFIG_WRONG, "80x"},
    {"--port=-1", NULL, CONFIG_WRONG, "-1"},
    {"--port=99999999999999999999999", NULL, CONFIG_WRONG, "65535"},
    {"--port", NULL, CONFIG_WRONG, "value must follow"},
    {"--host=", NULL, CONFIG_WRONG, "--host"},
    {"--log=maybe", NULL, CONFIG_WRONG, "on or off"},
    {"--max-body=0", NULL, CONFIG_WRONG, "--max-body"},
    {"--max-body=1T", NULL, CONFIG_WRONG, "1T"},
    {"--max-body=65M", NULL, CONFIG_WRONG, "64M"},
    {"--por=1", NULL, CONFIG_WRONG, "unknown flag '--por=1'"},
    {"-p", NULL, CONFIG_WRONG, "unknown flag"},
    {"--", NULL, CONFIG_WRONG, "unknown flag"},
    {"--=1", NULL, CONFIG_WRONG, "unknown flag"},
    {"8080", NULL, CONFIG_WRONG, "unknown flag"},
};

START_TEST(reads)
{
    struct config config;
    char why[320] = "";
    variable = NULL;
    ck_assert_int_eq(read_flags(&config, rows[_i].first, rows[_i].second, why), rows[_i].outcome);
    if (rows[_i].why)
        ck_assert_msg(strstr(why, rows[_i].why), "%s", why);
}
END_TEST

static const struct {
    const char *text;
    int64_t bytes;
} sizes[] = {
    {"--cache-bytes=1", 1},
    {"--cache-bytes=1000000", 1000000},
    {"--cache-bytes=3K", 3072},
    {"--cache-bytes=256M", INT64_C(256) << 20},
    {"--cache-bytes=12G", INT64_C(12) << 30},
};

START_TEST(reads_sizes)
{
    struct config config;
    char why[320];
    variable = NULL;
    ck_assert_int_eq(read_flags(&config, sizes[_i].text, NULL, why), CONFIG_OK);
    ck_assert_int_eq(config.cache_bytes, sizes[_i].bytes);
}
END_TEST

START_TEST(prefers_flags_to_the_environment)
{
    struct config config;
    char why[320];
    variable = "MAPWRIGHT_MAX_BODY";
    variable_value = "2K";
    ck_assert_int_eq(read_flags(&config, NULL, NULL, why), CONFIG_OK);
    ck_assert_int_eq(config.max_body, 2048);
    ck_assert_int_eq(read_flags(&config, "--max-body=3K", NULL, why), CONFIG_OK);
    ck_assert_int_eq(config.max_body, 3072);
    variable_value = "2x";
    ck_assert_int_eq(read_flags(&config, NULL, NULL, why), CONFIG_WRONG);
    ck_assert_msg(strstr(why, "2x"), "%s", why);
}
END_TEST

START_TEST(has_defaults_that_its_help_names)
{
    struct config config;
    char why[320], *text = NULL;
    size_t length = 0;
    variable = NULL;
    ck_assert_int_eq(read_flags(&config, NULL, NULL, why), CONFIG_OK);
    ck_assert_int_eq(config.port, 8080);
    ck_assert_int_eq(config.max_body, 1 << 20);
    FILE *to = open_memstream(&text, &length);
    config_help(to);
    fclose(to);
    ck_assert_msg(strstr(text, "--port=8080 ") && strstr(text, "--max-body=1M "), "%s", text);
    free(text);
}
END_TEST

Suite *suite_config(void)
{
    Suite *suite = suite_create("config");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, reads, 0, COUNT(rows));
    tcase_add_loop_test(all, reads_sizes, 0, COUNT(sizes));
    tcase_add_test(all, prefers_flags_to_the_environment);
    tcase_add_test(all, has_defaults_that_its_help_names);
    suite_add_tcase(suite, all);
    return suite;
}
