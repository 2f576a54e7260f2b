/*
 * check_store.c: the store that all copies share, against a server of this test that keeps nothing,
 * and may be slow, full, or talk nonsense. tests/http/test_store.py has a real one.
 */
#include "faults.h"
#include "srv/base/clock.h"
#include "srv/base/identity.h"
#include "srv/cache/cache.h"
#include "srv/out/metrics.h"
#include "srv/share/store.h"
#include "unit/unit.h"

#include <arpa/inet.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- the server ------------------------------------------------------------------------------ */

enum { CONNECTIONS = 256, PATIENCE_US = 100000, HANGS_US = 10000000 };

enum mood {
    HONEST,
    SILENT,
    FULL,
    LOADING,
    GARBLED,
    MORE_THAN_ASKED,
    LISTS,
    HUGE_ANSWER,
    HALF,
    GONE
};

static struct server {
    int listener, port;
    pthread_t thread, threads[CONNECTIONS];
    int connections, sockets[CONNECTIONS];
    atomic_bool ending;
    atomic_int mood, commands;
} server;

static void say(int fd, const char *text, size_t length)
{
    for (ssize_t n; length && (n = send(fd, text, length, MSG_NOSIGNAL)) > 0; text += n)
        length -= (size_t)n;
}

#define SAY(fd, text) say((fd), (text), sizeof(text) - 1)

/* As of a server that keeps nothing. */
static void answer_emptily(int fd, const char *word)
{
    if (!strcmp(word, "GETRANGE"))
        SAY(fd, "$0\r\n\r\n");
    else if (!strcmp(word, "PING"))
        SAY(fd, "+PONG\r\n");
    else if (!strcmp(word, "SET"))
        SAY(fd, "+OK\r\n");
    else
        SAY(fd, ":0\r\n");
}

/* False: the connection is to be closed. */
static bool answer(int fd, const char *word)
{
    static char much[3 << 20];
    enum mood mood = atomic_load(&server.mood);
    atomic_fetch_add(&server.commands, 1);
    if (mood == SILENT)
        return true;
    if (mood == FULL && !strcmp(word, "SET"))
        SAY(fd, "-OOM command not allowed when used memory > 'maxmemory'\r\n");
    else if (!strcmp(word, "PING") || mood == HONEST || mood == FULL)
        answer_emptily(fd, word);
    else if (mood == LOADING)
        SAY(fd, "-LOADING Redis is loading the dataset in memory\r\n");
    else if (mood == GARBLED)
        SAY(fd, "HTTP/1.1 400 Bad Request\r\n\r\n");
    else if (mood == MORE_THAN_ASKED)
        SAY(fd, "$-1\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n");
    else if (mood == LISTS)
        SAY(fd, "*2147483647\r\n*2147483647\r\n");
    else if (mood == HALF)
        SAY(fd, "$10\r\nabc");
    else if (mood == HUGE_ANSWER) {
        SAY(fd, "$999999999\r\n");
        say(fd, much, sizeof much);
    }
    return mood != GONE;
}

/* `owes`: it has left a command without an answer. */
static bool await_input(int fd, bool owes)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    while (poll(&one, 1, 10) == 0)
        if (atomic_load(&server.ending) || (owes && atomic_load(&server.mood) == GONE))
            return false;
    return true;
}

static void *serve_one(void *arg)
{
    int fd = *(const int *)arg;
    char bytes[4096];
    redisReader *reader = redisReaderCreate();
    for (bool good = true, owes = false; good && await_input(fd, owes);) {
        ssize_t n = read(fd, bytes, sizeof bytes);
        void *command = NULL;
        good = n > 0 && !redisReaderFeed(reader, bytes, (size_t)n);
        while (good && !redisReaderGetReply(reader, &command) && command) {
            owes |= atomic_load(&server.mood) == SILENT;
            good = answer(fd, ((redisReply *)command)->element[0]->str);
            freeReplyObject(command);
        }
    }
    redisReaderFree(reader);
    close(fd);
    return NULL;
}

static void *serve(void *arg)
{
    (void)arg;
    while (await_input(server.listener, false)) {
        int i = server.connections++;
        ck_assert_int_lt(i, CONNECTIONS);
        server.sockets[i] = accept(server.listener, NULL, NULL);
        while (pthread_create(&server.threads[i], NULL, serve_one, &server.sockets[i]))
            continue; /* a fault that was meant for the store */
    }
    return NULL;
}

static void begin_serving(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    atomic_store(&server.ending, false);
    atomic_store(&server.mood, HONEST);
    server.connections = 0;
    server.listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert(!bind(server.listener, (struct sockaddr *)&at, sizeof at));
    ck_assert(!listen(server.listener, 8));
    getsockname(server.listener, (struct sockaddr *)&at, &length);
    server.port = ntohs(at.sin_port);
    ck_assert(!pthread_create(&server.thread, NULL, serve, NULL));
}

static void end_serving(void)
{
    atomic_store(&server.ending, true);
    pthread_join(server.thread, NULL);
    for (int i = 0; i < server.connections; i++)
        pthread_join(server.threads[i], NULL);
    close(server.listener);
}

/* ---- a copy of the service ------------------------------------------------------------------- */

static struct operations *operations;
static struct blob *map;
static const char id_of_work[] = "00000000-0000-5000-8000-000000000007";

static struct key key_of(const char *address)
{
    struct key key = {
        .encoder = mw_encoder_named("json"), .address = address, .length = strlen(address)};
    identity_of(address, key.length, key.id);
    return key;
}

