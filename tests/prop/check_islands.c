/*
 * check_islands.c: the promises of /islands, judged from the cells.
 *
 * It shares nothing with the generator: the request is read back from the text of its address, and
 * all else is counted again in the plainest way, in time that grows with the map and no faster.
 */
#include "judge.h"

enum { WIDTH, HEIGHT, LAYERS, ISLANDS, BRIDGES, START, END, ROUTE, CELLS, HEIGHTS }; /* parts */
enum { ID, NAME, SIZE, CENTRE, BOUNDS, NEIGHBOURS }; /* of islands */
enum { FROM, TO, WAY };                              /* of bridges */

struct judge {
    const struct mw_map *map;
    char *why;
    size_t room;
    struct judge_grid grid;
    int32_t layers, fewest, most, least, largest;
    bool bridged, tree, ordered, sea;
    int32_t count, bridges;
    int32_t *set; /* of islands that bridges join */
    const int32_t *heights;
    void *const *island, *const *bridge;
};

static void read_request(struct judge *j)
{
    const char *address = j->map->request->address;
    j->grid.width = (int32_t)asked_number(address, "width", 0);
    j->grid.height = (int32_t)asked_number(address, "height", 0);
    j->layers = (int32_t)asked_number(address, "layers", 0);
    j->fewest = (int32_t)asked_number(address, "islands", 0);
    j->most = (int32_t)asked_number(address, "islands", 1);
    j->least = (int32_t)asked_number(address, "size", 0);
    j->largest = (int32_t)asked_number(address, "size", 1);
    j->bridged = asked_is(address, "bridges", "true");
    j->tree = asked_thousandths(address, "loops") == 0;
    j->ordered = asked_is(address, "order", "true");
    j->sea = asked_is(address, "edge", "sea");
}

/* What the cell at a place holds; air outside. */
static int32_t at(const struct judge *j, int32_t x, int32_t y)
{
    return judge_value(&j->grid, j->grid.cells, x, y, 0);
}

/* ---- islands --------------------------------------------------------------------------------- */

/* Whether a cell must stay free. */
static bool is_sea(const struct judge *j, int32_t x, int32_t y)
{
    bool rim = x == 0 || y == 0 || x == j->grid.width - 1 || y == j->grid.height - 1;
    return j->sea && rim;
}

/* Islands in order touch at no corner; the land as it is, at no side. */
static bool check_apart(struct judge *j)
{
    for (int32_t y = 0; y < j->grid.height; y++)
        for (int32_t x = 0; x < j->grid.width; x++) {
            int32_t own = at(j, x, y);
            if (own && is_sea(j, x, y))
                return wrong(j, "%d touches the rim at %d,%d", own, x, y);
            if (own < -1 || own > j->count)
                return wrong(j, "cell %d,%d holds %d", x, y, own);
            for (int k = !j->ordered; own > 0 && k < 9; k += j->ordered ? 1 : 2) {
                int32_t other = at(j, x + k % 3 - 1, y + k / 3 - 1);
                if (other > 0 && other != own)
                    return wrong(j, "islands %d and %d touch at %d,%d", own, other, x, y);
            }
        }
    return true;
}

static bool check_island(struct judge *j, int32_t k, const struct judge_shape *shape)
{
    struct mw_point centre = ((const struct mw_point *)j->island[CENTRE])[k];
    struct mw_box bounds = ((const struct mw_box *)j->island[BOUNDS])[k];
    int32_t size = ((const int32_t *)j->island[SIZE])[k], id = k + 1;
    if (((const int32_t *)j->island[ID])[k] != id || at(j, centre.x, centre.y) != id)
        return wrong(j, "row %d: id %d, centre %d,%d", k, ((const int32_t *)j->island[ID])[k],
                     centre.x, centre.y);
    if (shape->cells != size || memcmp(&bounds, &shape->box, sizeof bounds))
        return wrong(j, "island %d: %d cells, says %d; or its bounds", id, shape->cells, size);
    if (j->ordered && (size < j->least || size > j->largest))
        return wrong(j, "island %d has %d cells, should have %d to %d", id, size, j->least,
                     j->largest);
    return judge_is_whole(&j->grid, shape, id) || wrong(j, "island %d is in pieces", id);
}

static bool check_each(struct judge *j)
{
    struct judge_shape *of = judge_shapes(&j->grid, j->count);
    bool good = true;
    for (int32_t k = 0; k < j->count && good; k++)
        good = check_island(j, k, &of[k + 1]);
    free(of);
    return good;
}

