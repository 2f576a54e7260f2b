/* check_config.c: flags, environment, defaults. */
#include "srv/base/config.h"
#include "unit/unit.h"

#include <stdlib.h>

static struct config config;
static struct strbuf messages;

/* Reads flags and a variable, of which NULL is none; the messages end with a NUL. */
static enum config_outcome read_flags(const char *first, const char *second, const char *variable)
{
    const char *argv[] = {"mapwrightd", first, second}, *environment[] = {variable, NULL};
    strbuf_clear(&messages);
    enum config_outcome outcome = config_read(&config, 1 + !!first + !!second, (char **)argv,
                                              (char **)environment, &messages);
    strbuf_char(&messages, '\0');
    return outcome;
}

static const struct {
    const char *first, *second, *variable;
    enum config_outcome outcome;
    const char *message; /* a part of it; NULL: there is none */
} rows[] = {
    {NULL, NULL, NULL, CONFIG_OK, NULL},
    {"--port=1", NULL, NULL, CONFIG_OK, NULL},
    {"--port", "65535", NULL, CONFIG_OK, NULL},
    {"--log=off", "--host=::1", NULL, CONFIG_OK, NULL},
    {"--cache-bytes=0", NULL, NULL, CONFIG_OK, NULL},
    {"--help", NULL, NULL, CONFIG_HELP, NULL},
    {"--version", NULL, NULL, CONFIG_VERSION, NULL},
    {"--port=0", NULL, NULL, CONFIG_WRONG, "from 1 to 65535"},
    {"--port=65536", NULL, NULL, CONFIG_WRONG, "from 1 to 65535"},
    {"--port=", NULL, NULL, CONFIG_WRONG, "--port"},
    {"--port=80x", NULL, NULL, CONFIG_WRONG, "80x"},
    {"--port=-1", NULL, NULL, CONFIG_WRONG, "-1"},
    {"--port=99999999999999999999999", NULL, NULL, CONFIG_WRONG, "65535"},
    {"--port", NULL, NULL, CONFIG_WRONG, "value must follow"},
    {"--host=", NULL, NULL, CONFIG_WRONG, "--host"},
    {"--log=maybe", NULL, NULL, CONFIG_WRONG, "on or off"},
    {"--max-body=0", NULL, NULL, CONFIG_WRONG, "--max-body"},
    {"--max-body=65M", NULL, NULL, CONFIG_WRONG, "64M"},
    {"--store=redis://:hush@cache:7/1", NULL, NULL, CONFIG_OK, NULL},
    {"--store=http://:hush@cache", NULL, NULL, CONFIG_WRONG, "(secret)' must be redis://"},
    {"-p", NULL, NULL, CONFIG_WRONG, "unknown flag"},
    {"--", NULL, NULL, CONFIG_WRONG, "unknown flag"},
    {"--=1", NULL, NULL, CONFIG_WRONG, "unknown flag"},
    {"8080", NULL, NULL, CONFIG_WRONG, "unknown flag"},
    {"--prot=1", NULL, NULL, CONFIG_WRONG,
     "unknown flag '--prot=1': did you mean --port? --help lists all"},
    /* ports as Kubernetes and Docker set them are ignored, and so are names that are no setting */
    {NULL, NULL, "MAPWRIGHT_PORT=http://10.0.0.1:80", CONFIG_WRONG,
     "MAPWRIGHT_PORT: 'http://10.0.0.1:80' must be an integer from 1 to 65535\n"},
    {NULL, NULL, "MAPWRIGHT_PORT=tcp://10.0.0.1:80", CONFIG_OK,
     "MAPWRIGHT_PORT: 'tcp://10.0.0.1:80' is ignored: Kubernetes and Docker set that"},
    {NULL, NULL, "MAPWRIGHT_WORKERS=tcp://10.0.0.1:80", CONFIG_WRONG, "from 0 to 1024\n"},
    {NULL, NULL, "MAPWRIGHT_MAX_BODDY=1K", CONFIG_OK,
     "MAPWRIGHT_MAX_BODDY is no setting: did you mean --max-body? --help lists all\n"},
    {NULL, NULL, "MAPWRIGHT_max_body=0", CONFIG_OK, "MAPWRIGHT_max_body is no setting"},
    {NULL, NULL, "MAPWRIGHT_MAX-BODY=0", CONFIG_OK, "MAPWRIGHT_MAX-BODY is no setting"},
    {NULL, NULL, "MAPWRIGHT_SERVICE_HOST=10.0.0.1", CONFIG_OK,
     "MAPWRIGHT_SERVICE_HOST is no setting: --help lists those there are\n"},
    {NULL, NULL, "MAPWRIGHT_MAX_BODY=2x", CONFIG_WRONG, "MAPWRIGHT_MAX_BODY: '2x' must be"},
    {NULL, NULL, "MAPWRIGHTD=x", CONFIG_OK, NULL},
};

