/*
 * http.c: the connections of one I/O thread. Only this file and response.c know libmicrohttpd.
 *
 * Each I/O thread has a daemon of its own, which no other thread ever touches. libmicrohttpd's own
 * threads are not used: they sleep on work they hold when just 128 events come at once, and without
 * them a resumed connection wakes nobody. Its timeout is one of inactivity, which a slow client
 * defeats; the limits here are absolute, and all ours. A GET is never answered at the handler's
 * first call, as the connection would be closed.
 *
 * A connection is suspended while its exchange waits for a worker, and while a stream of events has
 * nothing to send. libmicrohttpd closes no connection that is suspended.
 */
#include "http.h"

#include "intake.h"
#include "srv/out/log.h"

#include <assert.h>
#include <linux/tcp.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

enum {
    CONNECTION_MEMORY = 8 * 1024, /* for the head of an answer */
    HALF_CLOSED_MS = 150, /* work goes on for so long after the client has closed its side */
    STREAM_BLOCK = 4096,
    MAY_LAST = 64 * 1024, /* bytes that a socket may not take at once */
    MEASURED_US = 100000, /* a shorter time is too short to measure a client's speed */
};

struct connection {
    struct watcher watcher; /* of its socket: the client may leave */
    struct intake intake;
    LIST_ENTRY(connection) link;
    struct connection *next_woken;
    struct http *http;
    struct MHD_Connection *handle;
    int fd;
    int64_t deadline;          /* clock_now */
    struct exchange *exchange; /* the one under way, or NULL */
    bool marked;               /* more input follows its request */
    bool half_closed;          /* the client has closed its side */
    bool counted;              /* among those of its client */
    struct {
        int64_t since;  /* clock_now, when this window began; 0: it is not measured */
        uint64_t taken; /* bytes that the client had acknowledged by then */
    } sending;          /* an answer */
    struct {
        struct strbuf text;         /* not sent yet */
        bool asleep;                /* the connection is suspended */
        bool ended;                 /* the text is complete */
    } stream;                       /* an answer that is produced while it is sent */
    struct cached_response *cached; /* that is being sent, or NULL */
    struct in6_addr peer;           /* all zeros: its socket has a path */
    struct client client;           /* the peer as such */
};

static const struct config *config_of(const struct connection *connection)
{
    return &connection->http->context.service->config;
}

static bool is_waiting(const struct connection *connection)
{
    return connection->exchange && exchange_is_waiting(connection->exchange);
}

static void set_deadline(struct connection *connection, int64_t milliseconds)
{
    connection->deadline = loop_after_ms(connection->http->loop, milliseconds);
}

/* ---- waiting for a worker -------------------------------------------------------------------- */

/* Its exchange begins to wait. */
static void set_end_of_wait(struct connection *connection)
{
    const struct preference *prefer = &connection->exchange->prefer;
    if (connection->half_closed)
        set_deadline(connection, HALF_CLOSED_MS);
    else if (prefer->async && prefer->wait)
        set_deadline(connection, prefer->wait * 1000);
    else
        connection->deadline = INT64_MAX;
}

static void suspend(struct connection *connection)
{
    assert(is_waiting(connection));
    connection->http->waiting++;
    set_end_of_wait(connection);
    MHD_suspend_connection(connection->handle);
}

/* Its exchange has a reply, or its client has left. */
static void resume(struct connection *connection)
{
    assert(connection->http->waiting > 0 && !is_waiting(connection));
    connection->http->waiting--;
    MHD_resume_connection(connection->handle);
}

/* Puts it into the inbox, and wakes its loop unless the inbox was not empty. On any thread. */
static void wake(void *owner)
{
    struct connection *connection = owner;
    struct http *http = connection->http;
    struct connection *head = atomic_load(&http->inbox);
    do
        connection->next_woken = head;
    while (!atomic_compare_exchange_weak(&http->inbox, &head, connection));
    if (!head)
        loop_wake(http->loop);
}

