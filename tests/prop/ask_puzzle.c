/*
 * ask_puzzle.c: see the header.
 */
#include "ask_puzzle.h"

#include <stdio.h>
#include <string.h>

static _Alignas(64) char block[(size_t)1 << 30];
char puzzle_asked[PUZZLE_ASKED];
uint64_t puzzle_spent;

const struct mw_map *puzzle_ask(const char *generator, uint64_t steps,
                                const struct mw_problem **problem)
{
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    struct mw_run *run = mw_open(&limits);
    static struct mw_request request;
    static struct mw_generator brief;
    const struct mw_arg *args;
    size_t count;
    char why[300];
    bool good = mw_read_query(run, puzzle_asked, strlen(puzzle_asked), &args, &count) &&
                mw_bind(run, mw_find(generator), args, count, NULL, &request);
    brief = *mw_find(generator);
    brief.steps = steps ? steps : brief.steps;
    request.generator = &brief;
    const struct mw_map *map = good ? mw_make(run, &request) : NULL;
    if (map)
        ck_assert_msg(!check_puzzle(map, why, sizeof why), "%s\n%s", why, puzzle_asked);
    *problem = &mw_problems(run)->list[0];
    puzzle_spent = mw_steps(run);
    return map;
}

const struct mw_map *puzzle_must(const char *generator)
{
    const struct mw_problem *problem;
    const struct mw_map *map = puzzle_ask(generator, 0, &problem);
    ck_assert_msg(map != NULL, "%s: %s\n%s", problem->pointer, problem->detail, puzzle_asked);
    return map;
}

const struct mw_map *puzzle_solve(const struct puzzle *p, enum puzzle_rule rule, const char *count)
{
    static char rows[PUZZLE_TEXT];
    snprintf(puzzle_asked, sizeof puzzle_asked, "grid=%s&rule=%s&count=%s", puzzle_query(p, rows),
             puzzle_rule_names[rule], count);
    return puzzle_must("puzzle/solve");
}

/* The parts of /puzzle/solve, in the order of the contract. */
bool puzzle_is_solved(const struct mw_map *map) { return map->slots[0].as.value.integer == 0; }
int32_t puzzle_unique(const struct mw_map *map) { return map->slots[1].as.value.integer; }
const char *puzzle_solutions(const struct mw_map *map) { return map->slots[2].as.value.string; }

struct board puzzle_board(struct mw_run **run, const struct puzzle *p)
{
    static char text[PUZZLE_SIDE * (PUZZLE_SIDE + 1)];
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    *run = mw_open(&limits);
    for (int y = 0; y < p->height; y++)
        memcpy(text + y * (p->width + 1), &p->cell[y + 1][1], (size_t)p->width);
    return board_read(*run, (struct mw_rows){text, p->width, p->height});
}

/* ---- boards ---------------------------------------------------------------------------------- */

static void scatter_walls(struct puzzle *p, struct arbitrary *source, int walls)
{
    while (walls-- > 0)
        p->cell[1 + arbitrary_below(source, (uint32_t)p->height)]
               [1 + arbitrary_below(source, (uint32_t)p->width)] = '#';
}

static bool scatter_ends(struct puzzle *p, struct arbitrary *source, int paths)
{
    for (int end = 0; end < 2 * paths; end++) {
        char *cell = NULL;
        for (int tries = 0; tries < 200 && (!cell || *cell != '.'); tries++)
            cell = &p->cell[1 + arbitrary_below(source, (uint32_t)p->height)]
                           [1 + arbitrary_below(source, (uint32_t)p->width)];
        if (*cell != '.')
            return false;
        *cell = (char)('A' + end / 2);
    }
    return true;
}

/* A walk over cells that are still dots in `taken`; its ends get the label. */
static void lay_walk(struct puzzle *p, struct puzzle *taken, struct arbitrary *source, char label)
{
    int x = 1 + (int)arbitrary_below(source, (uint32_t)p->width),
        y = 1 + (int)arbitrary_below(source, (uint32_t)p->height);
    int x0 = x, y0 = y, most = 2 + (int)arbitrary_below(source, 10);
    for (int length = 1; taken->cell[y][x] == '.' && length <= most; length++) {
        int ways[4][2], n = 0;
        taken->cell[y][x] = label;
        for (int d = 0; d < 4; d++) {
            int x2 = x + (d == 0) - (d == 2), y2 = y + (d == 1) - (d == 3);
            if (taken->cell[y2][x2] == '.') {
                ways[n][0] = x2;
                ways[n++][1] = y2;
            }
        }
        if (!n || length == most)
            break;
        int way = (int)arbitrary_below(source, (uint32_t)n);
        x = ways[way][0];
        y = ways[way][1];
    }
    if ((x != x0 || y != y0) && taken->cell[y0][x0] == label && taken->cell[y][x] == label)
        p->cell[y0][x0] = p->cell[y][x] = label;
}

bool puzzle_draw(struct puzzle *p, struct arbitrary *source, int side)
{
    int width = 1 + (int)arbitrary_below(source, (uint32_t)side),
        height = 1 + (int)arbitrary_below(source, (uint32_t)side);
    puzzle_blank(p, width, height);
    if (arbitrary_below(source, 2))
        scatter_walls(p, source, (int)arbitrary_below(source, (uint32_t)(width * height / 4 + 1)));
    if (arbitrary_below(source, 2))
        return scatter_ends(p, source,
                            1 + (int)arbitrary_below(source, (uint32_t)(width * height / 6 + 1)));
    struct puzzle taken = *p;
    for (int i = 0; i < width * height; i++)
        if (puzzle_paths(p) < 20)
            lay_walk(p, &taken, source, (char)('A' + puzzle_paths(p)));
    for (int y = 1; arbitrary_below(source, 2) && y <= height; y++)
        for (int x = 1; x <= width; x++)
            if (taken.cell[y][x] == '.')
                p->cell[y][x] = '#';
    return puzzle_paths(p) > 0;
}

void puzzle_mirror(struct puzzle *p)
{
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width / 2; x++) {
            char c = p->cell[y][x];
            p->cell[y][x] = p->cell[y][p->width + 1 - x];
            p->cell[y][p->width + 1 - x] = c;
        }
}

void puzzle_transpose(struct puzzle *p)
{
    struct puzzle old = *p;
    p->width = old.height;
    p->height = old.width;
    for (int y = 1; y <= p->height; y++)
        for (int x = 1; x <= p->width; x++)
            p->cell[y][x] = old.cell[x][y];
}
