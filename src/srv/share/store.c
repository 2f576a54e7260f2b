/*
 * store.c: the store that all copies share.
 *
 * Names of what is kept, each with an end:
 *
 *     mapwright:m:<release>:<name>     a map; <name> is its id, format and look
 *     mapwright:a:<id>                 the address of a map
 *     mapwright:j:<id>:<client>        long work: "<state> <permille> <name>"
 *     mapwright:c:<id>:<client>        that work is cancelled
 *
 * VALUES may be lost, mixed up, or forged. Each begins with a seal: HMAC-SHA256 (RFC 2104) over its
 * name, a NUL and what follows, with --store-key. What follows is the content, as a frame of zstd.
 *
 * CONNECTIONS are opened by the store's thread alone, one for each worker and one for itself:
 * nobody else waits for a name, a server or a certificate.
 *
 * THE BREAKER. The first call that fails closes all connections, and the store counts as closed.
 * The thread tries to open it again twice a second.
 *
 * WRITES go into a buffer of bounded size, which the thread sends; what does not fit is dropped.
 *
 * LONG WORK. The copy that does it writes the state twice a second, and looks for a cancellation
 * each time. The time that is left of the state's life says when it was last written: the work of a
 * copy that has died is known by that, without comparing clocks.
 */
#include "store.h"

#include "mapwright_host.h"
#include "redis.h"
#include "srv/base/clock.h"
#include "srv/base/identity.h"
#include "srv/cache/cache.h"
#include "srv/out/log.h"
#include "srv/out/metrics.h"

#include <assert.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    SEAL = SHA256_DIGEST_SIZE,
    LONGEST_VALUE = REDIS_LONGEST / 2,
    LONGEST_MAP = 1 << 28, /* and address: bytes of their content */
    LONGEST_ADDRESS = 1 << 24,
    MOST_WRITES = 8 << 20, /* bytes that wait to be sent */
    NAME_ROOM = STORED_NAME + 96,
    TICK_US = 500000,
    WRITE_US = 1000000,   /* at least, for the answers to writes */
    KEEP_MS = 604800000,  /* of maps and addresses: a week */
    PROMISE_MS = 3660000, /* the longest work may take an hour */
    ENDED_MS = 60000,     /* operations are held as long */
    CANCELLED_MS = 10000,
    DEAD_MS = 3000, /* a copy whose state is older has died */
};

enum store_state { STORE_UNKNOWN, STORE_OPEN, STORE_CLOSED };

struct store {
    struct store_url at;
    gnutls_certificate_credentials_t trust; /* NULL: no TLS */
    int64_t patience;                       /* microseconds for an answer */
    struct operations *operations;
    uint64_t round; /* of their reports */
    uint64_t least; /* nanoseconds of a map that is looked for */
    struct hmac_sha256_ctx seal;
    pthread_t thread;
    atomic_int state; /* enum store_state */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t connections, idle_count, most; /* all connections, idle ones, and all there should be */
    struct redis_batch writes;
    bool woken, stopped;
    struct redis *idle[];
};

bool store_is_open(const struct store *store)
{
    return store && atomic_load(&store->state) == STORE_OPEN;
}

bool store_wants(const struct store *store, uint64_t nanoseconds)
{
    return store_is_open(store) && nanoseconds >= store->least;
}

void store_wake(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    store->woken = true;
    pthread_cond_signal(&store->changed);
    pthread_mutex_unlock(&store->lock);
}

/* ---- connections and the breaker ------------------------------------------------------------- */

/* Under the lock. */
static void close_connection(struct store *store, struct redis *redis)
{
    assert(store->connections > 0);
    store->connections--;
    redis_close(redis);
}

static void close_idle(struct store *store)
{
    while (store->idle_count)
        close_connection(store, store->idle[--store->idle_count]);
}

static void set_state(struct store *store, enum store_state state, const char *why)
{
    pthread_mutex_lock(&store->lock);
    int before = atomic_exchange(&store->state, (int)state);
    if (state == STORE_CLOSED)
        close_idle(store);
    if (before != (int)state)
        log_event("store", json_pack("{s:b, s:s*}", "open", state == STORE_OPEN, "why", why));
    pthread_mutex_unlock(&store->lock);
    metrics_count(COUNT_STORE_BREAKS, before == STORE_OPEN && state == STORE_CLOSED);
}

