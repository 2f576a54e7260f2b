/* stream.c: an answer whose body is produced while it is sent. */
#include "stream.h"

#include <assert.h>
#include <microhttpd.h>
#include <string.h>

enum { BLOCK = 4096, KEPT_ROOM = 4096 };

static void tell(struct stream *stream, int64_t now)
{
    if (!stream->ended)
        stream->ended = !exchange_tell(stream->exchange, now, &stream->text);
    stream->broken |= stream->text.failed;
}

static size_t take(struct stream *stream, char *to, size_t room)
{
    size_t left = stream->text.length - stream->taken, n = left < room ? left : room;
    memcpy(to, stream->text.at + stream->taken, n);
    stream->taken += n;
    if (n == left) {
        strbuf_reset(&stream->text, KEPT_ROOM);
        stream->taken = 0;
    }
    return n;
}

/* Called whenever the client has taken what came before. */
static ssize_t read_stream(void *arg, uint64_t at, char *to, size_t room)
{
    struct stream *stream = arg;
    (void)at;
    if (stream->broken)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (stream->text.length)
        return (ssize_t)take(stream, to, room);
    if (stream->ended)
        return MHD_CONTENT_READER_END_OF_STREAM;
    assert(!stream->asleep);
    stream->asleep = true;
    MHD_suspend_connection(stream->handle);
    return 0;
}

struct MHD_Response *stream_open(struct stream *stream, struct MHD_Connection *handle,
                                 struct exchange *exchange, int64_t now)
{
    assert(!stream->exchange);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, stream, NULL);
    if (!response)
        return NULL;
    *stream = (struct stream){.handle = handle, .exchange = exchange};
    tell(stream, now);
    return response;
}

static void wake(struct stream *stream)
{
    stream->asleep = false;
    MHD_resume_connection(stream->handle);
}

bool stream_tell(struct stream *stream, int64_t now)
{
    assert(stream->asleep);
    tell(stream, now);
    if (!stream->text.length && !stream->ended && !stream->broken)
        return false;
    wake(stream);
    return true;
}

void stream_cut(struct stream *stream)
{
    stream->broken = true;
    if (stream->asleep)
        wake(stream);
}

void stream_close(struct stream *stream)
{
    strbuf_release(&stream->text);
    *stream = (struct stream){0};
}
