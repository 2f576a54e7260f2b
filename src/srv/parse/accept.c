/* accept.c: content negotiation. */
#include "accept.h"

#include "all/registry.h"

#include <string.h>
#include <strings.h>

/* An element of a list like `text/html;level=1;q=0.5, *;q=0`. */
struct element {
    const char *name;
    size_t length;
    int q; /* thousandths */
};

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static const char *skip_blanks(const char *at)
{
    while (is_blank(*at))
        at++;
    return at;
}

/* `1`, `0.25`; anything else counts as 1. */
static int read_q(const char *at)
{
    if (*at != '0')
        return 1000;
    if (at[1] != '.')
        return 0;
    int q = 0, unit = 100;
    for (at += 2; *at >= '0' && *at <= '9' && unit; at++, unit /= 10)
        q += (*at - '0') * unit;
    return q;
}

/* Reads the parameters after a name up to the next comma, past which it answers. */
static const char *read_parameters(const char *at, int *q)
{
    for (bool quoted = false; *at && (quoted || *at != ','); at++) {
        if (*at == '"')
            quoted = !quoted;
        if (quoted || *at != ';')
            continue;
        const char *name = skip_blanks(at + 1);
        if ((*name == 'q' || *name == 'Q') && name[1] == '=')
            *q = read_q(name + 2);
    }
    return *at ? at + 1 : at;
}

/* Takes the next element off the list; false at its end. */
static bool next_element(const char **list, struct element *element)
{
    const char *at = *list;
    while (is_blank(*at) || *at == ',')
        at++;
    if (!*at)
        return false;
    *element = (struct element){.name = at, .length = strcspn(at, ",; \t"), .q = 1000};
    *list = read_parameters(at + element->length, &element->q);
    return true;
}

/* How closely an element names a media type: 0 not at all, 1 by `*`, 2 by `type/`, 3 itself. */
static int closeness(const struct element *element, const char *media)
{
    size_t whole = strcspn(media, ";"), type = strcspn(media, "/");
    if (element->length == whole && !strncasecmp(element->name, media, whole))
        return 3;
    if (element->length == type + 2 && !strncasecmp(element->name, media, type + 1) &&
        element->name[type + 1] == '*')
        return 2;
    return element->length == 3 && !strncmp(element->name, "*/*", 3) ? 1 : 0;
}

/* The rank of a media type: q and closeness in one number; 0 when it is not acceptable. */
static int rank_media(const char *accept, const char *media)
{
    int closest = 0, q = 0;
    struct element element;
    while (next_element(&accept, &element)) {
        int close = closeness(&element, media);
        if (close > closest || (close && close == closest && element.q > q)) {
            closest = close;
            q = element.q;
        }
    }
    return q ? q * 4 + closest : 0;
}

const struct mw_encoder *accept_encoder(const char *accept, const struct mw_request *request)
{
    const struct mw_encoder *best = NULL;
    int best_rank = 0;
    if (!accept || !*skip_blanks(accept))
        accept = "*/*";
    for (size_t i = 0; mw_encoders[i]; i++) {
        int rank = rank_media(accept, mw_encoders[i]->media);
        if (rank <= best_rank || !mw_fits(mw_encoders[i], request))
            continue;
        best = mw_encoders[i];
        best_rank = rank;
    }
    return best;
}

static bool is_named(const struct element *element, const char *name)
{
    return element->length == strlen(name) && !strncasecmp(element->name, name, element->length);
}

/* The q of a coding: by its own name or that of old, else by `*`, else -1. */
static int rank_coding(const char *list, const char *name, const char *old)
{
    int own = -1, any = -1;
    struct element element;
    while (next_element(&list, &element)) {
        if (is_named(&element, name) || is_named(&element, old))
            own = element.q;
        else if (element.length == 1 && *element.name == '*')
            any = element.q;
    }
    return own >= 0 ? own : any;
}

enum coding accept_coding(const char *accept_encoding)
{
    if (!accept_encoding)
        return CODING_NONE;
    int zstd = rank_coding(accept_encoding, coding_names[CODING_ZSTD], "");
    int gzip = rank_coding(accept_encoding, coding_names[CODING_GZIP], "x-gzip");
    int none = rank_coding(accept_encoding, "identity", "");
    if (zstd > 0 && zstd >= gzip && zstd >= none)
        return CODING_ZSTD;
    return gzip > 0 && gzip >= none ? CODING_GZIP : CODING_NONE;
}

bool accept_names(const char *accept, const char *media)
{
    int rank = accept ? rank_media(accept, media) : 0;
    return rank % 4 == 3;
}
