/*
 * http.c: connections and I/O threads. The only file with microhttpd.h.
 *
 * Each I/O thread has a loop and a daemon of libmicrohttpd of its own, which is never touched by another thread. The
 * loop waits on one epoll set: the listening socket, the daemon's own epoll set, an eventfd through which workers
 * announce finished maps, and the sockets of suspended connections, whose clients may leave.
 *
 * libmicrohttpd's own threads are not used: they sleep on work they hold when just 128 events come at once,
 * and without them a resumed connection wakes nobody. A GET is never answered at the handler's first call, as the
 * connection would be closed. Its timeout is one of inactivity, which a slow client defeats; the limits here
 * are absolute, and all ours.
 */
#include "http.h"

#include "clock.h"
#include "gate.h"
#include "lobby.h"
#include "metrics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECTION_MEMORY = 16 * 1024, /* line and header fields; cleared between requests, so not more */
    EVENTS = 64,
    TICK_MS = 1000,   /* longest sleep */
    PATIENT_MS = 50,  /* with exchanges waiting: the queue is looked through that often */
    QUIET_MS = 100,   /* without a request, the log is written out */
    DATE_ROOM = 32,
    DRESSES = 256,
    LARGEST_DRESS = 16 * 1024,
    SWALLOWED = 16 << 20, /* bytes of a body too large that are still read, so that the client hears our answer */
    DEFER_S = 1,   /* the kernel keeps who connects and says nothing for so long */
    LINGER_US = 200000,   /* a draining loop goes on so long after its last request */
};

/* A reply that many ask for, kept with its headers on. */
struct dress {
    struct blob *blob;
    struct MHD_Response *response;
    char id[REQUEST_ID_ROOM]; /* that it has on, as the date */
    char date[DATE_ROOM];
    bool worn;
};

struct connection {
    struct watcher watcher;
    struct connection *next, *before;
    struct loop *loop;
    struct MHD_Connection *handle;
    int fd;
    int64_t deadline; /* clock_now */
    struct exchange *exchange;
    bool begun;    /* its header was seen */
    bool watched;  /* suspended: its client may leave */
    bool left;
    size_t swallowed;
    struct dress *dress;
    char client[INET6_ADDRSTRLEN];
};

/* A watcher that knows its loop. */
struct bell {
    struct watcher watcher;
    struct loop *loop;
};

struct loop {
    struct desk desk;
    struct lobby lobby;
    struct bell knock, call, traffic; /* of the listening socket, the eventfd, libmicrohttpd */
    struct MHD_Daemon *daemon;
    pthread_t thread;
    int epoll, event, listener;
    bool listening, running;
    int64_t now, swept_at, busy_at, drained_by;
    time_t second; /* that `date` spells */
    char date[DATE_ROOM];
    int limit, held; /* connections */
    int open;        /* exchanges */
    int waiting;     /* of these, suspended */
    _Atomic(struct exchange *) inbox; /* those that were woken */
    struct connection *connections;
    struct exchange *spare;
    struct dress wardrobe[DRESSES];
    struct log log;
};

struct http {
    struct service *service;
    int count;
    struct loop *loops[];
};

static const struct config *config_of(const struct loop *loop)
{
    return &loop->desk.service->config;
}

static bool is_draining(const struct loop *loop)
{
    return atomic_load_explicit(&loop->desk.service->draining, memory_order_relaxed);
}

static int64_t after_ms(const struct loop *loop, int64_t ms)
{
    return loop->now + ms * 1000;
}

/* ---- exchanges in and out of the loop ------------------------------------------------------------------------------ */

static struct exchange *take_exchange(struct loop *loop)
{
    struct exchange *exchange = loop->spare;
    if (exchange)
        loop->spare = exchange->next;
    else
        exchange = calloc(1, sizeof *exchange);
    return exchange;
}

/* A worker is done: hands the exchange to its loop, and rouses the loop unless somebody just did. */
static void wake(struct waiter *waiter)
{
    struct exchange *exchange = (struct exchange *)(void *)((char *)waiter - offsetof(struct exchange, waiter));
    struct loop *loop = ((struct connection *)exchange->keeper)->loop;
    struct exchange *head = atomic_load(&loop->inbox);
    do
        exchange->next = head;
    while (!atomic_compare_exchange_weak(&loop->inbox, &head, exchange));
    if (!head)
        eventfd_write(loop->event, 1);
}

