/* main.c: start, wait for a signal, drain, stop. */
#include "srv/base/clock.h"
#include "srv/base/config.h"
#include "srv/base/grace.h"
#include "srv/box/fence.h"
#include "srv/health.h"
#include "srv/net/server.h"
#include "srv/out/log.h"
#include "srv/out/problem.h"

#include "mapwright_host.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { GOOD = 0, FAILED = 1, MISUSED = 2, LEFT = 3 };
enum { LARGE = 256 * 1024 };

static struct log events;

/* Where standard streams are closed, nothing that is opened later may take their places: the log
   would be written into it. */
static void fill_streams(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    close(fd);
}

/* Connections are descriptors: take all that the system grants. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Large answers go back to the system as soon as they are sent. By itself malloc keeps what is as
   large as one that was freed before. */
static void return_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, LARGE);
}

/* Blocked before any thread begins, so that all inherit it. */
static sigset_t block_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* how workers end is asked for */
    return set;
}

/* Writes an event to the log. */
static void tell(const char *event, const char *members)
{
    log_event(&events, event, members);
    log_flush(&events, clock_now());
}

static void tell_start(const struct config *config)
{
    struct strbuf text = {0};
    strbuf_add(&text, "\"version\":\"" MW_VERSION "\",\"settings\":");
    config_write(config, &text);
    strbuf_char(&text, '\0');
    tell("start", text.failed ? "" : text.at);
    strbuf_release(&text);
}

/* The next signal; 0: none came in time. `until` INT64_MAX: it is waited for. */
static int await_signal(const sigset_t *signals, int64_t until)
{
    int number = 0;
    if (until == INT64_MAX)
        return sigwait(signals, &number) ? 0 : number;
    for (int64_t left; (left = until - clock_now()) > 0;) {
        struct timespec patience = {.tv_sec = left / 1000000, .tv_nsec = left % 1000000 * 1000};
        number = sigtimedwait(signals, NULL, &patience);
        if (number > 0)
            return number;
    }
    return 0;
}

/* Those that cannot be read leave the old ones in force. */
static void reload_keys(struct service *service)
{
    char why[320], members[48];
    if (!service->keys)
        return;
    bool good = keys_reload(service->keys, service->config.keys_file, why);
    snprintf(members, sizeof members, "\"read\":%s,\"keys\":%d", good ? "true" : "false",
             keys_count(service->keys));
    tell("reload", members);
    if (good)
        fprintf(stderr, "mapwrightd: keys read again: there are %d\n", keys_count(service->keys));
    else
        fprintf(stderr, "mapwrightd: the keys stay as they were: %s\n", why);
}

/* Until the end is asked for, or the time is over. */
static void await_end(struct service *service, const sigset_t *signals, int64_t until)
{
    while (await_signal(signals, until) == SIGHUP)
        reload_keys(service);
}

/* Readiness goes first, so that a load balancer sends no more before anything is refused. */
static void leave(struct service *service, const sigset_t *signals)
{
    atomic_store(&service->leaving, true);
    tell("leave", "");
    await_end(service, signals, clock_now() + service->config.drain_delay_ms * INT64_C(1000));
    atomic_store(&service->draining, true);
    tell("drain", "");
}

/* NULL: the reason was printed. */
static struct server *start(struct service *service, const struct config *config)
{
    const char *what = "anything";
    char why[320];
    struct server *server = NULL;
    if (!problem_init() || !service_init(service, config, &what))
        snprintf(why, sizeof why, "there is no room for %s", what);
    else if (!config->keys_file || (service->keys = keys_new(config->keys_file, why)))
        server = server_start(service, why);
    if (!server)
        fprintf(stderr, "mapwrightd: %s\n", why);
    return server;
}

static void tell_isolation(const struct service *service)
{
    if (!service->boxes)
        fprintf(stderr, "mapwrightd: --isolate=off: a map that crashes ends the server\n");
    else if (!fence_exists())
        fprintf(stderr, "mapwrightd: there is no seccomp here: worker processes may make any "
                        "system call\n");
}

