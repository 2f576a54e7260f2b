/*
 * recall.c: a cache of parsed requests, by their raw bytes.
 *
 * A request has one place in a table, and takes it from the request that was there. When all rows
 * together would pass their limit, the table is emptied.
 */
#include "recall.h"

#include "srv/base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 8192, LONGEST_SHARE = 16 }; /* a row takes at most a sixteenth of the bytes */

struct row {
    struct recalled recalled;
    uint64_t hash;
    size_t length; /* of the raw bytes */
    char bytes[];  /* the raw bytes, then the address */
};

struct recall {
    uint64_t secret[2];
    size_t bytes, limit;
    struct row *rows[PLACES];
};

struct recall *recall_new(size_t bytes)
{
    struct recall *recall = calloc(1, sizeof *recall);
    if (!recall)
        return NULL;
    random_bytes(recall->secret, sizeof recall->secret);
    recall->limit = bytes;
    return recall;
}

static size_t weigh(size_t length, const struct recalled *recalled)
{
    return sizeof(struct row) + length + recalled->key.length;
}

static void empty(struct recall *recall, struct row **place)
{
    struct row *row = *place;
    if (!row)
        return;
    size_t weight = weigh(row->length, &row->recalled);
    assert(recall->bytes >= weight);
    recall->bytes -= weight;
    free(row);
    *place = NULL;
}

static void empty_all(struct recall *recall)
{
    for (size_t i = 0; i < PLACES; i++)
        empty(recall, &recall->rows[i]);
    assert(!recall->bytes);
}

void recall_drop(struct recall *recall)
{
    empty_all(recall);
    free(recall);
}

const struct recalled *recall_find(const struct recall *recall, const char *raw, size_t length)
{
    uint64_t hash = hash_bytes(recall->secret, raw, length);
    const struct row *row = recall->rows[hash % PLACES];
    bool same =
        row && row->hash == hash && row->length == length && !memcmp(row->bytes, raw, length);
    return same ? &row->recalled : NULL;
}

static struct row *row_new(uint64_t hash, const char *raw, size_t length,
                           const struct recalled *recalled)
{
    struct row *row = malloc(sizeof *row + length + recalled->key.length);
    if (!row)
        return NULL;
    row->recalled = *recalled;
    row->hash = hash;
    row->length = length;
    memcpy(row->bytes, raw, length);
    memcpy(row->bytes + length, recalled->key.address, recalled->key.length);
    row->recalled.key.address = row->bytes + length;
    return row;
}

void recall_store(struct recall *recall, const char *raw, size_t length,
                  const struct recalled *recalled)
{
    size_t wanted = weigh(length, recalled);
    if (wanted > recall->limit / LONGEST_SHARE)
        return;
    struct row *row = row_new(hash_bytes(recall->secret, raw, length), raw, length, recalled);
    if (!row)
        return;
    struct row **place = &recall->rows[row->hash % PLACES];
    empty(recall, place);
    if (recall->bytes + wanted > recall->limit)
        empty_all(recall);
    recall->bytes += wanted;
    assert(recall->bytes <= recall->limit && !*place);
    *place = row;
}