/* NULL: there is none, as the server has closed it; the thread opens another. */
static struct redis *take_connection(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    struct redis *redis = store->idle_count ? store->idle[--store->idle_count] : NULL;
    if (redis && !redis_is_usable(redis)) {
        close_connection(store, redis);
        redis = NULL;
    }
    pthread_mutex_unlock(&store->lock);
    return redis;
}

static void give_back(struct store *store, struct redis *redis, bool good)
{
    pthread_mutex_lock(&store->lock);
    if (good && store_is_open(store))
        store->idle[store->idle_count++] = redis;
    else
        close_connection(store, redis);
    pthread_mutex_unlock(&store->lock);
}

/* False: not all were answered. */
static bool ask(struct store *store, struct redis_batch *batch, int64_t patience)
{
    bool sound = store_is_open(store) && !batch->commands.failed;
    struct redis *redis = sound ? take_connection(store) : NULL;
    bool answered = redis && redis_ask(redis, batch, patience);
    if (redis && !answered)
        set_state(store, STORE_CLOSED, redis_why(redis));
    if (redis)
        give_back(store, redis, answered);
    return answered;
}

/* ---- names ----------------------------------------------------------------------------------- */

void stored_name(const struct key *key, char name[STORED_NAME])
{
    char look[MW_LOOK_BYTES];
    int length = (int)(mw_write_look(look, &key->look) - look);
    int n = snprintf(name, STORED_NAME, "%s.%s%.*s", key->id, key->encoder->name, length, look);
    assert(n > 0 && n < STORED_NAME);
    (void)n;
}

static void name_map(char to[NAME_ROOM], const struct key *key)
{
    char name[STORED_NAME];
    stored_name(key, name);
    snprintf(to, NAME_ROOM, "mapwright:m:%s:%s", MW_VERSION, name);
}

static void name_address(char to[NAME_ROOM], const char *id)
{
    snprintf(to, NAME_ROOM, "mapwright:a:%s", id);
}

static void name_work(char to[NAME_ROOM], char kind, const char *id, uint64_t client)
{
    snprintf(to, NAME_ROOM, "mapwright:%c:%s:%016llx", kind, id, (unsigned long long)client);
}

/* ---- values ---------------------------------------------------------------------------------- */

static void compute_seal(const struct store *store, const char *name, const char *content,
                         size_t length, char seal[SEAL])
{
    struct hmac_sha256_ctx state = store->seal;
    hmac_sha256_update(&state, strlen(name) + 1, (const uint8_t *)name);
    hmac_sha256_update(&state, length, (const uint8_t *)content);
    hmac_sha256_digest(&state, SEAL, (uint8_t *)seal);
}

/* Appends the command that writes a value; fails if that is too long. */
static void format_set(const struct store *store, struct redis_batch *batch, const char *name,
                       const char *content, size_t length, int milliseconds)
{
    enum { LEVEL = 1 };
    size_t bound = ZSTD_compressBound(length), most = LONGEST_VALUE - SEAL;
    size_t room = bound < most ? bound : most;
    char *value = malloc(SEAL + room);
    size_t n = value ? ZSTD_compress(value + SEAL, room, content, length, LEVEL) : 0;
    batch->commands.failed |= !n || ZSTD_isError(n);
    if (!batch->commands.failed) {
        compute_seal(store, name, value + SEAL, n, value);
        redis_format(batch, "SET %s %b PX %d", name, value, SEAL + n, milliseconds);
    }
    free(value);
}

/* Reads at most a byte more than a value may have. */
static void format_get(struct redis_batch *batch, const char *name)
{
    redis_format(batch, "GETRANGE %s 0 %d", name, LONGEST_VALUE);
}

/* Whether the key does not exist; an error is not empty. */
static bool is_empty(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_NIL || (reply->type == REDIS_REPLY_STRING && !reply->len);
}

static bool is_sealed(const struct store *store, const char *name, const redisReply *reply)
{
    char seal[SEAL];
    if (reply->type != REDIS_REPLY_STRING || reply->len <= SEAL)
        return false;
    compute_seal(store, name, reply->str + SEAL, reply->len - SEAL, seal);
    return memeql_sec(seal, reply->str, SEAL);
}

