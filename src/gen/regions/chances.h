/*
 * chances.h: Metropolis. A move that costs x (sides times tension, and what it adds to unevenness
 * of size) is made with the chance e^-x. Fixed point throughout: costs in 2^-16, chances in 2^-32.
 */
#ifndef MAPWRIGHT_REGIONS_CHANCES_H
#define MAPWRIGHT_REGIONS_CHANCES_H

#include <stdbool.h>
#include <stdint.h>

/* Of costs, in steps of 1/64; what costs more is never done. */
enum { CHANCES = 1024, COST_OF_CHANCE = 1 << 10 };
struct chances {
    uint64_t of[CHANCES + 1];
};

static inline void chances_fill(struct chances *c)
{
    uint64_t chance = UINT64_C(1) << 32;
    for (int i = 0; i < CHANCES; i++) {
        c->of[i] = chance;
        chance = (chance * UINT64_C(4228380000)) >> 32; /* 2^32 e^-(1/64) */
    }
    c->of[CHANCES] = 0;
}

/* Whether a move is made, of what it costs and the pressure against it. Without a branch: none
   could be foretold. */
static inline bool chances_allow(const struct chances *c, int64_t cost, int64_t pressure,
                                 uint32_t random)
{
    const int64_t most = INT64_C(4) << 16, last = (int64_t)CHANCES * COST_OF_CHANCE;
    cost += pressure > most ? most : pressure < -most ? -most : pressure;
    cost = cost < 0 ? 0 : cost > last ? last : cost;
    return random < c->of[cost / COST_OF_CHANCE];
}

#endif
