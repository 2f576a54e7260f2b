/*
 * labels.c: the borders of labels, colors that differ for neighbors, and places for names.
 *
 * A name is written at the pole of inaccessibility of its label. The depth of a cell is the number
 * of steps to the nearest cell without its label: 1 at a border, else one more than the least depth
 * of its neighbors. Two passes find all depths, forward with the neighbors before each cell and
 * backward with those after it (Rosenfeld and Pfaltz 1966). Of equally deep cells, as in a
 * corridor, the one in the middle of their order is taken.
 */
#include "labels.h"
#include "kit/integer.h"
#include "kit/lattice.h"

/* The label across a side; 0 beyond the rim. */
static int32_t label_across(const struct mw_cells *cells, int32_t cell, int side)
{
    int32_t other = mw_neighbour(&cells->lattice, cell, side);
    return other < 0 ? 0 : cells->at[other];
}

/* ---- borders and colors ---------------------------------------------------------------------- */

/* Neighbors of the inner cells of a row have the same offsets. */
static void find_row(const struct mw_cells *cells, int32_t y, uint8_t *sides)
{
    const struct mw_lattice *l = &cells->lattice;
    const int32_t first = y * l->width, *here = cells->at + first;
    const bool has_inner = l->width > 2 && y > 0 && y + 1 < l->height;
    const int count = mw_sides(l);
    ptrdiff_t way[MW_MAX_SIDES] = {0};
    for (int s = 0; has_inner && s < count; s++)
        way[s] = mw_neighbour(l, first + 1, s) - (first + 1);
    for (int32_t x = 0; x < l->width; x++) {
        bool inner = has_inner && x > 0 && x + 1 < l->width;
        unsigned which = 0;
        for (int s = 0; s < count && here[x]; s++)
            which |= (unsigned)(here[x] !=
                                (inner ? here[x + way[s]] : label_across(cells, first + x, s)))
                     << s;
        sides[x] = (uint8_t)which;
    }
}

uint8_t *label_borders(struct mw_run *run, const struct mw_cells *cells)
{
    const struct mw_lattice *l = &cells->lattice;
    const struct mw_cells flat = {{l->width, l->height, l->tiling, MW_WRAP_NONE}, cells->at};
    uint8_t *borders = MW_NEW(run, uint8_t, l->width * l->height);
    mw_tick(run, (uint64_t)l->width * (uint64_t)l->height);
    for (int32_t y = 0; y < l->height; y++)
        find_row(&flat, y, borders + (int64_t)y * l->width);
    return borders;
}

/* Lists borders between different labels as keys, greater * 2^32 + smaller, without immediate
   repetitions; returns their number. A seam may have the same label on both sides. */
static int32_t list_borders(const struct mw_cells *cells, const uint8_t *borders, uint64_t *keys)
{
    const int32_t count = cells->lattice.width * cells->lattice.height;
    const unsigned once = (1U << mw_sides(&cells->lattice) / 2) - 1;
    int32_t n = 0;
    for (int32_t c = 0; (c = mw_next_byte(borders, c, count)) < count; c++)
        for (unsigned left = borders[c] & once; left; left &= left - 1) {
            int32_t a = cells->at[c], b = label_across(cells, c, __builtin_ctz(left));
            if (a <= 0 || b <= 0 || a == b)
                continue;
            keys[n] = (uint64_t)mw_max(a, b) << 32 | (uint32_t)mw_min(a, b);
            n += !(n && keys[n] == keys[n - 1]);
        }
    return n;
}

