/*
 * taste.c: which changes of a cover make a puzzle that people like.
 *
 * Printed puzzles have paths about twice as long as their ends are apart, some long and some short,
 * hardly any of three cells, and few that are as short as they can be. Their ends lie rather inside
 * than on the rim. Covers that are stirred at random differ: half of their paths are straight ways
 * from end to end on small boards, and paths are wound up on large ones.
 *
 * So a cover is measured now and then: of which trait is there too much, or too little? A move that
 * makes that worse, all in all, is refused, except for one in six; without exceptions covers of few
 * paths get caught where all moves lead back. A trait within its range counts for nothing. Thus a
 * cover comes into the ranges, and stays there:
 *
 *     variety   of lengths: the mean of their squares over the square of their mean, 1.4 to 1.8
 *     detour    steps over the distance of the ends, 1.9 to 2.4 in the mean of paths
 *     direct    paths that are as long as their ends are apart: at most a quarter, so that with
 *               those that have to go round the ends of others two in five are as short as can be.
 *               Below 8 x 8 two are allowed
 *     midgets   paths of three cells or fewer: one in twenty. A board of few paths may have one or
 *               none, by chance
 *     rim       ends on it: where the cells inside count for one, those of the rim count for 2/5
 *     level     steps along rows: half of all. Otherwise they follow the longer side of a board.
 *               Paths in a strip have no room to wind across it, the less the narrower it is: so
 *               there the range is wider
 *
 * All are sums over paths, in hundredths of a path, so that they can be weighed against each other;
 * a step counts for an eighth of a path.
 *
 * Few paths must be long, and ends cannot be farther apart than the board is wide: placed at random
 * they are a sixth of the perimeter apart, so the detour is 4.1 on 14 x 14 with 5 paths. So no
 * detour is too large by which ends are a fifth of the perimeter apart. Nor are few ends spread as
 * evenly as at random: the cell in a corner of the board is an end or a bend, and after each bend
 * comes another along the diagonal, or an end.
 *
 * The lack of a cover is measured from a wider range than moves are led to, so that a cover without
 * lack stays so for a while. Changing it until its board has one solution, or some difficulty,
 * favours short and straight paths, and crowds ends together; so the cover is changed once more by
 * its lack (aim.c), which there includes the amount by which the chi square of the ends over three
 * by three blocks is above EVEN, somewhat less than its eight degrees of freedom.
 *
 * While there are too many paths every move is allowed, as it is hard enough to reduce their
 * number.
 *
 * COST. A pass over all paths and cells, once every so many moves as there are paths; and some
 * divisions a move.
 */
#include "cover.h"

#include "kit/integer.h"

enum { MIDGET = 3, ONE_IN = 6, BLOCKS = 3 };
enum { UNIT = 100, EVEN = 7 * UNIT, STEP = UNIT / 8 };

static int weight(const struct cover *c, int trait)
{
    return trait == VARIETY ? c->taste.variety : 1;
}

/* The weight of a step; 0 for few paths, which lie in each other's way. */
static int64_t step_of(const struct cover *c) { return cover_has_few(c) ? 0 : STEP; }

static struct path_shape shape_of(const struct cover *c, int32_t p)
{
    return (struct path_shape){c->length[p], {c->ends[p][0], c->ends[p][1]}};
}

static int32_t distance(const struct cover *c, const int32_t ends[2])
{
    int32_t width = c->board->width, a = ends[0], b = ends[1];
    return mw_abs(a % width - b % width) + mw_abs(a / width - b / width);
}

static bool is_on_rim(const struct cover *c, int32_t cell)
{
    bool rim = false;
    for (int side = 0; side < SIDES; side++)
        rim |= c->board->next[cell][side] < 0;
    return rim;
}

/* Adds the traits of a path to the sums, or takes them away. */
static void add(const struct cover *c, struct path_shape s, int sign, int64_t sums[TRAITS])
{
    int64_t share = UNIT * (int64_t)s.length * c->paths / c->board->cells;
    int32_t away = mw_max(distance(c, s.ends), 1);
    sums[VARIETY] += sign * (share * share / UNIT);
    sums[DETOUR] += sign * (UNIT * (s.length - 1) / away);
    sums[DIRECT] += sign * UNIT * (s.length == away + 1);
    sums[MIDGETS] += sign * UNIT * (s.length <= MIDGET);
    sums[RIM] += sign * UNIT * (is_on_rim(c, s.ends[0]) + is_on_rim(c, s.ends[1]));
}

