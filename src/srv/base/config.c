/* config.c: settings. */
#include "config.h"

#include "api/wrap.h"
#include "lib/number.h"
#include "lib/suggestion.h"
#include "mapwright_host.h"
#include "words.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <unistd.h>

enum setting_kind { SETTING_INT, SETTING_SIZE, SETTING_TEXT };

/* Sizes are bytes, given as 1048576, 1024K, 1M or 1G. Limits and defaults are texts, as they would
   be given. */
struct setting {
    const char *name;
    enum setting_kind kind;
    size_t offset;                       /* in struct config */
    const char *least, *most, *fallback; /* NULL: none */
    int share; /* the default of a size is at most this part of the memory available; 0: any */
    bool (*read)(const char *text, void *to); /* parses a text */
    const char *right;                        /* what it must be */
    const char *help;
    bool secret; /* never printed or logged */
};

/* clang-format off */
#define ROW(member, T, k, flag, low, high, dflt, text) \
    .name = (flag), .kind = (k), .least = (low), .most = (high), .fallback = (dflt), \
    .help = (text), .offset = offsetof(struct config, member) + \
              0 * sizeof(_Generic(((struct config *)0)->member, T : 0))
#define INT(member, flag, low, high, dflt, text) \
    {ROW(member, int32_t, SETTING_INT, flag, #low, #high, #dflt, text), .right = "an integer"}
#define SIZE(member, flag, low, high, dflt, part, text) \
    {ROW(member, int64_t, SETTING_SIZE, flag, #low, #high, #dflt, text), .share = (part), \
     .right = "bytes, as 1000, 64K, 10M or 2G,"}
#define TEXT(member, T, flag, dflt, reader, hidden, must_be, text) \
    {ROW(member, T, SETTING_TEXT, flag, NULL, NULL, dflt, text), .read = (reader), \
     .secret = (hidden), .right = (must_be)}
/* clang-format on */

static bool read_text(const char *text, void *to)
{
    *(const char **)to = text;
    return *text;
}

static bool read_path(const char *text, void *to)
{
    return read_text(text, to) && !access(text, R_OK);
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
    return read_text(text, to) && strlen(text) >= SHORTEST_KEY;
}

static bool read_switch(const char *text, void *to)
{
    static const char *const words[] = {"off", "on", "false", "true", "0", "1"};
    size_t i = 0;
    while (i < sizeof words / sizeof *words && strcmp(text, words[i]) != 0)
        i++;
    *(bool *)to = i % 2;
    return i < sizeof words / sizeof *words;
}

static const struct setting settings[] = {
    TEXT(host, const char *, "host", "*", read_text, false, "an address",
         "address to listen on; *: all, of IPv6 and IPv4"),
    INT(port, "port", 1, 65535, 8080, "port to listen on"),
    TEXT(socket, const char *, "listen", NULL, read_socket, false,
         "unix:/path, of 107 characters at most",
         "unix:/path: a socket to listen on, in place of --host and --port; --trusted-proxies is "
         "not needed for a proxy that connects there"),
    INT(admin_port, "admin-port", 0, 65535, 0,
        "a further port for /healthz, /readyz and /metrics alone, which answers when the other is "
        "full; 0: none"),
    INT(threads, "threads", 1, 64, 2, "threads that talk to clients"),
    INT(workers, "workers", 0, 1024, 0,
        "maps made at a time; 0: as many as there are cores available (affinity, cgroup)"),
    INT(queue, "queue", 1, 1000000, 16384,
        "requests that may wait for a worker at most; --wait-ms bounds them by time"),
    INT(connections, "connections", 1, 1000000, 8192, "connections held at a time"),
    SIZE(cache_bytes, "cache-bytes", 0, 1024G, 256M, 8,
         "bytes of cached answers; by default at most an eighth of the memory available"),
    SIZE(output_bytes, "output-bytes", 1M, 1024G, 256M, 8,
         "bytes of answers on their way that are not cached; beyond that the slowest readers are "
         "closed; by default as cache-bytes"),
    SIZE(max_body, "max-body", 1K, 64M, 1M, 0,
         "bytes of the longest body accepted; to parse a megabyte may take one of --threads 40 ms"),
    SIZE(
        memory, "memory", 1M, 1024G, 2G, 2,
        "bytes that all workers together may use; by default at most half of the memory available"),
    INT(max_cells, "max-cells", 0, 2147483647, 0,
        "cells of the largest map made, then 422; 0: as large as its generator allows"),
    INT(max_stars, "max-stars", 0, 2147483647, 0, "the same of stars"),
    INT(max_board, "max-board", 0, 2147483647, 0, "the same of cells of a puzzle's board"),
    INT(wait_ms, "wait-ms", 1, 3600000, 2000, "longest wait for a worker, then 503"),
    INT(deadline_ms, "deadline-ms", 1, 3600000, 10000,
        "longest time to make a map, wait included, then 504"),
    INT(header_ms, "header-ms", 1, 3600000, 10000, "longest time for a request's header to arrive"),
    INT(body_ms, "body-ms", 1, 3600000, 30000, "longest time for a request's body to arrive"),
    INT(send_ms, "send-ms", 1, 3600000, 10000,
        "time in which a client must take --send-rate of its answer, or all that is left"),
    SIZE(send_rate, "send-rate", 0, 1G, 16K, 0,
         "bytes a second that a client must take of its answer; 0: any will do"),
    INT(idle_ms, "idle-ms", 1, 3600000, 75000, "longest time between the requests of a connection"),
    INT(drain_delay_ms, "drain-delay-ms", 0, 3600000, 0,
        "time after SIGTERM in which /readyz answers 503 and all else goes on, for load balancers "
        "to notice; a second signal ends it"),
    INT(drain_ms, "drain-ms", 1, 3600000, 20000,
        "longest time to finish requests after that; a second later the process ends in any case"),
    INT(rate, "rate", 0, 1000000, 0,
        "maps and pages that a client may ask for in a second, then 429; 0: any number"),
    INT(burst, "burst", 0, 1000000, 0, "of these, at once; 0: those of a second"),
    INT(connections_per_client, "connections-per-client", 0, 1000000, 0,
        "connections that a client may hold, more are closed; 0: any number"),
    TEXT(keys_file, const char *, "keys-file", NULL, read_path, false, "a file that can be read",
         "file of keys, one a line, each with a name if it is to be in the log: maps need one of "
         "them (Authorization: Bearer)"),
    TEXT(trusted_proxies, struct networks, "trusted-proxies", NULL, read_networks, false,
         "addresses or networks, as 10.0.0.0/8,2001:db8::1",
         "proxies whose X-Forwarded-For names the client, as 10.0.0.0/8,::1; none by default"),
    INT(async, "async", 0, 1000000, 64,
        "maps that may be made at a time without a waiting client (Prefer: respond-async)"),
    INT(async_per_client, "async-per-client", 0, 1000000, 8, "the same of each client"),
    INT(async_ms, "async-ms", 1, 3600000, 60000, "longest time to make such a map, wait included"),
    TEXT(store, struct store_url, "store", NULL, read_store, true,
         "redis://[[user]:password@]host[:port][/database], or rediss:// for TLS",
         "a Redis or Valkey in which all copies keep maps that are slow to make, as "
         "redis://:password@host:6379/0, or rediss:// for TLS (best in the environment); none by "
         "default"),
    TEXT(store_ca, const char *, "store-ca", NULL, read_path, false, "a file that can be read",
         "file of CA certificates (PEM), one of which must have signed that of a rediss:// store; "
         "by default those of the system"),
    TEXT(store_key, const char *, "store-key", NULL, read_store_key, true, "16 characters at least",
         "secret that all copies share, of 16 characters at least, to authenticate entries of the "
         "store (best in the environment); without it anybody who can write there can forge maps"),
    INT(store_wait_ms, "store-wait-ms", 1, 60000, 20,
        "longest wait for the store; a slower one is not used for a while"),
    INT(store_least_us, "store-least-us", 0, 1000000000, 2000,
        "the store is asked only for maps that take so many microseconds to make, or more"),
    TEXT(isolate, bool, "isolate", "on", read_switch, false, "on or off",
         "each worker makes its maps in a process of its own, so that a crash costs one request; "
         "off: in the server itself, for debuggers"),
    TEXT(log, bool, "log", "on", read_switch, false, "on or off",
         "a line of JSON for each request on standard output (on, off)"),
};

enum { SETTINGS = sizeof settings / sizeof *settings };
_Static_assert(sizeof settings / sizeof *settings <= MOST_SETTINGS, "config.h has room for all");

/* ---- values ---------------------------------------------------------------------------------- */

static void *place_of(const struct setting *setting, struct config *config)
{
    return (char *)config + setting->offset;
}

static bool read_number(const struct setting *setting, const char *text, int64_t *value)
{
    int64_t least, most;
    bool plain = !text[strspn(text, "0123456789")];
    return (plain || setting->kind == SETTING_SIZE) && mw_read_size(text, value) &&
           mw_read_size(setting->least, &least) && mw_read_size(setting->most, &most) &&
           *value >= least && *value <= most;
}

static bool read_value(const struct setting *setting, const char *text, struct config *config)
{
    void *to = place_of(setting, config);
    int64_t value;
    if (setting->kind == SETTING_TEXT)
        return setting->read(text, to);
    if (!read_number(setting, text, &value))
        return false;
    if (setting->kind == SETTING_INT)
        *(int32_t *)to = (int32_t)value;
    else
        *(int64_t *)to = value;
    return true;
}

static void set_defaults(struct config *config)
{
    *config = (struct config){0};
    for (size_t i = 0; i < SETTINGS; i++) {
        const char *fallback = settings[i].fallback;
        bool good = !fallback || read_value(&settings[i], fallback, config);
        assert(good);
        (void)good;
    }
}

/* ---- where they come from -------------------------------------------------------------------- */

static const char secret[] = "(secret)";

static const struct setting *find_setting(struct span name)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (span_is(name, settings[i].name))
            return &settings[i];
    return NULL;
}

/* Proposes the most similar name. */
static void suggest(struct strbuf *messages, struct span name)
{
    struct suggestion guess = {.meant = name};
    for (size_t i = 0; i < SETTINGS; i++)
        mw_consider_word(&guess, settings[i].name);
    if (guess.nearest)
        strbuf_format(messages, ": did you mean --%s? --help lists all\n", guess.nearest);
    else
        strbuf_add(messages, ": --help lists those there are\n");
}

/* `given`: the name as it was given, by a flag or a variable. */
static bool set(struct config *config, const struct setting *setting, struct span given,
                const char *text, struct strbuf *messages)
{
    config->given[setting - settings] = text;
    if (read_value(setting, text, config))
        return true;
    strbuf_format(messages, "%.*s: '%.40s' must be %s", (int)given.length, given.at,
                  setting->secret ? secret : text, setting->right);
    if (setting->kind != SETTING_TEXT)
        strbuf_format(messages, " from %s to %s", setting->least, setting->most);
    strbuf_char(messages, '\n');
    return false;
}

static const char prefix[] = "MAPWRIGHT_";

/* "max-body" of MAPWRIGHT_MAX_BODY, which is spelled in capitals alone. Variables that are no
   settings are reported and ignored; false if a setting is wrong. */
static bool read_variable(struct config *config, struct span variable, const char *text,
                          struct strbuf *messages)
{
    char name[80] = "";
    size_t length = variable.length - (sizeof prefix - 1);
    for (size_t i = 0; i < length && i < sizeof name - 1; i++) {
        char c = variable.at[sizeof prefix - 1 + i];
        name[i] = c == '_' ? '-' : c == '-' || islower(c) ? '?' : (char)tolower(c);
    }
    const struct setting *setting = find_setting(span_of(name));
    /* as MAPWRIGHT_PORT=tcp://10.96.7.7:8080, for a service or container called mapwright */
    bool link = strstr(name, "port") && !strncmp(text, "tcp://", strlen("tcp://"));
    if (setting && !link)
        return set(config, setting, variable, text, messages);
    strbuf_put(messages, variable.at, variable.length < 80 ? variable.length : 80);
    if (setting) {
        strbuf_format(messages,
                      ": '%.60s' is ignored: Kubernetes and Docker set that for a service of this "
                      "name\n",
                      text);
        return true;
    }
    strbuf_add(messages, " is no setting");
    suggest(messages, span_of(name));
    return true;
}

static bool read_environment(struct config *config, char *const environment[],
                             struct strbuf *messages)
{
    bool good = true;
    for (; *environment; environment++) {
        struct span variable = {*environment, strcspn(*environment, "=")};
        const char *text = variable.at + variable.length;
        if (!strncmp(variable.at, prefix, sizeof prefix - 1) && *text)
            good &= read_variable(config, variable, text + 1, messages);
    }
    return good;
}

/* Reads `--name=value` or `--name value`; *i is the last word read. */
static bool read_flag(struct config *config, int argc, char *const argv[], int *i,
                      struct strbuf *messages)
{
    struct span flag = {argv[*i], strcspn(argv[*i], "=")};
    size_t dashes = strncmp(flag.at, "--", 2) ? 0 : 2;
    struct span name = {flag.at + dashes, flag.length - dashes};
    const struct setting *setting = dashes ? find_setting(name) : NULL;
    if (!setting) {
        strbuf_format(messages, "unknown flag '%.80s'", flag.at);
        suggest(messages, name);
        return false;
    }
    bool joined = flag.at[flag.length] == '=';
    if (joined || *i + 1 < argc)
        return set(config, setting, flag, joined ? flag.at + flag.length + 1 : argv[++*i],
                   messages);
    strbuf_format(messages, "%s: a value must follow\n", flag.at);
    return false;
}

enum config_outcome config_read(struct config *config, int argc, char *const argv[],
                                char *const environment[], struct strbuf *messages)
{
    set_defaults(config);
    bool good = read_environment(config, environment, messages), asks = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help"))
            return CONFIG_HELP;
        if (!strcmp(argv[i], "--version"))
            return CONFIG_VERSION;
        if (!strcmp(argv[i], "--health"))
            asks = true;
        else
            good &= read_flag(config, argc, argv, &i, messages);
    }
    return !good ? CONFIG_WRONG : asks ? CONFIG_HEALTH : CONFIG_OK;
}

/* ---- all of them together -------------------------------------------------------------------- */

enum { LEAST_OF_WORKER = 256 * 1024 };

/* Only a proxy on this machine reaches a socket with a path. Its address is all zeros. */
static void trust_socket(struct config *config)
{
    struct networks *trusted = &config->trusted_proxies;
    if (config->socket && trusted->count < MOST_NETWORKS)
        trusted->list[trusted->count++] = (struct network){.bits = 128};
}

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value < most ? value : most;
}