/* ---- heights --------------------------------------------------------------------------------- */

static int32_t height_at(const struct judge *j, int32_t x, int32_t y)
{
    return judge_value(&j->grid, j->heights, x, y, 0);
}

/* Land rises by one layer a step at most; on the shore it is one layer high, on a hillock two. */
static bool check_height(struct judge *j, int32_t x, int32_t y)
{
    static const int8_t dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};
    int32_t cell = y * j->grid.width + x, depth = j->grid.mark[cell], height = j->heights[cell];
    int32_t most = j->layers < 2 || depth > 2 ? depth : 2;
    most = most < j->layers ? most : j->layers;
    if (!depth != !height || height < 0 || height > most)
        return wrong(j, "height at %d,%d is %d, %d steps inland", x, y, height, depth);
    for (int k = 0; k < 4; k++) {
        int32_t other = height_at(j, x + dx[k], y + dy[k]);
        if (height > other + 1 && at(j, x, y) == at(j, x + dx[k], y + dy[k]))
            return wrong(j, "a step of %d layers at %d,%d", height - other, x, y);
    }
    return true;
}

/* Floods the level place around a cell; whether nothing beside it is higher. Depths are not
   needed any more. */
static bool is_summit(struct judge *j, int32_t start)
{
    bool highest = true;
    int32_t n = 0, to[8];
    j->grid.queue[n++] = start;
    j->grid.mark[start] = 0;
    for (int32_t i = 0; i < n; i++)
        for (int k = judge_beside(&j->grid, j->grid.queue[i], false, to) - 1; k >= 0; k--) {
            if (to[k] < 0 || j->grid.cells[to[k]] != j->grid.cells[start])
                continue;
            highest = highest && j->heights[to[k]] <= j->heights[start];
            if (j->heights[to[k]] != j->heights[start] || !j->grid.mark[to[k]])
                continue;
            j->grid.mark[to[k]] = 0;
            j->grid.queue[n++] = to[k];
        }
    return highest;
}

static bool check_summits(struct judge *j)
{
    int32_t *summits = calloc((size_t)j->count + 1, sizeof *summits), bad = 0;
    for (int32_t i = 0; i < j->grid.width * j->grid.height; i++)
        if (j->grid.mark[i])
            summits[j->grid.cells[i]] += is_summit(j, i);
    for (int32_t id = 1; id <= j->count; id++)
        if (((const int32_t *)j->island[SIZE])[id - 1] >= 300 && summits[id] < 2)
            bad = id;
    free(summits);
    return !bad || wrong(j, "island %d has one summit alone", bad);
}

static bool check_heights(struct judge *j)
{
    judge_depths(&j->grid);
    for (int32_t y = 0; y < j->grid.height; y++)
        for (int32_t x = 0; x < j->grid.width; x++)
            if (!check_height(j, x, y))
                return false;
    return j->layers < 2 || check_summits(j);
}

/* ---- bridges --------------------------------------------------------------------------------- */

/* The islands beside a cell, each once; how many. */
static int32_t islands_beside(const struct judge *j, struct mw_point p, int32_t ids[4])
{
    int32_t beside[8], n = 0;
    for (int k = judge_beside(&j->grid, p.y * j->grid.width + p.x, false, beside) - 1; k >= 0;
         k--) {
        int32_t id = beside[k] < 0 ? 0 : j->grid.cells[beside[k]];
        for (int32_t i = 0; i < n; i++)
            id = id == ids[i] ? 0 : id;
        if (id > 0)
            ids[n++] = id;
    }
    return n;
}

static bool is_beside(const struct judge *j, struct mw_point p, int32_t id)
{
    int32_t ids[4], n = islands_beside(j, p, ids);
    while (n > 0 && ids[n - 1] != id)
        n--;
    return n > 0;
}

static int32_t set_of(struct judge *j, int32_t member)
{
    while (j->set[member] != member)
        member = j->set[member] = j->set[j->set[member]];
    return member;
}

static bool join_sets(struct judge *j, int32_t a, int32_t b)
{
    a = set_of(j, a);
    b = set_of(j, b);
    j->set[a] = b;
    return a != b;
}

