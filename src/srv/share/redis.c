/*
 * redis.c: a link to a Redis or Valkey.
 *
 * Of hiredis there is but its reader and writer of the protocol: its links wait without bound, or
 * assert that a server never speaks unasked.
 */
#include "redis.h"

#include "srv/base/clock.h"
#include "srv/base/strbuf.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    CONNECT_US = 1000000,
    FIRST_PAUSE_US = 250000,
    LONGEST_PAUSE_US = 8000000,
    PIECE = 64 * 1024,
    KEPT = 64 * 1024,
    MOST_WORDS = 8,
    WHY_ROOM = 128,
};

enum state { CLOSED, CONNECTING, GREETING, OPEN };

struct pending {
    struct pending *next;
    redis_answer *answer;
    void *arg;
    int64_t until; /* clock_now; INT64_MAX: its answer is never late */
};

struct redis {
    struct redis_plan plan;
    enum state state;
    int fd;
    redisReader *reader;
    redisReplyObjectFunctions makers;
    struct strbuf out;
    size_t sent;                     /* of it */
    struct pending *first, **last;   /* in the order of their answers */
    int64_t connect_until, retry_at; /* clock_now */
    int64_t pause;
    bool refused; /* the greeting was */
    bool told;    /* that there is no link */
    char why[WHY_ROOM];
};

struct redis *redis_new(const struct redis_plan *plan)
{
    struct redis *redis = calloc(1, sizeof *redis);
    if (!redis)
        return NULL;
    redis->plan = *plan;
    redis->fd = -1;
    redis->last = &redis->first;
    redis->pause = FIRST_PAUSE_US;
    return redis;
}

/* ---- the end of a link ----------------------------------------------------------------------- */

static void say_why(struct redis *redis, const char *why)
{
    snprintf(redis->why, sizeof redis->why, "%s", why);
}

static void answer_first(struct redis *redis, const redisReply *reply)
{
    struct pending *pending = redis->first;
    redis->first = pending->next;
    if (!redis->first)
        redis->last = &redis->first;
    pending->answer(pending->arg, reply);
    free(pending);
}

static void shut(struct redis *redis)
{
    if (redis->fd >= 0)
        close(redis->fd);
    if (redis->reader)
        redisReaderFree(redis->reader);
    redis->fd = -1;
    redis->reader = NULL;
    strbuf_reset(&redis->out, KEPT);
    redis->sent = 0;
    redis->state = CLOSED;
    while (redis->first)
        answer_first(redis, NULL);
}

static void break_off(struct redis *redis, const char *why)
{
    bool first = !redis->told;
    say_why(redis, why);
    redis->retry_at = clock_now() + redis->pause;
    redis->pause = redis->pause * 2 < LONGEST_PAUSE_US ? redis->pause * 2 : LONGEST_PAUSE_US;
    redis->told = true;
    shut(redis);
    if (first)
        redis->plan.changed(redis->plan.arg, false, redis->why);
}

void redis_drop(struct redis *redis)
{
    shut(redis);
    strbuf_release(&redis->out);
    free(redis);
}

bool redis_is_open(const struct redis *redis) { return redis->state == OPEN; }

size_t redis_unsent(const struct redis *redis) { return redis->out.length - redis->sent; }

/* ---- commands -------------------------------------------------------------------------------- */

static bool expect(struct redis *redis, int64_t until, redis_answer *answer, void *arg)
{
    struct pending *pending = malloc(sizeof *pending);
    if (!pending)
        return false;
    *pending = (struct pending){.answer = answer, .arg = arg, .until = until};
    *redis->last = pending;
    redis->last = &pending->next;
    return true;
}

static bool write_command(struct redis *redis, const struct redis_word *words)
{
    const char *texts[MOST_WORDS];
    size_t lengths[MOST_WORDS];
    int n = 0;
    for (; words[n].text; n++) {
        assert(n < MOST_WORDS);
        texts[n] = words[n].text;
        lengths[n] = words[n].length;
    }
    char *command;
    int length = redisFormatCommandArgv(&command, n, texts, lengths);
    if (length < 0)
        return false;
    strbuf_put(&redis->out, command, (size_t)length);
    free(command);
    return !redis->out.failed;
}

