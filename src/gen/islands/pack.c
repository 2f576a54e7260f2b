/*
 * pack.c: as many islands as there is room for, where order.c found too few.
 *
 * The map is cut into shelves with a row of air between them (Coffman and others 1980). A shelf of
 * height h is read column by column; its islands are stretches of `least` cells of that line, and
 * a gap of h + 1 cells (h, where columns are whole) keeps one from touching the next, corners
 * included:
 *
 *     1 1 1 1 . 2 2 2 2 . . 3       least = 11, h = 3: the gap after the last cell of 1 goes down
 *     1 1 1 1 . 2 2 2 . . 3 3       its column and into the next, past that cell's corner
 *     1 1 1 . . 2 2 2 . 3 3 3
 *
 * Where one height does for all shelves, the one with the squarest islands is taken, else the best
 * mixture of heights, which is a knapsack. Both are tried along rows and along columns. Room that
 * is left is shared out among the gaps.
 *
 * Then coasts are roughened. Cells are added and removed at random, preferring short coasts
 * (Metropolis 1953), and every step keeps the contract: an island stays in one
 * piece and without holes, within its sizes, and away from the others. After some rounds nothing
 * straight is left. An island may meanwhile be a cell too large; in the end those are trimmed, for
 * which there is always a removable cell.
 */
#include "islands.h"

/* ---- how many can fit --------------------------------------------------------------------- */

/*
 * An island of A cells touches A + P/2 + 1 corners or more, where its coast P is no shorter than
 * that of the box around it. Islands that do not touch at a corner share none, and there are (width
 * + 1) (height + 1).
 */
int64_t islands_cover(int32_t cells, int32_t width, int32_t height)
{
    int64_t least = 0;
    for (int32_t w = 1; w <= width && w <= cells; w++) {
        int64_t h = mw_ceil_div(cells, w);
        if (h <= height && (!least || w + h < least))
            least = w + h;
    }
    return least ? cells + least + 1 : 0;
}

/* ---- shelves --------------------------------------------------------------------------------- */

struct shelves {
    bool upright;         /* columns instead of rows */
    int32_t across, down; /* extent of the map along a shelf, and across the shelves */
    int32_t count;
    int32_t *height; /* of each */
};

/* Cells of air between two islands on a shelf; if columns are whole, islands begin with one. */
static int32_t gap(int32_t height, int32_t least) { return least % height ? height + 1 : height; }

static int32_t held_by(const struct shelves *sh, int32_t height, int32_t least)
{
    assert(height > 0 && least > 0 && sh->across > 0);
    int64_t cells = (int64_t)height * sh->across, air = gap(height, least);
    return (int32_t)((cells + air) / (least + air));
}

static int32_t capacity(const struct shelves *sh, int32_t least)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < sh->count; i++)
        sum += held_by(sh, sh->height[i], least);
    return sum;
}

/* Shelves of one height, for `wanted` islands; the squarest there are, or none. */
static int32_t shelves_alike(struct shelves *sh, int32_t least, int32_t wanted)
{
    int32_t best = INT32_MAX, chosen = 0;
    for (int32_t h = 1; h <= sh->down && h <= least; h++) {
        int32_t held = held_by(sh, h, least), width = (int32_t)mw_ceil_div(least, h);
        int32_t odd = width > h ? width - h : h - width;
        if (!held || (int64_t)held * ((sh->down + 1) / (h + 1)) < wanted || odd >= best)
            continue;
        best = odd;
        chosen = h;
    }
    sh->count = chosen ? (int32_t)mw_ceil_div(wanted, held_by(sh, chosen, least)) : 0;
    for (int32_t i = 0; i < sh->count; i++)
        sh->height[i] = chosen;
    assert(!chosen || capacity(sh, least) >= wanted);
    return best;
}

/* How many islands a mixture of heights holds at most, by rows of the map, with one of air to each
   shelf; and how high the last shelf is. */
static void fill_rows(const struct shelves *sh, int32_t least, int32_t *most, int32_t *last)
{
    most[0] = last[0] = 0;
    for (int32_t y = 1; y <= sh->down + 1; y++) {
        most[y] = most[y - 1];
        last[y] = 0;
        for (int32_t h = 1; h < y && h <= least; h++) {
            int32_t sum = most[y - h - 1] + held_by(sh, h, least);
            if (sum <= most[y])
                continue;
            most[y] = sum;
            last[y] = h;
        }
    }
}

