/* sending.c: whether a client takes its answer fast enough. */
#include "sending.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

enum {
    MAY_LAST = 64 * 1024, /* bytes that a socket may not take at once */
    MEASURED_US = 100000, /* a shorter time is too short to measure a client's speed */
};

/* Bytes that the client has acknowledged, in all. What libmicrohttpd has handed to the kernel may
   still wait there. */
static uint64_t acknowledged(const struct sending *sending)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    getsockopt(sending->fd, IPPROTO_TCP, TCP_INFO, &info, &length);
    return info.tcpi_bytes_acked;
}

static void begin_window(struct sending *sending, int64_t now)
{
    sending->taken = acknowledged(sending);
    sending->since = now;
}

/* What a client must take in each --send-ms. */
static uint64_t least_taken(const struct config *config)
{
    return (uint64_t)config->send_rate * (uint64_t)config->send_ms / 1000;
}

void sending_begin(struct sending *sending, int fd, struct blob *blob, const struct config *config,
                   int64_t now)
{
    *sending = (struct sending){.blob = blob, .fd = fd};
    if (blob && (blob->length > MAY_LAST || blob->length > least_taken(config)))
        begin_window(sending, now);
}

bool sending_keeps_pace(struct sending *sending, const struct config *config, int64_t now)
{
    uint64_t before = sending->taken;
    if (!sending->blob || !sending->since)
        return false;
    begin_window(sending, now);
    return sending->taken - before >= least_taken(config);
}

/* Whether the rest would take longer than --send-ms at the speed of this window. A send that will
   soon be complete is never slow: otherwise, of many good readers, none would finish. */
static bool is_slow(struct sending *sending, const struct config *config, int64_t now)
{
    if (!sending->since)
        begin_window(sending, now);
    int64_t measured = now - sending->since;
    if (measured < MEASURED_US)
        return false;
    uint64_t taken = acknowledged(sending) - sending->taken, length = sending->blob->length;
    uint64_t rest = length > taken ? length - taken : 0;
    return rest * (uint64_t)measured / (taken + 1) > (uint64_t)config->send_ms * 1000;
}

void sending_end(const struct sending *sending)
{
    static const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(sending->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    shutdown(sending->fd, SHUT_RDWR);
}

/* A blob that is sent to many clients is freed by the last of them, so each counts for its share.
   One that the cache keeps frees nothing. */
size_t sending_end_if_slow(struct sending *sending, const struct config *config, int64_t now)
{
    struct blob *blob = sending->blob;
    if (!blob || atomic_load_explicit(&blob->kept, memory_order_relaxed) ||
        !is_slow(sending, config, now))
        return 0;
    sending_end(sending);
    sending->since = INT64_MAX; /* not ended twice */
    return blob_weight(blob) / atomic_load_explicit(&blob->refs, memory_order_relaxed);
}
