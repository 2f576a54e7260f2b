/* answer.h: walks through a whole answer, for formats that write all of it. */
#ifndef MAPWRIGHT_ANSWER_H
#define MAPWRIGHT_ANSWER_H

#include "lib/gen.h"

/* How a format writes an answer. */
struct answer_format {
    const struct mw_spelling *spelling;             /* of values and lists */
    void (*put_members)(struct mw_run *, uint64_t); /* before an object: their number; NULL: none */
    char open, close;                               /* of an object */
    void (*put_key)(struct mw_run *, const char *name); /* before the value of a member */
    void (*put_grid)(struct mw_run *, const struct mw_cells *, enum mw_role);
};

/* JSON, for other formats that contain it. */
extern const struct answer_format answer_json;

/* Writes a whole answer: the request, and every part of the result. */
void answer_put(struct mw_run *, const struct answer_format *, const struct mw_map *);
/* Writes the members of a row without those that are null. */
void answer_put_members(struct mw_run *, const struct answer_format *, const struct mw_column *,
                        const struct mw_rowset *, int32_t row);

#endif