static struct blob *unpack(const redisReply *reply, size_t longest, const char *media)
{
    const char *frame = reply->str + SEAL;
    size_t size = reply->len - SEAL;
    unsigned long long length = ZSTD_getFrameContentSize(frame, size); /* huge if it has none */
    if (length > longest)
        return NULL;
    struct blob *blob = media ? output_blob(length, media) : blob_reserve(length, NULL);
    if (!blob || blob->fault || ZSTD_decompress(blob->bytes, length, frame, size) == length)
        return blob;
    blob_drop(blob);
    return NULL;
}

/* The content that was put under that name, at most so long; NULL: there is none, or something
   else. `media` NULL: it is no output. */
static struct blob *open_value(const struct store *store, const char *name, const redisReply *reply,
                               size_t longest, const char *media)
{
    if (is_empty(reply))
        return NULL;
    bool sealed = is_sealed(store, name, reply);
    struct blob *blob = sealed ? unpack(reply, longest, media) : NULL;
    metrics_count(COUNT_STORE_WRONG, !blob);
    return blob;
}

/* ---- writes ---------------------------------------------------------------------------------- */

static void flush(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    struct redis_batch writes = store->writes;
    store->writes = (struct redis_batch){0};
    pthread_mutex_unlock(&store->lock);
    size_t refused = 0;
    int64_t patience = store->patience > WRITE_US ? store->patience : WRITE_US;
    bool answered = writes.count && ask(store, &writes, patience);
    for (size_t i = 0; i < writes.count && answered; i++)
        refused += writes.replies[i]->type != REDIS_REPLY_STATUS;
    metrics_count(COUNT_STORE_DROPPED, answered ? 0 : writes.count);
    metrics_count(COUNT_STORE_KEPT, answered ? writes.count - refused : 0);
    metrics_count(COUNT_STORE_REFUSED, refused);
    redis_release(&writes);
}

/* Appends the command to the writes. */
static bool append(struct store *store, const struct redis_batch *write)
{
    const struct strbuf *command = &write->commands;
    struct strbuf *writes = &store->writes.commands;
    pthread_mutex_lock(&store->lock);
    assert(writes->length <= MOST_WRITES);
    bool fits = !command->failed && command->length <= MOST_WRITES - writes->length &&
                strbuf_reserve(writes, command->length);
    if (fits) {
        strbuf_put(writes, command->at, command->length);
        store->writes.count++;
    }
    store->woken = true;
    pthread_cond_signal(&store->changed);
    pthread_mutex_unlock(&store->lock);
    return fits;
}

static void put(struct store *store, const char *name, const char *content, size_t length)
{
    struct redis_batch write = {0};
    format_set(store, &write, name, content, length, KEEP_MS);
    metrics_count(COUNT_STORE_DROPPED, !append(store, &write));
    redis_release(&write);
}

void store_put(struct store *store, const struct key *key, const struct blob *map,
               uint64_t nanoseconds)
{
    char name[NAME_ROOM];
    if (!store_is_open(store))
        return;
    name_address(name, key->id);
    if (key->length <= LONGEST_ADDRESS)
        put(store, name, key->address, key->length);
    name_map(name, key);
    if (map && map->length <= LONGEST_MAP && store_wants(store, nanoseconds))
        put(store, name, map->bytes, map->length);
}

/* ---- maps ------------------------------------------------------------------------------------ */

struct blob *store_find_map(struct store *store, const struct key *key)
{
    char name[NAME_ROOM];
    struct redis_batch batch = {0};
    struct blob *map = NULL;
    if (!store_is_open(store))
        return NULL;
    name_map(name, key);
    format_get(&batch, name);
    bool answered = ask(store, &batch, store->patience);
    if (answered)
        map = open_value(store, name, batch.replies[0], LONGEST_MAP, key->encoder->media);
    metrics_count(COUNT_STORE_UNANSWERED, !answered);
    metrics_count(COUNT_STORE_FOUND, map != NULL);
    metrics_count(COUNT_STORE_NONE, answered && is_empty(batch.replies[0]));
    redis_release(&batch);
    return map;
}

