/*
 * store_words.h: what stands in the store, and how it is asked and told.
 *
 * Each under "mapwright:", and all with an end:
 *
 *     m:<release>:<name>   the map of that name, as a parcel
 *     w:<release>:<name>   a copy makes it: the claim, renewed as long as it does
 *     s:<id>               how far that is: <name> <steps> <steps expected>
 *     a:<id>               the address of a map, as it is or as zstd
 *     p:<id>:<client>      what became of the promise that a client will find the map by its id
 */
#ifndef MAPWRIGHT_STORE_WORDS_H
#define MAPWRIGHT_STORE_WORDS_H

#include "parcel.h"
#include "redis.h"
#include "srv/keep/operation.h"

/* What is told of a map that is being made. */
struct news {
    char name[PARCEL_NAME], id[37];
    uint64_t steps, expected;
};

void words_get_map(struct redis *, const char *name, redis_answer *, void *arg);
void words_get_news(struct redis *, const char *id, redis_answer *, void *arg);
void words_get_address(struct redis *, const char *id, redis_answer *, void *arg);
void words_get_promise(struct redis *, const char *id, uint64_t client, redis_answer *, void *arg);

/* For a while that it is renewed in by the news, unless another has it: a status, or nil. */
void words_claim(struct redis *, const char *name, redis_answer *, void *arg);
void words_tell(struct redis *, const struct news *);
void words_end_claim(struct redis *, const char *name, const char *id);
/* Whoever says that it stands takes back nothing that others said meanwhile. */
void words_tell_promise(struct redis *, const char *id, uint64_t client, enum promise);

/* These are counted. */
void words_keep_map(struct redis *, const char *name, const struct blob *parcel);
void words_keep_address(struct redis *, const char *id, const char *address, size_t length);

/* What was answered. False: it is no news. Its id is not told. */
bool words_read_news(const redisReply *, struct news *);
enum promise words_read_promise(const redisReply *);
/* NULL: it is not the address that belongs to the id; malloc'd. */
char *words_read_address(const redisReply *, const char *id);

#endif
