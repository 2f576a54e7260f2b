/* land.c: kinds of land. */
#include "land.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void land_shape(struct land *l, struct arbitrary *source, int most)
{
    l->hex = below(source, 3) > 0;
    l->wrap = below(source, 2) ? 0 : below(source, 3);
    l->width = 1 + below(source, most);
    l->height = 1 + below(source, most);
    l->height += l->hex && l->wrap == 2 && l->height % 2;
    land_full(l, source);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static void fill(struct land *l, bool is) { memset(l->is, is, (size_t)(l->width * l->height)); }

void land_full(struct land *l, struct arbitrary *source)
{
    (void)source;
    fill(l, true);
}

/* A torus two cells high. */
void land_two_rows(struct land *l, struct arbitrary *source)
{
    l->height = l->wrap = 2;
    land_full(l, source);
}

void land_noise(struct land *l, struct arbitrary *source)
{
    int percent = 30 + below(source, 70);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = below(source, 100) < percent;
}

static void draw_disc(struct land *l, int cx, int cy, int r, bool is)
{
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r)
                l->is[y * l->width + x] = is;
}

void land_lakes(struct land *l, struct arbitrary *source)
{
    for (int lakes = 1 + below(source, 6); lakes; lakes--) {
        int x = below(source, l->width), y = below(source, l->height);
        draw_disc(l, x, y, below(source, 8), false);
    }
}

/* They may touch. */
void land_islands(struct land *l, struct arbitrary *source)
{
    land_lakes(l, source);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = !l->is[i];
}

/* Two round lands, and a neck of some cells between them. */
void land_isthmus(struct land *l, struct arbitrary *source)
{
    int r = (l->height < l->width / 2 ? l->height : l->width / 2) / 2, middle = l->height / 2;
    int neck = 1 + below(source, 4);
    for (int i = 0; i < l->width * l->height; i++) {
        int x = i % l->width, y = i / l->width;
        l->is[i] = x >= r && x < l->width - r && y >= middle && y < middle + neck;
    }
    draw_disc(l, r, middle, r, true);
    draw_disc(l, l->width - 1 - r, middle, r, true);
}

void land_comb(struct land *l, struct arbitrary *source)
{
    int pitch = 2 + below(source, 3);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = i < l->width || i % l->width % pitch == 0;
}

static bool is_land(const struct land *l, int x, int y)
{
    return x >= 0 && y >= 0 && x < l->width && y < l->height && l->is[y * l->width + x];
}

/* One corridor, straight on until land lies two cells ahead, then to the right. */
void land_spiral(struct land *l, struct arbitrary *source)
{
    static const int dx[] = {1, 0, -1, 0}, dy[] = {0, 1, 0, -1};
    (void)source;
    fill(l, false);
    l->is[0] = true;
    for (int x = 0, y = 0, way = 0, turns = 0; turns < 2;) {
        int nx = x + dx[way], ny = y + dy[way];
        bool inside = nx >= 0 && ny >= 0 && nx < l->width && ny < l->height;
        if (!inside || is_land(l, nx, ny) || is_land(l, nx + dx[way], ny + dy[way])) {
            way = (way + 1) % 4;
            turns++;
            continue;
        }
        x = nx;
        y = ny;
        l->is[y * l->width + x] = true;
        turns = 0;
    }
}

/* Cells at even places, joined to the first at random, with no loop. */
void land_maze(struct land *l, struct arbitrary *source)
{
    static const int dx[] = {2, 0, -2, 0}, dy[] = {0, 2, 0, -2};
    fill(l, false);
    l->is[0] = true;
    for (int tries = 0; tries < 20 * l->width * l->height; tries++) {
        int x = below(source, l->width) & ~1, y = below(source, l->height) & ~1;
        int way = below(source, 4), nx = x + dx[way], ny = y + dy[way];
        bool inside = nx >= 0 && ny >= 0 && nx < l->width && ny < l->height;
        if (inside && is_land(l, x, y) && !is_land(l, nx, ny))
            l->is[ny * l->width + nx] = l->is[(y + ny) / 2 * l->width + (x + nx) / 2] = true;
    }
}

