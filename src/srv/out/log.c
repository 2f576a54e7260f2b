/* log.c: lines of JSON. */
#include "log.h"

#include "lib/gen.h"
#include "srv/base/clock.h"

#include <assert.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    LONGEST_LINE = PIPE_BUF,
    LONGEST_VALUE = 400,
    LONGEST_EVENT = PIPE_BUF - 256,
    UNREAD = 256 * 1024, /* bytes that a pipe holds for its reader */
};

static int log_fd = -1; /* -1: off */

void log_start(int fd)
{
    log_fd = fd;
    fcntl(fd, F_SETPIPE_SZ, UNREAD); /* does nothing if it is no pipe */
}

/* ---- members of a line: `"name":value,` ------------------------------------------------------ */

static char *put_name(char *to, const char *name)
{
    *to++ = '"';
    return stpcpy(stpcpy(to, name), "\":");
}

/* As a JSON string of at most `most` bytes between its quotes. */
static char *put_string(char *to, const char *name, const char *text, size_t length, size_t most)
{
    to = stpcpy(put_name(to, name), "\"");
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

/* NULL: none. */
static char *put_text(char *to, const char *name, const char *text)
{
    return text ? put_string(to, name, text, strlen(text), LONGEST_VALUE) : to;
}

/* Seconds from microseconds; negative: none. */
static char *put_seconds(char *to, const char *name, int64_t microseconds)
{
    if (microseconds < 0)
        return to;
    return stpcpy(mw_write_decimal(put_name(to, name), microseconds, 1000000), ",");
}

static char *put_time(char *to)
{
    int64_t now = clock_read(CLOCK_REALTIME);
    time_t second = (time_t)(now / 1000000);
    struct tm parts;
    to += strftime(to, 40, "{\"time\":\"%Y-%m-%dT%H:%M:%S", gmtime_r(&second, &parts));
    return to + sprintf(to, ".%03dZ\",", (int)(now / 1000 % 1000));
}

/* The requested map by its address, anything else by its query. */
static char *put_target(char *to, const struct record *record)
{
    to = put_text(to, "path", record->path);
    if (record->self)
        return put_string(to, "self", record->self, record->self_length, RECORD_SELF);
    if (record->query && *record->query)
        return put_string(to, "query", record->query, strlen(record->query), RECORD_SELF);
    return to;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static char *begin_line(char *to, const char *event)
{
    return put_text(put_time(to), "event", event);
}

/* Replaces the last comma and writes the line, unless that would wait for the reader. A pipe takes
   so short a line in one piece. */
static void end_line(char line[LONGEST_LINE], char *end)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct pollfd log = {.fd = log_fd, .events = POLLOUT};
    end[-1] = '}';
    *end++ = '\n';
    ssize_t length = end - line;
    assert(length <= LONGEST_LINE);
    pthread_mutex_lock(&lock); /* what one thread has polled, no other fills */
    bool whole = poll(&log, 1, 0) == 1 && write(log_fd, line, (size_t)length) == length;
    pthread_mutex_unlock(&lock);
    if (!whole)
        metrics_count(COUNT_LOG_LOST, 1);
}

void log_request(const struct record *record)
{
    char line[LONGEST_LINE];
    if (log_fd < 0)
        return;
    char *to = begin_line(line, "request");
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
    end_line(line, put_text(to, "traceparent", record->traceparent));
}

void log_event(const char *event, json_t *members)
{
    enum { EMBEDDED = JSON_ENSURE_ASCII | JSON_COMPACT | JSON_EMBED }; /* without its braces */
    char line[LONGEST_LINE], *to = begin_line(line, event);
    if (json_object_size(members)) {
        size_t length = json_dumpb(members, to, LONGEST_EVENT, EMBEDDED);
        bool whole = length && length <= LONGEST_EVENT;
        to = whole ? to + length : to + sprintf(to, "\"cut\":true");
        *to++ = ',';
    }
    json_decref(members);
    if (log_fd >= 0)
        end_line(line, to);
}
