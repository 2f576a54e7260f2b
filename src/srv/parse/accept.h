/* accept.h: content negotiation (RFC 9110, 12.5). */
#ifndef MAPWRIGHT_ACCEPT_H
#define MAPWRIGHT_ACCEPT_H

#include "mapwright_host.h"
#include "srv/out/coding.h"

/*
 * The encoder that `Accept` (NULL: absent) rates highest of those that fit the request: by q,
 * then by how closely it is named, then by their order. NULL: none is acceptable.
 */
const struct mw_encoder *accept_encoder(const char *accept, const struct mw_request *);

/* The coding that `Accept-Encoding` rates highest; equals: zstd, gzip, none. */
enum coding accept_coding(const char *accept_encoding);

/* Whether `Accept` names the media type itself, not by a wildcard, and does not refuse it. */
bool accept_names(const char *accept, const char *media);

#endif
