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

/* Lists names with ", " between them, as many as fit into `room` bytes. */
void mw_list_names(char *to, size_t room, const char *const *names, size_t count);
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
