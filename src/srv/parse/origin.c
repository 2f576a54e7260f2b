/* origin.c: the origin of the service, as the client sees it. */
#include "origin.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Only characters of host names, ports and IPv6 addresses. */
static bool is_host(const char *host)
{
    size_t n = host ? strlen(host) : 0, bracket = n && *host == '[';
    if (!n || n > LONGEST_HOST)
        return false;
    size_t name = strspn(host + bracket, bracket ? "0123456789abcdefABCDEF:."
                                                 : "abcdefghijklmnopqrstuvwxyz"
                                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._");
    const char *rest = host + bracket + name;
    if (!name || host[bracket] == '-' || (bracket && *rest++ != ']'))
        return false;
    return !*rest || (*rest == ':' && strspn(rest + 1, "0123456789") == strlen(rest + 1));
}

/* The first of several values is the one of the proxy next to the client. */
static bool is_https(const char *proto)
{
    return proto && !strncasecmp(proto, "https", 5) && (!proto[5] || strchr(", ", proto[5]));
}

void origin_write(char origin[ORIGIN_ROOM], const char *const headers[HEADER_END], int port)
{
    const char *host = headers[HEADER_HOST];
    const char *scheme = is_https(headers[HEADER_FORWARDED_PROTO]) ? "https://" : "";
    if (is_host(host))
        snprintf(origin, ORIGIN_ROOM, "%s%s", scheme, host);
    else
        snprintf(origin, ORIGIN_ROOM, "localhost:%d", port);
}
