/*
 * exchange.h: a request and its response, without sockets.
 *
 * One record, which the stages in exchange.c fill from top to bottom; `state` is where it is.
 */
#ifndef MAPWRIGHT_EXCHANGE_H
#define MAPWRIGHT_EXCHANGE_H

#include "api/fault.h"
#include "srv/base/client.h"
#include "srv/cache/recall.h"
#include "srv/make/service.h"
#include "srv/out/metrics.h"
#include "srv/out/reply.h"
#include "srv/parse/accept.h"
#include "srv/parse/framing.h"

enum { REQUEST_ID_ROOM = 129, FILE_NAME_ROOM = 160, TIMING_ROOM = 128 };
enum { CLIENT_LEFT = 499 }; /* the status in the log of a request without a whole answer */

/* What the exchanges of one thread share. */
struct io_context {
    struct service *service;
    struct recall *recall;
    void *memory; /* for reading and binding */
    size_t size;
    uint64_t random;   /* state, for ids and seeds */
    struct strbuf raw; /* the key of the current request in `recall`; empty: none */
    bool admin;
    int open; /* exchanges that have not ended; their deadlines run */
};

/* QUERY (RFC 10008) is a POST that is safe. */
enum method {
    METHOD_GET,
    METHOD_HEAD,
    METHOD_POST,
    METHOD_QUERY,
    METHOD_DELETE,
    METHOD_OPTIONS,
    METHOD_OTHER
};

enum exchange_state {
    EXCHANGE_ARRIVING,   /* head and body are added, and no stage has waited yet */
    EXCHANGE_LOOKING_UP, /* waits for the store, which may have the address of the id */
    EXCHANGE_MAKING,     /* waits for its map */
    EXCHANGE_ANSWERED,   /* the reply is there */
    EXCHANGE_LEFT,       /* its client has left without a whole answer */
};

struct exchange {
    enum exchange_state state;
    struct io_context *context;
    /* as it arrives */
    int64_t started, answered; /* clock_now */
    struct in6_addr peer;      /* at the other end of the connection */
    struct client client;      /* the peer, the client behind a proxy, or the holder of the key */
    struct strbuf text;        /* method, address and header fields, each with its NUL */
    enum method method;
    const char *method_name, *headers[HEADER_END]; /* NULL: not there */
    char *uri;                                     /* NULL: not known */
    struct strbuf body;
    bool body_too_large;
    enum fault fault;   /* found before the stages ran; else FAULT_NONE */
    const char *detail; /* of that fault */
    char request_id[REQUEST_ID_ROOM];
    uint64_t drawn; /* random bits for a seed, if none is given */
    /* route */
    const char *path, *query;
    const struct page *page;
    const struct mw_generator *generator;
    char map_id[37];    /* of /maps/{id}, "" otherwise */
    const char *suffix; /* of the path, behind the dot; NULL: none */
    /* read, bind */
    struct mw_run *run;
    const struct mw_arg *args; /* of the query and the body; in the run */
    size_t arg_count;
    struct mw_request request;
    char *kept_address;  /* malloc'd: of a map asked for by its id */
    struct blob *remote; /* struct remote_map: what the store has of that id, or NULL */
    bool durable;        /* has a seed or needs none: this release always answers the same */
    bool pinned;         /* durable, and has the version: so does every release */
    /* negotiate, address */
    struct key key;
    struct etag tag;
    struct strbuf self; /* for the log: the beginning of the address */
    /* prefer */
    struct preference prefer; /* async: or by events */
    bool events;              /* the answer is a stream of events */
    struct {
        int64_t at; /* clock_now; 0: there was none */
        enum outlook_state state;
        int permille;
    } last_event;
    /* name */
    struct strbuf location;           /* Content-Location, with its NUL */
    char disposition[FILE_NAME_ROOM]; /* Content-Disposition */
    /* claim */
    struct waiter waiter;   /* with the times on a worker; -1: it did not wait for one */
    const char *cache_note; /* for the log: hit, miss, wait, async, none */
    char timing[TIMING_ROOM];
    /* admit */
    unsigned retry_after; /* seconds; 0: by retry_after_fault */
    char rate_limit[64];  /* RateLimit; "": none */
    struct reply reply;
};

/* `admin`: only the pages about the server itself. False without memory; to be released all the
   same. */
bool io_context_init(struct io_context *, struct service *, bool admin);
/* No exchange of it is left. */
void io_context_release(struct io_context *);

/* Copies the head. `wake(owner)` is called once for each exchange_run that returns false, on any
   thread, unless exchange_leave returns true. NULL without memory. */
struct exchange *exchange_begin(struct io_context *, const struct head *, void (*wake)(void *owner),
                                void *owner);
