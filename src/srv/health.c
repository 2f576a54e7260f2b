/* health.c: asks a service on this machine whether it is alive. */
#include "srv/health.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAIT_S = 3, PLACE_ROOM = 192 };

static bool open_connection(int *fd, const struct sockaddr *at, socklen_t length)
{
    struct timeval wait = {.tv_sec = WAIT_S};
    *fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*fd < 0)
        return false;
    setsockopt(*fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    setsockopt(*fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    return !connect(*fd, at, length);
}

static bool connect_to_socket(int *fd, const char *path)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s", path);
    return open_connection(fd, (const struct sockaddr *)(const void *)&at, sizeof at);
}

/* If it listens everywhere, here too. */
static const char *near_host(const char *host)
{
    if (!strcmp(host, "*") || !strcmp(host, "0.0.0.0"))
        return "127.0.0.1";
    return strcmp(host, "::") ? host : "::1";
}

/* The one for operators answers when the other is full. */
static bool connect_to_port(int *fd, const struct config *config, char place[PLACE_ROOM])
{
    char port[16];
    const char *host = near_host(config->host);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *at;
    snprintf(port, sizeof port, "%d", config->admin_port ? config->admin_port : config->port);
    snprintf(place, PLACE_ROOM, "%.128s port %s", host, port);
    errno = EINVAL;
    if (getaddrinfo(host, port, &hints, &at))
        return false;
    bool good = open_connection(fd, at->ai_addr, at->ai_addrlen);
    freeaddrinfo(at);
    return good;
}

/* The start of the answer. */
static bool ask(int fd, char *answer, size_t room)
{
    static const char request[] =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    size_t length = 0;
    ssize_t n = send(fd, request, sizeof request - 1, MSG_NOSIGNAL);
    while (n > 0 && length < room - 1) {
        n = recv(fd, answer + length, room - 1 - length, 0);
        length += n > 0 ? (size_t)n : 0;
    }
    answer[length] = '\0';
    return n >= 0;
}

bool health_ask(const struct config *config)
{
    static const char right[] = "HTTP/1.1 200 ";
    int fd = -1;
    char answer[256], place[PLACE_ROOM];
    snprintf(place, sizeof place, "%s", config->socket ? config->socket : "");
    bool connected = config->socket && !config->admin_port ? connect_to_socket(&fd, config->socket)
                                                           : connect_to_port(&fd, config, place);
    bool answered = connected && ask(fd, answer, sizeof answer);
    bool alive = answered && !strncmp(answer, right, sizeof right - 1);
    if (!answered)
        fprintf(stderr, "mapwrightd: no answer from %s: %s\n", place, strerror(errno));
    else if (!alive)
        fprintf(stderr, "mapwrightd: %s is not alive: it says '%.*s'\n", place,
                (int)strcspn(answer, "\r\n"), answer);
    if (fd >= 0)
        close(fd);
    return alive;
}
