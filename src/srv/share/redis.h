/*
 * redis.h: a connection to a Redis or Valkey, for one thread at a time.
 *
 * Only the reader and the writer of the protocol are hiredis's: its own connections may wait
 * without bound. Here every call has a deadline, and the length of an answer has a limit.
 */
#ifndef MAPWRIGHT_REDIS_H
#define MAPWRIGHT_REDIS_H

#include "srv/base/store_url.h"
#include "srv/base/strbuf.h"

#include <hiredis/hiredis.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { REDIS_WHY = 128 }; /* bytes of the reason for a failure */

struct redis_host {
    struct sockaddr_storage address;
    socklen_t length;
};

/* Looks the name up, which takes as long as the resolver does. How many addresses it has; 0: `why`
   says why there is none. */
size_t redis_resolve(const struct store_url *, struct redis_host hosts[], size_t most,
                     char why[REDIS_WHY]);

struct redis;

/* Connects, gives the password, selects the database, and waits for the answer to a PING, all until
   `until` (clock_now). NULL: `why` says why not. */
struct redis *redis_open(const struct store_url *, const struct redis_host *, size_t longest_answer,
                         int64_t until, char why[REDIS_WHY]);
void redis_close(struct redis *);
/* False: it was closed by the server, or there are bytes that nothing waits for. */
bool redis_is_usable(const struct redis *);

/* Appends a command; `format` as of redisCommand: "SET %s %b". False without memory. */
bool redis_format(struct strbuf *, const char *format, ...);

typedef void redis_answer(void *arg, const redisReply *);

/* Sends so many commands, and hands over their answers in order. False: not all have come until
   `until`, or they were nonsense: the connection is of no more use, and `why` says why. */
bool redis_ask(struct redis *, const struct strbuf *commands, size_t count, redis_answer *,
               void *arg, int64_t until, char why[REDIS_WHY]);

#endif
