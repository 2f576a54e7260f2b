/* listen.c: listening sockets. */
#include "listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

static int try_listen(const struct addrinfo *at, bool shared)
{
    int one = 1, zero = 0;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (shared)
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (at->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
    if (!bind(fd, at->ai_addr, at->ai_addrlen) && (!shared || !listen(fd, BACKLOG)))
        return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

static struct addrinfo *find_address(const char *host, int port, char why[320])
{
    char service[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV},
                    *found;
    snprintf(service, sizeof service, "%d", port);
    int outcome = getaddrinfo(host, service, &hints, &found);
    if (!outcome)
        return found;
    snprintf(why, 320, "--host: '%.80s': %s", host, gai_strerror(outcome));
    return NULL;
}

int listen_on(const char *host, int port, bool first, char why[320])
{
    struct addrinfo *at = find_address(host, port, why);
    if (!at)
        return -1;
    int fd = first ? try_listen(at, false) : 0;
    if (fd >= 0) {
        if (first)
            close(fd);
        fd = try_listen(at, true);
    }
    freeaddrinfo(at);
    if (fd < 0)
        snprintf(why, 320, "%.80s port %d: %s", host, port, strerror(errno));
    return fd;
}