/* ---- long work ------------------------------------------------------------------------------- */

/* In a struct remote_map of which nothing else is known yet. The id follows from the address. */
static struct blob *read_address(const struct store *store, const char *id, const redisReply *reply)
{
    char name[NAME_ROOM], own[37] = "";
    name_address(name, id);
    struct blob *address = open_value(store, name, reply, LONGEST_ADDRESS, NULL);
    size_t length = address ? address->length : 0;
    if (address)
        identity_of(address->bytes, length, own);
    struct blob *found = blob_reserve(sizeof(struct remote_map) + length + 1, NULL);
    if (found)
        memset(found->bytes, 0, found->length);
    if (found && !strcmp(own, id))
        memcpy(found->bytes + sizeof(struct remote_map), address->bytes, length);
    blob_drop(address);
    return found;
}

/* Whether the state is recent, by its remaining life. */
static bool is_fresh(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER && reply->integer > PROMISE_MS - DEAD_MS;
}

static void read_work(const struct store *store, const char *name, const redisReply *reply,
                      const redisReply *life, struct remote_map *remote)
{
    char text[NAME_ROOM], state[16];
    int permille = 0;
    struct blob *work = open_value(store, name, reply, sizeof text - 1, NULL);
    if (!work)
        return;
    snprintf(text, sizeof text, "%.*s", (int)work->length, work->bytes);
    blob_drop(work);
    if (sscanf(text, "%15s %4d %319s", state, &permille, remote->name) != 3)
        return;
    bool ended = strcmp(state, "running") != 0;
    remote->work = ended ? REMOTE_ENDED : is_fresh(life) ? REMOTE_ALIVE : REMOTE_DEAD;
    remote->progress = permille < 0 || permille > 999 ? 0.999 : permille / 1000.0;
}

struct blob *store_look_up(struct store *store, const char *id, uint64_t client)
{
    enum { ADDRESS, STATE, LIFE };
    char address[NAME_ROOM], state[NAME_ROOM];
    struct redis_batch batch = {0};
    struct blob *found = NULL;
    name_address(address, id);
    name_work(state, 'j', id, client);
    format_get(&batch, address);
    format_get(&batch, state);
    redis_format(&batch, "PTTL %s", state);
    if (ask(store, &batch, store->patience))
        found = read_address(store, id, batch.replies[ADDRESS]);
    if (found)
        read_work(store, state, batch.replies[STATE], batch.replies[LIFE], (void *)found->bytes);
    redis_release(&batch);
    return found;
}

void store_cancel(struct store *store, const char *id, uint64_t client)
{
    static const char text[] = "cancelled";
    char state[NAME_ROOM], cancel[NAME_ROOM];
    struct redis_batch batch = {0};
    name_work(state, 'j', id, client);
    name_work(cancel, 'c', id, client);
    format_set(store, &batch, cancel, text, sizeof text - 1, CANCELLED_MS);
    redis_format(&batch, "DEL %s", state);
    ask(store, &batch, store->patience);
    redis_release(&batch);
}

/* True: it was cancelled at another copy. What was cancelled before it began was other work. */
static bool report_state(struct store *store, const struct operation_report *report)
{
    char state[NAME_ROOM], cancel[NAME_ROOM], name[STORED_NAME], text[NAME_ROOM];
    bool ended = report->state != OUTLOOK_WAITING;
    struct redis_batch batch = {0};
    struct blob *cancelled = NULL;
    name_work(state, 'j', report->key.id, report->client);
    name_work(cancel, 'c', report->key.id, report->client);
    stored_name(&report->key, name);
    int length = snprintf(text, sizeof text, "%s %d %s", ended ? "ended" : "running",
                          (int)(report->progress * 1000), name);
    if (report->key.address)
        redis_format(&batch, "DEL %s", cancel);
    format_set(store, &batch, state, text, (size_t)length, ended ? ENDED_MS : PROMISE_MS);
    format_get(&batch, cancel);
    if (ask(store, &batch, store->patience))
        cancelled = open_value(store, cancel, batch.replies[batch.count - 1], sizeof cancel, NULL);
    blob_drop(cancelled);
    redis_release(&batch);
    return cancelled;
}

