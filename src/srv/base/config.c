/* config.c: how the server is set up. */
#include "config.h"

#include "lib/number.h"
#include "mapwright.h"

#include <string.h>

/*
 * A row of the same kind as a generator's parameter. Sizes are kept in bytes in an int64_t; their
 * row counts in units of 1024, and they may be given as 1048576, 1024K, 1M or 1G.
 */
struct setting {
    struct mw_field field;
    bool size;
    int share; /* of a size: the default is no more than one part in so many of the memory */
    bool (*read)(const char *text, void *to); /* of a string: how it is taken; NULL: as it is */
    const char *right;                        /* what it must be */
};

enum { KIB = 1024, TIB_IN_KIB = 1 << 30 };

/* clang-format off */
#define AT(member, T) \
    .offset = (uint32_t)(offsetof(struct config, member) + \
                         0 * sizeof(_Generic(((struct config *)0)->member, T : 0)))
#define ROW(member, T, flag, kind, low, high, dflt, text) \
    .field = {.name = (flag), .type = (kind), AT(member, T), .least = (low), .most = (high), \
              .fallback = (dflt), .help = (text)}
#define TEXT(member, flag, text) {ROW(member, const char *, flag, MW_STRING, 0, 0, 0, text)}
#define INT(member, flag, low, high, dflt, text) \
    {ROW(member, int32_t, flag, MW_INTEGER, low, high, dflt, text)}
#define SIZE(member, flag, low, high, dflt, text) \
    {ROW(member, int64_t, flag, MW_INTEGER, low, high, dflt, text), .size = true}
#define SHARE(member, flag, low, high, dflt, parts, text) \
    {ROW(member, int64_t, flag, MW_INTEGER, low, high, dflt, text), .size = true, .share = (parts)}
#define READ(member, T, flag, reader, must_be, text) \
    {ROW(member, T, flag, MW_STRING, 0, 0, 0, text), .read = (reader), .right = (must_be)}
#define SWITCH(member, flag, dflt, text) {ROW(member, bool, flag, MW_BOOLEAN, 0, 1, dflt, text)}
/* clang-format on */

static const char default_host[] = "0.0.0.0";

static bool read_path(const char *text, void *to)
{
    *(const char **)to = text;
    return *text;
}

static bool read_networks(const char *text, void *to) { return networks_read(to, text); }

static bool read_canonical(const char *text, void *to)
{
    *(bool *)to = !strcmp(text, "redirect");
    return *(bool *)to || !strcmp(text, "off");
}

static bool read_steps(const char *text, void *to)
{
    int64_t steps;
    if (text[strspn(text, "0123456789")] || !mw_read_size(text, &steps) || steps >> 53)
        return false;
    *(int64_t *)to = steps;
    return true;
}

static const struct setting settings[] = {
    TEXT(host, "host", "address to listen on (0.0.0.0; ::  for IPv6 as well)"),
    INT(port, "port", 1, 65535, 8080, "port to listen on"),
    INT(admin_port, "admin-port", 0, 65535, 0,
        "a further port for /healthz, /readyz and /metrics alone, which answers when the other is "
        "full; 0: none"),
    INT(threads, "threads", 1, 64, 2, "threads that talk to clients"),
    INT(workers, "workers", 0, 1024, 0,
        "threads that make maps; 0: one for each core that is ours (affinity, cgroup)"),
    INT(queue, "queue", 1, 1000000, 256, "requests that may wait for a worker"),
    INT(connections, "connections", 1, 1000000, 8192, "connections held at a time"),
    SHARE(cache_bytes, "cache-bytes", 0, TIB_IN_KIB, 256 * KIB, 8,
          "bytes of answers kept; by default at most an eighth of the memory that is ours"),
    SHARE(output_bytes, "output-bytes", 1 * KIB, TIB_IN_KIB, 256 * KIB, 8,
          "bytes of answers held for sending beside those kept; past that the slowest readers are "
          "closed; by default as cache-bytes"),
    SIZE(max_body, "max-body", 1, 64 * KIB, 1 * KIB, "bytes of the longest body taken"),
    SHARE(memory, "memory", 1 * KIB, TIB_IN_KIB, 2048 * KIB, 2,
          "bytes that all workers together may use; by default at most half of what is ours"),
    READ(max_steps, int64_t, "max-steps", read_steps, "an integer from 0 to 9007199254740991",
         "steps that a request may take at most, then 422; 0: as many as its generator allows"),
    INT(wait_ms, "wait-ms", 1, 3600000, 2000, "longest wait for a worker, then 503"),
    INT(deadline_ms, "deadline-ms", 1, 3600000, 10000,
        "longest time to make a map, wait included, then 504"),
    INT(header_ms, "header-ms", 1, 3600000, 10000, "longest time for a request's header to arrive"),
    INT(body_ms, "body-ms", 1, 3600000, 30000, "longest time for a request's body to arrive"),
    INT(send_ms, "send-ms", 1, 3600000, 10000,
        "time in which a client must take --send-rate of its answer, or all that is left"),
    SIZE(send_rate, "send-rate", 0, 1 * KIB * KIB, 16,
         "bytes a second that a client must take of its answer; 0: any will do"),
    INT(idle_ms, "idle-ms", 1, 3600000, 75000, "longest time between the requests of a connection"),
    INT(drain_delay_ms, "drain-delay-ms", 0, 3600000, 0,
        "time after SIGTERM in which /readyz says 503 and all else goes on, for a balancer to see; "
        "a second signal ends it"),
    INT(drain_ms, "drain-ms", 1, 3600000, 20000, "longest time for what is under way then"),
    INT(rate, "rate", 0, 1000000, 0,
        "maps and pages that a client may ask for in a second, then 429; 0: any number"),
    INT(burst, "burst", 0, 1000000, 0, "of these, at once; 0: those of a second"),
    INT(connections_per_client, "connections-per-client", 0, 1000000, 0,
        "connections that a client may hold, then 429; 0: any number"),
    READ(keys_file, const char *, "keys-file", read_path, "the name of a file",
         "file of keys, one a line, for which alone there are maps (Authorization: Bearer)"),
    READ(trusted_proxies, struct networks, "trusted-proxies", read_networks,
         "addresses or networks, as 10.0.0.0/8,2001:db8::1",
         "proxies whose X-Forwarded-For tells who asks, as 10.0.0.0/8,::1; none by default"),
    INT(async, "async", 0, 1000000, 64,
        "maps that may be under way without anybody waiting for them (Prefer: respond-async)"),
    INT(async_per_client, "async-per-client", 0, 1000000, 8, "the same of each client"),
    INT(async_ms, "async-ms", 1, 3600000, 60000, "longest time to make such a map, wait included"),
    READ(canonical, bool, "canonical", read_canonical, "off or redirect",
         "redirect: GET of a map with a seed is sent on to its canonical address, so that a "
         "cache in front keeps it once; off by default"),
    SWITCH(log, "log", true, "a line of JSON for each request on standard output (on, off)"),
};

