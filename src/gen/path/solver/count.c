/*
 * count.c: the number of solutions of a board under flow and classic, without listing them.
 *
 * METHOD. A frontier passes through the board, cell by cell (kit/frontier.h). It has width + 1
 * plugs, numbered from the left: at plug x a path may enter the next cell, in column x, from the
 * left; at plug x + 1 from above. The state of a partial solution is what it has at each plug:
 *
 *      nothing;
 *      ( or )      a piece of path whose other end is at the matching bracket, its mate;
 *      a colour    a piece that leads to an end of that path.
 *
 * Paths do not cross, so pieces nest like brackets, and the mates need not be stored.
 *
 * PRUNING. States that cannot lead to a solution are dropped early, which changes no count:
 *   - A piece that is led down onto an end gets that end's colour at once, and so does its mate.
 *   - The next cell must be able to continue the pieces that lead to it.
 *   - Colours of paths whose two ends are done must not cross each other: c d c d. A bracket that
 *     spans over c or d prevents this conclusion: it is a bridge above the frontier, by which one
 *     path may pass the other.
 *
 * NAMES. A colour is stored as a name, which a path has from the row before its first end to the
 * row of its last. After that its two pieces are just a pair: it no longer matters of which path.
 * So pairs get the free names in order from the left, and states that differ by the paths alone
 * become one. Thirteen names are enough for nearly all boards, so a plug takes four bits and a word
 * has sixteen plugs; where they are not, the count starts again with eight bits.
 *
 * TWO FRONTIERS pass through the board, one from above and one from below, until they meet between
 * two rows (meet.c). A frontier becomes very large after many ends whose paths are not known to be
 * hopeless yet, which depends on the side from which it comes: with one frontier alone boards took
 * up to fourteen times as long. The next row is passed by the frontier that has fewer states.
 *
 * COST. Exponential in the shorter side (the board is turned so that the frontier runs along it): a
 * factor of two to three for each column. A state takes some 75 cycles: how a cell can be passed is
 * worked out once for all states with the same codes at it (ways.c), and states are sorted by
 * these.
 *
 * STRICT would have to know which pieces touch. Strict boards have few solutions, so these are
 * listed by the clause search instead.
 */
#include "solver.h"

#include "meet.h"
#include "ways.h"

enum { MAX_WORDS = MAX_SIDE / 8 + 1, STEPS_A_STATE = 8 };
enum { LISTED_MOST = 1000 /* solutions, under strict */ };

struct flow_count {
    struct frontier frontier; /* the first member: pass_states is given this alone */
    struct board board;
    int32_t rows;                 /* that are done */
    int bits, per_word;           /* of a plug; plugs in a word */
    uint64_t mask, lows;          /* of a plug's bits; the lowest bit of each plug in a word */
    uint16_t place[MAX_SIDE + 1]; /* of a plug in a key: 64 times the word, and the bit there */

    int8_t path[MAX_PATHS]; /* that has a name */
    uint64_t names;         /* all that there are */
    uint64_t named, done;   /* those of paths; of those whose both ends are done, in this row */
    uint64_t before;        /* cell.single before this cell */
    bool crowded;           /* too many pairs for the names */
    bool renames;           /* which have to give way, as others have changed at this cell */

    struct passage cell;
};

/* ---- keys ------------------------------------------------------------------------------------ */

ALWAYS_INLINE unsigned get(const struct flow_count *c, const uint64_t *key, int place, int words)
{
    return (unsigned)(key[words == 1 ? 0 : place >> 6] >> (place & 63) & c->mask);
}

ALWAYS_INLINE void set(const struct flow_count *c, uint64_t *key, int place, unsigned code,
                       int words)
{
    uint64_t *word = &key[words == 1 ? 0 : place >> 6];
    *word = (*word & ~(c->mask << (place & 63))) | (uint64_t)code << (place & 63);
}

