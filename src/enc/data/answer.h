/* answer.h: walks through a whole answer, for formats that write all of it. */
#ifndef MAPWRIGHT_ANSWER_H
#define MAPWRIGHT_ANSWER_H

#include "lib/gen.h"

typedef void answer_grid(struct mw_run *, const struct mw_cells *, enum mw_role);

/* Writes a whole answer: the request, and every part of the result. */
void answer_put(struct mw_run *, const struct mw_spelling *, answer_grid *, const struct mw_map *);
/* Writes the members of a row without those that are null. */
void answer_put_members(struct mw_run *, const struct mw_spelling *, const struct mw_column *,
                        const struct mw_rowset *, int32_t row);

#endif
