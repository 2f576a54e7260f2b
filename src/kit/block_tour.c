/* block_tour.c: a tour of all cells of a rectangle, along a tree of its blocks. */
#include "block_tour.h"

enum { EAST, SOUTH, WEST, NORTH };

struct block_walk {
    int32_t width, height, columns, rows; /* in cells, and in blocks */
    uint8_t *links;                       /* by block: a bit for each side with a branch */
};

/* Notes on both blocks of a branch that there is one. */
static void link_blocks(struct block_walk *w, int32_t a, int32_t b)
{
    int side = b == a + w->columns ? SOUTH : b == a - w->columns ? NORTH : b > a ? EAST : WEST;
    assert(side == SOUTH || side == NORTH || b == a + 1 || b == a - 1);
    w->links[a] |= (uint8_t)(1 << side);
    w->links[b] |= (uint8_t)(1 << (side + 2) % 4);
}

/* Writes the cells that follow (x, y) up to the next corner of a block, clockwise; how many. */
static int write_steps(const struct block_walk *w, int32_t x, int32_t y, int32_t *to)
{
    static const int8_t ahead[2][2] = {{NORTH, EAST}, {WEST, SOUTH}}; /* by y & 1, x & 1 */
    static const int8_t dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    int out = ahead[y & 1][x & 1], along = (out + 1) % 4;
    int32_t x1 = x + dx[out], y1 = y + dy[out];
    int n = 0;
    if (w->links[y / 2 * w->columns + x / 2] >> out & 1) {
        to[n++] = y1 * w->width + x1;
        return n;
    }
    if ((out == EAST && x1 == w->width - 1) || (out == SOUTH && y1 == w->height - 1)) {
        to[n++] = y1 * w->width + x1;
        to[n++] = (y1 + dy[along]) * w->width + x1 + dx[along];
    }
    to[n++] = (y + dy[along]) * w->width + x + dx[along];
    return n;
}

/* Writes the tour from the n-th cell on, which is at (x, y). */
static void walk(const struct block_walk *w, int32_t x, int32_t y, int32_t n, int32_t *cells)
{
    int32_t all = w->width * w->height;
    cells[n++] = y * w->width + x;
    while (n < all) { /* each round writes a cell at least */
        assert(x >= 0 && x < 2 * w->columns && y >= 0 && y < 2 * w->rows);
        int32_t next[3];
        int steps = write_steps(w, x, y, next);
        for (int i = 0; i < steps && n < all; i++)
            cells[n++] = next[i];
        x = next[steps - 1] % w->width;
        y = next[steps - 1] / w->width;
    }
}

void mw_block_tour(struct mw_run *run, const struct mw_spanning_tree *blocks, int32_t width,
                   int32_t height, int32_t start, int32_t *cells)
{
    assert(width > 0 && height > 0 && 0 <= start && start < width * height);
    struct block_walk w = {width, height, width / 2, height / 2, NULL};
    mw_tick(run, (uint64_t)width * (uint64_t)height * 2);
    if (!w.columns || !w.rows) {
        for (int32_t i = 0; i < width * height; i++)
            cells[i] = i;
        return;
    }
    assert(blocks->count == w.columns * w.rows);
    char *mark = mw_mark(run);
    w.links = MW_NEW0(run, uint8_t, blocks->count);
    for (int32_t v = 1; v < blocks->count; v++)
        link_blocks(&w, blocks->node[v], blocks->node[blocks->parent[v]]);
    if (width % 2 && height % 2) {
        cells[0] = width * height - 1;
        cells[1] = cells[0] - width;
        walk(&w, width - 2, height - 2, 2, cells);
    } else {
        walk(&w, start % width, start / width, 0, cells);
    }
    mw_rewind(run, mark);
}
