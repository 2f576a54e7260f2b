/* read_shapes.h: formats of shapes, read: NULL, or what is wrong. */
#ifndef MAPWRIGHT_READ_SHAPES_H
#define MAPWRIGHT_READ_SHAPES_H

#include "mapwright_host.h"

const char *judge_geojson(const struct mw_map *, struct mw_bytes);
/* Of islands. */
const char *judge_glb(const struct mw_map *, struct mw_bytes);

#endif
