/*
 * server.c: the I/O threads.
 *
 * Each waits on one epoll set: its listening socket, its connections, and an eventfd that workers
 * write to when a map is finished. A round waits, runs libmicrohttpd, then does what is due by the
 * clock.
 */
#include "server.h"

#include "http.h"
#include "srv/base/clock.h"
#include "srv/out/metrics.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    THREAD_DESCRIPTORS = 4, /* of each thread, beside its connections */
    OTHER_DESCRIPTORS = 16, /* of the rest of the process */
    TICK_MS = 1000,         /* longest sleep */
    WAITING_MS = 50,        /* the same while exchanges are open, for which clocks run */
    LINGER_US = 200000,     /* a draining thread goes on that long after its last request */
    BACKLOG = 1024,
    UNSENT = 256 * 1024, /* bytes of an answer that the kernel holds before they can be sent */
};

struct io_thread {
    struct watcher watcher; /* of the listening socket */
    struct service *service;
    struct loop loop;
    struct http http;
    pthread_t thread;
    int listener;       /* -1: none */
    const char *socket; /* the path of a socket that is to be removed; NULL: none */
    int limit;          /* connections */
    bool listening, starved, running;
    int requests; /* without a whole answer, when it ended */
    int64_t swept_at;
    int64_t drained_by, ended_by; /* clock_now; 0: not draining yet, its clients still wait */
};

struct server {
    struct service *service;
    int count;
    struct io_thread threads[];
};

/* ---- accepting ------------------------------------------------------------------------------- */

static void listen_again(struct io_thread *thread, bool on)
{
    if (on == thread->listening || thread->listener < 0)
        return;
    if (!on)
        loop_unwatch(&thread->loop, thread->listener);
    /* without memory: in the next round */
    thread->listening =
        on && loop_watch(&thread->loop, thread->listener, EPOLLIN, &thread->watcher);
}

static bool is_full(const struct io_thread *thread) { return thread->http.held >= thread->limit; }

