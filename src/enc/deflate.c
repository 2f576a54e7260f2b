/*
 * deflate.c: compresses the rows of a picture as a zlib stream (RFC 1950 and 1951).
 *
 * A drawing has plain areas with thin edges, and a row is much like the one above it. So at each
 * position only three earlier ones are tried, and the longest match is taken, greedily:
 *
 *     one byte before               a run of one color
 *     the row above                 vertical edges and plain areas
 *     the last position with the    slanted edges, letters, repeated shapes
 *     same four bytes
 *
 * All is one block with the fixed codes: codes of its own would save a tenth of most pictures, and
 * half of those that are almost plain, which are small anyway.
 *
 * Cost: some steps for each token, an eighth of a step for each byte of a match. Memory: a table of
 * positions, for any length.
 */
#include "bytes.h"
#include "kit/integer.h"
#include "png_file.h"

enum {
    HASH_BITS = 12,
    FARTHEST = 32768,
    SHORTEST = 3,
    NEAR = 256, /* a match of three bytes from farther away costs more bits than three literals */
    LONGEST = 258,
    GOOD = 16, /* long enough to stop searching */
    LITERALS = 288,
    END = 256, /* of a block */
    LAST_LENGTH = 285,
    DISTANCE_BITS = 5
};

struct deflater {
    struct mw_run *run;
    const uint8_t *at;
    size_t length, stride;
    /* By the hash of four bytes: their last position; 0 if there was none, which does no harm, as
       match_at() compares the bytes. */
    uint32_t met[1 << HASH_BITS];
    uint64_t bits; /* not written yet */
    uint32_t count;
};

/* ---- matches --------------------------------------------------------------------------------- */

/* A match as a number: the longer one is greater, of equal lengths the nearer one. */
static uint32_t match_of(size_t length, size_t distance)
{
    return (uint32_t)(length << 16 | (FARTHEST - distance));
}
static uint32_t length_of(uint32_t match) { return match >> 16; }
static uint32_t distance_of(uint32_t match) { return FARTHEST - (match & 0xffff); }

/* The match with the bytes `distance` before; eight bytes can be read at `place`. */
static inline uint32_t match_at(const struct deflater *p, size_t place, size_t distance)
{
    if (distance - 1 >= place || distance > FARTHEST)
        return 0;
    const uint8_t *at = p->at + place, *before = at - distance;
    const size_t left = p->length - place, most = left < LONGEST ? left : LONGEST;
    size_t n = 0;
    for (; n + 8 <= most; n += 8) {
        uint64_t other = mw_eight_bytes(at + n) ^ mw_eight_bytes(before + n);
        if (other)
            return match_of(n + (size_t)__builtin_ctzll(other) / 8, distance);
    }
    while (n < most && at[n] == before[n])
        n++;
    return match_of(n, distance);
}

