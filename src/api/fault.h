/*
 * fault.h: everything that can be wrong with a request, once.
 *
 * FAULT(name, HTTP status, slug, title, lasts, meaning)
 *
 * `slug` ends the address of its page, /problems/{slug}. `lasts` says whether the same request
 * fails again: NOT, it depends on the moment; HERE, on a server with the same settings; ALWAYS, on
 * every server with these generators, so that caches may store the answer.
 */
#ifndef MAPWRIGHT_FAULT_H
#define MAPWRIGHT_FAULT_H

#include "mapwright_host.h"

enum fault_lasts { LASTS_NOT, LASTS_HERE, LASTS_ALWAYS };

/* clang-format off */
#define FAULTS(FAULT) \
    FAULT(INVALID_REQUEST, 400, "invalid-request", "The request is not understood", ALWAYS, \
          "Something outside the parameters is broken: an escape in the address that is not" \
          " %XX, or a body that does not arrive as announced. `detail` says what.") \
    FAULT(INVALID_JSON, 400, "invalid-json", "The body is not a JSON object", ALWAYS, \
          "The body of a POST must be one JSON object in UTF-8, or empty, which means {}. " \
          "`detail` gives line and column of the first character that does not fit.") \
    FAULT(INVALID_PARAMETER, 400, "invalid-parameter", "A parameter is wrong", ALWAYS, \
          "A parameter has the wrong name, type or range, or is given twice. `errors` lists" \
          " all of them, each with its JSON pointer and what would be right.") \
    FAULT(UNAUTHORIZED, 401, "unauthorized", "A key is needed", NOT, \
          "This server makes maps for those who have a key: send it as" \
          " `Authorization: Bearer <key>`.") \
    FAULT(NOT_FOUND, 404, "not-found", "There is nothing here", NOT, \
          "No endpoint has this path. A map asked for by its id is found as long as it is " \
          "in the cache; its `self` address always gives it again.") \
    FAULT(METHOD_NOT_ALLOWED, 405, "method-not-allowed", "This method does not work here", NOT, \
          "The `Allow` header lists the methods that do.") \
    FAULT(NOT_ACCEPTABLE, 406, "not-acceptable", "The map does not come in this format", NOT, \
          "Neither `format`, nor the suffix of the path, nor `Accept` names a format that " \
          "this generator can be drawn in. `detail` lists those that it can.") \
    FAULT(NOTHING_TO_END, 409, "nothing-to-end", "There is no work of yours to end", NOT, \
          "DELETE ends work that the same client asked for by `Prefer: respond-async`, and that " \
          "is still under way. This map is there already, cannot be made, or is made for others.") \
    FAULT(OTHER_VERSION, 410, "other-version", "The generator has another version", NOT, \
          "`v` asks for a version of the generator that this server does not have, so the " \
          "very same map cannot be made. Leave `v` out to take the present one.") \
    FAULT(PRECONDITION_FAILED, 412, "precondition-failed", "The condition does not hold", NOT, \
          "`If-Match` does not hold the ETag of the map that would be the answer, or " \
          "`If-None-Match` of a POST holds it.") \
    FAULT(BODY_TOO_LARGE, 413, "body-too-large", "The body is too large", NOT, \
          "The body is longer than the server takes; `detail` gives the limit in bytes.") \
    FAULT(URL_TOO_LONG, 414, "url-too-long", "The address is too long", NOT, \
          "The address is longer than the server takes, as a large mask makes it. Send the " \
          "parameters as the JSON body of a POST, or ask for a map by its id.") \
    FAULT(UNSUPPORTED_TYPE, 415, "unsupported-type", "The body is of an unknown type", NOT, \
          "Bodies are JSON: application/json, any type that ends in +json, none, or the " \
          "default of curl -d, application/x-www-form-urlencoded. No content coding is " \
          "read.") \
    FAULT(NO_RESULT, 422, "no-result", "No map satisfies these parameters", ALWAYS, \
          "Each parameter is well-formed, but together they ask for what cannot be, or for " \
          "what was not found. `errors` says why, with the numbers.") \
    FAULT(TOO_HARD, 422, "too-hard", "The map takes too many steps", ALWAYS, \
          "The generator's budget of steps was spent before the map was ready, or would have " \
          "been. The budget counts work, not time, so the answer is the same on every machine. A " \
          "server may also know that so many could never be made in its time: then `detail` says " \
          "so, with the numbers.") \
    FAULT(TOO_BIG, 422, "too-big", "The map is too large for this server", HERE, \
          "The map does not fit into the memory that the server grants one request, or has more " \
          "cells or stars than it allows: /version lists those limits.") \
    FAULT(TOO_MANY, 429, "too-many-requests", "This client asks for too much at once", NOT, \
          "A client may have only so much under way. `Retry-After` says when to try again, " \
          "`detail` what is counted.") \
    FAULT(HEADERS_TOO_LARGE, 431, "headers-too-large", "The headers are too large", NOT, \
          "The header fields of the request are longer than the server takes.") \
    FAULT(CRASHED, 500, "crashed", "The map could not be made", NOT, \
          "Making this map ended in a fault of the server's own, which costs this request alone. " \
          "It has been noted; the map is not tried again before `Retry-After`.") \
    FAULT(UNKNOWN_CODING, 501, "unknown-coding", "The body is coded in an unknown way", NOT, \
          "`Transfer-Encoding` may be chunked, or left out.") \
    FAULT(BUSY, 503, "busy", "The server is busy", NOT, \
          "The request waited too long for a worker, too many were waiting already, or " \
          "answers that clients do not take leave no room for another. `Retry-After` says " \
          "when to try again.") \
    FAULT(DRAINING, 503, "draining", "The server is shutting down", NOT, \
          "The server is about to end, and this would take longer than it has. `Retry-After` " \
          "says when to try again.") \
    FAULT(UNAVAILABLE, 503, "unavailable", "The server cannot do this now", NOT, \
          "The server ran out of memory or of another means of its own. `Retry-After` says " \
          "when to try again.") \
    FAULT(LATE, 504, "late", "The map took too long", NOT, \
          "The map was not ready within the server's time budget. A faster or less busy " \
          "server may make it; this one does not try again before `Retry-After`.") \
    FAULT(HTTP_VERSION, 505, "http-version", "Another version of HTTP", NOT, \
          "The server speaks HTTP/1.1 and HTTP/1.0.")

enum fault {
    FAULT_NONE,
#define FAULT(name, status, slug, title, lasts, meaning) FAULT_##name,
    FAULTS(FAULT)
#undef FAULT
    FAULT_END
};
/* clang-format on */

struct fault_row {
    unsigned status;
    enum fault_lasts lasts;
    const char *slug, *title, *meaning;
};

/* By fault; the row of FAULT_NONE is empty. Rows of one status stand together. */
extern const struct fault_row fault_rows[FAULT_END];

/* The fault that stands for a list of problems. */
enum fault fault_of(const struct mw_problems *);

#endif
