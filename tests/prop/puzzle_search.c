/*
 * puzzle_search.c: how many guesses a plain search takes to solve a board, and to find no other
 * solution.
 *
 * It knows what every player knows: how many links a cell has, that paths do not meet, close or
 * (strict) touch themselves. That is looked at all over the board until nothing changes; then it
 * guesses a link at the end of a path that has begun, one way and then the other.
 *
 * Where it begins is an accident of which corner comes first, by which it may take a hundred times
 * as many guesses; a player begins where it is best. So a board is searched in all eight ways to
 * lay it down, and the three least efforts count, as one alone is often luck. As they are often far
 * less than the others, none may take much more than they are known to be: the most allowed doubles
 * until three are done.
 */
#include "check_puzzle.h"

#include <string.h>

enum { MAYBE, YES, NO };
enum { WAYS = 8, BEST = 3, CELLS = PUZZLE_SIDE * PUZZLE_SIDE + 1 };

struct state {
    char link[PUZZLE_SIDE + 2][PUZZLE_SIDE + 2][2]; /* to the right, down */
};

struct plain {
    const struct puzzle *board;
    bool strict, changed;
    struct state now;
    int chain[PUZZLE_SIDE + 2][PUZZLE_SIDE + 2]; /* cells linked with each other, from 1 */
    int chains, spare[CELLS]; /* their number; cells less links of each: 0 in a ring */
    char label[CELLS];        /* of a chain, '.': not known */
    long guesses, most;
};

static char *link_of(struct plain *s, int x, int y, int d)
{
    return &s->now.link[y - (d == 3)][x - (d == 2)][d & 1];
}

static bool set(struct plain *s, char *link, char value)
{
    s->changed |= *link == MAYBE;
    if (*link == MAYBE)
        *link = value;
    return *link == value;
}

static void flood(struct plain *s, int x, int y, int number)
{
    char label = s->board->cell[y][x];
    s->chain[y][x] = number;
    if (label != '.')
        s->label[number] = label;
    for (int d = 0; d < 4; d++) {
        int x2 = x + (d == 0) - (d == 2), y2 = y + (d == 1) - (d == 3);
        if (*link_of(s, x, y, d) == YES && !s->chain[y2][x2])
            flood(s, x2, y2, number);
    }
}

static void name_chains(struct plain *s)
{
    s->chains = 0;
    memset(s->chain, 0, sizeof *s->chain * (size_t)(s->board->height + 1));
    for (int y = 1; y <= s->board->height; y++)
        for (int x = 1; x <= s->board->width; x++)
            if (s->board->cell[y][x] != '#' && !s->chain[y][x]) {
                s->label[++s->chains] = '.';
                s->spare[s->chains] = 0;
                flood(s, x, y, s->chains);
            }
}

static bool look_at_cell(struct plain *s, int x, int y)
{
    int yes = 0, maybe = 0, need = s->board->cell[y][x] == '.' ? 2 : 1;
    for (int d = 0; d < 4; d++) {
        yes += *link_of(s, x, y, d) == YES;
        maybe += *link_of(s, x, y, d) == MAYBE;
    }
    if (yes > need || yes + maybe < need)
        return false;
    if (!maybe || (yes < need && yes + maybe > need))
        return true;
    for (int d = 0; d < 4; d++)
        if (*link_of(s, x, y, d) == MAYBE)
            set(s, link_of(s, x, y, d), yes == need ? NO : YES);
    return true;
}

static bool look_at_pair(struct plain *s, int x, int y, int d)
{
    int a = s->chain[y][x], b = s->chain[y + (d == 1)][x + (d == 0)];
    char *link = link_of(s, x, y, d);
    if (!a || !b)
        return true;
    bool labelled = s->label[a] != '.' && s->label[b] != '.';
    if (a == b)
        return *link == YES || (!s->strict && set(s, link, NO));
    if (labelled && s->label[a] != s->label[b])
        return set(s, link, NO);
    return !labelled || !s->strict || set(s, link, YES);
}

/* Three links around a square would touch. */
static bool look_at_square(struct plain *s, int x, int y)
{
    char *side[4] = {link_of(s, x, y, 0), link_of(s, x, y, 1), link_of(s, x + 1, y, 1),
                     link_of(s, x, y + 1, 0)};
    int yes = 0;
    for (int i = 0; i < 4; i++)
        yes += *side[i] == YES;
    for (int i = 0; i < 4 && yes == 2; i++)
        if (*side[i] == MAYBE)
            set(s, side[i], NO);
    return yes < 3;
}

