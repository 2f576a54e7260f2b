/* accept.h: what the client would like to get (RFC 9110, 12.5). */
#ifndef MAPWRIGHT_ACCEPT_H
#define MAPWRIGHT_ACCEPT_H

#include "mapwright.h"

enum coding { CODING_NONE, CODING_GZIP, CODING_ZSTD, CODING_END };

/* As in Content-Encoding; NULL for CODING_NONE. */
extern const char *const coding_names[];

/*
 * The encoder that `Accept` (NULL: absent) rates highest of those that fit the generator: by q,
 * then by how closely it is named, then by their order. NULL: none is acceptable.
 */
const struct mw_encoder *accept_encoder(const char *accept, const struct mw_generator *);

/* The coding that `Accept-Encoding` rates highest; equals: zstd, gzip, none. */
enum coding accept_coding(const char *accept_encoding);

/* Whether `Accept` names the media type itself, not by a wildcard, and does not refuse it. */
bool accept_names(const char *accept, const char *media);

/* Whether plain text is rated above JSON, be it a map or a problem. */
bool accept_prefers_text(const char *accept);

/* Whether an If-None-Match list holds the (strong) tag, or is `*`. Weak comparison. */
bool accept_has_tag(const char *if_none_match, const char *tag);

bool encoder_fits(const struct mw_encoder *, const struct mw_generator *);

#endif