static bool check_bridge(struct judge *j, int32_t i)
{
    int32_t from = ((const int32_t *)j->bridge[FROM])[i], to = ((const int32_t *)j->bridge[TO])[i];
    struct mw_points way = ((const struct mw_points *)j->bridge[WAY])[i];
    bool third = false;
    if (from < 1 || to < 1 || from > j->count || to > j->count || from == to || way.count < 1)
        return wrong(j, "bridge %d joins %d and %d by %d cells", i, from, to, way.count);
    if (!is_beside(j, way.at[0], from) || !is_beside(j, way.at[way.count - 1], to))
        return wrong(j, "bridge %d does not reach both of %d and %d", i, from, to);
    for (int32_t k = 0; k < way.count; k++) {
        struct mw_point p = way.at[k];
        if (at(j, p.x, p.y) != -1)
            return wrong(j, "bridge %d: cell %d,%d is no bridge", i, p.x, p.y);
        if (k && abs(p.x - way.at[k - 1].x) + abs(p.y - way.at[k - 1].y) != 1)
            return wrong(j, "bridge %d jumps at step %d", i, k);
        int32_t ids[4], beside = islands_beside(j, p, ids);
        for (int32_t s = 0; s < beside; s++)
            third = third || (ids[s] != from && ids[s] != to);
        if (j->grid.mark[p.y * j->grid.width + p.x] == i + 1)
            return wrong(j, "bridge %d meets itself", i);
        j->grid.mark[p.y * j->grid.width + p.x] = i + 1;
    }
    return !third || !j->ordered ||
           wrong(j, "bridge %d (%d to %d) passes beside a third", i, from, to);
}

static bool lists(struct mw_ints list, int32_t id)
{
    for (int32_t i = 0; i < list.count; i++)
        if (list.at[i] == id)
            return true;
    return false;
}

/* Neighbours are those by bridge, and no pair has two: counts and membership both ways say so. */
static bool check_neighbours(struct judge *j)
{
    const struct mw_ints *neighbours = j->island[NEIGHBOURS];
    int64_t listed = 0;
    for (int32_t k = 0; k < j->count; k++) {
        listed += neighbours[k].count;
        for (int32_t i = 1; i < neighbours[k].count; i++)
            if (neighbours[k].at[i] <= neighbours[k].at[i - 1])
                return wrong(j, "neighbours of island %d are not ascending", k + 1);
    }
    for (int32_t i = 0; i < j->bridges; i++) {
        int32_t from = ((const int32_t *)j->bridge[FROM])[i],
                to = ((const int32_t *)j->bridge[TO])[i];
        if (!lists(neighbours[from - 1], to) || !lists(neighbours[to - 1], from))
            return wrong(j, "bridge %d to %d is not among the neighbours", from, to);
    }
    return listed == 2 * (int64_t)j->bridges ||
           wrong(j, "%d bridges, but %d neighbours", j->bridges, (int)listed);
}

/* A bridge is longer than 15 % of the longer side only where nothing else joins what it joins. */
static bool check_long_bridges(struct judge *j)
{
    int32_t longer = j->grid.width > j->grid.height ? j->grid.width : j->grid.height, bad = -1;
    j->set = calloc((size_t)j->count + 1, sizeof *j->set);
    for (int32_t id = 1; id <= j->count; id++)
        j->set[id] = id;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < j->bridges; i++) {
            int32_t from = ((const int32_t *)j->bridge[FROM])[i];
            int32_t to = ((const int32_t *)j->bridge[TO])[i];
            bool is_long = ((const struct mw_points *)j->bridge[WAY])[i].count * 100 > longer * 15;
            bad = pass && is_long && set_of(j, from) == set_of(j, to) ? i : bad;
            if (is_long == pass)
                join_sets(j, from, to);
        }
    return bad < 0 || wrong(j, "bridge %d is long and only makes a loop", bad);
}

static bool check_bridges(struct judge *j)
{
    size_t size = (size_t)j->grid.width * (size_t)j->grid.height * sizeof *j->grid.mark;
    memset(j->grid.mark, 0, size);
    for (int32_t i = 0; i < j->bridges; i++)
        if (!check_bridge(j, i))
            return false;
    for (int32_t i = 0; i < j->grid.width * j->grid.height; i++)
        if (j->grid.cells[i] == -1 && !j->grid.mark[i])
            return wrong(j, "cell %d,%d belongs to no bridge", i % j->grid.width,
                         i / j->grid.width);
    if (!j->bridged && j->bridges)
        return wrong(j, "%d bridges where none are wanted", j->bridges);
    if (j->bridged && j->tree && j->bridges != j->count - 1)
        return wrong(j, "%d bridges are no tree of %d islands", j->bridges, j->count);
    return check_neighbours(j) && check_long_bridges(j);
}

