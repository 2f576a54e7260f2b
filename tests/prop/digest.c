/*
 * digest.c: one number for all that the library does.
 *
 * A fixed list of requests for every generator is bound, made and written by every encoder; the
 * digest is taken of every byte, of a picture's pixels, and of every problem. It must come out the
 * same from every compiler, optimisation level and processor. A line for each generator narrows
 * down a difference; `digest -v` prints one for each request.
 *
 *     digest [-v] [requests a generator]
 */
#include "enc/picture/raster.h"
#include "enc/picture/scene.h"
#include "trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t block_size = (size_t)6 << 20;
static const uint64_t steps = UINT64_C(4000000);

/* A picture before libpng packs it. */
static void encode_pixels(struct mw_run *run, const struct mw_map *map)
{
    struct picture *picture = MW_NEW(run, struct picture, 1);
    raster_scene(run, map, picture);
    mw_put_int(run, picture->width);
    for (int32_t i = 0; i < picture->colours; i++) {
        mw_put_char(run, ' ');
        mw_put_int(run, picture->palette[i]);
    }
    mw_put_bytes(run, (const char *)picture->at, (size_t)picture->width * (size_t)picture->height);
}

static const struct mw_encoder pixels = {
    .name = "pixels", .fits = scene_fits, .encode = encode_pixels};

static uint64_t digest_one(const struct mw_generator *generator, uint64_t number,
                           struct block *block, bool verbose, int *made)
{
    static struct wish wish;
    struct lots lots = lots_of(generator, number);
    lots_wish(&lots, generator, &wish);
    struct bound bound = trial_bind(&wish, block, 0x5a);
    struct trial trial = {
        .block = block, .junk = 0xa5, .steps = steps, .print = bound.print, .pixels = &pixels};
    if (bound.good)
        trial_make(&trial, bound.address);
    *made += bound.good && trial.fault == MW_OK;
    if (verbose)
        printf("%016" PRIx64 " fault %d steps %" PRIu64 " peak %zu %s\n", trial.print,
               bound.good ? (int)trial.fault : -1, trial.spent, trial.peak,
               bound.good ? bound.address : "(not bound)");
    uint64_t print = print_number(print_number(bound.print, trial.print), trial.spent);
    free(bound.address);
    return print;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && !strcmp(argv[1], "-v");
    int requests = argc > 1 + verbose ? atoi(argv[1 + verbose]) : 250;
    struct block block;
    block_init(&block, block_size);
    uint64_t all = PRINT_EMPTY;
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        uint64_t print = PRINT_EMPTY;
        int made = 0;
        for (int i = 0; i < requests; i++)
            print = print_number(print, digest_one(*g, (uint64_t)i, &block, verbose, &made));
        printf("%016" PRIx64 " %s, %d maps of %d requests\n", print, (*g)->name, made, requests);
        all = print_number(all, print);
    }
    printf("%016" PRIx64 " all\n", all);
    block_release(&block);
    return 0;
}
