/*
 * obstacle.c: simple reasons why a board cannot be solved.
 *
 * PIECES. Walls may cut the board apart. Both ends of a path lie in one piece, and where all cells
 * are to be covered, each piece has a path.
 *
 * CHECKERBOARD (where all cells are to be covered). A path steps from black to white and back. One
 * with both ends on black covers one black cell more than white ones, and so on; over each piece
 * these must add up to the difference that the piece has.
 *
 * RIM. Going once round the rim of the board, the ends A B A B in this order are hopeless: the
 * board is a disc, and two lines across it from such points must cross.
 */
#include "board.h"
#include "kit/dsf.h"

static void find_pieces(const struct board *b, int32_t *piece)
{
    mw_dsf_init(piece, b->cells);
    for (int32_t cell = 0; cell < b->cells; cell++)
        for (int side = RIGHT; side <= DOWN; side++)
            if (b->next[cell][side] >= 0)
                mw_dsf_join(piece, cell, b->next[cell][side]);
}

static bool parts_ends(const struct board *b, int32_t *piece)
{
    for (int32_t p = 0; p < b->paths; p++)
        if (mw_dsf_find(piece, b->ends[p][0]) != mw_dsf_find(piece, b->ends[p][1]))
            return true;
    return false;
}

static bool lacks_paths(struct mw_run *run, const struct board *b, int32_t *piece)
{
    bool *served = MW_NEW0(run, bool, b->cells), lacks = false;
    for (int32_t p = 0; p < b->paths; p++)
        served[mw_dsf_find(piece, b->ends[p][0])] = true;
    for (int32_t cell = 0; cell < b->cells; cell++)
        lacks |= b->path[cell] == OPEN && !served[mw_dsf_find(piece, cell)];
    return lacks;
}

/* Cells count twice, ends once, so that a path sums to nothing whatever its ends: twice its cells
   of a colour, less its ends of that colour, is the same for both colours. */
static bool is_lopsided(struct mw_run *run, const struct board *b, int32_t *piece)
{
    int32_t *surplus = MW_NEW0(run, int32_t, b->cells);
    bool any = false;
    for (int32_t cell = 0; cell < b->cells; cell++) {
        int32_t weight = b->path[cell] == WALL ? 0 : b->path[cell] == OPEN ? 2 : 1;
        bool black = (cell % b->width + cell / b->width) % 2;
        surplus[mw_dsf_find(piece, cell)] += black ? weight : -weight;
    }
    for (int32_t cell = 0; cell < b->cells; cell++)
        any |= surplus[cell] != 0;
    return any;
}

/* The cells of the rim, clockwise from the corner; their number. */
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
    int ends[MAX_PATHS] = {0}; /* of a path on the rim; one more once it was met */
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
            open[depth++] = p;
        else
            return true;
    }
    return false;
}

bool path_obstacle(struct mw_run *run, const struct board *b, enum rule rule)
{
    char *mark = mw_mark(run);
    int32_t *piece = MW_NEW(run, int32_t, b->cells);
    mw_tick(run, (uint64_t)b->cells * 8);
    find_pieces(b, piece);
    bool hopeless = parts_ends(b, piece) || crosses_on_rim(b) ||
                    (rule != CLASSIC && (lacks_paths(run, b, piece) || is_lopsided(run, b, piece)));
    mw_rewind(run, mark);
    return hopeless;
}
