/*
 * region_result.c: the result: the cells, and for every country its size, the length of its
 * border, its neighbours and its capital.
 *
 * The capital is the cell with the most steps to the nearest cell outside its country. Those steps
 * are found by two passes over the map, as for the distance transforms of pictures (Rosenfeld and
 * Pfaltz 1966). Each row begins with the steps that lead out of it sideways, which rise and fall
 * again along every run of one country's cells; then a pass carries steps down, and one up: a cell
 * has at most one more than the less of what lies above it. Nothing need be carried along a row:
 * side by side steps differ by one at most within a country, in what came from above as in what was
 * there, since cells that do have a cell beside both of them. So a row can be vectorized. A pass
 * that changes nothing (which only a seam can delay) ends it.
 */
#include "kit/integer.h"
#include "regions.h"

/* ---- neighbours ------------------------------------------------------------------------------ */

/* A set of pairs of countries: open addressing, a pair is a * 2^16 + b with a < b, 0 is free. */
struct border_set {
    uint32_t *slot;
    uint32_t mask;
    int32_t count;
};

static void new_borders(struct mw_run *run, struct border_set *p, int32_t countries)
{
    uint32_t slots = 64;
    while (slots < (uint32_t)countries * 8) /* on plane and torus at most three borders a country */
        slots *= 2;
    *p = (struct border_set){MW_NEW0(run, uint32_t, slots), slots - 1, 0};
}

static void add_border(struct border_set *p, uint32_t pair)
{
    uint32_t i = (pair * UINT32_C(2654435769)) >> 7 & p->mask;
    for (uint32_t left = p->mask; left && p->slot[i] && p->slot[i] != pair; left--)
        i = (i + 1) & p->mask;
    assert(p->slot[i] || p->count < (int32_t)p->mask); /* a slot is free, so searches end */
    p->count += !p->slot[i];
    p->slot[i] = pair;
}

/* Counts the foreign sides of some cells at borders, and lists pairs of countries, the lesser
   first. Returns how many. Branch-free: the branch would mispredict. */
static inline int32_t note_pairs(const struct label_grid *g, const int32_t *place, int32_t cells,
                                 int32_t *border, uint32_t *pair, const bool hex)
{
    int32_t n = 0;
    for (int32_t i = 0; i < cells; i++) {
        const uint16_t *label = g->label + (place[i] >> 1);
        const int32_t *offset = g->offset[place[i] & 1];
        uint32_t own = *label, last = own;
        int32_t sides = 0;
        for (int side = 0; side < (hex ? 6 : 8); side += hex ? 1 : 2) {
            uint32_t other = label[offset[side]];
            sides += other != own;
            pair[n] = own << 16 | other;
            n += (other > own) & (other != last);
            last = other;
        }
        border[own - 1] += sides;
    }
    return n;
}

static void walk_borders(const struct label_grid *g, int32_t *border, struct border_set *borders)
{
    enum { SOME = 256 };
    uint32_t pair[6 * SOME + 1];
    memset(border, 0, (size_t)g->balance->count * sizeof *border);
    for (int32_t i = 0; i < g->boundary_count; i += SOME) {
        const int32_t *place = g->boundary + i;
        int32_t cells = mw_min(SOME, g->boundary_count - i);
        int32_t pairs = g->hex ? note_pairs(g, place, cells, border, pair, true)
                               : note_pairs(g, place, cells, border, pair, false);
        for (int32_t j = 0; j < pairs; j++)
            add_border(borders, pair[j]);
    }
    mw_tick(g->run, (uint64_t)g->boundary_count);
}

/* Lists the neighbours of each country in order of id, by sorting all pairs in both directions. */
static void write_neighbours(struct mw_run *run, const struct border_set *borders,
                             struct mw_ints *lists, int32_t countries)
{
    assert(countries > 0);
    int32_t n = 0, pairs = 2 * borders->count;
    int32_t *other = MW_NEW(run, int32_t, pairs);
    char *mark = mw_mark(run);
    uint64_t *key = MW_NEW(run, uint64_t, pairs);
    for (uint32_t i = 0; i <= borders->mask; i++) {
        uint32_t a = borders->slot[i] >> 16, b = borders->slot[i] & 0xffff;
        if (!a)
            continue;
        key[n] = (uint64_t)a << 16 | b, other[n++] = (int32_t)b;
        key[n] = (uint64_t)b << 16 | a, other[n++] = (int32_t)a;
    }
    assert(n == pairs);
    mw_sort(run, key, other, pairs);
    for (int32_t k = 1, i = 0; k <= countries; k++) {
        int32_t first = i;
        while (i < pairs && key[i] >> 16 == (uint64_t)k)
            i++;
        lists[k - 1] = (struct mw_ints){other + first, i - first};
    }
    mw_tick(run, borders->mask + (uint64_t)countries);
    mw_rewind(run, mark);
}

