/* log.c: lines of JSON. */
#include "log.h"

#include "lib/gen.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LINE = PIPE_BUF, LONGEST_VALUE = 400, LONGEST_EVENT = PIPE_BUF - 256 };

void log_init(struct log *log, bool on, int fd)
{
    log->on = on;
    log->fd = fd;
    log->length = 0;
    log->written_at = clock_now();
    log->second = -1;
}

/* ---- members of a line: `"name":value,` ------------------------------------------------------ */

/* As a JSON string of at most `most` bytes between its quotes. */
static char *put_string(char *to, const char *text, size_t length, size_t most)
{
    *to++ = '"';
    const char *end = text + length, *full = to + most - 12; /* one more escape and the mark fit */
    while (text < end && to <= full) {
        unsigned char c = (unsigned char)*text++;
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\')
            *to++ = (char)c;
        else
            to += sprintf(to, "\\u%04x", c);
    }
    return stpcpy(to, text < end ? "\\u2026\"," : "\",");
}

static char *put_name(char *to, const char *name)
{
    *to++ = '"';
    return stpcpy(stpcpy(to, name), "\":");
}

/* Of an address at most RECORD_SELF bytes are shown. */
static char *put_address(char *to, const char *name, const char *address, size_t length)
{
    return put_string(put_name(to, name), address, length, RECORD_SELF);
}

/* NULL: none. */
static char *put_text(char *to, const char *name, const char *text)
{
    return text ? put_string(put_name(to, name), text, strlen(text), LONGEST_VALUE) : to;
}

/* Seconds from microseconds; negative: none. */
static char *put_seconds(char *to, const char *name, int64_t microseconds)
{
    if (microseconds < 0)
        return to;
    return stpcpy(mw_write_decimal(put_name(to, name), microseconds, 1000000), ",");
}

static char *put_time(struct log *log, char *to)
{
    int64_t now = clock_read(CLOCK_REALTIME), second = now / 1000000;
    if (second != log->second) {
        struct tm parts;
        time_t time = (time_t)second;
        strftime(log->stamp, sizeof log->stamp, "%Y-%m-%dT%H:%M:%S", gmtime_r(&time, &parts));
        log->second = second;
    }
    return to + sprintf(to, "{\"time\":\"%s.%03dZ\",", log->stamp, (int)(now / 1000 % 1000));
}

/* The requested map by its address, anything else by its query. */
static char *put_target(char *to, const struct record *record)
{
    to = put_text(to, "path", record->path);
    if (record->self)
        return put_address(to, "self", record->self, record->self_length);
    if (record->query && *record->query)
        return put_address(to, "query", record->query, strlen(record->query));
    return to;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* NULL: the log is off, or there is no room. */
static char *begin_line(struct log *log, const char *event)
{
    if (!log->on)
        return NULL;
    if (LOG_ROOM - log->length < LONGEST_LINE)
        log_flush(log, clock_now());
    if (LOG_ROOM - log->length >= LONGEST_LINE)
        return put_text(put_time(log, log->buffer + log->length), "event", event);
    metrics_count(COUNT_LOG_LOST, 1);
    return NULL;
}

/* Replaces the last comma. */
static void end_line(struct log *log, char *to)
{
    to[-1] = '}';
    *to++ = '\n';
    assert(to - log->buffer <= (ptrdiff_t)(log->length + LONGEST_LINE));
    log->length = (size_t)(to - log->buffer);
}

void log_request(struct log *log, const struct record *record)
{
    char *to = begin_line(log, "request");
    if (!to)
        return;
    to = put_text(to, "id", record->id);
    to = put_text(to, "client", record->client);
    to = put_text(to, "method", record->method);
    to = put_target(to, record);
    to = mw_write_int(put_name(to, "status"), record->status);
    to = mw_write_int(stpcpy(to, ",\"bytes\":"), (int64_t)record->bytes);
    *to++ = ',';
    to = put_text(to, "reason", record->fault ? fault_rows[record->fault].slug : NULL);
    to = put_text(to, "generator", record->generator ? record->generator->name : NULL);
    to = put_text(to, "format", record->encoder ? record->encoder->name : NULL);
    to = put_text(to, "cache", record->cache);
    to = put_seconds(to, "duration", record->duration);
    for (int i = 0; i < PHASE_END; i++)
        to = put_seconds(to, phase_names[i], record->phases[i]);
    end_line(log, put_text(to, "traceparent", record->traceparent));
}

void log_event(struct log *log, const char *event, json_t *members)
{
    enum { EMBEDDED = JSON_ENSURE_ASCII | JSON_COMPACT | JSON_EMBED }; /* without its braces */
    char *to = begin_line(log, event);
    if (to && json_object_size(members)) {
        size_t length = json_dumpb(members, to, LONGEST_EVENT, EMBEDDED);
        bool whole = length && length <= LONGEST_EVENT;
        to = whole ? to + length : to + sprintf(to, "\"cut\":true");
        *to++ = ',';
    }
    json_decref(members);
    if (to)
        end_line(log, to);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* As many whole lines as a pipe takes in one piece, so that lines of two threads never mix. */
static size_t next_piece(const char *at, size_t left)
{
    if (left <= PIPE_BUF)
        return left;
    const char *end = memrchr(at, '\n', PIPE_BUF);
    return end ? (size_t)(end - at) + 1 : 0;
}

static bool takes_more(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    return poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & (POLLOUT | POLLERR | POLLNVAL));
}

/* Counts the lines that nobody will read. */
static void lose(const char *at, size_t length)
{
    uint64_t lines = 0;
    for (const char *end = at + length; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    metrics_count(COUNT_LOG_LOST, lines);
}

void log_flush(struct log *log, int64_t now)
{
    size_t done = 0;
    while (done < log->length && takes_more(log->fd)) {
        ssize_t n =
            write(log->fd, log->buffer + done, next_piece(log->buffer + done, log->length - done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN) {
            lose(log->buffer + done, log->length - done);
            done = log->length;
        }
        if (n < 0)
            break;
        done += (size_t)n;
    }
    assert(done <= log->length && log->length <= LOG_ROOM);
    memmove(log->buffer, log->buffer + done, log->length - done);
    log->length -= done;
    log->written_at = now;
}

/* ---- events of the whole server -------------------------------------------------------------- */

static pthread_mutex_t events_lock = PTHREAD_MUTEX_INITIALIZER;
static struct log events;

void log_start(bool on) { log_init(&events, on, STDOUT_FILENO); }

void log_now(const char *event, json_t *members)
{
    pthread_mutex_lock(&events_lock);
    log_event(&events, event, members);
    log_flush(&events, clock_now());
    pthread_mutex_unlock(&events_lock);
}
