/*
 * client.h: identifies clients by address.
 *
 * The address is that of the peer, or of the client that a trusted proxy names in X-Forwarded-For.
 * All addresses are IPv6 here; IPv4 addresses are mapped (RFC 4291, 2.5.5.2).
 */
#ifndef MAPWRIGHT_CLIENT_H
#define MAPWRIGHT_CLIENT_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

struct client {
    uint64_t key;                /* what limits and fairness count by: of IPv6, the /64 */
    char text[INET6_ADDRSTRLEN]; /* for people: the address, or the name of a key */
};

enum { MOST_NETWORKS = 64 };

struct networks {
    int count;
    struct network {
        struct in6_addr address;
        int bits; /* that count, of 128 */
    } list[MOST_NETWORKS];
};

/* Reads "10.0.0.0/8, 192.0.2.1, 2001:db8::/32"; false where it is no such list, or one too long. */
bool networks_read(struct networks *, const char *text);
bool networks_hold(const struct networks *, const struct in6_addr *);

/* All zeros where it is of neither IPv4 nor IPv6. */
struct in6_addr client_address(const struct sockaddr *);

/*
 * The client behind the peer: from the right, as each proxy appends its own peer, the first address
 * in X-Forwarded-For that is not trusted, or the leftmost one. Text that is not an address ends the
 * search: it and all left of it is ignored. `forwarded` may be NULL.
 */
struct in6_addr client_behind(const struct networks *trusted, struct in6_addr peer,
                              const char *forwarded);

struct client client_of(const struct in6_addr *);

#endif
