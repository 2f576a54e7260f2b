/*
 * http.c: HTTP. The only file with microhttpd.h.
 *
 * Each I/O thread has a daemon of its own, which no other thread ever touches; its loop is loop.c.
 * A GET is never answered at the handler's first call, as the connection would be closed.
 */
#include "http.h"

#include "srv/base/clock.h"
#include "srv/say/metrics.h"
#include "srv/say/problem.h"

#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum {
    CONNECTION_MEMORY =
        16 * 1024,      /* line and header fields; cleared between requests, so not more */
    FAREWELL_MS = 2000, /* a refused client has so long to take our answer */
    DRESSES = 256,
    LARGEST_DRESS = 16 * 1024,
    SWALLOWED = 16 << 20, /* bytes of a body too large that are still read, so that the client hears
                             our answer */
};

/* A reply that many ask for, kept with its headers on. */
struct dress {
    struct blob *blob;
    struct MHD_Response *response;
    char id[REQUEST_ID_ROOM]; /* that it has on, as the date */
    char date[DATE_ROOM];
    bool worn;
};

struct wardrobe {
    struct dress dresses[DRESSES];
};

/* ---- suspended connections ------------------------------------------------------------------- */

static void suspend(struct connection *connection)
{
    connection->loop->waiting++;
    connection->deadline =
        connection->half_closed ? after_ms(connection->loop, LOOP_GRACE_MS) : INT64_MAX;
    MHD_suspend_connection(connection->handle);
}

void http_resume(struct connection *connection)
{
    connection->loop->waiting--;
    MHD_resume_connection(connection->handle);
}

/* ---- replies --------------------------------------------------------------------------------- */

