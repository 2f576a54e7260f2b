/* schema.h: rows of the tables as JSON Schema (2020-12), the members of an object. */
#ifndef MAPWRIGHT_SCHEMA_H
#define MAPWRIGHT_SCHEMA_H

#include "mapwright.h"
#include "writer.h"

/* Whether a default stands in the table; else it follows from other parameters, or there is
   none. */
bool field_has_default(const struct mw_field *);
/* Whether a request cannot do without it: it has no default and is not optional. */
bool field_is_required(const struct mw_field *);
/* Whether one of its fields is so. */
bool needs_parameters(const struct mw_generator *);

enum { CLASS_BYTES = 280 };

/* A class of a regular expression that holds just the characters of the alphabet: "[#.]",
 * "[A-Z0-9]". */
void write_class(char to[CLASS_BYTES], const char *alphabet);

/* Where a parameter stands decides how it is spelled, and whether null may stand for it. */
enum place { IN_BODY, IN_QUERY, IN_ANSWER };

/* A map under `key` that describes the field's values. */
void put_field_schema(struct writer *, const char *key, const struct mw_field *, enum place);
/* Of the fields that all generators have: an integer or a string; a version; a name of an
   encoder. */
void put_seed_schema(struct writer *, const char *key);
void put_version_schema(struct writer *, const char *key);
void put_format_schema(struct writer *, const char *key, const struct mw_generator *);
/* Formats by name, and by suffix where that is another. */
void put_suffix_schema(struct writer *, const char *key, const struct mw_generator *);

/* A map under `key` that describes the generator's `parameters`, or its `result`. */
void put_parameters_schema(struct writer *, const char *key, const struct mw_generator *);
void put_result_schema(struct writer *, const char *key, const struct mw_generator *);

/* A sentence of a table, with its full stop. */
void put_sentence(struct writer *, const char *key, const char *help);

#endif