/* Suspended sockets are watched, since libmicrohttpd does not look at them. */
static void watch(struct connection *connection)
{
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = connection};
    connection->watched = !epoll_ctl(connection->loop->epoll, EPOLL_CTL_ADD, connection->fd, &event);
}

static void unwatch(struct connection *connection)
{
    if (connection->watched)
        epoll_ctl(connection->loop->epoll, EPOLL_CTL_DEL, connection->fd, NULL);
    connection->watched = false;
}

static void suspend(struct connection *connection)
{
    connection->loop->waiting++;
    connection->deadline = INT64_MAX;
    MHD_suspend_connection(connection->handle);
    watch(connection);
}

static void resume(struct connection *connection)
{
    connection->loop->waiting--;
    unwatch(connection);
    MHD_resume_connection(connection->handle);
}

static void empty_inbox(struct loop *loop)
{
    struct exchange *exchange = atomic_exchange(&loop->inbox, NULL);
    for (struct exchange *next; exchange; exchange = next) {
        next = exchange->next;
        exchange_resume(exchange);
        resume(exchange->keeper);
    }
}

/* Work that nobody waits for any more ends. */
static void client_left(struct watcher *watcher)
{
    struct connection *connection = (struct connection *)(void *)watcher;
    if (!connection->exchange || !connection->exchange->waiting || !exchange_leave(connection->exchange))
        return; /* the wake is on its way */
    metrics_count(COUNT_CLIENTS_LEFT, 1);
    connection->left = true;
    resume(connection);
}

/* ---- replies --------------------------------------------------------------------------------------------------------- */