TEST(reads, .end = COUNT(rows))
{
    ck_assert_int_eq(read_flags(rows[_i].first, rows[_i].second, rows[_i].variable),
                     rows[_i].outcome);
    if (rows[_i].message)
        ck_assert_msg(strstr(messages.at, rows[_i].message), "%s", messages.at);
    else
        ck_assert_str_eq(messages.at, "");
}

/* A flag goes before the environment, and that before the default. */
static const struct {
    const char *flag, *variable;
    int64_t bytes;
} sizes[] = {
    {NULL, NULL, 1 << 20},
    {"--max-body=2048", NULL, 2048},
    {"--max-body=3K", NULL, 3 << 10},
    {"--max-body=12M", NULL, 12 << 20},
    {NULL, "MAPWRIGHT_MAX_BODY=2K", 2048},
    {"--max-body=3K", "MAPWRIGHT_MAX_BODY=2K", 3 << 10},
    {NULL, "MAPWRIGHT_MAX_BODDY=1K", 1 << 20},
};

TEST(takes_sizes_by_precedence, .end = COUNT(sizes))
{
    ck_assert_int_eq(read_flags(sizes[_i].flag, NULL, sizes[_i].variable), CONFIG_OK);
    ck_assert_int_eq(config.max_body, sizes[_i].bytes);
}

TEST(has_the_defaults_of_its_help)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    config_help(to);
    fclose(to);
    ck_assert_int_eq(read_flags(NULL, NULL, NULL), CONFIG_OK);
    ck_assert(config.port == 8080 && strstr(text, "--port=8080 ") && strstr(text, "-body=1M "));
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        ck_assert_msg(end - line < 80, "%.*s", (int)(end - line), line);
    free(text);
}

/* Settings that contradict each other or the machine, and a part of the message. */
static const struct {
    const char *first, *second;
    bool good;
    const char *message;
} pairs[] = {
    {"--memory=1M", "--workers=5", false,
     "--memory: must be at least 256K for each of --workers, which is 5\n"},
    {"--memory=1M", "--workers=4", true, NULL},
    {"--memory=1G", NULL, true, "come to 1280M, of 1024M"},
};

TEST(reports_contradictions, .end = COUNT(pairs))
{
    struct quota quota = {.cpus = 2, .memory = INT64_C(1) << 30};
    ck_assert_int_eq(read_flags(pairs[_i].first, pairs[_i].second, NULL), CONFIG_OK);
    strbuf_clear(&messages);
    config_fit(&config, &quota);
    ck_assert_int_eq(config_check(&config, &quota, &messages), pairs[_i].good);
    strbuf_char(&messages, '\0');
    ck_assert_msg(pairs[_i].message ? strstr(messages.at, pairs[_i].message) != NULL
                                    : !*messages.at,
                  "%s", messages.at);
}

static void clear(void) { strbuf_release(&messages); }

FIXTURE(NULL, clear)
