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
 * know is the matter of count.c. Method: Simpath (Knuth), in the form of the
 * broken profile.
 *
 * A state is as many words as its key needs, its number of ways as many as it needs: before each
 * cell, while the sum of all ways might outgrow its words, all are made one word wider, so that
 * nothing can overflow.
 *
 * New states wait in bins, by a kind of which no more is asked than that equal states are of the
 * same. When all of the layer before has been read, one bin after the other is emptied into the
 * layer after, equal states found through a table of hashes, which is as small as the bin. So
 * layers are sorted by kind, from cell to cell by all that is at the frontier in turn: states that
 * fare alike are read one after the other. That is worth a quarter of the time, as processors guess
 * well what comes next, and find it near. Chunks of states are used again as soon as they have been
 * read, so that the peak is less than two layers.
 *
 * Inline, as the sizes are known where it is used most.
 */
#ifndef MAPWRIGHT_FRONTIER_H
#define MAPWRIGHT_FRONTIER_H

#include "gen/path/board/board.h"
#include "kit/integer.h"

enum { CHUNK_BITS = 8, CHUNK = 1 << CHUNK_BITS };
enum { MAX_LIMBS = MAX_CELLS / 64 + 2 }; /* no cell more than doubles the ways */
enum { MAX_KEY = 80 };                   /* words of one */
enum { BINS = 256 };                     /* for each kind, modulo that number */

/* What is called with constant sizes is to be compiled for them, where it is optimized at all. */
#ifdef __OPTIMIZE__
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* States: of each the key's words, then the ways, least significant word first. */
struct chunk {
    struct chunk *next;
    uint64_t states[];
};

/* Those at one place of the frontier. */
struct layer {
    struct chunk **chunks;
    uint32_t count, room; /* of states; for chunks */
};

struct bin {
    struct chunk *chunks; /* the last one first */
    uint32_t count;       /* of states */
};

struct frontier {
    struct mw_run *run;
    struct board board;
    int32_t rows;     /* of it that are done */
    int words, limbs; /* of a key; of a number of ways */
    struct layer before, after;
    struct chunk *spare;         /* not in use */
    struct bin bins[BINS];       /* what is about to enter `after` */
    uint64_t used[BINS / 64];    /* bit n of all: bin n holds states */
    uint32_t *index, index_room; /* of a bin by hashes: number of a state of `after` + 1, or 0 */
    uint64_t sum[MAX_LIMBS];     /* of all ways that were read */
    uint64_t begun, steps;       /* the run's steps at the beginning; how many it may take */
    size_t room;                 /* the memory that was free */
    bool exhausted;              /* it has given up */
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
/* Room for more states in `after`, whose chunks are full; in a bin, whose are. */
void frontier_add_chunk(struct frontier *);
void frontier_add_to_bin(struct frontier *, struct bin *);
/* An empty table of hashes for so many states: its mask. */
uint32_t frontier_index(struct frontier *, uint32_t count);

/* Another state of `after`. */
ALWAYS_INLINE uint64_t *frontier_add(struct frontier *f, int size)
{
    if (!(f->after.count & (CHUNK - 1)))
        frontier_add_chunk(f);
    return state_at(&f->after, f->after.count++, size);
}

/* So many ways lead to the state with that key, of that kind, in the layer after the present
   cell. */
ALWAYS_INLINE void frontier_enter(struct frontier *f, unsigned kind, const uint64_t *key,
                                  const uint64_t *ways, int words, int limbs)
{
    struct bin *bin = &f->bins[kind % BINS];
    uint32_t at = bin->count++ & (CHUNK - 1);
    if (!at)
        frontier_add_to_bin(f, bin);
    uint64_t *state = bin->chunks->states + at * (uint32_t)(words + limbs);
    memcpy(state, key, (size_t)words * sizeof *key);
    memcpy(state + words, ways, (size_t)limbs * sizeof *ways);
}

/* A state of a bin enters the layer. */
ALWAYS_INLINE void frontier_settle(struct frontier *f, const uint64_t *state, uint32_t mask,
                                   int words, int limbs)
{
    uint32_t at = hash_key(state, words) & mask;
    for (uint32_t i; (i = f->index[at]); at = (at + 1) & mask) {
        uint64_t *old = state_at(&f->after, i - 1, words + limbs);
        int same = 0;
        while (same < words && old[same] == state[same])
            same++;
        if (same == words) {
            add_ways(old + words, state + words, limbs);
            return;
        }
    }
    memcpy(frontier_add(f, words + limbs), state, (size_t)(words + limbs) * sizeof *state);
    f->index[at] = f->after.count;
}

/* All states of a bin do. */
ALWAYS_INLINE void frontier_empty(struct frontier *f, struct bin *bin, int words, int limbs)
{
    uint32_t mask = frontier_index(f, bin->count), size = (uint32_t)(words + limbs);
    while (bin->count) {
        struct chunk *chunk = bin->chunks;
        uint32_t count = (bin->count - 1) % CHUNK + 1;
        for (uint32_t i = 0; i < count; i++)
            frontier_settle(f, chunk->states + i * size, mask, words, limbs);
        bin->count -= count;
        bin->chunks = chunk->next;
        chunk->next = f->spare;
        f->spare = chunk;
    }
}

/* Extends some states over the present cell. */
typedef void extend_states(struct frontier *, const uint64_t *states, uint32_t count, int words,
                           int limbs);

/* Whether it should give up. */
bool frontier_is_exhausted(const struct frontier *);

/* Takes all states over the cell, one chunk after the other, which is free after it. */
ALWAYS_INLINE void frontier_extend(struct frontier *f, extend_states *extend,
                                   uint64_t steps_a_state, int words, int limbs)
{
    for (uint32_t i = 0; i < f->before.count && !f->exhausted; i += CHUNK) {
        uint32_t count = (uint32_t)mw_min(CHUNK, (int32_t)(f->before.count - i));
        struct chunk *chunk = f->before.chunks[i >> CHUNK_BITS];
        mw_tick(f->run, count * steps_a_state);
        for (uint32_t k = 0; k < count; k++)
            add_ways(f->sum, chunk->states + k * (uint32_t)(words + limbs) + words, limbs);
        extend(f, chunk->states, count, words, limbs);
        chunk->next = f->spare;
        f->spare = chunk;
        f->exhausted |= frontier_is_exhausted(f);
    }
    for (int i = 0; i < BINS / 64; i++)
        for (; f->used[i] && !f->exhausted; f->used[i] &= f->used[i] - 1) {
            frontier_empty(f, &f->bins[64 * i + __builtin_ctzll(f->used[i])], words, limbs);
            f->exhausted |= frontier_is_exhausted(f);
        }
}

/* Takes the frontier over a row, `pass` over each cell. False: it has given up. */
bool frontier_pass_row(struct frontier *, void (*pass)(struct frontier *, const struct site *));

/* Goes on with copies of some of the states after the last row, so many runs of that length. The
   frontier that it was itself copied from is left as it is. */
void frontier_sample(struct frontier *, uint32_t runs, uint32_t length);

/* A number in decimal digits, least significant word first; it is 0 afterwards. */
const char *frontier_digits(struct mw_run *, uint64_t *number, int limbs);

#endif
