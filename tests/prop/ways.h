/* ways.h: how short the ways to the homes of a map of stars are; for maps with their graphs. */
#ifndef MAPWRIGHT_WAYS_H
#define MAPWRIGHT_WAYS_H

#include "mapwright_host.h"

/* By how much the way of a home along the minimum graph is longer than the shortest along the
   maximum graph, at most: with each lane rounded to the nearest 2^-20, as the contract has it, in
   these; and as it is. */
struct detour {
    int64_t rounded;
    long double real;
};

struct detour ways_look(const struct mw_map *);

#endif
