/*
 * recall.c: requests whose very bytes were understood before.
 *
 * A set-associative table: a request has WAYS places and takes the one that was taken first. All
 * rows together stay below a number of bytes: a hand goes round and empties places until they do.
 */
#include "recall.h"

#include "srv/base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 2048, WAYS = 4, LONGEST_SHARE = 16 }; /* one row may take a sixteenth */

struct recall {
    uint64_t secret[2];
    size_t bytes, limit, hand;
    unsigned char next_way[SETS];
    struct recalled *rows[SETS][WAYS];
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

static size_t weight(const struct recalled *row)
{
    return sizeof *row + row->length + row->key.length;
}

static void empty(struct recall *recall, struct recalled **row)
{
    if (!*row)
        return;
    assert(recall->bytes >= weight(*row));
    recall->bytes -= weight(*row);
    free(*row);
    *row = NULL;
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
        const struct recalled *row = recall->rows[hash % SETS][way];
        if (row && row->hash == hash && row->length == length && !memcmp(row->bytes, raw, length))
            return row;
    }
    return NULL;
}

static void make_room(struct recall *recall, size_t wanted)
{
    for (; recall->bytes + wanted > recall->limit;
         recall->hand = (recall->hand + 1) % (SETS * WAYS))
        empty(recall, &recall->rows[recall->hand / WAYS][recall->hand % WAYS]);
}

void recall_store(struct recall *recall, const char *raw, size_t length, const struct key *key,
                  const struct etag *tag)
{
    size_t wanted = sizeof(struct recalled) + length + key->length;
    if (wanted > recall->limit / LONGEST_SHARE)
        return;
    struct recalled *row = malloc(wanted);
    if (!row)
        return;
    *row = (struct recalled){
        .hash = hash_bytes(recall->secret, raw, length), .length = length, .key = *key};
    row->tag = *tag;
    memcpy(row->bytes, raw, length);
    memcpy(row->bytes + length, key->address, key->length);
    row->key.address = row->bytes + length;
    size_t set = row->hash % SETS;
    struct recalled **place = &recall->rows[set][recall->next_way[set]++ % WAYS];
    empty(recall, place);
    make_room(recall, wanted);
    recall->bytes += wanted;
    assert(recall->bytes <= recall->limit && !*place);
    *place = row;
}
