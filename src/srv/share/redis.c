/* redis.c: a connection to a Redis or Valkey. */
#include "redis.h"

#include "srv/base/clock.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECE = 64 * 1024, CONNECT_S = 1 };

struct redis {
    redisContext *context; /* connected by hiredis, which neither sends nor receives; has the reason
                              for a failure */
    gnutls_session_t tls;  /* NULL: plain TCP */
    int64_t until;         /* clock_now at which a call has failed */
    redisReplyObjectFunctions makers;
};

static bool fail(struct redis *redis, const char *reason)
{
    snprintf(redis->context->errstr, sizeof redis->context->errstr, "%s", reason);
    return false;
}

const char *redis_why(const struct redis *redis)
{
    return redis && redis->context ? redis->context->errstr : "out of memory";
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* The reason names what is wrong with the certificate, if that failed. */
static bool fail_tls(struct redis *redis, int error)
{
    gnutls_datum_t text = {0};
    if (error != GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR ||
        gnutls_certificate_verification_status_print(
            gnutls_session_get_verify_cert_status(redis->tls), GNUTLS_CRT_X509, &text, 0))
        return fail(redis, gnutls_strerror(error));
    fail(redis, (const char *)text.data);
    gnutls_free(text.data);
    return false;
}

/* After a call that returned n <= 0: waits until it can be repeated. False: it has failed, or not
   in time. */
static bool await(struct redis *redis, ssize_t n, short events)
{
    if (n == 0)
        return fail(redis, "it closed the connection");
    if (redis->tls && gnutls_error_is_fatal((int)n))
        return fail_tls(redis, (int)n);
    if (!redis->tls && errno != EAGAIN && errno != EINTR)
        return fail(redis, strerror(errno));
    if (redis->tls)
        events = gnutls_record_get_direction(redis->tls) ? POLLOUT : POLLIN;
    struct pollfd ready = {.fd = redis->context->fd, .events = events};
    int64_t left = redis->until - clock_now();
    if (poll(&ready, 1, left > 0 ? (int)((left + 999) / 1000) : 0) == 0)
        return fail(redis, "it does not answer in time");
    return true;
}

static bool send_all(struct redis *redis, const struct strbuf *bytes)
{
    for (size_t sent = 0; sent < bytes->length;) {
        const char *at = bytes->at + sent;
        size_t left = bytes->length - sent;
        ssize_t n = redis->tls ? gnutls_record_send(redis->tls, at, left)
                               : send(redis->context->fd, at, left, MSG_NOSIGNAL);
        if (n > 0)
            sent += (size_t)n;
        else if (!await(redis, n, POLLOUT))
            return false;
    }
    return true;
}

/* Waits for some bytes; 0: there will be none. */
static size_t receive(struct redis *redis, char bytes[PIECE])
{
    ssize_t n;
    do
        n = redis->tls ? gnutls_record_recv(redis->tls, bytes, PIECE)
                       : read(redis->context->fd, bytes, PIECE); /* recv is net/intake.c's */
    while (n <= 0 && await(redis, n, POLLIN));
    return n > 0 ? (size_t)n : 0;
}

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

static bool connect_to(struct redis *redis, const struct store_url *url)
{
    const struct timeval limit = {.tv_sec = CONNECT_S};
    redisContext *context = redisConnectWithTimeout(url->host, url->port, limit);
    redis->context = context;
    if (!context || context->err)
        return false;
    if (fcntl(context->fd, F_SETFL, O_NONBLOCK) || fcntl(context->fd, F_SETFD, FD_CLOEXEC))
        return fail(redis, strerror(errno));
    redis->makers = *context->reader->fn;
    redis->makers.createArray = refuse_list;
    context->reader->fn = &redis->makers;
    return true;
}

static bool is_address(const char *host)
{
    unsigned char address[16];
    return inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
}

static int init_tls(struct redis *redis, const char *host, gnutls_certificate_credentials_t trust)
{
    int error = gnutls_init(&redis->tls, GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL);
    if (error)
        return error;
    gnutls_transport_set_int(redis->tls, redis->context->fd);
    gnutls_session_set_verify_cert(redis->tls, host, 0);
    if (!is_address(host))
        error = gnutls_server_name_set(redis->tls, GNUTLS_NAME_DNS, host, strlen(host));
    if (!error)
        error = gnutls_set_default_priority(redis->tls);
    return error ? error : gnutls_credentials_set(redis->tls, GNUTLS_CRD_CERTIFICATE, trust);
}

static bool begin_tls(struct redis *redis, const char *host, gnutls_certificate_credentials_t trust)
{
    redis->until = clock_now() + CONNECT_S * INT64_C(1000000);
    int error = init_tls(redis, host, trust);
    if (error)
        return fail(redis, gnutls_strerror(error));
    while ((error = gnutls_handshake(redis->tls)))
        if (!await(redis, error, POLLIN))
            return false;
    return true;
}

/* False: it is an error. */
static bool is_status(struct redis *redis, const redisReply *reply)
{
    bool error = reply->type == REDIS_REPLY_ERROR;
    return reply->type == REDIS_REPLY_STATUS ||
           fail(redis, error ? reply->str : "it does not answer as Redis does");
}

static bool greet(struct redis *redis, const struct store_url *url, int64_t patience)
{
    struct redis_batch batch = {0};
    if (*url->password && *url->user)
        redis_format(&batch, "AUTH %s %s", url->user, url->password);
    else if (*url->password)
        redis_format(&batch, "AUTH %s", url->password);
    if (url->database)
        redis_format(&batch, "SELECT %d", url->database);
    redis_format(&batch, "PING");
    bool good = redis_ask(redis, &batch, patience);
    for (size_t i = 0; good && i < batch.count; i++)
        good = is_status(redis, batch.replies[i]);
    redis_release(&batch);
    return good;
}

bool redis_open(struct redis **to, const struct store_url *at,
                gnutls_certificate_credentials_t trust, int64_t patience)
{
    struct redis *redis = *to = calloc(1, sizeof *redis);
    return redis && connect_to(redis, at) && (!trust || begin_tls(redis, at->host, trust)) &&
           greet(redis, at, patience);
}

void redis_close(struct redis *redis)
{
    if (redis && redis->tls)
        gnutls_deinit(redis->tls);
    if (redis && redis->context)
        redisFree(redis->context);
    free(redis);
}

bool redis_is_usable(const struct redis *redis)
{
    struct pollfd readable = {.fd = redis->context->fd, .events = POLLIN};
    return poll(&readable, 1, 0) == 0;
}

/* ---- commands and answers -------------------------------------------------------------------- */

void redis_format(struct redis_batch *batch, const char *format, ...)
{
    char *command = NULL;
    va_list list;
    va_start(list, format);
    int length = redisvFormatCommand(&command, format, list);
    va_end(list);
    batch->count++;
    batch->commands.failed |= length <= 0;
    if (length <= 0)
        return;
    strbuf_put(&batch->commands, command, (size_t)length);
    redisFreeCommand(command);
}

void redis_release(struct redis_batch *batch)
{
    for (size_t i = 0; batch->replies && i < batch->count; i++)
        freeReplyObject(batch->replies[i]); /* NULL is fine */
    free(batch->replies);
    strbuf_release(&batch->commands);
    *batch = (struct redis_batch){0};
}

/* NULL: it has failed. */
static redisReply *await_reply(struct redis *redis)
{
    char bytes[PIECE];
    void *reply = NULL;
    while (redisReaderGetReply(redis->context->reader, &reply) == REDIS_OK && !reply) {
        if (redis->context->reader->len > REDIS_LONGEST) {
            fail(redis, "it sends more than was asked for");
            return NULL;
        }
        size_t n = receive(redis, bytes);
        if (!n)
            return NULL;
        redisReaderFeed(redis->context->reader, bytes, n); /* the next call returns its errors */
    }
    if (!reply)
        fail(redis, redis->context->reader->errstr);
    return reply;
}

static bool await_replies(struct redis *redis, struct redis_batch *batch)
{
    const redisReader *reader = redis->context->reader;
    for (size_t i = 0; i < batch->count; i++)
        if (!(batch->replies[i] = await_reply(redis)))
            return false;
    return reader->pos == reader->len || fail(redis, "it sends more than was asked for");
}

bool redis_ask(struct redis *redis, struct redis_batch *batch, int64_t patience)
{
    assert(batch->count > 0 && !batch->replies);
    redis->until = clock_now() + patience;
    batch->replies = calloc(batch->count, sizeof *batch->replies);
    if (batch->commands.failed || !batch->replies)
        return fail(redis, "out of memory");
    return send_all(redis, &batch->commands) && await_replies(redis, batch);
}
