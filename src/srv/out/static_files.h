/* static_files.h: files that do not change while the server runs, coded once at the start. */
#ifndef MAPWRIGHT_STATIC_FILES_H
#define MAPWRIGHT_STATIC_FILES_H

#include "coding.h"
#include "srv/base/identity.h"

struct static_file {
    const char *path;
    struct blob *blobs[CODING_END];
    struct etag tags[CODING_END]; /* of the coded bytes themselves */
};

/* Codes them, once, before there are threads: the page for browsers at / and below /web/, the tiles
   of maps for Tiled, and the OpenAPI document. False without memory. */
bool static_files_start(void);
/* NULL: nothing has this path. */
const struct static_file *static_files_find(const char *path);

#endif
