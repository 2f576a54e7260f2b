/*
 * obstacle.c: simple reasons why a board has no solution, found before any search.
 *
 * RIM. If the ends A B A B come in this order along the rim of the board, two paths would have to
 * cross.
 *
 * DEDUCTION. The easy rules find a contradiction (deduce.c), or the pieces of the board and its
 * bottlenecks do (pinch.c): a path with its ends in two pieces, a piece without a path, more black
 * cells of the checkerboard than the paths can cover.
 */
#include "grade.h"

/* Lists the cells of the rim, clockwise from the upper left; returns their number. */
static int32_t walk_rim(const struct board *b, int32_t *rim)
{
    const int32_t steps[SIDES] = {1, b->width, -1, -b->width};
    int32_t cell = 0, count = 0;
    for (int side = 0; side < SIDES; side++)
        for (int32_t left = (side % 2 ? b->height : b->width) - 1; left > 0; left--) {
            rim[count++] = cell;
            cell += steps[side];
        }
    return count;
}

/* Paths with both ends on the rim must nest there like brackets. */
static bool crosses_on_rim(const struct board *b)
{
    int32_t rim[4 * MAX_SIDE], cells = 0, depth = 0;
    int8_t open[2 * MAX_PATHS];
    int ends[MAX_PATHS] = {0};         /* of a path on the rim */
    if (b->width > 1 && b->height > 1) /* a strip has no way around */
        cells = walk_rim(b, rim);
    assert(cells <= 4 * MAX_SIDE);
    for (int32_t i = 0; i < cells; i++)
        if (b->path[rim[i]] >= 0)
            ends[b->path[rim[i]]]++;
    for (int32_t i = 0; i < cells; i++) {
        int8_t p = b->path[rim[i]];
        if (p < 0 || ends[p] < 2)
            continue;
        if (depth && open[depth - 1] == p)
            depth--;
        else
            open[depth++] = p;
    }
    return depth > 0;
}

bool path_obstacle(struct mw_run *run, const struct board *b, enum rule rule)
{
    if (crosses_on_rim(b))
        return true;
    char *mark = mw_mark(run);
    struct deduce d;
    bool hopeless = !deduce_begin(&d, run, b, rule, NULL) || !deduce_pinch(&d);
    mw_rewind(run, mark);
    return hopeless;
}
