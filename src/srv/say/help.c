/*
 * help.c: what curl gets at `/`: at most 24 lines of 80 columns, where the host has a usual name.
 *
 * Comments have lines of their own, as not every shell knows them at the end of one.
 */
#include "help.h"

#include "mapwright.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_HOST = 253 + 6 }; /* a name and a port */

/* Letters, digits and what stands in names, ports and IPv6: nothing that a shell or curl would
   heed. */
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

/* Of several proxies the first has seen the client. */
static bool is_https(const char *proto)
{
    return proto && !strncasecmp(proto, "https", 5) && (!proto[5] || strchr(", ", proto[5]));
}

/* curl takes http for granted. */
static void write_base(char *base, size_t room, const char *host, const char *proto, int port)
{
    const char *scheme = is_https(proto) ? "https://" : "";
    if (is_host(host))
        snprintf(base, room, "%s%s", scheme, host);
    else
        snprintf(base, room, "localhost:%d", port);
}

static void add_generators(struct strbuf *text)
{
    for (size_t i = 0; mw_generators[i]; i++)
        strbuf_format(text, "/%-16s %s\n", mw_generators[i]->name, mw_generators[i]->summary);
}

/* Quoted wherever a shell would read more into it; brackets are those of IPv6. */
static const struct {
    const char *before, *options, *target;
    bool quoted;
} commands[] = {
    {"Maps in the terminal: a new one, one in colours by its seed, a puzzle solved:", "",
     "/islands.txt", false},
    {NULL, "", "/starlanes.txt?color=true&seed=7", true},
    {NULL, "", "/puzzle/solve.txt?grid=A..B/.C../.CA./B...", true},
    {"JSON, for programs, by GET or by POST:", "", "/regions?width=60&count=8&seed=hello", true},
    {NULL, "-d '{\"width\": 60, \"count\": 8, \"seed\": \"hello\"}' ", "/regions", false},
    {"Saved, as regions-hello.svg:", "-OJ ", "/regions.svg?width=60&count=8&seed=hello", true},
};

static void add_commands(struct strbuf *text, const char *base)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *quote = commands[i].quoted || strchr(base, '[') ? "'" : "";
        if (commands[i].before)
            strbuf_format(text, "%s\n", commands[i].before);
        strbuf_format(text, "  curl %s%s%s%s%s\n", commands[i].options, quote, base,
                      commands[i].target, quote);
    }
}

static void add_suffixes(struct strbuf *text)
{
    for (size_t i = 0; mw_encoders[i]; i++)
        strbuf_format(text, " .%s", mw_suffix(mw_encoders[i]));
}

void help_write(struct strbuf *text, const char *host, const char *proto, int port)
{
    char base[LONGEST_HOST + 32];
    write_base(base, sizeof base, host, proto, port);
    strbuf_add(text, "Mapwright " MW_VERSION " makes maps for games.\n\n");
    add_generators(text);
    strbuf_char(text, '\n');
    add_commands(text, base);
    strbuf_add(text, "\nFormats, where they fit:");
    add_suffixes(text);
    strbuf_add(text, "\nAll parameters and answers: /openapi.yaml, or /openapi.json\n"
                     "What can go wrong: /problems   A recent map: /maps/{id}\n"
                     "The server: /version /healthz /readyz /metrics\n");
}
