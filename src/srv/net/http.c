/*
 * http.c: the connections of one I/O thread. With response.c the only file with microhttpd.h.
 *
 * Each I/O thread has a daemon of its own, which no other thread ever touches. libmicrohttpd's own
 * threads are not used: they sleep on work they hold when just 128 events come at once, and without
 * them a resumed connection wakes nobody. Its timeout is one of inactivity, which a slow client
 * defeats; the limits here are absolute, and all ours. A GET is never answered at the handler's
 * first call, as the connection would be closed.
 *
 * A worker that is done calls wake_connection: the connection goes into the inbox, and the loop is
 * woken. It cannot be gone by then, as libmicrohttpd closes no connection that is suspended.
 */
#include "http.h"

#include "intake.h"
#include "response.h"
#include "srv/base/clock.h"
#include "srv/say/metrics.h"
#include "srv/say/problem.h"
#include "stream.h"

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
    /* line and header fields; cleared between requests, so not more */
    CONNECTION_MEMORY = 16 * 1024,
    /* a refused client has so long to take our answer */
    LAST_ANSWER_MS = 2000,
    /* what a client may still want that has closed its side is made for so long */
    HALF_CLOSED_MS = 150,
    /* bytes of a body too large that are still read, so that the client gets our answer */
    MOST_DISCARDED = 16 << 20,
};

struct connection {
    struct watcher watcher; /* of its socket: the client may leave */
    struct intake intake;
    struct connection *next, *before; /* of the thread */
    struct connection *next_woken;
    struct http *http;
    struct MHD_Connection *handle;
    int fd;
    int64_t deadline;          /* clock_now */
    struct exchange *exchange; /* the one under way, or NULL */
    bool head_read;            /* of it */
    bool half_closed;          /* its client will send no more */
    bool left;                 /* and does not wait for an answer */
    size_t discarded;          /* bytes of the body under way, taken or not */
    struct sending sending;    /* its answer, on its way */
    struct cached_response *response;
    struct stream stream;
    struct in6_addr peer;
    struct client client; /* the peer as such */
};

static const struct config *config_of(const struct http *http) { return &http->service->config; }

static bool is_draining(const struct http *http)
{
    return atomic_load_explicit(&http->service->draining, memory_order_relaxed);
}

static bool is_waiting(const struct connection *connection)
{
    return connection->exchange && connection->exchange->waiting;
}

/* ---- suspended connections ------------------------------------------------------------------- */

static void suspend(struct connection *connection)
{
    struct http *http = connection->http;
    http->waiting++;
    int wait = connection->exchange->prefer.async ? connection->exchange->prefer.wait : 0;
    connection->deadline = connection->half_closed ? loop_after_ms(http->loop, HALF_CLOSED_MS)
                           : wait                  ? loop_after_ms(http->loop, wait * 1000)
                                                   : INT64_MAX;
    MHD_suspend_connection(connection->handle);
}

/* Its exchange has a reply, or its client has left. */
static void resume(struct connection *connection)
{
    assert(connection->http->waiting > 0 && !is_waiting(connection));
    connection->http->waiting--;
    MHD_resume_connection(connection->handle);
}

/* Into the inbox; the loop is woken unless somebody just did. On any thread. */
static void wake_connection(void *owner)
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
        exchange_resume(connection->exchange);
        resume(connection);
    }
}

/* Work that nobody waits for any more ends. */
static void give_up(struct connection *connection)
{
    if (!is_waiting(connection) || !exchange_leave(connection->exchange))
        return; /* the wake is on its way */
    metrics_count(COUNT_CLIENTS_LEFT, 1);
    connection->left = true;
    resume(connection);
}

/* A stream is of no use to a client that has left; one that only sends no more looks the same. */
static void cut_stream(struct connection *connection)
{
    connection->left = true;
    stream_cut(&connection->stream);
}

/*
 * It has waited as long as it may. Of a connection that is half closed the work ends; who would
 * rather not wait longer is told where the map will be.
 */
static void end_wait(struct connection *connection)
{
    connection->deadline = INT64_MAX;
    if (connection->half_closed)
        give_up(connection);
    else if (exchange_detach(connection->exchange))
        resume(connection);
}

/* Makes libmicrohttpd look again: it misses an end that comes together with the last bytes. */
static void show_end(const struct connection *connection) { shutdown(connection->fd, SHUT_RD); }

