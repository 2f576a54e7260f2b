/* worlds.h: small worlds to try the parts of /islands on, and what must be true of all of them. */
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

/* The cells of an island that hang together with `cell`; they are marked by the id's negative. */
static inline int32_t worlds_flood(int32_t *at, const struct island_map *s, int32_t cell,
                                   int32_t id)
{
    if (at[cell] != id)
        return 0;
    at[cell] = -id - 100;
    int32_t n = 1;
    for (int k = 0; k < 8; k += 2)
        n += worlds_flood(at, s, cell + s->ring[k], id);
    return n;
} /* Islands are 1 .. count,
   each in one piece and within the sizes, and none touches another. */
static inline void worlds_check(const struct island_map *s)
{
    int32_t *at = MW_NEW(s->run, int32_t, s->cells), found = 0;
    memcpy(at, s->at, (size_t)s->cells * sizeof *at);
    for (int32_t cell = 0; cell < s->cells; cell++) {
        int32_t id = s->at[cell];
        ck_assert_msg(id == CELL_RIM || (id >= 0 && id <= s->count), "cell %d holds %d", cell, id);
        for (int k = 0; id > 0 && k < 8; k++) {
            int32_t other = s->at[cell + s->ring[k]];
            ck_assert_msg(other <= 0 || other == id, "islands %d and %d touch", id, other);
        }
        if (id <= 0 || at[cell] != id)
            continue;
        int32_t size = worlds_flood(at, s, cell, id);
        ck_assert_msg(size == s->size[id], "island %d: %d of %d cells hang together", id, size,
                      s->size[id]);
        ck_assert(size >= s->least && size <= s->largest);
        found++;
    }
    ck_assert_int_eq(found, s->count);
}

#endif
