/*
 * count.c: how many solutions a board has under flow and classic, without listing them.
 *
 * A line runs through the board, below the cells that are done and above the rest. It crosses
 * each column once, and the row of the next cell once: width + 1 slots, numbered from the left.
 *
 *        done   done   done   done   done
 *        done   done  +-------------------
 *      ---------------+ next
 *
 * All that the rest of the board can know of a partial solution is what crosses at each slot:
 *
 *      nothing;
 *      ( or )      a piece of path whose other end crosses too, at the matching bracket;
 *      a colour    a piece that leads to an end of that path.
 *
 * Paths do not cross, so that pieces nest as brackets do, and which belong together need not be
 * said. Partial solutions that cross the line alike are one state with a number of ways. Cell by
 * cell each state is extended in every way that the cell allows, and ways that lead to the same
 * state are added. After the last cell nothing crosses, and its ways are the count: each solution
 * is counted once, as it has one state at each cell.
 *
 * What cannot end well is dropped early, which changes no count:
 *   - A piece that is led down onto an end has that end's colour from then on, and so has its
 *     other end.
 *   - The next cell must be able to take what crosses towards it.
 *   - Colours that have both ends done must not cross each other: c d c d. But mind the brackets:
 *     one that spans over c or d is a bridge above the line, by which one path can pass the
 *     other, and then nothing can be said.
 *
 * COST. Grows exponentially with the shorter side (the board is turned so that the line runs
 * along it): a factor of two to three for each column. A state takes 30 to 60 ns. Method: Simpath
 * (Knuth), in the form of the broken profile. Strict needs to know more (count_strict.c).
 */
#include "states.h"

enum { NOTHING, OPENS, CLOSES, COLOURS }; /* what crosses at a slot; COLOURS + p for path p */
enum { MAX_WORDS = 8, STEPS_A_STATE = 8 };

struct census {
    struct states states;
    struct board board; /* turned */
    enum rule rule;
    int bits, per_word; /* of a slot; slots in a word */
    unsigned mask;      /* of a slot's bits */
    struct place {
        uint8_t word, shift;
    } places[MAX_SIDE + 1]; /* of a slot in a key */

    /* the present cell: what lies in it, below it, and in the next one */
    int slot; /* crossed from the left; slot + 1 from above; then downward and to the right */
    int next_slot, next_ways;
    int path, below, next_path;
    bool down, right; /* whether a path can leave that way */
    uint64_t done;    /* paths with both their ends done */
};

/* ---- keys ------------------------------------------------------------------------------------ */

ALWAYS_INLINE unsigned get(const struct census *c, const uint64_t *key, int slot, int words)
{
    const struct place *at = &c->places[slot];
    return (unsigned)(key[words == 1 ? 0 : at->word] >> at->shift) & c->mask;
}

ALWAYS_INLINE void set(const struct census *c, uint64_t *key, int slot, unsigned code, int words)
{
    const struct place *at = &c->places[slot];
    uint64_t *word = &key[words == 1 ? 0 : at->word];
    *word = (*word & ~((uint64_t)c->mask << at->shift)) | (uint64_t)code << at->shift;
}

/* The bracket that belongs to the one at `slot`. */
ALWAYS_INLINE int mate(const struct census *c, const uint64_t *key, int slot, int words)
{
    unsigned like = get(c, key, slot, words);
    int way = like == OPENS ? 1 : -1;
    for (int depth = 1, at = slot;;) {
        unsigned code = get(c, key, at += way, words);
        if (code == like)
            depth++;
        else if ((code == OPENS || code == CLOSES) && !--depth)
            return at;
    }
}

/* Moves all slots one up, for a new row, whose first cell nothing enters from the left. */
ALWAYS_INLINE void new_row(const struct census *c, uint64_t *key, int words)
{
    int top = (c->per_word - 1) * c->bits;
    uint64_t carry = 0;
    for (int i = 0; i < words; i++) {
        uint64_t out = key[i] >> top;
        key[i] = (key[i] & (((uint64_t)1 << top) - 1)) << c->bits | carry;
        carry = out;
    }
}

/* ---- one state, one cell --------------------------------------------------------------------- */

/* The piece that ends at `slot` leads to an end of path p; so does its other end. */
ALWAYS_INLINE void colour(const struct census *c, uint64_t *key, int slot, unsigned code, int words)
{
    set(c, key, mate(c, key, slot, words), code, words);
}

/* Whether the colours that have both ends above the line may yet be joined: c d c d is hopeless,
   unless a bracket over one of them offers a way past the others, above the line. */