/*
 * The client will send no more. Either it has left, or it waits for the answer all the same, which
 * looks alike until something is sent: so what is being made for it goes on for a short while.
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
        connection->deadline = loop_after_ms(connection->http->loop, HALF_CLOSED_MS);
}

/* ---- replies --------------------------------------------------------------------------------- */

static struct MHD_Response *open_stream(struct connection *connection, const struct reply *reply)
{
    struct http *http = connection->http;
    struct exchange *exchange = connection->exchange;
    struct MHD_Response *response =
        stream_open(&connection->stream, connection->handle, exchange, http->loop->now);
    if (!response)
        return NULL;
    http->streams++;
    return response_dress(response, reply, exchange->request_id, http->loop->date,
                          is_draining(http));
}

static enum MHD_Result queue_fresh(struct connection *connection, const struct reply *reply)
{
    const struct http *http = connection->http;
    struct MHD_Response *response = reply->live
                                        ? open_stream(connection, reply)
                                        : response_make(reply, connection->exchange->request_id,
                                                        http->loop->date, is_draining(http));
    if (!response)
        return MHD_NO;
    enum MHD_Result result = MHD_queue_response(connection->handle, reply->status, response);
    MHD_destroy_response(response);
    return result;
}

/* From here on its client must take it; what will not go at once is watched. */
static void begin_sending(struct connection *connection, struct blob *blob)
{
    struct http *http = connection->http;
    struct output *output = http->service->output;
    connection->deadline = loop_after_ms(http->loop, config_of(http)->send_ms);
    connection->sending.blob = blob;
    if (blob && output_may_last(output, blob->length))
        output_watch(output, &connection->sending, http->loop->now);
}

static void end_sending(struct connection *connection)
{
    if (connection->sending.watched)
        output_forget(connection->http->service->output, &connection->sending);
    connection->sending.blob = NULL;
    if (connection->response)
        cached_response_return(connection->response);
    connection->response = NULL;
}

static enum MHD_Result send_reply(struct connection *connection)
{
    struct http *http = connection->http;
    const struct reply *reply = &connection->exchange->reply;
    assert(reply->status && !connection->response);
    begin_sending(connection, reply->blob);
    if (reply->common && !is_draining(http))
        connection->response = cached_response_take(
            http->responses, reply, connection->exchange->request_id, http->loop->date);
    if (!connection->response)
        return queue_fresh(connection, reply);
    return MHD_queue_response(connection->handle, reply->status, connection->response->response);
}

/* ---- what libmicrohttpd calls ---------------------------------------------------------------- */

