/* body.c: the framing of bodies. */
#include "body.h"

#include "lib/number.h"

#include <assert.h>

enum { MOST_DIGITS = 15, LONGEST_LINE = MOST_DIGITS + MOST_EXTRA };

/* "1A", "1A;name=value", "1A ;name" */
static bool take_size(struct body *body, struct span line)
{
    size_t n = 0;
    for (int digit; n < line.length && (digit = mw_hex_digit(line.at[n])) >= 0; n++)
        body->left = body->left * 16 + (unsigned)digit;
    struct span rest = span_trim((struct span){line.at + n, line.length - n});
    body->state = body->left ? BODY_CHUNK_BYTES : BODY_TRAILERS;
    body->extra += line.length - n;
    return n && n <= MOST_DIGITS && span_has_only(rest, is_value_char) &&
           (n == line.length || (rest.length && *rest.at == ';'));
}

/* "name: value", or the empty line at the end. */
static bool take_trailer(struct body *body, struct span line)
{
    struct span name, value;
    body->extra += line.length;
    if (!line.length)
        body->state = BODY_NONE;
    return !line.length || field_split(line, &name, &value);
}

/* False: it must not stand here. */
static bool take_line(struct body *body, struct span line)
{
    if (body->state == BODY_CHUNK_SIZE)
        return take_size(body, line) && body->extra <= MOST_EXTRA;
    if (body->state == BODY_TRAILERS)
        return take_trailer(body, line) && body->extra <= MOST_EXTRA;
    body->state = BODY_CHUNK_SIZE;
    return !line.length;
}

static size_t take_bytes(struct body *body, struct span bytes, struct span *piece)
{
    assert(bytes.length && body->left);
    size_t n = bytes.length < body->left ? bytes.length : (size_t)body->left;
    *piece = (struct span){bytes.at, n};
    body->left -= n;
    if (!body->left)
        body->state = body->state == BODY_BYTES ? BODY_NONE : BODY_CHUNK_END;
    return n;
}

size_t body_take(struct body *body, struct span bytes, struct span *piece, bool *malformed)
{
    struct span rest = bytes, line;
    assert(body->state != BODY_NONE);
    *piece = (struct span){NULL, 0};
    *malformed = false;
    if (body->state == BODY_BYTES || body->state == BODY_CHUNK_BYTES)
        return take_bytes(body, bytes, piece);
    enum line end = line_next(&rest, &line);
    if (end == LINE_OPEN) /* a carriage return may be its end */
        *malformed = bytes.length > LONGEST_LINE + 1;
    else
        *malformed = end == LINE_BROKEN || !take_line(body, line);
    assert(end != LINE_OPEN || rest.length == bytes.length);
    return bytes.length - rest.length;
}
