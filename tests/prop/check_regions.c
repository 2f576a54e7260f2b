/*
 * check_regions.c: the promises of /regions, judged from the cells.
 *
 * It shares nothing with the generator: the request is read back from the text of its address, and
 * all else is counted again, cell by cell, in the plainest way:
 *
 *   - land has a country and water has none; ids, sizes and grid are those of the request;
 *   - every country is connected; without mask and wrap, none encloses others;
 *   - sizes are those given, or even within each piece of land when `variation` is 0;
 *   - pieces have their number of countries by D'Hondt, at least one each, and at least as many as
 *     there are capitals on it;
 *   - country i holds the i-th of the capitals that are given;
 *   - borders, neighbours and capitals are right.
 */
#include "judge.h"

enum { WIDTH, HEIGHT, GRID, WRAP, TABLE, CELLS };     /* parts */
enum { ID, NAME, SIZE, CAPITAL, BORDER, NEIGHBOURS }; /* columns */

struct judge {
    const struct mw_map *map;
    char *why;
    size_t room;
    struct judge_grid grid;
    int32_t count, cells;
    long variation;             /* in thousandths */
    char *sizes, *mask, *given; /* sizes, mask and capitals of the address; NULL when left out */
    const int32_t *size;
    const struct mw_point *capital;
    void *const *columns;
};

