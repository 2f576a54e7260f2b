/*
 * exchange.h: a request from its first line to its answer. No sockets here: what arrives is put in,
 * the reply is taken out.
 *
 * What an exchange holds is known to its stages alone (stages.h).
 */
#ifndef MAPWRIGHT_EXCHANGE_H
#define MAPWRIGHT_EXCHANGE_H

#include "service.h"
#include "srv/say/log.h"
#include "srv/say/reply.h"

/* Header fields that matter. */
enum header {
    HEADER_HOST,
    HEADER_ACCEPT,
    HEADER_ACCEPT_ENCODING,
    HEADER_CONTENT_TYPE,
    HEADER_CONTENT_ENCODING,
    HEADER_IF_NONE_MATCH,
    HEADER_REQUEST_ID,
    HEADER_FORWARDED_PROTO,
    HEADER_END
};

enum { REQUEST_ID_ROOM = 129 };

/* What the exchanges of one thread share. */
struct io_context;
struct exchange;

/* `admin`: only the pages about the server itself. NULL without memory. */
struct io_context *io_context_new(struct service *, bool admin);
/* No exchange of it is left. */
void io_context_drop(struct io_context *);
/* A fresh id for a request. */
void io_context_make_id(struct io_context *, char id[37]);

/* `uri` is copied. `wake(owner)` is called once for each exchange_run that answers false, on any
   thread, unless exchange_leave says otherwise. NULL without memory. */
struct exchange *exchange_begin(struct io_context *, const char *uri, void (*wake)(void *owner),
                                void *owner);
void exchange_set_method(struct exchange *, const char *name);
/* The value lives as long as the request; a field that comes again goes on behind a comma (RFC
   9110, 5.2). NULL: no value. */
void exchange_add_header(struct exchange *, enum header, const char *value);
/* Its head says what no head may say; `why` is static. */
void exchange_set_malformed(struct exchange *, const char *why);
/* So many bytes of body were announced. False: they are too many, and need not be put in. */
bool exchange_expect_body(struct exchange *, uint64_t length);
void exchange_add_body(struct exchange *, const char *, size_t);

/* Runs the stages. False: it is waiting, and will be woken. */
bool exchange_run(struct exchange *);
/* After the wake, on the thread that ran it: the reply is there. */
void exchange_resume(struct exchange *);
/* The client has left. False: nothing waits, or the wake is on its way all the same. */
bool exchange_leave(struct exchange *);

bool exchange_is_waiting(const struct exchange *);
/* Lives until exchange_end; its status is 0 as long as there is none. */
const struct reply *exchange_reply(const struct exchange *);
const char *exchange_id(const struct exchange *);
/* All of a log entry but the client. */
struct log_entry exchange_describe(const struct exchange *);
/* Back to its context; it is not waiting. */
void exchange_end(struct exchange *);

#endif
