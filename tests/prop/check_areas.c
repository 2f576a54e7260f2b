/*
 * check_areas.c: the promises of /areas, judged from the cells.
 *
 * It shares nothing with the generator: the request is read back from the text of its address,
 * cells are neighbours by where their centres lie, holes and bounds are counted again in the
 * plainest way.
 */
#include "judge.h"

enum { WIDTH, HEIGHT, GRID, WRAP, AREAS, CELLS };     /* parts */
enum { ID, NAME, SIZE, ORIGIN, BOUNDS, HOLES, WALK }; /* columns */

struct judge {
    const struct mw_map *map;
    char *why;
    size_t room;
    struct judge_grid grid;
    int32_t count, area;
    bool holes, walks, sea;
    char *mask;
    void *const *columns;
};

static void read_request(struct judge *j)
{
    const char *address = j->map->request->address;
    j->grid.width = (int32_t)asked_number(address, "width", 0);
    j->grid.height = (int32_t)asked_number(address, "height", 0);
    j->count = (int32_t)asked_number(address, "count", 0);
    j->area = (int32_t)asked_number(address, "area", 0);
    j->grid.hex = asked_is(address, "grid", "hex");
    j->grid.across = !asked_is(address, "wrap", "none");
    j->grid.down = asked_is(address, "wrap", "xy");
    j->holes = asked_is(address, "holes", "true");
    j->walks = asked_is(address, "algorithm", "dfs-backtrack");
    j->sea = asked_is(address, "edge", "sea");
    j->mask = asked_text(address, "mask");
}

/* ---- promises -------------------------------------------------------------------------------- */

static int32_t at(const struct judge *j, struct mw_point p)
{
    bool inside = p.x >= 0 && p.y >= 0 && p.x < j->grid.width && p.y < j->grid.height;
    return inside ? p.y * j->grid.width + p.x : -1;
}

static bool adjacent(const struct judge *j, int32_t a, int32_t b)
{
    int32_t next[8];
    int n = judge_beside(&j->grid, a, false, next);
    while (n > 0 && next[n - 1] != b)
        n--;
    return n > 0;
}

static bool is_at_rim(const struct judge *j, int32_t x, int32_t y)
{
    bool left_or_right = x == 0 || x == j->grid.width - 1;
    bool top_or_bottom = y == 0 || y == j->grid.height - 1;
    return (!j->grid.across && left_or_right) || (!j->grid.down && top_or_bottom);
}

static bool check_cells(struct judge *j)
{
    int32_t n = j->grid.width * j->grid.height;
    for (int32_t i = 0; i < n; i++) {
        bool land =
            !j->mask || j->mask[i / j->grid.width * (j->grid.width + 1) + i % j->grid.width] == '#';
        if (j->grid.cells[i] < 0 || j->grid.cells[i] > j->count)
            return wrong(j, "cell %d holds %d", i, j->grid.cells[i]);
        if (j->sea && j->grid.cells[i] && is_at_rim(j, i % j->grid.width, i / j->grid.width))
            return wrong(j, "area %d touches the rim", j->grid.cells[i]);
        if (!land && j->grid.cells[i])
            return wrong(j, "cell %d is no land, but area %d", i, j->grid.cells[i]);
    }
    return true;
}

static bool check_shape(struct judge *j, int32_t k, const struct judge_shape *shape)
{
    struct mw_point origin = ((const struct mw_point *)j->columns[ORIGIN])[k];
    int32_t from = at(j, origin), size = ((const int32_t *)j->columns[SIZE])[k];
    if (((const int32_t *)j->columns[ID])[k] != k + 1)
        return wrong(j, "row %d has id %d", k, ((const int32_t *)j->columns[ID])[k]);
    if (from < 0 || j->grid.cells[from] != k + 1)
        return wrong(j, "origin %d,%d is not in area %d", origin.x, origin.y, k + 1);
    if (shape->cells != j->area || size != j->area)
        return wrong(j, "area %d has %d cells, says %d, should have %d", k + 1, shape->cells, size,
                     j->area);
    return judge_is_whole(&j->grid, shape, k + 1) || wrong(j, "area %d is in pieces", k + 1);
}

static bool check_holes(struct judge *j, int32_t k)
{
    int32_t said = ((const int32_t *)j->columns[HOLES])[k];
    if (j->grid.across)
        return said == MW_NULL ||
               wrong(j, "area %d: holes must be null on a map that wraps", k + 1);
    int32_t holes = judge_count_holes(&j->grid, k + 1);
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
    bool *column = calloc((size_t)j->grid.width, sizeof *column),
         *row = calloc((size_t)j->grid.height, sizeof *row);
    for (int32_t i = 0; i < j->grid.width * j->grid.height; i++)
        if (j->grid.cells[i] == k + 1)
            column[i % j->grid.width] = row[i / j->grid.width] = true;
    bool good = check_span(j, column, j->grid.width, j->grid.across, b.x0, b.x1) &&
                check_span(j, row, j->grid.height, j->grid.down, b.y0, b.y1);
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
    memset(j->grid.mark, 0, (size_t)j->grid.width * (size_t)j->grid.height * sizeof *j->grid.mark);
    for (int32_t i = 0; i < walk.count; i++) {
        int32_t cell = at(j, walk.at[i]);
        if (cell < 0 || j->grid.cells[cell] != k + 1 || j->grid.mark[cell])
            return wrong(j, "walk %d leaves its area or meets itself at step %d", k + 1, i);
        if (i && !adjacent(j, cell, at(j, walk.at[i - 1])))
            return wrong(j, "walk %d jumps at step %d", k + 1, i);
        j->grid.mark[cell] = 1;
    }
    return true;
}

static bool check_each(struct judge *j)
{
    struct judge_shape *of = judge_shapes(&j->grid, j->count);
    bool good = true;
    for (int32_t k = 0; k < j->count && good; k++)
        good = check_shape(j, k, &of[k + 1]) && check_holes(j, k) && check_bounds(j, k) &&
               check_walk(j, k);
    free(of);
    return good;
}

static bool check_all(struct judge *j)
{
    const struct mw_slot *slots = j->map->slots;
    if (slots[WIDTH].as.value.integer != j->grid.width ||
        slots[HEIGHT].as.value.integer != j->grid.height ||
        (slots[GRID].as.value.integer == MW_HEX) != j->grid.hex ||
        slots[WRAP].as.value.integer != j->grid.across + j->grid.down ||
        slots[AREAS].as.table.rows != j->count)
        return wrong(j, "width, height, grid, wrap or count differ from what was asked");
    return check_cells(j) && check_each(j);
}

const char *check_areas(const struct mw_map *map, char *why, size_t room)
{
    struct judge j = {.map = map, .why = why, .room = room};
    read_request(&j);
    j.columns = map->slots[AREAS].as.table.columns;
    judge_open(&j.grid, map->slots[CELLS].as.grid.at);
    bool good = check_all(&j);
    judge_close(&j.grid);
    free(j.mask);
    return good ? NULL : why;
}
