/* redis.c: a connection to a Redis or Valkey. */
#include "redis.h"

#include "srv/base/clock.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 64 * 1024 };

struct redis {
    int fd;
    size_t longest; /* bytes of an answer */
    redisReader *reader;
    redisReplyObjectFunctions makers;
};

/* Always false, so that a caller can return it. */
static bool fail(char why[REDIS_WHY], const char *reason)
{
    snprintf(why, REDIS_WHY, "%s", reason);
    return false;
}

/* ---- connecting ------------------------------------------------------------------------------ */

size_t redis_resolve(const struct store_url *url, struct redis_host hosts[], size_t most,
                     char why[REDIS_WHY])
{
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found;
    snprintf(port, sizeof port, "%d", url->port);
    int outcome = getaddrinfo(url->host, port, &hints, &found);
    if (outcome)
        return fail(why, gai_strerror(outcome));
    size_t n = 0;
    for (const struct addrinfo *one = found; one && n < most; one = one->ai_next, n++) {
        assert(one->ai_addrlen <= sizeof hosts[n].address);
        memcpy(&hosts[n].address, one->ai_addr, one->ai_addrlen);
        hosts[n].length = one->ai_addrlen;
    }
    freeaddrinfo(found);
    return n;
}

/* Whole milliseconds, rounded up. */
static int milliseconds_until(int64_t until)
{
    int64_t left = until - clock_now();
    return left <= 0 ? 0 : left > 3600000000 ? 3600000 : (int)((left + 999) / 1000);
}

static bool await(const struct redis *redis, short events, int64_t until, short *ready,
                  char why[REDIS_WHY])
{
    struct pollfd one = {.fd = redis->fd, .events = events};
    int n = poll(&one, 1, milliseconds_until(until));
    *ready = one.revents;
    if (n == 0)
        return fail(why, "it does not answer in time");
    return n > 0 || errno == EINTR || fail(why, strerror(errno));
}

