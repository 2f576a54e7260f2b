/* shelf.h: what does not change while the server runs, made at the start in every coding. */
#ifndef MAPWRIGHT_SHELF_H
#define MAPWRIGHT_SHELF_H

#include "srv/ask/accept.h"
#include "srv/base/blob.h"
#include "srv/keep/recall.h"

struct leaf {
    char path[64];
    struct blob *blobs[CODING_END];
    char tags[CODING_END][TAG_ROOM]; /* of the bytes themselves */
};

struct shelf;

/* The page for browsers at / and below /web/, the tiles of maps for Tiled, and the OpenAPI
   document; NULL without memory. */
struct shelf *shelf_new(void);
void shelf_drop(struct shelf *);
/* NULL: nothing has this path. */
const struct leaf *shelf_find(const struct shelf *, const char *path);

#endif