ALWAYS_INLINE bool can_join(const struct census *c, const uint64_t *key, int words)
{
    unsigned open[MAX_SIDE + 1];
    int depth = 0, brackets = 0;
    bool crossing = false;
    uint64_t seen = 0;
    for (int slot = 0; slot <= c->board.width; slot++) {
        unsigned code = get(c, key, slot, words);
        if (code < COLOURS) {
            brackets += (code == OPENS) - (code == CLOSES);
            continue;
        }
        uint64_t bit = (uint64_t)1 << (code - COLOURS) & c->done;
        if (bit && brackets)
            return true;
        if (!bit || crossing)
            continue;
        if (!(seen & bit))
            open[depth++] = code;
        else
            crossing = open[--depth] != code;
        seen |= bit;
    }
    return !crossing;
}

/* Whether the next cell can take what crosses towards it at its two slots. */
ALWAYS_INLINE bool next_can_take(const struct census *c, const uint64_t *key, int words)
{
    unsigned left = c->next_slot ? get(c, key, c->next_slot, words) : NOTHING;
    unsigned up = get(c, key, c->next_slot ? c->next_slot + 1 : 0, words);
    if (c->next_path == WALL)
        return true;
    if (c->next_path >= 0) {
        unsigned own = COLOURS + (unsigned)c->next_path;
        if (left && up)
            return false;
        return (left | up) == NOTHING ? c->next_ways > 0
                                      : (left | up) < COLOURS || (left | up) == own;
    }
    if (!left && !up)
        return c->rule == CLASSIC || c->next_ways == 2;
    if (!left || !up)
        return c->next_ways > 0;
    return left >= COLOURS && up >= COLOURS ? left == up : !(left == OPENS && up == CLOSES);
}

/* A way to fill the cell is complete, but for what goes down onto an end. */
ALWAYS_INLINE void leave(struct census *c, uint64_t *key, const uint64_t *ways, bool check,
                         int words, int limbs)
{
    unsigned down = get(c, key, c->slot, words);
    if (down && c->below >= 0) {
        unsigned own = COLOURS + (unsigned)c->below;
        if (down >= COLOURS && down != own)
            return;
        if (down < COLOURS) {
            colour(c, key, c->slot, own, words);
            set(c, key, c->slot, own, words);
            check = true;
        }
    }
    if (next_can_take(c, key, words) && (!check || can_join(c, key, words)))
        states_enter(&c->states, key, ways, words, limbs);
}

/* A piece that has come here leaves downward or to the right. */
ALWAYS_INLINE void lead_on(struct census *c, const uint64_t *key, unsigned code,
                           const uint64_t *ways, bool check, int words, int limbs)
{
    for (int way = 0; way < 2; way++) {
        if (!(way ? c->right : c->down))
            continue;
        uint64_t fresh[MAX_WORDS];
        memcpy(fresh, key, (size_t)words * sizeof *key);
        set(c, fresh, c->slot + way, code, words);
        leave(c, fresh, ways, check, words, limbs);
    }
}

/* Two pieces meet in the cell, whose slots are still set; false where they must not. */
ALWAYS_INLINE bool join(const struct census *c, uint64_t *key, unsigned left, unsigned up,
                        bool *check, int words)
{
    if (left >= COLOURS && up >= COLOURS)
        return left == up;
    if (left == OPENS && up == CLOSES)
        return false;
    *check = left >= COLOURS || up >= COLOURS;
    if (left >= COLOURS)
        colour(c, key, c->slot + 1, left, words);
    else if (up >= COLOURS)
        colour(c, key, c->slot, up, words);
    else if (left == OPENS && up == OPENS)
        set(c, key, mate(c, key, c->slot + 1, words), OPENS, words);
    else if (left == CLOSES && up == CLOSES)
        set(c, key, mate(c, key, c->slot, words), CLOSES, words);
    return true;
}

/* A state at an end of path c->path: at most one piece comes in, and fits. */
ALWAYS_INLINE void pass_end(struct census *c, uint64_t *key, unsigned left, unsigned up,
                            const uint64_t *ways, int words, int limbs)
{
    unsigned own = COLOURS + (unsigned)c->path;
    if (left && up)
        return;
    unsigned code = left | up;
    if (code >= COLOURS && code != own)
        return;
    if (code == OPENS || code == CLOSES)
        colour(c, key, c->slot + !left, own, words);
    set(c, key, c->slot, NOTHING, words);
    set(c, key, c->slot + 1, NOTHING, words);
    if (code)
        leave(c, key, ways, true, words, limbs);
    else
        lead_on(c, key, own, ways, true, words, limbs);
}

