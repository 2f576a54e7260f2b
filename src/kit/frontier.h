/*
 * frontier.h: exact counting by dynamic programming over a frontier (Knuth's Simpath, in the form
 * of the "broken profile"): states with their numbers of ways, cell by cell.
 *
 * The frontier separates the cells that are decided from the rest. It crosses each column once, and
 * the row of the next cell once:
 *
 *        done   done   done   done   done
 *        done   done  +-------------------
 *      ---------------+ next
 *
 * Partial solutions that the rest of the board cannot tell apart are one state. INPUT: the caller
 * defines what a state is (its key: a fixed number of words) and, for each cell, how a state is
 * extended over it: it calls frontier_enter with each key that the state leads to. OUTPUT: a layer,
 * all different states after that cell, each with the number of ways that lead to it. A solution
 * has exactly one state at each cell; so after the last cell the ways are the number of solutions.
 *
 * NUMBERS. A number of ways has as many 64-bit words (limbs) as the caller says. Should one
 * overflow, the count ends, and the caller begins again with more: few counts come to that.
 *
 * BINS. New states first go to bins by a hint of the caller: equal states must have equal hints.
 * When the whole previous layer has been extended, one bin after the other is emptied into the new
 * layer, and equal states are merged through a hash table that is as small as the bin. So a layer
 * is sorted by hint, and states that are extended alike follow each other: a quarter of the time is
 * saved by branch prediction and cache. A chunk of states is reused as soon as it has been
 * extended.
 *
 * COST. Some 75 cycles for each extension of a state, with that by the caller. Memory: less than
 * two layers. Steps are counted by frontier_extend, and there is a limit to steps and memory.
 *
 * Functions are inline, because the sizes of states are constants where most of the work is done.
 */
#ifndef MAPWRIGHT_FRONTIER_H
#define MAPWRIGHT_FRONTIER_H

#include "kit/integer.h"
#include "lib/gen.h"

enum { CHUNK_BITS = 8, CHUNK = 1 << CHUNK_BITS };
enum { FRONTIER_WORDS = 80, FRONTIER_LIMBS = 66 /* at most: of a key, of a number of ways */ };
enum { BINS = 256 /* by hints, modulo that number */ };

/* States: for each the words of its key, then the limbs of its ways, least significant first. */
struct chunk {
    struct chunk *next;
    uint64_t states[];
};

struct layer {
    struct chunk **chunks;
    uint32_t count, room; /* number of states; of chunks that fit in the array */
};

struct bin {
    struct chunk *chunks; /* the last one first */
    uint32_t count;       /* number of states */
};

struct frontier {
    struct mw_run *run;
    int words, limbs;            /* of a key; of a number of ways */
    struct layer before, after;  /* states that are being extended; results */
    struct chunk *spare;         /* chunks for reuse */
    struct bin bins[BINS];       /* states that are about to enter `after` */
    uint32_t *index, index_room; /* hash table of a bin: number of a state of `after` + 1, or 0 */
    uint64_t begun, steps;       /* of the run when the count began, and the most that it takes */
    size_t room;                 /* memory that was free at the beginning */
    bool overflowed;             /* a number of ways was too large: also `exhausted` */
    bool exhausted;              /* a limit was reached, or the caller gave up */
};

ALWAYS_INLINE uint64_t *state_at(const struct layer *layer, uint32_t i, int size)
{
    assert(i < layer->count);
    return layer->chunks[i >> CHUNK_BITS]->states + (size_t)(i & (CHUNK - 1)) * (size_t)size;
}

