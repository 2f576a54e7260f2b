/* lend.c: maps that others stand on, lent to runs by the cache. */
#include "lend.h"

#include "api/identity.h"
#include "srv/base/clock.h"

#include <assert.h>

/* One may take this share of the cache. */
enum { LARGEST_SHARE = 2 };

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
    struct loan *loan = arg;
    struct key key = key_of(request);
    struct blob *blob = cache_find(loan->service->cache, &key);
    metrics_count(blob ? COUNT_GROUND_FOUND : COUNT_GROUND_MADE, 1);
    loan->began = clock_cpu();
    if (!blob)
        return NULL;
    assert(loan->count < MW_BASES_MAX);
    loan->lent[loan->count++] = blob;
    return blob->bytes;
}

static void keep(void *arg, const struct mw_map *map, const struct mw_usage *toll)
{
    const struct loan *loan = arg;
    struct service *service = loan->service;
    uint64_t cost = clock_cpu() - loan->began;
    size_t size = mw_pack(map, toll, NULL);
    if (size > (size_t)service->config.cache_bytes / LARGEST_SHARE ||
        !output_has_room(service->output, size))
        return;
    struct blob *blob = blob_reserve(size, NULL);
    struct key key = key_of(map->request);
    if (blob) {
        mw_pack(map, toll, blob->bytes);
        cache_offer(service->cache, &key, blob, cost);
    }
    output_made(service->output, size);
}

void loan_begin(struct loan *loan, struct service *service)
{
    *loan = (struct loan){.map_cache = {find, keep, loan}, .service = service};
}

void loan_end(struct loan *loan)
{
    for (int i = 0; i < loan->count; i++)
        blob_drop(loan->lent[i]);
}