enum { SETTINGS = sizeof settings / sizeof *settings };
_Static_assert(sizeof settings / sizeof *settings <= MOST_SETTINGS, "config.h has room for all");

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_integer(const struct mw_field *field, const char *text, void *to)
{
    int64_t value;
    if (text[strspn(text, "0123456789")] || !mw_read_size(text, &value) || value < field->least ||
        value > field->most)
        return false;
    *(int32_t *)to = (int32_t)value;
    return true;
}

static bool read_size(const struct mw_field *field, const char *text, void *to)
{
    int64_t value;
    if (!mw_read_size(text, &value) || value < (int64_t)field->least * KIB ||
        value > (int64_t)field->most * KIB)
        return false;
    *(int64_t *)to = value;
    return true;
}

static bool read_switch(const char *text, bool *to)
{
    static const char *const words[] = {"off", "on", "false", "true", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(text, words[i])) {
            *to = i % 2;
            return true;
        }
    return false;
}

static bool read_value(const struct setting *setting, const char *text, struct config *config)
{
    void *to = (char *)config + setting->field.offset;
    if (setting->field.type == MW_BOOLEAN)
        return read_switch(text, to);
    if (setting->field.type == MW_INTEGER)
        return setting->size ? read_size(&setting->field, text, to)
                             : read_integer(&setting->field, text, to);
    if (setting->read)
        return setting->read(text, to);
    *(const char **)to = text;
    return *text;
}

static void set_defaults(struct config *config)
{
    *config = (struct config){.host = default_host};
    for (size_t i = 0; i < SETTINGS; i++) {
        const struct mw_field *field = &settings[i].field;
        void *to = (char *)config + field->offset;
        if (settings[i].size)
            *(int64_t *)to = (int64_t)field->fallback * KIB;
        else if (field->type == MW_INTEGER)
            *(int32_t *)to = field->fallback;
        else if (field->type == MW_BOOLEAN)
            *(bool *)to = field->fallback;
    }
}

/* "1048576" as "1M". */
static void write_size(char text[32], int64_t kib)
{
    static const char units[] = "KMG";
    int unit = 0;
    for (; unit < 2 && kib && kib % KIB == 0; unit++)
        kib /= KIB;
    snprintf(text, 32, kib ? "%lld%c" : "%lld", (long long)kib, units[unit]);
}

static void write_right(const struct setting *setting, char text[128])
{
    char least[32], most[32];
    const struct mw_field *field = &setting->field;
    if (field->type == MW_BOOLEAN)
        snprintf(text, 128, "on or off");
    else if (field->type == MW_STRING)
        snprintf(text, 128, "%s", setting->right ? setting->right : "an address");
    else if (!setting->size)
        snprintf(text, 128, "an integer from %d to %d", field->least, field->most);
    else {
        write_size(least, field->least);
        write_size(most, field->most);
        snprintf(text, 128, "bytes, as 1000, 64K, 10M or 2G, from %s to %s", least, most);
    }
}

