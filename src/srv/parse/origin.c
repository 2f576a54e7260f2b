/* origin.c: the address of the service, as the client sees it. */
#include "origin.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

#define HOST_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"

/* Only characters of host names, ports and IPv6 addresses. */
static bool is_host(const char *host)
{
    size_t length = host ? strlen(host) : 0;
    return length && length <= LONGEST_HOST && *host != '-' &&
           strspn(host, HOST_CHARS ":[]") == length;
}

/* Segments of letters, digits and "-._~", each after a slash. */
static bool is_prefix(const char *prefix)
{
    size_t length = prefix ? strlen(prefix) : 0;
    return length && length <= LONGEST_PREFIX && *prefix == '/' && prefix[length - 1] != '/' &&
           !strstr(prefix, "//") && strspn(prefix, HOST_CHARS "~/") == length;
}

void origin_write(char origin[ORIGIN_ROOM], const char *const headers[HEADER_END], int port)
{
    struct span protocols = span_of(headers[HEADER_FORWARDED_PROTO]), first = {0};
    list_next(&protocols, ',', &first); /* of the proxy next to the client */
    const char *scheme = span_is_word(first, "https") ? "https://" : "http://";
    const char *prefix = headers[HEADER_FORWARDED_PREFIX];
    if (!is_prefix(prefix))
        prefix = "";
    if (is_host(headers[HEADER_HOST]))
        snprintf(origin, ORIGIN_ROOM, "%s%s%s", scheme, headers[HEADER_HOST], prefix);
    else
        snprintf(origin, ORIGIN_ROOM, "http://localhost:%d%s", port, prefix);
    assert(!strpbrk(origin, "'\"<>&$`\\"));
}
