/*
 * window.c: whether a known solution can be changed inside a window.
 *
 * What lies outside the window stays. Inside, the solution is a number of pieces, each between two
 * cells where it leaves the window or ends; they make a small path puzzle of their own:
 *
 *        . a-. .            . A . .
 *      --a . b--     ->     A . B .       (a piece of a single cell is a wall)
 *        . c-b .            . C B .
 *
 * Any other solution of the small puzzle joins the same cells in pairs, so that it fits into the
 * large one, and gives another solution of that under flow and classic (not under strict, where
 * the outside matters).
 *
 * If no window has another solution, nothing is proved. Most boards with several solutions show it
 * in windows of 4 to 7 cells a side, within milliseconds.
 *
 * NEIGHBOURS. Other boards show it where two or three paths that touch are replaced within the
 * cells that they cover together: a puzzle with walls all around, in the smallest window that holds
 * them. Walls leave few states to the frontier that counts solutions (count.c), so that windows as
 * large as 20 x 20 are fast. Narrow ones come first.
 */
#include "solver.h"

#include "kit/integer.h"

enum { NARROWEST = 4, WIDEST = 7 };

struct window {
    int32_t x, y, width, height;
    uint64_t paths; /* a bit for each that may change */
    uint64_t steps; /* for counting */
};

static int32_t outer_cell(const struct board *b, const struct window *w, int32_t cell)
{
    return (w->y + cell / w->width) * b->width + w->x + cell % w->width;
}

/* The far end of the piece that begins at `cell`. */
static int32_t far_end(const struct board *small, const uint8_t *inner, int32_t cell)
{
    int from = SIDES;
    int32_t left = small->cells; /* a piece is no longer */
    for (int32_t next; left-- > 0 && (next = path_step(small, inner, cell, &from)) >= 0;)
        cell = next;
    assert(left >= 0);
    return cell;
}

/* The puzzle inside the window. */
static struct board cut_out(struct mw_run *run, const struct board *b, const struct window *w,
                            const int32_t *owner, const uint8_t *links)
{
    struct board small = board_new(run, w->width, w->height);
    uint8_t *inner = MW_NEW0(run, uint8_t, small.cells); /* links that stay inside */
    for (int32_t cell = 0; cell < small.cells; cell++)
        for (int side = 0; side < SIDES; side++)
            if (small.next[cell][side] >= 0)
                inner[cell] |= (uint8_t)(links[outer_cell(b, w, cell)] & 1 << side);
    for (int32_t cell = 0; cell < small.cells; cell++) {
        int32_t outer = outer_cell(b, w, cell);
        if (b->path[outer] == WALL ||
            (links[outer] && !(inner[cell] && w->paths >> owner[outer] & 1)))
            board_wall(&small, cell);
        else if (count_sides(inner[cell]) == 1 && small.path[cell] == OPEN)
            /* WIDEST * WIDEST cells have 24 pieces at most; larger windows are of three paths */
            board_path(&small, '*', cell, far_end(&small, inner, cell));
    }
    return small;
}

/* Whether that has other solutions than the known one. */
static bool look_into(struct mw_run *run, const struct board *b, enum rule rule,
                      const struct window *w, const int32_t *owner, const uint8_t *links)
{
    char *mark = mw_mark(run);
    struct board small = cut_out(run, b, w, owner, links);
    const char *count = path_count(run, &small, rule, w->steps);
    bool found = count && strcmp(count, "1");
    mw_rewind(run, mark);
    return found;
}

bool path_vary(struct mw_run *run, const struct board *b, enum rule rule, uint64_t steps,
               const uint8_t *links)
{
    uint64_t last = mw_steps(run) + steps;
    char *mark = mw_mark(run);
    int32_t *owner = MW_NEW(run, int32_t, b->cells);
    path_owners(run, b, links, owner);
    bool found = false;
    for (int32_t side = NARROWEST; side <= WIDEST; side++) {
        struct window w = {.width = mw_min(side, b->width),
                           .height = mw_min(side, b->height),
                           .paths = UINT64_MAX,
                           .steps = UINT64_MAX};
        for (w.y = 0; w.y + w.height <= b->height; w.y++)
            for (w.x = 0; w.x + w.width <= b->width && !found && mw_steps(run) < last; w.x++)
                found = look_into(run, b, rule, &w, owner, links);
    }
    mw_rewind(run, mark);
    return found;
}

/* ---- neighbours ------------------------------------------------------------------------------ */

/* The bounding box of a path, and a bit for each path beside it. */
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

static struct path_bounds *find_places(struct mw_run *run, const struct board *b,
                                       const int32_t *owner, const uint8_t *links)
{
    struct path_bounds *places = MW_NEW(run, struct path_bounds, b->paths);
    mw_tick(run, 4 * (uint64_t)b->cells);
    for (int32_t p = 0; p < b->paths; p++)
        places[p] = (struct path_bounds){.left = MAX_SIDE, .top = MAX_SIDE};
    for (int32_t cell = 0; cell < b->cells; cell++) {
        int32_t x = cell % b->width, y = cell / b->width;
        struct path_bounds at = {x, y, x, y, 0};
        for (int side = 0; side < SIDES; side++) {
            int32_t other = b->next[cell][side];
            if (other >= 0 && links[other])
                at.beside |= UINT64_C(1) << owner[other];
        }
        if (links[cell])
            widen(&places[owner[cell]], &at);
    }
    return places;
}

/* The smallest window that holds three paths, or two where the last are the same. */
static struct window around(const struct path_bounds *places, int32_t p, int32_t q, int32_t r)
{
    struct path_bounds all = places[r];
    widen(&all, &places[p]);
    widen(&all, &places[q]);
    return (struct window){.x = all.left,
                           .y = all.top,
                           .width = all.right + 1 - all.left,
                           .height = all.bottom + 1 - all.top,
                           .paths = UINT64_C(1) << p | UINT64_C(1) << q | UINT64_C(1) << r};
}

/* The paths from q on for which one of p, q and the path is beside both others; each path counts as
   beside itself. */
static uint64_t connected_with(const struct path_bounds *places, int32_t p, int32_t q)
{
    uint64_t one = places[p].beside, other = places[q].beside;
    return (one >> q & 1 ? one | other : one & other) & -(UINT64_C(1) << q);
}

bool path_reroute(struct mw_run *run, const struct board *b, enum rule rule, uint64_t steps,
                  const uint8_t *links)
{
    uint64_t last = mw_steps(run) + steps;
    char *mark = mw_mark(run);
    int32_t *owner = MW_NEW(run, int32_t, b->cells);
    path_owners(run, b, links, owner);
    const struct path_bounds *places = find_places(run, b, owner, links);
    bool found = false;
    for (int32_t side = 1; side <= mw_min(b->width, b->height); side++)
        for (int32_t p = 0; p < b->paths; p++)
            for (int32_t q = p + 1; q < b->paths; q++) {
                uint64_t left = connected_with(places, p, q);
                mw_tick(run, 1);
                for (; left && !found && mw_steps(run) < last; left &= left - 1) {
                    struct window w = around(places, p, q, __builtin_ctzll(left));
                    mw_tick(run, 1);
                    w.steps = last - mw_steps(run);
                    if (mw_min(w.width, w.height) == side)
                        found = look_into(run, b, rule, &w, owner, links);
                }
            }
    mw_rewind(run, mark);
    return found;
}