static bool put_on(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static ssize_t read_nothing(void *arg, uint64_t at, char *to, size_t room)
{
    (void)arg, (void)at, (void)to, (void)room;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

/* Around the blob's own bytes, which the exchange holds until it has ended. Of a 304 the length is not known,
   and must not be given as 0. */
static struct MHD_Response *wrap(const struct reply *reply)
{
    struct blob *blob = reply->blob;
    if (reply->status == MHD_HTTP_NOT_MODIFIED)
        return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, read_nothing, NULL, NULL);
    return MHD_create_response_from_buffer(blob ? blob->length : 0, blob ? blob->bytes : NULL,
                                           MHD_RESPMEM_PERSISTENT);
}

static struct MHD_Response *make_response(const struct reply *reply)
{
    struct MHD_Response *response = wrap(reply);
    bool good = response;
    for (size_t i = 0; good && i < reply->count; i++)
        good = put_on(response, reply->headers[i].name, reply->headers[i].value);
    if (response && !good) {
        MHD_destroy_response(response);
        return NULL;
    }
    return response;
}

static void drop_dress(struct dress *dress)
{
    if (dress->response)
        MHD_destroy_response(dress->response);
    blob_drop(dress->blob);
    *dress = (struct dress){0};
}

/*
 * The kept reply for this blob, for one connection at a time; made at need. NULL: its place is taken, or no
 * memory. It is only changed while no connection uses it.
 */
static struct dress *take_dress(struct loop *loop, const struct reply *reply)
{
    struct dress *dress = &loop->wardrobe[((uintptr_t)reply->blob >> 6) % DRESSES];
    if (dress->worn)
        return NULL;
    if (dress->blob != reply->blob) {
        drop_dress(dress);
        dress->response = make_response(reply);
        if (!dress->response)
            return NULL;
        dress->blob = blob_ref(reply->blob);
    }
    return dress;
}

/* Puts on a header in place of the old one; `has` is its value, "" at first. */
static bool change(struct MHD_Response *response, const char *name, char *has, const char *value)
{
    if (*has && MHD_del_response_header(response, name, has) != MHD_YES)
        return false;
    strcpy(has, value);
    return put_on(response, name, value);
}

static enum MHD_Result queue_dress(struct connection *connection, struct dress *dress)
{
    const struct exchange *exchange = connection->exchange;
    bool today = !strcmp(dress->date, connection->loop->date);
    if (!change(dress->response, "X-Request-Id", dress->id, exchange->request_id) ||
        (!today && !change(dress->response, "Date", dress->date, connection->loop->date))) {
        drop_dress(dress);
        return MHD_NO;
    }
    connection->dress = dress;
    dress->worn = true;
    return MHD_queue_response(connection->handle, exchange->reply.status, dress->response);
}

static enum MHD_Result queue_fresh(struct connection *connection)
{
    const struct exchange *exchange = connection->exchange;
    struct MHD_Response *response = make_response(&exchange->reply);
    if (!response)
        return MHD_NO;
    bool good = put_on(response, "X-Request-Id", exchange->request_id) &&
                put_on(response, "Date", connection->loop->date) &&
                (!is_draining(connection->loop) || put_on(response, "Connection", "close"));
    enum MHD_Result result =
        good ? MHD_queue_response(connection->handle, exchange->reply.status, response) : MHD_NO;
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_reply(struct connection *connection)
{
    struct loop *loop = connection->loop;
    const struct reply *reply = &connection->exchange->reply;
    size_t length = reply->blob ? reply->blob->length : 0;
    connection->deadline = after_ms(loop, config_of(loop)->send_ms + (int64_t)(length >> 16) * 1000);
    bool common = reply->common && length <= LARGEST_DRESS && !is_draining(loop);
    struct dress *dress = common ? take_dress(loop, reply) : NULL;
    return dress ? queue_dress(connection, dress) : queue_fresh(connection);
}

/* ---- what libmicrohttpd calls ------------------------------------------------------------------------------------------ */

static struct connection *connection_of(struct MHD_Connection *handle)
{
    return MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* The request's first line has come. */
static void *on_line(void *arg, const char *uri, struct MHD_Connection *handle)
{
    struct loop *loop = arg;
    struct connection *connection = connection_of(handle);
    struct exchange *exchange = connection ? take_exchange(loop) : NULL;
    if (!exchange)
        return NULL;
    connection->exchange = exchange;
    connection->begun = connection->left = false;
    connection->swallowed = 0;
    exchange->keeper = connection;
    exchange_start(exchange, &loop->desk, uri, wake);
    exchange->uri_too_long = exchange->uri.length > GATE_URI + 1;
    loop->open++;
    return exchange;
}

struct header_reader {
    struct headers *headers;
    unsigned long long length; /* of the body, as announced */
    bool asks;                 /* whether it should be sent at all */
    int hosts;
};

#define HEADER(name, member) {name, sizeof(name) - 1, offsetof(struct headers, member)}

static const struct {
    const char *name;
    size_t length, offset;
} known_headers[] = {
    HEADER("Accept", accept),
    HEADER("Content-Type", content_type),
    HEADER("Accept-Encoding", accept_encoding),
    HEADER("If-None-Match", if_none_match),
    HEADER("X-Request-Id", request_id),
    HEADER("Content-Encoding", content_encoding),
};

static bool is_name(const char *name, size_t length, const char *known, size_t known_length)
{
    return length == known_length && !strncasecmp(name, known, length);
}

static enum MHD_Result read_header(void *arg, enum MHD_ValueKind kind, const char *name, size_t length,
                                   const char *value, size_t value_length)
{
    struct header_reader *reader = arg;
    (void)kind, (void)value_length;
    for (size_t i = 0; i < sizeof known_headers / sizeof *known_headers; i++)
        if (is_name(name, length, known_headers[i].name, known_headers[i].length)) {
            *(const char **)(void *)((char *)reader->headers + known_headers[i].offset) = value;
            return MHD_YES;
        }
    if (value && is_name(name, length, "Content-Length", 14))
        reader->length = strtoull(value, NULL, 10);
    reader->asks |= is_name(name, length, "Expect", 6);
    reader->hosts += is_name(name, length, "Host", 4);
    return MHD_YES;
}

static enum MHD_Result run_exchange(struct connection *connection)
{
    struct exchange *exchange = connection->exchange;
    exchange_run(exchange);
    if (!exchange->waiting)
        return send_reply(connection);
    suspend(connection);
    return MHD_YES;
}

/* The header has come. A body too large is refused at once if the client asks, or will not end soon. */
static enum MHD_Result begin(struct connection *connection, const char *method, const char *version)
{
    struct loop *loop = connection->loop;
    struct exchange *exchange = connection->exchange;
    struct header_reader reader = {.headers = &exchange->headers};
    connection->begun = true;
    connection->deadline = after_ms(loop, config_of(loop)->body_ms);
    exchange_set_method(exchange, method);
    MHD_get_connection_values_n(connection->handle, MHD_HEADER_KIND, read_header, &reader);
    if (reader.hosts > 1 || (!reader.hosts && !strcmp(version, "HTTP/1.1")))
        exchange->broken = "there must be one Host header";
    if (reader.length <= (unsigned long long)config_of(loop)->max_body)
        return MHD_YES;
    exchange->body_too_large = true;
    return reader.asks || reader.length > SWALLOWED ? run_exchange(connection) : MHD_YES;
}

static enum MHD_Result take_body(struct connection *connection, const char *bytes, size_t *size)
{
    connection->swallowed += *size;
    if (connection->swallowed > SWALLOWED + (size_t)config_of(connection->loop)->max_body)
        return MHD_NO;
    exchange_take_body(connection->exchange, bytes, *size);
    *size = 0;
    return MHD_YES;
}

static enum MHD_Result on_request(void *arg, struct MHD_Connection *handle, const char *url, const char *method,
                                  const char *version, const char *bytes, size_t *size, void **state)
{
    (void)arg, (void)handle, (void)url;
    struct exchange *exchange = *state;
    if (!exchange)
        return MHD_NO; /* there was no memory for it */
    struct connection *connection = exchange->keeper;
    if (!connection->begun)
        return begin(connection, method, version);
    if (*size)
        return take_body(connection, bytes, size);
    if (connection->left)
        return MHD_NO;
    return exchange->reply.status ? send_reply(connection) : run_exchange(connection);
}

static void write_log(struct loop *loop, const struct connection *connection)
{
    const struct exchange *exchange = connection->exchange;
    bool body = exchange->reply.blob && exchange->method != METHOD_HEAD;
    struct log_entry entry = {
        .id = exchange->request_id,
        .method = exchange->method_name,
        .path = exchange->path ? exchange->path : "",
        .cache = exchange->note,
        .client = connection->client,
        .status = connection->left ? 499 : exchange->reply.status,
        .bytes = body ? exchange->reply.blob->length : 0,
        .microseconds = clock_now() - exchange->started,
    };
    metrics_request(entry.status, entry.microseconds);
    metrics_count(COUNT_BODY_BYTES, entry.bytes);
    log_line(&loop->log, &entry);
}

static void on_completed(void *arg, struct MHD_Connection *handle, void **state,
                         enum MHD_RequestTerminationCode why)
{
    (void)handle, (void)why;
    struct loop *loop = arg;
    struct exchange *exchange = *state;
    if (!exchange)
        return;
    struct connection *connection = exchange->keeper;
    if (connection->begun)
        write_log(loop, connection);
    if (connection->dress)
        connection->dress->worn = false;
    connection->dress = NULL;
    connection->exchange = NULL;
    connection->deadline = after_ms(loop, config_of(loop)->idle_ms);
    exchange_end(exchange);
    exchange->next = loop->spare;
    loop->spare = exchange;
    loop->open--;
    loop->busy_at = loop->now;
    *state = NULL;
}

static void open_connection(struct loop *loop, struct MHD_Connection *handle, void **context)
{
    struct connection *connection = calloc(1, sizeof *connection);
    *context = connection;
    if (!connection)
        return; /* its first line ends it */
    connection->watcher.ready = client_left;
    connection->loop = loop;
    connection->handle = handle;
    connection->fd = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    connection->deadline = after_ms(loop, config_of(loop)->header_ms);
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info)
        spell_client(info->client_addr, sizeof(struct sockaddr_storage), connection->client);
    connection->next = loop->connections;
    if (connection->next)
        connection->next->before = connection;
    loop->connections = connection;
}

static void close_connection(struct loop *loop, struct connection *connection)
{
    if (!connection)
        return;
    *(connection->before ? &connection->before->next : &loop->connections) = connection->next;
    if (connection->next)
        connection->next->before = connection->before;
    free(connection);
}

static void on_connection(void *arg, struct MHD_Connection *handle, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct loop *loop = arg;
    int change = code == MHD_CONNECTION_NOTIFY_STARTED ? 1 : -1;
    if (change > 0)
        open_connection(loop, handle, context);
    else
        close_connection(loop, *context);
    loop->held += change;
    atomic_fetch_add(&loop->desk.service->connections, change);
}

/* ---- the loop ------------------------------------------------------------------------------------------------------------ */

static void listen_again(struct loop *loop, bool on)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &loop->knock};
    if (on != loop->listening && loop->listener >= 0)
        epoll_ctl(loop->epoll, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, loop->listener, &event);
    loop->listening = on;
}

