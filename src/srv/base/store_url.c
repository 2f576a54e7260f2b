/* store_url.c: the address of the store. */
#include "store_url.h"

#include "words.h"

#include <stddef.h>
#include <string.h>

enum { DEFAULT_PORT = 6379, MOST_PORTS = 65535, MOST_DATABASES = 999999 };

static bool read_text(char to[STORE_TEXT], const char *from)
{
    return span_decode(span_of(from), to, STORE_TEXT);
}

/* Ends the text at `separator` and returns what follows it; NULL: there is none. */
static char *split(char *text, char separator)
{
    char *at = text ? strchr(text, separator) : NULL;
    if (!at)
        return NULL;
    *at = '\0';
    return at + 1;
}

/* [[user]:password@]host[:port][/database]; an IPv6 address has brackets. */
static bool read_parts(struct store_url *url, char *text)
{
    bool plain = !strpbrk(text, "?#");
    const char *database = split(text, '/');
    char *at = strrchr(text, '@');
    char *host = at ? at + 1 : text, *password = NULL;
    if (at) {
        *at = '\0';
        password = split(text, ':');
    }
    if (at && (!password || !read_text(url->user, text) || !read_text(url->password, password)))
        return false;
    char *rest = *host == '[' ? split(++host, ']') : host;
    if (!rest || !plain || (rest != host && *rest && *rest != ':'))
        return false;
    char *port = split(rest, ':');
    url->port = port ? (int)span_number(span_of(port), MOST_PORTS + 1) : DEFAULT_PORT;
    database = database && *database ? database : "0";
    url->database = (int)span_number(span_of(database), MOST_DATABASES + 1);
    return read_text(url->host, host) && *url->host && url->port > 0 && url->port <= MOST_PORTS &&
           url->database >= 0 && url->database <= MOST_DATABASES;
}

bool store_url_read(struct store_url *url, const char *text)
{
    static const char plain[] = "redis://", tls[] = "rediss://";
    char copy[4 * STORE_TEXT];
    *url = (struct store_url){.tls = !strncmp(text, tls, sizeof tls - 1)};
    size_t scheme = url->tls ? sizeof tls - 1 : sizeof plain - 1;
    if ((url->tls || !strncmp(text, plain, scheme)) && strlen(text) < sizeof copy &&
        read_parts(url, strcpy(copy, text + scheme)))
        return true;
    *url->host = '\0';
    return false;
}
