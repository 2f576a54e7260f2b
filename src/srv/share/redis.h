/*
 * redis.h: a connection to a Redis or Valkey, for one thread at a time.
 *
 * Only the reader and the writer of the protocol are hiredis's: its own connections may wait
 * without bound. Here every call has a deadline, and the length of an answer has a limit.
 */
#ifndef MAPWRIGHT_REDIS_H
#define MAPWRIGHT_REDIS_H

#include "channel.h"
#include "srv/base/store_url.h"
#include "srv/base/strbuf.h"

#include <hiredis/hiredis.h>

struct redis;

struct redis_plan {
    const struct store_url *at;
    channel_trust trust;   /* NULL: no TLS */
    size_t longest_answer; /* bytes */
    int64_t patience;      /* microseconds for an answer */
};

/* Looks the name up, connects, gives the password, selects the database, and waits for the answer
   to a PING. The name takes as long as the resolver does, an address a second at most. NULL: `why`
   says why not. */
struct redis *redis_open(const struct redis_plan *, char why[CHANNEL_WHY]);
void redis_close(struct redis *);
/* False: the server closed it, or sent bytes that nobody asked for. */
bool redis_is_usable(struct redis *);

/* Appends a command; `format` as of redisCommand: "SET %s %b". False without memory. */
bool redis_format(struct strbuf *, const char *format, ...);

/* Sends so many commands, and returns their replies in order, to be freed. False: not all have come
   in time, or they were nonsense: there is none, the connection is of no more use, and `why` says
   why. */
bool redis_ask(struct redis *, const struct strbuf *commands, redisReply *replies[], size_t count,
               int64_t patience, char why[CHANNEL_WHY]);
void redis_free_replies(redisReply *replies[], size_t count);

#endif
