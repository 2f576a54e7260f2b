/* config.c: settings. */
#include "config.h"

#include "api/wrap.h"
#include "lib/number.h"
#include "lib/suggestion.h"
#include "mapwright_host.h"

#include <string.h>
#include <unistd.h>

/*
 * A row of the same kind as a generator's parameter. Sizes are kept in bytes in an int64_t; their
 * row counts in units of 1024, and they may be given as 1048576, 1024K, 1M or 1G.
 */
struct setting {
    struct mw_field field;
    bool size;
    int share; /* of a size: the default is no more than one part in so many of the memory */
    bool (*read)(const char *text, void *to); /* parses a string; NULL: kept as it is */
    const char *right;                        /* what it must be */
    bool secret;                              /* never printed or logged */
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

static const char default_host[] = "*", secret[] = "(secret)";

static bool read_path(const char *text, void *to)
{
    *(const char **)to = text;
    return !access(text, R_OK);
}

static bool read_socket(const char *text, void *to)
{
    static const char scheme[] = "unix:";
    enum { LONGEST_PATH = 107 }; /* that bind(2) takes */
    *(const char **)to = text + sizeof scheme - 1;
    return !strncmp(text, scheme, sizeof scheme - 1) && text[sizeof scheme - 1] == '/' &&
           strlen(text) < sizeof scheme + LONGEST_PATH;
}

static bool read_networks(const char *text, void *to) { return networks_read(to, text); }

static bool read_store(const char *text, void *to) { return store_url_read(to, text); }

static bool read_store_key(const char *text, void *to)
{
    enum { SHORTEST_KEY = 16 };
    *(const char **)to = text;
    return strlen(text) >= SHORTEST_KEY;
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
    TEXT(host, "host", "address to listen on; *: all, of IPv6 and IPv4"),
    INT(port, "port", 1, 65535, 8080, "port to listen on"),
    READ(socket, const char *, "listen", read_socket, "unix:/path, of 107 characters at most",
         "unix:/path: a socket to listen on, in place of --host and --port; --trusted-proxies is "
         "not needed for a proxy that connects there"),
    INT(admin_port, "admin-port", 0, 65535, 0,
        "a further port for /healthz, /readyz and /metrics alone, which answers when the other is "
        "full; 0: none"),
    INT(threads, "threads", 1, 64, 2, "threads that talk to clients"),
    INT(workers, "workers", 0, 1024, 0,
        "threads that make maps; 0: one for each core that is ours (affinity, cgroup)"),
    INT(queue, "queue", 1, 1000000, 16384,
        "requests that may wait for a worker at most; --wait-ms bounds them by time"),
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
    INT(max_cells, "max-cells", 0, INT32_MAX, 0,
        "cells of the largest map made, then 422; 0: as large as its generator allows"),
    INT(max_stars, "max-stars", 0, INT32_MAX, 0, "the same of stars"),
    INT(max_board, "max-board", 0, INT32_MAX, 0, "the same of cells of a puzzle's board"),
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
    INT(drain_ms, "drain-ms", 1, 3600000, 20000,
        "longest time for what is under way then; a second later the process ends in any case"),
    INT(rate, "rate", 0, 1000000, 0,
        "maps and pages that a client may ask for in a second, then 429; 0: any number"),
    INT(burst, "burst", 0, 1000000, 0, "of these, at once; 0: those of a second"),
    INT(connections_per_client, "connections-per-client", 0, 1000000, 0,
        "connections that a client may hold, then 429; 0: any number"),
    READ(keys_file, const char *, "keys-file", read_path, "a file that can be read",
         "file of keys, one a line and a name behind it, if it has one: for them alone "
         "there are maps (Authorization: Bearer), and a name is the client in the log"),
    READ(trusted_proxies, struct networks, "trusted-proxies", read_networks,
         "addresses or networks, as 10.0.0.0/8,2001:db8::1",
         "proxies whose X-Forwarded-For names the client, as 10.0.0.0/8,::1; none by default"),
    INT(async, "async", 0, 1000000, 64,
        "maps that may be under way without anybody waiting for them (Prefer: respond-async)"),
    INT(async_per_client, "async-per-client", 0, 1000000, 8, "the same of each client"),
    INT(async_ms, "async-ms", 1, 3600000, 60000, "longest time to make such a map, wait included"),
    {ROW(store, struct store_url, "store", MW_STRING, 0, 0, 0,
         "a Redis or Valkey in which all copies keep maps that are slow to make, as "
         "redis://:password@host:6379/0, or rediss:// for TLS (best in the environment); none by "
         "default"),
     .read = read_store,
     .right = "redis://[[user]:password@]host[:port][/database], or rediss:// for TLS",
     .secret = true},
    READ(store_ca, const char *, "store-ca", read_path, "a file that can be read",
         "file of CA certificates (PEM), one of which must have signed that of a rediss:// store; "
         "by default those of the system"),
    {ROW(store_key, const char *, "store-key", MW_STRING, 0, 0, 0,
         "secret of all copies, of 16 characters at least, that seals what is in the store "
         "(best in the environment); without it anybody who can write there can forge maps"),
     .read = read_store_key, .right = "16 characters at least", .secret = true},
    INT(store_wait_ms, "store-wait-ms", 1, 60000, 20,
        "longest wait for the store; one that takes longer is not asked for a while"),
    INT(store_least_us, "store-least-us", 0, 1000000000, 2000,
        "the store is asked only for maps that take so many microseconds to make, or more"),
    SWITCH(isolate, "isolate", true,
           "each worker makes its maps in a process of its own, which a crash costs one request; "
           "off: in the server itself, for debuggers"),
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

/* ---- names ----------------------------------------------------------------------------------- */

enum { NAME_ROOM = 64 };

static const char prefix[] = "MAPWRIGHT_";

/* "max-body" as "MAPWRIGHT_MAX_BODY" or "--max-body". */
static const char *spell(char to[NAME_ROOM], const struct setting *setting, bool variable)
{
    const char *name = setting->field.name;
    size_t n = (size_t)snprintf(to, NAME_ROOM, "%s", variable ? prefix : "--");
    for (; *name && n < NAME_ROOM - 1; name++)
        to[n++] = !variable ? *name : *name == '-' ? '_' : (char)(*name - 'a' + 'A');
    to[n] = '\0';
    return to;
}

/* By the name that was used. */
static const char *name_of(char to[NAME_ROOM], const struct config *config,
                           const struct setting *setting)
{
    return spell(to, setting, config->from_environment[setting - settings]);
}

/* The setting whose name is `name` as far as `length`. */
static const struct setting *find_setting(const char *name, size_t length, bool variable)
{
    for (size_t i = 0; i < SETTINGS; i++) {
        char own[NAME_ROOM];
        if (strlen(spell(own, &settings[i], variable)) == length && !memcmp(own, name, length))
            return &settings[i];
    }
    return NULL;
}

/* The part of "--port" or "MAPWRIGHT_PORT" that may be misspelt. */
static const char *own_part(const char *name, bool variable)
{
    return variable ? name + strlen("MAPWRIGHT_") : name + strspn(name, "-");
}

/* Reports an unknown name, and proposes the most similar one. */
static void tell_unknown(struct strbuf *told, const char *name, size_t length, bool variable)
{
    const struct setting *nearest = NULL;
    const char *part = own_part(name, variable);
    struct suggestion guess = {.meant = {part, length - (size_t)(part - name)}};
    char own[NAME_ROOM];
    for (size_t i = 0; i < SETTINGS; i++)
        if (mw_consider_word(&guess, own_part(spell(own, &settings[i], variable), variable)))
            nearest = &settings[i];
    if (nearest)
        strbuf_format(told, ": did you mean %s?", spell(own, nearest, variable));
    strbuf_add(told, nearest ? " --help lists all\n" : ": --help lists those there are\n");
}

/* ---- where they come from -------------------------------------------------------------------- */

static bool set(struct config *config, const struct setting *setting, const char *text,
                bool from_environment, struct strbuf *told)
{
    config->given[setting - settings] = text;
    config->from_environment[setting - settings] = from_environment;
    config->wrong[setting - settings] = !read_value(setting, text, config);
    if (!config->wrong[setting - settings])
        return true;
    char right[128], name[NAME_ROOM];
    write_right(setting, right);
    strbuf_format(told, "%s: '%.40s' must be %s\n", name_of(name, config, setting),
                  setting->secret ? secret : text, right);
    return false;
}

/* "tcp://10.96.7.7:8080" as a port: Kubernetes and Docker set MAPWRIGHT_PORT to that for a service
   or container that is called mapwright. */
static bool is_link(const struct setting *setting, const char *text)
{
    const char *port = strstr(setting->field.name, "port"), *host = text + strlen("tcp://");
    if (!port || strcmp(port, "port") != 0)
        return false;
    if (strncmp(text, "tcp://", strlen("tcp://")) && strncmp(text, "udp://", strlen("udp://")))
        return false;
    const char *colon = strrchr(host, ':');
    return colon && colon > host && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
}

/* Variables that are no settings are reported and ignored; false if a setting is wrong. */
static bool read_variable(struct config *config, const char *variable, size_t length,
                          struct strbuf *told)
{
    const struct setting *setting = find_setting(variable, length, true);
    const char *text = variable + length + 1;
    if (setting && !is_link(setting, text))
        return set(config, setting, text, true, told);
    strbuf_format(told, "%.*s", length < 80 ? (int)length : 80, variable);
    if (setting) {
        strbuf_format(told,
                      ": '%.60s' is ignored: Kubernetes and Docker set that for a service of this "
                      "name\n",
                      text);
        return true;
    }
    strbuf_add(told, " is no setting");
    tell_unknown(told, variable, length, true);
    return true;
}

static bool read_environment(struct config *config, char *const environment[], struct strbuf *told)
{
    bool good = true;
    for (; *environment; environment++) {
        const char *variable = *environment;
        size_t length = strcspn(variable, "=");
        if (!strncmp(variable, prefix, sizeof prefix - 1) && variable[length])
            good &= read_variable(config, variable, length, told);
    }
    return good;
}

/* Reads `--name=value` or `--name value`; *i is the last word read. */
static bool read_flag(struct config *config, int argc, char *const argv[], int *i,
                      struct strbuf *told)
{
    const char *word = argv[*i];
    size_t length = strcspn(word, "=");
    const struct setting *setting = find_setting(word, length, false);
    if (!setting) {
        strbuf_format(told, "unknown flag '%.80s'", word);
        tell_unknown(told, word, length, false);
        return false;
    }
    bool joined = word[length] == '=';
    if (joined || *i + 1 < argc)
        return set(config, setting, joined ? word + length + 1 : argv[++*i], false, told);
    strbuf_format(told, "%s: a value must follow\n", word);
    return false;
}

enum config_outcome config_read(struct config *config, int argc, char *const argv[],
                                char *const environment[], struct strbuf *told)
{
    set_defaults(config);
    bool good = read_environment(config, environment, told), asks = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help"))
            return CONFIG_HELP;
        if (!strcmp(argv[i], "--version"))
            return CONFIG_VERSION;
        if (!strcmp(argv[i], "--health")) {
            asks = true;
            continue;
        }
        good &= read_flag(config, argc, argv, &i, told);
    }
    if (!good)
        return CONFIG_WRONG;
    return asks ? CONFIG_HEALTH : CONFIG_OK;
}

/* ---- all of them together -------------------------------------------------------------------- */

enum { LEAST_OF_WORKER = 256 * KIB };

static const struct setting *named(const char *name)
{
    size_t i = 0;
    while (strcmp(settings[i].field.name, name) != 0)
        i++;
    return &settings[i];
}

/* Reports the contradiction, if either setting was given and both were valid. */
static bool contradict(const struct config *config, const char *one, const char *right,
                       const char *other, struct strbuf *told)
{
    const struct setting *first = named(one), *second = named(other);
    ptrdiff_t i = first - settings, j = second - settings;
    char name[NAME_ROOM], other_name[NAME_ROOM];
    if ((!config->given[i] && !config->given[j]) || config->wrong[i] || config->wrong[j])
        return false;
    const void *value = (const char *)config + second->field.offset;
    strbuf_format(told, "%s: %s %s, which is %d\n", name_of(name, config, first), right,
                  name_of(other_name, config, second), *(const int32_t *)value);
    return true;
}

/* Only a warning, as it may work for a while. */
static void tell_memory(const struct config *config, const struct quota *quota, struct strbuf *told)
{
    int64_t sum = config->memory + config->cache_bytes + config->output_bytes;
    if (sum > quota->memory)
        strbuf_format(told,
                      "--memory, --cache-bytes and --output-bytes come to %lldM, "
                      "of %lldM that are ours: with less the server is safe from being killed\n",
                      (long long)(sum >> 20), (long long)(quota->memory >> 20));
}

static void warn_of_forgery(const struct config *config, struct strbuf *told)
{
    if (*config->store.host && !config->store_key)
        strbuf_add(told, "--store without --store-key: anybody who can write to the store can "
                         "forge maps\n");
}

bool config_check(const struct config *config, const struct quota *quota, struct strbuf *told)
{
    bool wrong = false;
    if (config->burst && !config->rate)
        wrong |= contradict(config, "burst", "must come with", "rate", told);
    if (config->port == config->admin_port)
        wrong |= contradict(config, "admin-port", "must be another than", "port", told);
    if (config->connections_per_client > config->connections)
        wrong |=
            contradict(config, "connections-per-client", "must be at most", "connections", told);
    if (config->memory < (int64_t)config->workers * LEAST_OF_WORKER)
        wrong |= contradict(config, "memory", "must be at least 256K for each of", "workers", told);
    tell_memory(config, quota, told);
    warn_of_forgery(config, told);
    return !wrong;
}

/* ---- what there is to set -------------------------------------------------------------------- */

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

/* Only a proxy on this machine reaches a socket with a path. Its address is all zeros. */
static void trust_socket(struct config *config)
{
    struct networks *trusted = &config->trusted_proxies;
    if (config->socket && trusted->count < MOST_NETWORKS)
        trusted->list[trusted->count++] = (struct network){.bits = 128};
}

void config_fit(struct config *config, const struct quota *quota)
{
    trust_socket(config);
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

static void tell_flag(FILE *to, const char *flag, const char *help)
{
    enum { INDENT = 27 };
    wrap_words(to, help, fprintf(to, "  %-*s ", INDENT - 3, flag), INDENT);
}

void config_help(FILE *to)
{
    fprintf(to, "mapwrightd serves maps for games over HTTP.\n\n"
                "usage: mapwrightd [--name=value ...]\n\n");
    for (size_t i = 0; i < SETTINGS; i++) {
        char flag[48], value[32];
        write_default(&settings[i], value);
        snprintf(flag, sizeof flag, "--%s=%s", settings[i].field.name, value);
        tell_flag(to, flag, settings[i].field.help);
    }
    tell_flag(to, "--health", "asks the service that has these settings: 0 where it is alive");
    tell_flag(to, "--help", "this list");
    tell_flag(to, "--version", "the version");
    fprintf(to, "\nEach may also be given in the environment: --max-body as MAPWRIGHT_MAX_BODY.\n"
                "SIGTERM and SIGINT: each connection has a last answer, then the server ends, a\n"
                "second after --drain-ms at the latest: with 0, or 3 if a worker did not end.\n"
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
        text = settings[i].secret ? secret : text;
        strbuf_json(to, text, strlen(text));
        before = ",";
    }
    strbuf_add(to, *before == '{' ? "{}" : "}");
}