/* Whether its parameters come as a body. */
static inline bool exchange_has_body(const struct exchange *exchange)
{
    return exchange->method == METHOD_POST || exchange->method == METHOD_QUERY;
}
/* The reply will be this fault. `detail` NULL: the meaning of the fault. */
void exchange_fail(struct exchange *, enum fault, const char *detail);
/* Adds a piece of the body, `rest` bytes of which are still announced. False: it is too long. */
bool exchange_add_body(struct exchange *, struct span piece, uint64_t rest);

/* Runs the stages, from the first or, after a wake, from where it waited. False: it waits (again),
   and will be woken. True: ANSWERED or LEFT. Always on the same thread. */
bool exchange_run(struct exchange *);
/* Replies 202, as the client does not want to wait for its map any longer. False: it does not wait
   for a map, or cannot be detached and will be woken. */
bool exchange_detach(struct exchange *);
/* Appends the events that are due to a `live` reply; false: it is complete. */
bool exchange_write_events(struct exchange *, int64_t now, struct strbuf *to);
/* The client has left. False: it does not wait, or the wake will come all the same. */
bool exchange_leave(struct exchange *);
static inline bool exchange_is_waiting(const struct exchange *exchange)
{
    return exchange->state == EXCHANGE_LOOKING_UP || exchange->state == EXCHANGE_MAKING;
}

/* For the log and the metrics, when it is over. */
struct record exchange_describe(const struct exchange *);
/* It is not waiting. */
void exchange_end(struct exchange *);

/* ---- the stages: each returns true, or leaves a reply (or waits) and returns false ----------- */

/* route.c: finds the page, map id or generator of the path; answers pages and DELETE. */
bool route_request(struct exchange *);
bool answer_directly(struct exchange *);

/* admit.c: the client behind trusted proxies; checks its key and its rate. */
void find_client(struct exchange *);
bool admit_request(struct exchange *);
/* Adds the RateLimit fields to the reply. */
void add_limit_headers(struct exchange *);

/* pages.c: pages about the server. */
struct page {
    const char *path;
    bool prefix;                       /* all paths that begin with it */
    bool admin;                        /* on the admin port as well */
    bool (*answer)(struct exchange *); /* leaves a reply and returns false */
};
/* NULL: no page has this path. */
const struct page *page_find(const char *path);
/* The number of the route, for the metrics. */
unsigned route_of(const struct exchange *);

/* read.c: takes the key of a request whose bytes were seen before (true), and remembers it;
   parses query and body; binds the arguments; checks that the map and its bases are within
   --max-cells, --max-stars and --max-board. */
bool recall_request(struct exchange *);
void remember_request(struct exchange *);
bool read_request(struct exchange *);
bool bind_request(struct exchange *);
bool check_size(struct exchange *);

/* represent.c: chooses encoder and coding; computes key and ETag; writes Content-Location and
   Content-Disposition; answers If-None-Match and If-Match. */
bool negotiate(struct exchange *);
bool make_key(struct exchange *);
void name_answer(struct exchange *);
bool compare_tags(struct exchange *);
/* Refuses the request if it has an If-Match without that tag. */
bool match_tag(struct exchange *, const struct etag *);
void add_cache_headers(struct exchange *, bool hit);
/* The value of Cache-Status (RFC 9211). */
const char *cache_status(bool hit);
/* /maps/{id}, in the format and look of the key. */
void put_map_path(struct strbuf *, const struct key *);

/* claim.c: reads Prefer and whether events are accepted; asks the cache for the map (true: it has
   to be waited for); answers after the wait; answers for
   an id whose map is being made; DELETE (true: no such work here); replies 202 in place of the wait
   (false: it goes on). */
bool read_preferences(struct exchange *);
bool claim_blob(struct exchange *);
void answer_claim(struct exchange *);
bool watch_operation(struct exchange *);
bool cancel_operation(struct exchange *);
bool detach_claim(struct exchange *);

/* remote.c: has a worker ask the store about an id (true: a wake will come); uses its answer;
   sets the outlook if another copy makes the map; DELETE of work at another copy. */
bool look_up_remote(struct exchange *);
void take_remote(struct exchange *);
void look_remote(const struct exchange *, struct outlook *);
bool cancel_remote(struct exchange *);

/*
 * problem.c: a problem document: `detail` (NULL: drawn from the problems), the request's id (NULL:
 * none, where caches may give the answer to other requests), the problems. Without memory a
 * document that says so; never NULL.
 */
struct blob *problem_body(enum fault, const char *detail, const char *instance,
                          const struct mw_problem *, size_t count);
/* The pages: all faults, or the one with that slug (NULL: there is none, or no memory). */
struct blob *problem_list(void);
struct blob *problem_page(const char *slug);
/* Problems as replies: one sentence (NULL: the meaning of the fault), several problems (with a
   sentence, as above), one at a pointer, or those of the run. All return false, so that a stage can
   end with them. */
bool refuse(struct exchange *, enum fault, const char *detail);
bool refuse_for(struct exchange *, enum fault, const char *detail, const struct mw_problem *,
                size_t count);
bool refuse_at(struct exchange *, enum fault, const char *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool refuse_run(struct exchange *);

#endif