/* Where a browser on this machine finds it, too. */
static void tell_address(const struct config *config)
{
    bool any = !strcmp(config->host, "*") || !strcmp(config->host, "0.0.0.0") ||
               !strcmp(config->host, "::");
    bool wide = !any && strchr(config->host, ':');
    if (config->socket)
        fprintf(stderr, "mapwrightd %s: serving on unix:%s\n", MW_VERSION, config->socket);
    else
        fprintf(stderr, "mapwrightd %s: serving on http://%s%s%s:%d/ (%s port %d)\n", MW_VERSION,
                wide ? "[" : "", any ? "localhost" : config->host, wide ? "]" : "", config->port,
                config->host, config->port);
}

/* Waits for the workers, for a bounded time. True: all have ended, and all may be released. */
static bool stop(struct service *service, const struct server_rest *rest, int64_t drain_began)
{
    char members[64];
    int64_t until = grace_end(drain_began, service->config.drain_ms, clock_now());
    int runs = service_stop(service, until);
    snprintf(members, sizeof members, "\"runs\":%d,\"requests\":%d", runs, rest->requests);
    tell("stop", members);
    return !runs && !rest->held;
}

/* False: a worker has not ended. */
static bool run(struct service *service, struct server *server, sigset_t *signals)
{
    const struct config *config = &service->config;
    tell_address(config);
    tell_isolation(service);
    tell_start(config);
    await_end(service, signals, INT64_MAX);
    leave(service, signals);
    int64_t drain_began = clock_now();
    struct server_rest rest = server_drain(server);
    return stop(service, &rest, drain_began);
}

/* Threads cannot be ended from outside, and what a worker uses cannot be released. */
static _Noreturn void leave_workers(void)
{
    fprintf(stderr, "mapwrightd: a worker has not ended, and is left: the log has its address\n");
    _exit(LEFT);
}

static int serve(const struct config *config)
{
    struct service service = {0};
    sigset_t signals = block_signals();
    raise_descriptors();
    return_memory();
    log_init(&events, config->log, STDOUT_FILENO);
    struct server *server = start(&service, config);
    if (server && !run(&service, server, &signals))
        leave_workers();
    service_release(&service);
    if (server)
        server_drop(server);
    problem_release();
    return server ? GOOD : FAILED;
}

static int describe(enum config_outcome outcome)
{
    if (outcome == CONFIG_HELP)
        config_help(stdout);
    else
        printf("mapwrightd %s\n", MW_VERSION);
    return GOOD;
}

/* Prints the messages about settings, one a line. */
static void tell_lines(struct strbuf *told)
{
    for (size_t at = 0, length; at < told->length; at += length + 1) {
        const char *line = told->at + at, *end = memchr(line, '\n', told->length - at);
        length = end ? (size_t)(end - line) : told->length - at;
        fprintf(stderr, "mapwrightd: %.*s\n", (int)length, line);
    }
    strbuf_release(told);
}

int main(int argc, char *argv[])
{
    if (!strcmp(argv[0], WORKER_NAME))
        worker_main();
    fill_streams();
    struct config config;
    struct strbuf told = {0};
    enum config_outcome outcome = config_read(&config, argc, argv, environ, &told);
    if (outcome == CONFIG_HELP || outcome == CONFIG_VERSION) {
        strbuf_release(&told);
        return describe(outcome);
    }
    if (outcome == CONFIG_HEALTH) {
        strbuf_release(&told);
        return health_ask(&config) ? GOOD : FAILED;
    }
    struct quota quota = quota_read("", quota_of_machine());
    config_fit(&config, &quota);
    bool good = config_check(&config, &quota, &told) && outcome == CONFIG_OK;
    tell_lines(&told);
    return good ? serve(&config) : MISUSED;
}
