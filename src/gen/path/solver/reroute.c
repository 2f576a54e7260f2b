/*
 * reroute.c: whether two or three paths of a known solution can be replaced.
 *
 * The other paths stay. The cells of the two or three, in the smallest window that holds them, are
 * a small puzzle: all other cells of the window are walls.
 *
 *        A A A .            A A A #
 *        B B A C     ->     B . . #        (under classic empty cells stay open)
 *        B . A C            B . A #
 *
 * Another solution of the small puzzle is one of the whole board under flow and classic. It is not
 * under strict, where cells outside matter.
 *
 * Solutions of the small puzzle are counted (count.c). The walls leave few states to the frontier,
 * so windows as large as 20 x 20 are fast; narrow ones come first. The paths of a group touch each
 * other. If no group has another solution, nothing is proved; but of 33 printed boards with several
 * solutions under flow nearly all show it here, most within a millisecond.
 */
#include "solver.h"

#include "kit/integer.h"

/* The bounding box of some paths, and a bit for each path that has a cell beside them. */
struct path_bounds {
    int32_t left, top, right, bottom;
    uint64_t beside;
};

static void widen(struct path_bounds *p, const struct path_bounds *by)
{
    p->left = mw_min(p->left, by->left);
    p->top = mw_min(p->top, by->top);
    p->right = mw_max(p->right, by->right);
    p->bottom = mw_max(p->bottom, by->bottom);
    p->beside |= by->beside;
}

static struct path_bounds *find_bounds(struct mw_run *run, const struct board *b,
                                       const int32_t *owner)
{
    struct path_bounds *bounds = MW_NEW(run, struct path_bounds, b->paths);
    mw_tick(run, 4 * (uint64_t)b->cells);
    for (int32_t p = 0; p < b->paths; p++)
        bounds[p] = (struct path_bounds){.left = MAX_SIDE, .top = MAX_SIDE};
    for (int32_t cell = 0; cell < b->cells; cell++) {
        int32_t x = cell % b->width, y = cell / b->width;
        struct path_bounds at = {x, y, x, y, 0};
        for (int side = 0; side < SIDES; side++) {
            int32_t other = b->next[cell][side];
            if (other >= 0 && owner[other] >= 0)
                at.beside |= UINT64_C(1) << owner[other];
        }
        if (owner[cell] >= 0)
            widen(&bounds[owner[cell]], &at);
    }
    return bounds;
}

/* The paths from q on for which one of p, q and the path is beside both others. Each path counts as
   beside itself, so q is among them: a group of two. */
static uint64_t connected_with(const struct path_bounds *bounds, int32_t p, int32_t q)
{
    uint64_t one = bounds[p].beside, other = bounds[q].beside;
    return (one >> q & 1 ? one | other : one & other) & -(UINT64_C(1) << q);
}

/* The puzzle in the window: the paths of the group, and walls. */
static struct board cut_out(struct mw_run *run, const struct board *b, const struct path_bounds *w,
                            uint64_t group, const int32_t *owner)
{
    int32_t width = w->right + 1 - w->left, height = w->bottom + 1 - w->top;
    char *rows = MW_NEW(run, char, (width + 1) * height), *at = rows;
    for (int32_t y = w->top; y <= w->bottom; y++, at++) /* past the end of a row */
        for (int32_t x = w->left; x <= w->right; x++) {
            int32_t cell = y * b->width + x, p = owner[cell];
            bool out = b->path[cell] == WALL || (p >= 0 && !(group >> p & 1));
            *at++ = out ? '#' : board_is_end(b, cell) ? b->letters[p] : '.';
        }
    return board_read(run, (struct mw_rows){rows, width, height});
}

/* Whether that has other solutions than the known one. */
static bool look_into(struct mw_run *run, const struct board *b, enum rule rule,
                      const struct path_bounds *w, uint64_t group, const int32_t *owner,
                      uint64_t steps)
{
    char *mark = mw_mark(run);
    struct board small = cut_out(run, b, w, group, owner);
    const char *count = path_count(run, &small, rule, steps);
    assert(!count || strcmp(count, "0"));
    bool found = count && strcmp(count, "1");
    mw_rewind(run, mark);
    return found;
}

bool path_reroute(struct mw_run *run, const struct board *b, enum rule rule, uint64_t steps,
                  const uint8_t *links)
{
    assert(rule != STRICT);
    uint64_t last = mw_steps(run) + steps;
    char *mark = mw_mark(run);
    int32_t *owner = MW_NEW(run, int32_t, b->cells);
    path_owners(run, b, links, owner);
    const struct path_bounds *bounds = find_bounds(run, b, owner);
    bool found = false;
    for (int32_t side = 1; side <= mw_min(b->width, b->height); side++)
        for (int32_t p = 0; p < b->paths; p++)
            for (int32_t q = p + 1; q < b->paths; q++) {
                uint64_t left = connected_with(bounds, p, q);
                mw_tick(run, 1);
                for (; left && !found && mw_steps(run) < last; left &= left - 1) {
                    int32_t r = __builtin_ctzll(left);
                    uint64_t group = UINT64_C(1) << p | UINT64_C(1) << q | UINT64_C(1) << r;
                    struct path_bounds w = bounds[p];
                    widen(&w, &bounds[q]);
                    widen(&w, &bounds[r]);
                    mw_tick(run, 1);
                    if (mw_min(w.right - w.left, w.bottom - w.top) + 1 == side)
                        found = look_into(run, b, rule, &w, group, owner, last - mw_steps(run));
                }
            }
    mw_rewind(run, mark);
    return found;
}