/* Half a command cannot be taken back; and answers come in order, that there is none as well. */
static void send_command(struct redis *redis, const struct redis_word *words, int64_t until,
                         redis_answer *answer, void *arg)
{
    bool expected = expect(redis, until, answer, arg);
    if (!expected || !write_command(redis, words))
        break_off(redis, "out of memory");
    if (!expected)
        answer(arg, NULL);
}

/* What was not late shows that the server keeps up. */
static int64_t patience_from(const struct redis *redis, bool urgent)
{
    return urgent ? clock_now() + redis->plan.patience : INT64_MAX;
}

void redis_send(struct redis *redis, const struct redis_word *words, bool urgent,
                redis_answer *answer, void *arg)
{
    if (redis->state == OPEN)
        send_command(redis, words, patience_from(redis, urgent), answer, arg);
    else
        answer(arg, NULL);
}

/* ---- opening --------------------------------------------------------------------------------- */

static void on_greeted(void *arg, const redisReply *reply)
{
    struct redis *redis = arg;
    if (!reply || reply->type == REDIS_REPLY_STATUS || redis->refused)
        return;
    redis->refused = true;
    say_why(redis,
            reply->type == REDIS_REPLY_ERROR ? reply->str : "it does not talk as Redis does");
}

static struct redis_word word(const char *text)
{
    return (struct redis_word){text, text ? strlen(text) : 0};
}

static void say(struct redis *redis, const char *what, const char *one, const char *other)
{
    bool both = *one;
    const struct redis_word words[] = {word(what), word(both ? one : other),
                                       both ? word(other) : word(NULL), word(NULL)};
    if (redis->state == GREETING)
        send_command(redis, words, patience_from(redis, true), on_greeted, redis);
}

static void greet(struct redis *redis)
{
    char database[16];
    const struct store_url *at = &redis->plan.at;
    snprintf(database, sizeof database, "%d", at->database);
    redis->state = GREETING;
    redis->refused = false;
    if (*at->password)
        say(redis, "AUTH", at->user, at->password);
    if (at->database)
        say(redis, "SELECT", "", database);
    say(redis, "PING", "", NULL);
}

#if HIREDIS_MAJOR >= 1
typedef size_t list_length;
#else
typedef int list_length;
#endif

/* Nothing that we ask for is answered by a list, and one may claim to be as long as it likes. */
static void *refuse_list(const redisReadTask *task, list_length length)
{
    (void)task, (void)length;
    return NULL;
}

static bool make_reader(struct redis *redis)
{
    redis->reader = redisReaderCreate();
    if (!redis->reader)
        return false;
    redis->makers = *redis->reader->fn;
    redis->makers.createArray = refuse_list;
    redis->reader->fn = &redis->makers;
    return true;
}

