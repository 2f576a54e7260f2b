/*
 * region_result.c: the result: the cells, and for every country its size, the length of its
 * border, its neighbours and its capital.
 *
 * All are found from runs: cells of one country side by side in a row. Each run meets the next, and
 * those of the row below that it overlaps. The border of a country is as long as all sides of its
 * cells, less two for each that two of them share.
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

/* ---- runs ------------------------------------------------------------------------------------ */

enum { FAR = 8192 };

/* Cells of one country side by side in a row; so many more of them lie across the seam. */
struct label_run {
    int32_t x, end, before, after;
};

struct row_runs {
    struct label_run *run;
    int32_t count;
    uint8_t *begins; /* by cell: whether a run begins there */
};

static struct row_runs new_runs(const struct label_grid *g)
{
    return (struct row_runs){MW_NEW(g->run, struct label_run, g->width), 0,
                             MW_NEW(g->run, uint8_t, g->width)};
}

MW_WIDE static void find_begins(const uint16_t *label, int32_t width, uint8_t *restrict begins)
{
    for (int32_t x = 0; x < width; x++)
        begins[x] = label[x] != label[x - 1];
}

/* Lists the runs of land in a row. */
static void list_runs(const struct label_grid *g, int32_t y, struct row_runs *r)
{
    const uint16_t *label = g->label + regions_at(g, 0, y);
    int32_t width = g->width, n = 0;
    find_begins(label, width, r->begins);
    for (int32_t x = 0, end; x < width; x = end) {
        end = mw_next_byte(r->begins, x + 1, width);
        r->run[n] = (struct label_run){x, end, 0, 0};
        n += label[x] != 0;
    }
    r->count = n;
    if (g->across && label[0] && label[0] == label[width - 1]) {
        struct label_run *first = r->run, *last = r->run + n - 1;
        first->before = n > 1 ? last->end - last->x : FAR;
        last->after = n > 1 ? first->end - first->x : FAR;
    }
}

/* ---- borders --------------------------------------------------------------------------------- */

struct border_walk {
    const struct label_grid *grid;
    struct border_set set;
    int32_t *inner; /* by country: sides between its own cells */
};

static void meet(struct border_walk *w, uint32_t own, uint32_t other, int32_t sides)
{
    assert(sides > 0 || own == other);
    if (own == other)
        w->inner[own] += sides;
    else if (own && other)
        add_border(&w->set, own < other ? own << 16 | other : other << 16 | own);
}

/* The sides that a run shares with one in the row below, which is shifted to the right. */
static int32_t shared_sides(const struct label_run *a, const struct label_run *b, int32_t shift)
{
    return mw_max(mw_min(a->end, b->end + shift) - mw_max(a->x, b->x + shift), 0);
}

/* Counts the sides between cells of a row, and those that it shares with the row below. */
static void walk_row(struct border_walk *w, int32_t y, const struct row_runs *row,
                     const struct row_runs *below)
{
    const struct label_grid *g = w->grid;
    const uint16_t *label = g->label + regions_at(g, 0, y), *down = label + g->stride;
    /* on hexagons a cell also touches the cell below that lies next to the west, or to the east */
    const int32_t east = g->hex && !(y & 1), west = g->hex && y & 1;
    int32_t next = 0;
    for (const struct label_run *a = row->run; a < row->run + row->count; a++) {
        uint16_t own = label[a->x];
        assert(own && a->x < a->end && a->end <= g->width);
        meet(w, own, own, a->end - a->x - 1);
        meet(w, own, label[a->end], 1);
        while (next < below->count && below->run[next].end + east <= a->x)
            next++;
        for (int32_t i = next; i < below->count && below->run[i].x - west < a->end; i++) {
            const struct label_run *b = &below->run[i];
            int32_t sides = shared_sides(a, b, 0);
            sides += g->hex ? shared_sides(a, b, east - west) : 0;
            meet(w, own, down[b->x], sides);
        }
    }
    if (east)
        meet(w, label[0], down[-1], 1);
    if (west)
        meet(w, label[g->width - 1], down[g->width], 1);
}

/* ---- capitals: depth[], by index: steps to the nearest cell outside the country -------------- */

