/*
 * grade.c: how hard a board is: which rules settle it without a guess, and how many deductions.
 *
 * People solve these puzzles by deductions: links between cells that must be there, or cannot be.
 * The difficulty of a board is that of the weakest rules that settle all its links.
 *
 *     easy      a cell with one way left; a path may not close, meet another or, under strict,
 *               touch itself, nor bend where the bend would go on to the rim (deduce.c)
 *     normal    and bottlenecks: how many paths pass from one part of the board to another
 *               (pinch.c); and looking NEAR turns ahead: an end would be walled in
 *     hard      and any assumption followed over FAR turns to a contradiction
 *     extreme   these do not settle it: longer chains of deductions, or nested assumptions
 *
 * Where boards are made, assumptions may reach over FARTHEST turns: what only these settle is
 * extreme, and has one solution all the same.
 *
 * A turn is all that follows at once from what is known (deduce.c). So the difficulty is the same
 * for a board that is turned or mirrored. The number of deductions is not, since only the first of
 * two rules that give the same link is counted; nor is the effort, which is their logarithm.
 *
 * WHY IT IS RIGHT. Each rule states what holds in every solution, and none assumes that there is
 * only one: so a board that is settled has one solution, or none if a contradiction was found.
 *
 * WHY IT ENDS. Each round settles at least one link, or is the last. A board that takes more than
 * grade_steps counts as extreme.
 *
 * COST. Easy rules take 0.2 microseconds a cell, and an assumption as much: boards up to 24 x 14
 * take 0.1 ms, of 40 x 20 0.5 ms, of 50 x 50 1.5 ms.
 */
#include "grade.h"

#include "kit/integer.h"

const char *const path_difficulties[] = {"easy", "normal", "hard", "extreme", NULL};

enum { NEAR = 2, FAR = 4, FARTHEST = 12, WAYS = 8 };
enum { TURN_WORK = 8 };
static const int32_t reach[] = {[NORMAL] = NEAR, [HARD] = FAR, [EXTREME] = FARTHEST};

/* ---- grades ---------------------------------------------------------------------------------- */

/* Applies the fastest of these rules that finds anything; false at a contradiction. */
static bool settle_some(struct deduce *d, enum difficulty difficulty)
{
    int32_t finds = d->finds;
    assert(difficulty > EASY && difficulty <= EXTREME);
    return deduce_assume(d, false, reach[difficulty]) &&
           (d->finds > finds || (deduce_pinch(d) && deduce_follow(d))) &&
           (d->finds > finds || difficulty == NORMAL || deduce_assume(d, true, reach[difficulty]));
}

bool path_settle(struct deduce *d, enum difficulty difficulty)
{
    for (int32_t before = -1; before < d->finds && !deduce_is_over(d) && !deduce_is_late(d);) {
        before = d->finds;
        if (!settle_some(d, difficulty))
            return false;
    }
    return true;
}

/* The work in deductions: one that looks ahead over a turn counts for TURN_WORK more, and so does
   each link that stays open. Its logarithm, eight for each doubling, so that 8 of them are 0 and
   some 50,000, as the largest boards take, 100. */
static int32_t effort_of(const struct deduce *d)
{
    int64_t work = d->deductions + TURN_WORK * (int64_t)(d->depth + d->links - d->finds);
    int64_t doublings = 0, rest = work;
    for (; rest >= 16; rest /= 2)
        doublings++;
    return (int32_t)mw_min64(mw_max64(8 * doublings + rest - 8, 0), 100);
}

static void read_open(const struct deduce *d, uint8_t *stuck)
{
    for (int32_t cell = 0; cell < d->board->cells; cell++)
        stuck[cell] = (uint8_t)(~(d->on[cell] | d->off[cell]) & 15);
}

struct grade path_grade(struct mw_run *run, const struct board *b, enum rule rule,
                        const uint8_t *links, enum difficulty most)
{
    assert(most < EXTREME);
    struct grade g = {.stuck = MW_NEW(run, uint8_t, b->cells)};
    char *mark = mw_mark(run);
    struct deduce d;
    g.broken = !deduce_begin(&d, run, b, rule, links);
    g.open[EASY] = d.links - d.finds;
    while (!g.broken && !deduce_is_over(&d) && g.difficulty < most) {
        g.broken = !path_settle(&d, ++g.difficulty);
        g.open[g.difficulty] = d.links - d.finds;
    }
    assert(g.broken || d.followed == d.finds);
    if (!deduce_is_over(&d))
        g.difficulty = EXTREME;
    g.deductions = d.deductions;
    g.effort = effort_of(&d);
    read_open(&d, g.stuck);
    mw_rewind(run, mark);
    return g;
}

void path_set_grade(struct mw_map *map, int part, const struct grade *g)
{
    assert(!g || (g->difficulty < DIFFICULTIES && g->effort >= 0 && g->effort <= 100));
    mw_set_int(map, part, g ? (int32_t)g->difficulty : MW_NULL);
    mw_set_int(map, part + 1, g ? g->effort : MW_NULL);
    mw_set_int(map, part + 2, g ? g->deductions : MW_NULL);
}

