/*
 * rng.c: from the text of a seed to named streams of random numbers.
 *
 * A stream is xoshiro256** (Blackman, Vigna 2018), its state filled by splitmix64 from a 64-bit
 * FNV-1a hash of generator, seed and the stream's name, each closed by a zero byte so that no two
 * triples spell alike.
 */
#include "gen.h"

static uint64_t fnv(uint64_t hash, const char *text)
{
    do {
        hash ^= (unsigned char)*text;
        hash *= UINT64_C(0x100000001b3);
    } while (*text++);
    return hash;
}

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct mw_rng mw_stream(const struct mw_run *run, const char *name)
{
    assert(run->generator && run->seed); /* there are no draws before a map is made */
    uint64_t key = fnv(fnv(fnv(UINT64_C(0xcbf29ce484222325), run->generator), run->seed), name);
    struct mw_rng rng;
    for (int i = 0; i < 4; i++)
        rng.s[i] = splitmix(&key);
    assert(rng.s[0] | rng.s[1] | rng.s[2] | rng.s[3]); /* xoshiro would stay at 0 for ever */
    return rng;
}

/* From the last item down, each changes places with one of those before it, or none. */
void mw_shuffle(struct mw_rng *rng, int32_t *items, int32_t count)
{
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = (int32_t)mw_below(rng, (uint32_t)i + 1), item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}
