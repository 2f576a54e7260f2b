/* accept.h: what a client accepts and prefers: lists in header fields, of which NULL is empty. */
#ifndef MAPWRIGHT_ACCEPT_H
#define MAPWRIGHT_ACCEPT_H

#include "mapwright_host.h"
#include "srv/base/identity.h"
#include "srv/out/coding.h"

/*
 * The encoder that `Accept` rates highest of those that fit the request: by q, then by how closely
 * it is named, then by their order (RFC 9110, 12.5). NULL: none is acceptable.
 */
const struct mw_encoder *accept_encoder(const char *accept, const struct mw_request *);

/* The coding that `Accept-Encoding` rates highest; equals: zstd, gzip, none. */
enum coding accept_coding(const char *accept_encoding);

/* Whether `Accept` names the media type itself, not by a wildcard, and does not refuse it. */
bool accept_names(const char *accept, const char *media);

/* Whether a list holds the tag, or is `*`. Weak comparison for If-None-Match, strong for If-Match,
   by which a weak tag is like none. */
bool accept_tag(const char *list, const struct etag *, bool weak);

enum { LONGEST_WAIT = 3600 };

struct preference {
    bool async; /* `respond-async`: 202 with the address of the map, in place of a wait */
    int wait;   /* seconds to wait before that 202; 0: none */
};

/* Of `Prefer` (RFC 7240); unknown preferences are ignored. */
struct preference accept_preference(const char *prefer);

#endif
