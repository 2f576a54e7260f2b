/* store_words.c: what stands in the store. */
#include "store_words.h"

#include "api/identity.h"
#include "mapwright_host.h"
#include "srv/say/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    LONG_ADDRESS = 1024, /* longer ones are packed */
    LONGEST_ADDRESS = 16 * 1024 * 1024,
    WORD_ROOM = PARCEL_NAME + 64,
};
static const char keep_s[] = "604800", claim_ms[] = "3000";

/* A promise lasts as long as the longest work may take; once it is kept, as long as what came of it
   is held; and is waived until whoever works has surely seen it. */
static const struct vow {
    const char *text, *lasts_ms;
    const char *only; /* where there is none (NX), or is one (XX) */
} vows[] = {
    [PROMISE_MADE] = {"made", "3660000", NULL},
    [PROMISE_STANDS] = {"made", "3660000", "NX"},
    [PROMISE_KEPT] = {"kept", "60000", "XX"},
    [PROMISE_WAIVED] = {"waived", "10000", "XX"},
};

#define PREFIX "mapwright:"
#define WORD(text) \
    { \
        (text), strlen(text) \
    }
#define END_OF_WORDS \
    { \
        NULL, 0 \
    }

static const char *spell(char to[WORD_ROOM], char kind, const char *name)
{
    bool of_release = kind == 'm' || kind == 'w';
    snprintf(to, WORD_ROOM, PREFIX "%c:%s%s%s", kind, of_release ? MW_VERSION : "",
             of_release ? ":" : "", name);
    return to;
}

