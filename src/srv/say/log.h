/*
 * log.h: one line of JSON for each request.
 *
 * Each I/O thread gathers its lines and writes them when it goes idle, when a second has passed, or
 * when its buffer fills. A reader that does not keep up loses lines (they are counted); it never
 * holds up a client.
 */
#ifndef MAPWRIGHT_LOG_H
#define MAPWRIGHT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOG_ROOM = 64 * 1024 };

struct log {
    bool on;
    int fd;
    size_t length;
    int64_t written_at; /* when it last was, by clock_now */
    int64_t second;     /* that `stamp` spells */
    char stamp[24];     /* "2026-01-31T23:59:59" */
    char buffer[LOG_ROOM];
};

struct log_entry {
    const char *id, *method, *path, *cache, *client;
    unsigned status;
    uint64_t bytes;
    int64_t microseconds;
};

void log_init(struct log *, bool on, int fd);
void log_line(struct log *, const struct log_entry *);
/* Writes whole lines as long as the reader takes them at once. */
void log_flush(struct log *, int64_t now);

#endif