void config_fit(struct config *config, const struct quota *quota)
{
    assert(quota->cpus > 0 && quota->memory > 0);
    trust_socket(config);
    for (size_t i = 0; i < SETTINGS; i++) {
        int64_t least, *size = place_of(&settings[i], config);
        if (settings[i].share && !config->given[i] && mw_read_size(settings[i].least, &least))
            *size = clamp(quota->memory / settings[i].share, least, *size);
    }
    if (!config->workers)
        config->workers = (int32_t)clamp(config->memory / LEAST_OF_WORKER, 1, quota->cpus);
}

/* Only a warning, as it may work for a while. */
static void warn_of_memory(const struct config *config, const struct quota *quota,
                           struct strbuf *messages)
{
    int64_t sum = config->memory + config->cache_bytes + config->output_bytes;
    if (sum > quota->memory)
        strbuf_format(messages,
                      "--memory, --cache-bytes and --output-bytes come to %lldM, "
                      "of %lldM available: lower them, or the kernel may kill the server\n",
                      (long long)(sum >> 20), (long long)(quota->memory >> 20));
}

bool config_check(const struct config *config, const struct quota *quota, struct strbuf *messages)
{
    warn_of_memory(config, quota, messages);
    if (*config->store.host && !config->store_key)
        strbuf_add(messages, "--store without --store-key: anybody who can write to the store can "
                             "forge maps\n");
    if (config->memory >= (int64_t)config->workers * LEAST_OF_WORKER)
        return true;
    strbuf_format(messages, "--memory: must be at least 256K for each of --workers, which is %d\n",
                  config->workers);
    return false;
}

