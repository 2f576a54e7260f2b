/*
 * deflate.c: compresses the rows of a picture as a zlib stream.
 *
 * A drawing has plain areas with thin edges, and a row is much like the one above it. So a long
 * search for matches is not needed: at each position three earlier ones are tried, and the longest
 * match is taken, greedily.
 *
 *     one byte before               a run of one colour
 *     the row above                 vertical edges and plain areas
 *     the last position with the    slanted edges, letters, repeated shapes
 *     same four bytes
 *
 * Each block of tokens has its own Huffman codes (Huffman 1952). They must not be longer than 15
 * bits; if one is, counts are halved and codes made again, which ends, as equal counts give codes
 * of at most 9 bits. Of equal counts the smaller symbol comes first, and everything is integer
 * arithmetic, so the bytes are the same on every machine.
 *
 * Cost: some steps for each token, an eighth of a step for each byte of a match. Memory: a block of
 * tokens and a table of positions, for any length.
 */
#include "deflate.h"
#include "kit/integer.h"

#include <stddef.h>

enum {
    TOKENS = 1 << 15, /* of a block */
    HASH_BITS = 12,
    FARTHEST = 32768,
    SHORTEST = 3,
    NEAR = 256, /* a match of three bytes from farther away costs more bits than three literals */
    LONGEST = 258,
    GOOD = 16, /* long enough to stop searching */
    LITERALS = 286,
    END = 256, /* of a block */
    DISTANCES = 30,
    NOWHERE = DISTANCES, /* the distance symbol of a literal, which has no bits */
    LENGTHS = 19,        /* symbols for the lengths of codes */
    BITS_MOST = 15,
    LENGTH_BITS_MOST = 7
};

struct code {
    uint32_t count[LITERALS];
    uint16_t code[LITERALS]; /* its bits in the order in which they are written */
    uint8_t bits[LITERALS], extra_bits[LITERALS];
};

/* A token is a literal or a match. From the lowest bit on: 9 bits of the literal or length symbol,
   5 extra bits of the length, 5 of the distance symbol, 13 extra bits of the distance. */
enum { EXTRA_BIT = 9, DISTANCE_BIT = 14, EXTRA_DISTANCE_BIT = 19 };

/* The end of the output, and bits that are not written yet. */
struct bit_writer {
    char *to;
    uint64_t bits;
    uint32_t count;
};

struct deflater {
    struct mw_run *run;
    const uint8_t *at;
    size_t length, stride;
    /* By the hash of four bytes: their last position; 0 if there was none, which does no harm, as
       better() compares the bytes. */
    uint32_t met[1 << HASH_BITS];
    int32_t token_count;
    struct code literals, distances;
    struct bit_writer out;
    uint32_t length_token[LONGEST + 1 - SHORTEST]; /* tokens of lengths;
                                                      all members before it begin as 0 */
    uint32_t tokens[TOKENS];
};

/* ---- matches --------------------------------------------------------------------------------- */

