/*
 * http.c: the connections of one I/O thread. Only what lies in this room knows libmicrohttpd.
 *
 * Each I/O thread has a daemon of its own, which no other thread ever touches. libmicrohttpd's own
 * threads are not used: they sleep on work they hold when just 128 events come at once, and without
 * them a resumed connection wakes nobody. Its timeout is one of inactivity, which a slow client
 * defeats; the limits here are absolute, and all ours. A GET is never answered at the handler's
 * first call, as the connection would be closed.
 */
#include "connection.h"
#include "response.h"
#include "srv/base/clock.h"
#include "srv/out/metrics.h"
#include "srv/out/problem.h"

#include <assert.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    /* the head of an answer */
    CONNECTION_MEMORY = 8 * 1024,
};

/* ---- the end of the input -------------------------------------------------------------------- */

/* Makes libmicrohttpd notice the end of the input, which it misses together with the last bytes. */
static void show_end(const struct connection *connection) { shutdown(connection->fd, SHUT_RD); }

/*
 * The client will send no more. Either it has left, or it still waits for the answer: the two look
 * alike until something is sent. So its work goes on for HALF_CLOSED_MS.
 */
static void on_client_closed(struct watcher *watcher, uint32_t events)
{
    struct connection *connection = (struct connection *)(void *)watcher;
    connection->half_closed = true;
    if (connection->stream.asleep)
        stream_cut(connection);
    else if (!is_waiting(connection))
        show_end(connection);
    else if (events & (EPOLLHUP | EPOLLERR))
        connection_give_up(connection);
    else
        connection->deadline = loop_after_ms(connection->http->loop, HALF_CLOSED_MS);
}

/* ---- callbacks of libmicrohttpd -------------------------------------------------------------- */

static struct connection *connection_of(struct MHD_Connection *handle)
{
    return MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

static enum MHD_Result run_exchange(struct connection *connection)
{
    if (exchange_run(connection->exchange))
        return connection_send(connection) ? MHD_YES : MHD_NO;
    connection_suspend(connection);
    return MHD_YES;
}

/* Makes libmicrohttpd read again, as it does after a connection was suspended. */
static void mark(struct connection *connection)
{
    connection->marked = connection->http->marked = true;
    MHD_suspend_connection(connection->handle);
    MHD_resume_connection(connection->handle);
}

/* The intake has read the request, so the arguments are not used. */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *handle, const char *url,
                                  const char *method, const char *version, const char *bytes,
                                  size_t *size, void **state)
{
    (void)arg, (void)url, (void)method, (void)version, (void)bytes, (void)size;
    struct connection *connection = *state;
    if (!connection) {
        *state = connection_of(handle);
        return *state ? MHD_YES : MHD_NO;
    }
    if (!connection->exchange || connection->exchange->state == EXCHANGE_LEFT)
        return MHD_NO; /* no memory for it, the client has left, or the intake did not read it */
    if (connection->exchange->reply.status)
        return connection_send(connection) ? MHD_YES : MHD_NO;
    if (!connection->marked && intake_has_more(&connection->intake))
        return mark(connection), MHD_YES;
    return run_exchange(connection);
}

static void report_exchange(const struct connection *connection)
{
    struct record record = exchange_describe(connection->exchange);
    metrics_request(&record);
    log_request(connection->http->log, &record);
}

static void end_exchange(struct connection *connection)
{
    struct http *http = connection->http;
    if (!connection->exchange)
        return;
    report_exchange(connection);
    stream_close(connection);
    exchange_end(connection->exchange);
    connection->exchange = NULL;
    http->open--;
    http->busy_at = http->loop->now;
}

static void on_completed(void *arg, struct MHD_Connection *handle, void **state,
                         enum MHD_RequestTerminationCode why)
{
    (void)handle, (void)why;
    struct http *http = arg;
    struct connection *connection = *state;
    if (!connection)
        return;
    connection_sent(connection);
    end_exchange(connection);
    connection->deadline = loop_after_ms(http->loop, config_of(http)->idle_ms);
    intake_next(&connection->intake);
    if (connection->half_closed)
        show_end(connection);
    *state = NULL;
}

/* ---- requests, as the intake reads them ------------------------------------------------------ */

static struct connection *owner_of(struct intake *intake)
{
    return (struct connection *)(void *)((char *)intake - offsetof(struct connection, intake));
}

