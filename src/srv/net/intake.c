/* intake.c: reads requests from sockets in place of libmicrohttpd. */
#include "intake.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { READ_ROOM = 16 * 1024, MOST_DESCRIPTORS = 1 << 20 };

/* By descriptor, whose number may come back on another thread. Only pages that are used take
   memory. */
static _Atomic(struct intake *) intakes[MOST_DESCRIPTORS];

bool intake_attach(int fd, struct intake *intake, const struct intake_owner *owner)
{
    assert(fd >= 0 && intake && owner);
    if (fd >= MOST_DESCRIPTORS)
        return false;
    intake->owner = owner;
    intakes[fd] = intake;
    return true;
}

void intake_detach(int fd)
{
    assert(fd >= 0 && fd < MOST_DESCRIPTORS && intakes[fd]);
    intakes[fd] = NULL;
}

/* ---- requests -------------------------------------------------------------------------------- */

static void refuse(struct intake *intake, enum fault fault, const char *detail)
{
    intake->due = intake->last = true;
    intake->owner->refuse(intake, fault, detail);
}

/* A request is complete with its body; only then its Connection field takes effect. */
static void end_if_whole(struct intake *intake)
{
    intake->due = intake->body.state == BODY_NONE;
    intake->last |= intake->due && intake->closes;
}

/* Takes a head, if it is complete; how many bytes. */
static size_t take_head(struct intake *intake, struct span bytes)
{
    struct head head;
    head_read(&head, bytes);
    intake->bare = span_is(head.method, "HEAD");
    intake->old = head.old;
    intake->body = head.body;
    intake->closes = head.close;
    if (head.fault)
        refuse(intake, head.fault, head.detail);
    else if (head.length && !intake->owner->begin(intake, &head))
        intake->due = intake->last = true;
    else if (head.length)
        end_if_whole(intake);
    return head.length;
}

static size_t take_body(struct intake *intake, struct span bytes)
{
    bool malformed;
    struct span piece;
    size_t taken = body_take(&intake->body, bytes, &piece, &malformed);
    if (malformed)
        refuse(intake, FAULT_INVALID_REQUEST, "the body is not chunked as it should be");
    else if ((piece.length || intake->body.state == BODY_CHUNK_BYTES) &&
             !intake->owner->add(intake, piece))
        intake->due = intake->last = true;
    else
        end_if_whole(intake);
    return taken;
}

/* Takes as much of what is held as can be parsed, up to the end of a request. */
static void take(struct intake *intake)
{
    struct strbuf *held = &intake->held;
    size_t taken = 0, n = 1;
    while (!intake->due && n && taken < held->length) {
        struct span rest = {held->at + taken, held->length - taken};
        n = intake->body.state == BODY_NONE ? take_head(intake, rest) : take_body(intake, rest);
        taken += n;
    }
    strbuf_drop(held, taken);
    assert(intake->due || !held->length || !n);
    if (!held->length)
        strbuf_release(held);
}

/* Adds what has come to what is held; the outcome of recv(2). */
static ssize_t receive(struct intake *intake, int fd, int flags)
{
    char bytes[READ_ROOM];
    ssize_t n = recvfrom(fd, bytes, sizeof bytes, flags, NULL, NULL);
    intake->unread = n == (ssize_t)sizeof bytes;
    intake->ended = !n;
    strbuf_put(&intake->held, bytes, n > 0 ? (size_t)n : 0);
    if (intake->held.failed)
        refuse(intake, FAULT_UNAVAILABLE, "out of memory");
    return n;
}

bool intake_has_more(const struct intake *intake)
{
    return !intake->last && (intake->unread || intake->held.length);
}

bool intake_is_receiving(const struct intake *intake)
{
    return !intake->ended &&
           (intake->unread || intake->held.length || intake->body.state != BODY_NONE);
}

/* ---- what libmicrohttpd reads ---------------------------------------------------------------- */

static ssize_t fail(int reason)
{
    errno = reason;
    return -1;
}

/* Writes the head that libmicrohttpd gets in place of the request. */
static ssize_t announce(const struct intake *intake, char *to, size_t room)
{
    static const char *const heads[2][2][2] = {
        {{"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"},
         {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"}},
        {{"HEAD / HTTP/1.1\r\n\r\n", "HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n"},
         {"HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "HEAD / HTTP/1.0\r\n\r\n"}}};
    const char *head = heads[intake->bare][intake->old][intake->last];
    size_t length = strlen(head);
    if (length > room)
        return fail(ENOBUFS); /* libmicrohttpd has more room than that */
    memcpy(to, head, length);
    return (ssize_t)length;
}

/*
 * The one that libmicrohttpd calls. It takes EINTR for «there is more, ask again», and EAGAIN,
 * like fewer bytes than it has room for, for «nothing more, until epoll says so».
 */
ssize_t recv(int fd, void *to, size_t room, int flags)
{
    struct intake *intake = fd >= 0 && fd < MOST_DESCRIPTORS ? intakes[fd] : NULL;
    if (!intake)
        return recvfrom(fd, to, room, flags, NULL, NULL);
    if (intake->due)
        return fail(EINTR);
    if (intake->last)
        return 0;
    take(intake);
    ssize_t n = intake->due ? 1 : receive(intake, fd, flags);
    if (n <= 0)
        return n;
    take(intake);
    return intake->due ? announce(intake, to, room) : fail(intake->unread ? EINTR : EAGAIN);
}
