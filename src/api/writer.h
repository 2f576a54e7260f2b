/*
 * writer.h: a document of maps, lists and scalars, as events, in YAML or JSON.
 *
 * It is the output of a run, as a map is that is encoded: a writer that finds no room ends the run.
 * `key` names a member of a map, and is NULL in a list and for the root.
 */
#ifndef MAPWRIGHT_WRITER_H
#define MAPWRIGHT_WRITER_H

#include "openapi.h"

#include <stdbool.h>
#include <stddef.h>

struct mw_run;

enum { WRITER_DEPTH = 32, WRITER_COLUMNS = 120 };

struct writer {
    struct mw_run *run;
    enum openapi_syntax syntax;
    bool begun;       /* something stands above */
    bool beside_dash; /* YAML: the next item stands on the line of its list's dash */
    int depth;
    struct level {
        bool list, filled;
        bool broken;  /* YAML: has what cannot stand in a line with others */
        size_t begin; /* of the output: where its items begin */
    } levels[WRITER_DEPTH];
};

void put_map(struct writer *, const char *key);
void put_list(struct writer *, const char *key);
void put_end(struct writer *); /* of the innermost map or list */

void put_text(struct writer *, const char *key, const char *text, size_t length);
/* JSON, which is YAML as well. */
void put_raw(struct writer *, const char *key, const char *json, size_t length);

#endif
