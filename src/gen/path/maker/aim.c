/*
 * aim.c: covers whose boards have the difficulty that is asked for.
 *
 * Boards of any difficulty turn up by chance, but easy large ones and hard small ones so seldom
 * that waiting does not do. So a cover is changed a little at a time, and kept if that brought it
 * nearer:
 *
 *     too hard   the rules that are allowed leave links open: the fewer, the better. The moves
 *                begin where they are open
 *     too easy   weaker rules settle all: the more links the weakest of them leave open, the better
 *
 *     slight     hard or extreme, but a plain search, which follows each guess by easy rules, is
 *                through with it after few: the more guesses, the better, up to a share of the
 *                cells, by which extreme ones are harder. How many links stay open tells nothing
 *                of that: of boards that the rules do not settle, a third at least
 *
 *     several    (flow and classic) where even longer assumptions leave links open, these count
 *                first: a board that is hard, but for one who has to guess, is of no use
 *
 * A cover whose board is as it should be is changed likewise until it is to the taste (taste.c):
 * kept is what lacks no more, which is seen before the board is looked at, and is no slighter. The
 * taste comes last, as it is dear while the difficulty is still to be met. But where few paths are
 * to have one solution (thin.c), hardly a change leaves that: so what lacks more is kept for a
 * while, less and less so: simulated annealing, on the boards with one solution. Begun at a quarter
 * of WARMTH, half as much again lacks in the end.
 *
 * What is slight has the difficulty all the same, and is what is given where nothing better is
 * found: under strict on boards of 7 x 7 and smaller.
 *
 * WHY IT ENDS. After PATIENCE changes in a row that brought nothing, it gives up; each that brought
 * something takes a distance down, which is a natural number. Variations are VARIATIONS at most, of
 * few paths FEW_VARIATIONS.
 *
 * COST. A trial is a few moves and a grade. Grades stop at the rules that are allowed, so that they
 * are cheap where many are needed: for large easy boards.
 */
#include "cover.h"

#include "kit/integer.h"

enum { MOVES = 24, SETTLING = 800, PATIENCE = 250 };
enum { MOST_GUESSES = 200, FEW_MOVES = 12 };
enum { VARIATIONS = 1000, FEW_VARIATIONS = 24000, WARMTH = 1500 };

struct aim {
    enum rule rule;
    enum difficulty wanted;
};

/* Of boards that have the rules for it; `stuck` as of path_open. */
static int32_t distance(struct mw_run *run, const struct board *b, struct aim aim,
                        const uint8_t *links, uint8_t *stuck)
{
    if (aim.wanted == ANY)
        return path_open(run, b, aim.rule, links, stuck);
    struct grade g = path_grade(run, b, aim.rule, links, aim.wanted < HARD ? aim.wanted : HARD);
    memcpy(stuck, g.stuck, (size_t)b->cells);
    if (g.difficulty > aim.wanted)
        return g.open[aim.wanted];
    if (g.difficulty < aim.wanted)
        return 4 * b->cells - g.open[EASY] - g.open[NORMAL];
    if (aim.wanted < EXTREME || aim.rule == STRICT)
        return 0;
    int32_t open = path_open(run, b, aim.rule, links, stuck);
    return open ? 4 * b->cells + open : 0;
}

/* Of boards that have the difficulty: how many guesses too few they take. */
static int32_t missing(struct mw_run *run, const struct board *b, struct aim aim)
{
    static const int8_t shares[][EXTREME - HARD + 1] = {{10, 80}, {5, 10}}; /* of cells, percent */
    if (aim.wanted < HARD || aim.wanted == ANY)
        return 0;
    int32_t most = b->cells * shares[aim.rule == STRICT][aim.wanted - HARD] / 100;
    most = mw_min(most, MOST_GUESSES);
    return most - path_guesses(run, b, aim.rule, most);
}

