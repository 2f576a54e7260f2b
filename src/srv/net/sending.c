/* sending.c: replies on their way through libmicrohttpd. */
#include "connection.h"
#include "response.h"

#include <assert.h>
#include <microhttpd.h>

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
                          is_last(connection));
}

static bool queue_fresh(struct connection *connection, const struct reply *reply)
{
    const struct http *http = connection->http;
    struct MHD_Response *response = reply->live
                                        ? open_stream(connection, reply)
                                        : response_make(reply, connection->exchange->request_id,
                                                        http->loop->date, is_last(connection));
    if (!response)
        return false;
    enum MHD_Result result = MHD_queue_response(connection->handle, reply->status, response);
    MHD_destroy_response(response);
    return result == MHD_YES;
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

void connection_sent(struct connection *connection)
{
    if (connection->sending.watched)
        output_forget(connection->http->service->output, &connection->sending);
    connection->sending.blob = NULL;
    if (connection->response)
        cached_response_return(connection->response);
    connection->response = NULL;
}

bool connection_take_ready(void *owner, const struct blob *blob)
{
    struct connection *connection = owner;
    assert(!connection->response);
    if (!is_last(connection))
        connection->response = cached_response_find(connection->http->responses, blob);
    return connection->response;
}

/* Unless it has been taken already. */
static bool take_kept(struct connection *connection, const struct reply *reply)
{
    struct http *http = connection->http;
    if (!connection->response && reply->common && !is_last(connection))
        connection->response = cached_response_take(http->responses, reply);
    if (!connection->response)
        return false;
    if (cached_response_address(connection->response, connection->exchange->request_id,
                                http->loop->date))
        return true;
    connection->response = NULL;
    return false;
}

bool connection_send(struct connection *connection)
{
    const struct reply *reply = &connection->exchange->reply;
    assert(reply->status);
    add_limit_headers(connection->exchange);
    begin_sending(connection, reply->blob);
    if (!take_kept(connection, reply))
        return reply->count && queue_fresh(connection, reply);
    return MHD_queue_response(connection->handle, reply->status, connection->response->response) ==
           MHD_YES;
}

bool connection_is_taking(struct connection *connection)
{
    const struct http *http = connection->http;
    if (!connection->sending.watched ||
        !output_is_taken(http->service->output, &connection->sending, http->loop->now))
        return false;
    connection->deadline = loop_after_ms(http->loop, config_of(http)->send_ms);
    return true;
}
