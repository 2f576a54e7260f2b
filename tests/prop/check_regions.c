/*
 * check_regions.c: the promises of /regions, judged from the cells.
 *
 * It shares nothing with the generator: the request is read back from the text of its address,
 * and all else is counted again, cell by cell, in the plainest way:
 *
 *   - land has a country and water has none; ids, sizes, grid and measures are those asked
 *     for;
 *   - every country is connected; without mask and wrap, so is the rest of the world seen from
 *     each;
 *   - sizes are those given, or even within each piece of land when `variation` is 0;
 *   - pieces have their number of countries by D'Hondt, at least one each, and at least as many as
 *     there are capitals on it;
 *   - country i holds the i-th of the capitals that are given;
 *   - borders, neighbours and capitals are right.
 */
#include "check_regions.h"

#include "asked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judge {
    const struct mw_map *map;
    char *why;
    size_t room;
    /* what was asked */
    int32_t width, height, count;
    bool hex, across, down;
    long variation;             /* in thousandths */
    char *sizes, *mask, *towns; /* as in the address; NULL when left out */
    /* what came */
    const int32_t *cells;
    int32_t n;
    const int32_t *id, *size, *border;
    const struct mw_point *capital;
    const struct mw_ints *neighbours;
    /* scratch, n each */
    int32_t *mark, *queue;
};

static bool wrong(struct judge *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(j->why, j->room, format, args);
    va_end(args);
    return false;
}

/* ---- what was asked -------------------------------------------------------------------------- */

static void read_request(struct judge *j)
{
    const char *address = j->map->request->address;
    j->width = (int32_t)asked_number(address, "width", 0);
    j->height = (int32_t)asked_number(address, "height", 0);
    j->count = (int32_t)asked_number(address, "count", 0);
    j->hex = asked_is(address, "grid", "hex");
    j->across = !asked_is(address, "wrap", "none");
    j->down = asked_is(address, "wrap", "xy");
    j->variation = asked_thousandths(address, "variation");
    j->sizes = asked_text(address, "sizes");
    j->mask = asked_text(address, "mask");
    j->towns = asked_text(address, "capitals");
}

static bool is_land(const struct judge *j, int32_t x, int32_t y)
{
    return !j->mask || j->mask[(size_t)y * ((size_t)j->width + 1) + (size_t)x] == '#';
}

/* ---- what came ------------------------------------------------------------------------------- */

static const struct mw_slot *slot(const struct mw_map *map, const char *name)
{
    const struct mw_part *part = map->request->generator->parts;
    for (size_t i = 0; part[i].kind != MW_NO_PART; i++)
        if (!strcmp(part[i].name, name))
            return map->slots[i].present ? &map->slots[i] : NULL;
    return NULL;
}

static const void *column(const struct mw_map *map, const char *name)
{
    const struct mw_part *part = map->request->generator->parts;
    while (strcmp(part->name, "regions"))
        part++;
    size_t c = 0;
    while (strcmp(part->columns[c].name, name))
        c++;
    return slot(map, "regions")->as.table.columns[c];
}

static bool read_result(struct judge *j)
{
    const struct mw_slot *table = slot(j->map, "regions"), *grid = slot(j->map, "cells");
    if (!table || !grid || table->as.table.rows != j->count)
        return wrong(j, "no table of %d regions, or no cells", (int)j->count);
    const struct mw_lattice *l = &grid->as.grid.lattice;
    if (slot(j->map, "width")->as.value.integer != j->width || l->width != j->width ||
        slot(j->map, "height")->as.value.integer != j->height || l->height != j->height)
        return wrong(j, "width or height is not as asked");
    if (slot(j->map, "grid")->as.value.integer != (j->hex ? MW_HEX : MW_SQUARE) ||
        slot(j->map, "wrap")->as.value.integer != j->across + j->down)
        return wrong(j, "grid or wrap is not as asked");
    j->n = j->width * j->height;
    j->cells = grid->as.grid.at;
    j->id = column(j->map, "id");
    j->size = column(j->map, "size");
    j->border = column(j->map, "border");
    j->capital = column(j->map, "capital");
    j->neighbours = column(j->map, "neighbors");
    j->mark = malloc((size_t)j->n * sizeof *j->mark);
    j->queue = malloc((size_t)j->n * sizeof *j->queue);
    return true;
}

