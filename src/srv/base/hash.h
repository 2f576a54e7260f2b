/*
 * hash.h: hash and randomness of this process.
 *
 * Tables are keyed by a secret random number and compare the bytes in the end: collisions cannot be
 * chosen from outside, and do no harm.
 */
#ifndef MAPWRIGHT_HASH_H
#define MAPWRIGHT_HASH_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

__extension__ typedef unsigned __int128 hash_wide;

static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    hash_wide product = (hash_wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Multiply and fold, 16 bytes a step. */
static inline uint64_t hash_bytes(const uint64_t key[2], const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = key[0] ^ length, word[2];
    for (size_t left = length;; left -= 16, at += 16) {
        if (left < 16) {
            memset(word, 0, sizeof word);
            memcpy(word, at, left);
            hash = hash_fold(word[0] ^ key[1], word[1] ^ hash);
            return hash_fold(hash ^ key[0], key[1] | 1);
        }
        memcpy(word, at, sizeof word);
        hash = hash_fold(word[0] ^ key[1], word[1] ^ hash);
    }
}

/* splitmix64 over a secret start; for one thread. */
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Up to 256 random bytes from the kernel, which never fails on systems that we support. */
static inline void random_bytes(void *bytes, size_t length)
{
    int outcome = getentropy(bytes, length);
    assert(!outcome);
    (void)outcome;
}

#endif
