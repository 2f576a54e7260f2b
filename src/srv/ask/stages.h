/*
 * stages.h: what an exchange holds, for its stages.
 *
 * One record, filled from left to right. A stage reads only what the ones before it found, notes
 * what it finds itself, and answers true; or it leaves a reply and answers false.
 */
#ifndef MAPWRIGHT_STAGES_H
#define MAPWRIGHT_STAGES_H

#include "args.h"
#include "exchange.h"
#include "srv/keep/recall.h"
#include "srv/say/pages.h"

enum { FILE_NAME_ROOM = 160, TIMING_ROOM = 96 };

struct io_context {
    struct service *service;
    struct recall *recall;
    void *memory; /* for reading and binding */
    size_t size;
    uint64_t random;   /* state, for request ids */
    struct strbuf raw; /* the bytes that the request under way is recalled by; empty: by none */
    bool admin;
    struct exchange *spare; /* ended, to be used again */
    int open;               /* exchanges that have not ended */
};

enum method { METHOD_GET, METHOD_HEAD, METHOD_POST, METHOD_OPTIONS, METHOD_OTHER };

struct exchange {
    struct exchange *next; /* of those to spare */
    struct io_context *context;
    void (*wake)(void *owner);
    void *owner;
    /* as it arrives */
    int64_t started;
    enum method method;
    char method_name[16];
    struct strbuf uri, body;
    bool body_too_large;
    const char *malformed;           /* what is wrong with its head; NULL: nothing */
    const char *headers[HEADER_END]; /* NULL where absent */
    char *joined[HEADER_END];        /* malloc'd: of those that came more than once */
    char request_id[REQUEST_ID_ROOM];
    /* route */
    const char *path, *query;
    size_t query_length;
    const struct page *page;
    const struct mw_generator *generator;
    char map_id[37];    /* of /maps/{id}, "" otherwise */
    const char *suffix; /* of the path, behind the dot; NULL: none */
    /* recall */
    bool recalled;
    /* read, bind */
    struct args args;
    struct mw_run *run;
    struct mw_request request;
    char *kept_address; /* malloc'd: of a map asked for by its id */
    bool durable;       /* the request names its seed, or needs none: it gives the same for ever */
    /* negotiate, address */
    struct key key;
    struct etag tag;
    struct strbuf location; /* Content-Location, with its NUL; empty: none */
    /* name */
    char disposition[FILE_NAME_ROOM]; /* Content-Disposition */
    /* claim */
    struct waiter waiter;
    bool waiting;
    const char *cache_note; /* for the log: hit, miss, wait, none */
    char timing[TIMING_ROOM];
    struct reply reply;
};

/* route.c: path -> page, map or generator. A page is answered here. */
bool route_request(struct exchange *);

/* read.c: raw bytes -> all that follows from them; query, body -> arguments; arguments -> a request
   of the library */
bool recall_request(struct exchange *);
bool read_request(struct exchange *);
bool bind_request(struct exchange *);

/* represent.c: format, suffix, Accept -> encoder, coding; all of it -> key, tag, location; key ->
   name of a file; tag -> whether the client has it already */
bool negotiate(struct exchange *);
bool make_key(struct exchange *);
bool name_file(struct exchange *);
bool compare_tags(struct exchange *);
void add_cache_headers(struct exchange *);

/*
 * refuse.c: problems as replies, as JSON or, for who asked for text, as text. All answer false, so
 * that a stage can end with it. `detail` NULL: what the fault always means. Or several problems;
 * one at a pointer; those that the run complained of.
 */
bool refuse(struct exchange *, enum fault, const char *detail);
bool refuse_for(struct exchange *, enum fault, const struct mw_problem *, size_t count);
bool refuse_at(struct exchange *, enum fault, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool refuse_run(struct exchange *);

#endif