/* Little-endian on every machine. */
static uint32_t four_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* How many bytes at `a` equal those at `b`; the first eight do. */
static size_t match_length(const uint8_t *a, const uint8_t *b, size_t most)
{
    size_t n = 8;
    for (; n + 8 <= most; n += 8) {
        uint64_t other = mw_eight_bytes(a + n) ^ mw_eight_bytes(b + n);
        if (other)
            return n + (size_t)__builtin_ctzll(other) / 8;
    }
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

/* A match as a number: the longer one is greater, of equal lengths the nearer one. */
static uint32_t match_of(size_t length, size_t distance)
{
    return (uint32_t)(length << 16 | (FARTHEST - distance));
}
static uint32_t length_of(uint32_t match) { return match >> 16; }
static uint32_t distance_of(uint32_t match) { return FARTHEST - (match & 0xffff); }

/* The greater of the match `found` and the one `distance` before. The last line is branch-free: the
   branch would mispredict. A long match is rejected early if it differs at the byte that would make
   it longer. */
static inline uint32_t better(const struct deflater *p, size_t place, uint32_t found,
                              size_t distance)
{
    const uint8_t *at = p->at + place, *before = at - distance;
    if (distance - 1 >= place || distance > FARTHEST)
        return found;
    uint64_t other = mw_eight_bytes(at) ^ mw_eight_bytes(before);
    size_t n = (size_t)__builtin_ctzll(other | UINT64_C(1) << 63) / 8;
    if (!other) {
        size_t most = p->length - place < LONGEST ? p->length - place : LONGEST,
               least = length_of(found);
        if (least >= most || at[least] != before[least])
            return found;
        n = match_length(at, before, most);
    }
    uint32_t match = match_of(n, distance);
    return match > found ? match : found;
}

/* 0: none; the last bytes have none. */
static uint32_t find_match(struct deflater *p, size_t place)
{
    if (p->length - place < 8)
        return 0;
    uint32_t best = better(p, place, better(p, place, 0, 1), p->stride);
    if (length_of(best) >= GOOD)
        return best;
    uint32_t *met = &p->met[four_at(p->at + place) * 0x9e3779b1 >> (32 - HASH_BITS)];
    best = better(p, place, best, place - *met);
    *met = (uint32_t)place;
    return best;
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* The symbol of a length or distance, and the value of its extra bits. */
struct symbol {
    uint32_t number, extra;
};

/* The first 2 << fine numbers have a symbol each; after that every doubling has 1 << fine. */
static struct symbol symbol_of(uint32_t n, int fine)
{
    int extra = mw_max(31 - __builtin_clz(n | 1) - fine, 0);
    return (struct symbol){((uint32_t)extra << fine) + (n >> extra), n & ((1u << extra) - 1)};
}

/* The number of extra bits of a symbol. */
static uint8_t extra_bits(int32_t number, int fine)
{
    return (uint8_t)mw_max((number >> fine) - 1, 0);
}

/* The longest has a symbol of its own. */
static uint32_t token_of_length(uint32_t length)
{
    struct symbol s = symbol_of(length - SHORTEST, 2);
    return length == LONGEST ? LITERALS - 1 : (END + 1 + s.number) | s.extra << EXTRA_BIT;
}

static uint32_t token_of(const struct deflater *p, uint32_t match)
{
    struct symbol distance = symbol_of(distance_of(match) - 1, 1);
    return p->length_token[length_of(match) - SHORTEST] | distance.number << DISTANCE_BIT |
           distance.extra << EXTRA_DISTANCE_BIT;
}

/* ---- codes ----------------------------------------------------------------------------------- */

/* Huffman's code lengths for symbols in rising order of count, with two queues, of symbols and of
   pairs: the two least make a pair. Returns the greatest length. */
static int32_t measure_codes(const uint64_t *counts, int32_t n, uint8_t *bits)
{
    uint64_t pair[LITERALS];
    int32_t parent[2 * LITERALS], depth[2 * LITERALS];
    for (int32_t made = 0, symbol = 0, paired = 0; made < n - 1; made++) {
        pair[made] = 0;
        for (int i = 0; i < 2; i++) {
            bool single = symbol < n && (paired == made || counts[symbol] <= pair[paired]);
            pair[made] += single ? counts[symbol] : pair[paired];
            parent[single ? symbol++ : n + paired++] = n + made;
        }
    }
    depth[2 * n - 2] = 0;
    for (int32_t i = 2 * n - 3; i >= 0; i--)
        depth[i] = depth[parent[i]] + 1;
    for (int32_t i = 0; i < n; i++)
        bits[i] = (uint8_t)depth[i];
    return depth[0];
}

static uint16_t reversed(uint32_t code, int32_t bits)
{
    uint32_t to = 0;
    for (int32_t i = 0; i < bits; i++)
        to |= (code >> i & 1) << (bits - 1 - i);
    return (uint16_t)to;
}

/* Codes in order of length, then of symbol. */
static void number_codes(struct code *code, int32_t symbols)
{
    uint32_t next = 0;
    for (int32_t length = 1; length <= BITS_MOST; length++, next <<= 1)
        for (int32_t i = 0; i < symbols; i++)
            if (code->bits[i] == length)
                code->code[i] = reversed(next++, length);
}

/* Every code has at least two symbols: readers require a complete code. */
static void make_codes(struct mw_run *run, struct code *code, int32_t symbols, int32_t bits_most)
{
    uint64_t counts[LITERALS];
    int32_t order[LITERALS], n = 0;
    uint8_t bits[LITERALS];
    for (int32_t i = 0; i < symbols; i++)
        if (code->count[i]) {
            counts[n] = code->count[i];
            order[n++] = i;
        }
    for (int32_t i = 0; n < 2 && i < symbols; i++)
        if (!code->count[i]) {
            counts[n] = 1;
            order[n++] = i;
        }
    mw_sort(run, counts, order, n);
    while (measure_codes(counts, n, bits) > bits_most)
        for (int32_t i = 0; i < n; i++)
            counts[i] = (counts[i] + 1) / 2;
    memset(code->bits, 0, sizeof code->bits);
    for (int32_t i = 0; i < n; i++)
        code->bits[order[i]] = bits[i];
    number_codes(code, symbols);
    mw_tick(run, (uint64_t)symbols * BITS_MOST);
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* The caller has reserved eight bytes. The last, incomplete byte is written again next time. */
static inline void put_bits(struct bit_writer *out, uint64_t bits, uint32_t n)
{
    out->bits |= bits << out->count;
    out->count += n;
    mw_put_eight_bytes(out->to, out->bits);
    out->to += out->count / 8;
    out->bits >>= out->count & ~7u;
    out->count &= 7;
}

static void put_code(struct bit_writer *out, const struct code *code, int32_t symbol)
{
    assert(code->bits[symbol]);
    put_bits(out, code->code[symbol], code->bits[symbol]);
}

/* ---- a block --------------------------------------------------------------------------------- */

/* Code lengths as symbols: 0 to 15 is a length, 16 repeats the last one 3 to 6 times, 17 and 18 are
   3 to 10 and 11 to 138 zeros. */
struct lengths {
    uint8_t symbol[LITERALS + DISTANCES], extra[LITERALS + DISTANCES];
    int32_t count;
};

static void add_length(struct lengths *to, int symbol, int extra)
{
    assert(to->count < LITERALS + DISTANCES);
    to->symbol[to->count] = (uint8_t)symbol;
    to->extra[to->count++] = (uint8_t)extra;
}

static int32_t again(const uint8_t *bits, int32_t n, int32_t most)
{
    int32_t i = 1;
    while (i < n && i < most && bits[i] == *bits)
        i++;
    return i;
}

static void encode_lengths(struct lengths *to, const uint8_t *bits, int32_t n)
{
    while (n > 0) {
        int32_t same = again(bits, n, *bits ? 7 : 138);
        if (*bits) {
            add_length(to, *bits, 0);
            if (same >= 4)
                add_length(to, 16, same - 4);
            same = same >= 4 ? same : 1;
        } else if (same >= 3) {
            add_length(to, same > 10 ? 18 : 17, same - (same > 10 ? 11 : 3));
        } else {
            add_length(to, 0, 0);
            same = 1;
        }
        bits += same;
        n -= same;
    }
}

static int32_t used_of(const uint8_t *bits, int32_t least, int32_t most)
{
    while (most > least && !bits[most - 1])
        most--;
    return most;
}

static void put_head(const struct deflater *p, struct bit_writer *out, bool is_last)
{
    static const uint8_t order[LENGTHS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                           11, 4,  12, 3, 13, 2, 14, 1, 15};
    static const uint8_t extra_bits[LENGTHS] = {[16] = 2, [17] = 3, [18] = 7};
    struct lengths lengths = {.count = 0};
    struct code code = {.count = {0}};
    uint8_t ordered[LENGTHS];
    int32_t literals = used_of(p->literals.bits, END + 1, LITERALS),
            distances = used_of(p->distances.bits, 1, DISTANCES);
    encode_lengths(&lengths, p->literals.bits, literals);
    encode_lengths(&lengths, p->distances.bits, distances);
    for (int32_t i = 0; i < lengths.count; i++)
        code.count[lengths.symbol[i]]++;
    make_codes(p->run, &code, LENGTHS, LENGTH_BITS_MOST);
    for (int i = 0; i < LENGTHS; i++)
        ordered[i] = code.bits[order[i]];
    int32_t n = used_of(ordered, 4, LENGTHS);
    put_bits(out, is_last, 1);
    put_bits(out, 2, 2);
    put_bits(out, (uint32_t)literals - END - 1, 5);
    put_bits(out, (uint32_t)distances - 1, 5);
    put_bits(out, (uint32_t)n - 4, 4);
    for (int32_t i = 0; i < n; i++)
        put_bits(out, ordered[i], 3);
    for (int32_t i = 0; i < lengths.count; i++) {
        put_code(out, &code, lengths.symbol[i]);
        put_bits(out, lengths.extra[i], extra_bits[lengths.symbol[i]]);
    }
}

/* At most 48 bits: 15 and 5 of a length, 15 and 13 of a distance. Branch-free: whether a token is a
   literal would mispredict. */
static inline void put_token(const struct deflater *p, struct bit_writer *out, uint32_t token)
{
    const uint32_t number = token & ((1 << EXTRA_BIT) - 1), distance = token >> DISTANCE_BIT & 31,
                   extra = p->literals.bits[number], far = extra + p->literals.extra_bits[number],
                   end = far + p->distances.bits[distance];
    put_bits(out,
             p->literals.code[number] | (uint64_t)(token >> EXTRA_BIT & 31) << extra |
                 (uint64_t)p->distances.code[distance] << far |
                 (uint64_t)(token >> EXTRA_DISTANCE_BIT) << end,
             end + p->distances.extra_bits[distance]);
}

/* The last block is padded to a whole byte. */
static void put_block(struct deflater *p, bool is_last)
{
    enum { HEAD_MOST = 1024 };
    p->literals.count[END] = 1;
    make_codes(p->run, &p->literals, LITERALS, BITS_MOST);
    make_codes(p->run, &p->distances, DISTANCES, BITS_MOST);
    struct bit_writer out = p->out;
    out.to = mw_reserve_output(p->run, HEAD_MOST + (size_t)p->token_count * 6);
    put_head(p, &out, is_last);
    for (int32_t i = 0; i < p->token_count; i++)
        put_token(p, &out, p->tokens[i]);
    put_code(&out, &p->literals, END);
    if (is_last)
        put_bits(&out, 0, -out.count & 7);
    assert(out.to <= p->run->bottom + HEAD_MOST + (size_t)p->token_count * 6);
    mw_end_output(p->run, out.to);
    p->out = out;
    mw_tick(p->run, (uint64_t)p->token_count);
    p->token_count = 0;
    memset(p->literals.count, 0, sizeof p->literals.count);
    memset(p->distances.count, 0, sizeof p->distances.count);
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

static void add_token(struct deflater *p, uint32_t token)
{
    p->literals.count[token & ((1 << EXTRA_BIT) - 1)]++;
    p->distances.count[token >> DISTANCE_BIT & 31]++;
    p->tokens[p->token_count++] = token;
    if (p->token_count == TOKENS)
        put_block(p, false);
}

static void pack(struct deflater *p)
{
    for (size_t place = 0; place < p->length;) {
        uint32_t match = find_match(p, place);
        bool is_match = match > match_of(SHORTEST, NEAR);
        size_t n = is_match ? length_of(match) : 1;
        add_token(p, is_match ? token_of(p, match) : p->at[place] | NOWHERE << DISTANCE_BIT);
        place += n;
        mw_tick(p->run, 1 + n / 8);
    }
    put_block(p, true);
}

void deflate_rows(struct mw_run *run, const uint8_t *at, size_t length, size_t stride)
{
    struct deflater *p = MW_NEW(run, struct deflater, 1);
    memset(p, 0, offsetof(struct deflater, length_token));
    p->run = run;
    p->at = at;
    p->length = length;
    p->stride = stride;
    for (int32_t i = 0; i < LITERALS - END - 2; i++)
        p->literals.extra_bits[END + 1 + i] = extra_bits(i, 2);
    for (int32_t i = 0; i < DISTANCES; i++)
        p->distances.extra_bits[i] = extra_bits(i, 1);
    for (uint32_t n = SHORTEST; n <= LONGEST; n++)
        p->length_token[n - SHORTEST] = token_of_length(n);
    mw_put_bytes(run, "\x78\x01", 2);
    pack(p);
    uint32_t sum = adler(at, length);
    for (int shift = 24; shift >= 0; shift -= 8)
        mw_put_char(run, (char)(uint8_t)(sum >> shift));
}
