/* base_cache.c: the maps that a run's map stands on. */
#include "base_cache.h"

#include "srv/base/clock.h"
#include "srv/base/identity.h"

#include <assert.h>

enum { LARGEST_SHARE = 2 }; /* one may take half of the cache */

static struct key key_of(const struct mw_request *request)
{
    static const struct mw_encoder packed = {.name = "packed"};
    struct key key = {.encoder = &packed,
                      .generator = request->generator,
                      .address = request->address,
                      .length = request->address_length};
    identity_of(key.address, key.length, key.id);
    return key;
}

static const void *find(void *arg, const struct mw_request *request)
{
    struct base_cache *bases = arg;
    struct key key = key_of(request);
    struct blob *blob = cache_find(bases->service->cache, &key);
    metrics_count(blob ? COUNT_GROUND_FOUND : COUNT_GROUND_MADE, 1);
    bases->began = clock_cpu();
    if (!blob)
        return NULL;
    assert(bases->count < MW_BASES_MAX);
    bases->found[bases->count++] = blob;
    return blob->bytes;
}

static void keep(void *arg, const struct mw_map *map, const struct mw_usage *usage)
{
    const struct base_cache *bases = arg;
    struct service *service = bases->service;
    uint64_t cost = clock_cpu() - bases->began;
    size_t size = mw_pack(map, usage, NULL);
    if (size > (size_t)service->config.cache_bytes / LARGEST_SHARE ||
        !output_has_room(service->output, size))
        return;
    struct blob *blob = blob_reserve(size, NULL);
    struct key key = key_of(map->request);
    if (blob) {
        mw_pack(map, usage, blob->bytes);
        cache_offer(service->cache, &key, blob, cost);
    }
    output_made(service->output, size);
}

void base_cache_begin(struct base_cache *bases, struct service *service)
{
    *bases = (struct base_cache){.map_cache = {find, keep, bases}, .service = service};
}

void base_cache_end(struct base_cache *bases)
{
    for (int i = 0; i < bases->count; i++)
        blob_drop(bases->found[i]);
}
