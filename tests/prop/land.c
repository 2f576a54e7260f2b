/* land.c: see land.h. */
#include "land.h"
#include "check_regions.h"
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const wraps[] = {"none", "x", "xy"};

/* ---- kinds of land --------------------------------------------------------------------------- */

static bool noise(struct arbitrary *source, int percent)
{
    return arbitrary_below(source, 100) < (uint32_t)percent;
}

void land_noise(struct land *l, struct arbitrary *source)
{
    int percent = 30 + (int)arbitrary_below(source, 70);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = noise(source, percent);
}

/* Land with round lakes. */
void land_lakes(struct land *l, struct arbitrary *source)
{
    memset(l->is, true, sizeof l->is);
    for (int lakes = 1 + (int)arbitrary_below(source, 6); lakes; lakes--) {
        int cx = (int)arbitrary_below(source, (uint32_t)l->width),
            cy = (int)arbitrary_below(source, (uint32_t)l->height);
        int r = (int)arbitrary_below(source, 8);
        for (int y = 0; y < l->height; y++)
            for (int x = 0; x < l->width; x++)
                if ((x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r)
                    l->is[y * l->width + x] = false;
    }
}

/* Round islands that may touch. */
void land_islands(struct land *l, struct arbitrary *source)
{
    land_lakes(l, source);
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = !l->is[i];
}

void land_comb(struct land *l, struct arbitrary *source)
{
    int gap = 1 + (int)arbitrary_below(source, 3);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] = y == 0 || x % (gap + 1) == 0;
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
    memset(l->is, false, sizeof l->is);
    l->is[0] = true;
    for (int x = 0, y = 0, way = 0, turns = 0; turns < 2;) {
        int nx = x + dx[way], ny = y + dy[way];
        bool inside = nx >= 0 && ny >= 0 && nx < l->width && ny < l->height;
        if (!inside || is_land(l, nx, ny) || is_land(l, nx + dx[way], ny + dy[way])) {
            way = (way + 1) % 4;
            turns++;
            continue;
        }
        l->is[ny * l->width + nx] = true;
        x = nx;
        y = ny;
        turns = 0;
    }
}

/* Cells at even places, joined by a random walk that never closes: a perfect maze, grown cell by
   cell. */
void land_maze(struct land *l, struct arbitrary *source)
{
    static const int dx[] = {2, 0, -2, 0}, dy[] = {0, 2, 0, -2};
    memset(l->is, false, sizeof l->is);
    l->is[0] = true;
    for (int tries = 0; tries < 20 * l->width * l->height; tries++) {
        int x = (int)arbitrary_below(source, (uint32_t)l->width),
            y = (int)arbitrary_below(source, (uint32_t)l->height);
        int way = (int)arbitrary_below(source, 4), nx = x + dx[way], ny = y + dy[way];
        bool good = !(x & 1) && !(y & 1) && nx >= 0 && ny >= 0 && nx < l->width && ny < l->height;
        if (!good || !l->is[y * l->width + x] || l->is[ny * l->width + nx])
            continue;
        l->is[ny * l->width + nx] = l->is[(y + ny) / 2 * l->width + (x + nx) / 2] = true;
    }
}

/* A maze of which some walls are open. */
void land_loops(struct land *l, struct arbitrary *source)
{
    int open = 1 + (int)arbitrary_below(source, 4);
    land_maze(l, source);
    for (int tries = 0; tries < 200 && open; tries++) {
        int x = (int)arbitrary_below(source, (uint32_t)l->width),
            y = (int)arbitrary_below(source, (uint32_t)l->height);
        bool wall = x % 2 != y % 2 && !is_land(l, x, y);
        l->is[y * l->width + x] |= wall;
        open -= wall;
    }
}

/* Corridors that cross, at even distances or not. */
void land_rings(struct land *l, struct arbitrary *source)
{
    int across = 2 + (int)arbitrary_below(source, 6), down = 2 + (int)arbitrary_below(source, 6);
    int missing = (int)arbitrary_below(source, 3);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] =
                (x % across == 0 || y % down == 0) && (!missing || arbitrary_below(source, 40));
}

