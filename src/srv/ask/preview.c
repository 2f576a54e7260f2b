/*
 * preview.c: the page for a link to a map, /?generator=regions&seed=7. Its head has the map's name
 * and the address of its picture (Open Graph), so that chats that show links show the map.
 *
 * The link is untrusted. Of the query, only characters that are allowed in a URL and have no
 * meaning in HTML are copied, all others are written as %XX.
 */
#include "exchange.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the address of the service, as the client sees it --------------------------------------- */

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

void write_origin(char origin[ORIGIN_ROOM], const struct exchange *exchange)
{
    const char *const *headers = exchange->headers;
    int port = exchange->context->service->config.port;
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

/* ---- the page -------------------------------------------------------------------------------- */

static const char generator_is[] = "generator=";

static bool names_generator(struct span parameter)
{
    size_t n = sizeof generator_is - 1;
    return parameter.length >= n && !memcmp(parameter.at, generator_is, n);
}

/* The slash of a name may be escaped. */
static bool is_name(struct span value, const char *name)
{
    const char *slash = strchr(name, '/');
    size_t n = slash ? (size_t)(slash - name) : 0;
    if (!slash || value.length != strlen(name) + 2)
        return span_is(value, name);
    return !memcmp(value.at, name, n) && span_is_word((struct span){value.at + n, 3}, "%2F") &&
           span_is((struct span){value.at + n + 3, value.length - n - 3}, slash + 1);
}

const struct mw_generator *preview_generator(const struct exchange *exchange)
{
    struct span rest = {exchange->query, strlen(exchange->query)}, value = {"", 0};
    do
        if (!span_cut(&rest, '&', &value))
            return NULL;
    while (!names_generator(value));
    value.at += sizeof generator_is - 1;
    value.length -= sizeof generator_is - 1;
    size_t i = 0;
    while (mw_generators[i] && !is_name(value, mw_generators[i]->name))
        i++;
    return mw_generators[i];
}

/* Characters of a URL's query, but for the apostrophe. */
static void put_query(struct strbuf *text, struct span piece)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~!$()*+,;=:@/?%";
    for (size_t i = 0; i < piece.length; i++)
        if (memchr(plain, piece.at[i], sizeof plain - 1))
            strbuf_char(text, piece.at[i]);
        else
            strbuf_format(text, "%%%02X", (unsigned char)piece.at[i]);
}

static void put_picture(struct strbuf *text, const struct exchange *exchange, const char *name)
{
    char origin[ORIGIN_ROOM];
    write_origin(origin, exchange);
    strbuf_format(text, "%s/%s.png", origin, name);
    struct span rest = {exchange->query, strlen(exchange->query)}, piece;
    for (const char *mark = "?"; span_cut(&rest, '&', &piece);) {
        if (!piece.length || names_generator(piece))
            continue;
        strbuf_add(text, mark);
        put_query(text, piece);
        mark = "&amp;";
    }
}

/* Names and summaries of generators need no escapes in HTML, but for the apostrophe. */
static void put_head(struct strbuf *text, const struct exchange *exchange)
{
    const struct mw_generator *generator = preview_generator(exchange);
    assert(!strpbrk(generator->summary, "&<>\""));
    strbuf_format(text,
                  "<title>%s · Mapwright</title>\n"
                  "<meta property=\"og:title\" content=\"%s · Mapwright\">\n"
                  "<meta property=\"og:type\" content=\"website\">\n"
                  "<meta property=\"og:description\" content=\"%s\">\n"
                  "<meta property=\"og:image\" content=\"",
                  generator->name, generator->name, generator->summary);
    put_picture(text, exchange, generator->name);
    strbuf_add(text, "\">\n<meta name=\"twitter:card\" content=\"summary_large_image\">");
}

void preview_write(struct strbuf *text, const struct exchange *exchange, const struct blob *page)
{
    static const char title[] = "<title>Mapwright</title>";
    const char *at = memmem(page->bytes, page->length, title, sizeof title - 1);
    assert(at && "the page has its title");
    const char *rest = at + sizeof title - 1;
    strbuf_put(text, page->bytes, (size_t)(at - page->bytes));
    put_head(text, exchange);
    strbuf_put(text, rest, (size_t)(page->bytes + page->length - rest));
}
