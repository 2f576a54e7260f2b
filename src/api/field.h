/* field.h: what help and description say of a field. */
#ifndef MAPWRIGHT_FIELD_H
#define MAPWRIGHT_FIELD_H

#include "mapwright_host.h"

/* Whether a default stands in the table; else it follows from other parameters, or there is
   none. */
bool field_has_default(const struct mw_field *);
/* Whether a request cannot do without it: it has no default and is not optional. */
bool field_is_required(const struct mw_field *);
/* Whether a value of the type can be left out of the parameters themselves, as a list can. */
bool field_can_be_absent(enum mw_type);

/* A nullable list or text is left out of its row rather than written as null. */
bool column_is_omissible(const struct mw_column *);

/* What stands between two elements of a list in a URL or a shell; 0 for what is no list. */
char field_separator(enum mw_type);

/* The field that the argument is for, or NULL. */
const struct mw_field *field_of_arg(const struct mw_generator *, const struct mw_arg *);
bool arg_is_named(const struct mw_arg *, const char *name);

/* A number as a value of the field is written: 12, or of a DECIMAL 0.5; returns `to`. */
enum { NUMBER_BYTES = 24 };
const char *field_number(char to[NUMBER_BYTES], const struct mw_field *, int32_t);

/* A class of a regular expression that holds just the characters of the alphabet: "[#.]",
   "[A-Z0-9]"; returns `to`. */
enum { CLASS_BYTES = 280 };
const char *field_class(char to[CLASS_BYTES], const char *alphabet);

#endif
