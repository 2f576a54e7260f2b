/* linger.c: delayed close of sockets. */
#include "linger.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LINGER_US = 2000000,
    MOST_BYTES = 32 << 20, /* of one of them */
    READ_ROOM = 64 * 1024,
};

void linger(struct lingering *all, struct loop *loop, int fd)
{
    int copy = all->count < MOST_LINGERING ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
    if (copy < 0)
        return;
    loop_watch(loop, copy, EPOLLIN, NULL);
    all->sockets[all->count++] = (struct linger_socket){copy, loop->now + LINGER_US, 0};
}

/* Reads once, so that a client that sends without end does not delay others. */
static bool is_over(struct linger_socket *one, int64_t now)
{
    char nowhere[READ_ROOM];
    ssize_t n = recvfrom(one->fd, nowhere, sizeof nowhere, MSG_DONTWAIT, NULL, NULL);
    one->bytes += n > 0 ? (size_t)n : 0;
    return !n || (n < 0 && errno != EAGAIN) || one->bytes > MOST_BYTES || now >= one->until;
}

void linger_run(struct lingering *all, struct loop *loop, int64_t now)
{
    for (int i = all->count - 1; i >= 0; i--)
        if (is_over(&all->sockets[i], now)) {
            loop_unwatch(loop, all->sockets[i].fd);
            close(all->sockets[i].fd);
            all->sockets[i] = all->sockets[--all->count];
        }
}
