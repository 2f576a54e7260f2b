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
 * THE BREAKER. The first call that fails closes all connections, and the store counts as closed.
 * The thread tries to open it again after a pause, which doubles from time to time; a call that
 * succeeds makes the pause short again.
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
#include <unistd.h>

enum {
    FIRST_PAUSE_US = 250000,
    LONGEST_PAUSE_US = 8000000,
    TICK_US = 500000,
    WRITE_US = 1000000,            /* at least, for the answers to writes */
    MOST_IDLE = 16,                /* connections */
    MOST_HOSTS = 8,                /* addresses of the store's name that are tried */
    MOST_WRITES = 8 * 1024 * 1024, /* bytes that wait to be sent */
    LONGEST_ADDRESS = 16 * 1024 * 1024,
    NAME_ROOM = STORED_NAME + 96,
    KEEP_S = 604800,      /* of maps and addresses */
    PROMISE_MS = 3660000, /* the longest work may take an hour */
    ENDED_MS = 60000,     /* so long is an outcome held, too */
    CANCELLED_MS = 10000,
    DEAD_MS = 3000, /* a state as old as that is of a copy that has died */
};

static const char text_media[] = "text/plain";

struct store {
    struct store_plan plan;
    struct seal seal;
    pthread_t thread;
    atomic_bool open;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct redis_host host; /* that was reached last */
    struct redis *idle[MOST_IDLE];
    size_t idle_count;
    struct strbuf writes; /* commands */
    size_t write_count;
    int64_t pause, retry_at;
    char why[REDIS_WHY]; /* it is closed */
    bool woken, stopped;
    /* of the thread alone */
    bool said_open, said_closed; /* in the log */
    struct log log;
};

bool store_is_open(const struct store *store) { return store && atomic_load(&store->open); }

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
static void close_idle(struct store *store)
{
    while (store->idle_count)
        redis_close(store->idle[--store->idle_count]);
}

static void break_off(struct store *store, const char *why)
{
    pthread_mutex_lock(&store->lock);
    bool was_open = atomic_exchange(&store->open, false);
    if (was_open || !store->retry_at) {
        store->retry_at = clock_now() + store->pause;
        store->pause = store->pause * 2 < LONGEST_PAUSE_US ? store->pause * 2 : LONGEST_PAUSE_US;
        snprintf(store->why, sizeof store->why, "%s", why);
    }
    close_idle(store);
    store->woken = true;
    pthread_cond_signal(&store->changed);
    pthread_mutex_unlock(&store->lock);
    metrics_count(COUNT_STORE_BREAKS, was_open);
}

static struct redis *take_connection(struct store *store, int64_t until, char why[REDIS_WHY])
{
    struct redis *redis = NULL;
    pthread_mutex_lock(&store->lock);
    while (!redis && store->idle_count) {
        redis = store->idle[--store->idle_count];
        if (redis_is_usable(redis))
            continue;
        redis_close(redis);
        redis = NULL;
    }
    struct redis_host host = store->host;
    pthread_mutex_unlock(&store->lock);
    return redis ? redis : redis_open(&store->plan.at, &host, LONGEST_PARCEL * 2, until, why);
}

static void give_back(struct store *store, struct redis *redis, bool worked)
{
    pthread_mutex_lock(&store->lock);
    bool kept = worked && atomic_load(&store->open) && store->idle_count < MOST_IDLE;
    if (kept)
        store->idle[store->idle_count++] = redis;
    if (worked)
        store->pause = FIRST_PAUSE_US;
    pthread_mutex_unlock(&store->lock);
    if (!kept)
        redis_close(redis);
}

