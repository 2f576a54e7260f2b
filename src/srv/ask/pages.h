/* pages.h: what the server says about itself. */
#ifndef MAPWRIGHT_PAGES_H
#define MAPWRIGHT_PAGES_H

#include "exchange.h"

struct page {
    const char *path;
    bool prefix; /* all paths that begin so */
    bool admin;  /* on the admin port as well */
    /* Leaves a reply, and answers false as a stage does that left one. */
    bool (*answer)(struct exchange *);
};

/* NULL: no page has this path. */
const struct page *page_find(const char *path);

#endif
