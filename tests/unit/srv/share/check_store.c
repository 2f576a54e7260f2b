/*
 * check_store.c: one memory for many copies, against a server of the test's own that may be slow,
 * full, or talk nonsense.
 */
#include "api/identity.h"
#include "faults.h"
#include "srv/base/clock.h"
#include "srv/keep/cache.h"
#include "srv/say/metrics.h"
#include "srv/share/store.h"
#include "unit/unit.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- the server ------------------------------------------------------------------------------ */

enum { SLOTS = 32, NAME = 512, VALUE = 4096, PATIENCE_US = 100000, HANGS_US = 10000000 };

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
    pthread_t thread;
    atomic_bool ending;
    atomic_int mood, commands, renewed;
    pthread_mutex_t lock; /* of the table */
    struct {
        char name[NAME], value[VALUE];
        size_t length;
    } slots[SLOTS];
} server;

struct command {
    int count;
    char words[8][VALUE];
    size_t lengths[8];
};

/* Reads whole commands: arrays of strings. False: it has ended. */
static bool read_exactly(int fd, char *to, size_t length)
{
    while (length) {
        struct pollfd one = {.fd = fd, .events = POLLIN};
        if (poll(&one, 1, 10) == 0 && atomic_load(&server.ending))
            return false;
        ssize_t n = one.revents ? read(fd, to, length) : 0;
        if (one.revents && n <= 0)
            return false;
        to += n;
        length -= (size_t)n;
    }
    return true;
}

static bool read_number(int fd, size_t *number)
{
    char c;
    if (!read_exactly(fd, &c, 1)) /* '*' or '$' */
        return false;
    for (*number = 0; read_exactly(fd, &c, 1) && c != '\n';)
        if (c >= '0' && c <= '9')
            *number = *number * 10 + (size_t)(c - '0');
    return c == '\n';
}

static bool read_command(int fd, struct command *command)
{
    size_t count;
    char end[2];
    if (!read_number(fd, &count) || count > 8)
        return false;
    command->count = (int)count;
    for (size_t i = 0; i < count; i++)
        if (!read_number(fd, &command->lengths[i]) || command->lengths[i] >= VALUE ||
            !read_exactly(fd, command->words[i], command->lengths[i]) || !read_exactly(fd, end, 2))
            return false;
        else
            command->words[i][command->lengths[i]] = '\0';
    return true;
}

static int slot_of(const char *name)
{
    for (int i = 0; i < SLOTS; i++)
        if (!strcmp(server.slots[i].name, name))
            return i;
    return -1;
}

static void say(int fd, const char *text, size_t length)
{
    while (length) {
        ssize_t n = send(fd, text, length, MSG_NOSIGNAL);
        if (n <= 0)
            return;
        text += n;
        length -= (size_t)n;
    }
}

#define SAY(fd, text) say((fd), (text), sizeof(text) - 1)

static void answer_get(int fd, const char *name)
{
    char head[32];
    int slot = slot_of(name);
    if (slot < 0) {
        SAY(fd, "$-1\r\n");
        return;
    }
    size_t length = server.slots[slot].length;
    say(fd, head, (size_t)snprintf(head, sizeof head, "$%zu\r\n", length));
    say(fd, server.slots[slot].value, length);
    SAY(fd, "\r\n");
}

static void answer_set(int fd, const struct command *command)
{
    bool unless_there = false, if_there = false;
    for (int i = 3; i < command->count; i++) {
        unless_there |= !strcmp(command->words[i], "NX");
        if_there |= !strcmp(command->words[i], "XX");
    }
    int slot = slot_of(command->words[1]);
    if (slot < 0 ? if_there : unless_there) {
        SAY(fd, "$-1\r\n");
        return;
    }
    slot = slot < 0 ? slot_of("") : slot;
    ck_assert_int_ge(slot, 0);
    strcpy(server.slots[slot].name, command->words[1]);
    memcpy(server.slots[slot].value, command->words[2], command->lengths[2]);
    server.slots[slot].length = command->lengths[2];
    SAY(fd, "+OK\r\n");
}