static int connect_to(const struct addrinfo *at)
{
    int one = 1;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (!connect(fd, at->ai_addr, at->ai_addrlen) || errno == EINPROGRESS)
        return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/* -1: `why` says why not. */
static int find_and_connect(const struct store_url *to, const char **why)
{
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found;
    snprintf(port, sizeof port, "%d", to->port);
    int outcome = getaddrinfo(to->host, port, &hints, &found), fd = -1;
    if (outcome) {
        *why = gai_strerror(outcome);
        return -1;
    }
    for (const struct addrinfo *at = found; at && fd < 0; at = at->ai_next)
        fd = connect_to(at);
    *why = fd < 0 ? strerror(errno) : NULL;
    freeaddrinfo(found);
    return fd;
}

static void open_link(struct redis *redis)
{
    const char *why = "out of memory";
    redis->fd = find_and_connect(&redis->plan.at, &why);
    if (redis->fd < 0 || !make_reader(redis)) {
        break_off(redis, why ? why : "out of memory");
        return;
    }
    redis->state = CONNECTING;
    redis->connect_until = clock_now() + CONNECT_US;
}

static void end_connecting(struct redis *redis)
{
    int reason = 0;
    socklen_t length = sizeof reason;
    if (getsockopt(redis->fd, SOL_SOCKET, SO_ERROR, &reason, &length) || reason)
        break_off(redis, strerror(reason));
    else
        greet(redis);
}

static void end_greeting(struct redis *redis)
{
    if (redis->state != GREETING || redis->first)
        return;
    char why[WHY_ROOM];
    snprintf(why, sizeof why, "%s", redis->why);
    if (redis->refused) {
        break_off(redis, why);
        return;
    }
    redis->state = OPEN;
    redis->told = false;
    redis->plan.changed(redis->plan.arg, true, "");
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void write_out(struct redis *redis)
{
    while (redis->fd >= 0 && redis_unsent(redis)) {
        ssize_t n = send(redis->fd, redis->out.at + redis->sent, redis_unsent(redis), MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            break_off(redis, strerror(errno));
        if (n < 0)
            return;
        redis->sent += (size_t)n;
    }
    strbuf_reset(&redis->out, KEPT);
    redis->sent = 0;
}

static void take_reply(struct redis *redis, const redisReply *reply)
{
    if (!redis->first) {
        break_off(redis, "it speaks unasked");
        return;
    }
    if (redis->first->until != INT64_MAX && redis->state == OPEN)
        redis->pause = FIRST_PAUSE_US;
    answer_first(redis, reply);
}

static void read_replies(struct redis *redis)
{
    void *reply = NULL;
    while (redis->reader) {
        if (redisReaderGetReply(redis->reader, &reply) != REDIS_OK)
            break_off(redis, "it does not talk as Redis does");
        else if (!reply)
            return;
        else
            take_reply(redis, reply);
        freeReplyObject(reply);
        reply = NULL;
    }
}

/* False: there is nothing more now. */
static bool read_piece(struct redis *redis)
{
    char bytes[PIECE];
    ssize_t n = read(redis->fd, bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0) {
        if (!n || errno != EAGAIN)
            break_off(redis, n ? strerror(errno) : "it closed the connection");
        return false;
    }
    if (redisReaderFeed(redis->reader, bytes, (size_t)n) != REDIS_OK)
        break_off(redis, "out of memory");
    else
        read_replies(redis);
    if (redis->reader && redis->reader->len > redis->plan.longest)
        break_off(redis, "it says more than was ever told");
    return redis->fd >= 0 && n == (ssize_t)sizeof bytes;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* When the link is to be seen to, whatever comes. */
static int64_t due_at(const struct redis *redis)
{
    int64_t due = redis->state == CLOSED       ? redis->retry_at
                  : redis->state == CONNECTING ? redis->connect_until
                                               : INT64_MAX;
    const struct pending *one = redis->first;
    while (one && one->until == INT64_MAX)
        one = one->next; /* the first of the others is the earliest */
    return one && one->until < due ? one->until : due;
}

static bool wants_to_write(const struct redis *redis)
{
    return redis->state == CONNECTING || redis_unsent(redis);
}

/* Whole milliseconds, rounded up. */
static int poll_ms(const struct redis *redis, int64_t microseconds)
{
    int64_t now = clock_now(), due = due_at(redis);
    int64_t left = due - now < microseconds ? due - now : microseconds;
    return left <= 0 ? 0 : left > 3600000000 ? 3600000 : (int)((left + 999) / 1000);
}

static void handle(struct redis *redis, int events)
{
    if (redis->state == CONNECTING && events & (POLLOUT | POLLERR | POLLHUP))
        end_connecting(redis);
    else if (events & (POLLIN | POLLERR | POLLHUP))
        while (read_piece(redis))
            continue;
    end_greeting(redis);
}

static void see_to_clock(struct redis *redis)
{
    if (clock_now() < due_at(redis))
        return;
    if (redis->state == CLOSED)
        open_link(redis);
    else
        break_off(redis, redis->state == CONNECTING ? "it does not take the connection in time"
                                                    : "it does not answer in time");
}

void redis_wait(struct redis *redis, int wake, int64_t microseconds)
{
    write_out(redis);
    struct pollfd fds[] = {
        {.fd = wake, .events = POLLIN},
        {.fd = redis->fd, .events = (short)(POLLIN | (wants_to_write(redis) ? POLLOUT : 0))}};
    poll(fds, 2, poll_ms(redis, microseconds));
    if (fds[1].fd >= 0 && fds[1].revents)
        handle(redis, fds[1].revents);
    write_out(redis);
    see_to_clock(redis);
}
