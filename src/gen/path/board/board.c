/*
 * board.c: boards of path puzzles: reading, checking, tracing solutions, writing results.
 */
#include "board.h"
#include "kit/integer.h"

const char *const path_rules[] = {"flow", "strict", "classic", NULL};

const struct mw_column path_columns[] = {
    MW_COLUMN("label", MW_STRING, "The letter or digit on its ends", .role = MW_NAME),
    MW_COLUMN("length", MW_INTEGER, "Its cells, ends included"),
    MW_COLUMN("shortest", MW_INTEGER,
              "Fewest cells of any way from end to end, past walls and the ends of others"),
    MW_COLUMN("cells", MW_POINTS, "Its cells in order, from one end to the other",
              .role = MW_TRACK),
    MW_END_COLUMNS,
};

/* ---- boards ---------------------------------------------------------------------------------- */

struct board board_new(struct mw_run *run, int32_t width, int32_t height)
{
    assert(width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE);
    struct board b = {.width = width, .height = height, .cells = width * height};
    b.next = mw_alloc(run, (size_t)b.cells, sizeof *b.next);
    b.path = mw_alloc(run, (size_t)b.cells, sizeof *b.path);
    b.ends = mw_alloc(run, MAX_PATHS, sizeof *b.ends);
    b.letters = mw_alloc(run, MAX_PATHS, 1);
    mw_tick(run, (uint64_t)b.cells);
    for (int32_t cell = 0; cell < b.cells; cell++) {
        b.path[cell] = OPEN;
        int32_t x = cell % width, y = cell / width;
        b.next[cell][RIGHT] = x + 1 < width ? cell + 1 : -1;
        b.next[cell][DOWN] = y + 1 < height ? cell + width : -1;
        b.next[cell][LEFT] = x > 0 ? cell - 1 : -1;
        b.next[cell][UP] = y > 0 ? cell - width : -1;
    }
    return b;
}

void board_wall(struct board *b, int32_t cell)
{
    assert(b->path[cell] == OPEN);
    b->path[cell] = WALL;
    for (int side = 0; side < SIDES; side++) {
        int32_t other = b->next[cell][side];
        if (other >= 0)
            b->next[other][opposite(side)] = -1;
        b->next[cell][side] = -1;
    }
}

void board_path(struct board *b, char letter, int32_t from, int32_t to)
{
    assert(b->paths < MAX_PATHS && from != to);
    assert(b->path[from] == OPEN && b->path[to] == OPEN);
    b->letters[b->paths] = letter;
    b->ends[b->paths][0] = from;
    b->ends[b->paths][1] = to;
    b->path[from] = b->path[to] = (int8_t)b->paths++;
}

static char row_char(struct mw_rows rows, int32_t x, int32_t y)
{
    return rows.at[(int64_t)y * (rows.width + 1) + x];
}

struct board board_read(struct mw_run *run, struct mw_rows rows)
{
    struct board b = board_new(run, rows.width, rows.count);
    int32_t first[128];
    memset(first, 0xff, sizeof first);
    for (int32_t cell = 0; cell < b.cells; cell++) {
        char c = row_char(rows, cell % b.width, cell / b.width);
        int32_t *other = &first[c & 127];
        if (c == '#')
            board_wall(&b, cell);
        else if (c != '.' && *other < 0)
            *other = cell;
        else if (c != '.')
            board_path(&b, c, *other, cell);
    }
    return b;
}

struct board board_upright(struct mw_run *run, const struct board *b, bool flip)
{
    bool turn = b->width > b->height;
    struct board t = board_new(run, turn ? b->height : b->width, turn ? b->width : b->height);
    int8_t ends[MAX_PATHS] = {0}; /* of each path, found so far */
    t.paths = b->paths;
    memcpy(t.letters, b->letters, (size_t)b->paths);
    for (int32_t cell = 0; cell < t.cells; cell++) {
        int32_t x = cell % t.width, row = cell / t.width, y = flip ? t.height - 1 - row : row;
        int path = b->path[turn ? x * b->width + y : y * b->width + x];
        if (path == WALL)
            board_wall(&t, cell);
        if (path < 0)
            continue;
        assert(ends[path] < 2);
        t.path[cell] = (int8_t)path;
        t.ends[path][ends[path]++] = cell;
    }
    return t;
}

void board_check(struct mw_run *run, const char *pointer, struct mw_rows rows)
{
    int32_t paths = 0, count[128] = {0}, last[128];
    for (int32_t cell = 0; cell < rows.width * rows.count; cell++) {
        int c = row_char(rows, cell % rows.width, cell / rows.width) & 127;
        count[c]++;
        last[c] = cell;
    }
    for (const char *letter = PATH_LETTERS; *letter; letter++) {
        int c = *letter;
        paths += count[c] > 0;
        if (count[c] && count[c] != 2)
            mw_add_problem_at(
                run, MW_BAD_PARAM, pointer, last[c] / rows.width,
                "has `%c` in column %d (from 0), the last of %d: a letter must be on two "
                "cells, the ends of its path",
                *letter, last[c] % rows.width, count[c]);
    }
    if (!paths)
        mw_add_problem(run, MW_BAD_PARAM, pointer,
                       "must have a path: the same letter or digit on two cells, its ends");
}

