/*
 * window.c: another solution, by changing a known one inside a window.
 *
 * What lies outside the window stays. Inside, the solution is a number of pieces, each between
 * two cells where it leaves the window or ends; they make a small path puzzle of their own:
 *
 *        . a-. .            . A . .
 *      --a . b--     ->     A . B .       (a piece of a single cell is a wall)
 *        . c-b .            . C B .
 *
 * Any other solution of the small puzzle joins the same cells in pairs, so that it fits into the
 * large one, and gives another solution of that under flow and classic (not under strict, where
 * the outside matters).
 *
 * Two pieces of the same path may also exchange ends. Where it runs ..s~t..u~v.. through the
 * window twice, s~u and t~v make one path as well: what lies between is walked the other way
 * round. This finds by far the most.
 *
 * None in any window proves nothing. Most boards with several solutions show it in windows of 4
 * to 7 cells a side, within milliseconds.
 */
#include "solver.h"

#include "kit/integer.h"

struct window {
    int32_t x, y, width, height;
};

/* Where a cell lies in the solution: on which path, and how many cells from its first end. */
struct spot {
    int32_t path, distance;
};

static bool is_inside(const struct window *w, int32_t x, int32_t y)
{
    return x >= w->x && y >= w->y && x < w->x + w->width && y < w->y + w->height;
}

static int32_t outer_cell(const struct board *b, const struct window *w, int32_t cell)
{
    return (w->y + cell / w->width) * b->width + w->x + cell % w->width;
}

/* The links of a cell that stay inside, as seen on the small board. */
static uint8_t inner_links(const struct board *b, const struct window *w, const uint8_t *links,
                           int32_t cell)
{
    int32_t outer = outer_cell(b, w, cell);
    uint8_t inner = 0;
    for (int side = 0; side < SIDES; side++) {
        int32_t other = b->next[outer][side];
        if (links[outer] >> side & 1 && is_inside(w, other % b->width, other / b->width))
            inner |= (uint8_t)(1 << side);
    }
    return inner;
}

static bool is_single(uint8_t links) { return links && !(links & (links - 1)); }

/* The far end of the piece that begins at `cell`. */
static int32_t far_end(const struct board *small, const uint8_t *inner, int32_t cell)
{
    int from = SIDES;
    for (int32_t next; (next = path_step(small, inner, cell, &from)) >= 0;)
        cell = next;
    return cell;
}

/* The puzzle inside the window, and the solution of it that is known. False where nothing runs
   through it. */
static bool cut_out(struct mw_run *run, const struct board *b, const struct window *w,
                    const uint8_t *links, struct board *small, uint8_t *inner)
{
    *small = board_new(run, w->width, w->height);
    for (int32_t cell = 0; cell < small->cells; cell++)
        inner[cell] = inner_links(b, w, links, cell);
    for (int32_t cell = 0; cell < small->cells; cell++) {
        int32_t outer = outer_cell(b, w, cell);
        if (b->path[outer] == WALL || (links[outer] && !inner[cell]))
            board_wall(small, cell);
        else if (is_single(inner[cell]) && small->path[cell] == OPEN)
            board_path(small, '*', cell, far_end(small, inner, cell));
    }
    return small->paths > 0;
}

/* Puts the small solution in the place of the old one. */
static void put_back(const struct board *b, const struct window *w, const struct board *small,
                     const uint8_t *old, const uint8_t *fresh, uint8_t *links)
{
    for (int32_t cell = 0; cell < small->cells; cell++) {
        int32_t outer = outer_cell(b, w, cell);
        links[outer] = (uint8_t)((links[outer] & ~old[cell]) | fresh[cell]);
    }
}

static void swap(int32_t *a, int32_t *b)
{
    int32_t old = *a;
    *a = *b;
    *b = old;
}