static void empty_inbox(struct http *http)
{
    struct connection *connection = atomic_exchange(&http->inbox, NULL);
    for (struct connection *next; connection; connection = next) {
        next = connection->next_woken;
        if (exchange_run(connection->exchange))
            resume(connection);
        else
            set_end_of_wait(connection);
    }
}

/* The client has left: withdraws its request from the cache or the pool, unless the wake is on its
   way. */
static void give_up(struct connection *connection)
{
    if (!is_waiting(connection) || !exchange_leave(connection->exchange))
        return;
    metrics_count(COUNT_CLIENTS_LEFT, 1);
    resume(connection);
}

/*
 * Its time to wait is over. A half-closed connection is given up; a client with Prefer: wait gets
 * 202 and the address where the map will be.
 */
static void end_wait(struct connection *connection)
{
    connection->deadline = INT64_MAX;
    if (connection->half_closed)
        give_up(connection);
    else if (exchange_detach(connection->exchange))
        resume(connection);
}

/* ---- streams of events ----------------------------------------------------------------------- */

/* libmicrohttpd calls it whenever the client has taken what came before. A client has --send-ms to
   take an event; while there is none it has all the time. */
static ssize_t read_stream(void *arg, uint64_t at, char *to, size_t room)
{
    struct connection *connection = arg;
    struct strbuf *text = &connection->stream.text;
    bool left = connection->exchange->state == EXCHANGE_LEFT;
    (void)at;
    if (!text->length && !left && !connection->stream.ended)
        connection->stream.ended =
            !exchange_write_events(connection->exchange, connection->http->loop->now, text);
    size_t n = text->length < room ? text->length : room;
    if (text->failed || left)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (!n && connection->stream.ended)
        return MHD_CONTENT_READER_END_OF_STREAM;
    connection->stream.asleep = !n;
    connection->deadline = INT64_MAX;
    if (!n)
        return MHD_suspend_connection(connection->handle), 0;
    set_deadline(connection, config_of(connection)->send_ms);
    memcpy(to, text->at, n);
    strbuf_drop(text, n);
    return (ssize_t)n;
}

/* Has it read again: there may be events now. */
static void wake_stream(struct connection *connection)
{
    if (!connection->stream.asleep)
        return;
    connection->stream.asleep = false;
    MHD_resume_connection(connection->handle);
}

/* Ends it where it is, as the client has probably left. */
static void cut_stream(struct connection *connection)
{
    if (connection->stream.asleep)
        connection->exchange->state = EXCHANGE_LEFT;
    wake_stream(connection);
}

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
        cut_stream(connection);
    else if (!is_waiting(connection))
        show_end(connection);
    else if (events & (EPOLLHUP | EPOLLERR))
        give_up(connection);
    else
        set_deadline(connection, HALF_CLOSED_MS);
}

/* ---- whether a client takes its answer fast enough ------------------------------------------- */

/* Bytes that the client has acknowledged, in all. What libmicrohttpd has handed to the kernel may
   still wait there. */
static uint64_t acknowledged(const struct connection *connection)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    getsockopt(connection->fd, IPPROTO_TCP, TCP_INFO, &info, &length);
    return info.tcpi_bytes_acked;
}

static void begin_window(struct connection *connection)
{
    connection->sending.taken = acknowledged(connection);
    connection->sending.since = connection->http->loop->now;
}

/* What a client must take in each --send-ms. */
static uint64_t least_taken(const struct config *config)
{
    return (uint64_t)config->send_rate * (uint64_t)config->send_ms / 1000;
}

static struct blob *sent_blob(const struct connection *connection)
{
    return connection->exchange ? connection->exchange->reply.blob : NULL;
}

