/*
 * redis.h: a link to a Redis or Valkey that may be down, slow or talk nonsense.
 *
 * Of one thread, which waits in redis_wait and nowhere else, but for finding the host's address
 * while there is no link anyway. The link opens by itself: once it is there, the server has taken
 * its password and answered a PING in time. It breaks where an answer is late, none that is
 * understood, or too long; then nobody is asked for a while, which doubles from time to time. What
 * was not answered by then is so with NULL.
 */
#ifndef MAPWRIGHT_REDIS_H
#define MAPWRIGHT_REDIS_H

#include "srv/base/store_url.h"

#include <hiredis/hiredis.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct redis;

struct redis_plan {
    struct store_url at;
    int64_t patience; /* microseconds for an answer */
    size_t longest;   /* bytes of an answer */
    /* The link opened, or broke: `why`. */
    void (*changed)(void *arg, bool open, const char *why);
    void *arg;
};

/* NULL without memory. */
struct redis *redis_new(const struct redis_plan *);
/* What was not answered, is so with NULL. */
void redis_drop(struct redis *);

bool redis_is_open(const struct redis *);

/* A piece of a command; the last one's text is NULL. */
struct redis_word {
    const char *text;
    size_t length;
};

/* What came of a command; NULL: nobody knows. */
typedef void redis_answer(void *arg, const redisReply *);

/* The link is open. `urgent`: its answer may be late, and makes up for what was bad before. The
   answer may be called at once. */
void redis_send(struct redis *, const struct redis_word *, bool urgent, redis_answer *, void *arg);
/* Bytes that the server has not taken yet. */
size_t redis_unsent(const struct redis *);

/* Waits for so long at most, or until `wake` can be read; opens the link, sends and answers. */
void redis_wait(struct redis *, int wake, int64_t microseconds);

#endif