ALWAYS_INLINE uint32_t hash_key(const uint64_t *key, int words)
{
    uint64_t h = 0;
    for (int i = 0; i < words; i++) {
        h = (h ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return (uint32_t)(h * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* Whether the sum is too large. */
ALWAYS_INLINE bool add_ways(uint64_t *to, const uint64_t *ways, int limbs)
{
    uint64_t carry = 0;
    for (int i = 0; i < limbs; i++) {
        uint64_t sum = to[i] + carry;
        carry = sum < carry;
        to[i] = sum + ways[i];
        carry += to[i] < sum;
    }
    return carry;
}

/* Starts with one state whose key is all 0, with one way. The limits: so many steps of the run from
   now on, and half of the memory that is free. */
void frontier_init(struct frontier *, struct mw_run *, int words, int limbs, uint64_t steps);
/* Starts a layer: `after` becomes `before`, and is empty. */
void frontier_begin_layer(struct frontier *);
/* Whether a limit is reached. */
bool frontier_is_exhausted(const struct frontier *);
/* A number as decimal digits; its limbs are 0 afterwards. */
const char *frontier_digits(struct mw_run *, uint64_t *number, int limbs);

/* Internal: a new chunk for `after`, or for a bin; an empty hash table for so many states, whose
   mask is returned. */
void frontier_add_chunk(struct frontier *);
void frontier_add_to_bin(struct frontier *, struct bin *);
uint32_t frontier_index(struct frontier *, uint32_t count);

/* Another state of `after`, not set yet. */
ALWAYS_INLINE uint64_t *frontier_add(struct frontier *f, int size)
{
    if (!(f->after.count & (CHUNK - 1)))
        frontier_add_chunk(f);
    return state_at(&f->after, f->after.count++, size);
}

/* Adds so many ways to the state with that key, in the layer after the present cell. */
ALWAYS_INLINE void frontier_enter(struct frontier *f, unsigned hint, const uint64_t *key,
                                  const uint64_t *ways, int words, int limbs)
{
    struct bin *bin = &f->bins[hint % BINS];
    uint32_t at = bin->count++ & (CHUNK - 1);
    if (!at)
        frontier_add_to_bin(f, bin);
    uint64_t *state = bin->chunks->states + at * (uint32_t)(words + limbs);
    memcpy(state, key, (size_t)words * sizeof *key);
    memcpy(state + words, ways, (size_t)limbs * sizeof *ways);
}

/* Moves a state of a bin into the layer, or adds its ways to those of the equal state there. */
ALWAYS_INLINE void frontier_merge(struct frontier *f, const uint64_t *state, uint32_t mask,
                                  int words, int limbs)
{
    uint32_t at = hash_key(state, words) & mask;
    for (uint32_t i; (i = f->index[at]); at = (at + 1) & mask) {
        uint64_t *old = state_at(&f->after, i - 1, words + limbs);
        int same = 0;
        while (same < words && old[same] == state[same])
            same++;
        if (same == words) {
            f->overflowed |= add_ways(old + words, state + words, limbs);
            return;
        }
    }
    memcpy(frontier_add(f, words + limbs), state, (size_t)(words + limbs) * sizeof *state);
    f->index[at] = f->after.count;
}

ALWAYS_INLINE void frontier_empty_bin(struct frontier *f, struct bin *bin, int words, int limbs)
{
    uint32_t mask = frontier_index(f, bin->count), size = (uint32_t)(words + limbs);
    while (bin->count) {
        struct chunk *chunk = bin->chunks;
        uint32_t count = (bin->count - 1) % CHUNK + 1;
        for (uint32_t i = 0; i < count; i++)
            frontier_merge(f, chunk->states + i * size, mask, words, limbs);
        bin->count -= count;
        bin->chunks = chunk->next;
        chunk->next = f->spare;
        f->spare = chunk;
    }
}

/* The caller's: extends so many states over the present cell. */
typedef void extend_states(struct frontier *, const uint64_t *states, uint32_t count, int words,
                           int limbs);

/* Extends all states of `before` over the present cell, and merges what they lead to. `words` and
   `limbs` are those of the frontier, where possible as constants. */
ALWAYS_INLINE void frontier_extend(struct frontier *f, extend_states *extend,
                                   uint64_t steps_a_state, int words, int limbs)
{
    assert(words == f->words && limbs == f->limbs && !f->after.count);
    for (uint32_t i = 0; i < f->before.count && !f->exhausted; i += CHUNK) {
        uint32_t count = (uint32_t)mw_min(CHUNK, (int32_t)(f->before.count - i));
        struct chunk *chunk = f->before.chunks[i >> CHUNK_BITS];
        mw_tick(f->run, count * steps_a_state);
        extend(f, chunk->states, count, words, limbs);
        chunk->next = f->spare;
        f->spare = chunk;
        f->exhausted |= frontier_is_exhausted(f);
    }
    for (int i = 0; i < BINS && !f->exhausted; i++)
        if (f->bins[i].count) {
            frontier_empty_bin(f, &f->bins[i], words, limbs);
            f->exhausted |= f->overflowed || frontier_is_exhausted(f);
        }
}

#endif
