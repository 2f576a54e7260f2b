/*
 * frontier.c: layers of states, see the header.
 */
#include "frontier.h"

/* Memory that the run may use, with all that it used before, before a count gives up. */
#define COUNT_MEMORY ((size_t)1 << 30)

uint32_t frontier_index(struct frontier *f, uint32_t count)
{
    uint32_t size = 64;
    assert(count < UINT32_C(1) << 29);
    while (size < 3 * count)
        size *= 2;
    if (size > f->index_room) {
        f->index = MW_NEW(f->run, uint32_t, size);
        f->index_room = size;
    }
    memset(f->index, 0, size * sizeof *f->index);
    mw_tick(f->run, size / 16);
    return size - 1;
}

static struct chunk *take_chunk(struct frontier *f)
{
    struct chunk *chunk = f->spare;
    size_t size = CHUNK * (size_t)(f->words + f->limbs) * sizeof *chunk->states;
    if (!chunk)
        return mw_alloc(f->run, 1, sizeof *chunk + size);
    f->spare = chunk->next;
    return chunk;
}

void frontier_add_to_bin(struct frontier *f, struct bin *bin)
{
    struct chunk *chunk = take_chunk(f);
    chunk->next = bin->chunks;
    bin->chunks = chunk;
}

void frontier_add_chunk(struct frontier *f)
{
    struct layer *layer = &f->after;
    uint32_t chunks = layer->count >> CHUNK_BITS;
    assert(layer->count % CHUNK == 0);
    if (chunks == layer->room) {
        layer->room = 2 * chunks + 8;
        struct chunk **more = MW_NEW(f->run, struct chunk *, layer->room);
        if (chunks)
            memcpy(more, layer->chunks, chunks * sizeof *more);
        layer->chunks = more;
    }
    layer->chunks[chunks] = take_chunk(f);
}

void frontier_begin_layer(struct frontier *f)
{
    struct layer read = f->after;
    f->after = f->before;
    f->before = read;
    f->after.count = 0;
}

void frontier_init(struct frontier *f, struct mw_run *run, int words, int limbs, uint64_t steps)
{
    assert(words > 0 && words <= FRONTIER_WORDS && limbs > 0 && limbs <= FRONTIER_LIMBS);
    memset(f, 0, sizeof *f);
    f->run = run;
    f->begun = mw_steps(run);
    f->steps = steps;
    f->room = mw_left(run, COUNT_MEMORY);
    f->words = words;
    f->limbs = limbs;
    uint64_t *state = frontier_add(f, words + limbs);
    memset(state, 0, (size_t)(words + limbs) * sizeof *state);
    state[words] = 1;
}

const char *frontier_digits(struct mw_run *run, uint64_t *number, int limbs)
{
    size_t room = (size_t)limbs * 20 + 2;
    char *text = MW_NEW(run, char, room), *at = text + room;
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

bool frontier_is_exhausted(const struct frontier *f)
{
    return mw_steps(f->run) - f->begun > f->steps || mw_left(f->run, COUNT_MEMORY) < f->room / 2;
}