static void sum_up(const struct cover *c, int64_t sums[TRAITS])
{
    memset(sums, 0, TRAITS * sizeof *sums);
    mw_tick(c->run, (uint64_t)c->board->cells / 4);
    for (int32_t p = 0; p < c->paths; p++)
        add(c, shape_of(c, p), 1, sums);
    for (int32_t cell = 0; cell < c->board->cells; cell++)
        sums[LEVEL] += c->links[cell] >> RIGHT & 1;
    sums[LEVEL] *= step_of(c);
}

/* The sums to which moves lead; within `slack` beside them there is no lack. */
struct range {
    int64_t low, high, slack;
};

static struct range range_of(const struct cover *c, enum trait trait)
{
    int64_t n = c->paths, cells = c->board->cells, sides = c->board->width + c->board->height;
    int64_t inner = (int64_t)(c->board->width - 2) * (c->board->height - 2);
    int64_t side = mw_min(c->board->width, c->board->height);
    int64_t half = step_of(c) * (cells - n) / 2, rim = cells - inner;
    int64_t fair = 2 * UNIT * n * 2 * rim / (2 * rim + 5 * inner);
    switch (trait) {
    case VARIETY: return (struct range){140 * n, 180 * n, 10 * n};
    case DETOUR:
        return (struct range){190 * n, mw_max64(240 * n, 250 * (cells - n) / sides), 15 * n};
    case DIRECT:
        return (struct range){-UNIT, cells < 64 ? mw_max64(26 * n, 2 * UNIT) : 26 * n, 6 * n};
    case MIDGETS:
        return (struct range){-UNIT, UNIT * ((n + c->taste.luck) / MIDGETS_IN) - UNIT, UNIT};
    case LEVEL: return (struct range){half, half, half / 20 + 30 * half / (side * side * side)};
    case RIM:
    case TRAITS: break;
    }
    return (struct range){fair - UNIT, fair + UNIT, fair / 6};
}

static void look(struct cover *c)
{
    int64_t sums[TRAITS];
    sum_up(c, sums);
    for (int t = 0; t < TRAITS; t++) {
        struct range r = range_of(c, (enum trait)t);
        c->taste.off[t] = weight(c, t) * ((sums[t] > r.high) - (sums[t] < r.low));
    }
    c->taste.fresh = c->paths;
}

int64_t taste_lack(const struct cover *c)
{
    int64_t sums[TRAITS], lack = 0;
    sum_up(c, sums);
    for (int t = 0; t < TRAITS; t++) {
        struct range r = range_of(c, (enum trait)t);
        int64_t below = r.low - sums[t], above = sums[t] - r.high;
        lack += weight(c, t) * mw_max64(0, mw_max64(below, above) - r.slack);
    }
    return lack;
}

/* The block of three by three in which a cell lies. */
static int block_of(const struct board *b, int32_t cell)
{
    return cell / b->width * BLOCKS / b->height * BLOCKS + cell % b->width * BLOCKS / b->width;
}

int64_t taste_clumps(const struct cover *c)
{
    const struct board *b = c->board;
    int64_t cells[BLOCKS * BLOCKS] = {0}, ends[BLOCKS * BLOCKS] = {0}, chi = 0;
    mw_tick(c->run, (uint64_t)c->paths);
    for (int32_t cell = 0; cell < b->cells; cell++)
        cells[block_of(b, cell)]++;
    for (int32_t i = 0; i < 2 * c->paths; i++)
        ends[block_of(b, c->ends[i / 2][i % 2])]++;
    for (int i = 0; i < BLOCKS * BLOCKS; i++) {
        int64_t off = ends[i] * b->cells - 2 * c->paths * cells[i];
        if (cells[i])
            chi += UNIT * off * off / (2 * (int64_t)b->cells * c->paths * cells[i]);
    }
    return mw_max64(0, chi - EVEN);
}

bool taste_allows(struct cover *c, int32_t p, struct path_shape grown, int32_t q,
                  struct path_shape shrunk, int level)
{
    int64_t changes[TRAITS] = {[LEVEL] = step_of(c) * level}, worse = 0;
    if (c->paths > c->target)
        return true;
    if (c->taste.fresh-- <= 0)
        look(c);
    add(c, grown, 1, changes);
    add(c, shrunk, 1, changes);
    add(c, shape_of(c, p), -1, changes);
    add(c, shape_of(c, q), -1, changes);
    for (int t = 0; t < TRAITS; t++)
        worse += c->taste.off[t] * changes[t];
    return worse <= 0 || !mw_below(&c->rng, ONE_IN);
}