void land_checkers(struct land *l, struct arbitrary *source)
{
    (void)source;
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] = (x + y) % 2 == 0;
}

/* A corridor to and fro. */
void land_serpentine(struct land *l, struct arbitrary *source)
{
    int lane = 2 + (int)arbitrary_below(source, 2);
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->is[y * l->width + x] = y % lane == 0 || x == (y / lane % 2 ? 0 : l->width - 1);
}

/* ---- counting pieces ------------------------------------------------------------------------- */

/* The cell across a side, or -1; told here once more, not taken from the library. */
int land_beside(const struct land *l, int cell, int side)
{
    static const int square[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    static const int hexagon[2][6][2] = {{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}},
                                         {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {0, -1}, {1, -1}}};
    int y = cell / l->width, x = cell % l->width;
    const int *step = l->hex ? hexagon[y & 1][side] : square[side];
    x += step[0];
    y += step[1];
    if (l->wrap > 0)
        x = (x + l->width) % l->width;
    if (l->wrap > 1)
        y = (y + l->height) % l->height;
    return x < 0 || y < 0 || x >= l->width || y >= l->height ? -1 : y * l->width + x;
}

/* Marks the land that hangs together with a cell; how many cells that are. */
int land_flood(const struct land *l, int start, int *piece_of, int piece)
{
    static int queue[LAND_CELLS];
    int n = 0;
    piece_of[start] = piece;
    queue[n++] = start;
    for (int i = 0; i < n; i++)
        for (int s = 0; s < (l->hex ? 6 : 4); s++) {
            int other = land_beside(l, queue[i], s);
            if (other < 0 || !l->is[other] || piece_of[other])
                continue;
            piece_of[other] = piece;
            queue[n++] = other;
        }
    return n;
}

void land_count_pieces(struct land *l)
{
    int piece_of[LAND_CELLS] = {0};
    l->cells = l->pieces = 0;
    for (int start = 0; start < l->width * l->height; start++)
        if (l->is[start] && !piece_of[start])
            l->cells += land_flood(l, start, piece_of, ++l->pieces);
}

/* All but the largest piece goes under. */
void land_keep_one_piece(struct land *l)
{
    int piece_of[LAND_CELLS] = {0}, pieces = 0, best = 0;
    l->cells = 0;
    for (int start = 0; start < l->width * l->height; start++) {
        if (!l->is[start] || piece_of[start])
            continue;
        int cells = land_flood(l, start, piece_of, ++pieces);
        best = cells > l->cells ? pieces : best;
        l->cells = cells > l->cells ? cells : l->cells;
    }
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = l->is[i] && piece_of[i] == best;
    l->pieces = best > 0;
}

