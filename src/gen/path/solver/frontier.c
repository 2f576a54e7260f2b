/*
 * frontier.c: see the header.
 */
#include "frontier.h"

/* What the run may have in use before a count gives up. */
#define COUNT_MEMORY ((size_t)1 << 30)

/* An empty table of hashes of that size, a power of two; then all states of `after` go in. */
void frontier_index(struct frontier *f, uint32_t size)
{
    assert(!(size & (size - 1)) && size > f->after.count);
    if (size > f->index_room) {
        f->index = MW_NEW(f->run, uint32_t, size);
        f->index_room = size;
    }
    memset(f->index, 0, size * sizeof *f->index);
    f->mask = size - 1;
    mw_tick(f->run, size / 16 + f->after.count);
    for (uint32_t i = 0; i < f->after.count; i++) {
        uint32_t at = hash_key(state_at(&f->after, i, f->words + f->limbs), f->words) & f->mask;
        while (f->index[at])
            at = (at + 1) & f->mask;
        f->index[at] = i + 1;
    }
}

static uint64_t *take_chunk(struct frontier *f)
{
    uint64_t *chunk = f->spare;
    if (!chunk)
        return MW_NEW(f->run, uint64_t, CHUNK * (f->words + f->limbs));
    memcpy(&f->spare, chunk, sizeof f->spare);
    return chunk;
}

void frontier_add_chunk(struct frontier *f)
{
    struct layer *layer = &f->after;
    uint32_t chunks = layer->count >> CHUNK_BITS;
    assert(layer->count % CHUNK == 0);
    if (chunks == layer->room) {
        layer->room = 2 * chunks + 8;
        uint64_t **more = MW_NEW(f->run, uint64_t *, layer->room);
        if (chunks)
            memcpy(more, layer->chunks, chunks * sizeof *more);
        layer->chunks = more;
    }
    layer->chunks[chunks] = take_chunk(f);
}

/* Gives all ways one more word. Chunks of the old size are not used again. */
static void widen(struct frontier *f)
{
    size_t old = (size_t)(f->words + f->limbs), size = old + 1;
    assert(f->limbs < MAX_LIMBS);
    f->limbs++;
    f->spare = NULL;
    f->queue = MW_NEW(f->run, uint64_t, QUEUE * size);
    for (uint32_t i = 0; i < f->before.count; i += CHUNK) {
        uint64_t *from = f->before.chunks[i >> CHUNK_BITS];
        uint64_t *to = MW_NEW(f->run, uint64_t, CHUNK * size);
        mw_tick(f->run, CHUNK);
        for (uint32_t k = 0; k < CHUNK && i + k < f->before.count; k++) {
            memcpy(to + k * size, from + k * old, old * sizeof *to);
            to[k * size + old] = 0;
        }
        f->before.chunks[i >> CHUNK_BITS] = to;
    }
}

/* `after` becomes `before`, and is empty. */
static void begin_layer(struct frontier *f)
{
    struct layer read = f->after;
    f->after = f->before;
    f->before = read;
    f->after.count = 0;
    if (f->sum[f->limbs - 1] >> 61) /* the sum may double once when it is read, and again */
        widen(f);
    memset(f->sum, 0, sizeof f->sum);
    uint32_t size = 1 << 10;
    while (size < 2 * f->before.count)
        size *= 2;
    frontier_index(f, size);
}

void frontier_init(struct frontier *f, struct mw_run *run, const struct board *b, int words,
                   uint64_t steps)
{
    assert(words > 0 && words <= MAX_KEY);
    memset(f, 0, sizeof *f);
    f->run = run;
    f->board = *b;
    f->begun = mw_steps(run);
    f->steps = steps;
    f->room = mw_left(run, COUNT_MEMORY);
    f->words = words;
    f->limbs = 1;
    f->queue = MW_NEW(run, uint64_t, QUEUE * (words + 1));
    frontier_index(f, 1 << 10);
    uint64_t nothing[MAX_KEY] = {0}, one = 1;
    frontier_enter(f, nothing, &one, words, 1);
    frontier_flush(f, words, 1);
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

static struct site site_of(const struct board *b, int32_t cell)
{
    const int32_t *next = b->next[cell];
    return (struct site){
        .cell = cell,
        .x = cell % b->width,
        .path = b->path[cell],
        .down = next[DOWN] >= 0,
        .right = next[RIGHT] >= 0,
        .below = next[DOWN] < 0 ? WALL : b->path[next[DOWN]],
        .beside = next[RIGHT] < 0 ? WALL : b->path[next[RIGHT]],
    };
}

bool frontier_is_exhausted(const struct frontier *f)
{
    if (f->steps == UINT64_MAX)
        return false;
    uint64_t spent = mw_steps(f->run) - f->begun, table = 2 * (uint64_t)f->after.count;
    return spent + table > f->steps || mw_left(f->run, COUNT_MEMORY) < f->room / 2;
}

bool frontier_pass_row(struct frontier *f, void (*pass)(struct frontier *, const struct site *))
{
    assert(f->rows < f->board.height);
    int32_t cell = f->rows++ * f->board.width, end = cell + f->board.width;
    for (; cell < end && f->after.count && !f->exhausted; cell++) {
        struct site at = site_of(&f->board, cell);
        begin_layer(f);
        pass(f, &at);
    }
    return !f->exhausted;
}

void frontier_keep(struct frontier *f, bool (*is_wanted)(void *, const uint64_t *key), void *data)
{
    struct layer *layer = &f->after;
    int size = f->words + f->limbs;
    uint32_t kept = 0, count = layer->count;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *state = state_at(layer, i, size);
        if (is_wanted(data, state))
            memmove(state_at(layer, kept++, size), state, (size_t)size * sizeof *state);
    }
    for (uint32_t i = (kept + CHUNK - 1) / CHUNK; i < (count + CHUNK - 1) / CHUNK; i++) {
        memcpy(layer->chunks[i], &f->spare, sizeof f->spare);
        f->spare = layer->chunks[i];
    }
    layer->count = kept;
}

const char *frontier_count(struct frontier *f, void (*pass)(struct frontier *, const struct site *))
{
    while (f->rows < f->board.height)
        if (!frontier_pass_row(f, pass))
            return NULL;
    assert(f->after.count <= 1);
    if (!f->after.count)
        return "0";
    uint64_t *state = state_at(&f->after, 0, f->words + f->limbs);
    return frontier_digits(f->run, state + f->words, f->limbs);
}
