/*
 * digest.c: one number for all that the library does.
 *
 * A fixed list of requests for every generator is bound, made and written by every encoder; the
 * digest is taken of every byte and of every problem. It must come out the same from every
 * compiler, optimisation level and processor. A line for each generator narrows down a difference;
 * `digest -v` prints one for each request.
 *
 *     digest [-v] [requests a generator]
 */
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t block_size = (size_t)6 << 20;
static const uint64_t steps = UINT64_C(4000000);

static uint64_t digest_one(const struct mw_generator *generator, uint64_t number,
                           struct block *block, bool verbose, int *made)
{
    static struct raw_request raw;
    struct arbitrary source = arbitrary_of(generator, number);
    arbitrary_request(&source, generator, &raw);
    struct bound bound = trial_bind(&raw, block, 0x5a);
    struct trial trial = {.block = block, .junk = 0xa5, .steps = steps, .hash = bound.hash};
    if (bound.good)
        trial_make(&trial, bound.address);
    *made += bound.good && trial.fault == MW_OK;
    if (verbose)
        printf("%016" PRIx64 " fault %d steps %" PRIu64 " peak %zu %s\n", trial.hash,
               bound.good ? (int)trial.fault : -1, trial.spent, trial.peak,
               bound.good ? bound.address : "(not bound)");
    uint64_t hash = hash_number(hash_number(bound.hash, trial.hash), trial.spent);
    free(bound.address);
    return hash;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && !strcmp(argv[1], "-v");
    int requests = argc > 1 + verbose ? atoi(argv[1 + verbose]) : 250;
    struct block block;
    block_init(&block, block_size);
    uint64_t all = HASH_EMPTY;
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        uint64_t hash = HASH_EMPTY;
        int made = 0;
        for (int i = 0; i < requests; i++)
            hash = hash_number(hash, digest_one(*g, (uint64_t)i, &block, verbose, &made));
        printf("%016" PRIx64 " %s, %d maps of %d requests\n", hash, (*g)->name, made, requests);
        all = hash_number(all, hash);
    }
    printf("%016" PRIx64 " all\n", all);
    block_release(&block);
    return 0;
}