/* A tree, grown cell by cell wherever one has just one neighbour. */
void land_tree(struct land *l, struct arbitrary *source)
{
    uint32_t cells = (uint32_t)(l->width * l->height);
    memset(l->is, false, sizeof l->is);
    l->is[arbitrary_below(source, cells)] = true;
    for (uint32_t tries = 0; tries < 8 * cells; tries++) {
        int cell = (int)arbitrary_below(source, cells), n = 0;
        for (int s = 0; s < (l->hex ? 6 : 4); s++) {
            int other = land_beside(l, cell, s);
            n += other >= 0 && l->is[other];
        }
        l->is[cell] |= n == 1;
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

char land_query[LAND_CELLS * 8];
static size_t written;

void land_ask(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    written += (size_t)vsnprintf(land_query + written, sizeof land_query - written, format, list);
    va_end(list);
    ck_assert_uint_lt(written, sizeof land_query);
}

void land_ask_lattice(const struct land *l, uint32_t seed)
{
    written = 0;
    land_ask("seed=%u&grid=%s&wrap=%s", (unsigned)seed, l->hex ? "hex" : "square", wraps[l->wrap]);
}

void land_ask_mask(const struct land *l)
{
    for (int i = 0; i < l->width * l->height; i++)
        land_ask("%s%s", i == 0 ? "&mask=" : i % l->width == 0 ? "/" : "", l->is[i] ? "%23" : ".");
}

void land_ask_look(struct arbitrary *source, bool varied)
{
    land_ask("&roughness=%.1f", (double)arbitrary_below(source, 11) / 10);
    if (varied)
        land_ask("&variation=%.1f", (double)(1 + arbitrary_below(source, 10)) / 10);
}

/* What was wrong with the request that was refused last. */
char land_refusal[512];

/* True when a map was made; one that breaks a promise, or a fault that is no refusal, fails the
   test. */
bool land_answer(void)
{
    static _Alignas(64) char block[48 << 20];
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    struct mw_run *run = mw_open(&limits);
    const struct mw_arg *args;
    size_t count;
    char why[300];
    struct mw_request request;
    bool good = mw_read_query(run, land_query, written, &args, &count) &&
                mw_bind(run, mw_find("regions"), args, count, NULL, &request);
    const struct mw_map *map = good ? mw_make(run, &request) : NULL;
    if (map) {
        ck_assert_msg(!check_regions(map, why, sizeof why), "%s\n%.2000s", why, land_query);
        return true;
    }
    const struct mw_problem *problem = &mw_problems(run)->list[0];
    snprintf(land_refusal, sizeof land_refusal, "%s: %s", problem->pointer, problem->detail);
    ck_assert_msg(problem->fault == MW_NO_RESULT, "fault %d %s: %s\n%.2000s", problem->fault,
                  problem->pointer, problem->detail, land_query);
    return false;
}

struct land land_of_shape(struct arbitrary *source, uint32_t most)
{
    struct land l = {.hex = arbitrary_below(source, 3) > 0};
    l.wrap = arbitrary_below(source, 2) ? 0 : (int)arbitrary_below(source, 3);
    l.width = 1 + (int)arbitrary_below(source, most);
    l.height = 1 + (int)arbitrary_below(source, most);
    if (l.hex && l.wrap == 2)
        l.height += l.height & 1;
    memset(l.is, true, sizeof l.is);
    return l;
}

/* Of few, of many, of as many as there are, and of nearly as many. */
int land_draw_count(struct arbitrary *source, int least, int most)
{
    int span = most - least + 1, few = span < 12 ? span : 12;
    switch (arbitrary_below(source, 5)) {
    case 0: return most - (int)arbitrary_below(source, (uint32_t)few);
    case 1: return least + (int)arbitrary_below(source, (uint32_t)span);
    case 2: return least + (int)arbitrary_below(source, (uint32_t)(span / 4 + 1));
    default: return least + (int)arbitrary_below(source, (uint32_t)few);
    }
}

/* Sizes that add up to so many cells: small ones as a rule, or anything; how many. */
int land_draw_sizes(struct arbitrary *source, int cells, int *sizes)
{
    int count = 0;
    uint32_t reach = 1 + arbitrary_below(source, (uint32_t)cells);
    for (int left = cells; left > 0; left -= sizes[count++])
        sizes[count] =
            1 + (int)arbitrary_below(source, reach < (uint32_t)left ? reach : (uint32_t)left);
    return count;
}

void land_ask_sizes(const int *sizes, int count)
{
    for (int k = 0; k < count; k++)
        land_ask("%s%d", k ? "," : "&sizes=", sizes[k]);
}

void land_judge_refusals(int refused, int asked, int per_mille, const char *what, const char *land)
{
    if (is_long())
        fprintf(stderr, "regions of %s sizes on %s: %d of %d refused\n", what, land, refused,
                asked);
    if (is_sanitized())
        return; /* too few were tried to tell */
    ck_assert_msg(refused * 1000 <= asked * per_mille, "%s sizes, %s: %d of %d are refused", what,
                  land, refused, asked);
}
