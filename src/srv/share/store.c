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
 * CONNECTIONS are opened by the store's thread alone, one for each thread that may ask at the same
 * time and one for itself: nobody else waits for a name, a server or a certificate.
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
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICK_US = 500000,
    WRITE_US = 1000000,            /* at least, for the answers to writes */
    MOST_WRITES = 8 * 1024 * 1024, /* bytes that wait to be sent */
    LONGEST_ADDRESS = 16 * 1024 * 1024,
    NAME_ROOM = STORED_NAME + 96,
    KEEP_S = 604800,      /* of maps and addresses */
    PROMISE_MS = 3660000, /* the longest work may take an hour */
    ENDED_MS = 60000,     /* operations are held as long */
    CANCELLED_MS = 10000,
    DEAD_MS = 3000, /* a copy whose state is older has died */
};

static const char text_media[] = "text/plain";

enum store_state { STORE_UNKNOWN, STORE_OPEN, STORE_CLOSED };

struct store {
    struct store_plan plan;
    channel_trust trust; /* NULL: no TLS */
    struct seal seal;
    pthread_t thread;
    atomic_int state; /* enum store_state */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t connections, idle_count; /* all connections, and the idle ones */
    struct strbuf writes;           /* commands */
    size_t write_count;
    bool woken, stopped;
    struct redis *idle[]; /* one for each thread that asks, and one for ours */
};

bool store_is_open(const struct store *store)
{
    return store && atomic_load(&store->state) == STORE_OPEN;
}

bool store_wants(const struct store *store, uint64_t nanoseconds)
{
    return store_is_open(store) && nanoseconds / 1000 >= (uint64_t)store->plan.least;
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
        log_now("store", json_pack("{s:b, s:s*}", "open", state == STORE_OPEN, "why", why));
    pthread_mutex_unlock(&store->lock);
    metrics_count(COUNT_STORE_BREAKS, before == STORE_OPEN && state == STORE_CLOSED);
}

