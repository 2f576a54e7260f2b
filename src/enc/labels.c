/* labels.c: the borders of labels, and colours that tell neighbours apart. */
#include "labels.h"
#include "kit/integer.h"
#include "kit/lattice.h"

static int32_t greatest(struct mw_run *run, const struct mw_cells *cells, int64_t count)
{
    int32_t most = 0;
    for (int64_t i = 0; i < count; i++)
        most = mw_max(most, cells->at[i]);
    mw_tick(run, (uint64_t)count);
    return most;
}

static int32_t label_across(const struct mw_cells *cells, int32_t cell, int side)
{
    int32_t other = mw_neighbour(&cells->lattice, cell, side);
    return other < 0 ? 0 : cells->at[other];
}

/* The sides of all cells of a row but its first and last. */
static inline __attribute__((always_inline)) void ask_row(const int32_t *here, int32_t width,
                                                          const ptrdiff_t *way, const int count,
                                                          uint8_t *restrict sides)
{
    for (int32_t x = 1; x < width - 1; x++) {
        unsigned which = 0;
        for (int s = 0; s < count; s++)
            which |= (unsigned)(here[x] != here[x + way[s]]) << s;
        sides[x] = (uint8_t)which;
    }
}

/* Whether a row has cells away from the rim: in it a side leads equally far from all of them. */
static bool has_inner(const struct mw_lattice *l, int32_t y)
{
    return l->width > 2 && y > 0 && y + 1 < l->height;
}

static void find_ways(const struct mw_lattice *l, int32_t y, int count, ptrdiff_t *way)
{
    const int32_t inner = y * l->width + 1;
    for (int s = 0; s < count; s++)
        way[s] = mw_neighbour(l, inner, s) - inner;
}

static void ask_inner(const struct mw_lattice *l, const int32_t *here, int32_t y, int count,
                      uint8_t *sides)
{
    ptrdiff_t way[MW_MAX_SIDES] = {0};
    find_ways(l, y, count, way);
    switch (count) {
    case 2: ask_row(here, l->width, way, 2, sides); return;
    case 3: ask_row(here, l->width, way, 3, sides); return;
    case 4: ask_row(here, l->width, way, 4, sides); return;
    default: ask_row(here, l->width, way, 6, sides);
    }
}

void label_borders(const struct mw_cells *cells, int32_t y, int count, uint8_t *sides)
{
    const struct mw_lattice *l = &cells->lattice;
    int32_t width = l->width, first = y * width;
    const bool inner = has_inner(l, y);
    assert(width > 0 && y >= 0 && y < l->height);
    if (inner)
        ask_inner(l, cells->at + first, y, count, sides);
    for (int32_t x = 0; x < width; x += inner && x == 0 ? width - 1 : 1) {
        sides[x] = 0;
        for (int s = 0; s < count; s++)
            sides[x] |= (uint8_t)((cells->at[first + x] != label_across(cells, first + x, s)) << s);
    }
}

/* Most cells are inside. */
int32_t label_next_border(const uint8_t *sides, int32_t from, int32_t count)
{
    for (uint64_t eight = 0; from + 8 <= count; from += 8) {
        memcpy(&eight, sides + from, sizeof eight);
        if (eight)
            break;
    }
    while (from < count && !sides[from])
        from++;
    return from;
}

/* A side between two labels as greater * 2^32 + smaller; 0: one of them is none. */
static uint64_t border_key(int32_t a, int32_t b)
{
    if (a <= 0 || b <= 0)
        return 0;
    return a > b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

/* How many sides there are. */
static int32_t count_borders(const uint8_t *sides, int32_t count)
{
    int32_t n = 0;
    for (int32_t c = 0; (c = label_next_border(sides, c, count)) < count; c++)
        n += mw_count_bits(sides[c]);
    return n;
}

/* The keys of those of a row; how many there are. */
static int32_t list_row(const struct mw_cells *cells, int32_t y, const uint8_t *sides,
                        uint64_t *keys)
{
    const struct mw_lattice *l = &cells->lattice;
    const int32_t first = y * l->width, *here = cells->at + first;
    ptrdiff_t way[MW_MAX_SIDES] = {0};
    int32_t n = 0;
    if (has_inner(l, y))
        find_ways(l, y, mw_sides(l) / 2, way);
    for (int32_t x = 0; (x = label_next_border(sides, x, l->width)) < l->width; x++)
        for (unsigned left = sides[x]; left; left &= left - 1) {
            const int side = __builtin_ctz(left);
            const bool inner = x > 0 && x + 1 < l->width && has_inner(l, y);
            keys[n] = border_key(here[x], inner ? here[x + way[side]]
                                                : label_across(cells, first + x, side));
            n += keys[n] != 0;
        }
    return n;
}

int32_t *label_colours(struct mw_run *run, const struct mw_cells *cells, int32_t colours)
{
    assert(colours > 0);
    int32_t count = cells->lattice.width * cells->lattice.height;
    int32_t labels = greatest(run, cells, count);
    int32_t *colour = MW_NEW(run, int32_t, labels + 1);
    char *mark = mw_mark(run);
    uint8_t *sides = MW_NEW(run, uint8_t, count);
    for (int32_t y = 0; y < cells->lattice.height; y++)
        label_borders(cells, y, mw_sides(&cells->lattice) / 2,
                      sides + (int64_t)y * cells->lattice.width);
    uint64_t *keys = MW_NEW(run, uint64_t, count_borders(sides, count) + 1);
    int32_t borders = 0;
    for (int32_t y = 0; y < cells->lattice.height; y++)
        borders += list_row(cells, y, sides + (int64_t)y * cells->lattice.width, keys + borders);
    mw_sort(run, keys, NULL, borders);
    int32_t *taken_by = MW_NEW0(run, int32_t, colours);
    colour[0] = labels;
    for (int32_t label = 1, k = 0; label <= labels; label++) {
        for (; k < borders && keys[k] >> 32 == (uint64_t)label; k++)
            taken_by[colour[(uint32_t)keys[k]]] = label;
        int32_t pick = (label - 1) % colours;
        for (int32_t tries = 0; tries < colours && taken_by[pick] == label; tries++)
            pick = (pick + 1) % colours;
        colour[label] = pick;
    }
    assert(!borders || keys[borders - 1] >> 32 <= (uint64_t)labels); /* all have been asked */
    mw_rewind(run, mark);
    return colour;
}
