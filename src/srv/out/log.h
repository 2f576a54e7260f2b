/*
 * log.h: one line of JSON for each request, and for each event in the life of the server.
 *
 * Whatever clients send, a line is one line of printable ASCII, and no longer than a pipe takes in
 * one piece. What is not printable stands as \u00XX, byte by byte; a value that was cut ends in
 * \u2026, which nothing else becomes.
 *
 * Any thread may write a line. A reader that does not keep up loses lines (they are counted); it
 * never holds up a client.
 */
#ifndef MAPWRIGHT_LOG_H
#define MAPWRIGHT_LOG_H

#include "metrics.h"

#include <jansson.h>

/* To that descriptor, before there are threads; -1: to none, as without this call. */
void log_start(int fd);
void log_request(const struct record *);
/* Takes the reference of `members`, an object, which follow; NULL: none. Too many are left out. */
void log_event(const char *event, json_t *members);

#endif