static bool is_full(const struct loop *loop)
{
    return loop->held + loop->lobby.held >= loop->limit;
}

/* Fit to be let in. */
static void admit(void *arg, int fd, const struct sockaddr *address, socklen_t length)
{
    struct loop *loop = arg;
    MHD_add_connection(loop->daemon, fd, address, length); /* closes it where it fails */
}

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
        if (fd < 0)
            break;
        metrics_count(COUNT_CONNECTIONS, 1);
        lobby_receive(&loop->lobby, fd, at, length, loop->now);
    }
    if (is_full(loop))
        listen_again(loop, false);
}

static void on_knock(struct watcher *watcher)
{
    accept_all(((struct bell *)(void *)watcher)->loop);
}

/* The inbox is emptied in every round. */
static void on_call(struct watcher *watcher)
{
    eventfd_t count;
    eventfd_read(((struct bell *)(void *)watcher)->loop->event, &count);
}

/* The daemon is run in every round. */
static void on_traffic(struct watcher *watcher)
{
    (void)watcher;
}

static void close_overdue(struct loop *loop)
{
    for (struct connection *connection = loop->connections; connection; connection = connection->next) {
        if (loop->now < connection->deadline)
            continue;
        metrics_count(COUNT_OVERDUE, 1);
        shutdown(connection->fd, SHUT_RDWR); /* libmicrohttpd sees its end */
        connection->deadline = INT64_MAX;
    }
}