/* False: not all commands were answered. */
static bool ask(struct store *store, const struct strbuf *commands, size_t count,
                redis_answer *answer, void *arg, int64_t patience)
{
    char why[REDIS_WHY] = "";
    int64_t until = clock_now() + patience;
    if (!store_is_open(store) || commands->failed)
        return false;
    struct redis *redis = take_connection(store, until, why);
    bool answered = redis && redis_ask(redis, commands, count, answer, arg, until, why);
    if (redis)
        give_back(store, redis, answered);
    if (!answered)
        break_off(store, why);
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

/* Asks for no more bytes than a value may have, so that a longer one does no harm. */
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

/* Whether there is anything at all; an error is something. */
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

static void on_written(void *arg, const redisReply *reply)
{
    size_t *answered = arg;
    ++*answered;
    metrics_count(reply->type == REDIS_REPLY_STATUS ? COUNT_STORE_KEPT : COUNT_STORE_REFUSED, 1);
}

static void flush(struct store *store)
{
    size_t answered = 0;
    pthread_mutex_lock(&store->lock);
    struct strbuf writes = store->writes;
    size_t count = store->write_count;
    store->writes = (struct strbuf){0};
    store->write_count = 0;
    pthread_mutex_unlock(&store->lock);
    int64_t patience = store->plan.patience > WRITE_US ? store->plan.patience : WRITE_US;
    if (count)
        ask(store, &writes, count, on_written, &answered, patience);
    metrics_count(COUNT_STORE_DROPPED, count - answered);
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

struct map_answer {
    const struct store *store;
    const char *name;
    struct parcel *parcel;
    struct blob *value;
};

static void on_map(void *arg, const redisReply *reply)
{
    struct map_answer *map = arg;
    if (open_reply(map->store, map->name, reply, LONGEST_ANSWER, map->parcel))
        map->value = blob_new(reply->str, reply->len, NULL);
    if (map->value)
        map->parcel->bytes = map->value->bytes + (map->parcel->bytes - reply->str);
    if (is_empty(reply))
        metrics_count(COUNT_STORE_NONE, 1);
}

struct blob *store_find_map(struct store *store, const struct key *key, struct parcel *parcel)
{
    char name[NAME_ROOM];
    struct strbuf commands = {0};
    struct map_answer map = {.store = store, .name = name, .parcel = parcel};
    if (!store_is_open(store))
        return NULL;
    name_map(name, key);
    format_get(&commands, name);
    if (!ask(store, &commands, 1, on_map, &map, store->plan.patience))
        metrics_count(COUNT_STORE_UNANSWERED, 1);
    strbuf_release(&commands);
    return map.value;
}

/* ---- long work ------------------------------------------------------------------------------- */

struct work_answer {
    const struct store *store;
    const char *id;
    uint64_t client;
    struct remote_map *remote;
    int next; /* answer, in the order of the commands */
    bool cancelled;
};

static void take_address(const struct work_answer *work, const redisReply *reply)
{
    char name[NAME_ROOM], own[37];
    struct parcel parcel;
    name_address(name, work->id);
    if (!open_reply(work->store, name, reply, LONGEST_ADDRESS, &parcel))
        return;
    struct blob *address = parcel_unpack(&parcel, NULL);
    if (!address)
        return;
    identity_of(address->bytes, address->length, own);
    if (!strcmp(own, work->id) && !memchr(address->bytes, '\0', address->length))
        work->remote->address = strndup(address->bytes, address->length);
    blob_drop(address);
}

static void take_state(struct work_answer *work, const redisReply *reply)
{
    char name[NAME_ROOM], text[NAME_ROOM], state[16];
    struct parcel parcel;
    int permille = 0;
    name_work(name, 'j', work->id, work->client);
    if (!open_reply(work->store, name, reply, sizeof text - 1, &parcel) || parcel.coding)
        return;
    snprintf(text, sizeof text, "%.*s", (int)parcel.length, parcel.bytes);
    if (sscanf(text, "%15s %4d %319s", state, &permille, work->remote->name) != 3)
        return;
    work->remote->promised = true;
    work->remote->ended = strcmp(state, "running") != 0;
    work->remote->progress = permille < 0 || permille > 990 ? 0.99 : permille / 1000.0;
}

static bool is_cancelled(const struct store *store, const char *id, uint64_t client,
                         const redisReply *reply)
{
    char name[NAME_ROOM];
    struct parcel parcel;
    name_work(name, 'c', id, client);
    return open_reply(store, name, reply, NAME_ROOM, &parcel);
}

static void on_look_up(void *arg, const redisReply *reply)
{
    struct work_answer *work = arg;
    switch (work->next++) {
    case 0: take_address(work, reply); break;
    case 1: take_state(work, reply); break;
    case 2:
        work->remote->alive = work->remote->promised && !work->remote->ended &&
                              reply->type == REDIS_REPLY_INTEGER &&
                              reply->integer > PROMISE_MS - DEAD_MS;
        break;
    default: work->cancelled = is_cancelled(work->store, work->id, work->client, reply);
    }
}

void store_look_up(struct store *store, const char *id, uint64_t client, struct remote_map *remote)
{
    char address[NAME_ROOM], state[NAME_ROOM], cancel[NAME_ROOM];
    struct strbuf commands = {0};
    struct work_answer work = {.store = store, .id = id, .client = client, .remote = remote};
    *remote = (struct remote_map){0};
    name_address(address, id);
    name_work(state, 'j', id, client);
    name_work(cancel, 'c', id, client);
    format_get(&commands, address);
    format_get(&commands, state);
    redis_format(&commands, "PTTL %s", state);
    format_get(&commands, cancel);
    ask(store, &commands, 4, on_look_up, &work, store->plan.patience);
    strbuf_release(&commands);
    if (work.cancelled)
        remote->promised = remote->alive = false;
}

static void on_nothing(void *arg, const redisReply *reply) { (void)arg, (void)reply; }

static size_t format_cancel(const struct store *store, struct strbuf *commands, const char *id,
                            uint64_t client)
{
    char state[NAME_ROOM], cancel[NAME_ROOM];
    name_work(state, 'j', id, client);
    name_work(cancel, 'c', id, client);
    format_set(store, commands, cancel, "cancelled", CANCELLED_MS);
    redis_format(commands, "DEL %s", state);
    return 2;
}

void store_cancel(struct store *store, const char *id, uint64_t client)
{
    struct strbuf commands = {0};
    size_t n = format_cancel(store, &commands, id, client);
    ask(store, &commands, n, on_nothing, NULL, store->plan.patience);
    strbuf_release(&commands);
}

static size_t format_state(const struct store *store, struct strbuf *commands,
                           const struct operation_report *report)
{
    char state[NAME_ROOM], cancel[NAME_ROOM], name[STORED_NAME], text[NAME_ROOM];
    bool ended = report->state == OPERATION_ENDED, begun = report->state == OPERATION_BEGUN;
    name_work(state, 'j', report->key.id, report->client);
    name_work(cancel, 'c', report->key.id, report->client);
    stored_name(&report->key, name);
    snprintf(text, sizeof text, "%s %d %s", ended ? "ended" : "running",
             (int)(report->progress * 1000), name);
    if (begun)
        redis_format(commands, "DEL %s", cancel);
    format_set(store, commands, state, text, ended ? ENDED_MS : PROMISE_MS);
    format_get(commands, cancel);
    return begun ? 3 : 2;
}

struct report_answer {
    const struct store *store;
    const struct operation_report *report;
    size_t left; /* answers that are to come */
    bool cancelled;
};

/* The last answer is that to the question whether the work is cancelled. */
static void on_report(void *arg, const redisReply *reply)
{
    struct report_answer *answer = arg;
    if (!--answer->left && answer->report->state != OPERATION_CANCELLED)
        answer->cancelled =
            is_cancelled(answer->store, answer->report->key.id, answer->report->client, reply);
}

static void remove_state(struct store *store, const struct operation_report *report)
{
    char state[NAME_ROOM];
    struct strbuf command = {0};
    name_work(state, 'j', report->key.id, report->client);
    redis_format(&command, "DEL %s", state);
    ask(store, &command, 1, on_nothing, NULL, store->plan.patience);
    strbuf_release(&command);
}

bool store_report(struct store *store, const struct operation_report *report)
{
    struct strbuf commands = {0};
    struct report_answer answer = {.store = store, .report = report};
    answer.left = report->state == OPERATION_CANCELLED
                      ? format_cancel(store, &commands, report->key.id, report->client)
                      : format_state(store, &commands, report);
    ask(store, &commands, answer.left, on_report, &answer, store->plan.patience);
    strbuf_release(&commands);
    if (answer.cancelled)
        remove_state(store, report);
    return answer.cancelled;
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void log_change(struct store *store, bool open, const char *why)
{
    struct strbuf text = {0};
    strbuf_format(&text, "\"open\":%s", open ? "true" : "false");
    strbuf_add(&text, open ? "" : ",\"why\":");
    if (!open)
        strbuf_json(&text, why, strlen(why));
    strbuf_char(&text, '\0');
    log_event(&store->log, "store", text.failed ? "" : text.at);
    log_flush(&store->log, clock_now());
    strbuf_release(&text);
}

/* Once for each time that it opens or closes. */
static void tell_change(struct store *store)
{
    char why[REDIS_WHY];
    pthread_mutex_lock(&store->lock);
    bool open = atomic_load(&store->open);
    memcpy(why, store->why, sizeof why);
    pthread_mutex_unlock(&store->lock);
    if (open ? store->said_open : store->said_closed)
        return;
    store->said_open = open;
    store->said_closed = !open;
    log_change(store, open, why);
}

static struct redis *reach(struct store *store, struct redis_host *reached, char why[REDIS_WHY])
{
    struct redis_host hosts[MOST_HOSTS];
    size_t n = redis_resolve(&store->plan.at, hosts, MOST_HOSTS, why);
    struct redis *redis = NULL;
    for (size_t i = 0; i < n && !redis; i++) {
        *reached = hosts[i];
        redis = redis_open(&store->plan.at, &hosts[i], LONGEST_PARCEL * 2,
                           clock_now() + store->plan.patience, why);
    }
    return redis;
}

static void try_to_open(struct store *store)
{
    char why[REDIS_WHY] = "";
    struct redis_host host;
    struct redis *redis = reach(store, &host, why);
    pthread_mutex_lock(&store->lock);
    store->retry_at = 0;
    if (redis) {
        store->host = host;
        atomic_store(&store->open, true);
        store->idle[store->idle_count++] = redis;
    }
    pthread_mutex_unlock(&store->lock);
    if (!redis)
        break_off(store, why);
}

/* Until there is something to do. False: the store is to end. */
static bool wait_for_work(struct store *store)
{
    int64_t until = clock_now() + TICK_US;
    pthread_mutex_lock(&store->lock);
    if (!atomic_load(&store->open) && store->retry_at < until)
        until = store->retry_at;
    struct timespec at = {.tv_sec = until / 1000000, .tv_nsec = until % 1000000 * 1000};
    while (!store->woken && !store->stopped && clock_now() < until)
        pthread_cond_timedwait(&store->changed, &store->lock, &at);
    store->woken = false;
    bool goes_on = !store->stopped;
    pthread_mutex_unlock(&store->lock);
    return goes_on;
}

static bool is_due(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    bool due = !atomic_load(&store->open) && clock_now() >= store->retry_at;
    pthread_mutex_unlock(&store->lock);
    return due;
}

static void *serve(void *arg)
{
    struct store *store = arg;
    while (wait_for_work(store)) {
        if (is_due(store))
            try_to_open(store);
        tell_change(store);
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
    strbuf_release(&store->writes);
    pthread_cond_destroy(&store->changed);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

struct store *store_new(const struct store_plan *plan)
{
    struct store *store = calloc(1, sizeof *store);
    pthread_condattr_t monotonic;
    if (!store)
        return NULL;
    store->plan = *plan;
    store->pause = FIRST_PAUSE_US;
    seal_init(&store->seal, plan->key);
    log_init(&store->log, plan->log, STDOUT_FILENO);
    pthread_mutex_init(&store->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&store->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    store->plan.key = NULL;
    if (!pthread_create(&store->thread, NULL, serve, store))
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