/* ---- capitals -------------------------------------------------------------------------------- */

enum { FAR = 8192 };

/* Cells of one country side by side in a row; so many more of them lie across the seam. */
struct run {
    int32_t x, end, before, after;
};

struct depths {
    const struct label_grid *grid;
    int16_t *depth;  /* by index: steps to the nearest cell outside the country */
    struct run *run; /* of the current row */
    int32_t next;    /* of the boundary, which is in order of rows: the first of the rows to come */
};

/* Finds the runs of the next row: all of them begin and end in the boundary, or at the map's edge.
   How many. */
static int32_t list_runs(struct depths *d, int32_t y)
{
    const struct label_grid *g = d->grid;
    struct run *run = d->run;
    int32_t first = regions_at(g, 0, y), last = first + g->width - 1, begun = 0, ended = 0;
    run[begun].x = 0;
    begun += g->label[first] != 0;
    for (; d->next < g->boundary_count && g->boundary[d->next] >> 1 <= last; d->next++) {
        int32_t at = g->boundary[d->next] >> 1;
        const uint16_t *label = g->label + at;
        run[begun].x = at - first;
        begun += at > first && label[0] != label[-1];
        run[ended].end = at - first + 1;
        ended += at < last && label[0] != label[1];
    }
    run[ended].end = g->width;
    ended += g->label[last] != 0;
    assert(begun == ended);
    for (int32_t i = 0; i < ended; i++)
        run[i].before = run[i].after = 0;
    if (ended && g->across && g->label[first] && g->label[first] == g->label[last]) {
        run[0].before = ended > 1 ? run[ended - 1].end - run[ended - 1].x : FAR;
        run[ended - 1].after = ended > 1 ? run[0].end : FAR;
    }
    return ended;
}

/* Steps that lead out of a row sideways: by eights, as the next run overwrites what is written past
   the end of one. */
static void begin_row(struct depths *d, int32_t y)
{
    const struct label_grid *g = d->grid;
    int16_t *row = d->depth + regions_at(g, 0, y);
    int32_t runs = list_runs(d, y), done = -1;
    assert(runs <= g->width);
    for (const struct run *run = d->run; run < d->run + runs; run++) {
        int32_t first = run->before == FAR ? run->end : run->x; /* none leads out, right round */
        for (; done < first; done++)
            row[done] = FAR;
        int16_t rise = (int16_t)(run->before + 1), fall = (int16_t)(run->after + run->end - run->x);
        for (int32_t x = first; x < run->end; x += 8, rise += 8, fall -= 8)
            for (int16_t i = 0; i < 8; i++) {
                int16_t up = (int16_t)(rise + i), down = (int16_t)(fall - i);
                row[x + i] = up < down ? up : down;
            }
        done = run->end;
    }
    for (; done <= g->width; done++)
        row[done] = FAR;
}

/* Steps carried into cells from those above or below them. */
MW_WIDE static void carry_over(const uint16_t *label, int16_t *depth, int32_t one, int32_t two,
                               int32_t width)
{
    const uint16_t *label1 = label + one, *label2 = label + two;
    const int16_t *depth1 = depth + one, *depth2 = depth + two;
    int16_t *restrict row = depth;
    for (int32_t x = 0; x < width; x++) {
        int16_t a = (int16_t)((depth1[x] & -(label1[x] == label[x])) + 1);
        int16_t b = (int16_t)((depth2[x] & -(label2[x] == label[x])) + 1);
        int16_t least = a < b ? a : b;
        row[x] = row[x] < least ? row[x] : least;
    }
}

static void carry_row(const struct depths *d, int32_t y, bool down)
{
    assert(0 <= y && y < d->grid->height);
    const struct label_grid *g = d->grid;
    const int32_t *offset = g->offset[y & 1];
    int32_t at = regions_at(g, 0, y);
    int16_t *row = d->depth + at;
    int one = g->hex ? (down ? 4 : 1) : (down ? 6 : 2), two = g->hex ? (down ? 5 : 2) : one;
    carry_over(g->label + at, row, offset[one], offset[two], g->width);
    row[-1] = row[g->width - 1];
    row[g->width] = row[0];
}

