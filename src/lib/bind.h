/* bind.h: what the files share that turn arguments into params. */
#ifndef MAPWRIGHT_BIND_H
#define MAPWRIGHT_BIND_H

#include "run.h"
#include "span.h"

/* What a value is bound from, and to which field. */
struct mw_binding {
    struct mw_run *run;
    const struct mw_field *field;
    const struct mw_arg *arg;
    char pointer[MW_POINTER_MAX];
};

static inline struct span mw_name_of(const struct mw_arg *arg)
{
    return (struct span){arg->name, arg->name_length};
}

static inline struct span mw_text_of(const struct mw_arg *arg)
{
    return (struct span){arg->text, arg->length};
}

/* A list of names with ", " between them, as many as fit. */
struct mw_names {
    char text[MW_DETAIL_MAX];
    size_t length;
};

static inline bool mw_add_name(struct mw_names *names, const char *name, size_t room)
{
    assert(room <= sizeof names->text);
    size_t n = names->length, length = strlen(name);
    if (n + length + 2 > room)
        return false;
    memcpy(names->text + n, name, length);
    memcpy(names->text + n + length, ", ", 2);
    names->length += length + 2;
    return true;
}

static inline int mw_names_length(const struct mw_names *names)
{
    return names->length ? (int)names->length - 2 : 0;
}

/* Sets the value at `to`, of the field's type, or reports what is wrong with it. */
void mw_bind_value(const struct mw_binding *, void *to);
/* "/name", with ~ and / escaped (RFC 6901), cut where it is too long for a row. What is no text is
   shown as question marks, so that every answer can be written as JSON. */
void mw_point_at(char pointer[MW_POINTER_MAX], struct span name);
/* An integer from `least` to `most`. */
bool mw_read_integer(struct span text, int64_t least, int64_t most, int64_t *to);
/* So many bytes of UTF-8. */
bool mw_is_string(struct span text, int32_t least, int32_t most);

#endif