static void begin_exchange(struct connection *connection, const struct head *head)
{
    struct http *http = connection->http;
    struct exchange *exchange = exchange_begin(http->context, head, connection_wake, connection);
    assert(!connection->exchange);
    connection->exchange = exchange;
    connection->deadline = loop_after_ms(http->loop, config_of(http)->body_ms);
    connection->marked = false;
    connection->body = 0;
    if (!exchange)
        return;
    exchange->peer = connection->peer;
    exchange->client = connection->client;
    http->open++;
}

/* Nothing else is being sent, so the socket has room for it or is broken. */
static void send_continue(const struct connection *connection)
{
    static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
    send(connection->fd, text, sizeof text - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* A body that is too large is refused at once; the rest of it is read and dropped (linger.h). */
static bool on_head(struct intake *intake, const struct head *head, const struct verdict *verdict)
{
    struct connection *connection = owner_of(intake);
    begin_exchange(connection, head);
    if (!connection->exchange)
        return false;
    if (!exchange_expect_body(connection->exchange, verdict->body.left))
        return false;
    if (verdict->expects)
        send_continue(connection);
    return true;
}

/* A chunk that makes the body too large is refused by its size, before its bytes arrive. */
static bool on_body(struct intake *intake, struct span piece)
{
    struct connection *connection = owner_of(intake);
    const struct body *body = &intake->body;
    connection->body += piece.length;
    if (piece.length)
        exchange_add_body(connection->exchange, piece.at, piece.length);
    bool chunked = body->state == BODY_CHUNK_BYTES || body->state == BODY_CHUNK_END;
    return !chunked || exchange_expect_body(connection->exchange, connection->body + body->left);
}

/* Answers with the fault, as to a request. */
static void on_refused(struct intake *intake, const struct verdict *verdict)
{
    struct connection *connection = owner_of(intake);
    struct head head;
    head_begin(&head);
    if (verdict->bare)
        head.method = span_of("HEAD");
    if (!connection->exchange)
        begin_exchange(connection, &head);
    if (connection->exchange)
        exchange_fail(connection->exchange, verdict->fault, verdict->detail);
}

static const struct intake_owner intake_owner = {on_head, on_body, on_refused};

/* ---- connections ----------------------------------------------------------------------------- */

static void find_peer(struct connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection->handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info)
        connection->peer = client_address(info->client_addr);
    connection->local = info && info->client_addr->sa_family == AF_UNIX;
    connection->client = client_of(&connection->peer);
}

/* Whether its client may have one more. Trusted proxies may have any number. */
static bool count_connection(struct connection *connection)
{
    const struct http *http = connection->http;
    int most = config_of(http)->connections_per_client;
    if (!most || http->context->admin ||
        networks_hold(&config_of(http)->trusted_proxies, &connection->peer))
        return true;
    connection->counted = true;
    return limits_connect(http->service->limits, connection->client.key) <= most;
}

static void link_connection(struct http *http, struct connection *connection)
{
    connection->next = http->connections;
    if (connection->next)
        connection->next->before = connection;
    http->connections = connection;
}

static void unlink_connection(struct http *http, struct connection *connection)
{
    *(connection->before ? &connection->before->next : &http->connections) = connection->next;
    if (connection->next)
        connection->next->before = connection->before;
}

/* NULL without memory: then the socket is shut down and nothing is read. */
static struct connection *open_connection(struct http *http, struct MHD_Connection *handle)
{
    int fd = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection || !intake_attach(fd, &connection->intake, &intake_owner)) {
        shutdown(fd, SHUT_RDWR);
        free(connection);
        return NULL;
    }
    connection->http = http;
    connection->handle = handle;
    connection->fd = fd;
    connection->deadline = loop_after_ms(http->loop, config_of(http)->header_ms);
    connection->watcher.ready = on_client_closed;
    loop_watch(http->loop, fd, EPOLLRDHUP | EPOLLET, &connection->watcher);
    find_peer(connection);
    if (!count_connection(connection))
        shutdown(fd, SHUT_RDWR);
    link_connection(http, connection);
    return connection;
}

static void close_connection(struct http *http, struct connection *connection)
{
    if (!connection)
        return;
    assert(!connection->response && !is_waiting(connection));
    if (connection->exchange)
        connection->exchange->state = EXCHANGE_LEFT; /* in the middle of its request */
    end_exchange(connection);
    bool unwatched = loop_unwatch(http->loop, connection->fd);
    if (unwatched && intake_is_receiving(&connection->intake))
        linger(&http->lingering, connection->fd);
    unlink_connection(http, connection);
    if (connection->counted)
        limits_disconnect(http->service->limits, connection->client.key);
    intake_detach(connection->fd);
    strbuf_release(&connection->intake.held);
    free(connection);
}

