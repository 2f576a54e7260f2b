/*
 * states.c: see the header.
 */
#include "states.h"

/* An empty table of hashes of that size, a power of two; then all states of `then` go in. */
void states_index(struct states *s, uint32_t size)
{
    if (size > s->index_room) {
        s->index = MW_NEW(s->run, uint32_t, size);
        s->index_room = size;
    }
    memset(s->index, 0, size * sizeof *s->index);
    s->mask = size - 1;
    mw_tick(s->run, size / 16 + s->then.count);
    for (uint32_t i = 0; i < s->then.count; i++) {
        uint32_t at = states_hash(state_at(&s->then, i, s->words + s->limbs), s->words) & s->mask;
        while (s->index[at])
            at = (at + 1) & s->mask;
        s->index[at] = i + 1;
    }
}

/* Gives all ways one more word. Chunks of the old size are not used again. */
static void widen(struct states *s)
{
    size_t old = (size_t)(s->words + s->limbs), size = old + 1;
    s->limbs++;
    s->spares = 0;
    for (uint32_t i = 0; i < s->now.count; i += CHUNK) {
        uint64_t *from = s->now.chunks[i >> CHUNK_BITS],
                 *to = MW_NEW(s->run, uint64_t, CHUNK * size);
        mw_tick(s->run, CHUNK);
        for (uint32_t k = 0; k < CHUNK && i + k < s->now.count; k++) {
            memcpy(to + k * size, from + k * old, old * sizeof *to);
            to[k * size + old] = 0;
        }
        s->now.chunks[i >> CHUNK_BITS] = to;
    }
}

void states_turn(struct states *s)
{
    struct generation read = s->then;
    s->then = s->now;
    s->now = read;
    s->then.count = 0;
    if (s->sum[s->limbs - 1] >> 61) /* the sum may double once when it is read, and again */
        widen(s);
    memset(s->sum, 0, sizeof s->sum);
    uint32_t size = 1 << 10;
    while (size < 2 * s->now.count)
        size *= 2;
    states_index(s, size);
}

void states_init(struct states *s, struct mw_run *run, int words)
{
    memset(s, 0, sizeof *s);
    s->run = run;
    s->begun = mw_steps(run);
    s->room = mw_left(run, PATH_MEMORY);
    s->words = words;
    s->limbs = 1;
    size_t most = PATH_MEMORY / (CHUNK * 2 * sizeof(uint64_t)) + 1;
    s->now.chunks = MW_NEW(run, uint64_t *, most);
    s->then.chunks = MW_NEW(run, uint64_t *, most);
    s->spare = MW_NEW(run, uint64_t *, most);
    states_index(s, 1 << 10);
}

bool states_exhausted(const struct states *s, uint64_t steps)
{
    if (steps == UINT64_MAX)
        return false;
    return mw_steps(s->run) - s->begun > steps || mw_left(s->run, PATH_MEMORY) < s->room / 2;
}

const char *states_total(struct states *s)
{
    if (!s->then.count)
        return "0";
    int limbs = s->limbs;
    uint64_t *number = state_at(&s->then, 0, s->words + limbs) + s->words;
    size_t room = (size_t)limbs * 20 + 2;
    char *text = MW_NEW(s->run, char, room), *at = text + room;
    *--at = '\0';
    do {
        uint64_t rest = 0; /* long division by ten, half a word at a time */
        for (int i = 2 * limbs; i-- > 0;) {
            int shift = i % 2 * 32;
            uint64_t part = rest << 32 | (number[i / 2] >> shift & UINT32_MAX);
            number[i / 2] = (number[i / 2] & ~((uint64_t)UINT32_MAX << shift)) | part / 10 << shift;
            rest = part % 10;
        }
        *--at = (char)('0' + rest);
        while (limbs && !number[limbs - 1])
            limbs--;
    } while (limbs);
    return at;
}