/* ---- what there is to set -------------------------------------------------------------------- */

static void print_flag(FILE *to, const char *flag, const char *help)
{
    enum { INDENT = 27 };
    wrap_words(to, help, fprintf(to, "  %-*s ", INDENT - 3, flag), INDENT);
}

void config_help(FILE *to)
{
    fprintf(to, "mapwrightd serves maps for games over HTTP.\n\n"
                "usage: mapwrightd [--name=value ...]\n\n");
    for (size_t i = 0; i < SETTINGS; i++) {
        char flag[48];
        const char *fallback = settings[i].fallback;
        snprintf(flag, sizeof flag, "--%s=%s", settings[i].name, fallback ? fallback : "");
        print_flag(to, flag, settings[i].help);
    }
    print_flag(to, "--health", "asks the service that has these settings: 0 where it is alive");
    print_flag(to, "--help", "this list");
    print_flag(to, "--version", "the version");
    fprintf(to, "\nEach may also be given in the environment: --max-body as MAPWRIGHT_MAX_BODY.\n"
                "SIGTERM and SIGINT: each connection has a last answer, then the server ends, a\n"
                "second after --drain-ms at the latest: with 0, or 3 if a worker did not end.\n"
                "SIGHUP: the keys are read again.\n");
}

json_t *config_settings(const struct config *config)
{
    json_t *given = json_object();
    for (size_t i = 0; i < SETTINGS; i++)
        if (config->given[i])
            json_object_set_new(given, settings[i].name,
                                json_string(settings[i].secret ? secret : config->given[i]));
    return given;
}
