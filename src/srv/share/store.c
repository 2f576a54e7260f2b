/*
 * store.c: one memory for many copies of the service.
 *
 * A question is one GET. Where nothing is found, it asks for the claim (SET NX), then looks again:
 * whoever had the claim before has written the map before he let go of it, so that a map is made
 * once. Who does not get the claim asks the same again soon, and gets it when its holder ends, with
 * a map or without. A claim may be lost, or deleted by one whose own had ended: then a map is made
 * twice, and is the same.
 *
 * Addresses cannot lie, as their id follows from them; parcels are opened by who asked for them.
 */
#include "store.h"

#include "outbox.h"
#include "srv/base/clock.h"
#include "srv/base/strbuf.h"
#include "srv/keep/cache.h"
#include "srv/say/log.h"
#include "srv/say/metrics.h"
#include "store_words.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    RENEW_US = 500000,
    ASK_AGAIN_US = 5000, /* at first; twice as long each time, */
    ASK_AT_LAST_US = 80000,
    IDLE_US = 1000000,
    MOST_UNSENT = 256 * 1024,       /* of what waits in the link, before more is written */
    MOST_LETTERS = 8 * 1024 * 1024, /* bytes that wait to be sent */
    LONGEST_ADDRESS = 4 * 1024 * 1024,
};

enum state {
    SENT,    /* its answer is on the way, or was there */
    ASKED,   /* it waits to be sent, */
    WAITING, /* or to be sent again, as another copy makes the map, */
    HELD     /* or to be settled: it was answered with a claim, which is renewed */
};

struct question {
    struct question *next, *before; /* of those that wait */
    struct store *store;
    enum state state;
    int64_t due;         /* clock_now */
    int64_t pause;       /* until it is sent again */
    bool claimed, alone; /* the claim is ours; or nobody knows whose it is */
    struct question_plan plan;
    char name[PARCEL_NAME], id[37];
};

struct store {
    struct store_plan plan;
    struct redis *redis;
    struct log log;
    pthread_t thread;
    int wake;         /* an eventfd */
    atomic_bool open; /* there is somebody to ask */
    pthread_mutex_t lock;
    struct question *questions; /* that wait */
    struct lookup *lookups;     /* that wait */
    struct outbox outbox;
    bool stopped;
};

bool store_is_open(const struct store *store) { return store && atomic_load(&store->open); }

bool store_wants(const struct store *store, uint64_t nanoseconds)
{
    return store_is_open(store) && nanoseconds / 1000 >= (uint64_t)store->plan.least;
}

static void wake(struct store *store) { eventfd_write(store->wake, 1); }

/* ---- lists, under the lock ------------------------------------------------------------------- */

#define PUT_IN(list, one) \
    do { \
        (one)->before = NULL; \
        (one)->next = (list); \
        if ((one)->next) \
            (one)->next->before = (one); \
        (list) = (one); \
    } while (0)

#define TAKE_OUT(list, one) \
    do { \
        *((one)->before ? &(one)->before->next : &(list)) = (one)->next; \
        if ((one)->next) \
            (one)->next->before = (one)->before; \
    } while (0)

static void set_state(struct store *store, struct question *question, enum state state)
{
    if (question->state != SENT && state == SENT)
        TAKE_OUT(store->questions, question);
    if (question->state == SENT && state != SENT)
        PUT_IN(store->questions, question);
    question->state = state;
}

/* ---- letters --------------------------------------------------------------------------------- */

/* Nobody waits: what is too much is not written. */
static void post(struct store *store, struct letter *letter)
{
    if (!letter)
        return;
    if (store_is_open(store) && outbox_post(&store->outbox, letter)) {
        wake(store);
        return;
    }
    metrics_count(COUNT_STORE_DROPPED, 1);
    letter_drop(letter);
}

/* ---- questions, on the thread ---------------------------------------------------------------- */

static void finish(struct question *question, const redisReply *reply)
{
    struct store *store = question->store;
    struct blob *found = reply ? blob_new(reply->str, reply->len, NULL) : NULL;
    if (found && question->claimed)
        words_end_claim(store->redis, question->name, question->id);
    question->claimed &= !found;
    pthread_mutex_lock(&store->lock);
    question->due = clock_now() + RENEW_US;
    set_state(store, question, question->claimed ? HELD : SENT);
    pthread_mutex_unlock(&store->lock);
    question->plan.answer(question->plan.arg, found);
}