/* The cells across the sides of a cell, -1 where the map ends; how many sides there are. */
static int sides_of(const struct judge *j, int32_t cell, int32_t *beside)
{
    int32_t x = cell % j->width, y = cell / j->width, lean = y % 2 ? 0 : -1;
    const int32_t hex[6][2] = {{-1, 0},        {1, 0},    {lean, -1},
                               {lean + 1, -1}, {lean, 1}, {lean + 1, 1}};
    static const int32_t square[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int sides = j->hex ? 6 : 4;
    for (int i = 0; i < sides; i++) {
        int32_t u = x + (j->hex ? hex[i][0] : square[i][0]),
                v = y + (j->hex ? hex[i][1] : square[i][1]);
        u = j->across ? (u + j->width) % j->width : u;
        v = j->down ? (v + j->height) % j->height : v;
        beside[i] = u < 0 || v < 0 || u >= j->width || v >= j->height ? -1 : v * j->width + u;
    }
    return sides;
}

/* ---- promises -------------------------------------------------------------------------------- */

static bool check_cells(struct judge *j)
{
    int32_t *sum = calloc((size_t)j->count + 1, sizeof *sum);
    bool good = true;
    for (int32_t i = 0; good && i < j->n; i++) {
        int32_t c = j->cells[i], x = i % j->width, y = i / j->width;
        if (c < 0 || c > j->count || (c > 0) != is_land(j, x, y))
            good = wrong(j, "cell %d, %d has country %d", (int)x, (int)y, (int)c);
        else
            sum[c]++;
    }
    for (int32_t k = 0; good && k < j->count; k++)
        if (j->id[k] != k + 1 || j->size[k] != sum[k + 1] || j->size[k] < 1)
            good = wrong(j, "row %d: id %d, size %d, but %d cells", (int)k, (int)j->id[k],
                         (int)j->size[k], (int)sum[k + 1]);
    free(sum);
    return good;
}

/* Floods from a cell over cells of the same country (or, by land, over all land); how many they
   are. */
static int32_t flood(struct judge *j, int32_t from, bool by_land, int32_t mark)
{
    int32_t head = 0, tail = 0, beside[6];
    j->queue[tail++] = from;
    j->mark[from] = mark;
    while (head < tail) {
        int32_t cell = j->queue[head++];
        int sides = sides_of(j, cell, beside);
        for (int i = 0; i < sides; i++) {
            int32_t next = beside[i];
            if (next < 0 || j->mark[next] >= 0 || !j->cells[next])
                continue;
            if (!by_land && j->cells[next] != j->cells[cell])
                continue;
            j->mark[next] = mark;
            j->queue[tail++] = next;
        }
    }
    return tail;
}

static void clear_marks(struct judge *j)
{
    for (int32_t i = 0; i < j->n; i++)
        j->mark[i] = -1;
}

static bool check_connected(struct judge *j)
{
    clear_marks(j);
    for (int32_t i = 0; i < j->n; i++)
        if (j->cells[i] && j->mark[i] < 0) {
            int32_t reached = flood(j, i, false, 0), k = j->cells[i];
            if (reached != j->size[k - 1])
                return wrong(j, "country %d is in pieces: %d of its %d cells hang together", (int)k,
                             (int)reached, (int)j->size[k - 1]);
        }
    return true;
}

struct box {
    int32_t x0, y0, x1, y1;
};

/*
 * Whether all that is not the country can be reached, by sides, from outside its bounding box.
 * Cells off the map count as outside; the box is taken one wider all round, so that its frame is
 * all outside.
 */
static bool rest_is_whole(struct judge *j, int32_t country, const struct box *b)
{
    struct judge frame = *j; /* a map of its own: the box, without wrap */
    int32_t left = b->x0 - 1, top = b->y0 - 1 - (b->y0 - 1) % 2 - (b->y0 < 1 ? 2 : 0);
    frame.width = b->x1 - left + 2;
    frame.height = b->y1 - top + 2;
    frame.n = frame.width * frame.height;
    int32_t *cells = malloc((size_t)frame.n * sizeof *cells), others = 0;
    frame.mark = malloc((size_t)frame.n * sizeof *cells);
    frame.queue = malloc((size_t)frame.n * sizeof *cells);
    for (int32_t i = 0; i < frame.n; i++) {
        int32_t x = left + i % frame.width, y = top + i / frame.width;
        bool on = x >= 0 && y >= 0 && x < j->width && y < j->height;
        cells[i] = !(on && j->cells[y * j->width + x] == country); /* 1: someone else, or outside */
        others += cells[i];
    }
    frame.cells = cells;
    clear_marks(&frame);
    bool whole = flood(&frame, 0, false, 0) == others;
    free(cells);
    free(frame.mark);
    free(frame.queue);
    return whole;
}

static bool check_nothing_enclosed(struct judge *j)
{
    if (j->mask || j->across)
        return true;
    struct box *box = malloc((size_t)j->count * sizeof *box);
    for (int32_t k = 0; k < j->count; k++)
        box[k] = (struct box){j->width, j->height, -1, -1};
    for (int32_t i = 0; i < j->n; i++) {
        struct box *b = &box[j->cells[i] - 1];
        int32_t x = i % j->width, y = i / j->width;
        b->x0 = x < b->x0 ? x : b->x0;
        b->y0 = y < b->y0 ? y : b->y0;
        b->x1 = x > b->x1 ? x : b->x1;
        b->y1 = y > b->y1 ? y : b->y1;
    }
    bool good = true;
    for (int32_t k = 0; good && k < j->count; k++)
        if (!rest_is_whole(j, k + 1, &box[k]))
            good = wrong(j, "country %d encloses others", (int)k + 1);
    free(box);
    return good;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static bool check_given_sizes(struct judge *j)
{
    char *at = j->sizes;
    for (int32_t k = 0; k < j->count; k++) {
        long size = strtol(at, &at, 10);
        if (j->size[k] != size)
            return wrong(j, "country %d has %d cells instead of %ld", (int)k + 1, (int)j->size[k],
                         size);
        at += *at == ',';
    }
    return true;
}

struct piece {
    int32_t cells, countries, towns, least, most;
};

/* Seats by D'Hondt: no piece would rather have a seat than another keep its last, one excepted. */
static bool check_seats(struct judge *j, const struct piece *piece, int32_t pieces)
{
    int32_t wants = 0;  /* has the greatest cells / (seats + 1) */
    int32_t holds = -1; /* has the least cells / seats, of those with a seat to lose */
    for (int32_t i = 0; i < pieces; i++) {
        const struct piece *p = &piece[i], *w = &piece[wants];
        if ((int64_t)p->cells * (w->countries + 1) > (int64_t)w->cells * (p->countries + 1))
            wants = i;
        if (p->countries > 1 && p->countries > p->towns &&
            (holds < 0 || (int64_t)p->cells * piece[holds].countries <
                              (int64_t)piece[holds].cells * p->countries))
            holds = i;
    }
    const struct piece *w = &piece[wants], *h = &piece[holds < 0 ? wants : holds];
    if (holds < 0 || (int64_t)w->cells * h->countries <= (int64_t)h->cells * (w->countries + 1))
        return true;
    return wrong(j, "%d cells of land have %d countries, though %d cells have %d", (int)w->cells,
                 (int)w->countries, (int)h->cells, (int)h->countries);
}

static void count_towns(struct judge *j, struct piece *piece)
{
    for (char *at = j->towns; at && *at; at += *at != '\0') {
        long x = strtol(at, &at, 10), y = strtol(at + 1, &at, 10);
        piece[j->mark[y * j->width + x]].towns++;
    }
}

static bool check_pieces(struct judge *j)
{
    struct piece *piece = calloc((uint32_t)j->n, sizeof *piece);
    bool *met = calloc((size_t)j->count + 1, sizeof *met), good = true;
    int32_t pieces = 0;
    clear_marks(j);
    for (int32_t i = 0; i < j->n; i++)
        if (j->cells[i] && j->mark[i] < 0) {
            piece[pieces].cells = flood(j, i, true, pieces);
            piece[pieces++].least = INT32_MAX;
        }
    for (int32_t i = 0; i < j->n; i++) {
        int32_t k = j->cells[i];
        if (!k || met[k])
            continue;
        met[k] = true;
        struct piece *p = &piece[j->mark[i]];
        p->countries++;
        p->least = j->size[k - 1] < p->least ? j->size[k - 1] : p->least;
        p->most = j->size[k - 1] > p->most ? j->size[k - 1] : p->most;
    }
    count_towns(j, piece);
    for (int32_t i = 0; good && i < pieces; i++) {
        if (!piece[i].countries)
            good = wrong(j, "a piece of %d cells has no country", (int)piece[i].cells);
        else if (j->variation == 0 && piece[i].most - piece[i].least > 1)
            good = wrong(j, "sizes on one piece of land go from %d to %d", (int)piece[i].least,
                         (int)piece[i].most);
    }
    good = good && check_seats(j, piece, pieces);
    free(piece);
    free(met);
    return good;
}

static bool check_sizes(struct judge *j)
{
    return j->sizes ? check_given_sizes(j) : check_pieces(j);
}

/* ---- columns --------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool check_neighbours(struct judge *j, uint64_t *pair, size_t pairs)
{
    qsort(pair, pairs, sizeof *pair, by_value);
    size_t i = 0;
    for (int32_t k = 1; k <= j->count; k++) {
        const struct mw_ints *list = &j->neighbours[k - 1];
        for (int32_t m = 0; m < list->count; m++) {
            if (i == pairs || pair[i] != ((uint64_t)k << 32 | (uint32_t)list->at[m]))
                return wrong(j, "country %d: neighbour %d of its list is not one, or not in order",
                             (int)k, (int)m);
            uint64_t here = pair[i];
            while (i < pairs && pair[i] == here)
                i++;
        }
        if (i < pairs && pair[i] >> 32 == (uint64_t)k)
            return wrong(j, "country %d: its list lacks neighbour %d", (int)k,
                         (int)(pair[i] & 0xffffffff));
    }
    return true;
}

static bool check_borders(struct judge *j)
{
    int32_t *border = calloc((size_t)j->count + 1, sizeof *border), beside[6];
    uint64_t *pair = malloc((size_t)j->n * 6 * sizeof *pair);
    size_t pairs = 0;
    bool good = true;
    for (int32_t i = 0; i < j->n; i++) {
        int sides = sides_of(j, i, beside);
        for (int s = 0; j->cells[i] && s < sides; s++) {
            int32_t other = beside[s] < 0 ? 0 : j->cells[beside[s]];
            border[j->cells[i]] += other != j->cells[i];
            if (other && other != j->cells[i])
                pair[pairs++] = (uint64_t)j->cells[i] << 32 | (uint32_t)other;
        }
    }
    for (int32_t k = 1; good && k <= j->count; k++)
        if (border[k] != j->border[k - 1])
            good = wrong(j, "country %d has %d edges at its border, not %d", (int)k, (int)border[k],
                         (int)j->border[k - 1]);
    good = good && check_neighbours(j, pair, pairs);
    free(border);
    free(pair);
    return good;
}

/* Steps to the nearest cell not of the country, by breadth-first search from all cells beside
   one; in mark. */
static void measure_depths(struct judge *j)
{
    int32_t head = 0, tail = 0, beside[6];
    clear_marks(j);
    for (int32_t i = 0; i < j->n; i++) {
        int sides = sides_of(j, i, beside);
        bool edge = false;
        for (int s = 0; s < sides; s++)
            edge |= beside[s] < 0 || j->cells[beside[s]] != j->cells[i];
        if (!edge || !j->cells[i])
            continue;
        j->mark[i] = 1;
        j->queue[tail++] = i;
    }
    while (head < tail) {
        int32_t cell = j->queue[head++];
        int sides = sides_of(j, cell, beside);
        for (int s = 0; s < sides; s++)
            if (beside[s] >= 0 && j->mark[beside[s]] < 0 && j->cells[beside[s]]) {
                j->mark[beside[s]] = j->mark[cell] + 1;
                j->queue[tail++] = beside[s];
            }
    }
}

static bool check_capitals(struct judge *j)
{
    measure_depths(j);
    int32_t *deepest = calloc((size_t)j->count + 1, sizeof *deepest);
    bool good = true;
    for (int32_t i = 0; i < j->n; i++)
        deepest[j->cells[i]] =
            j->mark[i] > deepest[j->cells[i]] ? j->mark[i] : deepest[j->cells[i]];
    for (int32_t k = 1; good && k <= j->count; k++) {
        struct mw_point c = j->capital[k - 1];
        if (c.x < 0 || c.y < 0 || c.x >= j->width || c.y >= j->height ||
            j->cells[c.y * j->width + c.x] != k)
            good = wrong(j, "the capital of country %d lies abroad, at %d, %d", (int)k, (int)c.x,
                         (int)c.y);
        else if (deepest[k] && j->mark[c.y * j->width + c.x] != deepest[k])
            good = wrong(j, "the capital of country %d lies %d steps in, where %d can be had",
                         (int)k, (int)j->mark[c.y * j->width + c.x], (int)deepest[k]);
    }
    free(deepest);
    return good;
}

/* Country i holds the i-th of the cells that were asked for. */
static bool check_given_capitals(struct judge *j)
{
    int32_t country = 1;
    for (char *at = j->towns; at && *at; country++) {
        long x = strtol(at, &at, 10), y = strtol(at + 1, &at, 10);
        int32_t owner = j->cells[y * j->width + x];
        if (owner != country)
            return wrong(j, "[%ld, %ld] is given to country %d, but %d holds it", x, y,
                         (int)country, (int)owner);
        at += *at != '\0';
    }
    return true;
}

const char *check_regions(const struct mw_map *map, char *why, size_t room)
{
    struct judge judge = {.map = map, .why = why, .room = room}, *j = &judge;
    read_request(j);
    bool good = read_result(j) && check_cells(j) && check_connected(j) &&
                check_nothing_enclosed(j) && check_sizes(j) && check_borders(j) &&
                check_capitals(j) && check_given_capitals(j);
    free(j->sizes);
    free(j->mask);
    free(j->towns);
    free(j->mark);
    free(j->queue);
    return good ? NULL : why;
}
