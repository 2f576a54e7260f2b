/*
 * exchange.h: a request from its first line to its answer. No sockets here: what arrives is put in,
 * the reply is taken out.
 *
 * One record, filled from left to right. A stage reads only what the ones before it found, notes
 * what it finds itself, and answers true; or it leaves a reply and answers false.
 */
#ifndef MAPWRIGHT_EXCHANGE_H
#define MAPWRIGHT_EXCHANGE_H

#include "api/fault.h"
#include "srv/base/client.h"
#include "srv/keep/recall.h"
#include "srv/make/service.h"
#include "srv/read/args.h"
#include "srv/read/head.h"
#include "srv/read/prefer.h"
#include "srv/say/record.h"
#include "srv/say/reply.h"

enum { REQUEST_ID_ROOM = 129, FILE_NAME_ROOM = 160, TIMING_ROOM = 128 };

/* What the exchanges of one thread share. */
struct io_context {
    struct service *service;
    struct recall *recall;
    void *memory; /* for reading and binding */
    size_t size;
    uint64_t random;   /* state, for ids and seeds */
    struct strbuf raw; /* the bytes that the request under way is recalled by; empty: by none */
    bool admin;
    struct exchange *spare; /* ended, to be used again */
    int open;               /* exchanges that have not ended */
    /* Whether a response that has all fields, kept for this blob, is now the one of an exchange's
       owner. NULL: none are kept. */
    bool (*take_ready)(void *owner, const struct blob *);
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

struct exchange {
    struct exchange *next; /* of those to spare */
    struct io_context *context;
    void (*wake)(void *owner);
    void *owner;
    /* as it arrives */
    int64_t started, answered; /* clock_now: its first line was there, its reply was */
    struct in6_addr peer;      /* at the other end of the connection */
    struct client client;      /* the peer, or for whom it speaks, or who has the key */
    bool crowded;              /* it has more connections than a client may */
    enum method method;
    char method_name[16];
    struct strbuf uri, fields, body;
    bool body_too_large;
    const char *headers[HEADER_END]; /* in `fields`; NULL where absent */
    enum fault fault;                /* that was seen before there was a request; or FAULT_NONE */
    const char *detail;              /* of it */
    char request_id[REQUEST_ID_ROOM];
    struct trace trace;
    uint64_t drawn; /* for the seed, where none is given */
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
    size_t stage;   /* the next one, or the one that left the reply */
    struct job job; /* a long body is read by a worker */
    void *memory;   /* of the thread that reads */
    size_t size;
    struct args args;
    struct mw_run *run;
    struct mw_request request;
    char *kept_address;    /* malloc'd: of a map asked for by its id, or of what a worker read */
    struct lookup *lookup; /* malloc'd: what the store knows of that id; NULL: it was not asked */
    bool durable; /* the request names its seed, or needs none: it gives the same for ever */
    /* negotiate, address */
    struct key key;
    struct etag tag;
    struct strbuf self; /* for the log: the beginning of the address */
    size_t self_length; /* and how long it is */
    struct mw_cost cost;
    /* prefer */
    struct preference prefer;
    bool events; /* the answer is to be told as it comes about */
    struct {
        int64_t at; /* 0: nothing was told yet */
        enum outlook_state state;
        int permille;
    } told;
    /* name */
    struct strbuf location;           /* Content-Location, with its NUL */
    char disposition[FILE_NAME_ROOM]; /* Content-Disposition */
    /* claim */
    struct waiter waiter;
    bool waiting;
    bool reading;           /* that is for: a worker has it */
    bool left;              /* meanwhile its client went */
    const char *cache_note; /* for the log: hit, miss, wait, none */
    bool waited;            /* for a worker, who says what it took */
    struct timing took;
    char timing[TIMING_ROOM];
    /* admit */
    unsigned retry_after; /* seconds; 0: as the service says */
    char rate_limit[64];  /* RateLimit; "": none */
    struct reply reply;
};

/* `admin`: only the pages about the server itself. NULL without memory. */
struct io_context *io_context_new(struct service *, bool admin);
/* No exchange of it is left. */
void io_context_drop(struct io_context *);
/* A fresh id for a request. */
void io_context_make_id(struct io_context *, char id[37]);

/* What the head says is copied; of a field that comes again, one goes on behind the other and a
   comma (RFC 9110, 5.2). `wake(owner)` is called once for each exchange_run and exchange_resume
   that answers false, on any thread, unless exchange_leave says otherwise. NULL without memory. */
struct exchange *exchange_begin(struct io_context *, const struct head *, void (*wake)(void *owner),
                                void *owner);
void exchange_set_method(struct exchange *, struct piece name);
/* Whether its parameters come as a body. */
static inline bool exchange_has_body(const struct exchange *exchange)
{
    return exchange->method == METHOD_POST || exchange->method == METHOD_QUERY;
}
/* It will be answered with this, whatever it asks for. `detail` NULL: what the fault always
   means. */
void exchange_blame(struct exchange *, enum fault, const char *detail);
/* So many bytes of body were announced, in all. False: they are too many, and need not be put
   in. */
bool exchange_expect_body(struct exchange *, uint64_t length);
void exchange_add_body(struct exchange *, const char *, size_t);

/* Runs the stages. False: it is waiting, and will be woken. */
bool exchange_run(struct exchange *);
/* After the wake, on the thread that ran it. True: the reply is there, or none, as the client has
   left. False: it is waiting again. */
bool exchange_resume(struct exchange *);
/* Answers that the map will be found by its id, as the client would rather not wait any longer.
   False: it goes on waiting, and is woken. */
bool exchange_detach(struct exchange *);
/* Answers that the server ends, where a map is waited for. False: nothing waits, a worker reads its
   body, or the wake is on its way. */
bool exchange_cut_short(struct exchange *);
/* More of a reply that is `live`, by the clock's word; false: nothing will follow. */
bool exchange_tell(struct exchange *, int64_t now, struct strbuf *to);
/* The client has left. False: nothing waits, or the wake is on its way all the same. */
bool exchange_leave(struct exchange *);

/* What is told of it when it is over. */
struct record exchange_describe(const struct exchange *);
/* Back to its context; it is not waiting. */
void exchange_end(struct exchange *);

/* ---- the stages ------------------------------------------------------------------------------ */

/* route.c: path -> page, map or generator; page -> what it says */
bool route_request(struct exchange *);
bool answer_directly(struct exchange *);

/* admit.c: address, proxies -> client, which is known from the start; key, limits -> whether it
   may */
void find_client(struct exchange *);
bool admit_request(struct exchange *);
/* What is left of its limits, on whatever is answered in the end. */
void add_limit_headers(struct exchange *);

/* pages.c: what the server says about itself. NULL: no page has this path. */
const struct page *page_find(const char *path);
/* The number of where it went, for the metrics. */
unsigned route_of(const struct exchange *);
unsigned route_unknown(void);
struct page {
    const char *path;
    bool prefix;                       /* all paths that begin so */
    bool admin;                        /* on the admin port as well */
    bool (*answer)(struct exchange *); /* leaves a reply, and answers false */
};

/* read.c: raw bytes -> all that follows from them; query, body -> arguments; arguments -> a request
   of the library; request, encoder -> cost; all of it -> what is recalled */
bool recall_request(struct exchange *);
bool read_request(struct exchange *);
bool bind_request(struct exchange *);
bool estimate_cost(struct exchange *);
bool remember_request(struct exchange *);

/* represent.c: format, suffix, Accept -> encoder, coding; all of it -> key, tag; spelling ->
   canonical address; key -> location, name of a file; tag -> whether the client has it already */
bool negotiate(struct exchange *);
bool make_key(struct exchange *);
bool redirect(struct exchange *);
void name_answer(struct exchange *);
bool compare_tags(struct exchange *);
/* What If-Match says of what has that tag; refused if it is not meant. */
bool match_tag(struct exchange *, const struct etag *);
void add_cache_headers(struct exchange *, bool hit);
/* What Cache-Status says (RFC 9211). */
const char *cache_status(bool hit);
/* The path of a map by its id, in that format and look. */
void put_map_path(struct strbuf *, const struct key *);

/* claim.c: key -> blob, or wait; and how the wait ends: with the blob, or as nobody waits any more
   (false: the wake is on its way all the same) */
bool claim_blob(struct exchange *);
void answer_claim(struct exchange *);
bool leave_claim(struct exchange *);

/* answer.c: a map or its fault, or NULL for lack of memory, as a reply; takes the reference.
   `made`: with the times that it took. */
void answer_with(struct exchange *, struct blob *, bool hit);
void answer_made(struct exchange *, struct blob *, const struct timing *, bool hit);

/* async.c: what a client wants that would rather not wait; and, for a map by its id, how it stands
   if it is being made or was; ended by DELETE (true: there is none here) */
bool read_preferences(struct exchange *);
bool watch_operation(struct exchange *);
bool answer_under_way(struct exchange *, const struct outlook *);
bool cancel_operation(struct exchange *);

/* elsewhere.c: a map by its id that this copy does not know, or whose making is to end. True: the
   store is asked, and the wake will come, or is taken back; what it said; how the making stands
   there (false: it is not made); ended by DELETE wherever it runs */
bool find_elsewhere(struct exchange *);
bool leave_elsewhere(struct exchange *);
void take_elsewhere(struct exchange *);
void release_elsewhere(struct exchange *);
bool is_elsewhere(const struct exchange *, struct outlook *);
bool waive_elsewhere(struct exchange *);

/* events.c: the same as events: of what has ended, in one piece (takes the reference), or from now
   on; the pieces that they share with JSON */
extern const char event_media[];
bool answer_event(struct exchange *, struct blob *outcome);
void begin_events(struct exchange *, struct blob *told);
const char *find_location(struct exchange *);
void put_state(struct strbuf *, const struct outlook *);

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
/* What is to be said of a fault at this moment; NULL: what its reasons say. */
const char *explain_fault(const struct exchange *, const struct blob *, char detail[96]);

#endif