static void read_request(struct judge *j)
{
    const char *address = j->map->request->address;
    j->grid.width = (int32_t)asked_number(address, "width", 0);
    j->grid.height = (int32_t)asked_number(address, "height", 0);
    j->cells = j->grid.width * j->grid.height;
    j->count = (int32_t)asked_number(address, "count", 0);
    j->grid.hex = asked_is(address, "grid", "hex");
    j->grid.across = !asked_is(address, "wrap", "none");
    j->grid.down = asked_is(address, "wrap", "xy");
    j->variation = asked_thousandths(address, "variation");
    j->sizes = asked_text(address, "sizes");
    j->mask = asked_text(address, "mask");
    j->given = asked_text(address, "capitals");
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool check_cells(struct judge *j)
{
    for (int32_t i = 0; i < j->cells; i++) {
        int32_t id = j->grid.cells[i], x = i % j->grid.width, y = i / j->grid.width;
        bool land = !j->mask || j->mask[y * (j->grid.width + 1) + x] == '#';
        if (id < 0 || id > j->count || (id > 0) != land)
            return wrong(j, "cell %d,%d has country %d", x, y, id);
    }
    return true;
}

static bool check_countries(struct judge *j)
{
    struct judge_shape *of = judge_shapes(&j->grid, j->count);
    bool good = true;
    for (int32_t k = 1; good && k <= j->count; k++)
        if (((const int32_t *)j->columns[ID])[k - 1] != k || j->size[k - 1] != of[k].cells)
            good = wrong(j, "row %d: size %d, but %d cells", k, j->size[k - 1], of[k].cells);
        else if (!judge_is_whole(&j->grid, &of[k], k))
            good = wrong(j, "country %d is in pieces, or has no cell", k);
    free(of);
    return good;
}

/* Adds one to each id around a corner. */
static void add_corner(const struct judge *j, int32_t *corners, int32_t x, int32_t y,
                       const int32_t to[4][2], int n)
{
    int32_t around[4];
    for (int i = 0; i < n; i++) {
        bool again = false;
        around[i] = judge_value(&j->grid, j->grid.cells, x + to[i][0], y + to[i][1], 0);
        for (int k = 0; k < i; k++)
            again = again || around[k] == around[i];
        corners[around[i]] += !again;
    }
}

/* Euler: of a country in one piece, cells - sides + corners is 1, less what it encloses. */
static bool check_nothing_enclosed(struct judge *j)
{
    static const int32_t square[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    int32_t *corners = calloc((size_t)j->count + 1, sizeof *corners), bad = 0;
    for (int32_t y = -1; y <= j->grid.height; y++)
        for (int32_t x = -1; x <= j->grid.width; x++)
            for (int32_t down = -1; down <= (j->grid.hex ? 1 : -1); down += 2) {
                int32_t right = y & 1;
                const int32_t hexagon[4][2] = {{0, 0}, {right - 1, down}, {right, down}};
                add_corner(j, corners, x, y, j->grid.hex ? hexagon : square, j->grid.hex ? 3 : 4);
            }
    for (int32_t k = 1; k <= j->count; k++) {
        int32_t border = ((const int32_t *)j->columns[BORDER])[k - 1], size = j->size[k - 1];
        int32_t sides = (size * (j->grid.hex ? 6 : 4) + border) / 2;
        bad = size - sides + corners[k] != 1 ? k : bad;
    }
    free(corners);
    return !bad || wrong(j, "country %d encloses others", bad);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static bool check_given_sizes(struct judge *j)
{
    char *at = j->sizes;
    for (int32_t k = 0; k < j->count; k++, at += *at == ',') {
        long size = strtol(at, &at, 10);
        if (j->size[k] != size)
            return wrong(j, "country %d has %d cells instead of %ld", k + 1, j->size[k], size);
    }
    return true;
}

/* A piece of land. */
struct piece {
    int32_t cells, countries, capitals, least, most; /* sizes of its countries */
};

/* Seats by D'Hondt: no piece has a better claim to a seat than another to its last, except for
   those that each piece must have. */
static bool check_seats(struct judge *j, const struct piece *piece, int32_t pieces)
{
    const struct piece *claims = piece, *holds = NULL; /* the best claim; the worst seat held */
    for (const struct piece *p = piece; p < piece + pieces; p++) {
        if ((int64_t)p->cells * (claims->countries + 1) >
            (int64_t)claims->cells * (p->countries + 1))
            claims = p;
        if (p->countries > 1 && p->countries > p->capitals &&
            (!holds || (int64_t)p->cells * holds->countries < (int64_t)holds->cells * p->countries))
            holds = p;
    }
    return !holds ||
           (int64_t)claims->cells * holds->countries <=
               (int64_t)holds->cells * (claims->countries + 1) ||
           wrong(j, "%d cells of land have %d countries, though %d cells have %d", claims->cells,
                 claims->countries, holds->cells, holds->countries);
}

/* Marks the land by its piece, from 1; how many pieces. */
static int32_t mark_pieces(struct judge *j, struct piece *piece)
{
    struct judge_grid land = j->grid;
    int32_t *is_land = calloc((size_t)j->cells, sizeof *is_land), pieces = 0;
    bool rim;
    memset(land.mark, 0, (size_t)j->cells * sizeof *land.mark);
    for (int32_t i = 0; i < j->cells; i++)
        is_land[i] = j->grid.cells[i] > 0;
    land.cells = is_land;
    for (int32_t i = 0; i < j->cells; i++)
        if (is_land[i] && !land.mark[i]) {
            int32_t n = judge_flood(&land, i, 1, false, pieces + 1, &rim);
            piece[pieces++] = (struct piece){.cells = n, .least = INT32_MAX};
        }
    free(is_land);
    return pieces;
}

static void add_countries(struct judge *j, struct piece *piece)
{
    for (int32_t k = 0; k < j->count; k++) {
        int32_t cell = j->capital[k].y * j->grid.width + j->capital[k].x, size = j->size[k];
        struct piece *p = &piece[j->grid.mark[cell] - 1];
        p->countries++;
        p->least = size < p->least ? size : p->least;
        p->most = size > p->most ? size : p->most;
    }
    for (char *at = j->given; at && *at; at += *at != '\0') {
        long x = strtol(at, &at, 10), y = strtol(at + 1, &at, 10);
        piece[j->grid.mark[y * j->grid.width + x] - 1].capitals++;
    }
}

static bool check_pieces(struct judge *j)
{
    struct piece *piece = calloc((size_t)j->cells, sizeof *piece);
    int32_t pieces = mark_pieces(j, piece);
    add_countries(j, piece);
    bool good = check_seats(j, piece, pieces);
    for (int32_t i = 0; good && i < pieces; i++)
        if (!piece[i].countries)
            good = wrong(j, "a piece of %d cells has no country", piece[i].cells);
        else if (j->variation == 0 && piece[i].most - piece[i].least > 1)
            good = wrong(j, "sizes on one piece of land go from %d to %d", piece[i].least,
                         piece[i].most);
    free(piece);
    return good;
}

/* ---- borders --------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lists of neighbours, against pairs of countries with a side between them, one for each side. */
static bool check_neighbours(struct judge *j, uint64_t *pair, size_t pairs)
{
    const struct mw_ints *list = j->columns[NEIGHBOURS];
    size_t n = 0, at = 0;
    qsort(pair, pairs, sizeof *pair, by_value);
    for (size_t i = 0; i < pairs; i++)
        if (!i || pair[i] != pair[i - 1])
            pair[n++] = pair[i];
    for (int32_t k = 1; k <= j->count; k++)
        for (int32_t i = 0; i < list[k - 1].count; i++, at++)
            if (at == n || pair[at] != ((uint64_t)k << 32 | (uint32_t)list[k - 1].at[i]))
                return wrong(j, "country %d: neighbour %d of its list is wrong", k, i);
    return at == n || wrong(j, "%d neighbours are listed, should be %d", (int)at, (int)n);
}

static bool check_borders(struct judge *j)
{
    int32_t *border = calloc((size_t)j->count + 1, sizeof *border), to[8];
    uint64_t *pair = malloc((size_t)j->cells * 6 * sizeof *pair);
    size_t pairs = 0;
    bool good = true;
    for (int32_t i = 0; i < j->cells; i++)
        for (int k = judge_beside(&j->grid, i, false, to) - 1; k >= 0 && j->grid.cells[i]; k--) {
            int32_t own = j->grid.cells[i], other = to[k] < 0 ? 0 : j->grid.cells[to[k]];
            border[own] += other != own;
            if (other && other != own)
                pair[pairs++] = (uint64_t)own << 32 | (uint32_t)other;
        }
    for (int32_t k = 1; good && k <= j->count; k++)
        if (border[k] != ((const int32_t *)j->columns[BORDER])[k - 1])
            good = wrong(j, "country %d has %d sides at its border", k, border[k]);
    good = good && check_neighbours(j, pair, pairs);
    free(border);
    free(pair);
    return good;
}

/* ---- capitals -------------------------------------------------------------------------------- */

/* Each lies as far inland as can be, unless it has neither coast nor border. */
static bool check_capitals(struct judge *j)
{
    int32_t *deepest = calloc((size_t)j->count + 1, sizeof *deepest), bad = 0;
    judge_depths(&j->grid);
    for (int32_t i = 0; i < j->cells; i++) {
        int32_t *most = &deepest[j->grid.cells[i]];
        *most = j->grid.mark[i] > *most ? j->grid.mark[i] : *most;
    }
    for (int32_t k = 1; k <= j->count; k++) {
        struct mw_point c = j->capital[k - 1];
        bool inside = judge_value(&j->grid, j->grid.cells, c.x, c.y, 0) == k &&
                      c.x < j->grid.width && c.y < j->grid.height && c.x >= 0 && c.y >= 0;
        bool deep =
            inside && (!deepest[k] || j->grid.mark[c.y * j->grid.width + c.x] == deepest[k]);
        bad = deep ? bad : k;
    }
    free(deepest);
    return !bad || wrong(j, "the capital of country %d lies abroad, or not far inland", bad);
}

/* Country i holds the i-th of the cells that were asked for. */
static bool check_given_capitals(struct judge *j)
{
    int32_t country = 1;
    for (char *at = j->given; at && *at; country++, at += *at != '\0') {
        long x = strtol(at, &at, 10), y = strtol(at + 1, &at, 10);
        int32_t owner = j->grid.cells[y * j->grid.width + x];
        if (owner != country)
            return wrong(j, "[%ld, %ld] is given to country %d, but %d holds it", x, y, country,
                         owner);
    }
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool check_all(struct judge *j)
{
    const struct mw_slot *slots = j->map->slots;
    if (slots[WIDTH].as.value.integer != j->grid.width ||
        slots[HEIGHT].as.value.integer != j->grid.height ||
        (slots[GRID].as.value.integer == MW_HEX) != j->grid.hex ||
        slots[WRAP].as.value.integer != j->grid.across + j->grid.down ||
        slots[TABLE].as.table.rows != j->count)
        return wrong(j, "width, height, grid, wrap or count differ from the request");
    return check_cells(j) && check_countries(j) && check_borders(j) &&
           (j->mask || j->grid.across || check_nothing_enclosed(j)) && check_capitals(j) &&
           check_given_capitals(j) && (j->sizes ? check_given_sizes(j) : check_pieces(j));
}

const char *check_regions(const struct mw_map *map, char *why, size_t room)
{
    struct judge j = {.map = map, .why = why, .room = room};
    read_request(&j);
    j.columns = map->slots[TABLE].as.table.columns;
    j.size = j.columns[SIZE];
    j.capital = j.columns[CAPITAL];
    judge_open(&j.grid, map->slots[CELLS].as.grid.at);
    bool good = check_all(&j);
    judge_close(&j.grid);
    free(j.sizes);
    free(j.mask);
    free(j.given);
    return good ? NULL : why;
}