/* Lets the pieces p and q exchange ends: each then joins what two of the same kind were. */
static void exchange(struct board *small, int32_t p, int32_t q)
{
    swap(&small->ends[p][1], &small->ends[q][0]);
    small->path[small->ends[p][1]] = (int8_t)p;
    small->path[small->ends[q][0]] = (int8_t)q;
}

/* Whether the small puzzle, as its pieces are now, has a solution; other than the known one where
   `other`. */
static bool solves(struct mw_run *run, const struct board *small, enum rule rule, bool other,
                   const uint8_t *inner, uint8_t *fresh)
{
    char *mark = mw_mark(run);
    const char *count = path_count(run, small, rule, UINT64_MAX);
    bool solved = strcmp(count, other ? "1" : "0") != 0;
    if (solved) {
        struct search *search = search_new(run, small, rule);
        if (other)
            search_exclude(search, inner);
        solved = search_next(search, UINT64_MAX, fresh) == FOUND;
    }
    mw_rewind(run, mark);
    return solved;
}

/* Puts first the end of each piece that its path comes to first; whose[p]: the path of piece p. */
static void orient(const struct board *b, const struct window *w, const struct spot *spots,
                   struct board *small, int32_t *whose)
{
    for (int32_t p = 0; p < small->paths; p++) {
        int32_t *ends = small->ends[p];
        struct spot one = spots[outer_cell(b, w, ends[0])], two = spots[outer_cell(b, w, ends[1])];
        assert(one.path == two.path && one.distance != two.distance);
        whose[p] = one.path;
        if (one.distance > two.distance)
            swap(&ends[0], &ends[1]);
    }
}

static bool look_into(struct mw_run *run, const struct board *b, enum rule rule,
                      const struct window *w, const struct spot *spots, uint8_t *links)
{
    struct board small;
    int32_t whose[MAX_PATHS];
    uint8_t *inner = MW_NEW(run, uint8_t, w->width * w->height);
    uint8_t *fresh = MW_NEW(run, uint8_t, w->width * w->height);
    if (!cut_out(run, b, w, links, &small, inner))
        return false;
    orient(b, w, spots, &small, whose);
    bool found = solves(run, &small, rule, true, inner, fresh);
    for (int32_t p = 0; p < small.paths && !found; p++)
        for (int32_t q = p + 1; q < small.paths && !found; q++) {
            if (whose[p] != whose[q])
                continue;
            exchange(&small, p, q);
            found = solves(run, &small, rule, false, inner, fresh);
            exchange(&small, p, q);
        }
    if (found)
        put_back(b, w, &small, inner, fresh, links);
    return found;
}

static struct spot *find_spots(struct mw_run *run, const struct board *b, const uint8_t *links)
{
    struct spot *spots = MW_NEW0(run, struct spot, b->cells);
    int32_t *cells = MW_NEW(run, int32_t, b->cells);
    for (int32_t p = 0; p < b->paths; p++) {
        int32_t count = path_trace(b, links, p, cells);
        for (int32_t i = 0; i < count; i++)
            spots[cells[i]] = (struct spot){p, i};
    }
    return spots;
}

bool path_vary(struct mw_run *run, const struct board *b, enum rule rule, int32_t side,
               uint64_t steps, uint8_t *links)
{
    uint64_t start = mw_steps(run);
    assert(rule != STRICT && side * side / 2 <= MAX_PATHS); /* a piece has two cells */
    struct window w = {.width = mw_min(side, b->width), .height = mw_min(side, b->height)};
    char *all = mw_mark(run);
    struct spot *spots = find_spots(run, b, links);
    bool found = false;
    for (w.y = 0; w.y + w.height <= b->height && !found; w.y++)
        for (w.x = 0; w.x + w.width <= b->width && !found; w.x++) {
            if (mw_steps(run) - start >= steps)
                break;
            char *mark = mw_mark(run);
            found = look_into(run, b, rule, &w, spots, links);
            mw_rewind(run, mark);
        }
    mw_rewind(run, all);
    return found;
}
