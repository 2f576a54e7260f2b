/*
 * names.h: names for the rows of a map: of countries, areas, islands and stars.
 *
 *     Norhavn   Steinund   Valentium   Takamori   Rongavea   Shirazan
 */
#ifndef MAPWRIGHT_NAMES_H
#define MAPWRIGHT_NAMES_H

#include "lib/gen.h"

/* The choices of the field `names`: "none", then the cultures; NULL last. */
extern const char *const mw_name_cultures[];
enum { MW_NAMES_NONE };

/* Letters of a name, at most, and the bytes of memory of one in a table, pointer included. */
enum { MW_NAME_MOST = 12, MW_NAME_BYTES = MW_NAME_MOST + 1 + sizeof(char *) };

/* The field of a generator whose params have `int32_t names`, and the column of its table. */
#define MW_NAMES_FIELD(S, what) \
    MW_CHOICE(S, names, mw_name_cultures, MW_NAMES_NONE, "In which style the " what " are named")
#define MW_NAME_COLUMN \
    MW_COLUMN("name", MW_STRING, "Its name; left out where names are not asked for", \
              .role = MW_NAME, .nullable = true)

/*
 * Fills a column of that many rows with names that the run owns; nothing where the culture is
 * MW_NAMES_NONE. A name depends on generator, seed, culture and row alone. No two rows of the
 * first 200,000 rows have the same: no culture has fewer names. Takes some .3 microseconds
 * and MW_NAME_BYTES a row.
 */
void mw_name_rows(struct mw_run *, int32_t culture, const char **names, int32_t rows);

#endif