/* A maze of which some walls are open. */
void land_loops(struct land *l, struct arbitrary *source)
{
    land_maze(l, source);
    for (int open = 2 + below(source, 8); open; open--) {
        int x = below(source, l->width), y = below(source, l->height);
        l->is[y * l->width + x] |= x % 2 != y % 2;
    }
}

/* Grown cell by cell wherever one has just one neighbour. */
void land_tree(struct land *l, struct arbitrary *source)
{
    int cells = l->width * l->height;
    fill(l, false);
    l->is[below(source, cells)] = true;
    for (int tries = 0; tries < 8 * cells; tries++) {
        int cell = below(source, cells);
        l->is[cell] |= land_count_beside(l, cell) == 1;
    }
}

/* ---- what is connected ----------------------------------------------------------------------- */

int land_beside(const struct land *l, int cell, int side)
{
    static const int square[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    static const int hexagon[2][6][2] = {{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}},
                                         {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}}};
    int y = cell / l->width, x = cell % l->width;
    const int *step = l->hex ? hexagon[y & 1][side] : square[side];
    x += step[0];
    y += step[1];
    x = l->wrap > 0 ? (x + l->width) % l->width : x;
    y = l->wrap > 1 ? (y + l->height) % l->height : y;
    return x < 0 || y < 0 || x >= l->width || y >= l->height ? -1 : y * l->width + x;
}

int land_count_beside(const struct land *l, int cell)
{
    int n = 0;
    for (int side = 0; side < land_sides(l); side++) {
        int other = land_beside(l, cell, side);
        n += other >= 0 && l->is[other];
    }
    return n;
}

/* Marks the land that is connected with a cell; how many cells that are. */
static int flood(struct land *l, int start, int piece)
{
    static int queue[LAND_CELLS];
    int n = 0;
    l->piece_of[start] = piece;
    queue[n++] = start;
    for (int i = 0; i < n; i++)
        for (int side = 0; side < land_sides(l); side++) {
            int other = land_beside(l, queue[i], side);
            if (other < 0 || !l->is[other] || l->piece_of[other])
                continue;
            l->piece_of[other] = piece;
            queue[n++] = other;
        }
    return n;
}

/* Numbers the pieces; which is the largest. */
static int find_pieces(struct land *l)
{
    int best = 0, most = 0;
    l->cells = l->pieces = 0;
    memset(l->piece_of, 0, (size_t)(l->width * l->height) * sizeof *l->piece_of);
    for (int start = 0; start < l->width * l->height; start++) {
        if (!l->is[start] || l->piece_of[start])
            continue;
        int cells = flood(l, start, ++l->pieces);
        best = cells > most ? l->pieces : best;
        most = cells > most ? cells : most;
        l->cells += cells;
    }
    return best;
}

void land_find_pieces(struct land *l) { find_pieces(l); }

void land_keep_one_piece(struct land *l)
{
    int best = find_pieces(l);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = l->is[i] && l->piece_of[i] == best;
    find_pieces(l);
}

/* ---- as text --------------------------------------------------------------------------------- */

const char *land_fields(const struct land *l)
{
    static const char *const wraps[] = {"none", "x", "xy"};
    static char text[LAND_CELLS * 4 + 64];
    int n = sprintf(text, "&grid=%s&wrap=%s", l->hex ? "hex" : "square", wraps[l->wrap]);
    if (!memchr(l->is, false, (size_t)(l->width * l->height))) {
        sprintf(text + n, "&width=%d&height=%d", l->width, l->height);
        return text;
    }
    n += sprintf(text + n, "&mask=");
    for (int i = 0; i < l->width * l->height; i++)
        n += sprintf(text + n, "%s%s", i && i % l->width == 0 ? "/" : "", l->is[i] ? "%23" : ".");
    return text;
}
