/* formats.h: whether what an encoder wrote is well-formed, by readers that are not ours. */
#ifndef MAPWRIGHT_FORMATS_H
#define MAPWRIGHT_FORMATS_H

#include "mapwright_host.h"

/* True, or a reason in `why`. */
bool well_formed(const struct mw_map *, const struct mw_encoder *, struct mw_bytes, char *why,
                 size_t size);

#endif