static struct connection *connection_of(struct MHD_Connection *handle)
{
    return MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* The request's first line has come. */
static void *on_line(void *arg, const char *uri, struct MHD_Connection *handle)
{
    struct http *http = arg;
    struct connection *connection = connection_of(handle);
    if (!connection)
        return NULL;
    assert(!connection->exchange && strlen(uri) <= LONGEST_URI);
    connection->exchange = exchange_begin(http->context, uri, wake_connection, connection);
    connection->head_read = connection->left = false;
    connection->discarded = 0;
    if (!connection->exchange)
        return NULL;
    connection->exchange->peer = connection->peer;
    connection->exchange->client = connection->client;
    http->open++;
    return connection;
}

struct header_reader {
    struct exchange *exchange;
    uint64_t length; /* of the body, as announced */
    bool asks;       /* whether it should be sent at all */
    int hosts;
};

#define KNOWN(name, header) \
    { \
        name, sizeof(name) - 1, header \
    }

static const struct {
    const char *name;
    size_t length;
    enum header header;
} known_headers[] = {
    KNOWN("Host", HEADER_HOST),
    KNOWN("Accept", HEADER_ACCEPT),
    KNOWN("Content-Type", HEADER_CONTENT_TYPE),
    KNOWN("Accept-Encoding", HEADER_ACCEPT_ENCODING),
    KNOWN("If-None-Match", HEADER_IF_NONE_MATCH),
    KNOWN("X-Request-Id", HEADER_REQUEST_ID),
    KNOWN("Content-Encoding", HEADER_CONTENT_ENCODING),
    KNOWN("X-Forwarded-Proto", HEADER_FORWARDED_PROTO),
    KNOWN("Prefer", HEADER_PREFER),
    KNOWN("X-Forwarded-For", HEADER_FORWARDED_FOR),
    KNOWN("Traceparent", HEADER_TRACEPARENT),
};

static bool is_name(const char *name, size_t length, const char *known, size_t known_length)
{
    return length == known_length && !strncasecmp(name, known, length);
}

static enum MHD_Result read_header(void *arg, enum MHD_ValueKind kind, const char *name,
                                   size_t length, const char *value, size_t value_length)
{
    struct header_reader *reader = arg;
    (void)kind, (void)value_length;
    reader->hosts += is_name(name, length, "Host", 4);
    for (size_t i = 0; i < sizeof known_headers / sizeof *known_headers; i++)
        if (is_name(name, length, known_headers[i].name, known_headers[i].length)) {
            exchange_add_header(reader->exchange, known_headers[i].header, value);
            return MHD_YES;
        }
    if (value && is_name(name, length, "Content-Length", 14))
        reader->length = strtoull(value, NULL, 10);
    reader->asks |= is_name(name, length, "Expect", 6);
    return MHD_YES;
}

static enum MHD_Result run_exchange(struct connection *connection)
{
    if (exchange_run(connection->exchange))
        return send_reply(connection);
    suspend(connection);
    return MHD_YES;
}

/*
 * The head has come. A body too large is refused at once if the client asks, or will not end soon.
 */
static enum MHD_Result begin(struct connection *connection, const char *method, const char *version)
{
    const struct http *http = connection->http;
    struct exchange *exchange = connection->exchange;
    struct header_reader reader = {.exchange = exchange};
    connection->head_read = true;
    connection->deadline = loop_after_ms(http->loop, config_of(http)->body_ms);
    exchange_set_method(exchange, method);
    MHD_get_connection_values_n(connection->handle, MHD_HEADER_KIND, read_header, &reader);
    if (reader.hosts > 1 || (!reader.hosts && !strcmp(version, "HTTP/1.1")))
        exchange->malformed = "there must be one Host header";
    if (exchange_expect_body(exchange, reader.length))
        return MHD_YES;
    return reader.asks || reader.length > MOST_DISCARDED ? run_exchange(connection) : MHD_YES;
}

static enum MHD_Result take_body(struct connection *connection, const char *bytes, size_t *size)
{
    connection->discarded += *size;
    if (connection->discarded > MOST_DISCARDED + (size_t)config_of(connection->http)->max_body)
        return MHD_NO;
    exchange_add_body(connection->exchange, bytes, *size);
    *size = 0;
    return MHD_YES;
}

static enum MHD_Result on_request(void *arg, struct MHD_Connection *handle, const char *url,
                                  const char *method, const char *version, const char *bytes,
                                  size_t *size, void **state)
{
    (void)arg, (void)handle, (void)url;
    struct connection *connection = *state;
    if (!connection)
        return MHD_NO; /* there was no memory for it */
    if (!connection->head_read)
        return begin(connection, method, version);
    if (*size)
        return take_body(connection, bytes, size);
    if (connection->left)
        return MHD_NO;
    bool replied = connection->exchange->reply.status;
    return replied ? send_reply(connection) : run_exchange(connection);
}

static void tell(struct http *http, const struct record *record)
{
    metrics_request(record);
    log_request(http->log, record);
}

static void tell_of_exchange(const struct connection *connection)
{
    struct record record = exchange_describe(connection->exchange);
    if (connection->left)
        record.status = 499;
    tell(connection->http, &record);
}

static void on_completed(void *arg, struct MHD_Connection *handle, void **state,
                         enum MHD_RequestTerminationCode why)
{
    (void)handle, (void)why;
    struct http *http = arg;
    struct connection *connection = *state;
    if (!connection)
        return;
    if (connection->head_read && !connection->intake.refused)
        tell_of_exchange(connection);
    end_sending(connection);
    http->streams -= connection->stream.exchange != NULL;
    stream_close(&connection->stream);
    exchange_end(connection->exchange);
    connection->exchange = NULL;
    connection->deadline = loop_after_ms(http->loop, config_of(http)->idle_ms);
    http->open--;
    http->busy_at = http->loop->now;
    intake_next(&connection->intake);
    if (connection->half_closed)
        show_end(connection);
    *state = NULL;
}

/* ---- refusals of what libmicrohttpd never sees ----------------------------------------------- */

/* Says why in as many bytes as any socket takes at once: libmicrohttpd is not asked. */
static void send_problem(const struct connection *connection, struct verdict verdict,
                         const char *id, const struct blob *body)
{
    struct strbuf text = {0};
    const struct fault_row *row = &fault_rows[verdict.fault];
    strbuf_format(&text, "HTTP/1.1 %u %s\r\n", row->status, row->title);
    strbuf_format(&text, "Date: %s\r\nX-Request-Id: %s\r\n", connection->http->loop->date, id);
    strbuf_format(&text, "Content-Type: %s\r\nContent-Length: %zu\r\n", body->media, body->length);
    strbuf_add(&text, "Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: *\r\n");
    strbuf_add(&text, "X-Content-Type-Options: nosniff\r\n");
    strbuf_add(&text, "Cache-Control: no-store\r\n");
    unsigned retry_after = service_retry_after(connection->http->service, verdict.fault);
    if (retry_after)
        strbuf_format(&text, "Retry-After: %u\r\n", retry_after);
    strbuf_add(&text, "Connection: close\r\n\r\n");
    strbuf_put(&text, body->bytes, verdict.bare ? 0 : body->length);
    if (!text.failed)
        send(connection->fd, text.at, text.length, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(connection->fd, SHUT_WR);
    strbuf_release(&text);
}

static void on_refused(struct intake *intake, struct verdict verdict)
{
    struct connection *connection =
        (struct connection *)(void *)((char *)intake - offsetof(struct connection, intake));
    struct http *http = connection->http;
    char id[37];
    io_context_make_id(http->context, id);
    struct blob *body = problem_body(verdict.fault, verdict.detail, id, NULL, 0);
    send_problem(connection, verdict, id, body);
    connection->deadline = loop_after_ms(http->loop, LAST_ANSWER_MS);
    struct record record = {.id = id,
                            .client = connection->client.text,
                            .route = route_unknown(),
                            .status = fault_rows[verdict.fault].status,
                            .fault = verdict.fault,
                            .bytes = verdict.bare ? 0 : body->length,
                            .duration = -1,
                            .phases = {-1, -1, -1, -1}};
    tell(http, &record);
    blob_drop(body);
}

/* ---- connections ----------------------------------------------------------------------------- */

static void find_peer(struct connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection->handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info)
        connection->peer = client_address(info->client_addr);
    connection->client = client_of(&connection->peer);
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

/* NULL without memory: what comes in could not be judged, so nothing does. */
static struct connection *open_connection(struct http *http, struct MHD_Connection *handle)
{
    int fd = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection || !intake_attach(fd, &connection->intake)) {
        shutdown(fd, SHUT_RDWR);
        free(connection);
        return NULL;
    }
    connection->http = http;
    connection->handle = handle;
    connection->fd = connection->sending.fd = fd;
    connection->deadline = loop_after_ms(http->loop, config_of(http)->header_ms);
    connection->intake.refuse = on_refused;
    connection->watcher.ready = on_client_closed;
    loop_watch(http->loop, fd, EPOLLRDHUP | EPOLLET, &connection->watcher);
    find_peer(connection);
    link_connection(http, connection);
    return connection;
}

static void close_connection(struct http *http, struct connection *connection)
{
    if (!connection)
        return;
    assert(!connection->exchange && !connection->response);
    unlink_connection(http, connection);
    intake_detach(connection->fd);
    strbuf_release(&connection->intake.head);
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

/* ---- what libmicrohttpd reads by ------------------------------------------------------------- */

/* Runs the daemon until nothing is held any more, or for some rounds. */
static void run_rounds(struct http *http)
{
    for (int round = 0; round < 4 && http->held; round++)
        MHD_run(http->daemon);
}

/*
 * Whether what a client sends comes through the intake: the beginning of a head, sent through a
 * pair of sockets, must be found there.
 */
static bool check_intake(struct http *http)
{
    int pair[2];
    struct sockaddr_in nobody = {.sin_family = AF_INET};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair))
        return false;
    bool good = false;
    http_admit(http, pair[0], (const struct sockaddr *)&nobody, sizeof nobody);
    if (http->connections && write(pair[1], "GET ", 4) == 4) {
        MHD_run(http->daemon);
        good = http->connections && http->connections->intake.head.length == 4;
    }
    close(pair[1]);
    run_rounds(http);
    intake_release(); /* the thread that will run this one has a table of its own */
    return good;
}

