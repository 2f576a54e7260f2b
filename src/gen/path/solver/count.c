/*
 * count.c: how many solutions a board has under flow and classic, without listing them.
 *
 * A frontier passes through the board (frontier.h). It has width + 1 plugs, numbered from the left:
 * at plug x a path may enter the next cell, in column x, from the left; at plug x + 1 from above.
 * All that the rest of the board can know of a partial solution is what there is at each plug:
 *
 *      nothing;
 *      ( or )      a piece of path whose other end is at its mate, the matching bracket;
 *      a colour    a piece that leads to an end of that path.
 *
 * Paths do not cross, so that pieces nest as brackets do, and which belong together need not be
 * said.
 *
 * What cannot end well is dropped early, which changes no count:
 *   - A piece that is led down onto an end has that end's colour from then on, and so has its
 *     mate.
 *   - The next cell must be able to take what comes towards it.
 *   - Colours that have both ends done must not cross each other: c d c d. But mind the brackets:
 *     one that spans over c or d is a bridge above the frontier, by which one path can pass the
 *     other, and then nothing can be said.
 *   - After each row: what comes down in an order in which it must cross others below (planar.c).
 *
 * TWO FRONTIERS pass through the board, one from above and one from below, until they meet between
 * two rows (meet.c); at each row the one goes on that has fewer states. A frontier grows beyond
 * measure where it has passed many ends whose paths it cannot tell to be hopeless yet. That is
 * a matter of the side it comes from: from one alone the same boards took up to fourteen times as
 * long.
 *
 * COST. Grows exponentially with the shorter side (the board is turned so that the frontier runs
 * along it): a factor of two to three for each column. A state takes 30 to 60 ns. Strict needs to
 * know more (count_strict.c).
 */
#include "solver.h"

#include "meet.h"
#include "planar.h"

enum { NOTHING, OPENS, CLOSES, COLOURS }; /* what is at a plug; COLOURS + p for path p */
enum { MAX_WORDS = 8, STEPS_A_STATE = 8, FEW = 20 /* states */ };

struct flow_count {
    struct frontier frontier;
    enum rule rule;
    int bits, per_word;                              /* of a plug; plugs in a word */
    unsigned mask;                                   /* of a plug's bits */
    uint8_t word[MAX_SIDE + 1], shift[MAX_SIDE + 1]; /* where a plug lies in a key */
    uint64_t done;                                   /* paths with both their ends done */

    struct site at;
    int next_plug, next_path, next_exits; /* of the cell after that; ways out of it */
    const uint64_t *ways;                 /* to the present state */
};

/* ---- keys ------------------------------------------------------------------------------------ */

ALWAYS_INLINE unsigned get(const struct flow_count *c, const uint64_t *key, int plug, int words)
{
    return (unsigned)(key[words == 1 ? 0 : c->word[plug]] >> c->shift[plug]) & c->mask;
}

ALWAYS_INLINE void set(const struct flow_count *c, uint64_t *key, int plug, unsigned code,
                       int words)
{
    uint64_t *word = &key[words == 1 ? 0 : c->word[plug]];
    *word = (*word & ~((uint64_t)c->mask << c->shift[plug])) | (uint64_t)code << c->shift[plug];
}

/* Where the bracket stands that belongs to the one at `plug`. */
ALWAYS_INLINE int mate(const struct flow_count *c, const uint64_t *key, int plug, int words)
{
    unsigned like = get(c, key, plug, words);
    int way = like == OPENS ? 1 : -1;
    assert(like == OPENS || like == CLOSES);
    for (int depth = 1, at = plug;;) {
        at += way;
        assert(at >= 0 && at <= c->frontier.board.width);
        unsigned code = get(c, key, at, words);
        if (code == like)
            depth++;
        else if ((code == OPENS || code == CLOSES) && !--depth)
            return at;
    }
}

/* Moves all plugs one up, for a new row, whose first cell nothing enters from the left; nothing has
   left the last one to the right. */
