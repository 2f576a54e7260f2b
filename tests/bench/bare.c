/*
 * bare.c: the least that a libmicrohttpd server can do, to measure ours against.
 *
 *     bare PORT THREADS BODY [NAME VALUE] ...
 *
 * It answers every request with BODY and the given header fields, from one shared response; bodies
 * of requests are received and dropped. Nothing is parsed, looked up or counted. Its loops are like
 * ours: a daemon and a listening socket for each thread, polled from outside.
 */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static struct MHD_Response *shared;

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    static int seen;
    (void)cls, (void)url, (void)method, (void)version, (void)data;
    if (*state && !*size)
        return MHD_queue_response(connection, MHD_HTTP_OK, shared);
    *state = &seen;
    *size = 0;
    return MHD_YES;
}

static int listen_on(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), one = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 1024)) {
        perror("bare: listen");
        exit(1);
    }
    return fd;
}

static void *loop(void *daemon)
{
    struct pollfd epoll = {.fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd,
                           .events = POLLIN};
    for (;;) {
        MHD_UNSIGNED_LONG_LONG ms;
        int wait = MHD_get_timeout(daemon, &ms) == MHD_YES && ms < 500 ? (int)ms : 500;
        if (wait > 0)
            poll(&epoll, 1, wait);
        MHD_run(daemon);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return fprintf(stderr, "usage: bare PORT THREADS BODY [NAME VALUE] ...\n"), 2;
    signal(SIGPIPE, SIG_IGN);
    shared = MHD_create_response_from_buffer(strlen(argv[3]), argv[3], MHD_RESPMEM_PERSISTENT);
    for (int i = 4; i + 1 < argc; i += 2)
        MHD_add_response_header(shared, argv[i], argv[i + 1]);
    uint16_t port = (uint16_t)atoi(argv[1]);
    pthread_t thread;
    for (int i = 0; i < atoi(argv[2]); i++) {
        struct MHD_Daemon *daemon =
            MHD_start_daemon(MHD_USE_EPOLL, port, NULL, NULL, answer, NULL,
                             MHD_OPTION_LISTEN_SOCKET, listen_on(port), MHD_OPTION_END);
        if (!daemon || pthread_create(&thread, NULL, loop, daemon))
            return fprintf(stderr, "bare: cannot start\n"), 1;
    }
    pthread_join(thread, NULL);
    return 0;
}