/* A short answer must be taken whole by its first deadline, so it is not measured. */
static void begin_sending(struct connection *connection)
{
    const struct config *config = config_of(connection);
    const struct blob *blob = sent_blob(connection);
    connection->sending.since = 0;
    if (blob && (blob->length > MAY_LAST || blob->length > least_taken(config)))
        begin_window(connection);
    set_deadline(connection, config->send_ms);
    if (IN6_IS_ADDR_UNSPECIFIED(&connection->peer))
        connection->deadline = INT64_MAX; /* what a proxy takes cannot be measured there */
}

/* At the end of a window: whether the client took enough in it; another window begins. */
static bool keeps_pace(struct connection *connection)
{
    uint64_t before = connection->sending.taken;
    if (!sent_blob(connection) || !connection->sending.since)
        return false;
    begin_window(connection);
    return connection->sending.taken - before >= least_taken(config_of(connection));
}

/* Whether the rest would take longer than --send-ms at the speed of this window. A send that will
   soon be complete is never slow: otherwise, of many good readers, none would finish. */
static bool is_slow(struct connection *connection)
{
    if (!connection->sending.since)
        begin_window(connection);
    int64_t measured = connection->http->loop->now - connection->sending.since;
    if (measured < MEASURED_US)
        return false;
    uint64_t length = sent_blob(connection)->length;
    uint64_t taken = acknowledged(connection) - connection->sending.taken;
    uint64_t rest = length > taken ? length - taken : 0;
    return rest * (uint64_t)measured / (taken + 1) >
           (uint64_t)config_of(connection)->send_ms * 1000;
}

/* Closes the connection and discards what the kernel has not sent. */
static void end_sending(const struct connection *connection)
{
    static const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    shutdown(connection->fd, SHUT_RDWR);
}

/* Ends its answer if the client is slow and memory is `missing`; how much is missing then. A blob
   that is sent to many clients is freed by the last of them, so each counts for its share. One that
   the cache keeps frees nothing. */
static size_t free_output(struct connection *connection, size_t missing)
{
    struct blob *blob = sent_blob(connection);
    if (!missing || !blob || atomic_load_explicit(&blob->kept, memory_order_relaxed) ||
        !is_slow(connection))
        return missing;
    end_sending(connection);
    connection->sending.since = INT64_MAX; /* not ended twice */
    metrics_count(COUNT_UNREAD, 1);
    size_t freed = blob_weight(blob) / atomic_load_explicit(&blob->refs, memory_order_relaxed);
    return freed < missing ? missing - freed : 0;
}

/* ---- replies --------------------------------------------------------------------------------- */

/* A new response, or one that is cached. NULL without memory. */
static struct MHD_Response *choose_response(struct connection *connection)
{
    struct http *http = connection->http;
    const struct reply *reply = &connection->exchange->reply;
    const char *id = connection->exchange->request_id;
    bool last = is_draining(http);
    struct MHD_Response *stream =
        reply->live ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, read_stream,
                                                        connection, NULL)
                    : NULL;
    if (reply->common && !last)
        connection->cached = cached_response_take(http->cache, reply, id);
    if (connection->cached)
        return connection->cached->response;
    return reply->live && !stream ? NULL : response_make(reply, stream, id, last);
}

/* Begins to send its exchange's reply. */
static enum MHD_Result send_reply(struct connection *connection)
{
    const struct reply *reply = &connection->exchange->reply;
    assert(reply->status && !connection->cached);
    begin_sending(connection);
    struct MHD_Response *response = choose_response(connection);
    if (!response)
        return MHD_NO;
    enum MHD_Result result = MHD_queue_response(connection->handle, reply->status, response);
    if (!connection->cached)
        MHD_destroy_response(response);
    return result;
}

/* It has been sent, or the connection ends. */
static void end_exchange(struct connection *connection)
{
    struct http *http = connection->http;
    if (connection->cached)
        connection->cached->in_use = false;
    connection->cached = NULL;
    if (!connection->exchange)
        return;
    struct record record = exchange_describe(connection->exchange);
    metrics_request(&record);
    log_request(&record);
    strbuf_release(&connection->stream.text);
    connection->stream.asleep = connection->stream.ended = false;
    exchange_end(connection->exchange);
    connection->exchange = NULL;
    http->busy_at = http->loop->now;
}