/* Two passes; whether the second reached across the upper and lower edge, so that there may be
   more. */
static bool carry_all(struct depths *d, bool begin)
{
    const struct label_grid *g = d->grid;
    for (int32_t y = 0; y < g->height; y++) {
        if (begin)
            begin_row(d, y);
        carry_row(d, y, true);
    }
    int16_t *top = d->depth, *bottom = d->depth + regions_at(g, -1, g->height);
    const size_t row = (size_t)g->stride * sizeof *top;
    memcpy(bottom, top + g->stride, row);
    for (int32_t y = g->height - 1; y >= 0; y--)
        carry_row(d, y, false);
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height * 2);
    bool changed = memcmp(top, bottom - g->stride, row) || memcmp(bottom, top + g->stride, row);
    memcpy(top, bottom - g->stride, row);
    memcpy(bottom, top + g->stride, row);
    return changed;
}

/* Looks through a row for cells deeper than those found before: a cell is no deeper than it is far
   from the ends of its run. */
static void look_through(struct depths *d, int32_t y, int16_t *best, struct mw_point *capital)
{
    const uint16_t *label = d->grid->label + regions_at(d->grid, 0, y);
    const int16_t *depth = d->depth + regions_at(d->grid, 0, y);
    int32_t runs = list_runs(d, y);
    for (const struct run *run = d->run; run < d->run + runs; run++) {
        uint16_t k = label[run->x];
        int32_t first = mw_max(run->x, run->x + best[k] - run->before);
        int32_t end = mw_min(run->end, run->end - best[k] + run->after);
        for (int32_t x = first; x < end; x++)
            if (depth[x] > best[k]) {
                best[k] = depth[x];
                capital[k - 1] = (struct mw_point){x, y};
            }
    }
}

static void find_capitals(const struct label_grid *g, struct mw_point *capital)
{
    int32_t cells = g->stride * (g->height + 2), countries = g->balance->count;
    struct depths d = {g, MW_NEW(g->run, int16_t, cells + 8),
                       MW_NEW(g->run, struct run, g->width + 2), 0};
    for (int32_t x = 0; x < g->stride; x++)
        d.depth[x] = FAR;
    for (bool begin = true; carry_all(&d, begin) && g->down; begin = false)
        continue;
    int16_t *best = MW_NEW0(g->run, int16_t, countries + 1);
    d.next = 0;
    for (int32_t y = 0; y < g->height; y++)
        look_through(&d, y, best, capital);
}

/* ---- writing it ------------------------------------------------------------------------------ */

static void write_cells(const struct label_grid *g, int32_t *restrict cells)
{
    for (int32_t y = 0; y < g->height; y++) {
        const uint16_t *label = g->label + regions_at(g, 0, y);
        for (int32_t x = 0; x < g->width; x++)
            *cells++ = label[x];
    }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
}

void regions_write_result(struct label_grid *g, const struct mw_lattice *lattice,
                          struct mw_map *map)
{
    assert(lattice->width == g->width && lattice->height == g->height);
    int32_t countries = g->balance->count;
    mw_set_int(map, REGIONS_WIDTH, lattice->width);
    mw_set_int(map, REGIONS_HEIGHT, lattice->height);
    mw_set_int(map, REGIONS_GRID, (int32_t)lattice->tiling);
    mw_set_int(map, REGIONS_WRAP, (int32_t)lattice->wrap);
    mw_add_table(g->run, map, REGIONS_TABLE, countries);
    int32_t *id = mw_int_column(map, REGIONS_TABLE, REGION_ID);
    int32_t *size = mw_int_column(map, REGIONS_TABLE, REGION_SIZE);
    for (int32_t k = 0; k < countries; k++) {
        assert(g->balance->size[k + 1] > 0);
        id[k] = k + 1;
        size[k] = g->balance->size[k + 1];
    }
    regions_find_shores(g, lattice);
    struct border_set borders;
    new_borders(g->run, &borders, countries);
    walk_borders(g, mw_int_column(map, REGIONS_TABLE, REGION_BORDER), &borders);
    write_neighbours(g->run, &borders, mw_ints_column(map, REGIONS_TABLE, REGION_NEIGHBORS),
                     countries);
    write_cells(g, mw_add_grid(g->run, map, REGIONS_CELLS, lattice));
    char *mark = mw_mark(g->run);
    find_capitals(g, mw_point_column(map, REGIONS_TABLE, REGION_CAPITAL));
    mw_rewind(g->run, mark);
}