int32_t *label_colors(struct mw_run *run, const struct mw_cells *cells, const uint8_t *borders,
                      int32_t colors)
{
    const int32_t count = cells->lattice.width * cells->lattice.height;
    const unsigned once = (1U << mw_sides(&cells->lattice) / 2) - 1;
    int32_t labels = 0, most = 1;
    assert(colors > 0);
    for (int32_t c = 0; (c = mw_next_byte(borders, c, count)) < count; c++) {
        most += mw_count_bits(borders[c] & once);
        labels = mw_max(labels, cells->at[c]);
    }
    int32_t *color = MW_NEW(run, int32_t, labels + 1);
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, most);
    const int32_t pairs = list_borders(cells, borders, keys);
    assert(pairs < most);
    mw_tick(run, (uint64_t)count / 4);
    mw_sort(run, keys, NULL, pairs);
    int32_t *taken_by = MW_NEW0(run, int32_t, colors);
    color[0] = labels;
    for (int32_t label = 1, k = 0; label <= labels; label++) {
        for (; k < pairs && keys[k] >> 32 == (uint64_t)label; k++)
            taken_by[color[(uint32_t)keys[k]]] = label;
        int32_t pick = (label - 1) % colors;
        for (int32_t tries = 0; tries < colors && taken_by[pick] == label; tries++)
            pick = (pick + 1) % colors;
        color[label] = pick;
    }
    assert(!pairs || keys[pairs - 1] >> 32 <= (uint64_t)labels); /* all were visited */
    mw_rewind(run, mark);
    return color;
}

/* ---- poles ----------------------------------------------------------------------------------- */

enum { AFAR = INT16_MAX - 1 };

/* Limits the depths of a row to one more than those of the neighbors before each cell; step: 1, or
   -1 for a backward pass. Beyond the rim of the map this looks at cells that are no neighbors, but
   labelled cells there have depth 1 already. */
static void measure_row(const struct mw_lattice *l, int16_t *depth, int32_t y, int32_t step)
{
    const int32_t width = l->width, skew = l->tiling != MW_HEX ? 0 : y & 1 ? 1 : -1;
    int16_t *at = depth + (int64_t)y * width + (step > 0 ? 0 : width - 1);
    int32_t last = at[-step];
    for (int32_t i = 0; i < width; i++, at += step) {
        const int16_t *across = at - step * width;
        last = mw_min(at[0], mw_min(last, mw_min(across[0], across[skew])) + 1);
        at[0] = (int16_t)last;
    }
}

static const int16_t *measure_depths(struct mw_run *run, const struct mw_lattice *l,
                                     const uint8_t *borders)
{
    const int32_t count = l->width * l->height, rim = l->width + 1;
    int16_t *all = MW_NEW(run, int16_t, count + 2 * (int64_t)rim), *depth = all + rim;
    for (int32_t i = 0; i < count + 2 * rim; i++)
        all[i] = i >= rim && i < count + rim && borders[i - rim] ? 1 : AFAR;
    for (int32_t y = 0; y < l->height; y++)
        measure_row(l, depth, y, 1);
    for (int32_t y = l->height - 1; y >= 0; y--)
        measure_row(l, depth, y, -1);
    return depth;
}

struct pole *label_poles(struct mw_run *run, const struct mw_cells *cells, const uint8_t *borders,
                         int32_t labels)
{
    const struct mw_lattice *l = &cells->lattice;
    const int32_t count = l->width * l->height;
    assert(labels >= 0 && mw_min(l->width, l->height) < 2 * AFAR);
    struct pole *poles = MW_NEW0(run, struct pole, (int64_t)labels + 1);
    char *mark = mw_mark(run);
    const int16_t *depth = measure_depths(run, l, borders);
    int32_t *deepest = MW_NEW0(run, int32_t, (int64_t)labels + 1); /* cells, by label */
    for (int32_t cell = 0; cell < count; cell++) {
        const int32_t label = mw_max(cells->at[cell], 0);
        if (depth[cell] > poles[label].depth) {
            poles[label] = (struct pole){cell, depth[cell]};
            deepest[label] = 0;
        }
        deepest[label] += depth[cell] == poles[label].depth;
    }
    for (int32_t label = 0; label <= labels; label++)
        deepest[label] /= 2; /* those before the pole */
    for (int32_t cell = 0; cell < count; cell++) {
        const int32_t label = mw_max(cells->at[cell], 0);
        if (depth[cell] == poles[label].depth && deepest[label]-- == 0)
            poles[label].cell = cell;
    }
    mw_tick(run, 3 * (uint64_t)count);
    mw_rewind(run, mark);
    return poles;
}