/* One that was cancelled elsewhere is reported as cancelled in the next round, which deletes the
   state: it was just written again. */
static void report_operation(struct store *store, const struct operation_report *report)
{
    const char *id = report->key.id;
    if (report->key.address) /* other copies need it before the map is made */
        store_put(store, &report->key, NULL, 0);
    if (report->state == OUTLOOK_CANCELLED)
        store_cancel(store, id, report->client);
    else if (report_state(store, report))
        operations_cancel(store->operations, id, report->client);
}

static void report_operations(struct store *store)
{
    struct operation_report report;
    store->round++;
    while (operations_report(store->operations, store->round, &report)) {
        report_operation(store, &report);
        free((char *)(uintptr_t)report.key.address);
    }
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Opens the missing connections. */
static void open_connections(struct store *store)
{
    struct redis *redis;
    pthread_mutex_lock(&store->lock);
    size_t missing = store->most - store->connections;
    pthread_mutex_unlock(&store->lock);
    if (!missing)
        return;
    for (; missing; missing--) {
        if (!redis_open(&redis, &store->at, store->trust, store->patience)) {
            set_state(store, STORE_CLOSED, redis_why(redis));
            redis_close(redis);
            return;
        }
        pthread_mutex_lock(&store->lock);
        store->connections++;
        store->idle[store->idle_count++] = redis;
        pthread_mutex_unlock(&store->lock);
    }
    set_state(store, STORE_OPEN, NULL);
}

/* Until the next tick, or before that if there is something to write. False: the store ends. */
static bool wait_for_work(struct store *store, int64_t until)
{
    struct timespec at = {.tv_sec = until / 1000000, .tv_nsec = until % 1000000 * 1000};
    pthread_mutex_lock(&store->lock);
    while (!store->stopped && !(store->woken && store_is_open(store)) && clock_now() < until)
        pthread_cond_clockwait(&store->changed, &store->lock, CLOCK_MONOTONIC, &at);
    store->woken = false;
    bool goes_on = !store->stopped;
    pthread_mutex_unlock(&store->lock);
    return goes_on;
}

static void *serve(void *arg)
{
    struct store *store = arg;
    int64_t wait = 0;
    while (wait_for_work(store, clock_now() + wait)) {
        wait = TICK_US;
        open_connections(store);
        if (store_is_open(store)) {
            flush(store);
            report_operations(store);
        }
    }
    flush(store);
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void release(struct store *store)
{
    close_idle(store);
    if (store->trust)
        gnutls_certificate_free_credentials(store->trust);
    redis_release(&store->writes);
    pthread_cond_destroy(&store->changed);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

/* Certificates of the file, or of the system, if it has any. False: there is none in the file. */
static bool init_trust(struct store *store, const char *file)
{
    if (gnutls_certificate_allocate_credentials(&store->trust))
        return false;
    if (file)
        return gnutls_certificate_set_x509_trust_file(store->trust, file, GNUTLS_X509_FMT_PEM) > 0;
    gnutls_certificate_set_x509_system_trust(store->trust);
    return true;
}

struct store *store_new(const struct config *config, struct operations *operations)
{
    size_t most = (size_t)config->workers + 1;
    const char *key = config->store_key ? config->store_key : "";
    struct store *store = calloc(1, sizeof *store + most * sizeof *store->idle);
    if (!store)
        return NULL;
    store->at = config->store;
    store->patience = config->store_wait_ms * INT64_C(1000);
    store->operations = operations;
    store->least = (uint64_t)config->store_least_us * 1000;
    store->most = most;
    hmac_sha256_set_key(&store->seal, strlen(key), (const uint8_t *)key);
    pthread_mutex_init(&store->lock, NULL);
    pthread_cond_init(&store->changed, NULL);
    bool trusts = !store->at.tls || init_trust(store, config->store_ca);
    if (trusts && !pthread_create(&store->thread, NULL, serve, store))
        return store;
    release(store);
    return NULL;
}

void store_drop(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    store->stopped = true;
    pthread_cond_signal(&store->changed);
    pthread_mutex_unlock(&store->lock);
    pthread_join(store->thread, NULL);
    release(store);
}
