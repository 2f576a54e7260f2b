/*
 * preview.c: the page for a link to a map, /?generator=regions&seed=7. Its head has the map's name
 * and the address of its picture (Open Graph), so that chats that show links show the map.
 *
 * The link is untrusted. Of the query, only characters that are allowed in a URL and have no
 * meaning in HTML are copied, all others are written as %XX.
 */
#include "preview.h"

#include "lib/number.h"
#include "lib/span.h"
#include "srv/parse/origin.h"

#include <assert.h>
#include <string.h>

/* ---- what the link holds --------------------------------------------------------------------- */

static const char generator_is[] = "generator=";

static bool begins(struct span piece, const char *name)
{
    size_t n = strlen(name);
    return piece.length >= n && !memcmp(piece.at, name, n);
}

/* The value of the first parameter that begins like this; .at NULL: there is none. */
static struct span find_value(const struct exchange *exchange, const char *name)
{
    struct span rest = {exchange->query, exchange->query_length}, piece;
    while (span_cut(&rest, '&', &piece))
        if (begins(piece, name))
            return (struct span){piece.at + strlen(name), piece.length - strlen(name)};
    return (struct span){NULL, 0};
}

/* Decodes the character at the beginning of what is left. */
static char next_char(struct span *rest)
{
    int escaped = mw_read_escape(rest->at, rest->at + rest->length);
    size_t n = escaped < 0 ? 1 : 3;
    char c = escaped < 0 ? *rest->at : (char)escaped;
    *rest = (struct span){rest->at + n, rest->length - n};
    return escaped < 0 && c == '+' ? ' ' : c;
}

static bool decodes_to(struct span value, const char *word)
{
    while (value.length && *word)
        if (next_char(&value) != *word++)
            return false;
    return !value.length && !*word;
}

const struct mw_generator *preview_generator(const struct exchange *exchange)
{
    struct span value = find_value(exchange, generator_is);
    for (size_t i = 0; value.at && mw_generators[i]; i++)
        if (decodes_to(value, mw_generators[i]->name))
            return mw_generators[i];
    return NULL;
}

/* ---- written so that it stays what it is ----------------------------------------------------- */

static void put_html(struct strbuf *text, const char *at)
{
    for (; *at; at++)
        if (strchr("&<>\"'", *at))
            strbuf_format(text, "&#%d;", *at);
        else
            strbuf_char(text, *at);
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

/* ---- the head -------------------------------------------------------------------------------- */

static void put_picture(struct strbuf *text, const struct exchange *exchange)
{
    char origin[ORIGIN_ROOM];
    origin_write(origin, exchange->headers, exchange->context->service->config.port);
    strbuf_format(text, "%s%s/%s.png", strstr(origin, "://") ? "" : "http://", origin,
                  preview_generator(exchange)->name);
    struct span rest = {exchange->query, exchange->query_length}, piece;
    for (const char *mark = "?"; span_cut(&rest, '&', &piece);) {
        if (!piece.length || begins(piece, generator_is))
            continue;
        strbuf_add(text, mark);
        put_query(text, piece);
        mark = "&amp;";
    }
}

static void put_head(struct strbuf *text, const struct exchange *exchange)
{
    const struct mw_generator *generator = preview_generator(exchange);
    strbuf_format(text,
                  "<title>%s · Mapwright</title>\n"
                  "<meta property=\"og:title\" content=\"%s · Mapwright\">\n"
                  "<meta property=\"og:type\" content=\"website\">\n"
                  "<meta property=\"og:description\" content=\"",
                  generator->name, generator->name);
    put_html(text, generator->summary);
    strbuf_add(text, "\">\n<meta property=\"og:image\" content=\"");
    put_picture(text, exchange);
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
