/* example.h: for each generator a small request, and the map that really comes of it. */
#ifndef MAPWRIGHT_EXAMPLE_H
#define MAPWRIGHT_EXAMPLE_H

#include "mapwright_host.h"
#include "writer.h"

struct example {
    void *memory; /* malloc'd; all else lies in it */
    struct mw_run *run;
    const struct mw_arg *args;
    size_t count;
    struct mw_request request;
    const struct mw_map *map; /* NULL: nothing comes of the request */
};

/* The request as a query: "width=8&height=5&seed=7". */
const char *example_query(const struct mw_generator *);

/* False: there is no memory, and nothing to release. */
bool example_init(struct example *, const struct mw_generator *);
void example_release(struct example *);

/* The request as a JSON object. */
void put_example_request(struct writer *, const char *key, const struct example *);
/* What the request gives for a field, as a URL's parameter; nothing where it gives nothing. */
void put_example_argument(struct writer *, const char *key, const struct example *,
                          const char *name);
/* The answer, as a JSON value. */
void put_example_answer(struct writer *, const char *key, struct example *);

/* Whether a medium is text, which can be shown; others are bytes. */
bool media_is_text(const char *media);

#endif