ALWAYS_INLINE void pass_open(struct census *c, uint64_t *key, unsigned left, unsigned up,
                             const uint64_t *ways, int words, int limbs)
{
    bool check = false;
    if (left && up && !join(c, key, left, up, &check, words))
        return;
    set(c, key, c->slot, NOTHING, words);
    set(c, key, c->slot + 1, NOTHING, words);
    if (!left != !up) {
        lead_on(c, key, left | up, ways, false, words, limbs);
        return;
    }
    uint64_t bend[MAX_WORDS];
    memcpy(bend, key, (size_t)words * sizeof *key);
    if (left || c->rule == CLASSIC)
        leave(c, key, ways, check, words, limbs);
    if (left || !c->down || !c->right)
        return;
    set(c, bend, c->slot, OPENS, words);
    set(c, bend, c->slot + 1, CLOSES, words);
    leave(c, bend, ways, false, words, limbs);
}

ALWAYS_INLINE void pass(struct census *c, const uint64_t *from, int words, int limbs)
{
    uint64_t key[MAX_WORDS];
    memcpy(key, from, (size_t)words * sizeof *key);
    if (c->slot == 0)
        new_row(c, key, words);
    unsigned left = get(c, key, c->slot, words), up = get(c, key, c->slot + 1, words);
    if (c->path == WALL)
        leave(c, key, from + words, false, words, limbs);
    else if (c->path >= 0)
        pass_end(c, key, left, up, from + words, words, limbs);
    else
        pass_open(c, key, left, up, from + words, words, limbs);
}

/* ---- all states, all cells ------------------------------------------------------------------- */

/* Takes the states one chunk after the other through the cell; the chunk is free after it. */
ALWAYS_INLINE void pass_all(struct census *c, int words, int limbs)
{
    struct states *s = &c->states;
    for (uint32_t i = 0; i < s->now.count; i += CHUNK) {
        uint32_t end = s->now.count - i < CHUNK ? s->now.count - i : CHUNK;
        uint64_t *chunk = s->now.chunks[i >> CHUNK_BITS];
        mw_tick(s->run, (uint64_t)end * STEPS_A_STATE);
        for (uint32_t k = 0; k < end; k++) {
            const uint64_t *from = chunk + (size_t)k * (size_t)(words + limbs);
            add_ways(s->sum, from + words, limbs);
            pass(c, from, words, limbs);
        }
        s->spare[s->spares++] = chunk;
    }
}

static void set_cell(struct census *c, int32_t cell)
{
    const struct board *b = &c->board;
    int x = cell % b->width;
    c->slot = x;
    c->path = b->path[cell];
    c->right = b->next[cell][RIGHT] >= 0;
    c->down = b->next[cell][DOWN] >= 0;
    c->below = c->down ? b->path[b->next[cell][DOWN]] : WALL;
    c->next_slot = x + 1 < b->width ? x + 1 : 0;
    c->next_path = cell + 1 < b->cells ? b->path[cell + 1] : WALL;
    c->next_ways =
        cell + 1 < b->cells ? (b->next[cell + 1][RIGHT] >= 0) + (b->next[cell + 1][DOWN] >= 0) : 0;
    if (c->path >= 0 && b->ends[c->path][1] == cell)
        c->done |= (uint64_t)1 << c->path;
}

static void pass_cell(struct census *c, int32_t cell)
{
    struct states *s = &c->states;
    set_cell(c, cell);
    states_turn(s);
    if (s->words == 1 && s->limbs == 1)
        pass_all(c, 1, 1);
    else if (s->words == 2 && s->limbs == 1)
        pass_all(c, 2, 1);
    else
        pass_all(c, s->words, s->limbs);
}

/* ---- setting up ------------------------------------------------------------------------------ */

static void set_up(struct census *c, struct mw_run *run, const struct board *b, enum rule rule)
{
    memset(c, 0, sizeof *c);
    c->board = board_upright(run, b);
    c->rule = rule;
    c->bits = 2;
    while (1 << c->bits < COLOURS + b->paths)
        c->bits++;
    c->mask = (1u << c->bits) - 1;
    c->per_word = 64 / c->bits;
    for (int slot = 0; slot <= c->board.width; slot++)
        c->places[slot] =
            (struct place){(uint8_t)(slot / c->per_word), (uint8_t)(slot % c->per_word * c->bits)};
    states_init(&c->states, run, (c->board.width + c->per_word) / c->per_word);
    uint64_t nothing[MAX_WORDS] = {0}, one = 1;
    states_enter(&c->states, nothing, &one, c->states.words, 1);
}

const char *path_count(struct mw_run *run, const struct board *b, enum rule rule, uint64_t steps)
{
    if (rule == STRICT)
        return path_count_strict(run, b, steps);
    struct census *c = MW_NEW(run, struct census, 1);
    set_up(c, run, b, rule);
    for (int32_t cell = 0; cell < c->board.cells && c->states.then.count; cell++) {
        if (states_exhausted(&c->states, steps))
            return NULL;
        pass_cell(c, cell);
    }
    return states_total(&c->states);
}
