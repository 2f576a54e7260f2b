/*
 * frontier.h: counting by a frontier that passes through a board, cell by cell.
 *
 * The frontier runs below the cells that are done and above the rest. It crosses each column once,
 * and the row of the next cell once:
 *
 *        done   done   done   done   done
 *        done   done  +-------------------
 *      ---------------+ next
 *
 * Partial solutions that the rest of the board cannot tell apart are one state, with the number of
 * ways to it. Cell by cell each state is extended in every way that the cell allows, and ways that
 * lead to the same state are added. After the last cell one state is left at most, and its ways are
 * the count: each solution is counted once, as it has one state at each cell. What a state has to
 * know is the matter of count.c and count_strict.c. Method: Simpath (Knuth), in the form of the
 * broken profile.
 *
 * A state is as many words as its key needs, its number of ways as many as it needs: before each
 * cell, while the sum of all ways might outgrow its words, all are made one word wider, so that
 * nothing can overflow. States lie in chunks and are found through one table of hashes. The chunks
 * of the layer before are used again as soon as they have been read, so that the peak is little
 * more than one layer. New states wait in a short queue, so that memory is asked for what all of
 * it will be compared with before the first one is.
 *
 * Inline, as the sizes are known where it is used most.
 */
#ifndef MAPWRIGHT_FRONTIER_H
#define MAPWRIGHT_FRONTIER_H

#include "gen/path/board/board.h"
#include "kit/integer.h"

enum { CHUNK_BITS = 11, CHUNK = 1 << CHUNK_BITS };
enum { MAX_LIMBS = MAX_CELLS / 64 + 2 }; /* no cell more than doubles the ways */
enum { MAX_KEY = 80 };                   /* words of one */
enum { QUEUE = 16 };                     /* states in it */

/* What is called with constant sizes is to be compiled for them, where it is optimized at all. */
#ifdef __OPTIMIZE__
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* The states at one place of the frontier: the key's words, then the ways, least significant word
   first. */
struct layer {
    uint64_t **chunks;
    uint32_t count, room; /* of states; for chunks */
};

struct frontier {
    struct mw_run *run;
    struct board board;
    int32_t rows;     /* of it that are done */
    int words, limbs; /* of a key; of a number of ways */
    struct layer before, after;
    uint64_t *spare; /* a chunk that is not in use; its first word is the next, or NULL */
    uint32_t *index, mask, index_room; /* of `after`: number of a state + 1, or 0 */
    uint64_t sum[MAX_LIMBS];           /* of all ways that were read */
    uint64_t *queue;                   /* states that are about to enter `after`, */
    uint32_t hashes[QUEUE];
    int queued;            /* how many */
    uint64_t begun, steps; /* the run's steps at the beginning; how many it may take */
    size_t room;           /* the memory that was free */
    bool exhausted;        /* it has given up */
};

/* The cell that the frontier passes. */
struct site {
    int32_t cell;
    int x, path;       /* its column; OPEN, WALL or the path that ends in it */
    bool down, right;  /* whether a path can leave that way */
    int below, beside; /* the same of the cells there; WALL where a path cannot */
};

