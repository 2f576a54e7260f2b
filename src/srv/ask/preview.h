/* preview.h: the page for a link to a map. */
#ifndef MAPWRIGHT_PREVIEW_H
#define MAPWRIGHT_PREVIEW_H

#include "exchange.h"

/* The generator of /?generator=...; NULL: there is none. */
const struct mw_generator *preview_generator(const struct exchange *);
/* The page with what that map is called and looks like. */
void preview_write(struct strbuf *, const struct exchange *, const struct blob *page);

#endif
