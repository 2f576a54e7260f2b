/* log.c: one line of JSON for each request. */
#include "log.h"

#include "metrics.h"
#include "srv/base/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_LINE = 2048, LONGEST_VALUE = 400 };

void log_init(struct log *log, bool on, int fd)
{
    log->on = on;
    log->fd = fd;
    log->length = 0;
    log->written_at = clock_now();
    log->second = -1;
}

/* ---- a line ---------------------------------------------------------------------------------- */

static char *put(char *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

#define PUT(to, literal) put((to), (literal), sizeof(literal) - 1)

static char *put_number(char *to, uint64_t n)
{
    char digits[20], *at = digits + sizeof digits;
    do
        *--at = (char)('0' + n % 10);
    while (n /= 10);
    return put(to, at, (size_t)(digits + sizeof digits - at));
}

static bool is_plain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

/* What is not printable ASCII is shown as \u00XX, byte by byte; a long value is cut. */
static char *put_string(char *to, const char *text)
{
    static const char hex[] = "0123456789abcdef";
    const char *end = to + LONGEST_VALUE;
    *to++ = '"';
    for (; *text && to < end; text++) {
        unsigned char c = (unsigned char)*text;
        *to++ = *text;
        if (is_plain(c))
            continue;
        to = PUT(to - 1, "\\u00");
        *to++ = hex[c >> 4];
        *to++ = hex[c & 15];
    }
    *to++ = '"';
    return to;
}

/* One of our own words. */
static char *put_word(char *to, const char *text)
{
    *to++ = '"';
    to = put(to, text, strlen(text));
    *to++ = '"';
    return to;
}

static char *put_time(struct log *log, char *to)
{
    int64_t now = clock_read(CLOCK_REALTIME), second = now / 1000000, milli = now / 1000 % 1000;
    if (second != log->second) {
        struct tm parts;
        time_t time = (time_t)second;
        strftime(log->stamp, sizeof log->stamp, "%Y-%m-%dT%H:%M:%S", gmtime_r(&time, &parts));
        log->second = second;
    }
    to = put(to, log->stamp, 19);
    *to++ = '.';
    *to++ = (char)('0' + milli / 100);
    *to++ = (char)('0' + milli / 10 % 10);
    *to++ = (char)('0' + milli % 10);
    return PUT(to, "Z");
}

void log_line(struct log *log, const struct log_entry *entry)
{
    if (!log->on)
        return;
    if (LOG_ROOM - log->length < LONGEST_LINE)
        log_flush(log, clock_now());
    if (LOG_ROOM - log->length < LONGEST_LINE) {
        metrics_count(COUNT_LOG_LOST, 1);
        return;
    }
    char *to = PUT(log->buffer + log->length, "{\"time\":\"");
    to = PUT(put_time(log, to), "\",\"id\":");
    to = PUT(put_string(to, entry->id), ",\"method\":");
    to = PUT(put_string(to, entry->method), ",\"path\":");
    to = PUT(put_string(to, entry->path), ",\"status\":");
    to = PUT(put_number(to, entry->status), ",\"bytes\":");
    to = PUT(put_number(to, entry->bytes), ",\"microseconds\":");
    to = PUT(put_number(to, (uint64_t)entry->microseconds), ",\"cache\":");
    to = PUT(put_word(to, entry->cache), ",\"client\":");
    to = PUT(put_word(to, entry->client), "}\n");
    log->length = (size_t)(to - log->buffer);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* As many whole lines as a pipe takes in one piece, so that lines of two threads never mix. */
static size_t next_piece(const char *at, size_t left)
{
    if (left <= PIPE_BUF)
        return left;
    size_t n = PIPE_BUF;
    while (n && at[n - 1] != '\n')
        n--;
    return n;
}

static bool takes_more(int fd)
{
    struct pollfd poll_fd = {.fd = fd, .events = POLLOUT};
    return poll(&poll_fd, 1, 0) == 1 && (poll_fd.revents & (POLLOUT | POLLERR | POLLNVAL));
}

void log_flush(struct log *log, int64_t now)
{
    size_t done = 0;
    while (done < log->length && takes_more(log->fd)) {
        ssize_t n =
            write(log->fd, log->buffer + done, next_piece(log->buffer + done, log->length - done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            done = log->length; /* nobody will ever read it */
        if (n < 0)
            break;
        done += (size_t)n;
    }
    memmove(log->buffer, log->buffer + done, log->length - done);
    log->length -= done;
    log->written_at = now;
}
