/* body.c: the framing of bodies. */
#include "body.h"

#include "lib/number.h"

#include <assert.h>

enum { MOST_DIGITS = 15 };

static void begin_line(struct body *body, enum body_state state)
{
    body->state = state;
    body->digits = 0;
    body->cr = false;
}

/* Ends a line of the framing; false: it must not end here. */
static bool end_line(struct body *body)
{
    switch (body->state) {
    case BODY_CHUNK_SIZE:
        if (!body->digits)
            return false;
        /* fall through */
    case BODY_CHUNK_EXTENSION:
        begin_line(body, body->left ? BODY_CHUNK_BYTES : BODY_TRAILER_NAME);
        return true;
    case BODY_CHUNK_END: begin_line(body, BODY_CHUNK_SIZE); return true;
    case BODY_TRAILER_VALUE: begin_line(body, BODY_TRAILER_NAME); return true;
    case BODY_TRAILER_NAME:
        if (body->digits)
            return false;
        begin_line(body, BODY_NONE);
        return true;
    case BODY_NONE:
    case BODY_BYTES:
    case BODY_CHUNK_BLANK:
    case BODY_CHUNK_BYTES: break;
    }
    return false;
}

/* "1A", "1A;name=value", "1A ;name": a byte of it, up to the line's end. */
static bool take_size(struct body *body, char c)
{
    int digit = mw_hex_digit(c);
    if (digit >= 0) {
        body->left = body->left * 16 + (unsigned)digit;
        return ++body->digits <= MOST_DIGITS;
    }
    body->state = c == ';' ? BODY_CHUNK_EXTENSION : BODY_CHUNK_BLANK;
    return body->digits && (c == ';' || c == ' ' || c == '\t');
}

static bool take_extra(struct body *body, char c)
{
    if (++body->extra > MOST_EXTRA)
        return false;
    if (body->state == BODY_CHUNK_BLANK) {
        body->state = c == ';' ? BODY_CHUNK_EXTENSION : BODY_CHUNK_BLANK;
        return c == ';' || c == ' ' || c == '\t';
    }
    if (body->state != BODY_TRAILER_NAME)
        return is_value_char(c);
    bool colon = c == ':' && body->digits;
    body->state = colon ? BODY_TRAILER_VALUE : BODY_TRAILER_NAME;
    body->digits++;
    return colon || is_token_char(c);
}

/* Takes a byte of the framing; false: it is not allowed here. */
static bool take_byte(struct body *body, char c)
{
    if (body->cr || c == '\n')
        return body->cr && c == '\n' && end_line(body);
    body->cr = c == '\r';
    if (body->cr)
        return true;
    if (body->state == BODY_CHUNK_SIZE)
        return take_size(body, c);
    return body->state != BODY_CHUNK_END && take_extra(body, c);
}

static size_t take_bytes(struct body *body, struct span bytes, struct span *piece)
{
    assert(bytes.length && body->left);
    size_t n = bytes.length < body->left ? bytes.length : (size_t)body->left;
    *piece = (struct span){bytes.at, n};
    body->left -= n;
    if (!body->left)
        begin_line(body, body->state == BODY_BYTES ? BODY_NONE : BODY_CHUNK_END);
    return n;
}

size_t body_take(struct body *body, struct span bytes, struct span *piece, bool *malformed)
{
    size_t taken = 0;
    *malformed = false;
    *piece = (struct span){NULL, 0};
    while (taken < bytes.length && body->state != BODY_NONE) {
        if (body->state == BODY_BYTES || body->state == BODY_CHUNK_BYTES)
            return taken +
                   take_bytes(body, (struct span){bytes.at + taken, bytes.length - taken}, piece);
        *malformed = !take_byte(body, bytes.at[taken]);
        if (*malformed)
            return taken;
        taken++;
    }
    assert(taken == bytes.length || body->state == BODY_NONE);
    return taken;
}
