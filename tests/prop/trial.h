/*
 * trial.h: an address made and written, in a block of a given size, filled with given junk.
 */
#ifndef MAPWRIGHT_TRIAL_H
#define MAPWRIGHT_TRIAL_H

#include "arbitrary.h"

/* Memory for runs: exactly `size` bytes, so that tools notice a byte too far. */
struct block {
    void *at;
    size_t size;
};
void block_init(struct block *, size_t size);
void block_release(struct block *);

/* FNV-1a, 64 bits. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n);
uint64_t hash_number(uint64_t hash, uint64_t n);
uint64_t hash_problems(uint64_t hash, const struct mw_problems *);
#define HASH_EMPTY UINT64_C(0xcbf29ce484222325)

/* What came of binding. */
struct bound {
    bool good;
    char *address; /* malloc'd, NULL when it was refused */
    uint64_t hash; /* of the address, or of the problems */
};
struct bound trial_bind(const struct raw_request *, struct block *, unsigned char junk);

typedef void trial_observer(void *context, const struct mw_map *, const struct mw_encoder *,
                            struct mw_bytes);

struct trial {
    /* in */
    struct block *block;
    unsigned char junk;
    uint64_t steps; /* budget; 0: the generator's own */
    bool (*stop)(void *, uint64_t);
    void *stop_arg;
    trial_observer *on_encoded; /* shown each encoder's bytes; may be NULL */
    void *context;
    /* out */
    enum mw_fault fault;       /* MW_OK: made, and written by every encoder that fits */
    struct mw_problem problem; /* the first, unless MW_OK */
    uint64_t hash;             /* of all bytes, or of the problems */
    uint64_t spent;            /* steps of making it */
    size_t peak;               /* bytes of the block */
};
void trial_make(struct trial *, const char *address);

#endif
