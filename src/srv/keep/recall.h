/*
 * recall.h: requests whose very bytes were understood before.
 *
 * Parsing a body costs more than all the rest of a cache hit. A recall maps the raw bytes of a
 * request to what reading, binding and negotiating made of them. One for each I/O thread, so nobody
 * waits.
 */
#ifndef MAPWRIGHT_RECALL_H
#define MAPWRIGHT_RECALL_H

#include "cache.h"
#include "srv/say/etag.h"

struct recalled {
    uint64_t hash;
    size_t length; /* of the raw bytes */
    struct key key;
    struct etag tag;
    char bytes[]; /* the raw bytes, then the address */
};

struct recall;

struct recall *recall_new(size_t bytes);
void recall_drop(struct recall *);
/* What is found lives until the next recall_store. */
const struct recalled *recall_find(const struct recall *, const char *raw, size_t length);
void recall_store(struct recall *, const char *raw, size_t length, const struct key *,
                  const struct etag *);

#endif
