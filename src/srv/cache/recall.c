/*
 * recall.c: a cache of parsed requests, by their raw bytes.
 *
 * A set-associative table: a request has WAYS places and takes the one that was taken first. All
 * rows together stay below a number of bytes: a hand goes round and empties places until they do.
 */
#include "recall.h"

#include "srv/base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETS = 2048,
    WAYS = 4,
    LONGEST_SHARE = 16
}; /* a row takes at most a sixteenth of the bytes */

struct row {
    struct recalled recalled;
    uint64_t hash;
    size_t length; /* of the raw bytes */
    char bytes[];  /* the raw bytes, then the address */
};

struct recall {
    uint64_t secret[2];
    size_t bytes, limit, hand;
    unsigned char next_way[SETS];
    struct row *rows[SETS][WAYS];
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

void recall_drop(struct recall *recall)
{
    for (size_t i = 0; i < (size_t)SETS * WAYS; i++)
        empty(recall, &recall->rows[i / WAYS][i % WAYS]);
    free(recall);
}

const struct recalled *recall_find(const struct recall *recall, const char *raw, size_t length)
{
    uint64_t hash = hash_bytes(recall->secret, raw, length);
    for (size_t way = 0; way < WAYS; way++) {
        const struct row *row = recall->rows[hash % SETS][way];
        if (row && row->hash == hash && row->length == length && !memcmp(row->bytes, raw, length))
            return &row->recalled;
    }
    return NULL;
}

static void make_room(struct recall *recall, size_t wanted)
{
    for (; recall->bytes + wanted > recall->limit;
         recall->hand = (recall->hand + 1) % (SETS * WAYS))
        empty(recall, &recall->rows[recall->hand / WAYS][recall->hand % WAYS]);
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
    size_t set = row->hash % SETS;
    struct row **place = &recall->rows[set][recall->next_way[set]++ % WAYS];
    empty(recall, place);
    make_room(recall, wanted);
    recall->bytes += wanted;
    assert(recall->bytes <= recall->limit && !*place);
    *place = row;
}
