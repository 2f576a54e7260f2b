/* trial.c: an address made and written. */
#include "trial.h"
#include "all/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Under MemorySanitizer junk is not only junk: to decide by it is reported. */
#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define FORGET(at, size) __msan_allocated_memory(at, size)
#endif
#endif
#ifndef FORGET
#define FORGET(at, size) ((void)0)
#endif

#ifdef _WIN32 /* which has aligned memory under other names */
#include <malloc.h>
#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define free(memory) _aligned_free(memory)
#endif

void block_init(struct block *block, size_t size)
{
    block->size = (size + 63) / 64 * 64;
    block->at = aligned_alloc(64, block->size);
    if (block->at)
        return;
    fprintf(stderr, "no memory for a block of %zu bytes\n", block->size);
    exit(2);
}

void block_release(struct block *block) { free(block->at); }

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Byte by byte, the same on every machine. */
uint64_t hash_number(uint64_t hash, uint64_t n)
{
    for (int i = 0; i < 8; i++, n >>= 8)
        hash = (hash ^ (n & 255)) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t hash_problems(uint64_t hash, const struct mw_problems *problems)
{
    hash = hash_number(hash, problems->count + problems->dropped);
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        hash = hash_number(hash, p->fault);
        hash = hash_bytes(hash, p->pointer, strlen(p->pointer) + 1);
        hash = hash_bytes(hash, p->detail, strlen(p->detail) + 1);
    }
    return hash;
}

static struct mw_run *open_block(const struct trial *trial)
{
    struct mw_limits limits = {trial->block->at, trial->block->size, trial->steps, trial->stop,
                               trial->stop_arg};
    memset(trial->block->at, trial->junk, trial->block->size);
    FORGET(trial->block->at, trial->block->size);
    return mw_open(&limits);
}

struct bound trial_bind(const struct raw_request *raw, struct block *block, unsigned char junk)
{
    struct bound bound = {.hash = HASH_EMPTY};
    struct mw_run *run = open_block(&(struct trial){.block = block, .junk = junk});
    struct mw_request request;
    bound.good = run && arbitrary_bind(run, raw, &request);
    if (!run)
        return bound;
    if (!bound.good) {
        bound.hash = hash_problems(bound.hash, mw_problems(run));
        return bound;
    }
    bound.hash = hash_bytes(bound.hash, request.address, request.address_length);
    bound.address = malloc(request.address_length + 1);
    if (bound.address)
        memcpy(bound.address, request.address, request.address_length + 1);
    return bound;
}

static bool encode_one(struct trial *trial, struct mw_run *run, const struct mw_map *map,
                       const struct mw_encoder *encoder, bool color)
{
    struct mw_request request = *map->request;
    request.look.color = color;
    struct mw_map seen = {&request, map->slots};
    struct mw_bytes bytes = mw_encode_with(run, encoder, &seen);
    if (!bytes.at)
        return false;
    trial->hash = hash_bytes(trial->hash, encoder->name, strlen(encoder->name) + 1);
    trial->hash = hash_bytes(trial->hash, bytes.at, bytes.length);
    if (trial->on_encoded)
        trial->on_encoded(trial->context, &seen, encoder, bytes);
    return true;
}

/* Writes the map by every encoder that can, then in colours by those that have any; false: one
   failed. */
static bool encode_all(struct trial *trial, struct mw_run *run, const struct mw_map *map)
{
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        for (int color = 0; color <= !!((*e)->look_mask & MW_LOOK_BIT(COLOR)); color++)
            if (mw_fits(*e, map->request) && !encode_one(trial, run, map, *e, color))
                return false;
    return true;
}

static bool bind_make_encode(struct trial *trial, struct mw_run *run, const char *address)
{
    struct mw_request request;
    if (!mw_bind_address(run, address, strlen(address), &request))
        return false;
    request.look.scale =
        1 + (int32_t)(request.address_length % 2); /* pictures that fit into small blocks */
    request.look.voxel = 1 + (int32_t)(request.address_length % 3);
    request.look.columns = 20 + (int32_t)(request.address_length % 90);
    request.look.tables = request.address_length % 2;
    request.look.collision = request.address_length % 2;
    const struct mw_map *map = mw_make(run, &request);
    trial->spent = mw_steps(run);
    return map && encode_all(trial, run, map);
}

void trial_make(struct trial *trial, const char *address)
{
    trial->hash = HASH_EMPTY;
    trial->spent = 0;
    trial->peak = 0;
    trial->fault = MW_TOO_BIG; /* no room even for the run */
    struct mw_run *run = open_block(trial);
    if (!run)
        return;
    bool good = bind_make_encode(trial, run, address);
    trial->fault = good ? MW_OK : mw_problems(run)->list[0].fault;
    trial->peak = mw_peak(run);
    if (good)
        return;
    trial->problem = mw_problems(run)->list[0];
    trial->hash = hash_problems(HASH_EMPTY, mw_problems(run));
}
