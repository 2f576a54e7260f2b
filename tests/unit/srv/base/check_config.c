/* check_config.c: flags, environment, defaults. */
#include "srv/base/config.h"
#include "unit/unit.h"

#include <stdlib.h>

static char *environment[] = {NULL, NULL};

static struct strbuf messages;

/* A copy of the text, or no text. */
static char *writable(const char *text) { return (char *)(uintptr_t)text; }

/* Reads flags and environment[]; the message ends with a NUL. */
static enum config_outcome read_flags(struct config *config, const char *first, const char *second)
{
    char *argv[] = {writable("mapwrightd"), writable(first), writable(second), NULL};
    strbuf_reset(&messages, 0);
    enum config_outcome outcome = config_read(config,
                                              second  ? 3
                                              : first ? 2
                                                      : 1,
                                              argv, environment, &messages);
    strbuf_char(&messages, '\0');
    return outcome;
}

static void set_environment(const char *variable) { environment[0] = writable(variable); }

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
    {"--store=redis://:hush@cache:7/1", NULL, CONFIG_OK, NULL},
    {"--store=http://:hush@cache", NULL, CONFIG_WRONG, "(secret)' must be redis://"},
    {"--por=1", NULL, CONFIG_WRONG, "unknown flag '--por=1'"},
    {"-p", NULL, CONFIG_WRONG, "unknown flag"},
    {"--", NULL, CONFIG_WRONG, "unknown flag"},
    {"--=1", NULL, CONFIG_WRONG, "unknown flag"},
    {"8080", NULL, CONFIG_WRONG, "unknown flag"},
    {"--prot=1", NULL, CONFIG_WRONG,
     "unknown flag '--prot=1': did you mean --port? --help lists all"},
};

TEST(reads, .end = COUNT(rows))
{
    struct config config;
    ck_assert_int_eq(read_flags(&config, rows[_i].first, rows[_i].second), rows[_i].outcome);
    if (rows[_i].why)
        ck_assert_msg(strstr(messages.at, rows[_i].why), "%s", messages.at);
}

/* Ports as Kubernetes and Docker set them are ignored, and so are names that are no setting. */
static const struct {
    const char *variable;
    enum config_outcome outcome;
    const char *message;
} variables[] = {
    {"MAPWRIGHT_PORT=http://10.0.0.1:80", CONFIG_WRONG,
     "MAPWRIGHT_PORT: 'http://10.0.0.1:80' must be an integer from 1 to 65535\n"},
    {"MAPWRIGHT_PORT=tcp://10.0.0.1:80", CONFIG_OK,
     "MAPWRIGHT_PORT: 'tcp://10.0.0.1:80' is ignored: Kubernetes and Docker set that for a service "
     "of this name\n"},
    {"MAPWRIGHT_WORKERS=tcp://10.0.0.1:80", CONFIG_WRONG,
     "MAPWRIGHT_WORKERS: 'tcp://10.0.0.1:80' must be an integer from 0 to 1024\n"},
    {"MAPWRIGHT_MAX_BODDY=1K", CONFIG_OK,
     "MAPWRIGHT_MAX_BODDY is no setting: did you mean MAPWRIGHT_MAX_BODY? --help lists all\n"},
    {"MAPWRIGHT_SERVICE_HOST=10.0.0.1", CONFIG_OK,
     "MAPWRIGHT_SERVICE_HOST is no setting: --help lists those there are\n"},
    {"MAPWRIGHTD=x", CONFIG_OK, ""},
};

TEST(reads_variables, .end = COUNT(variables))
{
    struct config config;
    set_environment(variables[_i].variable);
    ck_assert_int_eq(read_flags(&config, NULL, NULL), variables[_i].outcome);
    ck_assert_str_eq(messages.at, variables[_i].message);
    ck_assert(config.port == 8080 && config.max_body == 1 << 20);
}

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

TEST(reads_sizes, .end = COUNT(sizes))
{
    struct config config;
    ck_assert_int_eq(read_flags(&config, sizes[_i].text, NULL), CONFIG_OK);
    ck_assert_int_eq(config.cache_bytes, sizes[_i].bytes);
}

TEST(prefers_flags_to_the_environment)
{
    struct config config;
    set_environment("MAPWRIGHT_MAX_BODY=2K");
    ck_assert_int_eq(read_flags(&config, NULL, NULL), CONFIG_OK);
    ck_assert_int_eq(config.max_body, 2048);
    ck_assert_int_eq(read_flags(&config, "--max-body=3K", NULL), CONFIG_OK);
    ck_assert_int_eq(config.max_body, 3072);
    set_environment("MAPWRIGHT_MAX_BODY=2x");
    ck_assert_int_eq(read_flags(&config, NULL, NULL), CONFIG_WRONG);
    ck_assert_msg(strstr(messages.at, "MAPWRIGHT_MAX_BODY: '2x' must be"), "%s", messages.at);
}

TEST(has_the_defaults_of_its_help)
{
    struct config config;
    char *text = NULL;
    size_t length = 0;
    ck_assert_int_eq(read_flags(&config, NULL, NULL), CONFIG_OK);
    ck_assert_int_eq(config.port, 8080);
    ck_assert_int_eq(config.max_body, 1 << 20);
    FILE *to = open_memstream(&text, &length);
    config_help(to);
    fclose(to);
    ck_assert_msg(strstr(text, "--port=8080 ") && strstr(text, "--max-body=1M "), "%s", text);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        ck_assert_msg(end - line < 80, "%.*s", (int)(end - line), line);
    free(text);
}

/* Settings that contradict each other, and the message; NULL: they do not. */
static const struct {
    const char *first, *second, *variable, *message;
} pairs[] = {
    {"--memory=1M", NULL, "MAPWRIGHT_WORKERS=5",
     "--memory: must be at least 256K for each of --workers, which is 5\n"},
    {"--memory=1M", NULL, "MAPWRIGHT_WORKERS=4", NULL},
    {"--memory=1M", "--workers=many", NULL,
     "--workers: 'many' must be an integer from 0 to 1024\n"},
};

TEST(reports_contradictions, .end = COUNT(pairs))
{
    struct config config;
    struct quota quota = {.cpus = 2, .memory = INT64_C(4) << 30};
    set_environment(pairs[_i].variable);
    bool good = read_flags(&config, pairs[_i].first, pairs[_i].second) == CONFIG_OK;
    messages.length--;
    config_fit(&config, &quota);
    good = config_check(&config, &quota, &messages) && good;
    strbuf_char(&messages, '\0');
    ck_assert_int_eq(good, !pairs[_i].message);
    ck_assert_str_eq(messages.at, pairs[_i].message ? pairs[_i].message : "");
}

TEST(warns_of_more_memory_than_there_is)
{
    struct config config;
    struct quota quota = {.cpus = 2, .memory = INT64_C(1) << 30};
    ck_assert_int_eq(read_flags(&config, "--memory=1G", NULL), CONFIG_OK);
    config_fit(&config, &quota);
    ck_assert(config_check(&config, &quota, &messages));
    strbuf_char(&messages, '\0');
    ck_assert_msg(strstr(messages.at + 1, "come to 1280M, of 1024M"), "%s", messages.at + 1);
}

static void clear(void)
{
    set_environment(NULL);
    strbuf_release(&messages);
}

FIXTURE(NULL, clear)