/* ---- callbacks of libmicrohttpd -------------------------------------------------------------- */

static enum MHD_Result run_exchange(struct connection *connection)
{
    if (exchange_run(connection->exchange))
        return send_reply(connection);
    suspend(connection);
    return MHD_YES;
}

/* Makes libmicrohttpd read again, as it does after a connection was suspended. */
static enum MHD_Result mark(struct connection *connection)
{
    connection->marked = connection->http->marked = true;
    MHD_suspend_connection(connection->handle);
    MHD_resume_connection(connection->handle);
    return MHD_YES;
}

/* The intake has read the request, so the arguments are not used. */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *handle, const char *url,
                                  const char *method, const char *version, const char *bytes,
                                  size_t *size, void **state)
{
    (void)arg, (void)url, (void)method, (void)version, (void)bytes, (void)size;
    struct connection *connection = *state;
    if (!connection) {
        *state =
            MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
        return *state ? MHD_YES : MHD_NO;
    }
    if (!connection->exchange || connection->exchange->state == EXCHANGE_LEFT)
        return MHD_NO; /* no memory for it, the client has left, or the intake did not read it */
    if (connection->exchange->reply.status)
        return send_reply(connection);
    if (!connection->marked && intake_has_more(&connection->intake))
        return mark(connection);
    return run_exchange(connection);
}

static void on_completed(void *arg, struct MHD_Connection *handle, void **state,
                         enum MHD_RequestTerminationCode why)
{
    (void)arg, (void)handle, (void)why;
    struct connection *connection = *state;
    if (!connection)
        return;
    end_exchange(connection);
    set_deadline(connection, config_of(connection)->idle_ms);
    connection->intake.due = false; /* the next request may come */
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
    assert(!connection->exchange);
    connection->exchange = exchange_begin(&connection->http->context, head, wake, connection);
    set_deadline(connection, config_of(connection)->body_ms);
    connection->marked = false;
    if (!connection->exchange)
        return;
    connection->exchange->peer = connection->peer;
    connection->exchange->client = connection->client;
}

/* A body that is too large is refused at once; the rest of it is read and dropped (loop_linger). */
static bool on_head(struct intake *intake, const struct head *head)
{
    static const char interim[] = "HTTP/1.1 100 Continue\r\n\r\n";
    struct connection *connection = owner_of(intake);
    begin_exchange(connection, head);
    if (!connection->exchange ||
        !exchange_add_body(connection->exchange, (struct span){"", 0}, head->body.left))
        return false;
    if (head->expects) /* nothing else is being sent: the socket has room for it or is broken */
        send(connection->fd, interim, sizeof interim - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    return true;
}

/* A chunk that makes the body too large is refused by its size, before its bytes arrive. */
static bool on_body(struct intake *intake, struct span piece)
{
    return exchange_add_body(owner_of(intake)->exchange, piece, intake->body.left);
}

/* Answers with the fault, as to a request. */
static void on_refusal(struct intake *intake, enum fault fault, const char *detail)
{
    struct connection *connection = owner_of(intake);
    struct head head;
    head_begin(&head);
    if (intake->bare)
        head.method = span_of("HEAD");
    if (!connection->exchange)
        begin_exchange(connection, &head);
    if (connection->exchange)
        exchange_fail(connection->exchange, fault, detail);
}

static const struct intake_owner intake_owner = {on_head, on_body, on_refusal};

/* ---- connections ----------------------------------------------------------------------------- */

static void find_peer(struct connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection->handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info)
        connection->peer = client_address(info->client_addr);
    connection->client = client_of(&connection->peer);
}

