/*
 * siphash.h: SipHash-2-4 with 128 bits (Aumasson and Bernstein 2012), as in their reference code.
 *
 * Whoever does not know the key can neither foresee a hash nor find two texts of the same one, and
 * how long it takes depends on the text's length alone.
 */
#ifndef MAPWRIGHT_SIPHASH_H
#define MAPWRIGHT_SIPHASH_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct siphash {
    uint64_t words[2];
};

static inline void siphash_rounds(uint64_t v[4], int rounds)
{
#define ROTATE(x, n) ((x) << (n) | (x) >> (64 - (n)))
    for (; rounds; rounds--) {
        v[0] += v[1], v[2] += v[3];
        v[1] = ROTATE(v[1], 13) ^ v[0], v[3] = ROTATE(v[3], 16) ^ v[2];
        v[0] = ROTATE(v[0], 32);
        v[2] += v[1], v[0] += v[3];
        v[1] = ROTATE(v[1], 17) ^ v[2], v[3] = ROTATE(v[3], 21) ^ v[0];
        v[2] = ROTATE(v[2], 32);
    }
#undef ROTATE
}

static inline void siphash_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    siphash_rounds(v, 2);
    v[0] ^= word;
}

static inline struct siphash siphash(const uint64_t key[2], const void *bytes, size_t length)
{
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du ^ 0xee,
                     key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
    const unsigned char *at = bytes;
    uint64_t word = 0;
    size_t left = length;
    for (; left >= 8; left -= 8, at += 8) {
        memcpy(&word, at, 8);
        siphash_word(v, le64toh(word));
    }
    word = 0;
    memcpy(&word, at, left);
    siphash_word(v, le64toh(word) | (uint64_t)length << 56);
    struct siphash hash;
    v[2] ^= 0xee;
    siphash_rounds(v, 4);
    hash.words[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
    v[1] ^= 0xdd;
    siphash_rounds(v, 4);
    hash.words[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
    return hash;
}

#endif
