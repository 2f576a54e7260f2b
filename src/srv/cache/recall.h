/*
 * recall.h: a cache of parsed requests, by their raw bytes.
 *
 * Parsing a body costs more than all the rest of a cache hit. A recall maps the raw bytes of a
 * request to the result of reading, binding and negotiating. Each I/O thread has its own, without a
 * lock.
 */
#ifndef MAPWRIGHT_RECALL_H
#define MAPWRIGHT_RECALL_H

#include "cache.h"
#include "srv/base/identity.h"

struct recalled {
    struct key key;
    struct etag tag;
    bool pinned; /* as in struct exchange */
};

struct recall;

/* A request is recalled if its raw bytes and its address have room in a row. */
enum { RECALL_ROOM = 7680 };

struct recall *recall_new(size_t bytes);
void recall_drop(struct recall *);
/* The result is valid until the next recall_store. */
const struct recalled *recall_find(const struct recall *, const char *raw, size_t length);
/* Copies the address. */
void recall_store(struct recall *, const char *raw, size_t length, const struct recalled *);

#endif