/* 0: none; the last bytes have none. */
static uint32_t find_match(struct deflater *p, size_t place)
{
    if (p->length - place < 8)
        return 0;
    uint32_t run = match_at(p, place, 1), above = match_at(p, place, p->stride),
             best = run > above ? run : above;
    if (length_of(best) >= GOOD)
        return best;
    uint32_t *met =
        &p->met[(uint32_t)mw_eight_bytes(p->at + place) * 0x9e3779b1 >> (32 - HASH_BITS)];
    uint32_t again = match_at(p, place, place - *met);
    *met = (uint32_t)place;
    return again > best ? again : best;
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* The caller has reserved eight bytes. The last, incomplete byte is written again next time. */
static inline void put_bits(struct deflater *p, uint64_t bits, uint32_t n)
{
    p->bits |= bits << p->count;
    p->count += n;
    mw_put_eight_bytes(p->run->bottom, p->bits);
    p->run->bottom += p->count / 8;
    p->bits >>= p->count & ~7u;
    p->count &= 7;
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* The first bit of a code is its highest one. */
static void put_code(struct deflater *p, uint32_t code, uint32_t bits)
{
    uint32_t to = 0;
    for (uint32_t i = 0; i < bits; i++)
        to |= (code >> i & 1) << (bits - 1 - i);
    put_bits(p, to, bits);
}

/* The symbol of a length or distance, and the value of its extra bits. */
struct symbol {
    uint32_t number, extra, extra_bits;
};

/* The first 2 << fine numbers have a symbol each; after that every doubling has 1 << fine. */
static struct symbol symbol_of(uint32_t n, int fine)
{
    uint32_t extra = (uint32_t)mw_max(31 - __builtin_clz(n | 1) - fine, 0);
    return (struct symbol){(extra << fine) + (n >> extra), n & ((1u << extra) - 1), extra};
}

/* The fixed codes: lengths of 7 bits first, then literals and lengths of 8, then literals of 9. */
static void put_literal(struct deflater *p, uint32_t number)
{
    static const struct {
        uint32_t first, code, bits;
    } ranges[] = {{280, 0xc0, 8}, {256, 0, 7}, {144, 0x190, 9}, {0, 0x30, 8}};
    int r = 0;
    assert(number < LITERALS);
    while (number < ranges[r].first)
        r++;
    put_code(p, ranges[r].code + number - ranges[r].first, ranges[r].bits);
}

/* The longest has a symbol of its own. */
static void put_match(struct deflater *p, uint32_t match)
{
    struct symbol length = symbol_of(length_of(match) - SHORTEST, 2),
                  distance = symbol_of(distance_of(match) - 1, 1);
    if (length_of(match) == LONGEST)
        length = (struct symbol){LAST_LENGTH - END - 1, 0, 0};
    assert(length.number < LAST_LENGTH - END && distance.number < 30);
    put_literal(p, END + 1 + length.number);
    put_bits(p, length.extra, length.extra_bits);
    put_code(p, distance.number, DISTANCE_BITS);
    put_bits(p, distance.extra, distance.extra_bits);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Adler-32 (RFC 1950). Its sums cannot overflow within PIECE bytes. */
static uint32_t adler(const uint8_t *at, size_t length)
{
    enum { PRIME = 65521, PIECE = 5552 };
    uint32_t a = 1, b = 0;
    while (length) {
        size_t n = length < PIECE ? length : PIECE;
        for (size_t i = 0; i < n; i++) {
            a += at[i];
            b += a;
        }
        a %= PRIME;
        b %= PRIME;
        at += n;
        length -= n;
    }
    return b << 16 | a;
}

/* A match or a literal; returns the number of its bytes. */
static size_t put_token(struct deflater *p, size_t place)
{
    const uint32_t match = find_match(p, place);
    if (match <= match_of(SHORTEST, NEAR)) {
        put_literal(p, p->at[place]);
        return 1;
    }
    put_match(p, match);
    return length_of(match);
}

void deflate_rows(struct mw_run *run, const uint8_t *at, size_t length, size_t stride)
{
    enum { LAST_BLOCK = 1, FIXED_CODES = 1, TOKEN_ROOM = 16 };
    struct deflater *p = MW_NEW(run, struct deflater, 1);
    *p = (struct deflater){.run = run, .at = at, .length = length, .stride = stride};
    assert(stride > 0);
    mw_put_bytes(run, "\x78\x01", 2);
    mw_reserve_output(run, TOKEN_ROOM);
    put_bits(p, LAST_BLOCK | FIXED_CODES << 1, 3);
    for (size_t place = 0, n; place < length; place += n) {
        mw_reserve_output(run, TOKEN_ROOM);
        n = put_token(p, place);
        mw_tick(run, 1 + n / 8);
    }
    mw_reserve_output(run, TOKEN_ROOM);
    put_literal(p, END);
    put_bits(p, 0, -p->count & 7);
    bytes_put_big(run, adler(at, length));
}