/* The plugs of a word where there is something, each by its lowest bit. */
ALWAYS_INLINE uint64_t taken(const struct flow_count *c, uint64_t word)
{
    uint64_t any = word | word >> 1;
    any |= any >> 2;
    return (c->bits == 4 ? any : any | any >> 4) & c->lows;
}

/* Those with a bracket. */
ALWAYS_INLINE uint64_t brackets(const struct flow_count *c, uint64_t word)
{
    uint64_t two = word | word >> 1, more = two >> 2;
    if (c->bits != 4)
        more |= two >> 4 | two >> 6;
    return (word ^ word >> 1) & ~more & c->lows;
}

ALWAYS_INLINE int mate_above(const struct flow_count *c, const uint64_t *key, int place, int words)
{
    int depth = 1;
    uint64_t above = ~UINT64_C(1) << (place & 63);
    for (int w = place >> 6; w < words; w++, above = UINT64_MAX)
        for (uint64_t left = brackets(c, key[w]) & above; left; left &= left - 1) {
            int at = __builtin_ctzll(left);
            depth += key[w] >> at & 1 ? 1 : -1;
            if (!depth)
                return 64 * w + at;
        }
    assert(false); /* brackets come in pairs */
    return place;
}

ALWAYS_INLINE int mate_below(const struct flow_count *c, const uint64_t *key, int place)
{
    int depth = 1;
    uint64_t below = (UINT64_C(1) << (place & 63)) - 1;
    for (int w = place >> 6; w >= 0; w--, below = UINT64_MAX)
        for (uint64_t left = brackets(c, key[w]) & below; left;) {
            int at = 63 - __builtin_clzll(left);
            left ^= UINT64_C(1) << at;
            depth += key[w] >> at & 1 ? -1 : 1;
            if (!depth)
                return 64 * w + at;
        }
    assert(false);
    return place;
}

/* Where the bracket stands that belongs to the one there. */
ALWAYS_INLINE int mate(const struct flow_count *c, const uint64_t *key, int place, int words)
{
    unsigned like = get(c, key, place, words);
    assert(like == OPENS || like == CLOSES);
    return like == OPENS ? mate_above(c, key, place, words) : mate_below(c, key, place);
}

/* Moves all plugs one up, for a new row, whose first cell nothing enters from the left; nothing has
   left the last one to the right. */
