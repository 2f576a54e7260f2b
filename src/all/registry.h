/* registry.h: finds generators and formats by name, and reads requests by address. */
#ifndef MAPWRIGHT_REGISTRY_H
#define MAPWRIGHT_REGISTRY_H

#include "lib/span.h"
#include "mapwright_host.h"

/* NULL: there is none of that name. */
const struct mw_generator *mw_find_named(struct span name);

/* An address, taken apart: "/regions.svg?width=60", with or without its first slash. */
struct asked_map {
    const struct mw_generator *generator;
    struct span suffix; /* without its dot; at NULL: there is none */
    const struct mw_arg *args;
    size_t count;
};

/* Begin with {0}. False, and the problem is reported: there is no such generator, or the query has
   a broken escape. */
bool mw_read_asked(struct mw_run *, struct span address, struct asked_map *);

/* The request in the format that `format` names, else the suffix, else JSON; NULL: see
   mw_problems. */
const struct mw_request *mw_bind_asked(struct mw_run *, const struct asked_map *,
                                       const char *fresh_seed);

/* Whether a map can be written so: as what its generator makes, or over the map that its land is
   read from, where the encoder draws what lies under. */
bool mw_fits(const struct mw_encoder *, const struct mw_request *);

/* "json, png": the formats that fit. */
enum { MW_FORMATS_ROOM = 512 };
void mw_write_formats(char text[MW_FORMATS_ROOM], const struct mw_request *);

#endif
