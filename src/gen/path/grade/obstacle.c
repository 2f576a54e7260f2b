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
    int32_t w = b->width, h = b->height, count = 0;
    for (int32_t x = 0; x < w; x++)
        rim[count++] = x;
    for (int32_t y = 1; y < h; y++)
        rim[count++] = y * w + w - 1;
    for (int32_t x = w - 2; h > 1 && x >= 0; x--)
        rim[count++] = (h - 1) * w + x;
    for (int32_t y = h - 2; w > 1 && y > 0; y--)
        rim[count++] = y * w;
    return count;
}

static bool crosses_on_rim(const struct board *b)
{
    int32_t rim[4 * MAX_SIDE], cells = walk_rim(b, rim), depth = 0;
    int8_t open[4 * MAX_SIDE];
    int ends[MAX_PATHS] = {0}; /* of a path on the rim; 3 once the first was met */
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
        else if (ends[p]++ == 2)
            open[depth++] = p; /* at most MAX_PATHS */
        else
            return true;
    }
    return false;
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
