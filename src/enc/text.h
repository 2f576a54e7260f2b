/* text.h: drawings in characters that text.c chooses from. */
#ifndef MAPWRIGHT_TEXT_H
#define MAPWRIGHT_TEXT_H

#include "links.h"

/* Nodes and edges: the edges are part p. */
void text_sky(struct mw_run *, const struct mw_map *, int p);

#endif