static int sleep_ms(const struct loop *loop)
{
    MHD_UNSIGNED_LONG_LONG asked;
    int longest = loop->waiting || is_draining(loop) ? PATIENT_MS : loop->log.length ? QUIET_MS : TICK_MS;
    bool given = MHD_get_timeout(loop->daemon, &asked) == MHD_YES;
    return given && asked < (unsigned)longest ? (int)asked : longest;
}

static void keep_house(struct loop *loop, bool quiet)
{
    if (loop->waiting)
        pool_expire(loop->desk.service->pool, loop->now);
    if (loop->log.length && (quiet || loop->now - loop->log.written_at > TICK_MS * 1000))
        log_flush(&loop->log, loop->now);
    if (loop->now - loop->swept_at < TICK_MS * 1000)
        return;
    loop->swept_at = loop->now;
    close_overdue(loop);
    lobby_sweep(&loop->lobby, loop->now);
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
    bool nobody = !loop->held && !loop->lobby.held;
    bool quiet = !loop->open && (nobody || loop->now - loop->busy_at > LINGER_US);
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
        ((struct watcher *)events[i].data.ptr)->ready(events[i].data.ptr);
    empty_inbox(loop);
    MHD_run(loop->daemon);
    keep_house(loop, n == 0);
}

static void *serve(void *arg)
{
    struct loop *loop = arg;
    while (!is_finished(loop))
        run_once(loop);
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------------------------------------- */

static int try_listen(const struct addrinfo *at, bool shared)
{
    int one = 1, zero = 0;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &(int){DEFER_S}, sizeof(int));
    if (shared)
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (at->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
    if (!bind(fd, at->ai_addr, at->ai_addrlen) && (!shared || !listen(fd, 1024)))
        return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

static struct addrinfo *find_address(const struct config *config, int port, char why[256])
{
    char service[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found;
    snprintf(service, sizeof service, "%d", port);
    int outcome = getaddrinfo(config->host, service, &hints, &found);
    if (!outcome)
        return found;
    snprintf(why, 256, "--host: '%.80s': %s", config->host, gai_strerror(outcome));
    return NULL;
}

/* `probe`: sockets of our own share the port, but no other server's may. */
static int listen_on(const struct config *config, int port, bool probe, char why[256])
{
    struct addrinfo *at = find_address(config, port, why);
    if (!at)
        return -1;
    int fd = probe ? try_listen(at, false) : 0;
    if (fd >= 0) {
        if (probe)
            close(fd);
        fd = try_listen(at, true);
    }
    freeaddrinfo(at);
    if (fd < 0)
        snprintf(why, 256, "%.80s port %d: %s", config->host, port, strerror(errno));
    return fd;
}

static struct MHD_Daemon *start_daemon(struct loop *loop)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_SUPPRESS_DATE_NO_CLOCK,
        0, NULL, NULL, on_request, loop,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, loop,
        MHD_OPTION_URI_LOG_CALLBACK, on_line, loop,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, loop,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)loop->limit + 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

static bool hang(struct loop *loop, struct bell *bell, int fd, void (*ready)(struct watcher *))
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = bell};
    *bell = (struct bell){{ready}, loop};
    return !epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event);
}

