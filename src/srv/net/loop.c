/*
 * loop.c: I/O threads.
 *
 * Each waits on one epoll set: its listening socket, libmicrohttpd's own epoll set, an eventfd
 * through which workers announce finished maps, and its connections, whose clients may leave.
 *
 * libmicrohttpd's own threads are not used: they sleep on work they hold when just 128 events come
 * at once, and without them a resumed connection wakes nobody. Its timeout is one of inactivity,
 * which a slow client defeats; the limits here are absolute, and all ours.
 */
#include "loop.h"

#include "http.h"
#include "listen.h"
#include "srv/base/clock.h"
#include "srv/say/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    EVENTS = 64,
    TICK_MS = 1000,     /* longest sleep */
    PATIENT_MS = 50,    /* the same with exchanges waiting, for which clocks run */
    QUIET_MS = 100,     /* without a request, the log is written out */
    LINGER_US = 200000, /* a draining loop goes on so long after its last request */
};

struct loops {
    struct service *service;
    int count;
    struct loop *list[];
};

/* ---- exchanges in and out of the loop -------------------------------------------------------- */

struct exchange *loop_take_exchange(struct loop *loop)
{
    struct exchange *exchange = loop->spare;
    if (exchange)
        loop->spare = exchange->next;
    else
        exchange = calloc(1, sizeof *exchange);
    loop->open += exchange != NULL;
    return exchange;
}

void loop_keep_exchange(struct loop *loop, struct exchange *exchange)
{
    exchange_end(exchange);
    exchange->next = loop->spare;
    loop->spare = exchange;
    loop->open--;
    loop->busy_at = loop->now;
}

/* Into the inbox; the loop is roused unless somebody just did. */
void loop_wake(struct waiter *waiter)
{
    struct exchange *exchange =
        (struct exchange *)(void *)((char *)waiter - offsetof(struct exchange, waiter));
    struct loop *loop = ((struct connection *)exchange->keeper)->loop;
    struct exchange *head = atomic_load(&loop->inbox);
    do
        exchange->next = head;
    while (!atomic_compare_exchange_weak(&loop->inbox, &head, exchange));
    if (!head)
        eventfd_write(loop->event, 1);
}

static void empty_inbox(struct loop *loop)
{
    struct exchange *exchange = atomic_exchange(&loop->inbox, NULL);
    for (struct exchange *next; exchange; exchange = next) {
        next = exchange->next;
        exchange_resume(exchange);
        http_resume(exchange->keeper);
    }
}

/* Work that nobody waits for any more ends. */
static void give_up(struct connection *connection)
{
    struct exchange *exchange = connection->exchange;
    if (!exchange || !exchange->waiting || !exchange_leave(exchange))
        return; /* the wake is on its way */
    metrics_count(COUNT_CLIENTS_LEFT, 1);
    connection->left = true;
    http_resume(connection);
}

void loop_show_end(const struct connection *connection) { shutdown(connection->fd, SHUT_RD); }

/*
 * The client will send no more. Either it has left, or it waits for the answer all the same, which
 * looks alike until something is sent: so what is being made for it goes on for a short while.
 */
static void client_closed(struct watcher *watcher, uint32_t events)
{
    struct connection *connection = (struct connection *)(void *)watcher;
    bool waits = connection->exchange && connection->exchange->waiting;
    connection->half_closed = true;
    if (!waits)
        loop_show_end(connection);
    else if (events & (EPOLLHUP | EPOLLERR))
        give_up(connection);
    else
        connection->deadline = after_ms(connection->loop, LOOP_GRACE_MS);
}

void loop_watch(struct connection *connection)
{
    connection->watcher.ready = client_closed;
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = &connection->watcher};
    epoll_ctl(connection->loop->epoll, EPOLL_CTL_ADD, connection->fd, &event);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void listen_again(struct loop *loop, bool on)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &loop->knock};
    if (on != loop->listening && loop->listener >= 0)
        epoll_ctl(loop->epoll, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, loop->listener, &event);
    loop->listening = on;
}

