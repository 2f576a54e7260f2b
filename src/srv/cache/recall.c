/*
 * recall.c: a cache of parsed requests, by their raw bytes.
 *
 * A request has one place in a table, by its hash, and takes it from the request that was there.
 * Rows have a fixed size; those that were never used take no memory.
 */
#include "recall.h"

#include "srv/base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 2048 };

struct recall {
    uint64_t secret[2];
    size_t places;
    struct row {
        struct recalled recalled;
        uint64_t hash;
        size_t length;           /* of the raw bytes; 0: the row is empty */
        char bytes[RECALL_ROOM]; /* the raw bytes, then the address */
    } rows[];
};

struct recall *recall_new(size_t bytes)
{
    size_t places = bytes / sizeof(struct row) + 1;
    places = places < MOST_PLACES ? places : MOST_PLACES;
    struct recall *recall = calloc(1, sizeof *recall + places * sizeof *recall->rows);
    if (!recall)
        return NULL;
    random_bytes(recall->secret, sizeof recall->secret);
    recall->places = places;
    return recall;
}

void recall_drop(struct recall *recall) { free(recall); }

const struct recalled *recall_find(const struct recall *recall, const char *raw, size_t length)
{
    uint64_t hash = hash_bytes(recall->secret, raw, length);
    const struct row *row = &recall->rows[hash % recall->places];
    bool same = row->hash == hash && row->length == length && !memcmp(row->bytes, raw, length);
    return same && length ? &row->recalled : NULL;
}

void recall_store(struct recall *recall, const char *raw, size_t length,
                  const struct recalled *recalled)
{
    assert(length > 0);
    if (length > RECALL_ROOM || recalled->key.length > RECALL_ROOM - length)
        return;
    uint64_t hash = hash_bytes(recall->secret, raw, length);
    struct row *row = &recall->rows[hash % recall->places];
    row->recalled = *recalled;
    row->hash = hash;
    row->length = length;
    memcpy(row->bytes, raw, length);
    memcpy(row->bytes + length, recalled->key.address, recalled->key.length);
    row->recalled.key.address = row->bytes + length;
}
