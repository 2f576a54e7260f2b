/* main.c: start, wait for a signal, drain, stop. */
#include "lib/span.h"
#include "srv/base/clock.h"
#include "srv/base/config.h"
#include "srv/box/worker.h"
#include "srv/health.h"
#include "srv/net/server.h"
#include "srv/out/log.h"

#include "mapwright_host.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum exit_status { GOOD = 0, FAILED = 1, MISUSED = 2, WORKERS_LEFT = 3 };

/* ---- the process ----------------------------------------------------------------------------- */

/* If standard streams are closed, a file that is opened later must not take the place of one: the
   log would be written into it. */
static void open_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    close(fd);
}

/* Connections are descriptors: take all that the system grants. Large answers go back to the system
   as soon as they are sent: by itself malloc keeps blocks as large as one that was freed before. */
static void set_limits(void)
{
    enum { LARGE = 256 * 1024 };
    struct rlimit limit;
    if (!getrlimit(RLIMIT_NOFILE, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, LARGE);
}

/* Before any thread begins, so that all inherit the mask. */
static sigset_t block_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* worker processes are waited for */
    return set;
}

/* The next signal; 0: none came by `until`. */
static int await_signal(const sigset_t *signals, int64_t until)
{
    for (int64_t left; (left = until - clock_now()) > 0;) {
        struct timespec wait = {.tv_sec = left / 1000000, .tv_nsec = left % 1000000 * 1000};
        int number = sigtimedwait(signals, NULL, &wait);
        if (number > 0)
            return number;
    }
    return 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* With an address that a browser on this machine can open. */
static void print_address(const struct config *config)
{
    bool any = !strcmp(config->host, "*") || !strcmp(config->host, "0.0.0.0") ||
               !strcmp(config->host, "::");
    bool ipv6 = !any && strchr(config->host, ':');
    if (config->socket)
        fprintf(stderr, "mapwrightd %s: serving on unix:%s\n", MW_VERSION, config->socket);
    else
        fprintf(stderr, "mapwrightd %s: serving on http://%s%s%s:%d/ (%s port %d)\n", MW_VERSION,
                ipv6 ? "[" : "", any ? "localhost" : config->host, ipv6 ? "]" : "", config->port,
                config->host, config->port);
}

static void warn_of_isolation(const struct service *service)
{
    if (!service->config.isolate)
        fprintf(stderr, "mapwrightd: --isolate=off: a map that crashes ends the server\n");
    else if (!fence_exists())
        fprintf(stderr, "mapwrightd: seccomp is refused here, so worker processes may make any "
                        "system call: allow prctl(PR_SET_SECCOMP) in the container's profile\n");
}

/* Messages about settings, one a line. */
static void print_lines(struct strbuf *messages)
{
    struct span rest = {messages->at, messages->length}, line;
    while (span_cut(&rest, '\n', &line) && line.length)
        fprintf(stderr, "mapwrightd: %.*s\n", (int)line.length, line.at);
}

/* ---- running --------------------------------------------------------------------------------- */

/* If the file cannot be read, the old keys stay in force. */
static void reload_keys(struct service *service)
{
    char why[320];
    if (!service->keys)
        return;
    bool good = keys_reload(service->keys, service->config.keys_file, why);
    int count = keys_count(service->keys);
    log_event("reload", json_pack("{s:b, s:i}", "read", good, "keys", count));
    if (good)
        fprintf(stderr, "mapwrightd: keys read again: there are %d\n", count);
    else
        fprintf(stderr, "mapwrightd: the keys stay as they were: %s\n", why);
}

/* Until SIGTERM or SIGINT, or until the time is over. */
static void await_end(struct service *service, const sigset_t *signals, int64_t until)
{
    while (await_signal(signals, until) == SIGHUP)
        reload_keys(service);
}

/* Readiness ends first, so that a load balancer sends no more before anything is refused. */
static void begin_drain(struct service *service, const sigset_t *signals)
{
    atomic_store(&service->leaving, true);
    log_event("leave", NULL);
    await_end(service, signals, clock_now() + service->config.drain_delay_ms * INT64_C(1000));
    atomic_store(&service->draining, true);
    log_event("drain", NULL);
}

/* NULL: the reason was printed. */
static struct server *start(struct service *service, const struct config *config)
{
    const char *what = "anything";
    char why[320];
    struct server *server = NULL;
    if (!service_init(service, config, &what))
        snprintf(why, sizeof why, "there is no room for %s", what);
    else if (!config->keys_file || (service->keys = keys_new(config->keys_file, why)))
        server = server_start(service, why);
    if (!server)
        fprintf(stderr, "mapwrightd: %s\n", why);
    return server;
}

/* Until all has ended. False: a worker has not, and neither service nor server may be released. */
static bool run(struct service *service, struct server *server, const sigset_t *signals)
{
    const struct config *config = &service->config;
    print_address(config);
    warn_of_isolation(service);
    log_event("start",
              json_pack("{s:s, s:o*}", "version", MW_VERSION, "settings", config_settings(config)));
    await_end(service, signals, INT64_MAX);
    begin_drain(service, signals);
    int64_t drain_began = clock_now();
    int requests = server_drain(server);
    int runs = service_stop(service, grace_end(drain_began, config->drain_ms, clock_now()));
    log_event("stop", json_pack("{s:i, s:i}", "runs", runs, "requests", requests));
    return !runs;
}

static enum exit_status serve(const struct config *config)
{
    struct service service = {0};
    sigset_t signals = block_signals();
    set_limits();
    log_start(config->log ? STDOUT_FILENO : -1);
    struct server *server = start(&service, config);
    if (server && !run(&service, server, &signals)) {
        fprintf(stderr,
                "mapwrightd: a worker has not ended, and is left: the log has its address\n");
        _exit(WORKERS_LEFT); /* threads cannot be ended from outside */
    }
    service_release(&service);
    if (server)
        server_drop(server);
    return server ? GOOD : FAILED;
}

static enum exit_status act(enum config_outcome outcome, struct config *config,
                            struct strbuf *messages)
{
    struct quota quota = quota_read("", quota_of_machine());
    if (outcome == CONFIG_HELP)
        return config_help(stdout), GOOD;
    if (outcome == CONFIG_VERSION)
        return printf("mapwrightd %s\n", MW_VERSION), GOOD;
    if (outcome == CONFIG_HEALTH)
        return health_ask(config) ? GOOD : FAILED;
    config_fit(config, &quota);
    bool good = config_check(config, &quota, messages) && outcome == CONFIG_OK;
    print_lines(messages);
    return good ? serve(config) : MISUSED;
}

int main(int argc, char *argv[])
{
    if (!strcmp(argv[0], WORKER_NAME))
        worker_main();
    open_streams();
    struct config config;
    struct strbuf messages = {0};
    enum config_outcome outcome = config_read(&config, argc, argv, environ, &messages);
    enum exit_status status = act(outcome, &config, &messages);
    strbuf_release(&messages);
    return (int)status;
}
