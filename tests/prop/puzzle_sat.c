/*
 * puzzle_sat.c: path puzzles by another solver, on clauses of another kind.
 *
 * A variable says that a cell has a colour, another that two neighbours are joined. Joined cells
 * have all colours alike; an end has its own and one join, another cell none or one colour, and two
 * joins with one (none without). Flow and strict: every cell has a colour; strict: neighbours of a
 * colour are joined. Loops are forbidden one by one, as they turn up, and so are solutions, to
 * count them.
 */
#include "check_puzzle.h"

#include <ccadical.h>
#include <limits.h>
#include <string.h>
#include <time.h>

enum { CELLS = PUZZLE_SIDE * PUZZLE_SIDE };

struct reference {
    CCaDiCaL *solver;
    const struct puzzle *board;
    enum puzzle_rule rule;
    char labels[PUZZLE_SIDE + 1];
    int colours;
    double deadline;
};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int is_late(void *context)
{
    return seconds_now() > ((struct reference *)context)->deadline;
}

/* Joins: variables 1 ..; d = 0 to the right, 1 down. Colours behind them. */
static int join(const struct reference *r, int x, int y, int d)
{
    int x2 = x + (d == 0) - (d == 2), y2 = y + (d == 1) - (d == 3);
    if (r->board->cell[y][x] == '#' || r->board->cell[y2][x2] == '#')
        return 0;
    if (d > 1)
        return join(r, x2, y2, d - 2);
    return 1 + 2 * (y * (PUZZLE_SIDE + 2) + x) + d;
}

static int colour(const struct reference *r, int x, int y, int c)
{
    int cells = (PUZZLE_SIDE + 2) * (PUZZLE_SIDE + 2);
    return 1 + 2 * cells + (y * (PUZZLE_SIDE + 2) + x) * r->colours + c;
}

static void clause(struct reference *r, int count, const int *literals)
{
    for (int i = 0; i < count; i++)
        ccadical_add(r->solver, literals[i]);
    ccadical_add(r->solver, 0);
}

static void clause3(struct reference *r, int a, int b, int c)
{
    clause(r, c ? 3 : b ? 2 : 1, (int[]){a, b, c});
}

/* `used`: a literal that holds when the cell is on a path; then exactly `degree` joins, else
   none. */
static void add_degree(struct reference *r, int x, int y, const int *used, int uses, int degree)
{
    int joins[4], n = 0;
    for (int d = 0; d < 4; d++)
        if (join(r, x, y, d))
            joins[n++] = join(r, x, y, d);
    for (int set = 0; set < 1 << n; set++) {
        int literals[4], size = 0, rest[4], others = 0;
        for (int i = 0; i < n; i++)
            if (set >> i & 1)
                literals[size++] = -joins[i];
            else
                rest[others++] = joins[i];
        if (size == degree + 1) /* not more */
            clause(r, size, literals);
        if (size == degree - 1) /* not less, with any colour */
            for (int u = 0; u < uses; u++) {
                int whole[5] = {-used[u]};
                memcpy(whole + 1, rest, (size_t)others * sizeof *rest);
                clause(r, others + 1, whole);
            }
    }
    if (n < degree)
        for (int u = 0; u < uses; u++)
            clause3(r, -used[u], 0, 0);
    for (int i = 0; i < n; i++) { /* a join wants a colour */
        ccadical_add(r->solver, -joins[i]);
        clause(r, uses, used);
    }
}

static void add_cell(struct reference *r, int x, int y)
{
    char label = r->board->cell[y][x];
    int used[PUZZLE_SIDE];
    for (int c = 0; c < r->colours; c++)
        used[c] = colour(r, x, y, c);
    for (int a = 0; a < r->colours; a++)
        for (int b = 0; b < a; b++)
            clause3(r, -used[a], -used[b], 0);
    if (label != '.')
        clause3(r, used[strchr(r->labels, label) - r->labels], 0, 0);
    else if (r->rule != PUZZLE_CLASSIC)
        clause(r, r->colours, used);
    add_degree(r, x, y, used, r->colours, label == '.' ? 2 : 1);
    for (int d = 0; d < 2; d++)
        for (int c = 0; c < r->colours && join(r, x, y, d); c++) {
            int here = used[c], there = colour(r, x + (d == 0), y + (d == 1), c);
            clause3(r, -join(r, x, y, d), -here, there);
            clause3(r, -join(r, x, y, d), here, -there);
            if (r->rule == PUZZLE_STRICT)
                clause3(r, join(r, x, y, d), -here, -there);
        }
}

