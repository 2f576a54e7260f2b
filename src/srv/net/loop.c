/* loop.c: what an I/O thread waits on. */
#include "loop.h"

#include "srv/base/clock.h"

#include <assert.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { EVENTS = 64 };

bool loop_init(struct loop *loop)
{
    *loop = (struct loop){.now = clock_now(),
                          .epoll = epoll_create1(EPOLL_CLOEXEC),
                          .event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    /* each write is an event, so it is never read */
    return loop->epoll >= 0 && loop->event >= 0 &&
           loop_watch(loop, loop->event, EPOLLIN | EPOLLET, NULL);
}

void loop_release(struct loop *loop)
{
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
}

void loop_wake(struct loop *loop) { eventfd_write(loop->event, 1); }
