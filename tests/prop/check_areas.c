/*
 * check_areas.c: the promises of /areas, judged from the cells.
 *
 * It shares nothing with the generator: the request is read back from the text of its address,
 * cells are neighbours by where their centres lie, holes and bounds are counted again in the
 * plainest way.
 */
#include "check_areas.h"

#include "asked.h"

#include <stdarg.h>

enum { WIDTH, HEIGHT, GRID, WRAP, AREAS, CELLS }; /* parts */
enum { ID, SIZE, ORIGIN, BOUNDS, HOLES, WALK };   /* columns */

struct judge {
    const struct mw_map *map;
    char *why;
    size_t room;
    int32_t width, height, count, area;
    bool hex, across, down, holes, walks;
    char *mask;
    const int32_t *cells;
    void *const *columns;
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

static void read_request(struct judge *j)
{
    const char *address = j->map->request->address;
    j->width = (int32_t)asked_number(address, "width", 0);
    j->height = (int32_t)asked_number(address, "height", 0);
    j->count = (int32_t)asked_number(address, "count", 0);
    j->area = (int32_t)asked_number(address, "area", 0);
    j->hex = asked_is(address, "grid", "hex");
    j->across = !asked_is(address, "wrap", "none");
    j->down = asked_is(address, "wrap", "xy");
    j->holes = asked_is(address, "holes", "true");
    j->walks = asked_is(address, "algorithm", "dfs-backtrack");
    j->mask = asked_text(address, "mask");
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The cell whose centre lies dx half cells to the right and dy rows down, or -1: none, or
   outside. */
static int32_t beside(const struct judge *j, int32_t cell, int dx, int dy)
{
    int32_t x = cell % j->width, y = cell / j->width + dy;
    int32_t half = 2 * x + (j->hex ? cell / j->width % 2 : 0) + dx - (j->hex ? abs(y) % 2 : 0);
    if (half % 2)
        return -1;
    x = half / 2;
    if (j->across)
        x = (x + j->width) % j->width;
    if (j->down)
        y = (y + j->height) % j->height;
    return x < 0 || y < 0 || x >= j->width || y >= j->height ? -1 : y * j->width + x;
}

/* Neighbours: six, or four, or with `corners` eight; how many are in the map, and whether all
   are. */
static int all_beside(const struct judge *j, int32_t cell, bool corners, int32_t *to, bool *inside)
{
    static const int8_t hex[6][2] = {{2, 0}, {-2, 0}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    static const int8_t square[8][2] = {{2, 0}, {-2, 0}, {0, 1},  {0, -1},
                                        {2, 1}, {-2, 1}, {2, -1}, {-2, -1}};
    int n = 0, wanted = j->hex ? 6 : corners ? 8 : 4;
    for (int k = 0; k < wanted; k++) {
        int32_t next = j->hex ? beside(j, cell, hex[k][0], hex[k][1])
                              : beside(j, cell, square[k][0], square[k][1]);
        if (next >= 0)
            to[n++] = next;
    }
    *inside = n == wanted;
    return n;
}

static bool adjacent(const struct judge *j, int32_t a, int32_t b)
{
    int32_t next[8];
    bool inside;
    int n = all_beside(j, a, false, next, &inside);
    while (n > 0 && next[n - 1] != b)
        n--;
    return n > 0;
}

/* Marks what hangs together with a cell and is (or with `rest`, is not) of area `id`; how many, and
   whether the rim was reached. */
static int32_t flood(struct judge *j, int32_t start, int32_t id, bool rest, bool *rim)
{
    int32_t n = 0, stamp = rest ? -id : id;
    j->queue[n++] = start;
    j->mark[start] = stamp;
    for (int32_t i = 0; i < n; i++) {
        int32_t next[8];
        bool inside;
        int count = all_beside(j, j->queue[i], rest, next, &inside);
        *rim = *rim || !inside;
        for (int k = 0; k < count; k++)
            if ((j->cells[next[k]] == id) != rest && j->mark[next[k]] != stamp) {
                j->mark[next[k]] = stamp;
                j->queue[n++] = next[k];
            }
    }
    return n;
}

/* ---- promises -------------------------------------------------------------------------------- */

static int32_t at(const struct judge *j, struct mw_point p)
{
    return p.x < 0 || p.y < 0 || p.x >= j->width || p.y >= j->height ? -1 : p.y * j->width + p.x;
}

static bool check_cells(struct judge *j)
{
    int32_t n = j->width * j->height;
    for (int32_t i = 0; i < n; i++) {
        bool land = !j->mask || j->mask[i / j->width * (j->width + 1) + i % j->width] == '#';
        if (j->cells[i] < 0 || j->cells[i] > j->count)
            return wrong(j, "cell %d holds %d", i, j->cells[i]);
        if (!land && j->cells[i])
            return wrong(j, "cell %d is no land, but area %d", i, j->cells[i]);
    }
    return true;
}

static bool check_connected(struct judge *j, int32_t k)
{
    struct mw_point origin = ((const struct mw_point *)j->columns[ORIGIN])[k];
    int32_t from = at(j, origin), total = 0;
    bool rim = false;
    if (from < 0 || j->cells[from] != k + 1)
        return wrong(j, "origin %d,%d is not in area %d", origin.x, origin.y, k + 1);
    for (int32_t i = 0; i < j->width * j->height; i++)
        total += j->cells[i] == k + 1;
    if (total != j->area || ((const int32_t *)j->columns[SIZE])[k] != total)
        return wrong(j, "area %d has %d cells, says %d, should have %d", k + 1, total,
                     ((const int32_t *)j->columns[SIZE])[k], j->area);
    int32_t joined = flood(j, from, k + 1, false, &rim);
    return joined == total ||
           wrong(j, "area %d: %d of %d cells hang together", k + 1, joined, total);
}

static bool check_holes(struct judge *j, int32_t k)
{
    int32_t said = ((const int32_t *)j->columns[HOLES])[k], holes = 0;
    if (j->across)
        return said == MW_NULL ||
               wrong(j, "area %d: holes must be null on a map that wraps", k + 1);
    for (int32_t i = 0; i < j->width * j->height; i++) {
        bool rim = false;
        if (j->cells[i] == k + 1 || j->mark[i] == -(k + 1))
            continue;
        flood(j, i, k + 1, true, &rim);
        holes += !rim;
    }
    if (said != holes)
        return wrong(j, "area %d has %d holes, says %d", k + 1, holes, said);
    return j->holes || !holes || wrong(j, "area %d has %d holes and may have none", k + 1, holes);
}

/* Lines from..to (counted on across a seam of n) must be the occupied ones. */
static bool check_span(struct judge *j, const bool *used, int32_t n, bool ring, int32_t from,
                       int32_t to)
{
    int32_t total = 0;
    for (int32_t i = 0; i < n; i++)
        total += used[i];
    if (from < 0 || from >= n || to - from + 1 != total || (!ring && to >= n) ||
        (total == n && from))
        return wrong(j, "bounds %d to %d, but %d lines are used", from, to, total);
    for (int32_t i = from; i <= to; i++)
        if (!used[i % n])
            return wrong(j, "bounds %d to %d, but line %d is free", from, to, i);
    return true;
}

static bool check_bounds(struct judge *j, int32_t k)
{
    struct mw_box b = ((const struct mw_box *)j->columns[BOUNDS])[k];
    bool *column = calloc((size_t)j->width, sizeof *column),
         *row = calloc((size_t)j->height, sizeof *row);
    for (int32_t i = 0; i < j->width * j->height; i++)
        if (j->cells[i] == k + 1)
            column[i % j->width] = row[i / j->width] = true;
    bool good = check_span(j, column, j->width, j->across, b.x0, b.x1) &&
                check_span(j, row, j->height, j->down, b.y0, b.y1);
    free(column);
    free(row);
    return good;
}

static bool check_walk(struct judge *j, int32_t k)
{
    struct mw_points walk = ((const struct mw_points *)j->columns[WALK])[k];
    if (!j->walks)
        return !walk.at || wrong(j, "area %d has a walk", k + 1);
    if (walk.count != j->area)
        return wrong(j, "walk %d has %d cells", k + 1, walk.count);
    memset(j->mark, 0, (size_t)j->width * (size_t)j->height * sizeof *j->mark);
    for (int32_t i = 0; i < walk.count; i++) {
        int32_t cell = at(j, walk.at[i]);
        if (cell < 0 || j->cells[cell] != k + 1 || j->mark[cell])
            return wrong(j, "walk %d leaves its area or meets itself at step %d", k + 1, i);
        if (i && !adjacent(j, cell, at(j, walk.at[i - 1])))
            return wrong(j, "walk %d jumps at step %d", k + 1, i);
        j->mark[cell] = 1;
    }
    return true;
}

static bool check_area(struct judge *j, int32_t k)
{
    if (((const int32_t *)j->columns[ID])[k] != k + 1)
        return wrong(j, "row %d has id %d", k, ((const int32_t *)j->columns[ID])[k]);
    return check_connected(j, k) && check_holes(j, k) && check_bounds(j, k) && check_walk(j, k);
}

static bool check_all(struct judge *j)
{
    const struct mw_slot *slots = j->map->slots;
    if (slots[WIDTH].as.value.integer != j->width || slots[HEIGHT].as.value.integer != j->height ||
        (slots[GRID].as.value.integer == MW_HEX) != j->hex ||
        slots[WRAP].as.value.integer != j->across + j->down ||
        slots[AREAS].as.table.rows != j->count)
        return wrong(j, "width, height, grid, wrap or count differ from what was asked");
    if (!check_cells(j))
        return false;
    for (int32_t k = 0; k < j->count; k++)
        if (!check_area(j, k))
            return false;
    return true;
}

const char *check_areas(const struct mw_map *map, char *why, size_t room)
{
    struct judge j = {.map = map, .why = why, .room = room};
    read_request(&j);
    size_t n = (size_t)j.width * (size_t)j.height;
    j.cells = map->slots[CELLS].as.grid.at;
    j.columns = map->slots[AREAS].as.table.columns;
    j.mark = calloc(n, sizeof *j.mark);
    j.queue = calloc(n, sizeof *j.queue);
    bool good = check_all(&j);
    free(j.mark);
    free(j.queue);
    free(j.mask);
    return good ? NULL : why;
}
