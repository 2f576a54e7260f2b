/* origin.c: the address of the service, as the client sees it. */
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

/* Segments of letters, digits and "-._~", each after a slash. */
static bool is_prefix(const char *prefix)
{
    size_t n = prefix ? strlen(prefix) : 0, segment;
    if (!n || n > LONGEST_PREFIX)
        return false;
    for (const char *at = prefix; *at; at += 1 + segment) {
        segment = *at == '/' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz"
                                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
                             : 0;
        if (!segment)
            return false;
    }
    return true;
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
    const char *prefix = headers[HEADER_FORWARDED_PREFIX];
    if (!is_prefix(prefix))
        prefix = "";
    if (is_host(host))
        snprintf(origin, ORIGIN_ROOM, "%s%s%s", scheme, host, prefix);
    else
        snprintf(origin, ORIGIN_ROOM, "localhost:%d%s", port, prefix);
}
