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

enum { REDIS_LONGEST = 2 << 20 }; /* bytes of an answer */

struct redis;

/* Commands that are sent together. All zeros: none. */
struct redis_batch {
    struct strbuf commands;
    size_t count;
    redisReply **replies; /* as many, in order; NULL: there are none */
};

/* Looks the name up, connects, gives the password, selects the database, and waits for the answer
   to a PING. The name takes as long as the resolver does, an address a second at most. `trust`: who
   may have signed its certificate; NULL: no TLS. False: it has failed, and is to be closed. */
bool redis_open(struct redis **, const struct store_url *, gnutls_certificate_credentials_t trust,
                int64_t patience);
void redis_close(struct redis *); /* NULL is fine */
/* Why it has failed; NULL is one without memory. */
const char *redis_why(const struct redis *);
/* False: the server closed it, or sent bytes that nobody asked for. */
bool redis_is_usable(const struct redis *);

/* Appends a command; `format` as of redisCommand: "SET %s %b". */
void redis_format(struct redis_batch *, const char *format, ...);
/* Sends the commands, and takes their replies, in `patience` microseconds. False: it has failed, as
   not all have come in time, or they were nonsense: the connection is of no more use. */
bool redis_ask(struct redis *, struct redis_batch *, int64_t patience);
void redis_release(struct redis_batch *);

#endif
