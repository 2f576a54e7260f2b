/*
 * lobby.h: accepted sockets until the head of their first request has come and is fit to be let in.
 *
 * Those that are not fit are told so here, and led out.
 */
#ifndef MAPWRIGHT_LOBBY_H
#define MAPWRIGHT_LOBBY_H

#include "exchange.h"
#include "log.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* What an epoll set points to. */
struct watcher {
    void (*ready)(struct watcher *);
};

struct lobby {
    int epoll;
    struct desk *desk;
    struct log *log;
    const char *date;
    int held;
    struct guest *guests;
    /* Takes the socket over. */
    void (*admit)(void *arg, int fd, const struct sockaddr *, socklen_t);
    void *arg;
};

/* A socket was accepted. Never blocks. */
void lobby_receive(struct lobby *, int fd, const struct sockaddr *, socklen_t, int64_t now);
/* Sends away those that are overdue. */
void lobby_sweep(struct lobby *, int64_t now);
void lobby_empty(struct lobby *);

/* The address of a client, without its port. */
void spell_client(const struct sockaddr *, socklen_t, char text[INET6_ADDRSTRLEN]);

#endif
