/* health.c: asks a service on this machine whether it is alive. See health.h. */
#include "srv/health.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE = 3 }; /* seconds, to send and to receive */

/* Where it listens; where that is everywhere, here. */
static const char *near_host(const char *host)
{
    if (!strcmp(host, "0.0.0.0"))
        return "127.0.0.1";
    return strcmp(host, "::") ? host : "::1";
}

static int connect_to(const char *host, int port)
{
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *at;
    if (getaddrinfo(host, service, &hints, &at))
        return errno = EINVAL, -1;
    int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval patience = {.tv_sec = PATIENCE};
    if (fd >= 0) {
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (connect(fd, at->ai_addr, at->ai_addrlen)) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(at);
    return fd;
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
    char answer[256] = "";
    const char *host = near_host(config->host);
    int port = config->admin_port ? config->admin_port : config->port;
    int fd = connect_to(host, port);
    bool answered = fd >= 0 && exchange(fd, answer, sizeof answer);
    if (!answered)
        fprintf(stderr, "mapwrightd: no answer from %s port %d: %s\n", host, port, strerror(errno));
    else if (strncmp(answer, "HTTP/1.1 200 ", strlen("HTTP/1.1 200 ")))
        fprintf(stderr, "mapwrightd: %s port %d is not alive: it says '%.*s'\n", host, port,
                (int)strcspn(answer, "\r\n"), answer);
    else
        return close(fd), true;
    if (fd >= 0)
        close(fd);
    return false;
}
