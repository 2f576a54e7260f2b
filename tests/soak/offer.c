/*
 * offer.c: asks a service of this machine for the same address again and again, and tells how long
 * answers took.
 *
 *     offer PORT TARGET SECONDS CONNECTIONS [RATE]
 *
 * Each connection asks, waits for its answer and asks again; with a RATE, so many requests are sent
 * in a second whatever becomes of them (an open loop: a client that waits for answers slows down
 * with the server), on new connections where all have a request under way. A line for each status:
 * it, answers a second, their number, and within how many milliseconds half, 95 and 99 of a hundred
 * came. A connection that ended without an answer is status 0.
 *
 * We are busy on the same cores as the service. So that this does not count as its own, an answer's
 * time ends when the kernel had it, not when we came to look (SO_TIMESTAMPNS).
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct asker {
    int fd, status;
    double asked, came;
    char head[4096];
    size_t have;
    long rest; /* of the body; -1 before the head is whole */
    struct asker *next;
};

struct answer {
    int status;
    double took;
    bool late; /* after the time was over: not one of those of a second */
};

static int polled;
static in_port_t port;
static char request[8192];
static struct asker *idle;
static long under_way;
static struct answer *answers;
static size_t answer_count, room;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void open_connection(struct asker *a)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = port};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1;
    if ((a->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0 ||
        connect(a->fd, (struct sockaddr *)&at, sizeof at))
        fail("offer: connect");
    setsockopt(a->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(a->fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = a};
    if (epoll_ctl(polled, EPOLL_CTL_ADD, a->fd, &event))
        fail("offer: epoll_ctl");
}

static void add_connection(void)
{
    struct asker *a = calloc(1, sizeof *a);
    if (!a)
        fail("offer");
    open_connection(a);
    a->next = idle;
    idle = a;
}

static void ask(void)
{
    if (!idle)
        add_connection();
    struct asker *a = idle;
    idle = a->next;
    a->have = 0;
    a->rest = -1;
    a->status = 0;
    a->asked = a->came = now();
    under_way++;
    /* what cannot be sent is found when its answer is read */
    (void)!send(a->fd, request, strlen(request), MSG_NOSIGNAL);
}

static void keep(struct asker *a, double until)
{
    if (answer_count == room) {
        room = room ? 2 * room : 4096;
        if (!(answers = realloc(answers, room * sizeof *answers)))
            fail("offer");
    }
    answers[answer_count++] = (struct answer){a->status, a->came - a->asked, a->came > until};
    a->next = idle;
    idle = a;
    under_way--;
}

static void read_head(struct asker *a)
{
    a->head[a->have] = '\0';
    char *end = strstr(a->head, "\r\n\r\n");
    if (!end)
        return;
    char *length = strcasestr(a->head, "\r\ncontent-length: ");
    a->status = atoi(a->head + strlen("HTTP/1.1 "));
    a->rest = (length ? atol(length + strlen("\r\ncontent-length: ")) : 0) -
              (long)(a->have - (size_t)(end + 4 - a->head));
}

/* Whether the answer is whole, or will never be. */
static bool take(struct asker *a)
{
    static char body[1 << 18];
    union {
        char bytes[CMSG_SPACE(sizeof(struct timespec))];
        struct cmsghdr align;
    } note;
    bool heading = a->rest < 0;
    struct iovec to = {heading ? a->head + a->have : body,
                       heading ? sizeof a->head - 1 - a->have : sizeof body};
    struct msghdr message = {.msg_iov = &to, .msg_iovlen = 1};
    message.msg_control = note.bytes;
    message.msg_controllen = sizeof note.bytes;
    ssize_t got = recvmsg(a->fd, &message, 0);
    if (got <= 0) {
        close(a->fd);
        open_connection(a);
        a->status = 0;
        return true;
    }
    struct cmsghdr *stamp = CMSG_FIRSTHDR(&message);
    if (stamp && stamp->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec t;
        memcpy(&t, CMSG_DATA(stamp), sizeof t);
        a->came = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
    }
    if (heading) {
        a->have += (size_t)got;
        read_head(a);
        return a->rest == 0;
    }
    return (a->rest -= got) <= 0;
}

static void collect(int patience, double until)
{
    struct epoll_event events[256];
    int count = epoll_wait(polled, events, 256, patience);
    for (int i = 0; i < count; i++)
        if (take(events[i].data.ptr))
            keep(events[i].data.ptr, until);
}

static void run(double seconds, double rate)
{
    double start = now(), until = start + seconds;
    long asked = 0;
    for (double at = start; at < until; at = now()) {
        if (rate > 0)
            for (long due = (long)((at - start) * rate); asked < due; asked++)
                ask();
        else
            while (idle)
                ask();
        collect(1, until);
    }
    while (under_way && now() < until + 60)
        collect(100, until);
}

static int by_status(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    int d = x->status - y->status;
    return d ? d : (x->took > y->took) - (x->took < y->took);
}

static void tell(double seconds)
{
    qsort(answers, answer_count, sizeof *answers, by_status);
    for (size_t i = 0, end; i < answer_count; i = end) {
        size_t in_time = 0;
        for (end = i; end < answer_count && answers[end].status == answers[i].status; end++)
            in_time += !answers[end].late;
        size_t last = end - i - 1;
        printf("%d %.1f %zu", answers[i].status, (double)in_time / seconds, end - i);
        for (int part = 0; part < 3; part++)
            printf(" %.3f", 1000 * answers[i + last * (size_t[]){50, 95, 99}[part] / 100].took);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc > 6)
        return fprintf(stderr, "usage: offer PORT TARGET SECONDS CONNECTIONS [RATE]\n"), 2;
    port = htons((uint16_t)atoi(argv[1]));
    int length =
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", argv[2]);
    if (length >= (int)sizeof request || (polled = epoll_create1(EPOLL_CLOEXEC)) < 0)
        fail("offer");
    for (int i = 0; i < atoi(argv[4]); i++)
        add_connection();
    double seconds = atof(argv[3]);
    run(seconds, argc > 5 ? atof(argv[5]) : 0);
    tell(seconds);
    return 0;
}
