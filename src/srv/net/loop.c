/* loop.c: what an I/O thread waits on. */
#include "loop.h"

#include "srv/base/clock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    EVENTS = 64,
    LINGER_US = 2000000,
    MOST_BYTES = 32 << 20, /* of a socket that lingers */
    READ_ROOM = 64 * 1024,
};

bool loop_init(struct loop *loop)
{
    *loop = (struct loop){.now = clock_now(),
                          .epoll = epoll_create1(EPOLL_CLOEXEC),
                          .event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    /* each write is an event, so it is never read */
    return loop->epoll >= 0 && loop->event >= 0 &&
           loop_watch(loop, loop->event, EPOLLIN | EPOLLET, NULL);
}

void loop_linger(struct loop *loop, int fd)
{
    int copy = loop->lingering < MOST_LINGERING ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (copy < 0)
        return;
    loop_watch(loop, copy, EPOLLIN, NULL);
    loop->sockets[loop->lingering++] = (struct linger_socket){copy, loop->now + LINGER_US, 0};
}

/* Reads once, so that a client that sends without end does not delay others. */
static bool is_over(struct linger_socket *one, int64_t now)
{
    char nowhere[READ_ROOM];
    ssize_t n = recvfrom(one->fd, nowhere, sizeof nowhere, MSG_DONTWAIT, NULL, NULL);
    one->bytes += n > 0 ? (size_t)n : 0;
    return !n || (n < 0 && errno != EAGAIN) || one->bytes > MOST_BYTES || now >= one->until;
}

/* Closes those that are done or over their time. */
static void discard_input(struct loop *loop, int64_t now)
{
    for (int i = loop->lingering - 1; i >= 0; i--)
        if (is_over(&loop->sockets[i], now)) {
            loop_unwatch(loop, loop->sockets[i].fd);
            close(loop->sockets[i].fd);
            loop->sockets[i] = loop->sockets[--loop->lingering];
        }
}

void loop_release(struct loop *loop)
{
    discard_input(loop, INT64_MAX);
    if (loop->event >= 0)
        close(loop->event);
    if (loop->epoll >= 0)
        close(loop->epoll);
    loop->event = loop->epoll = -1;
}

bool loop_watch(struct loop *loop, int fd, uint32_t events, struct watcher *watcher)
{
    assert(fd >= 0 && (!watcher || watcher->ready));
    struct epoll_event event = {.events = events, .data.ptr = watcher};
    return !epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event);
}

bool loop_unwatch(struct loop *loop, int fd)
{
    return !epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
}

void loop_wait(struct loop *loop, int milliseconds)
{
    struct epoll_event events[EVENTS];
    assert(milliseconds >= 0);
    int64_t due = loop_after_ms(loop, milliseconds);
    int n = epoll_wait(loop->epoll, events, EVENTS, milliseconds);
    assert(n <= EVENTS);
    loop->now = clock_now();
    loop->late = loop->now > due ? loop->now - due : 0;
    for (int i = 0; i < n; i++) {
        struct watcher *watcher = events[i].data.ptr;
        if (watcher)
            watcher->ready(watcher, events[i].events);
    }
    discard_input(loop, loop->now);
}

void loop_wake(struct loop *loop) { eventfd_write(loop->event, 1); }
