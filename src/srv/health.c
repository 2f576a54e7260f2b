/* health.c: asks a service on this machine whether it is alive. See health.h. */
#include "srv/health.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE = 3 }; /* seconds, to send and to receive */

/* Where it listens; where that is everywhere, here. */
static const char *near_host(const char *host)
{
    if (!strcmp(host, "*") || !strcmp(host, "0.0.0.0"))
        return "127.0.0.1";
    return strcmp(host, "::") ? host : "::1";
}

static int connect_to(const struct sockaddr *at, socklen_t length)
{
    struct timeval patience = {.tv_sec = PATIENCE};
    int fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (!connect(fd, at, length))
        return fd;
    close(fd);
    return -1;
}

static int connect_to_port(const char *host, int port)
{
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *at;
    if (getaddrinfo(host, service, &hints, &at))
        return errno = EINVAL, -1;
    int fd = connect_to(at->ai_addr, at->ai_addrlen);
    freeaddrinfo(at);
    return fd;
}

static int connect_to_socket(const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    return connect_to((const struct sockaddr *)(const void *)&at, sizeof at);
}

/* The start of the answer, as far as there is one. */
static bool exchange(int fd, char *answer, size_t room)
{
    static const char request[] =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    size_t length = 0;
    ssize_t got = send(fd, request, strlen(request), MSG_NOSIGNAL);
    while (got > 0 && length < room - 1 &&
           (got = recv(fd, answer + length, room - 1 - length, 0)) > 0)
        length += (size_t)got;
    answer[length] = '\0';
    return got >= 0;
}

bool health_ask(const struct config *config)
{
    char answer[256] = "", place[192];
    const char *host = near_host(config->host);
    int port = config->admin_port ? config->admin_port : config->port;
    bool by_path = config->socket && !config->admin_port;
    int fd = by_path ? connect_to_socket(config->socket) : connect_to_port(host, port);
    bool answered = fd >= 0 && exchange(fd, answer, sizeof answer);
    if (by_path)
        snprintf(place, sizeof place, "%s", config->socket);
    else
        snprintf(place, sizeof place, "%.128s port %d", host, port);
    if (!answered)
        fprintf(stderr, "mapwrightd: no answer from %s: %s\n", place, strerror(errno));
    else if (strncmp(answer, "HTTP/1.1 200 ", strlen("HTTP/1.1 200 ")))
        fprintf(stderr, "mapwrightd: %s is not alive: it says '%.*s'\n", place,
                (int)strcspn(answer, "\r\n"), answer);
    else
        return close(fd), true;
    if (fd >= 0)
        close(fd);
    return false;
}
