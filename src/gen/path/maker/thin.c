/*
 * thin.c: covers whose boards have one solution under flow or classic, also of few paths.
 *
 * Under strict nearly every cover is the only solution of its board, whose bends all lead to ends.
 * Where paths may touch themselves, a cover of few long paths has billions beside it: of 12 x 12
 * with 6 paths, some 10^13. Drawing and refusing is hopeless; but a cover can be changed until it
 * is the only one:
 *
 *     begin   with more paths than are wanted, one for a dozen cells, but no more than there are
 *             letters. Their many ends determine much
 *     aim     change the cover where deductions leave links open, until they leave none: then
 *             there is one solution (aim.c)
 *     thin    join two paths, which removes two ends, and aim again, from a cover that is near
 *
 * until there are as many as wanted. Where that fails, some are cut again, and it goes on from
 * there. In the end the cover is changed until the paths are to the taste, with one solution still.
 * No path touches itself in any of these covers, as people find that dull.
 *
 * Few paths that have one solution wind from rim to rim, and few changes keep it unique. So there
 * are many changes for the taste, and a change for the worse is accepted for a while (aim.c).
 *
 * WHY IT ENDS. The number of steps is limited; or paths cannot be joined to as few, after MISSES.
 *
 * COST. 14 x 14 with 19 paths 20 ms, with 9 a third of a second, 12 x 12 with 6 nine tenths of a
 * second, half of it for the taste; sometimes twice as much.
 */
#include "cover.h"

#include "kit/integer.h"

enum { CELLS_A_PATH = 12, BACK = 2, MISSES = 12 };

bool cover_thin(struct cover *c, enum rule rule, uint64_t until)
{
    int32_t wanted = c->target, misses = 0;
    int32_t most = mw_clamp(c->board->cells / CELLS_A_PATH, wanted, MAX_PATHS);
    bool anew = true, done = false;
    c->taste.variety = 2 + cover_has_few(c);
    c->target = most;
    while (!done && misses < MISSES && mw_spent(c->run) < until) {
        bool met =
            anew ? cover_make(c, true, false) : cover_settle(c, COVER_PATIENCE * c->board->cells);
        bool one = met && cover_aim(c, rule, ANY, until);
        misses += !met;
        done = one && c->target == wanted;
        anew = !met || (!one && c->target == most);
        if (!done)
            c->target = anew ? most : one ? c->target - 1 : mw_min(most, c->target + BACK);
    }
    assert(!done || (c->target == wanted && c->paths == wanted));
    c->target = wanted;
    if (done)
        cover_vary(c, rule, ANY, until);
    return done;
}