static bool loop_init(struct loop *loop, struct service *service, int port, bool first, bool admin, char why[256])
{
    const struct config *config = &service->config;
    snprintf(why, 256, "no memory for an I/O thread");
    loop->epoll = loop->event = loop->listener = -1;
    if (!desk_init(&loop->desk, service, admin))
        return false;
    log_init(&loop->log, config->log, STDOUT_FILENO);
    read_clock(loop);
    loop->swept_at = loop->now;
    loop->limit = config->connections / config->threads + 1;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    loop->daemon = start_daemon(loop);
    if (loop->epoll < 0 || loop->event < 0 || !loop->daemon ||
        !hang(loop, &loop->call, loop->event, on_call) ||
        !hang(loop, &loop->traffic, MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, on_traffic))
        return false;
    loop->listener = listen_on(config, port, first, why);
    if (loop->listener < 0)
        return false;
    loop->knock = (struct bell){{on_knock}, loop};
    loop->lobby = (struct lobby){.epoll = loop->epoll, .desk = &loop->desk, .log = &loop->log, .date = loop->date,
                                 .admit = admit, .arg = loop};
    listen_again(loop, true);
    loop->running = !pthread_create(&loop->thread, NULL, serve, loop);
    return loop->running;
}

/* Nobody may be left suspended when the daemon stops. */
static void abandon_waiting(struct loop *loop)
{
    empty_inbox(loop);
    for (struct connection *connection = loop->connections; connection; connection = connection->next)
        client_left(&connection->watcher);
    if (loop->daemon)
        MHD_run(loop->daemon);
}

static void loop_stop(struct loop *loop)
{
    if (loop->running)
        pthread_join(loop->thread, NULL);
    loop->running = false;
    abandon_waiting(loop);
    lobby_empty(&loop->lobby);
    if (loop->daemon)
        MHD_stop_daemon(loop->daemon);
    loop->daemon = NULL;
    log_flush(&loop->log, clock_now());
}

static void loop_drop(struct loop *loop)
{
    for (size_t i = 0; i < DRESSES; i++)
        drop_dress(&loop->wardrobe[i]);
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

static bool add_loop(struct http *http, int port, bool first, bool admin, char why[256])
{
    struct loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return false;
    http->loops[http->count++] = loop;
    return loop_init(loop, http->service, port, first, admin, why);
}

struct http *http_start(struct service *service, char why[256])
{
    const struct config *config = &service->config;
    struct http *http = calloc(1, sizeof *http + ((size_t)config->threads + 1) * sizeof(struct loop *));
    snprintf(why, 256, "no memory");
    if (!http)
        return NULL;
    http->service = service;
    bool good = true;
    for (int i = 0; good && i < config->threads; i++)
        good = add_loop(http, config->port, i == 0, false, why);
    if (good && config->admin_port)
        good = add_loop(http, config->admin_port, true, true, why);
    if (good)
        return http;
    atomic_store(&service->draining, true);
    http_drain(http);
    http_drop(http);
    return NULL;
}

void http_drain(struct http *http)
{
    for (int i = 0; i < http->count; i++)
        if (http->loops[i]->running)
            eventfd_write(http->loops[i]->event, 1);
    for (int i = 0; i < http->count; i++)
        loop_stop(http->loops[i]);
}

void http_drop(struct http *http)
{
    for (int i = 0; i < http->count; i++)
        loop_drop(http->loops[i]);
    free(http);
}
