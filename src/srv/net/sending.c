/*
 * sending.c: replies on their way through libmicrohttpd.
 *
 * A client must take --send-rate of its answer in each --send-ms, or its connection is closed. When
 * answers need more room than there is (cache/output.h), slow sends are ended first.
 */
#include "connection.h"
#include "response.h"
#include "srv/out/metrics.h"

#include <assert.h>
#include <linux/tcp.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

enum {
    MAY_LAST = 64 * 1024, /* bytes that a socket may not take at once */
    MEASURED_US = 100000, /* a shorter time is too short to measure a client's speed */
};

static struct MHD_Response *make_response(struct connection *connection, const struct reply *reply)
{
    const char *id = connection->exchange->request_id, *date = connection->http->loop->date;
    bool last = is_draining(connection->http);
    if (!reply->live)
        return response_make(reply, id, date, last);
    struct MHD_Response *response = stream_open(connection);
    return response ? response_dress(response, reply, id, date, last) : NULL;
}

static bool queue_fresh(struct connection *connection, const struct reply *reply)
{
    struct MHD_Response *response = make_response(connection, reply);
    if (!response)
        return false;
    enum MHD_Result result = MHD_queue_response(connection->handle, reply->status, response);
    MHD_destroy_response(response);
    return result == MHD_YES;
}

/* ---- how fast its client reads --------------------------------------------------------------- */

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
    struct sending *sending = &connection->sending;
    sending->taken = acknowledged(connection);
    sending->since = connection->http->loop->now;
}

/* What a client must take in each --send-ms. */
static uint64_t least_taken(const struct config *config)
{
    return (uint64_t)config->send_rate * (uint64_t)config->send_ms / 1000;
}

/* A shorter answer must be taken whole by its first deadline, so it is not measured. */
static void begin_sending(struct connection *connection, struct blob *blob)
{
    const struct config *config = config_of(connection->http);
    connection->deadline = loop_after_ms(connection->http->loop, config->send_ms);
    if (connection->local) /* what a proxy takes cannot be measured there */
        connection->deadline = INT64_MAX;
    if (!blob)
        return;
    connection->sending = (struct sending){.blob = blob};
    connection->http->sending++;
    if (blob->length > MAY_LAST || blob->length > least_taken(config))
        begin_window(connection);
}

void connection_sent(struct connection *connection)
{
    connection->http->sending -= connection->sending.blob != NULL;
    connection->sending.blob = NULL;
    if (connection->response)
        cached_response_return(connection->response);
    connection->response = NULL;
}

bool connection_is_taking(struct connection *connection)
{
    const struct sending *sending = &connection->sending;
    const struct config *config = config_of(connection->http);
    if (!sending->blob || !sending->since)
        return false;
    uint64_t before = sending->taken;
    begin_window(connection);
    if (sending->taken - before < least_taken(config))
        return false;
    connection->deadline = loop_after_ms(connection->http->loop, config->send_ms);
    return true;
}

/* Whether the rest would take longer than --send-ms at the speed of this window. A send that will
   soon be complete is never slow: otherwise, of many good readers, none would finish. */
static bool is_slow(struct connection *connection)
{
    struct sending *sending = &connection->sending;
    if (!sending->since)
        begin_window(connection);
    int64_t measured = connection->http->loop->now - sending->since;
    if (measured < MEASURED_US)
        return false;
    uint64_t taken = acknowledged(connection) - sending->taken, length = sending->blob->length;
    uint64_t rest = length > taken ? length - taken : 0;
    return rest * (uint64_t)measured / (taken + 1) >
           (uint64_t)config_of(connection->http)->send_ms * 1000;
}

void connection_end_sending(struct connection *connection)
{
    static const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    shutdown(connection->fd, SHUT_RDWR);
}

/* A blob that is sent to many clients is freed by the last of them, so each counts for its share.
   One that the cache keeps frees nothing. */
size_t connection_free_output(struct connection *connection)
{
    struct blob *blob = connection->sending.blob;
    if (!blob || atomic_load_explicit(&blob->kept, memory_order_relaxed) || !is_slow(connection))
        return 0;
    connection_end_sending(connection);
    connection->sending.since = INT64_MAX; /* not ended twice */
    metrics_count(COUNT_UNREAD, 1);
    return blob_weight(blob) / atomic_load_explicit(&blob->refs, memory_order_relaxed);
}

/* ---- sending --------------------------------------------------------------------------------- */

/* The response that is cached for this reply, if it may be. */
static bool take_cached(struct connection *connection, const struct reply *reply)
{
    struct http *http = connection->http;
    assert(!connection->response);
    if (!reply->common || is_draining(connection->http))
        return false;
    struct cached_response *response = cached_response_take(http->responses, reply);
    if (response &&
        cached_response_address(response, connection->exchange->request_id, http->loop->date))
        connection->response = response;
    return connection->response;
}

bool connection_send(struct connection *connection)
{
    const struct reply *reply = &connection->exchange->reply;
    assert(reply->status);
    add_limit_headers(connection->exchange);
    begin_sending(connection, reply->blob);
    if (!take_cached(connection, reply))
        return queue_fresh(connection, reply);
    return MHD_queue_response(connection->handle, reply->status, connection->response->response) ==
           MHD_YES;
}
