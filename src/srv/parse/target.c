/* target.c: request targets. */
#include "target.h"

#include <assert.h>
#include <ctype.h>
#include <strings.h>

/* ---- authorities (RFC 3986, 3.2.2) ----------------------------------------------------------- */

/* How many of its first characters are letters, digits or these. */
static size_t count_chars(struct span text, const char *others)
{
    size_t n = 0;
    while (n < text.length && text.at[n] &&
           (isalnum((unsigned char)text.at[n]) || strchr(others, text.at[n])))
        n++;
    return n;
}

/* The length of "name", "192.0.2.1" or "[2001:db8::1]"; a port may follow. */
static size_t host_length(struct span text)
{
    if (!text.length || *text.at != '[')
        return count_chars(text, "-._~%!$&'()*+,;=");
    size_t n = 1 + count_chars((struct span){text.at + 1, text.length - 1}, ":.-_~");
    return n > 1 && n < text.length && text.at[n] == ']' ? n + 1 : 0;
}

bool target_is_authority(struct span text)
{
    size_t n = host_length(text);
    if (n == text.length)
        return true;
    if (text.at[n] != ':')
        return false;
    for (n++; n < text.length && is_digit(text.at[n]);)
        n++;
    return n == text.length;
}

/* ---- the four forms -------------------------------------------------------------------------- */

static bool begins(struct span text, const char *with)
{
    return text.length >= strlen(with) && !strncasecmp(text.at, with, strlen(with));
}

static const char *read_absolute(struct head *head, size_t scheme, struct span *authority)
{
    struct span rest = {head->target.at + scheme, head->target.length - scheme};
    size_t n = 0;
    while (n < rest.length && !strchr("/?#", rest.at[n]))
        n++;
    *authority = (struct span){rest.at, n};
    head->target = (struct span){rest.at + n, rest.length - n};
    assert(authority->length + head->target.length == rest.length);
    if (!n || *rest.at == ':' || !target_is_authority(*authority))
        return "the address must name its host: http://host/path";
    return NULL;
}

/* "host:80": the method is refused later, like any other that does not work here. */
static const char *read_authority(struct head *head)
{
    struct span text = head->target;
    if (!text.length || !target_is_authority(text) || !memchr(text.at, ':', text.length))
        return "CONNECT takes host:port";
    head->target.length = 0;
    return NULL;
}

const char *target_read(struct head *head, struct span *authority)
{
    *authority = (struct span){NULL, 0};
    if (memchr(head->target.at, '#', head->target.length))
        return "the address must end before a fragment: # in a value is written %23";
    if (span_is(head->method, "CONNECT"))
        return read_authority(head);
    if (begins(head->target, "/") ||
        (span_is(head->target, "*") && span_is(head->method, "OPTIONS")))
        return NULL;
    if (begins(head->target, "http://"))
        return read_absolute(head, 7, authority);
    if (begins(head->target, "https://"))
        return read_absolute(head, 8, authority);
    return "the address must begin with /, http:// or https://";
}
