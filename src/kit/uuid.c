/*
 * uuid.c: names made of what they name: UUIDs of version 5 (RFC 9562), which are SHA-1 (RFC 3174)
 * of a namespace and a text. It keeps nothing secret. libmapwright and its module depend on no
 * library, so they have it from here, small rather than fast; the service has libuuid
 * (srv/base/identity.c).
 */
#include "uuid.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, LENGTH_BYTES = 8 };

/* The namespace of URLs. */
static const unsigned char space[16] = {0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1,
                                        0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8};

/* Byte i of `padded` that are hashed: namespace and text, a one, zeros, and the length in bits. */
static uint32_t byte_of(const char *text, size_t length, size_t padded, size_t i)
{
    size_t end = sizeof space + length;
    if (i < sizeof space)
        return space[i];
    if (i < end)
        return (unsigned char)text[i - sizeof space];
    if (i < padded - LENGTH_BYTES)
        return i == end ? 0x80 : 0;
    return (uint64_t)end * 8 >> 8 * (padded - 1 - i) & 255;
}

static uint32_t rotate(uint32_t x, int k) { return x << k | x >> (32 - k); }

/* What a round adds, of which there are four kinds. */
static uint32_t round_of(int t, const uint32_t v[5])
{
    uint32_t b = v[1], c = v[2], d = v[3];
    switch (t / 20) {
    case 0: return ((b & c) | (~b & d)) + 0x5a827999;
    case 1: return (b ^ c ^ d) + 0x6ed9eba1;
    case 2: return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
    default: return (b ^ c ^ d) + 0xca62c1d6;
    }
}

/* Mixes a block, whose words begin `w`, into the hash. */
static void mix_block(uint32_t h[5], uint32_t w[80])
{
    uint32_t v[5];
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 80; t++) {
        if (t >= 16)
            w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
        uint32_t next = rotate(v[0], 5) + round_of(t, v) + v[4] + w[t];
        memmove(v + 1, v, 4 * sizeof *v);
        v[0] = next;
        v[2] = rotate(v[2], 30);
    }
    for (int i = 0; i < 5; i++)
        h[i] += v[i];
}

void mw_uuid_of_url(const char *url, size_t length, char id[37])
{
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    size_t padded = (sizeof space + length + LENGTH_BYTES) / BLOCK * BLOCK + BLOCK;
    static const char digits[] = "0123456789abcdef";
    for (size_t block = 0; block < padded; block += BLOCK) {
        uint32_t w[80] = {0};
        for (size_t i = 0; i < BLOCK; i++)
            w[i / 4] = w[i / 4] << 8 | byte_of(url, length, padded, block + i);
        mix_block(h, w);
    }
    h[1] = (h[1] & 0xffff0fff) | 5 << 12;           /* the version */
    h[2] = (h[2] & 0x3fffffff) | UINT32_C(2) << 30; /* the variant */
    for (int i = 0; i < 32; i++) {
        if (i == 8 || i == 12 || i == 16 || i == 20)
            *id++ = '-';
        *id++ = digits[h[i / 8] >> (28 - i % 8 * 4) & 15];
    }
    *id = '\0';
}