static void on_connection(void *arg, struct MHD_Connection *handle, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    struct http *http = arg;
    bool opens = code == MHD_CONNECTION_NOTIFY_STARTED;
    if (opens)
        *context = open_connection(http, handle);
    else
        close_connection(http, *context);
    http->held += opens ? 1 : -1;
    atomic_fetch_add(&http->service->connections, opens ? 1 : -1);
    assert(http->held >= 0);
}

/* ---- for the thread -------------------------------------------------------------------------- */

/* The daemon runs in every round, so an event of its epoll set only has to wake the loop. */
static void on_daemon_event(struct watcher *watcher, uint32_t events)
{
    (void)watcher, (void)events;
}

static bool start_daemon(struct http *http, int connections)
{
    http->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET |
            MHD_USE_SUPPRESS_DATE_NO_CLOCK,
        0, NULL, NULL, on_request, http, MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, http, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_LIMIT, (unsigned)connections + 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (!http->daemon)
        return false;
    int fd = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    http->daemon_watcher.ready = on_daemon_event;
    return loop_watch(http->loop, fd, EPOLLIN, &http->daemon_watcher);
}

bool http_open(struct http *http, struct loop *loop, struct service *service, struct log *log,
               int connections, bool admin)
{
    *http = (struct http){.loop = loop, .service = service, .log = log, .busy_at = loop->now};
    http->lingering.loop = loop;
    http->context = io_context_new(service, admin);
    http->responses = cached_responses_new();
    return http->context && http->responses && start_daemon(http, connections);
}

void http_close(struct http *http)
{
    assert(!http->waiting);
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    if (http->responses)
        cached_responses_drop(http->responses);
    if (http->context)
        io_context_drop(http->context);
    linger_end(&http->lingering, INT64_MAX);
    http->daemon = NULL;
    http->responses = NULL;
    http->context = NULL;
}

void http_add(struct http *http, int fd, const struct sockaddr *address, socklen_t length)
{
    MHD_add_connection(http->daemon, fd, address, length); /* closes it where it fails */
}

void http_run(struct http *http)
{
    http->marked = false;
    waiting_empty_inbox(http);
    MHD_run(http->daemon);
}

int http_sleep_ms(const struct http *http, int longest)
{
    MHD_UNSIGNED_LONG_LONG asked;
    if (http->marked)
        return 0;
    bool given = MHD_get_timeout(http->daemon, &asked) == MHD_YES;
    return given && asked < (unsigned)longest ? (int)asked : longest;
}

static void close_overdue(struct connection *connection)
{
    if (connection_is_taking(connection))
        return;
    connection->deadline = INT64_MAX;
    if (is_waiting(connection)) {
        connection_end_wait(connection);
        return;
    }
    metrics_count(COUNT_OVERDUE, 1);
    if (connection->sending.blob)
        connection_end_sending(connection);
    else
        shutdown(connection->fd, SHUT_RDWR); /* libmicrohttpd sees its end */
}

void http_close_overdue(struct http *http)
{
    size_t missing = output_missing(http->service->output);
    linger_end(&http->lingering, http->loop->now);
    cached_responses_trim(http->responses);
    for (struct connection *connection = http->connections; connection;
         connection = connection->next) {
        size_t freed = missing ? connection_free_output(connection) : 0;
        missing -= freed < missing ? freed : missing;
        if (http->loop->now >= connection->deadline)
            close_overdue(connection);
    }
}

static void for_each(struct http *http, void (*act)(struct connection *))
{
    for (struct connection *connection = http->connections; connection;
         connection = connection->next)
        act(connection);
}

void http_continue_streams(struct http *http)
{
    if (http->streams)
        for_each(http, stream_continue);
}

/* A wake may still be on its way; such an exchange is resumed and answered as usual. */
bool http_abandon_waiting(struct http *http, int64_t until)
{
    for_each(http, stream_cut);
    while (http->waiting && http->loop->now < until) {
        for_each(http, connection_give_up);
        http_run(http);
        if (http->waiting)
            loop_wait(http->loop, 1);
    }
    return !http->waiting;
}
