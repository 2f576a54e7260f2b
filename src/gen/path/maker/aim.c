/*
 * aim.c: covers whose boards have the difficulty that is asked for.
 *
 * Boards of any difficulty turn up by chance, but easy large ones and hard small ones too rarely.
 * So a cover is changed a little at a time, and the change is kept if it reduced the distance:
 *
 *     too hard   the rules that are allowed leave links open: the fewer, the better. The moves
 *                begin where links are open
 *     too easy   weaker rules settle all: the more links the weakest of them leave open, the better
 *     slight     hard or extreme, but a plain search, which follows each guess by easy rules,
 *                needs few: the more guesses, the better, up to a share of the cells. The number of
 *                open links does not predict that
 *     several    (flow and classic) where even longer assumptions leave links open, these count
 *                first, as the board may have several solutions
 *
 * A cover whose board is as it should be is changed likewise until it is to the taste (taste.c): a
 * change is kept if the cover lacks no more, which is checked before the board is graded, and the
 * board is no slighter. But where few paths are to have one solution (thin.c), few changes keep it:
 * there covers that lack more are kept for a while, less and less (simulated annealing).
 *
 * A slight board has the difficulty all the same, and is the result where nothing better is found:
 * under strict on boards of 7 x 7 and smaller.
 *
 * WHY IT ENDS. After PATIENCE changes in a row without improvement it gives up; each improvement
 * reduces the distance, a natural number. There are at most VARIATIONS, for few paths
 * FEW_VARIATIONS.
 *
 * COST. A trial is a few moves and a grade, which stops at the rules that are allowed.
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

/* How far the board is from the difficulty; 0: it has it. `stuck` as of path_open. */
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

/* For boards that have the difficulty: how many guesses too few they take. */
static int32_t missing(struct mw_run *run, const struct board *b, struct aim aim)
{
    static const int8_t shares[][EXTREME - HARD + 1] = {{10, 80}, {5, 10}}; /* of cells, percent */
    if (aim.wanted < HARD || aim.wanted == ANY)
        return 0;
    int32_t most = b->cells * shares[aim.rule == STRICT][aim.wanted - HARD] / 100;
    most = mw_min(most, MOST_GUESSES);
    return most - path_guesses(run, b, aim.rule, most);
}

/* How far the board is from what it should be; at most the number of its cells if it has the
   difficulty. `other`, unless NULL, differs from the links where moves should begin. */
static int32_t look(const struct cover *c, struct aim aim, uint8_t *other)
{
    char *mark = mw_mark(c->run);
    struct board b = cover_board(c->run, c);
    uint8_t *stuck = MW_NEW(c->run, uint8_t, b.cells);
    int32_t away = distance(c->run, &b, aim, c->links, stuck);
    int32_t found = away ? b.cells + away : missing(c->run, &b, aim);
    assert(found >= 0);
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
    return least <= c->board->cells;
}

/* ---- to the taste ---------------------------------------------------------------------------- */

/* Ends of few paths can hardly be spread evenly. */
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
    size_t cells = (size_t)c->board->cells;
    int64_t lack = lack_of(c), least = lack;
    int32_t variations = few ? FEW_VARIATIONS : VARIATIONS;
    int32_t most = lack ? look(c, aim, NULL) : 0;
    cover_copy(&best, c);
    cover_copy(&at, c);
    for (int32_t i = 0; least && i < variations && mw_spent(c->run) < until; i++) {
        uint32_t warmth = few ? mw_below(&c->rng, (uint32_t)(WARMTH - WARMTH * i / variations)) : 0;
        cover_stir_where(c, at.links, few ? MOVES : FEW_MOVES);
        int64_t now = cover_settle(c, SETTLING) ? lack_of(c) : INT64_MAX;
        if (now <= lack + warmth && memcmp(c->links, at.links, cells) &&
            look(c, aim, NULL) <= most) {
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
