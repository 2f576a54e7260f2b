/* worlds.h: small worlds to try the parts of /islands on */
#ifndef MAPWRIGHT_TEST_WORLDS_H
#define MAPWRIGHT_TEST_WORLDS_H

#include "gen/islands/islands.h"
#include "unit/unit.h"

/* A world of air for `fewest` to `most` islands of `least` to `largest` cells. */
static inline struct island_map worlds_new(struct mw_run *run, int32_t width, int32_t height,
                                           const int32_t islands[2], const int32_t size[2])
{
    int32_t w = width + 2;
    run->ticks = INT64_MAX;
    struct island_map s = {.run = run,
                           .rng = unit_rng((uint64_t)(width * 99 + height)),
                           .width = width,
                           .height = height,
                           .longest = INT32_MAX,
                           .stride = w,
                           .cells = w * (height + 2),
                           .ring = {1, w + 1, w, w - 1, -1, -w - 1, -w, -w + 1},
                           .fewest = islands[0],
                           .most = islands[1],
                           .least = size[0],
                           .largest = size[1],
                           .room = width * height};
    s.at = MW_NEW(run, int32_t, s.cells);
    s.size = MW_NEW0(run, int32_t, s.room + 2);
    s.list = MW_NEW(run, int32_t, width * height);
    for (int32_t i = 0; i < s.cells; i++) {
        int32_t x = i % w - 1, y = i / w - 1;
        s.at[i] = x < 0 || y < 0 || x >= width || y >= height ? CELL_RIM : CELL_AIR;
    }
    return s;
}

#endif
