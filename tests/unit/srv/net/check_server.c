/* check_server.c: the server with its sockets in this process, whatever cannot be had. */
#include "faults.h"
#include "srv/net/server.h"
#include "unit/unit.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static struct service service;

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
    char *argv[] = {"mapwrightd",  "--host=127.0.0.1", "--threads=1",      "--workers=1",
                    "--memory=4M", "--connections=8",  "--cache-bytes=4M", "--isolate=off"};
    char *none[] = {NULL};
    struct config config;
    ck_assert_int_eq(config_read(&config, COUNT(argv), argv, none, NULL), CONFIG_OK);
    const char *what;
    int fd;
    config.port = some_port(&fd);
    close(fd);
    config.admin_port = some_port(&fd);
    close(fd);
    ck_assert(service_init(&service, &config, &what));
}

static void stop(void) { service_release(&service); }

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
        atomic_store(&service.draining, true);
        if (server) {
            server_drain(server);
            server_drop(server);
        }
    }
    ck_assert(!faulted);
}