/* Accepts up to the limit; the others stay in the kernel's queue. */
static void accept_all(struct io_thread *thread)
{
    struct sockaddr_storage address;
    while (!is_full(thread)) {
        socklen_t length = sizeof address;
        struct sockaddr *at = (struct sockaddr *)&address;
        int fd = accept4(thread->listener, at, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (fd < 0 && errno != EAGAIN) {
            thread->starved = true; /* no descriptors left: until the next sweep */
            listen_again(thread, false);
        }
        if (fd < 0)
            return;
        metrics_count(COUNT_CONNECTIONS, 1);
        http_add(&thread->http, fd, at, length);
    }
    listen_again(thread, false);
}

static void on_listener(struct watcher *watcher, uint32_t events)
{
    (void)events;
    accept_all((struct io_thread *)(void *)watcher);
}

/* ---- a round --------------------------------------------------------------------------------- */

static int sleep_ms(const struct io_thread *thread)
{
    bool soon = thread->http.context.open || is_draining(&thread->http);
    return http_sleep_ms(&thread->http, soon ? WAITING_MS : TICK_MS);
}

static void do_what_is_due(struct io_thread *thread)
{
    int64_t now = thread->loop.now;
    if (!thread->starved && !is_draining(&thread->http) && !is_full(thread))
        listen_again(thread, true);
    if (now - thread->swept_at < (thread->http.context.open ? WAITING_MS : TICK_MS) * 1000)
        return;
    thread->swept_at = now;
    pool_expire(thread->service->pool, now);
    http_sweep(&thread->http);
    assert(thread->http.context.open <= thread->http.held &&
           thread->http.waiting <= thread->http.context.open);
    operations_expire(thread->service->operations, now);
    thread->starved = false;
}

/* Connections in the kernel's queue are accepted first: for their clients they are open. */
static void stop_listening(struct io_thread *thread)
{
    thread->drained_by = loop_after_ms(&thread->loop, thread->service->config.drain_ms);
    thread->http.busy_at = thread->loop.now;
    operations_close(thread->service->operations);
    accept_all(thread);
    listen_again(thread, false);
    if (thread->socket)
        unlink(thread->socket);
    close(thread->listener);
    thread->listener = -1;
}

/* Ends all runs, or kills them, in time for their clients to get an answer. */
static void end_waits(struct io_thread *thread, int64_t now)
{
    atomic_store(&thread->service->abort_runs, true);
    if (!thread->ended_by)
        thread->ended_by = now + ANSWERED_US;
}

/* Whether a draining thread has nothing left to answer. */
static bool is_finished(struct io_thread *thread)
{
    int64_t now = thread->loop.now;
    const struct http *http = &thread->http;
    if (!is_draining(&thread->http))
        return false;
    if (!thread->drained_by)
        stop_listening(thread);
    if (now > thread->drained_by)
        end_waits(thread, now);
    bool quiet = !http->context.open && (!http->held || now - http->busy_at > LINGER_US);
    return quiet || (thread->ended_by && now > thread->ended_by);
}

static void *serve(void *arg)
{
    struct io_thread *thread = arg;
    while (!is_finished(thread)) {
        loop_wait(&thread->loop, sleep_ms(thread));
        if (thread->ended_by) /* the machine was busy: clients do not lose that time */
            thread->ended_by += thread->loop.late;
        http_run(&thread->http);
        do_what_is_due(thread);
    }
    thread->requests = thread->http.context.open;
    http_abandon_waiting(&thread->http);
    http_close(&thread->http);
    return NULL;
}

/* Keeps the reason for a failure. -1 */
static int give_up(int fd)
{
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/* ---- listening on ports ---------------------------------------------------------------------- */

static int try_listen(const struct addrinfo *at, bool shared)
{
    int one = 1, zero = 0, unsent = UNSENT;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (shared)
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent,
               sizeof unsent); /* connections inherit */
    if (at->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
    if (!bind(fd, at->ai_addr, at->ai_addrlen) && (!shared || !listen(fd, BACKLOG)))
        return fd;
    return give_up(fd);
}

static struct addrinfo *find_address(const char *host, int port, char why[320])
{
    char service[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV},
                    *found;
    snprintf(service, sizeof service, "%d", port);
    int outcome = getaddrinfo(host, service, &hints, &found);
    if (!outcome)
        return found;
    snprintf(why, 320, "--host: '%.80s': %s", host, gai_strerror(outcome));
    return NULL;
}

/* If the port is taken, proposes another one. */
static void explain(const char *host, int port, bool admin, char why[320])
{
    int n = snprintf(why, 320, "%.80s port %d: %s", host, port, strerror(errno));
    int next = port < 65535 ? port + 1 : 8080;
    const char *flag = admin ? "admin-port" : "port", *name = admin ? "ADMIN_PORT" : "PORT";
    if (errno == EADDRINUSE)
        snprintf(why + n, 320 - (size_t)n,
                 ": give another one, by --%s=%d or MAPWRIGHT_%s=%d, as in "
                 "MAPWRIGHT_%s=%d make run",
                 flag, next, name, next, name, next);
}

/*
 * A socket on that port, beside others of this process. The first one fails where another process
 * listens there. A host of "*" means every address, of IPv6 and of IPv4. -1: `why` says what went
 * wrong, by the name of the port's setting.
 */
static int listen_tcp(const char *host, int port, bool first, bool admin, char why[320])
{
    bool any = !strcmp(host, "*");
    struct addrinfo *at = find_address(any ? "::" : host, port, why);
    if (!at)
        return -1;
    int fd = first ? try_listen(at, false) : 0;
    if (fd >= 0) {
        if (first)
            close(fd);
        fd = try_listen(at, true);
    }
    freeaddrinfo(at);
    if (fd < 0 && any && (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)) /* no IPv6 here */
        return listen_tcp("0.0.0.0", port, first, admin, why);
    if (fd < 0)
        explain(host, port, admin, why);
    return fd;
}

/* ---- listening on paths ---------------------------------------------------------------------- */

/* Whether a socket is there that no process listens on. */
static bool is_left_over(const struct sockaddr_un *at)
{
    struct stat file;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool left = !stat(at->sun_path, &file) && S_ISSOCK(file.st_mode) &&
                connect(fd, (const struct sockaddr *)(const void *)at, sizeof *at) &&
                errno == ECONNREFUSED;
    close(fd);
    return left;
}

/* A socket at that path, which every user may connect to whom its folder lets through. One that a
   process has left there is replaced. -1: `why` says what went wrong. */
static int listen_unix(const char *path, char why[320])
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (is_left_over(&at))
        unlink(path);
    if (fd >= 0 && (bind(fd, (const struct sockaddr *)(const void *)&at, sizeof at) ||
                    chmod(path, 0666) || listen(fd, BACKLOG)))
        fd = give_up(fd);
    if (fd < 0)
        snprintf(why, 320, "--listen: %.107s: %s", path, strerror(errno));
    return fd;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* Of each thread, that of the admin port included: as configured, or what descriptors allow. */
static int most_connections(const struct config *config)
{
    struct rlimit descriptors;
    int asked = config->connections / config->threads + 1, threads = config->threads + 1;
    if (getrlimit(RLIMIT_NOFILE, &descriptors) || descriptors.rlim_cur == RLIM_INFINITY)
        return asked;
    int64_t there = (int64_t)descriptors.rlim_cur - OTHER_DESCRIPTORS;
    int64_t granted = there / threads - THREAD_DESCRIPTORS;
    return granted >= asked ? asked : granted > 1 ? (int)granted : 1;
}

/* Threads share the port, each with a socket of its own; a socket with a path there is once. */
static int open_listener(struct io_thread *thread, const struct server *server, bool admin,
                         char why[320])
{
    const struct config *config = &thread->service->config;
    bool first = thread == server->threads || admin;
    if (!config->socket || admin)
        return listen_tcp(config->host, admin ? config->admin_port : config->port, first, admin,
                          why);
    if (!first)
        return fcntl(server->threads->listener, F_DUPFD_CLOEXEC, 0);
    int fd = listen_unix(config->socket, why);
    thread->socket = fd < 0 ? NULL : config->socket;
    return fd;
}

static bool add_thread(struct server *server, bool admin, char why[320])
{
    struct io_thread *thread = &server->threads[server->count++];
    const struct config *config = &server->service->config;
    thread->service = server->service;
    thread->listener = -1;
    thread->limit = most_connections(config);
    thread->watcher.ready = on_listener;
    snprintf(why, 320, "no memory or descriptors for an I/O thread");
    if (!loop_init(&thread->loop) ||
        !http_open(&thread->http, &thread->loop, thread->service, thread->limit, admin))
        return false;
    thread->swept_at = thread->loop.now;
    thread->listener = open_listener(thread, server, admin, why);
    if (thread->listener < 0)
        return false;
    listen_again(thread, true);
    thread->running = !pthread_create(&thread->thread, NULL, serve, thread);
    return thread->running;
}

static bool add_threads(struct server *server, char why[320])
{
    const struct config *config = &server->service->config;
    for (int i = 0; i < config->threads; i++)
        if (!add_thread(server, false, why))
            return false;
    return !config->admin_port || add_thread(server, true, why);
}

struct server *server_start(struct service *service, char why[320])
{
    size_t most = (size_t)service->config.threads + 1;
    struct server *server = calloc(1, sizeof *server + most * sizeof *server->threads);
    snprintf(why, 320, "no memory");
    if (!server)
        return NULL;
    server->service = service;
    if (add_threads(server, why))
        return server;
    atomic_store(&service->draining, true);
    server_drain(server);
    server_drop(server);
    return NULL;
}

int server_drain(struct server *server)
{
    int requests = 0;
    assert(atomic_load(&server->service->draining));
    for (struct io_thread *thread = server->threads; thread < server->threads + server->count;
         thread++)
        if (thread->running)
            loop_wake(&thread->loop);
    for (struct io_thread *thread = server->threads; thread < server->threads + server->count;
         thread++) {
        if (thread->running)
            pthread_join(thread->thread, NULL);
        else
            http_close(&thread->http);
        thread->running = false;
        requests += thread->requests;
    }
    return requests;
}

void server_drop(struct server *server)
{
    for (struct io_thread *thread = server->threads; thread < server->threads + server->count;
         thread++) {
        assert(!thread->running);
        if (thread->listener >= 0)
            close(thread->listener);
        loop_release(&thread->loop);
    }
    free(server);
}