static bool set(struct config *config, const struct setting *setting, const char *origin,
                const char *text, char why[320])
{
    config->given[setting - settings] = text;
    if (read_value(setting, text, config))
        return true;
    char right[128];
    write_right(setting, right);
    snprintf(why, 320, "%.40s%.40s: '%.40s' must be %s", origin, setting->field.name, text, right);
    return false;
}

/* ---- where they come from -------------------------------------------------------------------- */

/* "max-body" as "MAPWRIGHT_MAX_BODY". */
static void environment_name(const char *name, char to[64])
{
    size_t n = (size_t)snprintf(to, 64, "MAPWRIGHT_");
    for (; *name && n < 63; name++)
        to[n++] = *name == '-' ? '_' : (char)(*name - 'a' + 'A');
    to[n] = '\0';
}

static bool read_environment(struct config *config, const char *(*environment)(const char *),
                             char why[320])
{
    for (size_t i = 0; i < SETTINGS; i++) {
        char name[64];
        environment_name(settings[i].field.name, name);
        const char *text = environment(name);
        if (text && !set(config, &settings[i], "environment, ", text, why))
            return false;
    }
    return true;
}

static const struct setting *find_setting(const char *name, size_t length)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (strlen(settings[i].field.name) == length &&
            !memcmp(settings[i].field.name, name, length))
            return &settings[i];
    return NULL;
}

/* Reads `--name=value` or `--name value`; *i stands on the last word read. */
static enum config_outcome read_flag(struct config *config, int argc, char *const argv[], int *i,
                                     char why[320])
{
    const char *word = argv[*i];
    if (!strcmp(word, "--help"))
        return CONFIG_HELP;
    if (!strcmp(word, "--version"))
        return CONFIG_VERSION;
    size_t length = strncmp(word, "--", 2) ? 0 : strcspn(word + 2, "=");
    const struct setting *setting = length ? find_setting(word + 2, length) : NULL;
    if (!setting) {
        snprintf(why, 320, "unknown flag '%.80s': --help lists those there are", word);
        return CONFIG_WRONG;
    }
    bool joined = word[2 + length] == '=';
    if (!joined && *i + 1 == argc) {
        snprintf(why, 320, "--%s: a value must follow", setting->field.name);
        return CONFIG_WRONG;
    }
    const char *text = joined ? word + 2 + length + 1 : argv[++*i];
    return set(config, setting, "--", text, why) ? CONFIG_OK : CONFIG_WRONG;
}

enum config_outcome config_read(struct config *config, int argc, char *const argv[],
                                const char *(*environment)(const char *name), char why[320])
{
    set_defaults(config);
    if (!read_environment(config, environment, why))
        return CONFIG_WRONG;
    for (int i = 1; i < argc; i++) {
        enum config_outcome outcome = read_flag(config, argc, argv, &i, why);
        if (outcome != CONFIG_OK)
            return outcome;
    }
    return CONFIG_OK;
}

static void write_default(const struct setting *setting, char text[32])
{
    const struct mw_field *field = &setting->field;
    if (setting->size)
        write_size(text, field->fallback);
    else if (field->type == MW_BOOLEAN)
        snprintf(text, 32, "%s", field->fallback ? "on" : "off");
    else if (field->type == MW_STRING)
        snprintf(text, 32, "%s", setting->read ? "" : default_host);
    else
        snprintf(text, 32, "%d", field->fallback);
}

void config_fit(struct config *config, const struct quota *quota)
{
    for (size_t i = 0; i < SETTINGS; i++) {
        int64_t *value = (int64_t *)(void *)((char *)config + settings[i].field.offset);
        int64_t least = (int64_t)settings[i].field.least * KIB;
        if (!settings[i].share || config->given[i] || *value <= quota->memory / settings[i].share)
            continue;
        *value = quota->memory / settings[i].share;
        *value = *value > least ? *value : least;
    }
    if (!config->workers)
        config->workers = quota->cpus;
}

void config_help(FILE *to)
{
    fprintf(to, "mapwrightd serves maps for games over HTTP.\n\n"
                "usage: mapwrightd [--name=value ...]\n\n");
    for (size_t i = 0; i < SETTINGS; i++) {
        char flag[48], value[32];
        write_default(&settings[i], value);
        snprintf(flag, sizeof flag, "--%s=%s", settings[i].field.name, value);
        fprintf(to, "  %-24s %s\n", flag, settings[i].field.help);
    }
    fprintf(to, "  %-24s %s\n  %-24s %s\n", "--help", "this list", "--version", "the version");
    fprintf(to, "\nEach may also be given in the environment: --max-body as MAPWRIGHT_MAX_BODY.\n"
                "SIGTERM and SIGINT: what was accepted is answered, then the server ends.\n"
                "SIGHUP: the keys are read again.\n");
}

void config_write(const struct config *config, struct strbuf *to)
{
    const char *before = "{";
    for (size_t i = 0; i < SETTINGS; i++) {
        const char *text = config->given[i];
        if (!text)
            continue;
        strbuf_format(to, "%s\"%s\":", before, settings[i].field.name);
        strbuf_json(to, text, strlen(text));
        before = ",";
    }
    strbuf_add(to, *before == '{' ? "{}" : "}");
}
