/* base_cache.c: the maps that a run's map stands on. */
#include "base_cache.h"

#include "srv/base/identity.h"
#include "srv/out/metrics.h"

static struct key key_of(const char *address, size_t length)
{
    static const struct mw_encoder packed = {.name = "packed"};
    struct key key = {.encoder = &packed, .address = address, .length = length};
    identity_of(key.address, key.length, key.id);
    return key;
}

const struct blob *base_cache_find(struct base_cache *bases, const char *address, size_t length)
{
    struct key key = key_of(address, length);
    struct blob *blob = bases->count < MW_BASES_MAX ? cache_find(bases->cache, &key) : NULL;
    metrics_count(blob ? COUNT_GROUND_FOUND : COUNT_GROUND_MADE, 1);
    if (!blob)
        return NULL;
    bases->found[bases->count++] = blob;
    if (!output_has_room(bases->output, blob->length))
        return NULL;
    bases->promised += blob->length;
    return blob;
}

struct blob *base_cache_make_room(const struct base_cache *bases, size_t size)
{
    if (size > bases->largest || !output_has_room(bases->output, size))
        return NULL;
    struct blob *blob = blob_reserve(size, NULL);
    output_made(bases->output, size);
    return blob;
}

void base_cache_keep(const struct base_cache *bases, const char *address, size_t length,
                     struct blob *blob, uint64_t nanoseconds)
{
    struct key key = key_of(address, length);
    cache_offer(bases->cache, &key, blob, nanoseconds);
}

void base_cache_end(struct base_cache *bases)
{
    for (int i = 0; i < bases->count; i++)
        blob_drop(bases->found[i]);
    output_made(bases->output, bases->promised);
}