static bool connect_to(struct redis *redis, const struct redis_host *host, int64_t until,
                       char why[REDIS_WHY])
{
    int one = 1, reason = 0;
    socklen_t length = sizeof reason;
    short ready = 0;
    redis->fd = socket(host->address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (redis->fd < 0)
        return fail(why, strerror(errno));
    setsockopt(redis->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    const struct sockaddr *address = (const struct sockaddr *)(const void *)&host->address;
    if (connect(redis->fd, address, host->length) && errno != EINPROGRESS)
        return fail(why, strerror(errno));
    while (!ready)
        if (!await(redis, POLLOUT, until, &ready, why))
            return false;
    if (getsockopt(redis->fd, SOL_SOCKET, SO_ERROR, &reason, &length) || reason)
        return fail(why, strerror(reason));
    return true;
}

#if HIREDIS_MAJOR >= 1
typedef size_t list_length;
#else
typedef int list_length;
#endif

/* No command of ours is answered by a list, and a list may claim to be of any length. */
static void *refuse_list(const redisReadTask *task, list_length length)
{
    (void)task, (void)length;
    return NULL;
}

static bool make_reader(struct redis *redis, char why[REDIS_WHY])
{
    redis->reader = redisReaderCreate();
    if (!redis->reader)
        return fail(why, "out of memory");
    redis->makers = *redis->reader->fn;
    redis->makers.createArray = refuse_list;
    redis->reader->fn = &redis->makers;
    return true;
}

/* A copy of the first answer that is not good. */
static void note_refusal(void *arg, const redisReply *reply)
{
    char *why = arg;
    if (reply->type != REDIS_REPLY_STATUS && !*why)
        fail(why, reply->type == REDIS_REPLY_ERROR ? reply->str : "it does not talk as Redis does");
}

static bool greet(struct redis *redis, const struct store_url *url, int64_t until,
                  char why[REDIS_WHY])
{
    struct strbuf commands = {0};
    char refusal[REDIS_WHY] = "";
    if (*url->password && *url->user)
        redis_format(&commands, "AUTH %s %s", url->user, url->password);
    else if (*url->password)
        redis_format(&commands, "AUTH %s", url->password);
    if (url->database)
        redis_format(&commands, "SELECT %d", url->database);
    redis_format(&commands, "PING");
    size_t count = 1u + (*url->password ? 1 : 0) + (url->database ? 1 : 0);
    bool answered = redis_ask(redis, &commands, count, note_refusal, refusal, until, why);
    strbuf_release(&commands);
    return answered && (!*refusal || fail(why, refusal));
}

struct redis *redis_open(const struct store_url *url, const struct redis_host *host,
                         size_t longest_answer, int64_t until, char why[REDIS_WHY])
{
    struct redis *redis = calloc(1, sizeof *redis);
    if (!redis) {
        fail(why, "out of memory");
        return NULL;
    }
    redis->fd = -1;
    redis->longest = longest_answer;
    if (connect_to(redis, host, until, why) && make_reader(redis, why) &&
        greet(redis, url, until, why))
        return redis;
    redis_close(redis);
    return NULL;
}

void redis_close(struct redis *redis)
{
    if (redis->reader)
        redisReaderFree(redis->reader);
    if (redis->fd >= 0)
        close(redis->fd);
    free(redis);
}

bool redis_is_usable(const struct redis *redis)
{
    struct pollfd one = {.fd = redis->fd, .events = POLLIN};
    return !poll(&one, 1, 0);
}

/* ---- commands and answers -------------------------------------------------------------------- */

bool redis_format(struct strbuf *to, const char *format, ...)
{
    char *command = NULL;
    va_list list;
    va_start(list, format);
    int length = redisvFormatCommand(&command, format, list);
    va_end(list);
    if (length > 0)
        strbuf_put(to, command, (size_t)length);
    to->failed |= length <= 0;
    if (length > 0)
        redisFreeCommand(command);
    return !to->failed;
}

/* Commands on their way, and the answers that have come. */
struct talk {
    const struct strbuf *commands;
    size_t sent, answered, count;
    redis_answer *answer;
    void *arg;
};

static bool send_some(struct redis *redis, struct talk *talk, char why[REDIS_WHY])
{
    ssize_t n = send(redis->fd, talk->commands->at + talk->sent,
                     talk->commands->length - talk->sent, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        return fail(why, strerror(errno));
    talk->sent += n > 0 ? (size_t)n : 0;
    assert(talk->sent <= talk->commands->length);
    return true;
}

static bool take_answers(struct redis *redis, struct talk *talk, char why[REDIS_WHY])
{
    void *reply = NULL;
    for (;;) {
        if (redisReaderGetReply(redis->reader, &reply) != REDIS_OK)
            return fail(why, "it does not talk as Redis does");
        if (!reply)
            return true;
        bool expected = talk->answered < talk->count;
        if (expected)
            talk->answer(talk->arg, reply);
        freeReplyObject(reply);
        if (!expected)
            return fail(why, "it speaks unasked");
        talk->answered++;
    }
}

static bool receive_some(struct redis *redis, struct talk *talk, char why[REDIS_WHY])
{
    char bytes[PIECE];
    ssize_t n = read(redis->fd, bytes, sizeof bytes);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0)
        return fail(why, n ? strerror(errno) : "it closed the connection");
    if (redisReaderFeed(redis->reader, bytes, (size_t)n) != REDIS_OK)
        return fail(why, "out of memory");
    if (!take_answers(redis, talk, why))
        return false;
    return redis->reader->len <= redis->longest || fail(why, "it says more than was asked for");
}

bool redis_ask(struct redis *redis, const struct strbuf *commands, size_t count,
               redis_answer *answer, void *arg, int64_t until, char why[REDIS_WHY])
{
    struct talk talk = {.commands = commands, .count = count, .answer = answer, .arg = arg};
    assert(count > 0);
    if (commands->failed)
        return fail(why, "out of memory");
    while (talk.answered < count) {
        bool more = talk.sent < commands->length;
        short ready;
        if (!await(redis, (short)(POLLIN | (more ? POLLOUT : 0)), until, &ready, why) ||
            (ready & POLLOUT && more && !send_some(redis, &talk, why)) ||
            (ready & (POLLIN | POLLERR | POLLHUP) && !receive_some(redis, &talk, why)))
            return false;
    }
    return talk.sent == commands->length || fail(why, "it speaks unasked");
}
