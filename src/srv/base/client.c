/* client.c: identifies clients by address. */
#include "client.h"

#include "words.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

enum { LONGEST_HOP = 63, MAPPED_BITS = 96 };

/* ---- addresses ------------------------------------------------------------------------------- */

static struct in6_addr map(struct in_addr address)
{
    struct in6_addr mapped = {.s6_addr = {[10] = 0xff, [11] = 0xff}};
    memcpy(mapped.s6_addr + 12, &address, 4);
    return mapped;
}

static bool read_address(const char *text, struct in6_addr *address)
{
    struct in_addr plain;
    if (inet_pton(AF_INET, text, &plain) != 1)
        return inet_pton(AF_INET6, text, address) == 1;
    *address = map(plain);
    return true;
}

struct in6_addr client_address(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return map(((const struct sockaddr_in *)(const void *)address)->sin_addr);
    if (address->sa_family == AF_INET6)
        return ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    return (struct in6_addr){0};
}

/* An IPv6 client usually has a /64 of its own, so the /64 counts. */
struct client client_of(const struct in6_addr *address)
{
    struct client client = {0};
    bool plain = IN6_IS_ADDR_V4MAPPED(address);
    for (int i = plain ? 8 : 0, end = i + 8; i < end; i++)
        client.key = client.key << 8 | address->s6_addr[i];
    inet_ntop(plain ? AF_INET : AF_INET6, address->s6_addr + (plain ? 12 : 0), client.text,
              sizeof client.text);
    return client;
}

/* ---- networks -------------------------------------------------------------------------------- */

/* Copies a member of a list, without the blanks around it; false if it is empty or too long. */
static bool take_member(char to[LONGEST_HOP + 1], struct span text)
{
    text = span_trim(text);
    if (!text.length || text.length > LONGEST_HOP)
        return false;
    memcpy(to, text.at, text.length);
    to[text.length] = '\0';
    return true;
}

/* "10.0.0.0/8", or one address. */
static bool read_network(char *text, struct network *network)
{
    char *slash = strchr(text, '/');
    if (slash)
        *slash++ = '\0';
    if (!read_address(text, &network->address))
        return false;
    int least = strchr(text, ':') ? 0 : MAPPED_BITS;
    int64_t bits = slash ? span_number(span_of(slash), 999) : 128 - least;
    network->bits = least + (int)bits;
    return bits >= 0 && network->bits <= 128;
}

bool networks_read(struct networks *networks, const char *text)
{
    struct span rest = span_of(text), member;
    for (networks->count = 0; span_cut(&rest, ',', &member); networks->count++) {
        char one[LONGEST_HOP + 1];
        if (networks->count == MOST_NETWORKS || !take_member(one, member) ||
            !read_network(one, &networks->list[networks->count]))
            return false;
    }
    return true;
}

static bool is_in(const struct network *network, const struct in6_addr *address)
{
    size_t whole = (size_t)network->bits / 8;
    int rest = network->bits % 8;
    if (memcmp(network->address.s6_addr, address->s6_addr, whole) != 0)
        return false;
    return !rest || !((network->address.s6_addr[whole] ^ address->s6_addr[whole]) >> (8 - rest));
}

bool networks_hold(const struct networks *networks, const struct in6_addr *address)
{
    for (int i = 0; i < networks->count; i++)
        if (is_in(&networks->list[i], address))
            return true;
    return false;
}

/* ---- X-Forwarded-For ------------------------------------------------------------------------- */

/* An address, perhaps with a port: 192.0.2.1:80, [2001:db8::1]:80. */
static bool read_hop(char *text, struct in6_addr *address)
{
    char *colon = strchr(text, ':'), *bracket = strchr(text, ']');
    char *port = bracket ? bracket + 1 : colon && !strchr(colon + 1, ':') ? colon : NULL;
    if ((*text == '[') != (bracket != NULL))
        return false;
    if (port && *port && (*port != ':' || !port[1] || port[1 + strspn(port + 1, "0123456789")]))
        return false;
    if (port)
        *(bracket ? bracket : port) = '\0';
    return read_address(text + (bracket != NULL), address);
}

struct in6_addr client_behind(const struct networks *trusted, struct in6_addr peer,
                              const char *forwarded)
{
    const char *end = forwarded ? forwarded + strlen(forwarded) : NULL;
    while (end && networks_hold(trusted, &peer)) {
        const char *comma = memrchr(forwarded, ',', (size_t)(end - forwarded));
        const char *hop = comma ? comma + 1 : forwarded;
        char text[LONGEST_HOP + 1];
        struct in6_addr address;
        if (!take_member(text, (struct span){hop, (size_t)(end - hop)}) ||
            !read_hop(text, &address))
            break;
        peer = address;
        end = comma;
    }
    return peer;
}