static void wait_for_other(struct question *question)
{
    struct store *store = question->store;
    question->pause = question->pause ? question->pause * 2 : ASK_AGAIN_US;
    if (question->pause > ASK_AT_LAST_US)
        question->pause = ASK_AT_LAST_US;
    pthread_mutex_lock(&store->lock);
    question->due = clock_now() + question->pause;
    set_state(store, question, WAITING);
    pthread_mutex_unlock(&store->lock);
}

/* Of the claim: it is ours, another's, or nobody knows. */
static void on_claim(void *arg, const redisReply *reply)
{
    struct question *question = arg;
    question->claimed = reply && reply->type == REDIS_REPLY_STATUS;
    question->alone = !question->claimed && !(reply && reply->type == REDIS_REPLY_NIL);
}

static void on_news(void *arg, const redisReply *reply)
{
    const struct question *question = arg;
    struct news news;
    if (question->claimed || !words_read_news(reply, &news) ||
        strcmp(news.name, question->name) != 0)
        return;
    atomic_store(question->plan.steps, news.steps);
    atomic_store(question->plan.expected, news.expected);
}

static struct news news_of(const struct question *question)
{
    struct news news = {.steps = atomic_load(question->plan.steps),
                        .expected = atomic_load(question->plan.expected)};
    memcpy(news.name, question->name, sizeof news.name);
    memcpy(news.id, question->id, sizeof news.id);
    return news;
}

/* Of the map, after the claim. */
static void on_second_look(void *arg, const redisReply *reply)
{
    struct question *question = arg;
    bool none = reply && reply->type == REDIS_REPLY_NIL;
    if (reply && reply->type == REDIS_REPLY_STRING) {
        finish(question, reply);
    } else if (none && !question->claimed && !question->alone &&
               clock_now() < question->plan.until) {
        wait_for_other(question);
    } else {
        struct news news = news_of(question);
        if (question->claimed)
            words_tell(question->store->redis, &news);
        finish(question, NULL);
    }
}

static void ask_for_claim(struct question *question)
{
    struct redis *redis = question->store->redis;
    words_claim(redis, question->name, on_claim, question);
    words_get_news(redis, question->id, on_news, question);
    words_get_map(redis, question->name, on_second_look, question);
}

static void on_first_look(void *arg, const redisReply *reply)
{
    struct question *question = arg;
    if (reply && reply->type == REDIS_REPLY_STRING) {
        finish(question, reply);
    } else if (reply && reply->type == REDIS_REPLY_NIL) {
        metrics_count(COUNT_STORE_NONE, 1);
        ask_for_claim(question);
    } else {
        metrics_count(COUNT_STORE_UNANSWERED, 1);
        finish(question, NULL);
    }
}

/* ---- promises, on the thread ----------------------------------------------------------------- */

struct standing {
    struct store *store;
    char id[37];
    uint64_t client;
};

static void on_promise_that_stands(void *arg, const redisReply *reply)
{
    struct standing *standing = arg;
    const struct store_plan *plan = &standing->store->plan;
    if (words_read_promise(reply) == PROMISE_WAIVED)
        plan->waived(plan->arg, standing->id, standing->client);
    free(standing);
}

static void send_promise(struct store *store, const struct letter *letter)
{
    bool stands = letter->promise == PROMISE_STANDS;
    struct standing *standing = stands ? malloc(sizeof *standing) : NULL;
    words_tell_promise(store->redis, letter->id, letter->client, letter->promise);
    if (!standing)
        return;
    *standing = (struct standing){.store = store, .client = letter->client};
    memcpy(standing->id, letter->id, sizeof standing->id);
    words_get_promise(store->redis, letter->id, letter->client, on_promise_that_stands, standing);
}

/* ---- lookups, on the thread ------------------------------------------------------------------ */

static void on_address(void *arg, const redisReply *reply)
{
    struct lookup *lookup = arg;
    lookup->address = words_read_address(reply, lookup->id);
}

static void on_promise(void *arg, const redisReply *reply)
{
    struct lookup *lookup = arg;
    lookup->promise = words_read_promise(reply);
}

static void on_whereabouts(void *arg, const redisReply *reply)
{
    struct lookup *lookup = arg;
    struct news news;
    if (words_read_news(reply, &news)) {
        memcpy(lookup->under_way, news.name, sizeof lookup->under_way);
        lookup->steps = news.steps;
        lookup->expected = news.expected;
    }
    lookup->answer(lookup);
}

