/* reply.h: a response: status, header fields, body. */
#ifndef MAPWRIGHT_REPLY_H
#define MAPWRIGHT_REPLY_H

#include "srv/base/blob.h"

#include <stdbool.h>

enum { REPLY_HEADERS = 21 };

struct reply {
    unsigned status;   /* 0: there is none yet */
    enum fault fault;  /* of a problem; else FAULT_NONE */
    struct blob *blob; /* one reference; NULL: no body */
    bool live;         /* the body is a stream, not a blob */
    bool common;       /* equal for all hits of this blob with the same `pinned`, but for the id */
    bool pinned;       /* as in struct exchange */
    char retry_after[12];
    size_t count;
    struct {
        const char *name, *value; /* both outlive the reply */
    } headers[REPLY_HEADERS];
};

/* Begins a new reply with the fields of every answer. Takes the reference; NULL: no body. */
void reply_begin(struct reply *, unsigned status, struct blob *);
void reply_header(struct reply *, const char *name, const char *value);
/* Adds the media types of bodies that are read. */
void reply_accepted(struct reply *);

#endif
