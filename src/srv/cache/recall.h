/*
 * recall.h: requests whose very bytes were understood before.
 *
 * Parsing a body costs more than all the rest of a cache hit. A recall maps the raw bytes of a
 * request to what reading, binding and negotiating made of them, be it a refusal. One for each I/O
 * thread, so nobody waits.
 */
#ifndef MAPWRIGHT_RECALL_H
#define MAPWRIGHT_RECALL_H

#include "cache.h"
#include "srv/out/etag.h"

struct recalled {
    struct key key;
    struct etag tag;
    struct mw_cost cost;
    bool pinned;          /* as in struct exchange */
    struct blob *refusal; /* then only the key's encoder counts; NULL: it is not refused */
};

struct recall;

struct recall *recall_new(size_t bytes);
void recall_drop(struct recall *);
/* What is found lives until the next recall_store. */
const struct recalled *recall_find(const struct recall *, const char *raw, size_t length);
/* Copies the address, and takes a reference of its own. */
void recall_store(struct recall *, const char *raw, size_t length, const struct recalled *);

#endif
