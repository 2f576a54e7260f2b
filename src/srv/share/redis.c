/* redis.c: a connection to a Redis or Valkey. */
#include "redis.h"

#include "srv/base/clock.h"

#include <assert.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 64 * 1024, CONNECT_US = 1000000, MOST_GREETINGS = 3 };

struct redis {
    struct channel channel;
    size_t longest; /* bytes of an answer */
    redisReader *reader;
    redisReplyObjectFunctions makers;
};

/* ---- connecting ------------------------------------------------------------------------------ */

#if HIREDIS_MAJOR >= 1
typedef size_t list_length;
#else
typedef int list_length;
#endif

/* None of our commands returns a list, and a list may claim any length. */
static void *refuse_list(const redisReadTask *task, list_length length)
{
    (void)task, (void)length;
    return NULL;
}

static bool make_reader(struct redis *redis, char why[CHANNEL_WHY])
{
    redis->reader = redisReaderCreate();
    if (!redis->reader)
        return channel_fail(why, "out of memory");
    redis->makers = *redis->reader->fn;
    redis->makers.createArray = refuse_list;
    redis->reader->fn = &redis->makers;
    return true;
}

/* False: `why` is the first answer that is an error. */
static bool is_welcome(redisReply *const replies[], size_t count, char why[CHANNEL_WHY])
{
    for (size_t i = 0; i < count; i++)
        if (replies[i]->type == REDIS_REPLY_ERROR)
            return channel_fail(why, replies[i]->str);
        else if (replies[i]->type != REDIS_REPLY_STATUS)
            return channel_fail(why, "it does not talk as Redis does");
    return true;
}

static bool greet(struct redis *redis, const struct store_url *url, int64_t patience,
                  char why[CHANNEL_WHY])
{
    struct strbuf commands = {0};
    redisReply *replies[MOST_GREETINGS];
    if (*url->password && *url->user)
        redis_format(&commands, "AUTH %s %s", url->user, url->password);
    else if (*url->password)
        redis_format(&commands, "AUTH %s", url->password);
    if (url->database)
        redis_format(&commands, "SELECT %d", url->database);
    redis_format(&commands, "PING");
    size_t count = 1u + (*url->password ? 1 : 0) + (url->database ? 1 : 0);
    bool answered = redis_ask(redis, &commands, replies, count, patience, why);
    strbuf_release(&commands);
    bool welcome = answered && is_welcome(replies, count, why);
    if (answered)
        redis_free_replies(replies, count);
    return welcome;
}

static struct redis *open_at(const struct redis_plan *plan, const struct addrinfo *address,
                             char why[CHANNEL_WHY])
{
    struct redis *redis = calloc(1, sizeof *redis);
    if (!redis) {
        channel_fail(why, "out of memory");
        return NULL;
    }
    redis->longest = plan->longest_answer;
    if (channel_open(&redis->channel, address, plan->at->host, plan->trust,
                     clock_now() + CONNECT_US, why) &&
        make_reader(redis, why) && greet(redis, plan->at, plan->patience, why))
        return redis;
    redis_close(redis);
    return NULL;
}

struct redis *redis_open(const struct redis_plan *plan, char why[CHANNEL_WHY])
{
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *found;
    struct redis *redis = NULL;
    snprintf(port, sizeof port, "%d", plan->at->port);
    int error = getaddrinfo(plan->at->host, port, &hints, &found);
    if (error) {
        channel_fail(why, gai_strerror(error));
        return NULL;
    }
    for (const struct addrinfo *one = found; one && !redis; one = one->ai_next)
        redis = open_at(plan, one, why);
    freeaddrinfo(found);
    return redis;
}

void redis_close(struct redis *redis)
{
    if (redis->reader)
        redisReaderFree(redis->reader);
    channel_close(&redis->channel);
    free(redis);
}

bool redis_is_usable(struct redis *redis)
{
    char byte, why[CHANNEL_WHY];
    return !channel_receive(&redis->channel, &byte, 1, why);
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

void redis_free_replies(redisReply *replies[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        freeReplyObject(replies[i]);
}

/* Commands on their way, and the replies that have come. */
struct dialogue {
    const struct strbuf *commands;
    redisReply **replies;
    size_t sent, answered, count;
};

static bool send_some(struct redis *redis, struct dialogue *dialogue, char why[CHANNEL_WHY])
{
    const struct strbuf *commands = dialogue->commands;
    ssize_t n = 1;
    while (n > 0 && dialogue->sent < commands->length) {
        n = channel_send(&redis->channel, commands->at + dialogue->sent,
                         commands->length - dialogue->sent, why);
        dialogue->sent += n > 0 ? (size_t)n : 0;
    }
    return n >= 0;
}

static bool take_replies(struct redis *redis, struct dialogue *dialogue, char why[CHANNEL_WHY])
{
    void *reply = NULL;
    for (;;) {
        if (redisReaderGetReply(redis->reader, &reply) != REDIS_OK)
            return channel_fail(why, "it does not talk as Redis does");
        if (!reply)
            return true;
        if (dialogue->answered == dialogue->count) {
            freeReplyObject(reply);
            return channel_fail(why, "it speaks unasked");
        }
        dialogue->replies[dialogue->answered++] = reply;
    }
}

static bool receive_some(struct redis *redis, struct dialogue *dialogue, char why[CHANNEL_WHY])
{
    char bytes[PIECE];
    ssize_t n;
    while ((n = channel_receive(&redis->channel, bytes, sizeof bytes, why)) > 0) {
        if (redisReaderFeed(redis->reader, bytes, (size_t)n) != REDIS_OK)
            return channel_fail(why, "out of memory");
        if (!take_replies(redis, dialogue, why))
            return false;
        if (redis->reader->len > redis->longest)
            return channel_fail(why, "it says more than was asked for");
    }
    return !n;
}

static bool converse(struct redis *redis, struct dialogue *dialogue, int64_t until,
                     char why[CHANNEL_WHY])
{
    while (send_some(redis, dialogue, why) && receive_some(redis, dialogue, why)) {
        bool more = dialogue->sent < dialogue->commands->length;
        if (dialogue->answered == dialogue->count)
            return !more || channel_fail(why, "it speaks unasked");
        if (!channel_await(&redis->channel, (short)(more ? POLLIN | POLLOUT : POLLIN), until, why))
            return false;
    }
    return false;
}

bool redis_ask(struct redis *redis, const struct strbuf *commands, redisReply *replies[],
               size_t count, int64_t patience, char why[CHANNEL_WHY])
{
    struct dialogue dialogue = {.commands = commands, .replies = replies, .count = count};
    assert(count > 0);
    if (commands->failed)
        return channel_fail(why, "out of memory");
    if (converse(redis, &dialogue, clock_now() + patience, why))
        return true;
    redis_free_replies(replies, dialogue.answered);
    return false;
}
