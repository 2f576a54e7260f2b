/* lobby.c: accepted sockets until their first request is fit to be let in. */
#include "lobby.h"

#include "clock.h"
#include "gate.h"
#include "hash.h"
#include "identity.h"
#include "metrics.h"
#include "problem.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    PEEKED = GATE_HEAD + GATE_URI,
    FAREWELL_US = 2000000, /* a refused client has so long to take our answer */
    TURNS = 64,            /* reads at a time from one that goes on talking */
};

struct guest {
    struct watcher watcher;
    struct lobby *lobby;
    struct guest *next, *before;
    int fd;
    bool refused;
    int64_t deadline;
    socklen_t length;
    struct sockaddr_storage address;
};

void spell_client(const struct sockaddr *address, socklen_t length, char text[INET6_ADDRSTRLEN])
{
    char spelled[64] = "";
    getnameinfo(address, length, spelled, sizeof spelled, NULL, 0, NI_NUMERICHOST);
    const char *plain = strncmp(spelled, "::ffff:", 7) ? spelled : spelled + 7;
    size_t n = strnlen(plain, INET6_ADDRSTRLEN - 1);
    memcpy(text, plain, n);
    text[n] = '\0';
}

/* ---- a look, without taking anything --------------------------------------------------------------------------- */

static struct verdict look(int fd)
{
    char head[PEEKED];
    ssize_t n = recv(fd, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return (struct verdict){.gate = GATE_WAIT};
    if (n <= 0)
        return (struct verdict){.gate = GATE_PASS}; /* gone: for libmicrohttpd to clear away */
    return gate_judge(head, (size_t)n);
}

/* ---- refusing -------------------------------------------------------------------------------------------------- */

static void write_log(struct lobby *lobby, const char *id, enum fault fault, const struct blob *body,
                      const struct sockaddr *address, socklen_t length)
{
    char client[INET6_ADDRSTRLEN];
    spell_client(address, length, client);
    struct log_entry entry = {.id = id, .method = "", .path = "", .cache = "none", .client = client,
                              .status = fault_rows[fault].status, .bytes = body->length};
    log_line(lobby->log, &entry);
    metrics_request(entry.status, 0);
    metrics_count(COUNT_BODY_BYTES, entry.bytes);
}

/* Says why, in as many bytes as any socket takes at once. */
static void tell(struct lobby *lobby, int fd, struct verdict verdict, const struct sockaddr *address,
                 socklen_t length)
{
    char id[37];
    uint64_t bits[2] = {random_next(&lobby->desk->random), random_next(&lobby->desk->random)};
    identity_random(bits, id);
    struct blob *body = problem_body(verdict.fault, verdict.detail, id, NULL, 0);
    struct text text = {0};
    text_format(&text,
                "HTTP/1.1 %u %s\r\nDate: %s\r\nConnection: close\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                "Access-Control-Allow-Origin: *\r\nAccess-Control-Expose-Headers: *\r\nCache-Control: no-store\r\n"
                "X-Request-Id: %s\r\n\r\n",
                fault_rows[verdict.fault].status, fault_rows[verdict.fault].title, lobby->date, body->media,
                body->length, id);
    text_put(&text, body->bytes, body->length);
    if (!text.failed)
        send(fd, text.at, text.length, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    write_log(lobby, id, verdict.fault, body, address, length);
    text_release(&text);
    blob_drop(body);
}

/* ---- guests ------------------------------------------------------------------------------------------------------ */

/* Forgets the guest, not its socket. */
static void leave(struct guest *guest)
{
    struct lobby *lobby = guest->lobby;
    *(guest->before ? &guest->before->next : &lobby->guests) = guest->next;
    if (guest->next)
        guest->next->before = guest->before;
    epoll_ctl(lobby->epoll, EPOLL_CTL_DEL, guest->fd, NULL);
    lobby->held--;
    free(guest);
}

/* Reads on until the client has hung up: closed at once, the socket would take our answer down with it. */
static void see_off(struct guest *guest)
{
    char nowhere[16 * 1024];
    ssize_t n = 1;
    for (int turns = 0; turns < TURNS && n > 0; turns++)
        n = recv(guest->fd, nowhere, sizeof nowhere, MSG_DONTWAIT);
    if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
        return;
    close(guest->fd);
    leave(guest);
}

static void turn_away(struct guest *guest, struct verdict verdict)
{
    tell(guest->lobby, guest->fd, verdict, (const struct sockaddr *)&guest->address, guest->length);
    guest->refused = true;
    guest->deadline = clock_now() + FAREWELL_US;
    see_off(guest);
}

static void let_in(struct guest *guest)
{
    struct guest copy = *guest;
    leave(guest);
    copy.lobby->admit(copy.lobby->arg, copy.fd, (const struct sockaddr *)&copy.address, copy.length);
}

/* More has come. */
static void look_again(struct watcher *watcher)
{
    struct guest *guest = (struct guest *)(void *)watcher;
    if (guest->refused) {
        see_off(guest);
        return;
    }
    struct verdict verdict = look(guest->fd);
    if (verdict.gate == GATE_PASS)
        let_in(guest);
    else if (verdict.gate == GATE_REFUSE)
        turn_away(guest, verdict);
}

/* NULL, and the socket closed, without memory. */
static struct guest *seat(struct lobby *lobby, int fd, const struct sockaddr *address, socklen_t length)
{
    struct guest *guest = calloc(1, sizeof *guest);
    /* by edges: what was only looked at would be ready for ever */
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.ptr = guest};
    if (!guest || epoll_ctl(lobby->epoll, EPOLL_CTL_ADD, fd, &event)) {
        free(guest);
        close(fd);
        return NULL;
    }
    *guest = (struct guest){.watcher = {look_again}, .lobby = lobby, .next = lobby->guests, .fd = fd,
                            .length = length};
    memcpy(&guest->address, address, length);
    if (guest->next)
        guest->next->before = guest;
    lobby->guests = guest;
    lobby->held++;
    return guest;
}

/* ---- public ------------------------------------------------------------------------------------------------------ */

void lobby_receive(struct lobby *lobby, int fd, const struct sockaddr *address, socklen_t length, int64_t now)
{
    struct verdict verdict = look(fd);
    if (verdict.gate == GATE_PASS) {
        lobby->admit(lobby->arg, fd, address, length);
        return;
    }
    struct guest *guest = seat(lobby, fd, address, length);
    if (guest)
        guest->deadline = now + (int64_t)lobby->desk->service->config.header_ms * 1000;
    if (guest && verdict.gate == GATE_REFUSE)
        turn_away(guest, verdict);
}

void lobby_sweep(struct lobby *lobby, int64_t now)
{
    for (struct guest *guest = lobby->guests, *next; guest; guest = next) {
        next = guest->next;
        if (now < guest->deadline)
            continue;
        metrics_count(COUNT_OVERDUE, !guest->refused);
        close(guest->fd);
        leave(guest);
    }
}

void lobby_empty(struct lobby *lobby)
{
    lobby_sweep(lobby, INT64_MAX);
}