static bool holds(const struct reference *r, int x, int y, int d)
{
    return join(r, x, y, d) && ccadical_val(r->solver, join(r, x, y, d)) > 0;
}

/* Walks from a cell as far as it goes; marks the way, lists its joins; true where it came back: a
   loop. */
static bool walk(const struct reference *r, int x, int y, bool seen[][PUZZLE_SIDE + 2], int *joins,
                 int *count)
{
    int from = -1, x0 = x, y0 = y;
    for (;;) {
        seen[y][x] = true;
        int d = 0;
        while (d < 4 && (d == from || !holds(r, x, y, d)))
            d++;
        if (d == 4)
            return false;
        joins[(*count)++] = join(r, x, y, d);
        x += (d == 0) - (d == 2);
        y += (d == 1) - (d == 3);
        from = d ^ 2;
        if (x == x0 && y == y0)
            return true;
    }
}

static bool forbid_loops(struct reference *r)
{
    static bool seen[PUZZLE_SIDE + 2][PUZZLE_SIDE + 2];
    static int joins[CELLS], ends[CELLS], loops[CELLS + 1];
    int all = 0, count = 0;
    bool any = false;
    memset(seen, 0, sizeof seen);
    for (int round = 0; round < 2;
         round++) /* paths from their ends first; what is left are loops */
        for (int y = 1; y <= r->board->height; y++)
            for (int x = 1; x <= r->board->width; x++) {
                char label = r->board->cell[y][x];
                if (label == '#' || seen[y][x] || (round == 0) != (label != '.'))
                    continue;
                count = 0;
                if (walk(r, x, y, seen, round ? joins : ends, &count)) {
                    for (int i = 0; i < count; i++)
                        loops[all++] = -joins[i];
                    loops[all++] = 0;
                    any = true;
                }
            }
    for (int i = 0; i < all; i++)
        ccadical_add(r->solver, loops[i]);
    return any;
}

static void forbid_solution(struct reference *r)
{
    static int joins[2 * CELLS];
    int count = 0;
    for (int y = 1; y <= r->board->height; y++)
        for (int x = 1; x <= r->board->width; x++)
            for (int d = 0; d < 2; d++)
                if (holds(r, x, y, d))
                    joins[count++] = -join(r, x, y, d);
    clause(r, count, joins);
}

static void count_conflict(void *context, int *learnt)
{
    (void)learnt;
    ++*(long *)context;
}

static long count_solutions(const struct puzzle *board, enum puzzle_rule rule, long most,
                            double seconds, long *conflicts)
{
    struct reference r = {ccadical_init(), board, rule, "", 0, seconds_now() + seconds};
    long count = 0;
    ccadical_set_option(r.solver, "quiet", 1);
    if (conflicts)
        ccadical_set_learn(r.solver, conflicts, INT_MAX, count_conflict);
    ccadical_set_terminate(r.solver, &r, is_late);
    for (int y = 1; y <= board->height; y++)
        for (int x = 1; x <= board->width; x++)
            if (board->cell[y][x] != '#' && board->cell[y][x] != '.' &&
                !strchr(r.labels, board->cell[y][x]))
                r.labels[r.colours++] = board->cell[y][x];
    for (int y = 1; y <= board->height; y++)
        for (int x = 1; x <= board->width; x++)
            if (board->cell[y][x] != '#')
                add_cell(&r, x, y);
    int answer = 10;
    while (count <= most && (answer = ccadical_solve(r.solver)) == 10) {
        if (forbid_loops(&r))
            continue;
        count++;
        forbid_solution(&r);
    }
    ccadical_release(r.solver);
    return answer == 0 ? -1 : count;
}

long puzzle_reference(const struct puzzle *board, enum puzzle_rule rule, long most, double seconds)
{
    return count_solutions(board, rule, most, seconds, NULL);
}

long puzzle_conflicts(const struct puzzle *board, enum puzzle_rule rule)
{
    long conflicts = 0;
    count_solutions(board, rule, 1, 20, &conflicts);
    return conflicts;
}
