/* components.h: what operations share, and how they refer to it. */
#ifndef MAPWRIGHT_COMPONENTS_H
#define MAPWRIGHT_COMPONENTS_H

#include "example.h"
#include "mapwright.h"
#include "writer.h"

#define EXAMPLE_ID "3f0f2c1e-7a51-4d0b-9d8e-2f8f4c0f6a10" /* of a request */

enum { NAME_BYTES = 96 };

struct name {
    char text[NAME_BYTES];
};

/* "get", "puzzle/generate", "min_length": getPuzzleGenerateMinLength; the generator may be NULL */
struct name name_of(const char *before, const struct mw_generator *, const char *after);

/* Under `key`, a reference to a component; kinds are "schemas", "parameters", "headers",
 * "responses". */
void put_ref(struct writer *, const char *key, const char *kind, const char *name);

/* The headers of a response: of a map, of anything at all, of one that asks to wait. */
void put_map_headers(struct writer *);
void put_common_headers(struct writer *);
void put_waiting_headers(struct writer *);

/* Begins a schema that has a type and a description. */
void put_described(struct writer *, const char *key, const char *type, const char *description);

/* The whole section; examples[i] is of mw_generators[i]. */
void put_components(struct writer *, struct example *examples);

#endif
