/*
 * log.h: one line of JSON for each request, and for each event in the life of the server.
 *
 * Whatever clients send, a line is one line of printable ASCII, and no longer than a pipe takes in
 * one piece. What is not printable stands as \u00XX, byte by byte; a value that was cut ends in
 * \u2026, which nothing else becomes.
 *
 * Each I/O thread gathers its lines and writes them when it goes idle, when a second has passed, or
 * when its buffer fills. A reader that does not keep up loses lines (they are counted); it never
 * holds up a client.
 */
#ifndef MAPWRIGHT_LOG_H
#define MAPWRIGHT_LOG_H

#include "metrics.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOG_ROOM = 64 * 1024 };

struct log {
    bool on;
    int fd;
    size_t length;
    int64_t written_at; /* clock_now of the last write */
    int64_t second;     /* of `stamp` */
    char stamp[24];     /* "2026-01-31T23:59:59" */
    char buffer[LOG_ROOM];
};

void log_init(struct log *, bool on, int fd);
void log_request(struct log *, const struct record *);
/* Takes the reference of `members`, an object, which follow; NULL: none. Too many are left out. */
void log_event(struct log *, const char *event, json_t *members);
/* Writes whole lines until the reader would block. */
void log_flush(struct log *, int64_t now);

/* Events of the server: for any thread, written at once to standard output. Off until log_start. */
void log_start(bool on);
/* As log_event. */
void log_now(const char *event, json_t *members);

#endif
