/* pages.h: what the server says about itself. */
#ifndef MAPWRIGHT_PAGES_H
#define MAPWRIGHT_PAGES_H

#include "srv/ask/exchange.h"

struct page {
    const char *path;
    bool prefix; /* all paths that begin so */
    bool admin;  /* on the admin port as well */
    /* Fills the reply. */
    void (*answer)(struct exchange *);
};

const struct page *page_find(const char *path, size_t length);

#endif