/* Whether its client may have one more. Trusted proxies may have any number. */
static bool count_connection(struct connection *connection)
{
    const struct http *http = connection->http;
    const struct config *config = config_of(connection);
    if (!config->connections_per_client || http->context.admin ||
        networks_hold(&config->trusted_proxies, &connection->peer))
        return true;
    connection->counted = true;
    return limits_count_connection(http->context.service->limits, connection->client.key, 1) <=
           config->connections_per_client;
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
    set_deadline(connection, config_of(connection)->header_ms);
    connection->watcher.ready = on_client_closed;
    loop_watch(http->loop, fd, EPOLLRDHUP | EPOLLET, &connection->watcher);
    find_peer(connection);
    if (!count_connection(connection))
        shutdown(fd, SHUT_RDWR);
    LIST_INSERT_HEAD(&http->connections, connection, link);
    return connection;
}

static void close_connection(struct connection *connection)
{
    struct http *http = connection->http;
    assert(!connection->cached && !is_waiting(connection));
    if (connection->exchange)
        connection->exchange->state = EXCHANGE_LEFT; /* in the middle of its request */
    end_exchange(connection);
    bool unwatched = loop_unwatch(http->loop, connection->fd);
    if (unwatched && intake_is_receiving(&connection->intake))
        loop_linger(http->loop, connection->fd);
    LIST_REMOVE(connection, link);
    if (connection->counted)
        limits_count_connection(http->context.service->limits, connection->client.key, -1);
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
    else if (*context)
        close_connection(*context);
    http->held += opens ? 1 : -1;
    atomic_fetch_add(&http->context.service->connections, opens ? 1 : -1);
    assert(http->held >= 0);
}

/* ---- for the thread -------------------------------------------------------------------------- */

static bool start_daemon(struct http *http, int connections)
{
    http->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL,
        on_request, http, MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, http, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_LIMIT, (unsigned)connections + 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (!http->daemon)
        return false;
    int fd = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    return loop_watch(http->loop, fd, EPOLLIN, NULL); /* the daemon runs in every round */
}

bool http_open(struct http *http, struct loop *loop, struct service *service, int connections,
               bool admin)
{
    *http = (struct http){.loop = loop, .busy_at = loop->now};
    return io_context_init(&http->context, service, admin) && start_daemon(http, connections);
}

void http_close(struct http *http)
{
    assert(!http->waiting);
    if (http->daemon)
        MHD_stop_daemon(http->daemon);
    cached_responses_trim(http->cache, true);
    io_context_release(&http->context);
    http->daemon = NULL;
}

void http_add(struct http *http, int fd, const struct sockaddr *address, socklen_t length)
{
    MHD_add_connection(http->daemon, fd, address, length); /* closes it where it fails */
}

void http_run(struct http *http)
{
    http->marked = false;
    empty_inbox(http);
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
    if (keeps_pace(connection)) {
        set_deadline(connection, config_of(connection)->send_ms);
        return;
    }
    connection->deadline = INT64_MAX;
    if (is_waiting(connection)) {
        end_wait(connection);
        return;
    }
    metrics_count(COUNT_OVERDUE, 1);
    if (sent_blob(connection))
        end_sending(connection);
    else
        shutdown(connection->fd, SHUT_RDWR); /* libmicrohttpd sees its end */
}

void http_sweep(struct http *http)
{
    size_t missing = output_missing();
    struct connection *connection;
    cached_responses_trim(http->cache, false);
    LIST_FOREACH (connection, &http->connections, link) {
        wake_stream(connection);
        missing = free_output(connection, missing);
        if (http->loop->now >= connection->deadline)
            close_overdue(connection);
    }
}

/* A wake may still be on its way; such an exchange is resumed and answered as usual. */
void http_abandon_waiting(struct http *http)
{
    struct connection *connection;
    LIST_FOREACH (connection, &http->connections, link)
        cut_stream(connection);
    while (http->waiting) {
        LIST_FOREACH (connection, &http->connections, link)
            give_up(connection);
        http_run(http);
        if (http->waiting)
            loop_wait(http->loop, 1);
    }
}