static bool is_full(const struct loop *loop) { return loop->held >= loop->limit; }

/* Takes in those who knock, up to the limit; the others stay in the kernel's queue. */
static void accept_all(struct loop *loop)
{
    struct sockaddr_storage address;
    while (!is_full(loop)) {
        socklen_t length = sizeof address;
        struct sockaddr *at = (struct sockaddr *)&address;
        int fd = accept4(loop->listener, at, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (fd < 0 && errno != EAGAIN)
            listen_again(loop, false); /* no descriptors left: until the next sweep */
        if (fd < 0)
            return;
        metrics_count(COUNT_CONNECTIONS, 1);
        http_admit(loop, fd, at, length);
    }
    if (is_full(loop))
        listen_again(loop, false);
}

static void on_knock(struct watcher *watcher, uint32_t events)
{
    (void)events;
    accept_all(((struct bell *)(void *)watcher)->loop);
}

/* The inbox is emptied in every round. */
static void on_call(struct watcher *watcher, uint32_t events)
{
    (void)events;
    eventfd_t count;
    eventfd_read(((struct bell *)(void *)watcher)->loop->event, &count);
}

/* The daemon is run in every round. */
static void on_traffic(struct watcher *watcher, uint32_t events) { (void)watcher, (void)events; }

static void close_overdue(struct loop *loop)
{
    for (struct connection *connection = loop->connections; connection;
         connection = connection->next) {
        if (loop->now < connection->deadline)
            continue;
        connection->deadline = INT64_MAX;
        if (connection->exchange && connection->exchange->waiting) {
            give_up(connection);
            continue;
        }
        metrics_count(COUNT_OVERDUE, 1);
        shutdown(connection->fd, SHUT_RDWR); /* libmicrohttpd sees its end */
    }
}

static int sleep_ms(const struct loop *loop)
{
    bool patient = loop->waiting || is_draining(loop);
    return http_sleep_ms(loop, patient ? PATIENT_MS : loop->log.length ? QUIET_MS : TICK_MS);
}

static void keep_house(struct loop *loop, bool quiet)
{
    if (loop->waiting)
        pool_expire(loop->desk.service->pool, loop->now);
    if (loop->log.length && (quiet || loop->now - loop->log.written_at > TICK_MS * 1000))
        log_flush(&loop->log, loop->now);
    if (loop->now - loop->swept_at < (loop->waiting ? PATIENT_MS : TICK_MS) * 1000)
        return;
    loop->swept_at = loop->now;
    close_overdue(loop);
    if (!is_draining(loop) && !is_full(loop))
        listen_again(loop, true);
}

/* Those already in the kernel's queue were accepted as far as they know. */
static void stop_listening(struct loop *loop)
{
    loop->drained_by = after_ms(loop, config_of(loop)->drain_ms);
    loop->busy_at = loop->now;
    accept_all(loop);
    listen_again(loop, false);
    if (loop->listener >= 0)
        close(loop->listener);
    loop->listener = -1;
}

/* Whether a draining loop has nothing left to answer. */
static bool is_finished(struct loop *loop)
{
    if (!is_draining(loop))
        return false;
    if (!loop->drained_by)
        stop_listening(loop);
    if (loop->now > loop->drained_by)
        atomic_store(&loop->desk.service->hurried, true);
    bool quiet = !loop->open && (!loop->held || loop->now - loop->busy_at > LINGER_US);
    return quiet || loop->now > loop->drained_by + 2000000;
}

static void read_clock(struct loop *loop)
{
    loop->now = clock_now();
    time_t second = time(NULL);
    if (second == loop->second)
        return;
    struct tm parts;
    loop->second = second;
    strftime(loop->date, sizeof loop->date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&second, &parts));
}