static void send_lookup(struct store *store, struct lookup *lookup)
{
    words_get_address(store->redis, lookup->id, on_address, lookup);
    words_get_promise(store->redis, lookup->id, lookup->client, on_promise, lookup);
    words_get_news(store->redis, lookup->id, on_whereabouts, lookup);
}

/* ---- what there is to do, on the thread ------------------------------------------------------ */

static void send_letter(struct store *store, const struct letter *letter)
{
    if (letter->parcel)
        words_keep_map(store->redis, letter->name, letter->parcel);
    else if (letter->address)
        words_keep_address(store->redis, letter->id, letter->address, letter->length);
    else if (letter->promise)
        send_promise(store, letter);
    else
        words_end_claim(store->redis, letter->name, letter->id);
}

static void send_letters(struct store *store)
{
    struct letter *letter;
    while (redis_unsent(store->redis) < MOST_UNSENT && (letter = outbox_take(&store->outbox))) {
        send_letter(store, letter);
        letter_drop(letter);
    }
}

static struct lookup *take_lookup(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    struct lookup *lookup = store->lookups;
    if (lookup) {
        TAKE_OUT(store->lookups, lookup);
        lookup->waits = false;
    }
    pthread_mutex_unlock(&store->lock);
    return lookup;
}

/* One that is due: to be asked for the first time, or again; or its claim is to be renewed. */
static struct question *take_question(struct store *store, int64_t now, enum state *was,
                                      struct news *news)
{
    pthread_mutex_lock(&store->lock);
    struct question *one = store->questions;
    while (one && one->due > now)
        one = one->next;
    *was = one ? one->state : SENT;
    if (*was == HELD) {
        one->due = now + RENEW_US;
        *news = news_of(one);
    } else if (one) {
        set_state(store, one, SENT);
    }
    pthread_mutex_unlock(&store->lock);
    return one;
}