/* The mixture of heights that holds most. */
static void shelves_mixed(struct mw_run *run, struct shelves *sh, int32_t least)
{
    int32_t room = sh->down + 1;
    int32_t *most = MW_NEW(run, int32_t, room + 1), *last = MW_NEW(run, int32_t, room + 1);
    fill_rows(sh, least, most, last);
    mw_tick(run, (uint64_t)room * (uint64_t)mw_min(room, least));
    sh->count = 0;
    for (int32_t y = room; y > 0; y -= last[y] ? last[y] + 1 : 1)
        if (last[y])
            sh->height[sh->count++] = last[y];
    assert(capacity(sh, least) == most[room]);
}

/* ---- islands on shelves ---------------------------------------------------------------------- */

/* The share of the i-th of n gaps in the room that is left. */
static int32_t share(int32_t left, int32_t i, int32_t n)
{
    return (int32_t)((int64_t)left * (i + 1) / (n + 1));
}

/* Takes a stretch of a shelf, whose top is at y. */
static void place_island(struct island_map *s, const struct shelves *sh, int32_t from, int32_t y,
                         int32_t height)
{
    int32_t id = ++s->count;
    assert(id <= s->fewest && from >= 0 && from + s->least <= height * sh->across);
    for (int32_t i = from; i < from + s->least; i++) {
        int32_t along = i / height, across = y + i % height;
        int32_t *at =
            s->at + (sh->upright ? world_cell(s, across, along) : world_cell(s, along, across));
        assert(*at == CELL_AIR);
        *at = id;
    }
    s->size[id] = s->least;
    mw_tick(s->run, (uint64_t)s->least);
}

static void place_shelf(struct island_map *s, const struct shelves *sh, int32_t y, int32_t height,
                        int32_t n)
{
    int32_t air = gap(height, s->least), left = height * sh->across + air - n * (s->least + air);
    for (int32_t i = 0; i < n; i++) {
        int32_t shift = share(left, i, n);
        shift -= air == height ? shift % height : 0;
        place_island(s, sh, i * (s->least + air) + shift, y, height);
    }
}

static void place_all(struct island_map *s, const struct shelves *sh, int32_t wanted)
{
    int64_t held = 0, all = capacity(sh, s->least);
    int32_t left = sh->down + 1, y = 0;
    for (int32_t i = 0; i < sh->count; i++)
        left -= sh->height[i] + 1;
    for (int32_t i = 0; i < sh->count; i++) {
        int64_t before = held * wanted / all;
        held += held_by(sh, sh->height[i], s->least);
        place_shelf(s, sh, y + share(left, i, sh->count), sh->height[i],
                    (int32_t)(held * wanted / all - before));
        y += sh->height[i] + 1;
    }
    assert(s->count == wanted);
}

/* ---- coasts ---------------------------------------------------------------------------------- */

enum { SWEEPS = 12 };

/* How often, of 256, a change that makes the coast two sides longer is accepted. */
enum { LONGER = 64 };

/* Whether the cells of an island around a cell hang together by one arc: it can come or go. */
static bool is_loose(const struct island_map *s, int32_t cell, int32_t id)
{
    unsigned ring = 0;
    for (int k = 0; k < 8; k++)
        ring |= (unsigned)(s->at[cell + s->ring[k]] == id) << k;
    unsigned next = ring >> 1 | ring << 7, second = ring >> 2 | ring << 6;
    unsigned arcs = ring & ~(next & second) & 0x55;
    return arcs && !(arcs & (arcs - 1));
}

/* The island that a cell of air lies beside, or 0. */
static int32_t shore_of(const struct island_map *s, int32_t cell)
{
    for (int k = 0; k < 8; k += 2)
        if (s->at[cell + s->ring[k]] > 0)
            return s->at[cell + s->ring[k]];
    return 0;
}

/* Whether an island other than `id` is beside a cell, or at a corner of it. */
static bool touches_other(const struct island_map *s, int32_t cell, int32_t id)
{
    for (int k = 0; k < 8; k++) {
        int32_t other = s->at[cell + s->ring[k]];
        if (other > 0 && other != id)
            return true;
    }
    return false;
}

