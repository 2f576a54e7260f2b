/* store_url.c: the address of the store. */
#include "store_url.h"

#include "lib/number.h"

#include <stddef.h>
#include <string.h>

enum { DEFAULT_PORT = 6379, MOST_PORTS = 65535, MOST_DATABASES = 999999 };

/* Decodes text up to `end`. */
static bool read_text(char to[STORE_TEXT], const char *from, const char *end)
{
    size_t n = 0;
    for (; from < end && n < STORE_TEXT - 1; n++) {
        bool escaped = *from == '%';
        int byte = escaped ? mw_read_escape(from, end) : (unsigned char)*from;
        if (byte <= 0)
            return false;
        to[n] = (char)byte;
        from += escaped ? 3 : 1;
    }
    to[n] = '\0';
    return from == end;
}

static bool read_number(const char *from, const char *end, int most, int *to)
{
    for (*to = 0; from < end; from++) {
        if (*from < '0' || *from > '9' || *to > most / 10)
            return false;
        *to = *to * 10 + (*from - '0');
    }
    return *to <= most;
}

/* [user]:password */
static bool read_who(struct store_url *url, const char *from, const char *end)
{
    const char *colon = memchr(from, ':', (size_t)(end - from));
    return colon && read_text(url->user, from, colon) && read_text(url->password, colon + 1, end);
}

/* host[:port]; an IPv6 address has brackets. */
static bool read_where(struct store_url *url, const char *from, const char *end)
{
    const char *bracket = *from == '[' ? memchr(from, ']', (size_t)(end - from)) : NULL;
    const char *name_end = bracket ? bracket : memchr(from, ':', (size_t)(end - from));
    const char *rest = bracket ? bracket + 1 : name_end ? name_end : end;
    url->port = DEFAULT_PORT;
    if (!read_text(url->host, from + (bracket ? 1 : 0), name_end ? name_end : end))
        return false;
    if (rest == end)
        return true;
    return *rest == ':' && read_number(rest + 1, end, MOST_PORTS, &url->port) && url->port;
}

static bool read_parts(struct store_url *url, const char *from)
{
    const char *end = from + strcspn(from, "/?#"), *at = memrchr(from, '@', (size_t)(end - from));
    if (at && !read_who(url, from, at))
        return false;
    if (!read_where(url, at ? at + 1 : from, end) || !*url->host)
        return false;
    return !*end ||
           (*end == '/' && read_number(end + 1, end + strlen(end), MOST_DATABASES, &url->database));
}

bool store_url_read(struct store_url *url, const char *text)
{
    static const char plain[] = "redis://", tls[] = "rediss://";
    *url = (struct store_url){.tls = !strncmp(text, tls, sizeof tls - 1)};
    if (url->tls && read_parts(url, text + sizeof tls - 1))
        return true;
    if (!strncmp(text, plain, sizeof plain - 1) && read_parts(url, text + sizeof plain - 1))
        return true;
    *url->host = '\0';
    return false;
}
