/*
 * sending.h: whether a client takes its answer fast enough.
 *
 * A client must take --send-rate of its answer in each --send-ms, or its connection is closed. When
 * answers need more memory than there is (cache/output.h), slow sends are ended first.
 */
#ifndef MAPWRIGHT_SENDING_H
#define MAPWRIGHT_SENDING_H

#include "srv/base/blob.h"
#include "srv/base/config.h"

/* A body on its way to a client. */
struct sending {
    struct blob *blob; /* NULL: none is */
    int fd;
    int64_t since;  /* clock_now, when this window began; 0: it is not measured */
    uint64_t taken; /* bytes that the client had acknowledged by then */
};

/* A short answer must be taken whole by its first deadline, so it is not measured. */
void sending_begin(struct sending *, int fd, struct blob *, const struct config *, int64_t now);
/* At the end of a window: whether the client took enough in it; another window begins. */
bool sending_keeps_pace(struct sending *, const struct config *, int64_t now);
/* Closes the connection and discards what the kernel has not sent. */
void sending_end(const struct sending *);
/* Ends a send that is slow and would free memory; how many bytes that will be. */
size_t sending_end_if_slow(struct sending *, const struct config *, int64_t now);

#endif
