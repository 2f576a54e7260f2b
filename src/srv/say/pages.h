/* pages.h: what the server says about itself. */
#ifndef MAPWRIGHT_PAGES_H
#define MAPWRIGHT_PAGES_H

#include "metrics.h"
#include "reply.h"
#include "static_files.h"

/* All that an answer depends on. */
struct page_request {
    const char *path;
    const char *host, *proto;  /* Host, X-Forwarded-Proto; NULL where absent */
    const char *if_none_match; /* NULL where absent */
    enum coding coding;        /* that the client likes best */
    bool html;                 /* Accept names text/html */
    int port;                  /* that the server listens on */
    bool draining;
    const struct static_files *files;
    const int64_t *gauges; /* by enum gauge */
};

/* Why there is no page; FAULT_NONE: there is one. */
struct refusal {
    enum fault fault;
    const char *detail; /* NULL: what the fault always means */
};

struct page {
    const char *path;
    bool prefix; /* all paths that begin so */
    bool admin;  /* on the admin port as well */
    /* Fills the reply, or refuses. */
    struct refusal (*answer)(const struct page_request *, struct reply *);
};

/* NULL: no page has this path. */
const struct page *page_find(const char *path);

#endif