static struct store *store_with(int64_t patience)
{
    const struct config config = {.store = {.host = "127.0.0.1", .port = server.port},
                                  .store_key = "a key",
                                  .store_wait_ms = (int32_t)(patience / 1000),
                                  .workers = 1};
    return store_new(&config, operations);
}

static bool await_open(struct store *store, bool open, int64_t microseconds)
{
    for (int64_t end = clock_now() + microseconds; clock_now() < end; usleep(1000))
        if (store_is_open(store) == open)
            return true;
    return false;
}

static struct store *opened(int64_t patience)
{
    struct store *store = store_with(patience);
    ck_assert_ptr_nonnull(store);
    ck_assert(await_open(store, true, HANGS_US));
    return store;
}

static bool finds(struct store *store, const struct key *key)
{
    struct blob *found = store_find_map(store, key);
    blob_drop(found);
    return found;
}

static bool is_promised(struct store *store)
{
    struct blob *found = store_look_up(store, id_of_work, 7);
    bool promised = found && ((struct remote_map *)(void *)found->bytes)->work;
    blob_drop(found);
    return promised;
}

static void note_change(void *arg) { (void)arg; }

static void begin(void)
{
    const struct config config = {.output_bytes = 1 << 20};
    output_limit(1 << 20);
    operations = operations_new(NULL, &config, note_change, NULL);
    map = blob_new("{}\n", 3, "application/json");
    begin_serving();
}

static void end(void)
{
    end_serving();
    blob_drop(map);
    operations_drop(operations);
}

FIXTURE(begin, end)

/* Whatever the server does: each call returns, as if there were no store; nonsense is not waited
   for. */
TEST(is_never_in_the_way, .first = SILENT, .end = GONE + 1)
{
    enum mood mood = (enum mood)_i;
    bool waits = mood == SILENT || mood == HALF;
    struct store *store = opened(waits ? PATIENCE_US : 1000 * (int64_t)HANGS_US);
    struct key key = key_of("/regions?seed=1");
    atomic_store(&server.mood, (int)mood);
    for (int i = 0; i < 3; i++) {
        ck_assert(!finds(store, &key));
        store_put(store, &key, map, UINT64_MAX);
        ck_assert(!is_promised(store));
        store_cancel(store, id_of_work, 7);
    }
    bool stays = mood == FULL || mood == LOADING;
    for (int64_t end = clock_now() + HANGS_US; store_is_open(store) != stays;) {
        finds(store, &key); /* it opens again as long as it answers PING */
        ck_assert_int_lt(clock_now(), end);
    }
    atomic_store(&server.mood, HONEST);
    ck_assert(await_open(store, true, HANGS_US));
    store_drop(store);
}

/* One that does not answer is not asked again and again. */
TEST(leaves_it_alone)
{
    struct store *store = opened(PATIENCE_US);
    struct key key = key_of("/regions?seed=1");
    atomic_store(&server.mood, SILENT);
    ck_assert(!finds(store, &key));
    ck_assert(!store_is_open(store) && !store_wants(store, UINT64_MAX));
    int commands = atomic_load(&server.commands);
    for (int i = 0; i < 100; i++) {
        ck_assert(!finds(store, &key));
        store_put(store, &key, NULL, 0);
    }
    ck_assert_int_le(atomic_load(&server.commands) - commands, 2);
    store_drop(store);
}

static void no_route(struct strbuf *to, size_t route) { (void)to, (void)route; }

static unsigned long long dropped_writes(void)
{
    static const char name[] = "mapwright_store_writes_total{outcome=\"dropped\"} ";
    struct strbuf text = {0};
    int64_t gauges[GAUGE_END] = {0};
    metrics_write(&text, gauges, no_route);
    strbuf_char(&text, '\0');
    const char *at = strstr(text.at, name);
    ck_assert_ptr_nonnull(at);
    unsigned long long count = strtoull(at + strlen(name), NULL, 10);
    strbuf_release(&text);
    return count;
}

/* What is too much to wait for a server that takes nothing is dropped. */
TEST(bounds_what_waits)
{
    enum { MUCH = 3500, TIMES = 4000 };
    struct store *store = opened(1000 * (int64_t)HANGS_US);
    struct key key = key_of("/regions?seed=1");
    struct blob *noise = blob_reserve(MUCH, "image/png");
    uint64_t state = 1;
    for (int i = 0; i < MUCH; i++)
        noise->bytes[i] =
            (char)((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    atomic_store(&server.mood, SILENT);
    unsigned long long dropped = dropped_writes();
    for (int i = 0; i < TIMES; i++)
        store_put(store, &key, noise, UINT64_MAX);
    ck_assert_uint_ge(dropped_writes() - dropped, 1000);
    atomic_store(&server.mood, GONE);
    blob_drop(noise);
    store_drop(store);
}

/* Each request for memory, a descriptor or a thread fails in turn. */
TEST(lives_without_means)
{
    struct key key = key_of("/regions?seed=1");
    for (int n = 1; n <= 40; n++) {
        faults_begin(n);
        struct store *store = store_with(PATIENCE_US);
        if (store && await_open(store, true, 20000)) {
            blob_drop(store_find_map(store, &key));
            store_put(store, &key, map, UINT64_MAX);
            blob_drop(store_look_up(store, key.id, 7));
            store_cancel(store, key.id, 7);
        }
        if (store)
            store_drop(store);
        faults_end();
    }
}