static void run_once(struct loop *loop)
{
    struct epoll_event events[EVENTS];
    int n = epoll_wait(loop->epoll, events, EVENTS, sleep_ms(loop));
    read_clock(loop);
    for (int i = 0; i < n; i++)
        ((struct watcher *)events[i].data.ptr)->ready(events[i].data.ptr, events[i].events);
    empty_inbox(loop);
    http_run(loop);
    keep_house(loop, n == 0);
}

/* Nobody may be left suspended when the daemon stops; a wake may still be on its way. */
static void abandon_waiting(struct loop *loop)
{
    while (loop->waiting) {
        empty_inbox(loop);
        for (struct connection *connection = loop->connections; connection;
             connection = connection->next)
            give_up(connection);
        http_run(loop);
    }
}

static void *serve(void *arg)
{
    struct loop *loop = arg;
    while (!is_finished(loop))
        run_once(loop);
    abandon_waiting(loop);
    http_close(loop);
    intake_release();
    log_flush(&loop->log, clock_now());
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static bool hang(struct loop *loop, struct bell *bell, int fd,
                 void (*ready)(struct watcher *, uint32_t))
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = bell};
    *bell = (struct bell){{ready}, loop};
    return !epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event);
}

static bool loop_init(struct loop *loop, struct service *service, int port, bool first, bool admin,
                      char why[320])
{
    const struct config *config = &service->config;
    snprintf(why, 320, "no memory for an I/O thread");
    loop->epoll = loop->event = loop->listener = -1;
    if (!desk_init(&loop->desk, service, admin))
        return false;
    log_init(&loop->log, config->log, STDOUT_FILENO);
    read_clock(loop);
    loop->swept_at = loop->now;
    loop->limit = config->connections / config->threads + 1;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (loop->epoll < 0 || loop->event < 0 || !http_open(loop) ||
        !hang(loop, &loop->call, loop->event, on_call) ||
        !hang(loop, &loop->traffic, http_descriptor(loop), on_traffic))
        return false;
    loop->listener = listen_on(config->host, port, first, why);
    if (loop->listener < 0)
        return false;
    loop->knock = (struct bell){{on_knock}, loop};
    listen_again(loop, true);
    loop->running = !pthread_create(&loop->thread, NULL, serve, loop);
    return loop->running;
}

static void loop_stop(struct loop *loop)
{
    if (loop->running)
        pthread_join(loop->thread, NULL);
    else
        http_close(loop);
    loop->running = false;
}

static void loop_drop(struct loop *loop)
{
    for (struct exchange *exchange = loop->spare, *next; exchange; exchange = next) {
        next = exchange->next;
        exchange_release(exchange);
        free(exchange);
    }
    int fds[] = {loop->listener, loop->event, loop->epoll};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    desk_release(&loop->desk);
    free(loop);
}

static bool add_loop(struct loops *loops, int port, bool first, bool admin, char why[320])
{
    struct loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return false;
    loops->list[loops->count++] = loop;
    return loop_init(loop, loops->service, port, first, admin, why);
}

struct loops *loops_start(struct service *service, char why[320])
{
    const struct config *config = &service->config;
    struct loops *loops =
        calloc(1, sizeof *loops + ((size_t)config->threads + 1) * sizeof(struct loop *));
    snprintf(why, 320, "no memory");
    if (!loops)
        return NULL;
    loops->service = service;
    bool good = true;
    for (int i = 0; good && i < config->threads; i++)
        good = add_loop(loops, config->port, i == 0, false, why);
    if (good && config->admin_port)
        good = add_loop(loops, config->admin_port, true, true, why);
    if (good)
        return loops;
    atomic_store(&service->draining, true);
    loops_drain(loops);
    loops_drop(loops);
    return NULL;
}

void loops_drain(struct loops *loops)
{
    for (int i = 0; i < loops->count; i++)
        if (loops->list[i]->running)
            eventfd_write(loops->list[i]->event, 1);
    for (int i = 0; i < loops->count; i++)
        loop_stop(loops->list[i]);
}

void loops_drop(struct loops *loops)
{
    for (int i = 0; i < loops->count; i++)
        loop_drop(loops->list[i]);
    free(loops);
}
