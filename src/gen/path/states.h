/*
 * states.h: the states of a count (count.c), each with the number of ways to it.
 *
 * A state is as many words as its key needs, a number of ways as many as it needs: before each
 * cell, while the sum of all ways might outgrow its words, all are made one word wider; so
 * nothing can overflow. States lie in chunks of 2048 and are found through one table of hashes.
 * The chunks of the cell before are used again as soon as they have been read, so that the peak
 * is little more than one generation.
 *
 * Inline, as the sizes are known where it is used most.
 */
#ifndef MAPWRIGHT_PATH_STATES_H
#define MAPWRIGHT_PATH_STATES_H

#include "path.h"

/* What the run may have in use before a count gives up. */
#define PATH_MEMORY ((size_t)1 << 30)

enum { CHUNK_BITS = 11, CHUNK = 1 << CHUNK_BITS };
enum { MAX_LIMBS = MAX_CELLS / 64 + 2 }; /* no cell more than doubles the ways */

/* What is called with constant sizes is to be compiled for them. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The key's words, then the ways, least significant word first. */
struct generation {
    uint64_t **chunks;
    uint32_t count;
};

struct states {
    struct mw_run *run;
    int words, limbs;
    struct generation now, then;
    uint64_t **spare; /* chunks that are not in use */
    uint32_t spares;
    uint32_t *index, mask, index_room; /* of `then`: number of a state + 1, or 0 */
    uint64_t sum[MAX_LIMBS];           /* of all ways that were read */
    uint64_t begun;                    /* the run's steps at the beginning */
    size_t room;                       /* and the memory that was free */
};

ALWAYS_INLINE uint64_t *state_at(const struct generation *g, uint32_t i, int size)
{
    return g->chunks[i >> CHUNK_BITS] + (size_t)(i & (CHUNK - 1)) * (size_t)size;
}

ALWAYS_INLINE uint32_t states_hash(const uint64_t *key, int words)
{
    uint64_t h = 0;
    for (int i = 0; i < words; i++) {
        h = (h ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

ALWAYS_INLINE void add_ways(uint64_t *to, const uint64_t *ways, int limbs)
{
    uint64_t carry = 0;
    for (int i = 0; i < limbs; i++) {
        uint64_t sum = to[i] + carry;
        carry = sum < carry;
        to[i] = sum + ways[i];
        carry += to[i] < sum;
    }
}

void states_init(struct states *, struct mw_run *, int words);
/* Whether the count has had so many steps, or, where it may give up at all, most of the memory. */
bool states_exhausted(const struct states *, uint64_t steps);
/* `then` becomes `now`, and is empty. */
void states_turn(struct states *);
void states_index(struct states *, uint32_t size);
/* The number of ways to the one state that is left, in decimal digits; "0" where none is. */
const char *states_total(struct states *);

/* So many ways lead to the state with that key, in `then`. */
ALWAYS_INLINE void states_enter(struct states *s, const uint64_t *key, const uint64_t *ways,
                                int words, int limbs)
{
    uint32_t at = states_hash(key, words) & s->mask;
    for (uint32_t i; (i = s->index[at]); at = (at + 1) & s->mask) {
        uint64_t *old = state_at(&s->then, i - 1, words + limbs);
        int same = 0;
        while (same < words && old[same] == key[same])
            same++;
        if (same == words) {
            add_ways(old + words, ways, limbs);
            return;
        }
    }
    if (!(s->then.count & (CHUNK - 1)))
        s->then.chunks[s->then.count >> CHUNK_BITS] =
            s->spares ? s->spare[--s->spares] : MW_NEW(s->run, uint64_t, CHUNK * (words + limbs));
    uint64_t *fresh = state_at(&s->then, s->then.count++, words + limbs);
    memcpy(fresh, key, (size_t)words * sizeof *key);
    memcpy(fresh + words, ways, (size_t)limbs * sizeof *ways);
    s->index[at] = s->then.count;
    if (s->then.count > s->mask / 2)
        states_index(s, 2 * (s->mask + 1));
}

#endif
