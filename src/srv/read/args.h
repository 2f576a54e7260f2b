/* args.h: what a request says, as arguments for mw_bind. */
#ifndef MAPWRIGHT_ARGS_H
#define MAPWRIGHT_ARGS_H

#include "mapwright_host.h"
#include "srv/base/strbuf.h"

struct args {
    struct mw_arg *list;
    size_t count, room;
    struct strbuf text; /* spelled values */
    void *tree;         /* the parsed body, which names and strings point into */
    bool failed;        /* without memory */
};

enum args_outcome { ARGS_OK, ARGS_INVALID, ARGS_NO_MEMORY };

/* Appends arguments that live elsewhere, at least as long as these. */
void args_append(struct args *, const struct mw_arg *, size_t count);

/*
 * Appends the members of a JSON object; an empty body means {}. ARGS_INVALID: `why` says what is
 * wrong. A name that occurs twice is appended twice, for mw_bind to report.
 */
enum args_outcome args_read_json(struct args *, const char *body, size_t length, char why[200]);

void args_release(struct args *);

#endif
