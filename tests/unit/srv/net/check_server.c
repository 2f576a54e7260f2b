/* check_server.c: the server with its sockets in this process, whatever cannot be had. */
#include "faults.h"
#include "srv/net/server.h"
#include "srv/out/problem.h"
#include "unit/unit.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static struct service service;
static int port;

/* A port that is free, or one that another listens on as long as *fd is open. */
static int some_port(int *fd)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    *fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert(!bind(*fd, (struct sockaddr *)&at, length) && !listen(*fd, 1));
    ck_assert(!getsockname(*fd, (struct sockaddr *)&at, &length));
    return ntohs(at.sin_port);
}

/* Once in a process: packing takes its time, and threads do not live on in a fork. */
static void start(void)
{
    static struct config config = {
        .host = "127.0.0.1",
        .threads = 1,
        .workers = 1,
        .queue = 4,
        .connections = 8,
        .cache_bytes = 4 << 20,
        .output_bytes = 64 << 20,
        .max_body = 20000,
        .memory = 4 << 20,
        .wait_ms = 60000,
        .deadline_ms = 60000,
        .header_ms = 60000,
        .body_ms = 60000,
        .send_ms = 60000,
        .idle_ms = 60000,
        .drain_ms = 60000,
    };
    const char *what;
    int fd;
    config.port = port = some_port(&fd);
    close(fd);
    config.admin_port = some_port(&fd);
    close(fd);
    ck_assert(problem_init() && service_init(&service, &config, &what));
}

static void stop(void)
{
    service_release(&service);
    problem_release();
}

static struct server *serve(char why[320])
{
    atomic_store(&service.draining, false);
    return server_start(&service, why);
}

static void end(struct server *server)
{
    atomic_store(&service.draining, true);
    server_drain(server);
    server_drop(server);
}

/* ---- asking ---------------------------------------------------------------------------------- */

#define MAP "GET /regions?width=12&height=8&count=4&seed=1 HTTP/1.1\r\nHost: a\r\n"

/* What is sent on one connection, and the status of each answer. */
static const struct {
    const char *text, *statuses;
} talks[] = {
    {MAP "Connection: close\r\n\r\n", "200 "},
    {MAP "\r\n" MAP "X-Request-Id: own\r\n\r\n" MAP "If-None-Match: *\r\n\r\n"
         "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\nno http\r\n\r\n",
     "200 200 304 204 400 "},
    {"GET /regions?seed=2 HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n", "304 "},
};

static int connect_to(int to)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)to),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct timeval patience = {.tv_sec = 20};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (!connect(fd, (struct sockaddr *)&at, sizeof at))
        return fd;
    close(fd);
    return -1;
}

/* Whether these are the answers, up to the end of the connection. */
static bool ask(int to, const char *text, const char *statuses)
{
    static char answers[1 << 16];
    char found[80] = "";
    size_t length = 0;
    ssize_t n = 1;
    int fd = connect_to(to);
    if (fd < 0)
        return false;
    for (size_t half = strlen(text) / 2, i = 0; i < 2; i++)
        send(fd, text + i * half, i ? strlen(text) - half : half, MSG_NOSIGNAL);
    for (; n > 0 || (n < 0 && errno == EINTR); length += n > 0 ? (size_t)n : 0)
        n = recv(fd, answers + length, sizeof answers - 1 - length, 0);
    close(fd);
    answers[length] = '\0';
    for (const char *at = answers; (at = strstr(at, "HTTP/1.1 ")) && strlen(found) < 60;)
        strncat(found, at += 9, 4);
    return !strcmp(found, statuses);
}

/* ---- whatever cannot be had ------------------------------------------------------------------ */

FIXTURE(start, stop)

TEST(starts_or_says_why_not)
{
    bool faulted = true;
    char why[320];
    for (int n = 1; faulted && n < 2000; n++) {
        *why = '\0';
        atomic_store(&service.draining, false);
        faults_begin(n);
        struct server *server = server_start(&service, why);
        faulted = faults_end();
        ck_assert_msg(server || (faulted && *why), "request %d", n);
        if (server)
            end(server);
    }
    ck_assert(!faulted);
}

/* One client gets no answer, or another one; those after it are served. */
TEST(serves_the_others, .first = 1, .end = COUNT(talks))
{
    char why[320];
    bool faulted = true;
    struct server *server = serve(why);
    ck_assert_msg(server, "%s", why);
    for (int n = 1; faulted && n < 1000; n++) {
        faults_begin(n);
        bool good = ask(port, talks[_i].text, talks[_i].statuses);
        faulted = faults_end();
        ck_assert_msg(good || faulted, "request %d", n);
        ck_assert_msg(ask(port, talks[0].text, talks[0].statuses), "after request %d", n);
    }
    ck_assert(!faulted);
    end(server);
}

TEST(knows_the_admin_port)
{
    char why[320];
    struct server *server = serve(why);
    ck_assert(ask(service.config.admin_port,
                  "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "200 "));
    ck_assert(ask(service.config.admin_port, talks[0].text, "404 "));
    end(server);
}

TEST(listens_alone)
{
    int fd, taken = some_port(&fd);
    char why[320];
    service.config.port = taken;
    ck_assert_ptr_null(serve(why));
    ck_assert_ptr_nonnull(strstr(why, "Address already in use"));
    close(fd);
    service.config.host = "192.0.2.1"; /* no address of ours (RFC 5737) */
    ck_assert_ptr_null(serve(why));
    service.config.host = "127.0.0.1";
    service.config.port = port;
}