static const char *spell_promise(char to[WORD_ROOM], const char *id, uint64_t client)
{
    snprintf(to, WORD_ROOM, PREFIX "p:%s:%016llx", id, (unsigned long long)client);
    return to;
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void get_key(struct redis *redis, const char *key, redis_answer *answer, void *arg)
{
    const struct redis_word words[] = {WORD("GET"), WORD(key), END_OF_WORDS};
    redis_send(redis, words, true, answer, arg);
}

static void get(struct redis *redis, char kind, const char *name, redis_answer *answer, void *arg)
{
    char key[WORD_ROOM];
    get_key(redis, spell(key, kind, name), answer, arg);
}

void words_get_map(struct redis *redis, const char *name, redis_answer *answer, void *arg)
{
    get(redis, 'm', name, answer, arg);
}

void words_get_news(struct redis *redis, const char *id, redis_answer *answer, void *arg)
{
    get(redis, 's', id, answer, arg);
}

void words_get_address(struct redis *redis, const char *id, redis_answer *answer, void *arg)
{
    get(redis, 'a', id, answer, arg);
}

void words_get_promise(struct redis *redis, const char *id, uint64_t client, redis_answer *answer,
                       void *arg)
{
    char key[WORD_ROOM];
    get_key(redis, spell_promise(key, id, client), answer, arg);
}

void words_claim(struct redis *redis, const char *name, redis_answer *answer, void *arg)
{
    char key[WORD_ROOM];
    spell(key, 'w', name);
    const struct redis_word words[] = {WORD("SET"), WORD(key),      WORD("1"),   WORD("NX"),
                                       WORD("PX"),  WORD(claim_ms), END_OF_WORDS};
    redis_send(redis, words, true, answer, arg);
}

/* ---- telling --------------------------------------------------------------------------------- */

static void on_written(void *arg, const redisReply *reply)
{
    (void)arg;
    bool kept = reply && reply->type == REDIS_REPLY_STATUS;
    metrics_count(kept ? COUNT_STORE_KEPT : reply ? COUNT_STORE_REFUSED : COUNT_STORE_DROPPED, 1);
}

static void on_nothing(void *arg, const redisReply *reply) { (void)arg, (void)reply; }

static void keep(struct redis *redis, char kind, const char *name, const char *bytes, size_t length)
{
    char key[WORD_ROOM];
    spell(key, kind, name);
    const struct redis_word words[] = {WORD("SET"), WORD(key),    {bytes, length},
                                       WORD("EX"),  WORD(keep_s), END_OF_WORDS};
    redis_send(redis, words, false, on_written, NULL);
}

void words_keep_map(struct redis *redis, const char *name, const struct blob *parcel)
{
    keep(redis, 'm', name, parcel->bytes, parcel->length);
}

void words_keep_address(struct redis *redis, const char *id, const char *address, size_t length)
{
    bool packs = length > LONG_ADDRESS && length <= LONGEST_ADDRESS;
    char *packed = packs ? malloc(LONGEST_PARCEL) : NULL;
    size_t n = packed ? coding_zstd(packed, LONGEST_PARCEL, address, length, "") : 0;
    if (n)
        keep(redis, 'a', id, packed, n);
    else if (length <= LONGEST_PARCEL)
        keep(redis, 'a', id, address, length);
    free(packed);
}

void words_tell(struct redis *redis, const struct news *news)
{
    char key[WORD_ROOM], claim[WORD_ROOM], text[WORD_ROOM];
    spell(key, 's', news->id);
    spell(claim, 'w', news->name);
    snprintf(text, sizeof text, "%s %llu %llu", news->name, (unsigned long long)news->steps,
             (unsigned long long)news->expected);
    const struct redis_word tell[] = {WORD("SET"), WORD(key),      WORD(text),
                                      WORD("PX"),  WORD(claim_ms), END_OF_WORDS};
    const struct redis_word renew[] = {WORD("PEXPIRE"), WORD(claim), WORD(claim_ms), END_OF_WORDS};
    redis_send(redis, tell, false, on_nothing, NULL);
    redis_send(redis, renew, false, on_nothing, NULL);
}

void words_end_claim(struct redis *redis, const char *name, const char *id)
{
    char claim[WORD_ROOM], state[WORD_ROOM];
    spell(claim, 'w', name);
    spell(state, 's', id);
    const struct redis_word words[] = {WORD("DEL"), WORD(claim), WORD(state), END_OF_WORDS};
    redis_send(redis, words, false, on_nothing, NULL);
}

void words_tell_promise(struct redis *redis, const char *id, uint64_t client, enum promise promise)
{
    char key[WORD_ROOM];
    const struct vow *vow = &vows[promise];
    spell_promise(key, id, client);
    const struct redis_word words[] = {
        WORD("SET"), WORD(key),           WORD(vow->text),
        WORD("PX"),  WORD(vow->lasts_ms), {vow->only, vow->only ? strlen(vow->only) : 0},
        END_OF_WORDS};
    redis_send(redis, words, false, on_nothing, NULL);
}

/* ---- reading --------------------------------------------------------------------------------- */

bool words_read_news(const redisReply *reply, struct news *news)
{
    unsigned long long steps, expected;
    if (!reply || reply->type != REDIS_REPLY_STRING || memchr(reply->str, '\0', reply->len) ||
        sscanf(reply->str, "%319s %20llu %20llu", news->name, &steps, &expected) != 3)
        return false;
    news->steps = steps;
    news->expected = expected;
    return true;
}

enum promise words_read_promise(const redisReply *reply)
{
    static const enum promise told[] = {PROMISE_MADE, PROMISE_KEPT, PROMISE_WAIVED};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (reply && reply->type == REDIS_REPLY_STRING && !strcmp(reply->str, vows[told[i]].text))
            return told[i];
    return PROMISE_NONE;
}

/* NULL: it is not packed as addresses are, or there is no memory. */
static char *unpack_address(const char *bytes, size_t length, size_t *unpacked)
{
    unsigned long long size = ZSTD_getFrameContentSize(bytes, length);
    bool packed = length && *bytes != '/';
    if (packed && (size == ZSTD_CONTENTSIZE_UNKNOWN || size > LONGEST_ADDRESS))
        return NULL;
    *unpacked = packed ? (size_t)size : length;
    char *address = malloc(*unpacked + 1);
    if (!address)
        return NULL;
    if (!packed)
        memcpy(address, bytes, length);
    else if (ZSTD_decompress(address, *unpacked, bytes, length) != *unpacked)
        *unpacked = 0;
    address[*unpacked] = '\0';
    return address;
}

char *words_read_address(const redisReply *reply, const char *id)
{
    size_t length;
    if (!reply || reply->type != REDIS_REPLY_STRING)
        return NULL;
    char *address = unpack_address(reply->str, reply->len, &length);
    char own[37];
    if (!address)
        return NULL;
    identity_of(address, length, own);
    if (!strcmp(own, id) && strlen(address) == length)
        return address;
    metrics_count(COUNT_STORE_WRONG, 1);
    free(address);
    return NULL;
}
