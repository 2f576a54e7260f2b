/* accept.c: content negotiation. */
#include "accept.h"

#include "all/registry.h"
#include "srv/base/words.h"

#include <assert.h>
#include <strings.h>

/* A member of a list like `text/html;level=1;q=0.5, *;q=0`. */
struct preferred {
    struct span name;
    int q; /* thousandths */
};

/* `1`, `0.25`; anything else counts as 1. */
static int read_q(struct span text)
{
    int q = 0, unit = 100;
    if (!text.length || *text.at != '0')
        return 1000;
    for (size_t i = 2; i < text.length && is_digit(text.at[i]) && unit; i++, unit /= 10)
        q += (text.at[i] - '0') * unit;
    return q;
}

static bool next_preferred(struct span *list, struct preferred *preferred)
{
    struct span member, parameter;
    if (!list_next(list, ',', &member))
        return false;
    *preferred = (struct preferred){.q = 1000};
    list_next(&member, ';', &preferred->name);
    while (list_next(&member, ';', &parameter))
        if (parameter.length > 1 && !strncasecmp(parameter.at, "q=", 2))
            preferred->q = read_q((struct span){parameter.at + 2, parameter.length - 2});
    return true;
}

/* How closely a name in a list matches a media type or a coding: 0 not at all, 1 by `*` or any
   type, 2 by `type/`, 3 itself. */
static int closeness(struct span name, const char *word)
{
    size_t whole = strcspn(word, ";"), type = strcspn(word, "/");
    if (name.length == whole && !strncasecmp(name.at, word, whole))
        return 3;
    if (name.length == type + 2 && !strncasecmp(name.at, word, type + 1) &&
        name.at[type + 1] == '*')
        return 2;
    return span_is(name, word[type] ? "*/*" : "*");
}

/* The rank of a media type or a coding in a list: q and closeness in one number; 0 when it is not
   acceptable. */
static int rank(const char *accept, const char *word)
{
    int closest = 0, q = 0;
    struct span list = span_of(accept);
    struct preferred preferred;
    while (next_preferred(&list, &preferred)) {
        int close = closeness(preferred.name, word);
        if (close > closest || (close && close == closest && preferred.q > q)) {
            closest = close;
            q = preferred.q;
        }
    }
    assert(q >= 0 && q <= 1000 && closest <= 3);
    return q ? q * 4 + closest : 0;
}

const struct mw_encoder *accept_encoder(const char *accept, const struct mw_request *request)
{
    const struct mw_encoder *best = NULL;
    int best_rank = 0;
    if (!span_trim(span_of(accept)).length)
        accept = "*/*";
    for (size_t i = 0; mw_encoders[i]; i++) {
        int own = rank(accept, mw_encoders[i]->media);
        if (own <= best_rank || !mw_fits(mw_encoders[i], request))
            continue;
        best = mw_encoders[i];
        best_rank = own;
    }
    return best;
}

/* By q alone. */
enum coding accept_coding(const char *accept_encoding)
{
    int zstd = rank(accept_encoding, coding_names[CODING_ZSTD]) / 4;
    int gzip = rank(accept_encoding, coding_names[CODING_GZIP]) / 4;
    int none = rank(accept_encoding, "identity") / 4;
    if (zstd > 0 && zstd >= gzip && zstd >= none)
        return CODING_ZSTD;
    return gzip > 0 && gzip >= none ? CODING_GZIP : CODING_NONE;
}

bool accept_names(const char *accept, const char *media) { return rank(accept, media) % 4 == 3; }

bool accept_tag(const char *list, const struct etag *tag, bool weak)
{
    struct span rest = span_of(list), member;
    while (list_next(&rest, ',', &member)) {
        bool is_weak = member.length > 2 && !memcmp(member.at, "W/", 2);
        if (is_weak)
            member = (struct span){member.at + 2, member.length - 2};
        if (span_is(member, "*") || (span_is(member, tag->text) && (weak || !is_weak)))
            return true;
    }
    return false;
}

/* A number of seconds, perhaps in quotes; -1: it is none. */
static int read_seconds(struct span text)
{
    if (text.length > 1 && *text.at == '"')
        text = (struct span){text.at + 1, text.length - 2};
    return (int)span_number(text, LONGEST_WAIT);
}

/* The first of several waits counts. */
struct preference accept_preference(const char *prefer)
{
    struct preference found = {0};
    struct span list = span_of(prefer), member, part, name;
    bool waits = false;
    while (list_next(&list, ',', &member)) {
        if (!list_next(&member, ';', &part) || !list_next(&part, '=', &name))
            continue;
        found.async |= span_is_word(name, "respond-async");
        int seconds = !waits && span_is_word(name, "wait") ? read_seconds(span_trim(part)) : -1;
        if (seconds < 0)
            continue;
        found.wait = seconds;
        waits = true;
    }
    return found;
}
