/* listen.c: the sockets that the service listens on. */
#include "listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 1024,
    UNSENT = 256 * 1024, /* bytes of an answer that the kernel holds before they can be sent */
};

/* Keeps the reason for a failure. -1 */
static int give_up(int fd)
{
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/* ---- ports ----------------------------------------------------------------------------------- */

static int try_listen(const struct addrinfo *at, bool shared)
{
    int one = 1, zero = 0, unsent = UNSENT;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (shared)
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent,
               sizeof unsent); /* connections inherit */
    if (at->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero);
    if (!bind(fd, at->ai_addr, at->ai_addrlen) && (!shared || !listen(fd, BACKLOG)))
        return fd;
    return give_up(fd);
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

/* If the port is taken, proposes another one. */
static void explain(const char *host, int port, bool admin, char why[320])
{
    int n = snprintf(why, 320, "%.80s port %d: %s", host, port, strerror(errno));
    int next = port < 65535 ? port + 1 : 8080;
    const char *flag = admin ? "admin-port" : "port", *name = admin ? "ADMIN_PORT" : "PORT";
    if (errno == EADDRINUSE)
        snprintf(why + n, 320 - (size_t)n,
                 ": give another one, by --%s=%d or MAPWRIGHT_%s=%d, as in "
                 "MAPWRIGHT_%s=%d make run",
                 flag, next, name, next, name, next);
}

int listen_tcp(const char *host, int port, bool first, bool admin, char why[320])
{
    bool any = !strcmp(host, "*");
    struct addrinfo *at = find_address(any ? "::" : host, port, why);
    if (!at)
        return -1;
    int fd = first ? try_listen(at, false) : 0;
    if (fd >= 0) {
        if (first)
            close(fd);
        fd = try_listen(at, true);
    }
    freeaddrinfo(at);
    if (fd < 0 && any && (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)) /* no IPv6 here */
        return listen_tcp("0.0.0.0", port, first, admin, why);
    if (fd < 0)
        explain(host, port, admin, why);
    return fd;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Whether a socket is there that no process listens on. */
static bool is_left_over(const struct sockaddr_un *at)
{
    struct stat file;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool left = !stat(at->sun_path, &file) && S_ISSOCK(file.st_mode) &&
                connect(fd, (const struct sockaddr *)(const void *)at, sizeof *at) &&
                errno == ECONNREFUSED;
    close(fd);
    return left;
}

int listen_unix(const char *path, char why[320])
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (is_left_over(&at))
        unlink(path);
    if (fd >= 0 && (bind(fd, (const struct sockaddr *)(const void *)&at, sizeof at) ||
                    chmod(path, 0666) || listen(fd, BACKLOG)))
        fd = give_up(fd);
    if (fd < 0)
        snprintf(why, 320, "--listen: %.107s: %s", path, strerror(errno));
    return fd;
}
