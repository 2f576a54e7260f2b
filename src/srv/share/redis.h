/*
 * redis.h: a connection to a Redis or Valkey, by TCP or by TLS, for one thread at a time.
 *
 * hiredis connects, and reads and writes the protocol, but may wait for an answer without bound.
 * Here every call has a deadline, and the length of an answer has a limit.
 */
#ifndef MAPWRIGHT_REDIS_H
#define MAPWRIGHT_REDIS_H

#include "srv/base/store_url.h"
#include "srv/base/strbuf.h"

#include <gnutls/gnutls.h>
#include <hiredis/hiredis.h>
#include <stdint.h>

enum {
    REDIS_WHY = 128,        /* bytes of the reason for a failure */
    REDIS_LONGEST = 2 << 20 /* of an answer */
};

struct redis;

/* Commands that are sent together. All zeros: none. */
struct redis_batch {
    struct strbuf commands;
    size_t count;
    redisReply **replies; /* as many, in order; NULL: there are none */
};

/* Looks the name up, connects, gives the password, selects the database, and waits for the answer
   to a PING. The name takes as long as the resolver does, an address a second at most. `trust`: who
   may have signed its certificate; NULL: no TLS. NULL: `why` says why not. */
struct redis *redis_open(const struct store_url *, gnutls_certificate_credentials_t trust,
                         int64_t patience, char why[REDIS_WHY]);
void redis_close(struct redis *);
/* False: the server closed it, or sent bytes that nobody asked for. */
bool redis_is_usable(const struct redis *);

/* Appends a command; `format` as of redisCommand: "SET %s %b". */
void redis_format(struct redis_batch *, const char *format, ...);
/* Sends the commands, and takes their replies, in `patience` microseconds. False: not all have come in time, or they were
   nonsense: there is none, the connection is of no more use, and `why` says why. */
bool redis_ask(struct redis *, struct redis_batch *, int64_t patience, char why[REDIS_WHY]);
void redis_release(struct redis_batch *);

#endif