static void see_to_questions(struct store *store)
{
    struct news news;
    struct question *one;
    enum state was;
    for (int64_t now = clock_now(); (one = take_question(store, now, &was, &news));) {
        if (was == ASKED)
            words_get_map(store->redis, one->name, on_first_look, one);
        else if (was == WAITING)
            ask_for_claim(one);
        else
            words_tell(store->redis, &news);
    }
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void on_changed(void *arg, bool open, const char *why)
{
    struct store *store = arg;
    struct strbuf text = {0};
    atomic_store(&store->open, open);
    if (!open)
        metrics_count(COUNT_STORE_BREAKS, 1);
    strbuf_add(&text, open ? "\"open\":true" : "\"open\":false,\"why\":");
    if (!open)
        strbuf_json(&text, why, strlen(why));
    strbuf_char(&text, '\0');
    log_event(&store->log, "store", text.failed ? "" : text.at);
    log_flush(&store->log, clock_now());
    strbuf_release(&text);
}

static int64_t idle_time(struct store *store)
{
    int64_t now = clock_now(), due = now + IDLE_US;
    pthread_mutex_lock(&store->lock);
    for (const struct question *one = store->questions; one; one = one->next)
        due = one->due < due ? one->due : due;
    if (store->lookups ||
        (!outbox_is_empty(&store->outbox) && redis_unsent(store->redis) < MOST_UNSENT))
        due = now;
    pthread_mutex_unlock(&store->lock);
    return due - now;
}

static bool is_stopped(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    bool stopped = store->stopped;
    pthread_mutex_unlock(&store->lock);
    return stopped;
}

static void work(struct store *store)
{
    eventfd_t count;
    struct lookup *lookup;
    eventfd_read(store->wake, &count);
    while ((lookup = take_lookup(store)))
        send_lookup(store, lookup);
    see_to_questions(store);
    send_letters(store);
    redis_wait(store->redis, store->wake, idle_time(store));
}

/* What was posted before the end is sent, if that goes at once. */
static void *serve(void *arg)
{
    struct store *store = arg;
    while (!is_stopped(store))
        work(store);
    int64_t until = clock_now() + store->plan.patience;
    while (redis_is_open(store->redis) && clock_now() < until &&
           (!outbox_is_empty(&store->outbox) || redis_unsent(store->redis)))
        work(store);
    redis_drop(store->redis);
    return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void release(struct store *store)
{
    outbox_release(&store->outbox);
    if (store->wake >= 0)
        close(store->wake);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

static bool start(struct store *store)
{
    struct redis_plan plan = {.at = store->plan.at,
                              .patience = store->plan.patience,
                              .longest = LONGEST_PARCEL * 2,
                              .changed = on_changed,
                              .arg = store};
    store->redis = store->wake >= 0 ? redis_new(&plan) : NULL;
    if (store->redis && !pthread_create(&store->thread, NULL, serve, store))
        return true;
    if (store->redis)
        redis_drop(store->redis);
    return false;
}

struct store *store_new(const struct store_plan *plan)
{
    struct store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->plan = *plan;
    outbox_init(&store->outbox, MOST_LETTERS);
    store->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    pthread_mutex_init(&store->lock, NULL);
    log_init(&store->log, plan->log, STDOUT_FILENO);
    if (start(store))
        return store;
    release(store);
    return NULL;
}

/* Those that nobody has begun to answer. */
static void answer_rest(struct store *store)
{
    struct question *one;
    struct lookup *lookup;
    struct news news;
    enum state was;
    while ((lookup = take_lookup(store)))
        lookup->answer(lookup);
    while ((one = take_question(store, INT64_MAX - RENEW_US, &was, &news)))
        if (was != HELD)
            finish(one, NULL);
}

void store_stop(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    store->stopped = true;
    pthread_mutex_unlock(&store->lock);
    wake(store);
    pthread_join(store->thread, NULL);
    atomic_store(&store->open, false);
    answer_rest(store);
}

void store_drop(struct store *store)
{
    assert(store->stopped && !store->questions && !store->lookups);
    release(store);
}

/* ---- asking, on any thread ------------------------------------------------------------------- */

static bool put_question(struct store *store, struct question *question)
{
    pthread_mutex_lock(&store->lock);
    bool asks = !store->stopped && atomic_load(&store->open);
    if (asks)
        set_state(store, question, ASKED);
    pthread_mutex_unlock(&store->lock);
    if (asks)
        wake(store);
    return asks;
}

bool store_ask(struct store *store, const struct question_plan *plan, struct question **question)
{
    if (!store_is_open(store) || !(*question = calloc(1, sizeof **question)))
        return false;
    (*question)->store = store;
    (*question)->plan = *plan;
    parcel_name(plan->key, (*question)->name);
    memcpy((*question)->id, plan->key->id, sizeof(*question)->id);
    if (put_question(store, *question))
        return true;
    free(*question);
    *question = NULL;
    return false;
}

bool store_withdraw(struct store *store, struct question *question)
{
    pthread_mutex_lock(&store->lock);
    bool waits = question->state == ASKED || question->state == WAITING;
    if (waits)
        set_state(store, question, SENT);
    pthread_mutex_unlock(&store->lock);
    return waits;
}

void store_let_go(struct store *store, struct question *question)
{
    if (!question)
        return;
    pthread_mutex_lock(&store->lock);
    assert(question->state == HELD || question->state == SENT);
    set_state(store, question, SENT);
    pthread_mutex_unlock(&store->lock);
}

void store_settle(struct store *store, struct question *question)
{
    if (!question)
        return;
    store_let_go(store, question);
    if (question->claimed)
        post(store, letter_of_end(question->name, question->id));
    free(question);
}

void store_keep(struct store *store, const struct key *key, const char *bytes, size_t length)
{
    char name[PARCEL_NAME];
    if (!store_is_open(store))
        return;
    parcel_name(key, name);
    struct blob *parcel = parcel_pack(key, bytes, length);
    post(store, parcel ? letter_of_map(name, parcel) : NULL);
}

void store_note(struct store *store, const struct key *key)
{
    if (store_is_open(store) && key->length <= LONGEST_ADDRESS)
        post(store, letter_of_address(key->id, key->address, key->length));
}

void store_promise(struct store *store, enum promise promise, const char *id, uint64_t client)
{
    if (store_is_open(store))
        post(store, letter_of_promise(promise, id, client));
}

bool store_look_up(struct store *store, struct lookup *lookup)
{
    pthread_mutex_lock(&store->lock);
    bool asks = !store->stopped && atomic_load(&store->open);
    if (asks) {
        lookup->waits = true;
        PUT_IN(store->lookups, lookup);
    }
    pthread_mutex_unlock(&store->lock);
    if (asks)
        wake(store);
    return asks;
}

bool store_leave(struct store *store, struct lookup *lookup)
{
    pthread_mutex_lock(&store->lock);
    bool waits = lookup->waits;
    if (waits)
        TAKE_OUT(store->lookups, lookup);
    lookup->waits = false;
    pthread_mutex_unlock(&store->lock);
    return waits;
}