/* Steps that lead out of a row sideways. */
static void begin_row(const struct label_grid *g, int16_t *depth, int32_t y,
                      const struct row_runs *r)
{
    int16_t *row = depth + regions_at(g, 0, y);
    for (int32_t x = -1; x <= g->width; x++)
        row[x] = FAR;
    for (const struct label_run *run = r->run; run < r->run + r->count; run++) {
        int32_t first = run->before == FAR ? run->end : run->x; /* none leads out, right round */
        int32_t rise = run->before + 1 - run->x, fall = run->after + run->end;
        for (int32_t x = first; x < run->end; x++)
            row[x] = (int16_t)(x + rise < fall - x ? x + rise : fall - x);
    }
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

static void carry_row(const struct label_grid *g, int16_t *depth, int32_t y, bool down)
{
    assert(0 <= y && y < g->height);
    const int32_t *offset = g->offset[y & 1];
    int32_t at = regions_at(g, 0, y);
    int16_t *row = depth + at;
    int one = g->hex ? (down ? 4 : 1) : (down ? 6 : 2), two = g->hex ? (down ? 5 : 2) : one;
    carry_over(g->label + at, row, offset[one], offset[two], g->width);
    row[-1] = row[g->width - 1];
    row[g->width] = row[0];
}

/* Whether steps reach across the upper and lower edge, so that there may be more. */
static bool carry_up(const struct label_grid *g, int16_t *depth)
{
    int16_t *top = depth, *bottom = depth + regions_at(g, -1, g->height);
    const size_t row = (size_t)g->stride * sizeof *top;
    memcpy(bottom, top + g->stride, row);
    for (int32_t y = g->height - 1; y >= 0; y--)
        carry_row(g, depth, y, false);
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height * 2);
    bool changed = memcmp(top, bottom - g->stride, row) || memcmp(bottom, top + g->stride, row);
    regions_copy_edges(g, depth, sizeof *top);
    return g->down && changed;
}

/* Looks through a row for cells deeper than those found before: a cell is no deeper than it is far
   from the ends of its run. */
static void look_through(const struct label_grid *g, const int16_t *depth, int32_t y,
                         const struct row_runs *r, int16_t *best, struct mw_point *capital)
{
    const uint16_t *label = g->label + regions_at(g, 0, y);
    const int16_t *row = depth + regions_at(g, 0, y);
    for (const struct label_run *run = r->run; run < r->run + r->count; run++) {
        uint16_t k = label[run->x];
        int32_t first = mw_max(run->x, run->x + best[k] - run->before);
        int32_t end = mw_min(run->end, run->end - best[k] + run->after);
        for (int32_t x = first; x < end; x++)
            if (row[x] > best[k]) {
                best[k] = row[x];
                capital[k - 1] = (struct mw_point){x, y};
            }
    }
}

/* Once steps were carried down a first time. */
static void find_capitals(const struct label_grid *g, int16_t *depth, struct row_runs *runs,
                          struct mw_point *capital)
{
    while (carry_up(g, depth))
        for (int32_t y = 0; y < g->height; y++)
            carry_row(g, depth, y, true);
    int16_t *best = MW_NEW0(g->run, int16_t, g->balance->count + 1);
    for (int32_t y = 0; y < g->height; y++) {
        list_runs(g, y, runs);
        look_through(g, depth, y, runs, best, capital);
    }
}

/* ---- row by row ------------------------------------------------------------------------------ */

/* Walks along all borders, carries steps down, and writes the cells. Then finds the capitals. */
static void walk_rows(struct border_walk *w, int32_t *cells, struct mw_point *capital)
{
    const struct label_grid *g = w->grid;
    struct row_runs row = new_runs(g), below = new_runs(g);
    int16_t *depth = MW_NEW(g->run, int16_t, g->indices);
    for (int32_t x = 0; x < g->stride; x++)
        depth[x] = FAR;
    list_runs(g, 0, &below);
    for (int32_t y = 0; y < g->height; y++) {
        struct row_runs done = row;
        row = below;
        below = done;
        list_runs(g, y + 1, &below);
        walk_row(w, y, &row, &below);
        begin_row(g, depth, y, &row);
        carry_row(g, depth, y, true);
        const uint16_t *label = g->label + regions_at(g, 0, y);
        for (int32_t x = 0, width = g->width; x < width; x++)
            *cells++ = label[x];
    }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height * 2);
    find_capitals(g, depth, &row, capital);
}

/* ---- writing it ------------------------------------------------------------------------------ */

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
    /* no moves any more: the seams are as the client sees them */
    g->across = lattice->wrap != MW_WRAP_NONE;
    g->down = lattice->wrap == MW_WRAP_XY;
    regions_copy_edges(g, g->label, sizeof *g->label);
    int32_t *cells = mw_add_grid(g->run, map, REGIONS_CELLS, lattice);
    struct border_walk walk = {.grid = g, .inner = MW_NEW0(g->run, int32_t, countries + 1)};
    new_borders(g->run, &walk.set, countries);
    char *mark = mw_mark(g->run);
    walk_rows(&walk, cells, mw_point_column(map, REGIONS_TABLE, REGION_CAPITAL));
    mw_rewind(g->run, mark);
    int32_t *border = mw_int_column(map, REGIONS_TABLE, REGION_BORDER);
    for (int32_t k = 0; k < countries; k++)
        border[k] = regions_sides(g) * size[k] - 2 * walk.inner[k + 1];
    write_neighbours(g->run, &walk.set, mw_ints_column(map, REGIONS_TABLE, REGION_NEIGHBORS),
                     countries);
}
