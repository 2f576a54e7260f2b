/* run.h: what the files of this room share, and src/all builds on. */
#ifndef MAPWRIGHT_RUN_H
#define MAPWRIGHT_RUN_H

#include "gen.h"
#include "span.h"

#include <stdarg.h>

/* Calls body; false: it did not come back, as something within called mw_throw. */
bool mw_catch(struct mw_run *, void (*body)(struct mw_run *, void *), void *context);
_Noreturn void mw_throw(struct mw_run *);

/* Calls body under mw_catch; true when it came back and reported no problem. */
bool mw_guarded(struct mw_run *, void (*body)(struct mw_run *, void *), void *context);

/* ---- binding --------------------------------------------------------------------------------- */

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

/* What has no default stays absent: the zeros of a cleared struct. */
static inline void mw_set_default(const struct mw_field *field, void *to)
{
    if (field->type == MW_INTEGER || field->type == MW_DECIMAL || field->type == MW_ONE_OF)
        *(int32_t *)to = field->fallback;
    else if (field->type == MW_BOOLEAN)
        *(bool *)to = field->fallback != 0;
    else if (field->type == MW_INTEGERS)
        *(struct mw_ints *)to = field->list_default;
}

/* Lists names, NULL last, with ", " between them, as many as fit into `room` bytes. */
void mw_list_names(char *to, size_t room, const char *const *names);
/* Reports "is no parameter of regions: did you mean width? there are width, height": `is_no` and
   `kind` are the text before the colon, `names` (NULL last) the words that there are. */
void mw_refuse_word(struct mw_run *, const char *pointer, struct span word, const char *is_no,
                    const char *kind, const char *const *names);
/* Sets the value at `to`, of the field's type, or reports what is wrong with it. */
void mw_bind_value(const struct mw_binding *, void *to);
/* "/name", with ~ and / escaped (RFC 6901), cut where it is too long for a row. What is no text is
   shown as question marks, so that every answer can be written as JSON. */
void mw_point_at(char pointer[MW_POINTER_MAX], struct span name);
/* An integer from `least` to `most`. */
bool mw_read_integer(struct span text, int64_t least, int64_t most, int64_t *to);
/* So many bytes of UTF-8. */
bool mw_is_string(struct span text, int32_t least, int32_t most);

/* mw_bind up to where other maps come in: the addresses of those are left as they came, in
   request->bases, and nothing is checked. `of`: where the parameter of that name goes; NULL: there
   is none. */
bool mw_bind_args(struct mw_run *, const struct mw_generator *, const struct mw_arg *, size_t count,
                  const char *fresh_seed, struct mw_ints *of, struct mw_request *);

/* ---- making and writing ---------------------------------------------------------------------- */

/* Makes a map whose params are complete; it does not return without one. */
const struct mw_map *mw_make_within(struct mw_run *, const struct mw_request *);
/* Maps on a sheet to print, at most. */
enum { MW_MAPS_MOST = 24 };

/* Bytes of one element of a column. */
size_t mw_width_of(enum mw_type);

/* What the generator forecasts from the params of the request. */
struct mw_forecast mw_forecast(const struct mw_request *);

/* Sets request->address from its generator, params and seed. */
void mw_write_address(struct mw_run *, struct mw_request *);

/* Bytes of the longest number, which are 2^64 - 1 and -2^63. */
enum { MW_DIGITS = 20 };
/* Puts, piece by piece, what has %s %.*s %c %d %u %lld %llu %zu %% in it, in no locale. */
typedef void mw_putter(void *context, const char *piece, size_t);
void mw_format(mw_putter *, void *context, const char *format, va_list);

#define MW_SEED_MOST INT64_C(9007199254740991) /* 2^53 - 1: what every JSON reader holds exactly */

#endif
