/* check_client.c: the client of a request, by address and through proxies. */
#include "srv/base/client.h"
#include "unit/unit.h"

#include <arpa/inet.h>

static struct in6_addr address(const char *text)
{
    struct sockaddr_in plain = {.sin_family = AF_INET};
    struct sockaddr_in6 wide = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &plain.sin_addr) == 1)
        return client_address((struct sockaddr *)&plain);
    ck_assert_msg(inet_pton(AF_INET6, text, &wide.sin6_addr) == 1, "%s", text);
    return client_address((struct sockaddr *)&wide);
}

static struct client client(const char *text)
{
    struct in6_addr at = address(text);
    return client_of(&at);
}

/* Two addresses, and whether they are one client. */
static const struct {
    const char *a, *b;
    bool same;
} pairs[] = {
    {"192.0.2.1", "192.0.2.1", true},          {"192.0.2.1", "192.0.2.2", false},
    {"192.0.2.1", "::ffff:192.0.2.1", true},   {"2001:db8::1", "2001:db8::ffff:1", true},
    {"2001:db8::1", "2001:db8:0:1::1", false}, {"192.0.2.1", "::1", false},
};

TEST(counts_by_address_and_by_64, .end = COUNT(pairs))
{
    ck_assert_int_eq(client(pairs[_i].a).key == client(pairs[_i].b).key, pairs[_i].same);
}

TEST(spells_addresses)
{
    struct sockaddr nobody = {.sa_family = AF_UNIX};
    struct in6_addr none = client_address(&nobody);
    ck_assert_str_eq(client("192.0.2.1").text, "192.0.2.1");
    ck_assert_str_eq(client("::ffff:192.0.2.1").text, "192.0.2.1");
    ck_assert_str_eq(client("2001:DB8:0:0::1").text, "2001:db8::1");
    ck_assert_str_eq(client_of(&none).text, "::");
}

/* A list of networks (NULL: it is none), an address, and whether it is in there. */
static const struct {
    const char *list, *address;
    bool good, held;
} lists[] = {
    {"10.0.0.0/8", "10.255.0.1", true, true},
    {"10.0.0.0/8", "11.0.0.1", true, false},
    {"10.128.0.0/9", "10.127.255.255", true, false},
    {"10.128.0.0/9", "10.128.0.0", true, true},
    {"192.0.2.1", "192.0.2.1", true, true},
    {"192.0.2.1", "192.0.2.0", true, false},
    {"0.0.0.0/0", "203.0.113.9", true, true},
    {"0.0.0.0/0", "2001:db8::1", true, false},
    {"::/0", "203.0.113.9", true, true},
    {" 10.0.0.0/8 ,\t2001:db8::/33 ", "2001:db8:7fff::1", true, true},
    {"10.0.0.0/8,2001:db8::/33", "2001:db8:8000::1", true, false},
    {"", "::1", false, false},
    {"10.0.0.0/8,", "::1", false, false},
    {"10.0.0.0/33", "::1", false, false},
    {"10.0.0.0/", "::1", false, false},
    {"10.0.0.0/8x", "::1", false, false},
    {"::/129", "::1", false, false},
    {"localhost", "::1", false, false},
    {"2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff:2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff", "::1", false,
     false},
};

TEST(reads_networks, .end = COUNT(lists))
{
    struct networks networks;
    struct in6_addr at = address(lists[_i].address);
    ck_assert_int_eq(networks_read(&networks, lists[_i].list), lists[_i].good);
    if (lists[_i].good)
        ck_assert_int_eq(networks_hold(&networks, &at), lists[_i].held);
}

TEST(limits_the_number_of_networks)
{
    struct networks networks;
    char text[8 * (MOST_NETWORKS + 1) + 1] = "";
    for (int i = 0; i < MOST_NETWORKS; i++)
        strcat(text, i ? ",1.1.1.1" : "1.1.1.1");
    ck_assert(networks_read(&networks, text));
    ck_assert(!networks_read(&networks, strcat(text, ",1.1.1.1")));
}

/* X-Forwarded-For of 10.0.0.1, where 10.0.0.0/8 and fc00::/7 are trusted, and the client. */
static const struct {
    const char *forwarded, *client;
} hops[] = {
    {NULL, "10.0.0.1"},
    {"", "10.0.0.1"},
    {"192.0.2.1", "192.0.2.1"},
    {"203.0.113.9, 192.0.2.1", "192.0.2.1"},
    {"192.0.2.1, 10.0.0.2", "192.0.2.1"},
    {"203.0.113.9, 192.0.2.1,10.0.0.2 ,fc00::1", "192.0.2.1"},
    {"2001:db8::7", "2001:db8::7"},
    {"::ffff:192.0.2.1", "192.0.2.1"},
    {"192.0.2.1:1234", "192.0.2.1"},
    {"[2001:db8::7]:1234", "2001:db8::7"},
    {"[2001:db8::7]", "2001:db8::7"},
    /* text that is not an address ends the search */
    {"unknown", "10.0.0.1"},
    {"192.0.2.1, unknown", "10.0.0.1"},
    {"192.0.2.1, unknown, 10.0.0.2", "10.0.0.2"},
    {"192.0.2.1,, 10.0.0.2", "10.0.0.2"},
    {"192.0.2.1:", "10.0.0.1"},
    {"192.0.2.1]", "10.0.0.1"},
    {"[192.0.2.1", "10.0.0.1"},
    {"[2001:db8::7]1", "10.0.0.1"},
    {"2001:db8::7%eth0", "10.0.0.1"},
    {"1111111111111111111111111111111111111111111111111111111111111111", "10.0.0.1"},
};

TEST(follows_trusted_hops, .end = COUNT(hops))
{
    struct networks trusted;
    ck_assert(networks_read(&trusted, "10.0.0.0/8,fc00::/7"));
    struct in6_addr who = client_behind(&trusted, address("10.0.0.1"), hops[_i].forwarded);
    ck_assert_str_eq(client_of(&who).text, hops[_i].client);
    trusted.count = 0;
    who = client_behind(&trusted, address("10.0.0.1"), hops[_i].forwarded);
    ck_assert_str_eq(client_of(&who).text, "10.0.0.1");
}