/* ---- for the thread -------------------------------------------------------------------------- */

/* The daemon runs in every round: that there is something for it to do need only wake the loop. */
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
        MHD_OPTION_URI_LOG_CALLBACK, on_line, http, MHD_OPTION_NOTIFY_COMPLETED, on_completed, http,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)connections + 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (!http->daemon)
        return false;
    int fd = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    http->daemon_watcher.ready = on_daemon_event;
    return loop_watch(http->loop, fd, EPOLLIN, &http->daemon_watcher);
}

bool http_open(struct http *http, struct loop *loop, struct service *service, struct log *log,
               int connections, bool admin, char why[320])
{
    *http = (struct http){.loop = loop, .service = service, .log = log, .busy_at = loop->now};
    http->context = io_context_new(service, admin);
    http->responses = cached_responses_new();
    if (!http->context || !http->responses || !start_daemon(http, connections)) {
        snprintf(why, 320, "no memory for an I/O thread");
        return false;
    }
    if (check_intake(http))
        return true;
    snprintf(why, 320,
             "libmicrohttpd does not read by the recv of this program, which judges what comes in: "
             "link it so that it does (src/srv/net/intake.h)");
    return false;
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
    http->daemon = NULL;
    http->responses = NULL;
    http->context = NULL;
}

void http_admit(struct http *http, int fd, const struct sockaddr *address, socklen_t length)
{
    MHD_add_connection(http->daemon, fd, address, length); /* closes it where it fails */
}