/* ---- solutions ------------------------------------------------------------------------------- */

int32_t path_trace(const struct board *b, const uint8_t *links, int32_t p, int32_t *cells)
{
    int32_t count = 0;
    int from = SIDES;
    assert(p >= 0 && p < b->paths);
    for (int32_t at = b->ends[p][0]; at >= 0 && count < b->cells;
         at = path_step(b, links, at, &from))
        cells[count++] = at;
    assert(count > 1 && cells[count - 1] == b->ends[p][1]);
    return count;
}

void path_owners(struct mw_run *run, const struct board *b, const uint8_t *links, int32_t *owner)
{
    mw_tick(run, (uint64_t)b->cells * 4);
    memset(owner, 0xff, (size_t)b->cells * sizeof *owner);
    for (int32_t p = 0; p < b->paths; p++) {
        int from = SIDES;
        for (int32_t at = b->ends[p][0]; at >= 0; at = path_step(b, links, at, &from)) {
            assert(owner[at] < 0);
            owner[at] = p;
        }
    }
}

bool path_touches_itself(const struct board *b, const uint8_t *links, const int32_t *owner)
{
    for (int32_t cell = 0; cell < b->cells; cell++)
        for (int side = RIGHT; side <= DOWN; side++) {
            int32_t other = b->next[cell][side];
            if (other >= 0 && owner[other] == owner[cell] && !(links[cell] >> side & 1))
                return true;
        }
    return false;
}

/* ---- shortest ways --------------------------------------------------------------------------- */

/* Cells of the shortest way from end to end of a path past walls and other ends, by breadth first
   search; 0 where there is none. `length` is that of the shortest way to each cell. */
static int32_t shortest_way(const struct board *b, int32_t p, int32_t *queue, int32_t *length)
{
    int32_t start = b->ends[p][0], end = b->ends[p][1], count = 0;
    memset(length, 0, (size_t)b->cells * sizeof *length);
    length[start] = 1;
    queue[count++] = start;
    for (int32_t i = 0; i < count && !length[end]; i++)
        for (int side = 0; side < SIDES; side++) {
            int32_t other = b->next[queue[i]][side];
            if (other < 0 || length[other] || (b->path[other] != OPEN && b->path[other] != p))
                continue;
            assert(count < b->cells);
            length[other] = length[queue[i]] + 1;
            queue[count++] = other;
        }
    return length[end];
}

/* ---- results --------------------------------------------------------------------------------- */

int32_t path_add_table(struct mw_run *run, struct mw_map *map, int part, const struct board *b,
                       const uint8_t *links)
{
    mw_add_table(run, map, part, b->paths);
    int32_t *cells = MW_NEW(run, int32_t, b->cells), left = 0;
    int32_t *queue = MW_NEW(run, int32_t, b->cells), *length = MW_NEW(run, int32_t, b->cells);
    mw_tick(run, (uint64_t)b->cells * (uint64_t)(b->paths + 1));
    for (int32_t cell = 0; cell < b->cells; cell++)
        left += b->path[cell] != WALL;
    for (int32_t p = 0; p < b->paths; p++) {
        int32_t least = shortest_way(b, p, queue, length);
        left -= least;
        int32_t count = path_trace(b, links, p, cells);
        struct mw_point *points = MW_NEW(run, struct mw_point, count);
        for (int32_t i = 0; i < count; i++)
            points[i] = (struct mw_point){cells[i] % b->width, cells[i] / b->width};
        char *label = mw_calloc(run, 2, 1);
        label[0] = b->letters[p];
        mw_string_column(map, part, 0)[p] = label;
        mw_int_column(map, part, 1)[p] = count;
        mw_int_column(map, part, 2)[p] = least;
        mw_points_column(map, part, 3)[p] = (struct mw_points){points, count};
    }
    return left;
}

struct mw_rows path_rows(struct mw_run *run, const struct board *b, const uint8_t *links)
{
    char *text = MW_NEW(run, char, (b->width + 1) * b->height);
    int32_t *cells = MW_NEW(run, int32_t, b->cells);
    mw_tick(run, (uint64_t)b->cells);
    for (int32_t y = 0; y < b->height; y++) {
        for (int32_t x = 0; x < b->width; x++)
            text[y * (b->width + 1) + x] = b->path[y * b->width + x] == WALL ? '#' : '.';
        text[y * (b->width + 1) + b->width] = '\0';
    }
    for (int32_t p = 0; p < b->paths; p++) {
        int32_t count = 2;
        if (links)
            count = path_trace(b, links, p, cells);
        else
            memcpy(cells, b->ends[p], sizeof b->ends[p]);
        for (int32_t i = 0; i < count; i++)
            text[cells[i] / b->width * (b->width + 1) + cells[i] % b->width] = b->letters[p];
    }
    return (struct mw_rows){text, b->width, b->height};
}
