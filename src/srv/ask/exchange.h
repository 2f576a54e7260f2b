/*
 * exchange.h: a request from its first line to its answer. No sockets here: what arrives is put in,
 * the reply is taken out.
 *
 * An exchange is one record, filled from left to right by the stages in exchange.c.
 */
#ifndef MAPWRIGHT_EXCHANGE_H
#define MAPWRIGHT_EXCHANGE_H

#include "args.h"
#include "service.h"
#include "srv/keep/recall.h"

enum { REQUEST_ID_ROOM = 129, FILE_ROOM = 160, REPLY_HEADERS = 14 };

/* What the exchanges of one thread share. */
struct desk {
    struct service *service;
    struct recall *recall;
    void *memory; /* for reading and binding */
    size_t size;
    uint64_t random;   /* state, for request ids */
    struct strbuf raw; /* scratch */
    bool admin;        /* only the pages about the server itself */
};

enum method { METHOD_GET, METHOD_HEAD, METHOD_POST, METHOD_OPTIONS, METHOD_OTHER };

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

struct reply {
    unsigned status;
    struct blob *blob; /* one reference; NULL: no body */
    bool common;       /* the same for all who ask for this blob, but for the request's id */
    size_t count;
    struct {
        const char *name, *value;
    } headers[REPLY_HEADERS];
};

struct exchange {
    struct exchange *next; /* for its keeper's lists */
    void *keeper;
    struct desk *desk;
    /* as it arrives */
    int64_t started;
    enum method method;
    char method_name[16];
    struct strbuf uri, body;
    bool body_too_large, uri_too_long;
    const char *broken;              /* what is wrong with its outlines; NULL */
    const char *headers[HEADER_END]; /* NULL where absent */
    char *joined[HEADER_END];        /* malloc'd: of those that came more than once */
    /* as the stages find out */
    char request_id[REQUEST_ID_ROOM];
    const char *path, *query;
    size_t path_length, query_length;
    const struct page *page;
    const struct mw_generator *generator;
    char map_id[37];    /* of /maps/{id}, "" otherwise */
    const char *suffix; /* of the path, behind the dot; NULL */
    bool recalled;
    struct args args;
    struct mw_run *run;
    struct mw_request request;
    char *kept_address; /* malloc'd: of a map asked for by its id */
    struct key key;
    bool durable; /* the request names its seed, or needs none */
    char tag[TAG_ROOM];
    struct strbuf location;
    char file[FILE_ROOM]; /* Content-Disposition */
    /* the end */
    struct waiter waiter;
    bool waiting;
    const char *note; /* for the log: hit, miss, wait */
    char timing[96];
    struct reply reply;
};

/* False without memory. */
bool desk_init(struct desk *, struct service *, bool admin);
void desk_release(struct desk *);

/* A fresh exchange, or one that has ended, begins. `uri` is copied. */
void exchange_start(struct exchange *, struct desk *, const char *uri,
                    void (*wake)(struct waiter *));
void exchange_set_method(struct exchange *, const char *name);
/* The value lives as long as the request; a field that comes again goes on behind a comma (RFC
 * 9110, 5.2). */
void exchange_add_header(struct exchange *, enum header, const char *value);
void exchange_take_body(struct exchange *, const char *, size_t);

/* Runs the stages. Either the reply is there, or it is `waiting` and will be woken. */
void exchange_run(struct exchange *);
/* After the wake: the reply is there. */
void exchange_resume(struct exchange *);
/* The client has left a waiting exchange. False: the wake is on its way all the same. */
bool exchange_leave(struct exchange *);
/* Lets go of everything but the room for the next. */
void exchange_end(struct exchange *);
void exchange_release(struct exchange *);

/* A fresh id for a request. */
void exchange_make_id(struct desk *, char id[37]);

#endif
