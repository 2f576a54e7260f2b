/* keys.c: API keys. */
#include "keys.h"

#include "srv/base/hash.h"

#include <errno.h>
#include <nettle/hmac.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HASH = SHA256_DIGEST_SIZE };

struct holder {
    uint8_t hash[HASH];
    uint64_t client;             /* struct client's key */
    char name[INET6_ADDRSTRLEN]; /* "": it has none */
};

/* The keys of a file, sorted by hash. */
struct key_set {
    size_t count;
    struct holder *at;
};

struct keys {
    struct hmac_sha256_ctx keyed; /* with a secret of this process */
    pthread_rwlock_t lock;        /* protects the set */
    struct key_set set;
};

static int compare(const void *a, const void *b) { return memcmp(a, b, HASH); }

static void hash_key(const struct hmac_sha256_ctx *keyed, const char *key, size_t length,
                     uint8_t hash[HASH])
{
    struct hmac_sha256_ctx state = *keyed;
    hmac_sha256_update(&state, length, (const uint8_t *)key);
    hmac_sha256_digest(&state, HASH, hash);
}

/* A name identifies the client in every copy, whichever of its keys it uses; without a name the key
   does, in this copy. */
static uint64_t identify(const struct holder *holder)
{
    struct hmac_sha256_ctx keyed;
    uint8_t hash[HASH];
    uint64_t client;
    hmac_sha256_set_key(&keyed, 0, holder->hash); /* none: each copy has the same */
    hash_key(&keyed, holder->name, strlen(holder->name), hash);
    memcpy(&client, *holder->name ? hash : holder->hash, sizeof client);
    return client;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool add(struct key_set *set, const struct holder *holder)
{
    struct holder *at = reallocarray(set->at, set->count + 1, sizeof *at);
    if (!at)
        return false;
    set->at = at;
    set->at[set->count++] = *holder;
    return true;
}

/* Of b64token (RFC 6750, 2.1). */
static size_t key_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=");
}

static const char name_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._@";

/* Reads "key name", "key", "# comment" or nothing; NULL, or what is wrong. */
static const char *read_line(const struct keys *keys, struct key_set *set, char *line)
{
    static const char blanks[] = " \t\r\n";
    line += strspn(line, blanks);
    if (!*line || *line == '#')
        return NULL;
    size_t length = key_length(line);
    if ((line[length] && !strchr(blanks, line[length])) || length < SHORTEST_KEY ||
        length > LONGEST_KEY)
        return "a key must be 8 to 256 letters, digits or -._~+/=";
    char *name = line + length + strspn(line + length, blanks);
    size_t letters = strspn(name, name_letters), rest = letters + strspn(name + letters, blanks);
    struct holder holder = {0};
    hash_key(&keys->keyed, line, length, holder.hash);
    if (name[rest] || letters >= sizeof holder.name)
        return "behind the key there may be a name of at most 45 letters, digits or -._@";
    memcpy(holder.name, name, letters);
    holder.client = identify(&holder);
    return add(set, &holder) ? NULL : "there is no memory for it";
}

static const char *check(struct key_set *set)
{
    if (!set->count)
        return "there is no key in it";
    qsort(set->at, set->count, sizeof *set->at, compare);
    for (size_t i = 1; i < set->count; i++)
        if (!compare(&set->at[i - 1], &set->at[i]))
            return "a key stands in it twice";
    return NULL;
}

/* What is wrong, and in which line of the file (0: in none); NULL: nothing. */
static const char *read_lines(const struct keys *keys, struct key_set *set, FILE *file, int *number)
{
    const char *wrong = NULL;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    for (*number = 0; !wrong && (length = getline(&line, &room, file)) >= 0; ++*number)
        wrong = strlen(line) < (size_t)length ? "a key or its name has a zero byte"
                                              : read_line(keys, set, line);
    if (line)
        explicit_bzero(line, room);
    free(line);
    if (wrong)
        return wrong;
    *number = 0;
    return ferror(file) ? strerror(errno) : check(set);
}

static bool read_file(const struct keys *keys, struct key_set *set, const char *path, char why[320])
{
    int number = 0;
    char line[32] = "";
    FILE *file = fopen(path, "re");
    *set = (struct key_set){0};
    const char *wrong = file ? read_lines(keys, set, file, &number) : strerror(errno);
    if (file)
        fclose(file);
    if (number)
        snprintf(line, sizeof line, ", line %d", number);
    if (wrong) {
        snprintf(why, 320, "%.160s%s: %s", path, line, wrong);
        free(set->at);
    }
    return !wrong;
}

/* ---- lookup ---------------------------------------------------------------------------------- */

static const char *skip_scheme(const char *authorization)
{
    if (!authorization || strncasecmp(authorization, "Bearer ", 7) != 0)
        return NULL;
    return authorization + 7 + strspn(authorization + 7, " ");
}

bool keys_know(struct keys *keys, const char *authorization, struct client *client)
{
    const char *token = skip_scheme(authorization);
    size_t length = token ? strlen(token) : 0;
    if (!length || length > LONGEST_KEY)
        return false;
    uint8_t hash[HASH];
    hash_key(&keys->keyed, token, length, hash);
    pthread_rwlock_rdlock(&keys->lock);
    const struct holder *holder =
        bsearch(hash, keys->set.at, keys->set.count, sizeof *keys->set.at, compare);
    if (holder)
        client->key = holder->client;
    if (holder && *holder->name)
        memcpy(client->text, holder->name, sizeof client->text);
    pthread_rwlock_unlock(&keys->lock);
    return holder;
}

int keys_count(struct keys *keys)
{
    pthread_rwlock_rdlock(&keys->lock);
    int count = (int)keys->set.count;
    pthread_rwlock_unlock(&keys->lock);
    return count;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

bool keys_reload(struct keys *keys, const char *path, char why[320])
{
    struct key_set fresh;
    if (!read_file(keys, &fresh, path, why))
        return false;
    pthread_rwlock_wrlock(&keys->lock);
    struct holder *old = keys->set.at;
    keys->set = fresh;
    pthread_rwlock_unlock(&keys->lock);
    free(old);
    return true;
}

struct keys *keys_new(const char *path, char why[320])
{
    uint8_t secret[HASH];
    struct keys *keys = calloc(1, sizeof *keys);
    snprintf(why, 320, "there is no memory for keys");
    if (!keys)
        return NULL;
    random_bytes(secret, sizeof secret);
    hmac_sha256_set_key(&keys->keyed, sizeof secret, secret);
    pthread_rwlock_init(&keys->lock, NULL);
    if (keys_reload(keys, path, why))
        return keys;
    keys_drop(keys);
    return NULL;
}

void keys_drop(struct keys *keys)
{
    pthread_rwlock_destroy(&keys->lock);
    free(keys->set.at);
    free(keys);
}
