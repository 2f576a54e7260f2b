/*
 * output.c: answers on their way to clients.
 *
 * The bound. A blob is kept by the cache or loose (blob.h). It begins loose, and only after room
 * was promised: loose and promised bytes together are at most the limit then. When the cache takes
 * it, its bytes move from here to there; when the cache lets go of one that is still being sent,
 * they move back. Neither changes their sum, and the cache keeps to its own limit, so all blobs
 * together never take more than both limits. (Problems and pages ask for no room, being small; they
 * are counted, so that answers yield to them.) What the cache let go of may pass the limit here;
 * then nothing new is made until enough has been ended.
 *
 * Whom it ends. A client takes bytes when its side acknowledges them, which the kernel counts
 * (TCP_INFO); what libmicrohttpd has handed to the kernel tells little. From the bytes that were
 * taken since its window began follows how long a send would go on, and the longest goes first.
 * None that would be over within a window is ended: else of many good readers who ask for more than
 * there is room for each would be cut before its end, and none would get there. If there are only
 * such, the new answer is refused. A blob that many send is freed by the last of them, so each
 * counts for its share; one that the cache keeps frees nothing, and is left alone.
 *
 * A socket is shut with what the kernel still holds for it thrown away. Its thread finds that as if
 * the client had gone. It may be shut by any thread, as it is not closed before it is forgotten.
 *
 * The least speed is the same measure taken once a window, by the send's own thread. Where the
 * kernel does not tell (no TCP), a send may take as long as all of it would at that speed.
 */
#include "output.h"

#include "srv/base/clock.h"
#include "srv/say/metrics.h"

#include <assert.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

enum {
    PAUSE_US = 5000,      /* between two looks for room */
    PATIENCE_US = 500000, /* after so long an answer is refused */
    MEASURED_US = 100000, /* what was watched for a shorter time is not judged */
    AT_A_TIME = 64,       /* ended at most, in one look */
    MAY_LAST = 64 * 1024, /* bytes that a socket may not take at once */
};

struct output {
    struct output_plan plan;
    uint64_t least; /* bytes in a window */
    pthread_mutex_t lock;
    struct sending *first; /* of those watched */
    size_t promised;
};

struct output *output_new(const struct output_plan *plan)
{
    assert(plan->limit && plan->window > 0);
    struct output *output = calloc(1, sizeof *output);
    if (!output)
        return NULL;
    output->plan = *plan;
    output->least = (uint64_t)plan->rate * (uint64_t)plan->window / 1000000;
    pthread_mutex_init(&output->lock, NULL);
    return output;
}

void output_drop(struct output *output)
{
    assert(!output->first && !output->promised);
    pthread_mutex_destroy(&output->lock);
    free(output);
}

/* ---- what clients take ----------------------------------------------------------------------- */

/* False: the kernel does not tell. */
static bool ask_taken(int fd, uint64_t *taken)
{
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) ||
        length < offsetof(struct tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked)
        return false;
    *taken = info.tcpi_bytes_acked;
    return true;
}

/* Microseconds for the rest, at the speed since the window began. */
static uint64_t time_left(const struct sending *sending, int64_t now)
{
    uint64_t taken = sending->taken, length = sending->blob->length;
    ask_taken(sending->fd, &taken);
    uint64_t bytes = taken - sending->taken;
    uint64_t rest = length > bytes ? length - bytes : 0;
    return rest * (uint64_t)(now - sending->since) / (bytes + 1);
}

bool output_may_last(const struct output *output, size_t length)
{
    return length > MAY_LAST || length > output->least;
}

bool output_is_taken(struct output *output, struct sending *sending, int64_t now)
{
    uint64_t taken;
    if (!ask_taken(sending->fd, &taken))
        return (uint64_t)(now - sending->started) / 1000000 * output->plan.rate <
               sending->blob->length;
    pthread_mutex_lock(&output->lock);
    bool enough = taken - sending->taken >= output->least;
    sending->taken = taken;
    sending->since = now;
    pthread_mutex_unlock(&output->lock);
    return enough;
}

