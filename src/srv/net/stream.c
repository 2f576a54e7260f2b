/*
 * stream.c: an answer whose body is produced while it is sent (events).
 *
 * Its connection is suspended while there is nothing to send, and resumed by the clock of its loop.
 */
#include "connection.h"

#include <assert.h>
#include <microhttpd.h>
#include <string.h>

enum { BLOCK = 4096, KEPT_ROOM = 4096 };

static void produce(struct connection *connection)
{
    struct stream *stream = &connection->stream;
    if (!stream->ended)
        stream->ended = !exchange_write_events(connection->exchange, connection->http->loop->now,
                                               &stream->text);
    stream->broken |= stream->text.failed;
}

static size_t take(struct stream *stream, char *to, size_t room)
{
    assert(stream->taken < stream->text.length);
    size_t left = stream->text.length - stream->taken, n = left < room ? left : room;
    memcpy(to, stream->text.at + stream->taken, n);
    stream->taken += n;
    if (n == left) {
        strbuf_reset(&stream->text, KEPT_ROOM);
        stream->taken = 0;
    }
    return n;
}

/* libmicrohttpd calls it whenever the client has taken what came before. */
static ssize_t read_stream(void *arg, uint64_t at, char *to, size_t room)
{
    struct connection *connection = arg;
    struct stream *stream = &connection->stream;
    (void)at;
    if (stream->broken)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (stream->text.length)
        return (ssize_t)take(stream, to, room);
    if (stream->ended)
        return MHD_CONTENT_READER_END_OF_STREAM;
    assert(!stream->asleep);
    stream->asleep = true;
    MHD_suspend_connection(connection->handle);
    return 0;
}

struct MHD_Response *stream_open(struct connection *connection)
{
    assert(!connection->stream.open);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, connection, NULL);
    if (!response)
        return NULL;
    connection->stream = (struct stream){.open = true};
    connection->http->streams++;
    produce(connection);
    return response;
}

static void resume(struct connection *connection)
{
    connection->stream.asleep = false;
    MHD_resume_connection(connection->handle);
}

/* A client has --send-ms to take an event; while there is none it has all the time. */
void stream_continue(struct connection *connection)
{
    const struct http *http = connection->http;
    const struct stream *stream = &connection->stream;
    if (!stream->asleep)
        return;
    produce(connection);
    bool due = stream->text.length || stream->ended || stream->broken;
    connection->deadline = due ? loop_after_ms(http->loop, config_of(http)->send_ms) : INT64_MAX;
    if (due)
        resume(connection);
}

void stream_cut(struct connection *connection)
{
    if (!connection->stream.asleep)
        return;
    connection->exchange->state = EXCHANGE_LEFT;
    connection->stream.broken = true;
    resume(connection);
}

void stream_close(struct connection *connection)
{
    connection->http->streams -= connection->stream.open;
    strbuf_release(&connection->stream.text);
    connection->stream = (struct stream){0};
}