ALWAYS_INLINE uint64_t *state_at(const struct layer *layer, uint32_t i, int size)
{
    return layer->chunks[i >> CHUNK_BITS] + (size_t)(i & (CHUNK - 1)) * (size_t)size;
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

ALWAYS_INLINE void add_ways(uint64_t *to, const uint64_t *ways, int limbs)
{
    uint64_t carry = 0;
    for (int i = 0; i < limbs; i++) {
        uint64_t sum = to[i] + carry;
        carry = sum < carry;
        to[i] = sum + ways[i];
        carry += to[i] < sum;
    }
    assert(!carry);
}

/* Before the first cell, where there is one state, whose key is 0 throughout. It gives up where all
   that the run does from here on takes more than so many steps, or most of the memory (UINT64_MAX:
   never, the run fails instead). */
void frontier_init(struct frontier *, struct mw_run *, const struct board *, int words,
                   uint64_t steps);
void frontier_index(struct frontier *, uint32_t size);
/* Room for more states in `after`, whose chunks are full. */
void frontier_add_chunk(struct frontier *);

/* A state of the queue enters the layer after the present cell. */
ALWAYS_INLINE void frontier_settle(struct frontier *f, const uint64_t *state, uint32_t hash,
                                   int words, int limbs)
{
    uint32_t at = hash & f->mask;
    for (uint32_t i; (i = f->index[at]); at = (at + 1) & f->mask) {
        uint64_t *old = state_at(&f->after, i - 1, words + limbs);
        int same = 0;
        while (same < words && old[same] == state[same])
            same++;
        if (same == words) {
            add_ways(old + words, state + words, limbs);
            return;
        }
    }
    if (!(f->after.count & (CHUNK - 1)))
        frontier_add_chunk(f);
    uint64_t *fresh = state_at(&f->after, f->after.count++, words + limbs);
    memcpy(fresh, state, (size_t)(words + limbs) * sizeof *state);
    f->index[at] = f->after.count;
    if (f->after.count > f->mask / 2)
        frontier_index(f, 2 * (f->mask + 1));
}

/* All of the queue do. */
ALWAYS_INLINE void frontier_flush(struct frontier *f, int words, int limbs)
{
    for (int i = 0; i < f->queued; i++) {
        uint32_t old = f->index[f->hashes[i] & f->mask];
        if (old)
            __builtin_prefetch(state_at(&f->after, old - 1, words + limbs));
    }
    for (int i = 0; i < f->queued; i++)
        frontier_settle(f, f->queue + i * (words + limbs), f->hashes[i], words, limbs);
    f->queued = 0;
}

/* So many ways lead to the state with that key, in the layer after the present cell. */
ALWAYS_INLINE void frontier_enter(struct frontier *f, const uint64_t *key, const uint64_t *ways,
                                  int words, int limbs)
{
    uint32_t hash = hash_key(key, words);
    uint64_t *state = f->queue + f->queued * (words + limbs);
    __builtin_prefetch(&f->index[hash & f->mask]);
    memcpy(state, key, (size_t)words * sizeof *key);
    memcpy(state + words, ways, (size_t)limbs * sizeof *ways);
    f->hashes[f->queued++] = hash;
    if (f->queued == QUEUE)
        frontier_flush(f, words, limbs);
}

/* Extends one state over the present cell. */
typedef void extend_state(struct frontier *, const uint64_t *key, const uint64_t *ways, int words,
                          int limbs);

/* Whether it should give up, while there are steps for another table of the states. */
bool frontier_is_exhausted(const struct frontier *);

/* Takes all states over the cell, one chunk after the other, which is free after it. */
ALWAYS_INLINE void frontier_extend(struct frontier *f, extend_state *extend, uint64_t steps_a_state,
                                   int words, int limbs)
{
    for (uint32_t i = 0; i < f->before.count && !f->exhausted; i += CHUNK) {
        uint32_t count = (uint32_t)mw_min(CHUNK, (int32_t)(f->before.count - i));
        uint64_t *chunk = f->before.chunks[i >> CHUNK_BITS];
        mw_tick(f->run, count * steps_a_state);
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t *key = chunk + (size_t)k * (size_t)(words + limbs);
            add_ways(f->sum, key + words, limbs);
            extend(f, key, key + words, words, limbs);
        }
        frontier_flush(f, words, limbs);
        memcpy(chunk, &f->spare, sizeof f->spare);
        f->spare = chunk;
        f->exhausted |= frontier_is_exhausted(f);
    }
}

/* Takes the frontier over a row, `pass` over each cell. False: it has given up. */
bool frontier_pass_row(struct frontier *, void (*pass)(struct frontier *, const struct site *));

/* Drops the states after the last row that are not wanted. */
void frontier_keep(struct frontier *, bool (*is_wanted)(void *, const uint64_t *key), void *);

/* Takes it through the board: the number of solutions, in decimal digits. NULL: it has given up. */
const char *frontier_count(struct frontier *, void (*pass)(struct frontier *, const struct site *));

/* A number in decimal digits, least significant word first; it is 0 afterwards. */
const char *frontier_digits(struct mw_run *, uint64_t *number, int limbs);

#endif