void output_watch(struct output *output, struct sending *sending, int64_t now)
{
    assert(!sending->watched && sending->blob);
    sending->watched = true;
    sending->ended = false;
    sending->started = sending->since = now;
    sending->taken = 0;
    ask_taken(sending->fd, &sending->taken);
    pthread_mutex_lock(&output->lock);
    sending->before = NULL;
    sending->next = output->first;
    if (sending->next)
        sending->next->before = sending;
    output->first = sending;
    pthread_mutex_unlock(&output->lock);
}

void output_forget(struct output *output, struct sending *sending)
{
    assert(sending->watched);
    pthread_mutex_lock(&output->lock);
    *(sending->before ? &sending->before->next : &output->first) = sending->next;
    if (sending->next)
        sending->next->before = sending->before;
    pthread_mutex_unlock(&output->lock);
    sending->watched = false;
}

void output_end(struct sending *sending)
{
    static const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    setsockopt(sending->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    shutdown(sending->fd, SHUT_RDWR);
}

/* ---- room, under the lock -------------------------------------------------------------------- */

/* What would be freed if this one were over, as far as that is known. */
static size_t share(const struct sending *sending)
{
    struct blob *blob = sending->blob;
    if (atomic_load_explicit(&blob->kept, memory_order_relaxed))
        return 0;
    return blob_weight(blob) / atomic_load_explicit(&blob->refs, memory_order_relaxed);
}

/* The one that would go on longest, and longer than a window; NULL: none. */
static struct sending *find_slowest(const struct output *output)
{
    struct sending *slowest = NULL;
    for (struct sending *sending = output->first; sending; sending = sending->next)
        if (!sending->ended && share(sending) &&
            sending->left > (slowest ? slowest->left : (uint64_t)output->plan.window))
            slowest = sending;
    return slowest;
}

/* Bytes that are on their way out already. */
static size_t measure(struct output *output)
{
    size_t leaving = 0;
    int64_t now = clock_now();
    for (struct sending *sending = output->first; sending; sending = sending->next) {
        leaving += sending->ended ? share(sending) : 0;
        bool measured = now - sending->since >= MEASURED_US;
        sending->left = measured ? time_left(sending, now) : 0;
    }
    return leaving;
}

/* Ends sends until so many bytes are on their way out, or none is slow. */
static void end_slowest(struct output *output, size_t wanted)
{
    size_t leaving = measure(output);
    for (int i = 0; i < AT_A_TIME && leaving < wanted; i++) {
        struct sending *slowest = find_slowest(output);
        if (!slowest)
            return;
        leaving += share(slowest);
        slowest->ended = true;
        output_end(slowest);
        metrics_count(COUNT_UNREAD, 1);
    }
}

/* Whether there is room for so many; if not, some will be made. */
static bool has_room(struct output *output, size_t bytes)
{
    size_t held = blob_loose() + output->promised + bytes;
    if (held > output->plan.limit)
        end_slowest(output, held - output->plan.limit);
    return held <= output->plan.limit;
}

/* ---- room ------------------------------------------------------------------------------------ */

bool output_has_room(struct output *output, size_t bytes)
{
    pthread_mutex_lock(&output->lock);
    bool room = has_room(output, bytes);
    if (room)
        output->promised += bytes;
    pthread_mutex_unlock(&output->lock);
    return room;
}

enum room output_make_room(struct output *output, size_t bytes)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_US * 1000};
    if (bytes > output->plan.limit)
        return ROOM_NEVER;
    for (int turn = 0; turn <= PATIENCE_US / PAUSE_US; turn++) {
        if (output_has_room(output, bytes))
            return ROOM_THERE;
        nanosleep(&pause, NULL);
    }
    return ROOM_NONE;
}

void output_made(struct output *output, size_t bytes)
{
    pthread_mutex_lock(&output->lock);
    assert(output->promised >= bytes);
    output->promised -= bytes;
    pthread_mutex_unlock(&output->lock);
}

bool output_relieve(struct output *output)
{
    if (blob_loose() < output->plan.limit / 2)
        return false;
    pthread_mutex_lock(&output->lock);
    has_room(output, 0);
    pthread_mutex_unlock(&output->lock);
    return true;
}
