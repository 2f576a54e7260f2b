/* field.h: what the tables of fields mean: for help, OpenAPI and readers of arguments. */
#ifndef MAPWRIGHT_FIELD_H
#define MAPWRIGHT_FIELD_H

#include "mapwright_host.h"

/* Whether the table has a default; else it depends on other parameters, or there is none. */
bool field_has_default(const struct mw_field *);
/* Whether every request must give it: it has no default and is not optional. */
bool field_is_required(const struct mw_field *);
/* Whether a generator can see that a value of the type was left out, as of a list. */
bool field_can_be_absent(enum mw_type);

/* A nullable list or text is left out of its row rather than written as null. */
bool column_is_omissible(const struct mw_column *);

/* What separates the elements of a list in a URL or a shell; 0: it is no list. */
char field_separator(enum mw_type);

/* The field that the argument is for, or NULL. */
const struct mw_field *field_of_arg(const struct mw_generator *, const struct mw_arg *);
bool arg_is_named(const struct mw_arg *, const char *name);

/* The characters of an alphabet as a class of a regular expression, "[#.]" or "[A-Z0-9]"; returns
   `to`. */
enum { CLASS_BYTES = 280 };
const char *field_class(char to[CLASS_BYTES], const char *alphabet);

#endif
