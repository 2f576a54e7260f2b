/* registry.h: finds generators and formats by name. */
#ifndef MAPWRIGHT_REGISTRY_H
#define MAPWRIGHT_REGISTRY_H

#include "lib/span.h"
#include "mapwright_host.h"

/* NULL: there is none of that name. */
const struct mw_generator *mw_find_named(struct span name);
/* The same, the name after a slash. */
static inline const struct mw_generator *mw_find_path(struct span path)
{
    bool good = path.length && *path.at == '/';
    return good ? mw_find_named((struct span){path.at + 1, path.length - 1}) : NULL;
}

/* Adds more arguments behind those of the list, which moves within the run. False: out of memory,
   reported. */
bool mw_join_args(struct mw_run *, const struct mw_arg **args, size_t *count,
                  const struct mw_arg *more, size_t more_count);
/* Whether a map can be written so: as what its generator makes, or over the map that its land is
   read from, where the encoder draws what lies under. */
bool mw_fits(const struct mw_encoder *, const struct mw_request *);

/* "json, png": the formats that fit. */
enum { MW_FORMATS_ROOM = 512 };
void mw_write_formats(char text[MW_FORMATS_ROOM], const struct mw_request *);

#endif
