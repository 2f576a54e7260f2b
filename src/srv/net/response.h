/*
 * response.h: responses of libmicrohttpd.
 *
 * A reply that is sent often is kept with its header fields: only its request id and its date
 * change from one client to the next. Each I/O thread has responses of its own.
 */
#ifndef MAPWRIGHT_RESPONSE_H
#define MAPWRIGHT_RESPONSE_H

#include "loop.h"
#include "srv/ask/exchange.h"

struct MHD_Response;
struct cached_responses;
struct cached_response {
    struct blob *blob; /* NULL: the place is free */
    struct MHD_Response *response;
    char *id, *date; /* X-Request-Id and Date, where they stand in it; NULL: they do not */
    bool in_use;
};

/* NULL without memory. */
struct cached_responses *cached_responses_new(void);
/* None is in use. */
void cached_responses_drop(struct cached_responses *);

/* The response for a reply that is `common`, made at need, for one connection until it is given
   back. NULL: another connection uses its place, it is too large to keep, or there is no memory. */
struct cached_response *cached_response_take(struct cached_responses *, const struct reply *);
/* Sets request id and date. False without memory: then it is given back. */
bool cached_response_address(struct cached_response *, const char *id, const char *date);
/* No connection sends it any more. */
void cached_response_return(struct cached_response *);

/* The same response with all fields of the reply. NULL without memory: then it is no more. */
struct MHD_Response *response_dress(struct MHD_Response *, const struct reply *, const char *id,
                                    const char *date, bool close);
/* Drops those of loose blobs, which would count as being sent. */
void cached_responses_trim(struct cached_responses *);

/* A response for one connection, around the blob's own bytes, which must outlive it. `close`: the
   connection ends with it. NULL without memory. */
struct MHD_Response *response_make(const struct reply *, const char *id, const char *date,
                                   bool close);

#endif