ALWAYS_INLINE void new_row(const struct flow_count *c, uint64_t *key, int words)
{
    int top = (c->per_word - 1) * c->bits;
    assert(get(c, key, c->place[c->board.width], words) == NOTHING);
    uint64_t carry = 0;
    for (int i = 0; i < words; i++) {
        uint64_t out = key[i] >> top;
        key[i] = (key[i] & (((uint64_t)1 << top) - 1)) << c->bits | carry;
        carry = out;
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

/* There are not enough names: gives up. */
static bool crowd(struct flow_count *c)
{
    c->crowded = c->frontier.exhausted = true;
    return false;
}

/* Whether a bracket spans over a pair's colour. */
ALWAYS_INLINE bool spans_pair(const struct flow_count *c, const uint64_t *key, uint64_t single,
                              int words)
{
    int depth = 0;
    for (int w = 0; w < words; w++)
        for (uint64_t left = taken(c, key[w]); left; left &= left - 1) {
            unsigned code = (unsigned)(key[w] >> __builtin_ctzll(left) & c->mask);
            if (code < COLOURS)
                depth += code == OPENS ? 1 : -1;
            else if (depth && !(single >> (code - COLOURS) & 1))
                return true;
        }
    return false;
}

/* Gives the pairs those names that no path has, from left to right. False where two cross: c d c d
   is hopeless, unless a bracket over one of them offers a way past the other, above the
   frontier. */
ALWAYS_INLINE bool name_pairs(struct flow_count *c, uint64_t *key, uint64_t single, int words)
{
    const uint64_t mask = c->mask, done = c->done;
    uint64_t free = c->names & ~c->named, seen = 0;
    uint8_t fresh[64], open[MAX_SIDE + 1];
    int depth = 0;
    bool crossing = false;
    for (int w = 0; w < words; w++)
        for (uint64_t left = taken(c, key[w]) & ~brackets(c, key[w]); left; left &= left - 1) {
            int at = __builtin_ctzll(left);
            unsigned code = (unsigned)(key[w] >> at & mask), old = code - COLOURS;
            if (single >> old & 1)
                continue;
            assert(old < 64);
            if (seen >> old & 1) {
                assert(depth > 0); /* each pair has two plugs */
                crossing |= open[--depth] != old;
            } else {
                seen |= UINT64_C(1) << old;
                assert(depth < (int)sizeof open);
                open[depth++] = fresh[old] = (uint8_t)old;
                if (!(done >> old & 1)) {
                    if (!free)
                        return crowd(c);
                    fresh[old] = (uint8_t)__builtin_ctzll(free);
                    free &= free - 1;
                }
            }
            key[w] ^= (uint64_t)(code ^ (COLOURS + fresh[old])) << at;
        }
    return !crossing || spans_pair(c, key, single, words);
}

/* ---- states, one cell ------------------------------------------------------------------------ */

/* `rest` is the key with nothing at the plugs of the cell. */
ALWAYS_INLINE void go_on(struct flow_count *c, const struct way *way, const uint64_t *key,
                         const uint64_t *rest, const uint64_t *times, int words, int limbs)
{
    const struct passage *p = &c->cell;
    uint64_t to[MAX_WORDS];
    memcpy(to, rest, (size_t)words * sizeof *rest);
    to[words == 1 ? 0 : p->left >> 6] |= way->below;
    to[words == 1 ? 0 : p->up >> 6] |= way->beside;
    if (way->turned >= 0)
        set(c, to, mate(c, key, way->turned, words), way->into, words);
    unsigned next = get(c, to, p->next_up, words);
    if (way->takes[next >> 6] >> (next & 63) & 1 &&
        (!way->moves_pair || name_pairs(c, to, p->single, words)))
        frontier_enter(&c->frontier, way->next_left + 16 * next, to, times, words, limbs);
}

/* In every way. Many in a row come alike to the cell, as they are sorted by that. */
ALWAYS_INLINE void pass_states(struct frontier *f, const uint64_t *states, uint32_t count,
                               int words, int limbs)
{
    struct flow_count *c = (struct flow_count *)f;
    const struct step *step = NULL;
    const uint64_t not_left = ~(c->mask << (c->cell.left & 63));
    const uint64_t not_up = ~(c->mask << (c->cell.up & 63));
    uint64_t key[MAX_WORDS], rest[MAX_WORDS];
    unsigned last = 0;
    for (; count; count--, states += words + limbs) {
        memcpy(key, states, (size_t)words * sizeof *key);
        if (c->cell.at.x == 0)
            new_row(c, key, words);
        if (c->renames && !name_pairs(c, key, c->before, words))
            continue;
        unsigned left = get(c, key, c->cell.left, words), up = get(c, key, c->cell.up, words);
        if (!step || last != (left | up << 8))
            step = step_of(&c->cell, left, up);
        last = left | up << 8;
        memcpy(rest, key, (size_t)words * sizeof *key);
        rest[words == 1 ? 0 : c->cell.left >> 6] &= not_left;
        rest[words == 1 ? 0 : c->cell.up >> 6] &= not_up;
        for (const struct way *way = step->way, *end = way + step->count; way < end; way++)
            go_on(c, way, key, rest, states + words, words, limbs);
    }
}

/* ---- all states, all cells ------------------------------------------------------------------- */

/* A path that has no name yet gets the first that is free. */
static void name_path(struct flow_count *c, int path)
{
    if (path < 0 || c->cell.name[path] >= 0)
        return;
    if (c->named == c->names) {
        crowd(c);
        return;
    }
    int name = __builtin_ctzll(c->names & ~c->named);
    assert(name < MAX_PATHS);
    c->named |= UINT64_C(1) << name;
    c->cell.name[path] = (int8_t)name;
    c->path[name] = (int8_t)path;
    c->renames = true;
}

/* Names at the cell: of the path that ends in it, and of the one below it, which may be led onto
   its end. A path with both ends done is a pair from the next row on: until then the other half of
   the board may know it by its name. */
static void set_names(struct flow_count *c, const struct site *at)
{
    uint64_t over = at->x == 0 ? c->done : 0;
    c->renames = over;
    c->before = c->cell.single;
    name_path(c, at->path);
    name_path(c, at->below);
    c->named &= ~over; /* only now, as keys still have them */
    c->done &= ~over;
    if (at->path >= 0 && c->board.ends[at->path][1] == at->cell)
        c->done |= UINT64_C(1) << c->cell.name[at->path];
    c->cell.single = c->named & ~c->done;
}

static void set_cell(struct flow_count *c, int32_t cell)
{
    struct passage *p = &c->cell;
    const struct board *b = &c->board;
    int32_t x = cell % b->width, next = cell + 1, right = b->next[cell][RIGHT],
            down = b->next[cell][DOWN];
    p->at = (struct site){cell,      x,          b->path[cell],
                          down >= 0, right >= 0, down < 0 ? WALL : b->path[down]};
    p->left = c->place[x];
    p->up = c->place[x + 1];
    p->same_row = x + 1 < b->width;
    p->next_up = c->place[p->same_row ? x + 2 : 0];
    p->next_path = next < b->cells ? b->path[next] : WALL;
    p->next_exits = next < b->cells ? (b->next[next][RIGHT] >= 0) + (b->next[next][DOWN] >= 0) : 0;
    set_names(c, &p->at);
}

static void pass_cell(struct flow_count *c, int32_t cell)
{
    struct frontier *f = &c->frontier;
    frontier_begin_layer(f);
    set_cell(c, cell);
    if (f->words == 1 && f->limbs == 1)
        frontier_extend(f, pass_states, STEPS_A_STATE, 1, 1);
    else if (f->words == 2 && f->limbs == 1)
        frontier_extend(f, pass_states, STEPS_A_STATE, 2, 1);
    else
        frontier_extend(f, pass_states, STEPS_A_STATE, f->words, f->limbs);
}

/* False: it has given up. */
static bool pass_row(struct flow_count *c)
{
    struct frontier *f = &c->frontier;
    assert(c->rows < c->board.height);
    int32_t cell = c->rows++ * c->board.width, end = cell + c->board.width;
    for (; cell < end && f->after.count && !f->exhausted; cell++)
        pass_cell(c, cell);
    return !f->exhausted;
}

/* A plug has 1 << shift bits, a number of ways so many limbs. */
static struct flow_count *set_up(struct mw_run *run, const struct board *b, bool flip,
                                 enum rule rule, uint64_t steps, int shift, int limbs)
{
    struct flow_count *c = MW_NEW0(run, struct flow_count, 1);
    c->board = board_upright(run, b, flip);
    int plugs = c->board.width + 1;
    assert(b->paths <= MAX_PATHS && shift <= 3);
    c->cell.rule = rule;
    c->bits = 1 << shift;
    c->names = shift == 2 ? (UINT64_C(1) << (16 - COLOURS)) - 1 : UINT64_MAX;
    c->mask = (UINT64_C(1) << c->bits) - 1;
    c->per_word = 64 / c->bits;
    for (int plug = 0; plug < c->per_word; plug++)
        c->lows |= UINT64_C(1) << plug * c->bits;
    for (int plug = 0; plug < plugs; plug++)
        c->place[plug] = (uint16_t)(64 * (plug / c->per_word) + plug % c->per_word * c->bits);
    memset(c->cell.name, -1, sizeof c->cell.name);
    frontier_init(&c->frontier, run, (plugs - 1) / c->per_word + 1, limbs, steps);
    assert(c->frontier.words <= MAX_WORDS);
    return c;
}

/* ---- two frontiers that meet ----------------------------------------------------------------- */

/* The codes of a state at each column, between two rows; pairs are numbered from `pair`, apart in
   both halves. */
static void spell(const struct flow_count *c, const uint64_t *key, int pair, uint8_t *codes)
{
    int open[MAX_SIDE], depth = 0, words = c->frontier.words;
    int names[MAX_PATHS];
    uint64_t pairs = 0;
    for (int x = 0; x < c->board.width; x++) {
        unsigned code = get(c, key, c->place[x], words), name = code - COLOURS;
        codes[x] = MEET_NOTHING;
        if (code == OPENS) {
            open[depth++] = x;
        } else if (code == CLOSES) {
            assert(depth > 0);
            codes[x] = (uint8_t)(MEET_MATE + open[--depth]);
            codes[open[depth]] = (uint8_t)(MEET_MATE + x);
        } else if (code && c->named >> name & 1) {
            codes[x] = (uint8_t)(MEET_COLOUR + c->path[name]);
        } else if (code) {
            assert(name < MAX_PATHS && pair < MEET_COLOURS);
            if (!(pairs >> name & 1))
                names[name] = pair++;
            pairs |= UINT64_C(1) << name;
            codes[x] = (uint8_t)(MEET_COLOUR + names[name]);
        }
    }
}

static const struct meet_node *tree_of(struct flow_count *c, int pair)
{
    struct frontier *f = &c->frontier;
    struct meet_node *half = MW_NEW0(f->run, struct meet_node, 1);
    uint8_t codes[MAX_SIDE];
    for (uint32_t i = 0; i < f->after.count; i++) {
        uint64_t *state = state_at(&f->after, i, f->words + f->limbs);
        spell(c, state, pair, codes);
        meet_add(f, half, codes, c->board.width, state + f->words);
    }
    return half;
}

static const char *count_both(struct flow_count *down, struct flow_count *up)
{
    while (down->rows + up->rows < down->board.height) {
        bool fewer = up->frontier.after.count < down->frontier.after.count;
        if (!pass_row(fewer ? up : down))
            return NULL;
    }
    return meet(&down->frontier, down->board.width, tree_of(down, MEET_PAIR),
                tree_of(up, MEET_PAIR + MEET_PAIRS));
}

/* ---- all together ---------------------------------------------------------------------------- */

/* Lists the solutions one by one. */
static const char *count_strict(struct mw_run *run, const struct board *b, uint64_t steps)
{
    const uint64_t begun = mw_steps(run);
    struct clause_search *search = search_new(run, b, STRICT);
    uint8_t *links = MW_NEW(run, uint8_t, b->cells);
    for (uint64_t count = 0; count <= LISTED_MOST; count++) {
        uint64_t spent = mw_steps(run) - begun;
        enum answer answer = spent < steps ? search_next(search, steps - spent, links) : UNDECIDED;
        if (answer == UNDECIDED)
            return NULL;
        if (answer == EXHAUSTED)
            return frontier_digits(run, &count, 1);
    }
    return NULL;
}

const char *path_count(struct mw_run *run, const struct board *b, enum rule rule, uint64_t steps)
{
    if (rule == STRICT)
        return count_strict(run, b, steps);
    const uint64_t begun = mw_steps(run), all = steps;
    char *mark = mw_mark(run);
    for (int shift = 2, limbs = 1;;) { /* with a byte a plug there are names for all paths */
        struct flow_count *down = set_up(run, b, false, rule, steps, shift, limbs);
        struct flow_count *up = set_up(run, b, true, rule, steps, shift, limbs);
        const char *count = count_both(down, up);
        bool crowded = down->crowded || up->crowded;
        bool overflowed = down->frontier.overflowed || up->frontier.overflowed;
        assert(!crowded || shift < 3);
        if (!crowded && !overflowed)
            return count;
        shift += crowded;
        limbs += overflowed;
        mw_rewind(run, mark);
        uint64_t spent = mw_steps(run) - begun;
        steps = spent < all ? all - spent : 0;
    }
}
