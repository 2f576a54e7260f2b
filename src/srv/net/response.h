/*
 * response.h: responses of libmicrohttpd.
 *
 * A reply that is sent often is kept with its header fields: only its request id changes from
 * one client to the next. Each I/O thread has responses of its own.
 */
#ifndef MAPWRIGHT_RESPONSE_H
#define MAPWRIGHT_RESPONSE_H

#include "srv/out/reply.h"

struct MHD_Response;

enum { CACHED_RESPONSES = 512 };

struct cached_response {
    struct blob *blob; /* NULL: the place is free */
    struct MHD_Response *response;
    bool in_use; /* by a connection, which sets it to false in the end */
};

/*
 * The response for a reply that is `common`, made at need. NULL: another connection uses its place,
 * it is too large to keep, or there is no memory.
 */
struct cached_response *cached_response_take(struct cached_response cache[CACHED_RESPONSES],
                                             const struct reply *, const char *id);
/* Drops those that no connection uses: all, or else those of loose blobs, which would count as
   being sent. */
void cached_responses_trim(struct cached_response cache[CACHED_RESPONSES], bool all);

/* A response for one connection: `body`, of which it takes the reference, or (NULL) the blob's own
   bytes, which must outlive it. `close`: the connection ends with it. NULL without memory. */
struct MHD_Response *response_make(const struct reply *, struct MHD_Response *body, const char *id,
                                   bool close);

#endif