/* ---- start and end --------------------------------------------------------------------------- */

/* Bridges between the start and every island, in steps[]; false when one cannot be reached. */
static bool count_steps(struct judge *j, int32_t start, int32_t *steps)
{
    const struct mw_ints *neighbours = j->island[NEIGHBOURS];
    int32_t n = 0;
    for (int32_t k = 0; k < j->count; k++)
        steps[k] = -1;
    steps[start - 1] = 0;
    j->grid.queue[n++] = start;
    for (int32_t i = 0; i < n; i++) {
        struct mw_ints list = neighbours[j->grid.queue[i] - 1];
        for (int32_t k = 0; k < list.count; k++)
            if (steps[list.at[k] - 1] < 0) {
                steps[list.at[k] - 1] = steps[j->grid.queue[i] - 1] + 1;
                j->grid.queue[n++] = list.at[k];
            }
    }
    return n == j->count || wrong(j, "%d of %d islands can be reached", n, j->count);
}

static bool check_route(struct judge *j, int32_t start, int32_t end)
{
    const struct mw_ints *neighbours = j->island[NEIGHBOURS];
    struct mw_ints route = j->map->slots[ROUTE].as.value.integers;
    int32_t *steps = j->grid.mark;
    if (!j->map->slots[ROUTE].present || !count_steps(j, start, steps))
        return j->map->slots[ROUTE].present || wrong(j, "there is no route");
    for (int32_t k = 0; k < j->count; k++)
        if (steps[k] > steps[end - 1])
            return wrong(j, "island %d is farther than the end %d", k + 1, end);
    if (route.count != steps[end - 1] + 1 || route.at[0] != start ||
        route.at[route.count - 1] != end)
        return wrong(j, "the route has %d islands, should have %d", route.count,
                     steps[end - 1] + 1);
    for (int32_t i = 1; i < route.count; i++)
        if (!lists(neighbours[route.at[i - 1] - 1], route.at[i]))
            return wrong(j, "the route jumps at step %d", i);
    return true;
}

static int64_t apart(const struct judge *j, int32_t a, int32_t b)
{
    const struct mw_point *centre = j->island[CENTRE];
    int64_t dx = centre[a].x - centre[b].x, dy = centre[a].y - centre[b].y;
    return dx * dx + dy * dy;
}

static bool check_ends(struct judge *j)
{
    int32_t start = j->map->slots[START].as.value.integer,
            end = j->map->slots[END].as.value.integer;
    if (start < 1 || end < 1 || start > j->count || end > j->count)
        return wrong(j, "start %d, end %d", start, end);
    if (j->bridged)
        return check_route(j, start, end);
    for (int32_t a = 0; a < j->count; a++)
        for (int32_t b = 0; b < a; b++)
            if (apart(j, a, b) > apart(j, start - 1, end - 1))
                return wrong(j, "islands %d and %d lie farther apart than start and end", a + 1,
                             b + 1);
    return !j->map->slots[ROUTE].present || wrong(j, "a route without bridges");
}

static bool check_all(struct judge *j)
{
    const struct mw_slot *slots = j->map->slots;
    if (slots[WIDTH].as.value.integer != j->grid.width ||
        slots[HEIGHT].as.value.integer != j->grid.height ||
        slots[LAYERS].as.value.integer != j->layers)
        return wrong(j, "width, height or layers differ from what was asked");
    if (j->ordered && (j->count < j->fewest || j->count > j->most))
        return wrong(j, "%d islands, should be %d to %d", j->count, j->fewest, j->most);
    return check_apart(j) && check_each(j) && check_heights(j) && check_bridges(j) && check_ends(j);
}

const char *check_islands(const struct mw_map *map, char *why, size_t room)
{
    struct judge j = {.map = map, .why = why, .room = room};
    read_request(&j);
    j.count = map->slots[ISLANDS].as.table.rows;
    j.bridges = map->slots[BRIDGES].as.table.rows;
    j.island = map->slots[ISLANDS].as.table.columns;
    j.bridge = map->slots[BRIDGES].as.table.columns;
    j.heights = map->slots[HEIGHTS].as.grid.at;
    judge_open(&j.grid, map->slots[CELLS].as.grid.at);
    bool good = check_all(&j);
    judge_close(&j.grid);
    free(j.set);
    return good ? NULL : why;
}