static bool put_on(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static ssize_t read_nothing(void *arg, uint64_t at, char *to, size_t room)
{
    (void)arg, (void)at, (void)to, (void)room;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

/* A 304 has no body, but the length of one, or none at all: for that the connection must end. */
static struct MHD_Response *wrap_nothing(void)
{
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, read_nothing, NULL, NULL);
    if (response) /* as in HTTP/1.0, which knows no chunks */
        MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return response;
}

/* Around the blob's own bytes, which the exchange holds until it has ended. */
static struct MHD_Response *wrap(const struct reply *reply)
{
    struct blob *blob = reply->blob;
    if (reply->status == MHD_HTTP_NOT_MODIFIED && !blob)
        return wrap_nothing();
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
 * The kept reply for this blob, for one connection at a time; made at need. NULL: its place is
 * taken, or no memory. It is only changed while no connection uses it.
 */
static struct dress *take_dress(struct loop *loop, const struct reply *reply)
{
    struct dress *dress = &loop->wardrobe->dresses[((uintptr_t)reply->blob >> 6) % DRESSES];
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
    connection->deadline =
        after_ms(loop, config_of(loop)->send_ms + (int64_t)(length >> 16) * 1000);
    bool common = reply->common && length <= LARGEST_DRESS && !is_draining(loop);
    struct dress *dress = common ? take_dress(loop, reply) : NULL;
    return dress ? queue_dress(connection, dress) : queue_fresh(connection);
}

/* ---- what libmicrohttpd calls ---------------------------------------------------------------- */

static struct connection *connection_of(struct MHD_Connection *handle)
{
    return MHD_get_connection_info(handle, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* The request's first line has come. */
static void *on_line(void *arg, const char *uri, struct MHD_Connection *handle)
{
    struct loop *loop = arg;
    struct connection *connection = connection_of(handle);
    struct exchange *exchange = connection ? loop_take_exchange(loop) : NULL;
    if (!exchange)
        return NULL;
    connection->exchange = exchange;
    connection->begun = connection->left = false;
    connection->swallowed = 0;
    exchange->keeper = connection;
    exchange_start(exchange, &loop->desk, uri, loop_wake);
    exchange->uri_too_long = exchange->uri.length > LONGEST_URI + 1;
    return exchange;
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
    struct exchange *exchange = connection->exchange;
    exchange_run(exchange);
    if (!exchange->waiting)
        return send_reply(connection);
    suspend(connection);
    return MHD_YES;
}

/* The header has come. A body too large is refused at once if the client asks, or will not end
 * soon. */
static enum MHD_Result begin(struct connection *connection, const char *method, const char *version)
{
    struct loop *loop = connection->loop;
    struct exchange *exchange = connection->exchange;
    struct header_reader reader = {.exchange = exchange};
    connection->begun = true;
    connection->deadline = after_ms(loop, config_of(loop)->body_ms);
    exchange_set_method(exchange, method);
    MHD_get_connection_values_n(connection->handle, MHD_HEADER_KIND, read_header, &reader);
    if (reader.hosts > 1 || (!reader.hosts && !strcmp(version, "HTTP/1.1")))
        exchange->broken = "there must be one Host header";
    if (reader.length <= (uint64_t)config_of(loop)->max_body)
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

static enum MHD_Result on_request(void *arg, struct MHD_Connection *handle, const char *url,
                                  const char *method, const char *version, const char *bytes,
                                  size_t *size, void **state)
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
    const struct reply *reply = &exchange->reply;
    bool body =
        reply->blob && exchange->method != METHOD_HEAD && reply->status != MHD_HTTP_NOT_MODIFIED;
    struct log_entry entry = {
        .id = exchange->request_id,
        .method = exchange->method_name,
        .path = exchange->path ? exchange->path : "",
        .cache = exchange->note,
        .client = connection->client,
        .status = connection->left ? 499 : reply->status,
        .bytes = body ? reply->blob->length : 0,
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
    if (connection->begun && !connection->intake.refused)
        write_log(loop, connection);
    if (connection->dress)
        connection->dress->worn = false;
    connection->dress = NULL;
    connection->exchange = NULL;
    connection->deadline = after_ms(loop, config_of(loop)->idle_ms);
    intake_next(&connection->intake);
    if (connection->half_closed)
        loop_show_end(connection);
    loop_keep_exchange(loop, exchange);
    *state = NULL;
}

/* Says why in as many bytes as any socket takes at once: libmicrohttpd is not asked. */
static void send_problem(const struct connection *connection, struct verdict verdict,
                         const char *id, const struct blob *body)
{
    struct strbuf text = {0};
    const struct fault_row *row = &fault_rows[verdict.fault];
    strbuf_format(&text, "HTTP/1.1 %u %s\r\n", row->status, row->title);
    strbuf_format(&text, "Date: %s\r\nX-Request-Id: %s\r\n", connection->loop->date, id);
    strbuf_format(&text, "Content-Type: %s\r\nContent-Length: %zu\r\n", body->media, body->length);
    strbuf_add(&text, "Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: *\r\n");
    strbuf_add(&text, "Cache-Control: no-store\r\nConnection: close\r\n\r\n");
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
    struct loop *loop = connection->loop;
    char id[37];
    exchange_make_id(&loop->desk, id);
    struct blob *body = problem_body(verdict.fault, verdict.detail, id, NULL, 0);
    send_problem(connection, verdict, id, body);
    connection->deadline = after_ms(loop, FAREWELL_MS);
    struct log_entry entry = {.id = id,
                              .method = "",
                              .path = "",
                              .cache = "none",
                              .client = connection->client,
                              .status = fault_rows[verdict.fault].status,
                              .bytes = body->length};
    metrics_request(entry.status, 0);
    metrics_count(COUNT_BODY_BYTES, entry.bytes);
    log_line(&loop->log, &entry);
    blob_drop(body);
}

static void spell_client(struct connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection->handle, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    char text[64] = "";
    if (info)
        getnameinfo(info->client_addr, sizeof(struct sockaddr_in6), text, sizeof text, NULL, 0,
                    NI_NUMERICHOST);
    const char *plain = strncmp(text, "::ffff:", 7) ? text : text + 7;
    memcpy(connection->client, plain, strnlen(plain, sizeof connection->client - 1));
}

static void open_connection(struct loop *loop, struct MHD_Connection *handle, void **context)
{
    struct connection *connection = calloc(1, sizeof *connection);
    *context = connection;
    if (!connection)
        return; /* its first line ends it */
    connection->loop = loop;
    connection->handle = handle;
    connection->fd = MHD_get_connection_info(handle, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    connection->deadline = after_ms(loop, config_of(loop)->header_ms);
    connection->intake.refuse = on_refused;
    intake_put(connection->fd, &connection->intake);
    spell_client(connection);
    loop_watch(connection);
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
    intake_put(connection->fd, NULL);
    strbuf_release(&connection->intake.head);
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

/* ---- for the loop ---------------------------------------------------------------------------- */

bool http_open(struct loop *loop)
{
    loop->wardrobe = calloc(1, sizeof *loop->wardrobe);
    loop->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET |
            MHD_USE_SUPPRESS_DATE_NO_CLOCK,
        0, NULL, NULL, on_request, loop, MHD_OPTION_NOTIFY_CONNECTION, on_connection, loop,
        MHD_OPTION_URI_LOG_CALLBACK, on_line, loop, MHD_OPTION_NOTIFY_COMPLETED, on_completed, loop,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)loop->limit + 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    return loop->wardrobe && loop->daemon;
}

void http_close(struct loop *loop)
{
    if (loop->daemon)
        MHD_stop_daemon(loop->daemon);
    loop->daemon = NULL;
    for (size_t i = 0; loop->wardrobe && i < DRESSES; i++)
        drop_dress(&loop->wardrobe->dresses[i]);
    free(loop->wardrobe);
    loop->wardrobe = NULL;
}

int http_descriptor(const struct loop *loop)
{
    return MHD_get_daemon_info(loop->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int http_sleep_ms(const struct loop *loop, int longest)
{
    MHD_UNSIGNED_LONG_LONG asked;
    bool given = MHD_get_timeout(loop->daemon, &asked) == MHD_YES;
    return given && asked < (unsigned)longest ? (int)asked : longest;
}

void http_admit(struct loop *loop, int fd, const struct sockaddr *address, socklen_t length)
{
    MHD_add_connection(loop->daemon, fd, address, length); /* closes it where it fails */
}

void http_run(struct loop *loop) { MHD_run(loop->daemon); }