void http_run(struct http *http)
{
    empty_inbox(http);
    MHD_run(http->daemon);
}

int http_sleep_ms(const struct http *http, int longest)
{
    MHD_UNSIGNED_LONG_LONG asked;
    bool given = MHD_get_timeout(http->daemon, &asked) == MHD_YES;
    return given && asked < (unsigned)longest ? (int)asked : longest;
}

/* Whether it takes its answer fast enough; then it has another while. */
static bool is_taking(struct connection *connection)
{
    const struct http *http = connection->http;
    if (!connection->sending.watched ||
        !output_is_taken(http->service->output, &connection->sending, http->loop->now))
        return false;
    connection->deadline = loop_after_ms(http->loop, config_of(http)->send_ms);
    return true;
}

static void close_overdue(struct connection *connection)
{
    if (is_taking(connection))
        return;
    connection->deadline = INT64_MAX;
    if (is_waiting(connection)) {
        end_wait(connection);
        return;
    }
    metrics_count(COUNT_OVERDUE, 1);
    if (connection->sending.blob)
        output_end(&connection->sending);
    else
        shutdown(connection->fd, SHUT_RDWR); /* libmicrohttpd sees its end */
}

void http_close_overdue(struct http *http)
{
    struct output *output = http->service->output;
    bool short_of_room = output_relieve(output);
    for (struct connection *connection = http->connections; connection;
         connection = connection->next) {
        struct sending *sending = &connection->sending;
        if (short_of_room && sending->blob && !sending->watched)
            output_watch(output, sending, http->loop->now);
        if (http->loop->now >= connection->deadline)
            close_overdue(connection);
    }
}

/* A client has so long to take what it is told; and all the time there is while nothing is. */
static void tell_stream(struct connection *connection)
{
    const struct http *http = connection->http;
    if (!connection->stream.asleep)
        return;
    bool woken = stream_tell(&connection->stream, http->loop->now);
    connection->deadline = woken ? loop_after_ms(http->loop, config_of(http)->send_ms) : INT64_MAX;
}

void http_tell(struct http *http)
{
    if (!http->streams)
        return;
    for (struct connection *connection = http->connections; connection;
         connection = connection->next)
        tell_stream(connection);
}

static void cut_streams(struct http *http)
{
    for (struct connection *connection = http->connections; connection;
         connection = connection->next)
        if (connection->stream.asleep)
            cut_stream(connection);
}

/* A wake may still be on its way: what is left then is answered like any other. */
void http_abandon_waiting(struct http *http)
{
    cut_streams(http);
    while (http->waiting) {
        for (struct connection *connection = http->connections; connection;
             connection = connection->next)
            give_up(connection);
        http_run(http);
    }
}
