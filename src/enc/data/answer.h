/* answer.h: walks through a whole answer, for formats that write all of it. */
#ifndef MAPWRIGHT_ANSWER_H
#define MAPWRIGHT_ANSWER_H

#include "lib/gen.h"

enum answer_kind { ANSWER_OBJECT, ANSWER_LIST };

/* How a format writes the elements of an answer. */
struct answer_format {
    /* An object or a list; its number of members or items is known when it begins. */
    void (*begin)(struct mw_run *, enum answer_kind, uint64_t count);
    void (*end)(struct mw_run *, enum answer_kind);
    void (*put_key)(struct mw_run *, const char *name); /* before the value of a member */
    void (*before_item)(struct mw_run *);               /* of a list */
    void (*put_text)(struct mw_run *, const char *, size_t length);
    void (*put_seed)(struct mw_run *, const char *seed);
    /* Element i of an array of values of that type. */
    void (*put_value)(struct mw_run *, enum mw_type, const char *const *choices, const void *array,
                      int32_t i);
    void (*put_grid)(struct mw_run *, const struct mw_cells *, enum mw_role);
    void (*put_parameter)(struct mw_run *, const struct mw_field *, const struct mw_request *);
};

/* JSON, for other formats that contain it. */
extern const struct answer_format answer_json;

/* Writes a whole answer: the request, and every part of the result. */
void answer_put(struct mw_run *, const struct answer_format *, const struct mw_map *);
/* Writes the members of a row without those that are null. */
void answer_put_members(struct mw_run *, const struct answer_format *, const struct mw_column *,
                        const struct mw_rowset *, int32_t row);

#endif