/* Paths neither close nor end where they should not. */
static bool chains_are_sound(struct plain *s)
{
    for (int y = 1; y <= s->board->height; y++)
        for (int x = 1; x <= s->board->width; x++) {
            char label = s->board->cell[y][x];
            int yes = (*link_of(s, x, y, 0) == YES) + (*link_of(s, x, y, 1) == YES);
            if (label == '#')
                continue;
            s->spare[s->chain[y][x]] += 1 - yes;
            if (label != '.' && label != s->label[s->chain[y][x]])
                return false;
        }
    for (int i = 1; i <= s->chains; i++)
        if (s->spare[i] <= 0)
            return false;
    return true;
}

static bool look_at_cells(struct plain *s)
{
    do {
        s->changed = false;
        for (int y = 1; y <= s->board->height; y++)
            for (int x = 1; x <= s->board->width; x++)
                if (s->board->cell[y][x] != '#' &&
                    (!look_at_cell(s, x, y) || (s->strict && !look_at_square(s, x, y))))
                    return false;
    } while (s->changed);
    return true;
}

static bool look_at_pairs(struct plain *s)
{
    for (int y = 1; y <= s->board->height; y++)
        for (int x = 1; x <= s->board->width; x++)
            if (s->board->cell[y][x] != '#' &&
                (!look_at_pair(s, x, y, 0) || !look_at_pair(s, x, y, 1)))
                return false;
    return true;
}

static bool settle(struct plain *s)
{
    do {
        if (!look_at_cells(s))
            return false;
        name_chains(s);
        if (!chains_are_sound(s) || !look_at_pairs(s))
            return false;
    } while (s->changed);
    return true;
}

/* A link that is not known, at a path that has begun, if there is one. */
static char *choose(struct plain *s)
{
    char *any = NULL;
    for (int y = 1; y <= s->board->height; y++)
        for (int x = 1; x <= s->board->width; x++)
            for (int d = 0; d < 4; d++) {
                char *link = link_of(s, x, y, d);
                if (s->board->cell[y][x] == '#' || *link != MAYBE)
                    continue;
                if (s->label[s->chain[y][x]] != '.')
                    return link;
                any = any ? any : link;
            }
    return any;
}

static void search(struct plain *s)
{
    if (s->guesses > s->most || !settle(s))
        return;
    char *link = choose(s);
    if (!link)
        return; /* a solution */
    s->guesses++;
    struct state before = s->now;
    *link = YES;
    search(s);
    s->now = before;
    *link = NO;
    search(s);
    s->now = before;
}

static long guesses_as_it_lies(const struct puzzle *board, enum puzzle_rule rule, long most)
{
    static struct plain s;
    memset(&s, 0, sizeof s);
    s.board = board;
    s.strict = rule == PUZZLE_STRICT;
    s.most = most;
    for (int y = 0; y <= board->height; y++)
        for (int x = 0; x <= board->width; x++)
            for (int d = 0; d < 2; d++)
                if (board->cell[y][x] == '#' || board->cell[y + (d == 1)][x + (d == 0)] == '#')
                    s.now.link[y][x][d] = NO;
    search(&s);
    return s.guesses;
}

/* Mirrored left to right, upside down, about its diagonal: as the bits of `way` say. */
static struct puzzle laid(const struct puzzle *board, int way)
{
    struct puzzle p = *board;
    if (way & 4) {
        p.width = board->height;
        p.height = board->width;
    }
    memset(p.cell, '#', sizeof p.cell);
    for (int y = 1; y <= board->height; y++)
        for (int x = 1; x <= board->width; x++) {
            int x2 = way & 1 ? board->width + 1 - x : x;
            int y2 = way & 2 ? board->height + 1 - y : y;
            *(way & 4 ? &p.cell[x2][y2] : &p.cell[y2][x2]) = board->cell[y][x];
        }
    return p;
}

long puzzle_guesses(const struct puzzle *board, enum puzzle_rule rule, long most)
{
    long limit = 1, least[BEST], sum = 0;
    do {
        limit = 2 * limit < most ? 2 * limit : most;
        for (int i = 0; i < BEST; i++)
            least[i] = limit + 1;
        for (int way = 0; way < WAYS; way++) {
            struct puzzle p = laid(board, way);
            long guesses = guesses_as_it_lies(&p, rule, least[BEST - 1] - 1);
            for (int i = 0; i < BEST; i++)
                if (guesses < least[i]) {
                    long more = least[i];
                    least[i] = guesses;
                    guesses = more;
                }
        }
    } while (least[BEST - 1] > limit && limit < most);
    for (int i = 0; i < BEST; i++)
        sum += least[i];
    return sum;
}