static void answer_honestly(int fd, const struct command *command)
{
    pthread_mutex_lock(&server.lock);
    if (!strcmp(command->words[0], "GET"))
        answer_get(fd, command->words[1]);
    else if (!strcmp(command->words[0], "SET"))
        answer_set(fd, command);
    else if (!strcmp(command->words[0], "PING"))
        SAY(fd, "+PONG\r\n");
    else {
        if (!strcmp(command->words[0], "PEXPIRE") && slot_of(command->words[1]) >= 0)
            atomic_fetch_add(&server.renewed, 1);
        for (int i = 1; i < command->count && !strcmp(command->words[0], "DEL"); i++)
            if (slot_of(command->words[i]) >= 0)
                *server.slots[slot_of(command->words[i])].name = '\0';
        SAY(fd, ":1\r\n");
    }
    pthread_mutex_unlock(&server.lock);
}

/* False: the connection is to be closed. */
static bool answer(int fd, const struct command *command)
{
    static char much[3 << 20];
    bool greets = !strcmp(command->words[0], "PING"), writes = !strcmp(command->words[0], "SET");
    enum mood mood = atomic_load(&server.mood);
    atomic_fetch_add(&server.commands, 1);
    if (mood == SILENT)
        return true;
    if (mood == FULL && writes)
        SAY(fd, "-OOM command not allowed when used memory > 'maxmemory'\r\n");
    else if (greets || mood == HONEST || mood == FULL)
        answer_honestly(fd, command);
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

static void *serve(void *arg)
{
    static struct command command;
    (void)arg;
    while (!atomic_load(&server.ending)) {
        struct pollfd one = {.fd = server.listener, .events = POLLIN};
        int fd = poll(&one, 1, 10) == 1 ? accept(server.listener, NULL, NULL) : -1;
        while (fd >= 0 && read_command(fd, &command) && answer(fd, &command))
            continue;
        if (fd >= 0)
            close(fd);
    }
    return NULL;
}

static void begin_serving(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    memset(server.slots, 0, sizeof server.slots);
    atomic_store(&server.ending, false);
    atomic_store(&server.mood, HONEST);
    atomic_store(&server.renewed, 0);
    pthread_mutex_init(&server.lock, NULL);
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
    close(server.listener);
    pthread_mutex_destroy(&server.lock);
}

static void empty_table(void)
{
    pthread_mutex_lock(&server.lock);
    memset(server.slots, 0, sizeof server.slots);
    pthread_mutex_unlock(&server.lock);
}

/* A bit in the middle of what was put first; how long it is. */
static size_t change_first(void)
{
    pthread_mutex_lock(&server.lock);
    size_t length = server.slots[0].length;
    server.slots[0].value[length / 2] ^= 1;
    pthread_mutex_unlock(&server.lock);
    return length;
}

/* ---- copies of the service ------------------------------------------------------------------- */

static atomic_int waived; /* promises that stood here, and that the store says are not wanted */

static void on_waived(void *arg, const char *id, uint64_t client)
{
    (void)arg;
    ck_assert(strlen(id) == 36 && client == 7);
    atomic_fetch_add(&waived, 1);
}

static struct store *store_with(int64_t patience)
{
    struct store_plan plan = {.at = {.host = "127.0.0.1", .port = server.port},
                              .patience = patience,
                              .waived = on_waived};
    atomic_store(&waived, 0);
    return store_new(&plan);
}

static struct store *store_of_test(void) { return store_with(PATIENCE_US); }

static bool await_open(struct store *store, bool open, int64_t microseconds)
{
    for (int64_t end = clock_now() + microseconds; clock_now() < end; usleep(1000))
        if (store_is_open(store) == open)
            return true;
    return false;
}

static struct store *opened(struct store *store)
{
    ck_assert_ptr_nonnull(store);
    ck_assert(await_open(store, true, HANGS_US));
    return store;
}

static struct store *open_store(void) { return opened(store_of_test()); }

/* One whose patience outlasts a machine that is busy with other things. */
static struct store *open_patient_store(void) { return opened(store_with(HANGS_US)); }

static void close_store(struct store *store)
{
    store_stop(store);
    store_drop(store);
}

static struct key key_of(const char *address)
{
    struct key key = {
        .encoder = mw_encoder_named("json"), .address = address, .length = strlen(address)};
    identity_of(address, key.length, key.id);
    return key;
}

/* A question and what came of it. */
struct asked {
    struct question *question;
    atomic_uint_least64_t steps, expected;
    atomic_int answers;
    struct blob *found;
};

static void on_answer(void *arg, struct blob *found)
{
    struct asked *asked = arg;
    asked->found = found;
    atomic_fetch_add(&asked->answers, 1);
}

static bool ask(struct store *store, const struct key *key, struct asked *asked)
{
    *asked = (struct asked){0};
    struct question_plan plan = {.key = key,
                                 .until = clock_now() + HANGS_US,
                                 .steps = &asked->steps,
                                 .expected = &asked->expected,
                                 .answer = on_answer,
                                 .arg = asked};
    return store_ask(store, &plan, &asked->question);
}

static bool is_answered(const struct asked *asked, int64_t microseconds)
{
    for (int64_t end = clock_now() + microseconds; clock_now() < end; usleep(1000))
        if (atomic_load(&asked->answers))
            return true;
    return false;
}

static void await_answer(const struct asked *asked)
{
    ck_assert(is_answered(asked, HANGS_US));
    ck_assert_int_eq(atomic_load(&asked->answers), 1);
}

static void settle(struct store *store, struct asked *asked)
{
    store_settle(store, asked->question);
    blob_drop(asked->found);
}

static bool has(char kind)
{
    char prefix[32];
    snprintf(prefix, sizeof prefix, "mapwright:%c:", kind);
    pthread_mutex_lock(&server.lock);
    bool any = false;
    for (int i = 0; i < SLOTS; i++)
        any |= !strncmp(server.slots[i].name, prefix, strlen(prefix));
    pthread_mutex_unlock(&server.lock);
    return any;
}

static void await_slot(char kind, bool there)
{
    for (int64_t end = clock_now() + HANGS_US; clock_now() < end && has(kind) != there;)
        usleep(1000);
    ck_assert_int_eq(has(kind), there);
}

/* ---- what it does ---------------------------------------------------------------------------- */

FIXTURE(begin_serving, end_serving)

TEST(keeps_maps)
{
    struct store *one = open_patient_store();
    struct key key = key_of("/regions?seed=1");
    struct asked first, second;
    ck_assert(ask(one, &key, &first));
    await_answer(&first);
    ck_assert_ptr_null(first.found);
    await_slot('w', true);
    store_keep(one, &key, "{}\n", 3);
    settle(one, &first);
    await_slot('w', false);
    ck_assert(ask(one, &key, &second));
    await_answer(&second);
    struct parcel parcel;
    ck_assert(second.found && parcel_open(second.found, &key, &parcel));
    ck_assert_mem_eq(parcel.bytes, "{}\n", 3);
    ck_assert(!has('w') && !has('s'));
    settle(one, &second);
    close_store(one);
}

/* Of two that ask for the same one is answered, and the other when that is done, with the map. */
TEST(lets_one_make_it)
{
    struct store *store = open_patient_store();
    struct key key = key_of("/regions?seed=1");
    struct asked first, second;
    ck_assert(ask(store, &key, &first));
    await_answer(&first);
    atomic_store(&first.steps, 30);
    atomic_store(&first.expected, 100);
    ck_assert(ask(store, &key, &second));
    for (int64_t end = clock_now() + HANGS_US; clock_now() < end && !atomic_load(&second.steps);)
        usleep(1000);
    ck_assert_uint_eq(atomic_load(&second.steps), 30);
    ck_assert_uint_eq(atomic_load(&second.expected), 100);
    ck_assert_int_eq(atomic_load(&second.answers), 0);
    ck_assert_int_gt(atomic_load(&server.renewed), 0); /* or it would be made twice */
    store_keep(store, &key, "{}\n", 3);
    settle(store, &first);
    await_answer(&second);
    ck_assert_ptr_nonnull(second.found);
    settle(store, &second);
    close_store(store);
}

TEST(goes_on_without_a_map)
{
    struct store *store = open_patient_store();
    struct key key = key_of("/regions?seed=1");
    struct asked first, second, third;
    ck_assert(ask(store, &key, &first));
    await_answer(&first);
    ck_assert(ask(store, &key, &second));
    ck_assert(ask(store, &key, &third));
    ck_assert(!is_answered(&second, 100000));
    bool taken = false; /* unless it is just being asked again */
    for (int i = 0; i < 1000 && !taken; i++, usleep(1000))
        taken = store_withdraw(store, third.question);
    ck_assert(taken);
    settle(store, &third);
    settle(store, &first); /* nothing came of it */
    await_answer(&second);
    ck_assert_ptr_null(second.found);
    await_slot('w', true);
    settle(store, &second);
    await_slot('w', false);
    ck_assert_int_eq(atomic_load(&third.answers), 0);
    close_store(store);
}

static void on_looked_up(struct lookup *lookup) { atomic_store((atomic_bool *)lookup->arg, true); }

static struct lookup look_up_for(struct store *store, const char *id, uint64_t client)
{
    atomic_bool done = false;
    struct lookup lookup = {.answer = on_looked_up, .arg = &done, .client = client};
    strcpy(lookup.id, id);
    ck_assert(store_look_up(store, &lookup));
    for (int64_t end = clock_now() + HANGS_US; clock_now() < end && !atomic_load(&done);)
        usleep(1000);
    ck_assert(atomic_load(&done));
    return lookup;
}

static char *look_up(struct store *store, const char *id)
{
    return look_up_for(store, id, 0).address;
}

/* As it is, or packed; believed only where the id is its own. */
TEST(knows_addresses)
{
    static char address[20000];
    struct store *store = open_patient_store();
    for (int i = 0; i < 2; i++) {
        empty_table();
        memset(address, '#', sizeof address);
        memcpy(address, "/regions?mask=", 14);
        address[i ? sizeof address - 1 : 100] = '\0';
        struct key key = key_of(address);
        store_note(store, &key);
        await_slot('a', true);
        char *found = look_up(store, key.id);
        ck_assert_str_eq(found, address);
        free(found);
        ck_assert_uint_lt(change_first(), 1000);
        ck_assert_ptr_null(look_up(store, key.id));
    }
    ck_assert_ptr_null(look_up(store, "00000000-0000-5000-8000-000000000001"));
    close_store(store);
}

static const char promised[] = "00000000-0000-5000-8000-000000000007";

static void await_promise(struct store *store, enum promise promise)
{
    for (int64_t end = clock_now() + HANGS_US; clock_now() < end; usleep(1000))
        if (look_up_for(store, promised, 7).promise == promise)
            return;
    ck_abort_msg("the promise is never %d", promise);
}

/* Of each client its own. What stands takes back nothing, and is made again where it was lost. */
TEST(knows_promises)
{
    struct store *store = open_patient_store();
    store_promise(store, PROMISE_WAIVED, promised, 7);
    store_promise(store, PROMISE_KEPT, promised, 7);
    await_promise(store, PROMISE_NONE);
    store_promise(store, PROMISE_STANDS, promised, 7);
    await_promise(store, PROMISE_MADE);
    ck_assert_int_eq(look_up_for(store, promised, 8).promise, PROMISE_NONE);
    ck_assert_int_eq(atomic_load(&waived), 0);
    store_promise(store, PROMISE_WAIVED, promised, 7);
    await_promise(store, PROMISE_WAIVED);
    store_promise(store, PROMISE_STANDS, promised, 7);
    for (int64_t end = clock_now() + HANGS_US; clock_now() < end && !atomic_load(&waived);)
        usleep(1000);
    ck_assert_int_eq(atomic_load(&waived), 1);
    store_promise(store, PROMISE_MADE, promised, 7);
    await_promise(store, PROMISE_MADE);
    store_promise(store, PROMISE_KEPT, promised, 7);
    await_promise(store, PROMISE_KEPT);
    close_store(store);
}

/* ---- what it does not do --------------------------------------------------------------------- */

/* Whatever the server does: each question is answered once, as if there were no store. */
TEST(is_never_in_the_way, .first = SILENT, .end = GONE + 1)
{
    enum mood mood = (enum mood)_i;
    struct store *store = open_store();
    struct key key = key_of("/regions?seed=1");
    struct asked asked[3];
    atomic_store(&server.mood, mood);
    for (int i = 0; i < COUNT(asked); i++) {
        if (!ask(store, &key, &asked[i]))
            asked[i] = (struct asked){.answers = 1};
        await_answer(&asked[i]);
        ck_assert_ptr_null(asked[i].found);
        store_keep(store, &key, "{}\n", 3);
        store_promise(store, PROMISE_STANDS, promised, 7);
        settle(store, &asked[i]);
    }
    bool stays = mood == FULL || mood == LOADING;
    ck_assert(mood == HONEST || await_open(store, stays, HANGS_US));
    atomic_store(&server.mood, HONEST);
    ck_assert(await_open(store, true, HANGS_US));
    close_store(store);
}

/* One that it does not answer is not asked again and again. */
TEST(leaves_it_alone)
{
    struct store *store = open_store();
    struct key key = key_of("/regions?seed=1");
    struct asked asked;
    atomic_store(&server.mood, SILENT);
    ck_assert(ask(store, &key, &asked));
    await_answer(&asked);
    settle(store, &asked);
    ck_assert(!store_is_open(store));
    int commands = atomic_load(&server.commands);
    for (int i = 0; i < 100; i++) {
        ck_assert(!ask(store, &key, &asked));
        store_note(store, &key);
    }
    ck_assert_int_le(atomic_load(&server.commands) - commands, 1);
    close_store(store);
}

TEST(ends_with_questions_open)
{
    struct store *store = open_store();
    struct key key = key_of("/regions?seed=1"), other = key_of("/regions?seed=2");
    struct asked first, second, third;
    ck_assert(ask(store, &key, &first));
    await_answer(&first);
    ck_assert(ask(store, &key, &second)); /* waits for the first */
    atomic_store(&server.mood, SILENT);
    ck_assert(ask(store, &other, &third));
    store_stop(store);
    await_answer(&second);
    await_answer(&third);
    ck_assert(!ask(store, &key, &(struct asked){0}));
    settle(store, &third);
    settle(store, &second);
    settle(store, &first);
    store_drop(store);
}

/* A claim is renewed by how far its run is, which may be gone before the claim is given back. */
TEST(looks_at_no_run_that_has_ended)
{
    struct store *store = open_patient_store();
    struct key key = key_of("/regions?seed=1");
    struct asked *asked =
        mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(asked != MAP_FAILED && ask(store, &key, asked));
    await_answer(asked);
    struct question *question = asked->question;
    store_let_go(store, question);
    munmap(asked, sizeof *asked);
    store_stop(store);
    store_settle(store, question);
    store_drop(store);
}

/* Each request for memory, a descriptor or a thread fails in turn. */
TEST(lives_without_means)
{
    struct key key = key_of("/regions?seed=1");
    for (int n = 1; n <= 40; n++) {
        struct asked asked = {0};
        empty_table();
        faults_begin(n);
        struct store *store = store_of_test();
        if (store && await_open(store, true, 20000) && ask(store, &key, &asked)) {
            await_answer(&asked);
            store_note(store, &key);
            store_promise(store, PROMISE_STANDS, key.id, 7);
            store_keep(store, &key, "{}\n", 3);
            settle(store, &asked);
        }
        if (store)
            close_store(store);
        faults_end();
    }
}
