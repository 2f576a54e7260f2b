/* health.c: asks a service on this machine whether it is alive. */
#include "srv/health.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAIT_S = 3, PLACE_ROOM = 192 };

/* The address of its port or path. The one for operators answers when the other is full. To
   connect to 0.0.0.0 or :: is to connect to this machine. */
static socklen_t find(const struct config *config, char place[PLACE_ROOM],
                      struct sockaddr_storage *to)
{
    char port[16];
    const char *host = strcmp(config->host, "*") ? config->host : "127.0.0.1";
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *at;
    if (config->socket && !config->admin_port) {
        struct sockaddr_un *path = (struct sockaddr_un *)(void *)to;
        path->sun_family = AF_UNIX;
        snprintf(path->sun_path, sizeof path->sun_path, "%s", config->socket);
        snprintf(place, PLACE_ROOM, "%s", config->socket);
        return sizeof *path;
    }
    snprintf(port, sizeof port, "%d", config->admin_port ? config->admin_port : config->port);
    snprintf(place, PLACE_ROOM, "%.128s port %s", host, port);
    if (getaddrinfo(host, port, &hints, &at))
        return 0;
    socklen_t length = at->ai_addrlen;
    memcpy(to, at->ai_addr, length);
    freeaddrinfo(at);
    return length;
}

/* The start of the answer. False: none came, errno says why. */
static bool ask(int fd, const struct sockaddr_storage *at, socklen_t length, char answer[256])
{
    static const char request[] =
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    struct timeval wait = {.tv_sec = WAIT_S};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    if (connect(fd, (const struct sockaddr *)at, length))
        return false;
    ssize_t n = send(fd, request, sizeof request - 1, MSG_NOSIGNAL);
    n = n > 0 ? recv(fd, answer, 255, MSG_WAITALL) : n;
    answer[n > 0 ? n : 0] = '\0';
    return n >= 0;
}

bool health_ask(const struct config *config)
{
    static const char right[] = "HTTP/1.1 200 ";
    char answer[256], place[PLACE_ROOM];
    struct sockaddr_storage at = {.ss_family = AF_UNSPEC};
    socklen_t length = find(config, place, &at);
    int fd = socket(length ? at.ss_family : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answered = ask(fd, &at, length, answer);
    bool alive = answered && !strncmp(answer, right, sizeof right - 1);
    if (!answered)
        fprintf(stderr, "mapwrightd: no answer from %s: %s\n", place, strerror(errno));
    else if (!alive)
        fprintf(stderr, "mapwrightd: %s is not alive: it says '%.*s'\n", place,
                (int)strcspn(answer, "\r\n"), answer);
    close(fd);
    return alive;
}
