/* lender.h: a host that keeps every map that others stand on, and lends it to whoever asks. */
#ifndef MAPWRIGHT_LENDER_H
#define MAPWRIGHT_LENDER_H

#include "all/shelf.h"

enum { LENDER_MOST = 16 };

struct lender {
    struct mw_shelf shelf;
    struct kept {
        char *address;
        void *bytes;
        size_t size;
    } kept[LENDER_MOST];
    int count, lent;
};
void lender_begin(struct lender *);
void lender_end(struct lender *);
/* The hash of all that is kept: nobody who has it may change it. */
uint64_t lender_hash(const struct lender *);

#endif
