/* main.c: start, wait for a signal, drain, stop. */
#include "srv/base/config.h"
#include "srv/net/server.h"
#include "srv/say/problem.h"

#include "mapwright.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { GOOD = 0, FAILED = 1, MISUSED = 2 };

static const char *environment(const char *name) { return getenv(name); }

/* Connections are descriptors: take all that the system grants. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Blocked before any thread begins, so that all inherit it. */
static sigset_t block_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    return set;
}

static int fail(const char *why)
{
    fprintf(stderr, "mapwrightd: %s\n", why);
    return FAILED;
}

static int serve(const struct config *config)
{
    struct service service;
    const char *what = "anything";
    char why[320];
    int signal_number;
    sigset_t signals = block_signals();
    raise_descriptors();
    if (!problem_init() || !service_init(&service, config, &what)) {
        fprintf(stderr, "mapwrightd: there is no room for %s\n", what);
        return FAILED;
    }
    struct server *server = server_start(&service, why);
    if (!server)
        return fail(why);
    fprintf(stderr, "mapwrightd %s: serving on %s port %d\n", MW_VERSION, config->host,
            config->port);
    sigwait(&signals, &signal_number);
    atomic_store(&service.draining, true);
    server_drain(server);
    service_release(&service);
    server_drop(server);
    problem_release();
    return GOOD;
}

int main(int argc, char *argv[])
{
    struct config config;
    char why[320];
    switch (config_read(&config, argc, argv, environment, why)) {
    case CONFIG_HELP: config_help(stdout); return GOOD;
    case CONFIG_VERSION: printf("mapwrightd %s\n", MW_VERSION); return GOOD;
    case CONFIG_WRONG: fprintf(stderr, "mapwrightd: %s\n", why); return MISUSED;
    case CONFIG_OK: break;
    }
    return serve(&config);
}