ALWAYS_INLINE void new_row(const struct flow_count *c, uint64_t *key, int words)
{
    int top = (c->per_word - 1) * c->bits;
    assert(get(c, key, c->frontier.board.width, words) == NOTHING);
    uint64_t carry = 0;
    for (int i = 0; i < words; i++) {
        uint64_t out = key[i] >> top;
        key[i] = (key[i] & (((uint64_t)1 << top) - 1)) << c->bits | carry;
        carry = out;
    }
}

/* ---- one state, one cell --------------------------------------------------------------------- */

/* The piece at `plug` has reached an end: its mate has that colour from now on. */
ALWAYS_INLINE void colour_mate(const struct flow_count *c, uint64_t *key, int plug, unsigned code,
                               int words)
{
    set(c, key, mate(c, key, plug, words), code, words);
}

/* Whether the colours that have both ends above the frontier may yet be joined: c d c d is
   hopeless, unless a bracket over one of them offers a way past the others, above the frontier. */
ALWAYS_INLINE bool can_join(const struct flow_count *c, const uint64_t *key, int words)
{
    unsigned open[MAX_SIDE + 1];
    int depth = 0, brackets = 0;
    bool crossing = false;
    uint64_t seen = 0;
    for (int plug = 0; plug <= c->frontier.board.width; plug++) {
        unsigned code = get(c, key, plug, words);
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

/* Whether the next cell can take what comes towards it at its two plugs. */
ALWAYS_INLINE bool next_can_take(const struct flow_count *c, const uint64_t *key, int words)
{
    unsigned left = c->next_plug ? get(c, key, c->next_plug, words) : NOTHING;
    unsigned up = get(c, key, c->next_plug ? c->next_plug + 1 : 0, words);
    if (c->next_path == WALL)
        return true;
    if (c->next_path >= 0) {
        unsigned own = COLOURS + (unsigned)c->next_path;
        if (left && up)
            return false;
        return (left | up) == NOTHING ? c->next_exits > 0
                                      : (left | up) < COLOURS || (left | up) == own;
    }
    if (!left && !up)
        return c->rule == CLASSIC || c->next_exits == 2;
    if (!left || !up)
        return c->next_exits > 0;
    return left >= COLOURS && up >= COLOURS ? left == up : !(left == OPENS && up == CLOSES);
}

/* A way to fill the cell is complete, but for what goes down onto an end. `check` where a colour
   has come to another plug or gone from one. */
ALWAYS_INLINE void emit(struct flow_count *c, uint64_t *key, bool check, int words, int limbs)
{
    unsigned down = get(c, key, c->at.x, words);
    if (down && c->at.below >= 0) {
        unsigned own = COLOURS + (unsigned)c->at.below;
        if (down >= COLOURS && down != own)
            return;
        if (down < COLOURS) {
            colour_mate(c, key, c->at.x, own, words);
            set(c, key, c->at.x, own, words);
            check = true;
        }
    }
    if (next_can_take(c, key, words) && (!check || can_join(c, key, words)))
        frontier_enter(&c->frontier, key, c->ways, words, limbs);
}

/* A piece that is here goes on downward or to the right. */
ALWAYS_INLINE void extend(struct flow_count *c, const uint64_t *key, unsigned code, bool check,
                          int words, int limbs)
{
    for (int way = 0; way < 2; way++) {
        if (!(way ? c->at.right : c->at.down))
            continue;
        uint64_t fresh[MAX_WORDS];
        memcpy(fresh, key, (size_t)words * sizeof *key);
        set(c, fresh, c->at.x + way, code, words);
        emit(c, fresh, check, words, limbs);
    }
}

/* Two pieces meet in the cell, whose plugs are still set; false where they must not. */
ALWAYS_INLINE bool join(const struct flow_count *c, uint64_t *key, unsigned left, unsigned up,
                        bool *check, int words)
{
    if (left >= COLOURS && up >= COLOURS)
        return left == up;
    if (left == OPENS && up == CLOSES)
        return false;
    *check = left >= COLOURS || up >= COLOURS;
    if (left >= COLOURS)
        colour_mate(c, key, c->at.x + 1, left, words);
    else if (up >= COLOURS)
        colour_mate(c, key, c->at.x, up, words);
    else if (left == OPENS && up == OPENS)
        set(c, key, mate(c, key, c->at.x + 1, words), OPENS, words);
    else if (left == CLOSES && up == CLOSES)
        set(c, key, mate(c, key, c->at.x, words), CLOSES, words);
    return true; /* of `)` and `(` the mates match as they are */
}

/* A state at an end of path c->at.path: at most one piece comes in, and fits. */
ALWAYS_INLINE void pass_end(struct flow_count *c, uint64_t *key, unsigned left, unsigned up,
                            int words, int limbs)
{
    unsigned own = COLOURS + (unsigned)c->at.path;
    if (left && up)
        return;
    unsigned code = left | up;
    if (code >= COLOURS && code != own)
        return;
    if (code == OPENS || code == CLOSES)
        colour_mate(c, key, c->at.x + !left, own, words);
    set(c, key, c->at.x, NOTHING, words);
    set(c, key, c->at.x + 1, NOTHING, words);
    if (code)
        emit(c, key, true, words, limbs);
    else
        extend(c, key, own, true, words, limbs);
}

ALWAYS_INLINE void pass_open(struct flow_count *c, uint64_t *key, unsigned left, unsigned up,
                             int words, int limbs)
{
    bool check = false;
    if (left && up && !join(c, key, left, up, &check, words))
        return;
    set(c, key, c->at.x, NOTHING, words);
    set(c, key, c->at.x + 1, NOTHING, words);
    if (!left != !up) {
        extend(c, key, left | up, false, words, limbs);
        return;
    }
    uint64_t bend[MAX_WORDS];
    memcpy(bend, key, (size_t)words * sizeof *key);
    if (left || c->rule == CLASSIC)
        emit(c, key, check, words, limbs);
    if (left || !c->at.down || !c->at.right)
        return;
    set(c, bend, c->at.x, OPENS, words);
    set(c, bend, c->at.x + 1, CLOSES, words);
    emit(c, bend, false, words, limbs);
}

ALWAYS_INLINE void pass_state(struct frontier *f, const uint64_t *from, const uint64_t *ways,
                              int words, int limbs)
{
    struct flow_count *c = (struct flow_count *)f;
    uint64_t key[MAX_WORDS];
    c->ways = ways;
    memcpy(key, from, (size_t)words * sizeof *key);
    if (c->at.x == 0)
        new_row(c, key, words);
    unsigned left = get(c, key, c->at.x, words), up = get(c, key, c->at.x + 1, words);
    if (c->at.path == WALL)
        emit(c, key, false, words, limbs);
    else if (c->at.path >= 0)
        pass_end(c, key, left, up, words, limbs);
    else
        pass_open(c, key, left, up, words, limbs);
}

/* ---- all states, all cells ------------------------------------------------------------------- */

static void set_cell(struct flow_count *c, const struct site *at)
{
    const struct board *b = &c->frontier.board;
    int32_t next = at->cell + 1;
    c->at = *at;
    c->next_plug = at->x + 1 < b->width ? at->x + 1 : 0;
    c->next_path = next < b->cells ? b->path[next] : WALL;
    c->next_exits = next < b->cells ? (b->next[next][RIGHT] >= 0) + (b->next[next][DOWN] >= 0) : 0;
    if (at->path >= 0 && b->ends[at->path][1] == at->cell)
        c->done |= (uint64_t)1 << at->path;
}

static void pass_cell(struct frontier *f, const struct site *at)
{
    set_cell((struct flow_count *)f, at);
    if (f->words == 1 && f->limbs == 1)
        frontier_extend(f, pass_state, STEPS_A_STATE, 1, 1);
    else if (f->words == 2 && f->limbs == 1)
        frontier_extend(f, pass_state, STEPS_A_STATE, 2, 1);
    else
        frontier_extend(f, pass_state, STEPS_A_STATE, f->words, f->limbs);
}

static struct flow_count *set_up(struct mw_run *run, const struct board *b, enum rule rule,
                                 uint64_t steps)
{
    struct flow_count *c = MW_NEW0(run, struct flow_count, 1);
    int plugs = b->width + 1;
    c->rule = rule;
    c->bits = 2;
    while (1 << c->bits < COLOURS + b->paths)
        c->bits++;
    c->mask = (1u << c->bits) - 1;
    c->per_word = 64 / c->bits;
    for (int plug = 0; plug < plugs; plug++) {
        c->word[plug] = (uint8_t)(plug / c->per_word);
        c->shift[plug] = (uint8_t)(plug % c->per_word * c->bits);
    }
    frontier_init(&c->frontier, run, b, (plugs - 1) / c->per_word + 1, steps);
    assert(c->frontier.words <= MAX_WORDS);
    return c;
}

/* ---- two frontiers that meet ----------------------------------------------------------------- */

/* What a state has at each column, between two rows. */
static void spell(const struct flow_count *c, const uint64_t *key, uint8_t *codes)
{
    int words = c->frontier.words;
    for (int x = 0; x < c->frontier.board.width; x++) {
        unsigned code = get(c, key, x, words);
        codes[x] = (uint8_t)(code == NOTHING   ? MEET_NOTHING
                             : code >= COLOURS ? MEET_COLOUR + (code - COLOURS)
                                               : MEET_MATE + (unsigned)mate(c, key, x, words));
    }
}

static struct half half_of(const struct flow_count *c)
{
    const struct frontier *f = &c->frontier;
    struct half half = half_new(f->run, f->board.width, f->limbs, f->after.count);
    for (uint32_t i = 0; i < half.count; i++) {
        const uint64_t *state = state_at(&f->after, i, f->words + f->limbs);
        spell(c, state, half.codes + (size_t)i * (size_t)half.width);
        half.ways[i] = state + f->words;
    }
    return half;
}

struct filter {
    const struct flow_count *count;
    struct planar *planar;
};

static bool can_end(void *data, const uint64_t *key)
{
    const struct filter *filter = data;
    uint8_t codes[MAX_SIDE];
    if (frontier_is_exhausted(&filter->count->frontier))
        return true; /* it gives up soon */
    spell(filter->count, key, codes);
    return planar_can_end(filter->planar, codes);
}

/* Takes it over a row, and drops what must cross below. False: it has given up. */
static bool pass_row(struct flow_count *c)
{
    struct frontier *f = &c->frontier;
    if (!frontier_pass_row(f, pass_cell))
        return false;
    if (f->rows == f->board.height || f->after.count < FEW)
        return true;
    char *mark = mw_mark(f->run);
    struct filter filter = {c, planar_new(f->run, &f->board, f->rows)};
    frontier_keep(f, can_end, &filter);
    mw_rewind(f->run, mark);
    return true;
}

static const char *count_both(struct flow_count *down, struct flow_count *up)
{
    struct frontier *above = &down->frontier, *below = &up->frontier;
    while (above->rows + below->rows < above->board.height)
        if (!pass_row(below->after.count < above->after.count ? up : down))
            return NULL;
    struct half upper = half_of(down), lower = half_of(up);
    return meet(above, &upper, &lower);
}

const char *path_count(struct mw_run *run, const struct board *b, enum rule rule, uint64_t steps)
{
    if (rule == STRICT)
        return path_count_strict(run, b, steps);
    struct board upright = board_upright(run, b), flipped = board_flipped(run, &upright);
    return count_both(set_up(run, &upright, rule, steps), set_up(run, &flipped, rule, steps));
}
