/*
 * walks.c: how many walks on masked land, nearly as long as light and dark cells allow, are found,
 * how many are said not to exist, and how many stay undecided.
 *
 *     walks [MASKS]      a line for each side of a map: of so many masks each, and the CPU of one
 *
 * From 70 to 95 in a hundred cells are land, by chance. What is asked for is what the chessboard
 * allows in the best piece of land, less 0 to 3.
 */
#include "mapwright.h"
#include "measure.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { SIDE_MOST = 64 };

struct land {
    int side;
    char rows[SIDE_MOST * (SIDE_MOST + 1) + 1];
    bool seen[SIDE_MOST][SIDE_MOST];
};

static uint64_t random_state;

static int below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 32) * (uint64_t)n >> 32);
}

static void draw_land(struct land *l, int side)
{
    int percent = 70 + below(26);
    l->side = side;
    memset(l->seen, 0, sizeof l->seen);
    for (int i = 0; i < side * (side + 1); i++)
        l->rows[i] = i % (side + 1) == side ? '/' : below(100) < percent ? '#' : '.';
    l->rows[side * (side + 1) - 1] = '\0';
}

/* Counts the light and dark cells of a piece of land. */
static void flood(struct land *l, int x, int y, int *count)
{
    if (x < 0 || y < 0 || x >= l->side || y >= l->side || l->seen[y][x] ||
        l->rows[y * (l->side + 1) + x] != '#')
        return;
    l->seen[y][x] = true;
    count[(x + y) % 2]++;
    flood(l, x + 1, y, count);
    flood(l, x, y + 1, count);
    flood(l, x - 1, y, count);
    flood(l, x, y - 1, count);
}

static int longest(struct land *l)
{
    int most = 1;
    for (int i = 0; i < l->side * l->side; i++) {
        int count[2] = {0, 0};
        flood(l, i % l->side, i / l->side, count);
        int fewer = count[0] < count[1] ? count[0] : count[1];
        int walk = 2 * fewer + (count[0] != count[1]);
        most = walk > most ? walk : most;
    }
    return most;
}

enum verdict { MADE, NONE, UNDECIDED, VERDICTS };

static enum verdict ask(const struct mw_limits *limits, const struct land *l, int area, int seed)
{
    static char address[SIDE_MOST * SIDE_MOST * 4];
    size_t n = (size_t)snprintf(address, sizeof address,
                                "/areas?algorithm=dfs-backtrack&area=%d&seed=%d&mask=", area, seed);
    for (const char *at = l->rows; *at; at++)
        n += (size_t)snprintf(address + n, sizeof address - n, *at == '#' ? "%%23" : "%c", *at);
    struct mw_run *run = mw_open(limits);
    struct mw_request request;
    if (!mw_bind_address(run, address, n, &request))
        exit(fprintf(stderr, "%s: %s\n", address, mw_problems(run)->list[0].detail));
    if (mw_make(run, &request))
        return MADE;
    bool unknown = strstr(mw_problems(run)->list[0].detail, "were not found") != NULL;
    return unknown ? UNDECIDED : NONE;
}

int main(int argc, char **argv)
{
    static const int sides[] = {6, 8, 10, 12, 16, 20, 30, 50};
    struct mw_limits limits = {.size = (size_t)1 << 30};
    limits.memory = mmap(NULL, limits.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int masks = argc > 1 ? atoi(argv[1]) : 200, all = 0, unknown = 0;
    if (limits.memory == MAP_FAILED)
        return perror("memory"), 1;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        static struct land land;
        int count[VERDICTS] = {0};
        double start = measure_now();
        for (int k = 0; k < masks; k++) {
            random_state = (uint64_t)(k + 1) * 1000003 + (uint64_t)sides[i];
            draw_land(&land, sides[i]);
            int most = longest(&land), area = most > k % 4 ? most - k % 4 : 1;
            count[ask(&limits, &land, area, k)]++;
        }
        printf("walks on masks of %2dx%-2d %4d found, %4d there are none, %4d undecided; %.1f ms\n",
               sides[i], sides[i], count[MADE], count[NONE], count[UNDECIDED],
               (measure_now() - start) * 1e3 / masks);
        all += masks;
        unknown += count[UNDECIDED];
    }
    printf("undecided: %.1f %%\n", 100.0 * unknown / all);
    return 0;
}