int32_t path_open(struct mw_run *run, const struct board *b, enum rule rule, const uint8_t *links,
                  uint8_t *stuck)
{
    char *mark = mw_mark(run);
    struct deduce d;
    bool good = deduce_begin(&d, run, b, rule, links);
    good = good && path_settle(&d, EXTREME);
    assert(good);
    read_open(&d, stuck);
    mw_rewind(run, mark);
    return d.links - d.finds;
}

/* A cell with an open link, or -1. Cells of paths that have begun come first, in the order of
   one of WAYS to scan the board; half of these take the first cell, half the one with the fewest
   open links. */
static int32_t next_guess(const struct deduce *d, int way)
{
    const struct board *b = d->board;
    int32_t best = -1;
    int least = INT32_MAX;
    mw_tick(d->run, (uint64_t)b->cells / 2);
    for (int32_t i = 0; i < b->cells; i++) {
        int32_t at = way & 1 ? i % b->height * b->width + i / b->height : i;
        int32_t cell = way & 2 ? b->cells - 1 - at : at;
        int open = SIDES - count_sides(d->on[cell] | d->off[cell]);
        int rank = (way & 4 ? open : 0) + (d->colour[d->chain[cell]] == OPEN ? SIDES : 0);
        if (open && rank < least) {
            least = rank;
            best = cell;
        }
    }
    return best;
}

/* The number of guesses from here on; stops when there are more than `most`. */
static int32_t count_guesses(struct deduce *d, int way, int32_t most)
{
    int32_t cell = most < 0 ? -1 : next_guess(d, way), finds = d->finds, guesses = 1;
    if (cell < 0)
        return 0;
    int side = __builtin_ctz(~(unsigned)(d->on[cell] | d->off[cell]));
    assert(side < SIDES);
    for (int link = 1; link >= 0; link--) {
        if (deduce_put(d, cell, side, link, CLASH) && deduce_follow(d))
            guesses += count_guesses(d, way, most - guesses);
        deduce_undo(d, finds);
    }
    return guesses;
}

int32_t path_guesses(struct mw_run *run, const struct board *b, enum rule rule, int32_t most)
{
    char *mark = mw_mark(run);
    struct deduce d;
    bool good = deduce_begin(&d, run, b, rule, NULL);
    assert(good);
    for (int way = 0; good && way < WAYS; way++)
        most = mw_min(most, count_guesses(&d, way, most - 1));
    mw_rewind(run, mark);
    return most;
}

/* ---- hints ----------------------------------------------------------------------------------- */

static const char *const because[REASONS] = {
    [ONE_WAY] = "a cell here has only as many ways left as its path needs: they are linked",
    [FULL] = "a cell here has all its links: these two are not linked",
    [DEAD_END] = "a path that comes here would find no way on: they are not linked",
    [LOOP] = "a link here would close a loop: they are not linked",
    [FOREIGN] = "these cells belong to different paths: they are not linked",
    [TOUCH] = "a link here would make a path touch itself: they are not linked",
    [SAME_PATH] =
        "these neighbours belong to one path, which must not touch itself: they are linked",
    [BEND] = "a bend here would go on inside itself until the rim: they are not linked",
};
static const char *const by_bottleneck[] = {
    "this is a bottleneck, and no path can pass it: they are not linked",
    "this is a bottleneck, and a path must pass it: they are linked"};
static const char *const walled_in =
    "without a link here an end would soon be walled in: they are linked";
static const char *const by_clash[] = {
    "assume a link here and follow what it forces, which ends in a contradiction: they are not "
    "linked",
    "assume that there is no link here and follow what that forces, which ends in a "
    "contradiction: they are linked"};

static struct hint hint_of(const struct deduce *d, const struct finding *f, enum difficulty level)
{
    struct hint hint = {.count = 2, .cells = {f->cell, d->board->next[f->cell][f->side]}};
    hint.reason = f->reason == BOTTLENECK ? by_bottleneck[f->link]
                  : f->reason != CLASH    ? because[f->reason]
                  : level < HARD          ? walled_in
                                          : by_clash[f->link];
    return hint;
}

struct hint path_hint(struct mw_run *run, const struct board *b, enum rule rule,
                      const uint8_t *links)
{
    struct deduce d;
    bool good = deduce_begin(&d, run, b, rule, links);
    const struct finding *first = NULL; /* of the easy findings, the first link */
    int32_t easy = d.finds;
    for (int32_t i = 0; i < easy && !first; i++)
        first = d.found[i].link ? &d.found[i] : NULL;
    enum difficulty level = EASY;
    while (good && !first && level < HARD && !deduce_is_over(&d)) {
        good = path_settle(&d, ++level);
        first = d.finds > easy ? &d.found[easy] : NULL;
    }
    if (!first && easy)
        first = &d.found[0];
    if (first)
        return hint_of(&d, first, level);
    return (struct hint){.reason = "no rule helps on: it takes a guess, or there are several "
                                   "solutions"};
}