/* Takes or gives a cell; `chance` is of 2^16, the half of which accepts a change at all. */
static void roughen_cell(struct island_map *s, int32_t cell, int32_t largest, uint32_t chance)
{
    int32_t own = s->at[cell], id = own > 0 ? own : shore_of(s, cell);
    if (!id || (own > 0 ? s->size[id] <= s->least : s->size[id] >= largest))
        return;
    if (chance >= 1 << 15 || !is_loose(s, cell, id) || (!own && touches_other(s, cell, id)))
        return;
    int sides = islands_sides(s, cell, id);
    bool longer = own > 0 ? sides == 3 : sides == 1;
    if (longer && chance >= LONGER << 7)
        return;
    assert(own == id || own == CELL_AIR);
    s->at[cell] = own > 0 ? CELL_AIR : id;
    s->size[id] += own > 0 ? -1 : 1;
}

/* One cell of every three by three, the same one of each: none of them is beside another. */
static void roughen_ninth(struct island_map *s, int32_t ninth, int32_t largest)
{
    for (int32_t y = ninth / 3; y < s->height; y += 3) {
        uint64_t chances = 0;
        for (int32_t x = ninth % 3, left = 0; x < s->width; x += 3, left--, chances >>= 16) {
            if (!left) {
                chances = mw_next(&s->rng);
                left = 4;
            }
            roughen_cell(s, world_cell(s, x, y), largest, chances & 0xffff);
        }
    }
}

/* All cells, so many times, in nine parts that follow each other at random. */
static void roughen(struct island_map *s)
{
    int32_t largest = mw_max(s->largest, s->least + 1);
    int32_t part[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    for (int32_t sweep = 0; sweep < SWEEPS; sweep++) {
        mw_shuffle(&s->rng, part, 9);
        for (int i = 0; i < 9; i++)
            roughen_ninth(s, part[i], largest);
        mw_tick(s->run, (uint64_t)s->width * (uint64_t)s->height * 4);
    }
}

/* Takes a cell from each island that is too large: one that the fewest sides hold. */
static void trim(struct island_map *s)
{
    int32_t *loosest = MW_NEW0(s->run, int32_t, s->count + 1);
    for (int32_t cell = 0; cell < s->cells; cell++) {
        int32_t id = s->at[cell];
        if (id <= 0 || s->size[id] <= s->largest || !is_loose(s, cell, id))
            continue;
        if (!loosest[id] || islands_sides(s, cell, id) < islands_sides(s, loosest[id], id))
            loosest[id] = cell;
    }
    for (int32_t id = 1; id <= s->count; id++)
        if (loosest[id]) {
            s->at[loosest[id]] = CELL_AIR;
            s->size[id]--;
        }
    for (int32_t id = 1; id <= s->count; id++)
        assert(s->size[id] >= s->least && s->size[id] <= s->largest);
    mw_tick(s->run, (uint64_t)s->cells);
}

/* ---- all together ---------------------------------------------------------------------------- */

void islands_clear(struct island_map *s)
{
    for (int32_t cell = 0; cell < s->cells; cell++)
        s->at[cell] = CELL_RIM;
    for (int32_t y = 0; y < s->height; y++)
        memset(s->at + world_cell(s, 0, y), CELL_AIR, (size_t)s->width * sizeof *s->at);
    s->count = 0;
    mw_tick(s->run, (uint64_t)s->cells);
}

/* The shelves to take for `wanted` islands, of those along rows and those along columns. */
static struct shelves choose_shelves(struct mw_run *run, int32_t width, int32_t height,
                                     int32_t least, int32_t wanted)
{
    struct shelves sh[2] = {{false, width, height, 0, NULL}, {true, height, width, 0, NULL}};
    int32_t odd[2];
    for (int i = 0; i < 2; i++) {
        sh[i].height = MW_NEW(run, int32_t, sh[i].down + 1);
        odd[i] = shelves_alike(&sh[i], least, wanted);
    }
    if (!sh[0].count && !sh[1].count)
        for (int i = 0; i < 2; i++) {
            shelves_mixed(run, &sh[i], least);
            odd[i] = -capacity(&sh[i], least);
        }
    return sh[odd[1] < odd[0]];
}

int32_t islands_hold(struct mw_run *run, int32_t width, int32_t height, int32_t size,
                     int32_t wanted)
{
    char *mark = mw_mark(run);
    struct shelves sh = choose_shelves(run, width, height, size, wanted);
    mw_rewind(run, mark);
    return capacity(&sh, size);
}

void islands_pack(struct island_map *s)
{
    struct shelves sh = choose_shelves(s->run, s->width, s->height, s->least, s->fewest);
    s->size = MW_NEW(s->run, int32_t, s->fewest + 1);
    islands_clear(s);
    place_all(s, &sh, s->fewest);
    roughen(s);
    trim(s);
}