/* NULL: there is none, as the server has closed it; the thread opens another. */
static struct redis *take_connection(struct store *store)
{
    struct redis *redis = NULL;
    pthread_mutex_lock(&store->lock);
    while (!redis && store->idle_count) {
        redis = store->idle[--store->idle_count];
        if (!redis_is_usable(redis)) {
            close_connection(store, redis);
            redis = NULL;
        }
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

/* Releases the commands. False: not all were answered, and there are no replies. */
static bool ask(struct store *store, struct strbuf *commands, redisReply *replies[], size_t count,
                int64_t patience)
{
    char why[CHANNEL_WHY];
    struct redis *redis = store_is_open(store) && !commands->failed ? take_connection(store) : NULL;
    bool answered = redis && redis_ask(redis, commands, replies, count, patience, why);
    if (redis)
        give_back(store, redis, answered);
    if (redis && !answered)
        set_state(store, STORE_CLOSED, why);
    strbuf_release(commands);
    return answered;
}

/* ---- names and values ------------------------------------------------------------------------ */

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

/* Reads at most as many bytes as a value may have. */
static void format_get(struct strbuf *commands, const char *name)
{
    redis_format(commands, "GETRANGE %s 0 %d", name, LONGEST_PARCEL);
}

static void format_set(const struct store *store, struct strbuf *commands, const char *name,
                       const char *text, int milliseconds)
{
    struct blob *parcel = parcel_pack(&store->seal, name, text, strlen(text), text_media);
    commands->failed |= !parcel;
    if (parcel)
        redis_format(commands, "SET %s %b PX %d", name, parcel->bytes, parcel->length,
                     milliseconds);
    blob_drop(parcel);
}

/* Whether the key does not exist; an error is not empty. */
static bool is_empty(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_NIL || (reply->type == REDIS_REPLY_STRING && !reply->len);
}

static bool open_reply(const struct store *store, const char *name, const redisReply *reply,
                       size_t longest, struct parcel *parcel)
{
    bool good = reply->type == REDIS_REPLY_STRING &&
                parcel_open(&store->seal, name, reply->str, reply->len, longest, parcel);
    if (!good && !is_empty(reply))
        metrics_count(COUNT_STORE_WRONG, 1);
    return good;
}

/* ---- writes ---------------------------------------------------------------------------------- */

static void flush(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    struct strbuf writes = store->writes;
    size_t count = store->write_count, refused = 0;
    store->writes = (struct strbuf){0};
    store->write_count = 0;
    pthread_mutex_unlock(&store->lock);
    int64_t patience = store->plan.patience > WRITE_US ? store->plan.patience : WRITE_US;
    redisReply **replies = count ? calloc(count, sizeof *replies) : NULL;
    bool answered = replies && ask(store, &writes, replies, count, patience);
    for (size_t i = 0; i < count && answered; i++)
        refused += replies[i]->type != REDIS_REPLY_STATUS;
    metrics_count(COUNT_STORE_DROPPED, answered ? 0 : count);
    metrics_count(COUNT_STORE_KEPT, answered ? count - refused : 0);
    metrics_count(COUNT_STORE_REFUSED, refused);
    if (answered)
        redis_free_replies(replies, count);
    free(replies);
    strbuf_release(&writes);
}

static bool append(struct store *store, const struct strbuf *command)
{
    pthread_mutex_lock(&store->lock);
    assert(store->writes.length <= MOST_WRITES);
    bool fits = !command->failed && command->length <= MOST_WRITES - store->writes.length &&
                strbuf_reserve(&store->writes, command->length);
    if (fits) {
        strbuf_put(&store->writes, command->at, command->length);
        store->write_count++;
    }
    store->woken = true;
    pthread_cond_signal(&store->changed);
    pthread_mutex_unlock(&store->lock);
    return fits;
}

static void put(struct store *store, const char *name, const char *bytes, size_t length,
                const char *media)
{
    struct strbuf command = {0};
    struct blob *parcel = parcel_pack(&store->seal, name, bytes, length, media);
    if (parcel)
        redis_format(&command, "SETEX %s %d %b", name, KEEP_S, parcel->bytes, parcel->length);
    if (!parcel || !append(store, &command))
        metrics_count(COUNT_STORE_DROPPED, 1);
    strbuf_release(&command);
    blob_drop(parcel);
}

void store_put_map(struct store *store, const struct key *key, const char *bytes, size_t length)
{
    char name[NAME_ROOM];
    name_map(name, key);
    if (store_is_open(store) && length <= LONGEST_ANSWER)
        put(store, name, bytes, length, key->encoder->media);
}

void store_put_address(struct store *store, const char *id, const char *address, size_t length)
{
    char name[NAME_ROOM];
    name_address(name, id);
    if (store_is_open(store) && length <= LONGEST_ADDRESS)
        put(store, name, address, length, text_media);
}

/* ---- maps ------------------------------------------------------------------------------------ */

struct blob *store_find_map(struct store *store, const struct key *key, struct parcel *parcel)
{
    char name[NAME_ROOM];
    struct strbuf commands = {0};
    struct blob *value = NULL;
    redisReply *reply;
    if (!store_is_open(store))
        return NULL;
    name_map(name, key);
    format_get(&commands, name);
    if (!ask(store, &commands, &reply, 1, store->plan.patience)) {
        metrics_count(COUNT_STORE_UNANSWERED, 1);
        return NULL;
    }
    if (open_reply(store, name, reply, LONGEST_ANSWER, parcel))
        value = blob_new(reply->str, reply->len, NULL);
    if (value)
        parcel->bytes = value->bytes + (parcel->bytes - reply->str);
    metrics_count(COUNT_STORE_NONE, is_empty(reply));
    freeReplyObject(reply);
    return value;
}

/* ---- long work ------------------------------------------------------------------------------- */

/* malloc'd; NULL: there is none. */
static char *read_address(const struct store *store, const char *id, const redisReply *reply)
{
    char name[NAME_ROOM], own[37], *copy = NULL;
    struct parcel parcel;
    name_address(name, id);
    bool good = open_reply(store, name, reply, LONGEST_ADDRESS, &parcel);
    struct blob *address = good ? parcel_unpack(&parcel, NULL) : NULL;
    if (!address)
        return NULL;
    identity_of(address->bytes, address->length, own);
    if (!strcmp(own, id) && !memchr(address->bytes, '\0', address->length))
        copy = strndup(address->bytes, address->length);
    blob_drop(address);
    return copy;
}

static void read_work(const struct store *store, const char *name, const redisReply *reply,
                      struct remote_map *remote)
{
    char text[NAME_ROOM], state[16];
    struct parcel parcel;
    int permille = 0;
    if (!open_reply(store, name, reply, sizeof text - 1, &parcel) || parcel.coding)
        return;
    snprintf(text, sizeof text, "%.*s", (int)parcel.length, parcel.bytes);
    if (sscanf(text, "%15s %4d %319s", state, &permille, remote->name) != 3)
        return;
    remote->promised = true;
    remote->ended = strcmp(state, "running") != 0;
    remote->progress = permille < 0 || permille > 990 ? 0.99 : permille / 1000.0;
}

static bool is_cancelled(const struct store *store, const char *name, const redisReply *reply)
{
    struct parcel parcel;
    return open_reply(store, name, reply, NAME_ROOM, &parcel);
}

/* Whether the state is recent, by its remaining life. */
static bool is_fresh(const redisReply *reply)
{
    return reply->type == REDIS_REPLY_INTEGER && reply->integer > PROMISE_MS - DEAD_MS;
}

void store_look_up(struct store *store, const char *id, uint64_t client, struct remote_map *remote)
{
    enum { ADDRESS, STATE, LIFE, COUNT };
    char address[NAME_ROOM], state[NAME_ROOM];
    struct strbuf commands = {0};
    redisReply *replies[COUNT];
    *remote = (struct remote_map){0};
    name_address(address, id);
    name_work(state, 'j', id, client);
    format_get(&commands, address);
    format_get(&commands, state);
    redis_format(&commands, "PTTL %s", state);
    if (!ask(store, &commands, replies, COUNT, store->plan.patience))
        return;
    remote->address = read_address(store, id, replies[ADDRESS]);
    read_work(store, state, replies[STATE], remote);
    remote->alive = remote->promised && !remote->ended && is_fresh(replies[LIFE]);
    redis_free_replies(replies, COUNT);
}

void store_cancel(struct store *store, const char *id, uint64_t client)
{
    enum { COUNT = 2 };
    char state[NAME_ROOM], cancel[NAME_ROOM];
    struct strbuf commands = {0};
    redisReply *replies[COUNT];
    name_work(state, 'j', id, client);
    name_work(cancel, 'c', id, client);
    format_set(store, &commands, cancel, "cancelled", CANCELLED_MS);
    redis_format(&commands, "DEL %s", state);
    if (ask(store, &commands, replies, COUNT, store->plan.patience))
        redis_free_replies(replies, COUNT);
}

/* How many commands; the last one asks whether it is cancelled. What was cancelled before it began
   was other work. */
static size_t format_report(const struct store *store, struct strbuf *commands, const char *cancel,
                            const struct operation_report *report)
{
    char state[NAME_ROOM], name[STORED_NAME], text[NAME_ROOM];
    bool ended = report->state == OPERATION_ENDED, begun = report->state == OPERATION_BEGUN;
    name_work(state, 'j', report->key.id, report->client);
    stored_name(&report->key, name);
    snprintf(text, sizeof text, "%s %d %s", ended ? "ended" : "running",
             (int)(report->progress * 1000), name);
    if (begun)
        redis_format(commands, "DEL %s", cancel);
    format_set(store, commands, state, text, ended ? ENDED_MS : PROMISE_MS);
    format_get(commands, cancel);
    return begun ? 3 : 2;
}

bool store_report(struct store *store, const struct operation_report *report)
{
    enum { MOST = 3 };
    char cancel[NAME_ROOM];
    struct strbuf commands = {0};
    redisReply *replies[MOST];
    const char *id = report->key.id;
    if (report->state == OPERATION_CANCELLED) {
        store_cancel(store, id, report->client);
        return false;
    }
    name_work(cancel, 'c', id, report->client);
    size_t count = format_report(store, &commands, cancel, report);
    if (!ask(store, &commands, replies, count, store->plan.patience))
        return false;
    bool cancelled = is_cancelled(store, cancel, replies[count - 1]);
    redis_free_replies(replies, count);
    if (cancelled) /* delete the state, too: it was just written again */
        store_cancel(store, id, report->client);
    return cancelled;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Opens the missing connections. */
static void open_connections(struct store *store)
{
    char why[CHANNEL_WHY];
    struct redis_plan plan = {.at = &store->plan.at,
                              .trust = store->trust,
                              .longest_answer = LONGEST_PARCEL * 2,
                              .patience = store->plan.patience};
    pthread_mutex_lock(&store->lock);
    size_t missing = store->plan.askers + 1 - store->connections;
    pthread_mutex_unlock(&store->lock);
    if (!missing)
        return;
    for (; missing; missing--) {
        struct redis *redis = redis_open(&plan, why);
        if (!redis) {
            set_state(store, STORE_CLOSED, why);
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
        pthread_cond_timedwait(&store->changed, &store->lock, &at);
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
            store->plan.report(store->plan.arg);
        }
    }
    flush(store);
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void release(struct store *store)
{
    close_idle(store);
    channel_trust_release(store->trust);
    strbuf_release(&store->writes);
    pthread_cond_destroy(&store->changed);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

static void init_lock(struct store *store)
{
    pthread_condattr_t monotonic;
    pthread_mutex_init(&store->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&store->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

struct store *store_new(const struct store_plan *plan)
{
    struct store *store = calloc(1, sizeof *store + (plan->askers + 1) * sizeof *store->idle);
    if (!store)
        return NULL;
    store->plan = *plan;
    seal_init(&store->seal, plan->key);
    store->plan.key = NULL;
    init_lock(store);
    bool trusts = !plan->at.tls || channel_trust_init(&store->trust, plan->ca);
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
