/* linger.c: delayed close of sockets. */
#include "linger.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LINGER_MS = 2000,
    MOST_BYTES = 32 << 20, /* of one of them */
    MOST_SOCKETS = 256,
    READ_ROOM = 16 * 1024,
};

struct linger_socket {
    struct watcher watcher;
    struct lingering *lingering;
    LIST_ENTRY(linger_socket) link;
    int fd;
    int64_t until;
    size_t bytes; /* discarded */
};

static void drop(struct linger_socket *one)
{
    LIST_REMOVE(one, link);
    one->lingering->count--;
    loop_unwatch(one->lingering->loop, one->fd);
    close(one->fd);
    free(one);
}

/* Once a round, so that a client that sends without end does not delay others. */
static void discard(struct watcher *watcher, uint32_t events)
{
    struct linger_socket *one = (struct linger_socket *)(void *)watcher;
    char nowhere[READ_ROOM];
    ssize_t n = recvfrom(one->fd, nowhere, sizeof nowhere, MSG_DONTWAIT, NULL, NULL);
    one->bytes += n > 0 ? (size_t)n : 0;
    if (!n || (n < 0 && errno != EAGAIN) || one->bytes > MOST_BYTES ||
        events & (EPOLLHUP | EPOLLERR))
        drop(one);
}

void linger(struct lingering *all, int fd)
{
    struct linger_socket *one = all->count < MOST_SOCKETS ? calloc(1, sizeof *one) : NULL;
    if (!one)
        return;
    one->watcher.ready = discard;
    one->lingering = all;
    one->until = loop_after_ms(all->loop, LINGER_MS);
    LIST_INSERT_HEAD(&all->sockets, one, link);
    all->count++;
    one->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (one->fd < 0 || !loop_watch(all->loop, one->fd, EPOLLIN, &one->watcher))
        drop(one);
}

void linger_end(struct lingering *all, int64_t now)
{
    for (struct linger_socket *one = LIST_FIRST(&all->sockets), *next; one; one = next) {
        next = LIST_NEXT(one, link);
        if (one->until <= now)
            drop(one);
    }
    assert(LIST_EMPTY(&all->sockets) == !all->count);
}