/* More than can be missing: a board that is no farther off has the difficulty. */
static int32_t enough(const struct board *b) { return b->cells; }

static int32_t shortfall(struct mw_run *run, const struct board *b, struct aim aim,
                         const uint8_t *links, uint8_t *stuck)
{
    int32_t away = distance(run, b, aim, links, stuck);
    return away ? enough(b) + away : missing(run, b, aim);
}

/* How far the board is from what it should be, which it is at 0; `other`, if asked for, tells where
   moves should begin: it differs from the links there. */
static int32_t look(const struct cover *c, struct aim aim, uint8_t *other)
{
    char *mark = mw_mark(c->run);
    struct board b = cover_board(c->run, c);
    uint8_t *stuck = MW_NEW(c->run, uint8_t, b.cells);
    int32_t found = shortfall(c->run, &b, aim, c->links, stuck);
    if (other)
        mw_tick(c->run, 4 * (uint64_t)b.cells);
    for (int32_t cell = 0; other && cell < b.cells; cell++)
        other[cell] = c->links[cell] ^ stuck[cell];
    mw_rewind(c->run, mark);
    return found;
}

bool cover_aim(struct cover *c, enum rule rule, enum difficulty wanted, uint64_t until)
{
    char *mark = mw_mark(c->run);
    int32_t cells = c->board->cells;
    struct cover best = cover_like(c);
    uint8_t *other = MW_NEW(c->run, uint8_t, cells), *where = MW_NEW(c->run, uint8_t, cells);
    int32_t least = INT32_MAX, idle = 0;
    for (; least && idle < PATIENCE && mw_spent(c->run) < until; idle++) {
        int32_t now = look(c, (struct aim){rule, wanted}, other);
        if (now <= least) {
            idle = now < least ? 0 : idle;
            least = now;
            cover_copy(&best, c);
            memcpy(where, other, (size_t)cells);
        }
        if (!least)
            break;
        do {
            cover_copy(c, &best);
            cover_stir_where(c, where, MOVES);
        } while (!cover_settle(c, SETTLING) && mw_spent(c->run) < until);
    }
    cover_copy(c, &best);
    mw_rewind(c->run, mark);
    return least <= enough(c->board);
}

/* ---- to the taste ---------------------------------------------------------------------------- */

static bool differs(const struct cover *c, const struct cover *from)
{
    return memcmp(c->links, from->links, (size_t)c->board->cells) != 0;
}

/* Few paths can hardly be even. */
static int64_t lack_of(const struct cover *c)
{
    return taste_lack(c) + taste_clumps(c) / (1 + cover_has_few(c));
}

void cover_vary(struct cover *c, enum rule rule, enum difficulty wanted, uint64_t until)
{
    char *mark = mw_mark(c->run);
    struct cover best = cover_like(c), at = cover_like(c);
    bool few = cover_has_few(c);
    struct aim aim = {rule, wanted};
    int64_t lack = lack_of(c), least = lack;
    int32_t variations = few ? FEW_VARIATIONS : VARIATIONS;
    int32_t most = lack ? look(c, aim, NULL) : 0;
    cover_copy(&best, c);
    cover_copy(&at, c);
    for (int32_t i = 0; least && i < variations && mw_spent(c->run) < until; i++) {
        uint32_t warmth = few ? mw_below(&c->rng, (uint32_t)(WARMTH - WARMTH * i / variations)) : 0;
        cover_stir_where(c, at.links, few ? MOVES : FEW_MOVES);
        int64_t now = cover_settle(c, SETTLING) ? lack_of(c) : INT64_MAX;
        if (now <= lack + warmth && differs(c, &at) && look(c, aim, NULL) <= most) {
            lack = now;
            cover_copy(&at, c);
            if (lack <= least)
                cover_copy(&best, c);
            least = mw_min64(least, lack);
        }
        cover_copy(c, &at);
    }
    cover_copy(c, &best);
    mw_rewind(c->run, mark);
}
