/* png.h: writes a picture as PNG. */
#ifndef MAPWRIGHT_PNG_H
#define MAPWRIGHT_PNG_H

#include "raster.h"

/* `source` is the request that makes the picture again; NULL: it says nothing of that. */
void png_put(struct mw_run *, const struct picture *, const struct mw_request *source);

#endif
