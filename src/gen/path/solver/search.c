/*
 * search.c: path puzzles as clauses, for the solver in sat.c.
 *
 * VARIABLES. One for each two neighbours: they are linked. Some for each cell: the number of its
 * path in binary (its colour), known at the ends; not under strict.
 *
 * CLAUSES.
 *   - An end has one link, another cell two (classic: two or none).
 *   - Linked cells have equal colours, bit by bit (not under strict).
 *   - Four cells of a square are not all linked; strict: not even by three links.
 *   - Strict: a cell that bends makes the cell inside it bend the same way (bend.c).
 *
 * COLOURS UNDER STRICT are a theory of the solver. Written as clauses, bit by bit, they took two
 * thirds of a search. Each path has a literal in each cell, "it is on that path", of which at most
 * one holds. Implications are found when a link or a colour becomes known, from one literal or two:
 *
 *     linked cells have one colour; so cells of different colours are not linked
 *     neighbours of one colour are linked, as no path touches itself
 *
 * When a cell gets a colour, its other colours are not set to false, except those that were false
 * once, as learnt clauses may have them; and that a cell does not have a colour is not passed on:
 * three times the propagation for a tenth fewer conflicts. A literal gets its variable when it is
 * first needed. Each link is looked at once it and the colours of its cells are known. So when all
 * links are known, colours have spread from the ends along the links, and where two ends of
 * different paths were joined, or where neighbours touch, there was a contradiction.
 *
 * Decisions are made on links alone: once all are known, the colours follow from the ends. Under
 * strict the variables of recent conflicts come first, as the solver's activities decay fast; among
 * equals the one nearest to the rim, so that what is known grows inwards. So 50x50 takes two thirds
 * of the conflicts and half of the propagations. Under flow fast decay takes three times as many.
 *
 * LOOPS are not excluded at first, as they are rare and need long clauses. Where an answer has one,
 * no end lies on it, so that where one of its links holds, some link must lead out of its cells:
 * that clause is added, and the search goes on with what it has learnt.
 *
 * WHY IT IS RIGHT. Every solution satisfies all clauses, those added later included. So when the
 * clauses have no answer, the board has no solution, or none but those found before. And an
 * answer without loops is a solution: from an end, links lead on to another end, and colours ensure
 * that it is the right one, and that no path touches itself.
 *
 * A solution that was found is excluded by one clause, "some link of it does not hold". This
 * excludes nothing else: under flow and strict all solutions have equally many links; under classic
 * one that has all links of another has loops besides, or is the same.
 *
 * ANOTHER SOLUTION than a known one differs in one of its links. Under strict, where most boards
 * have no other, the first decision is such a difference. It mostly fails soon, so that the link is
 * known for good. Under flow and classic most boards of that kind have another solution, which is
 * found sooner without.
 *
 * COST. About 20 clauses a cell. Printed boards take some thousand conflicts.
 */
#include "solver.h"

#include "kit/integer.h"
#include "sat.h"

enum { HOLDS, FAILS }; /* literals of variable 0, which holds */
enum { MAX_BITS = 6, MAX_COLOURS = 1 << MAX_BITS /* at least MAX_PATHS */ };

struct clause_search {
    struct mw_run *run;
    const struct board *board;
    enum rule rule;
    int bits; /* of a path's number */
    uint32_t variables;
    struct sat *sat;
    sat_literal (*link)[SIDES];
    sat_literal (*colour)[MAX_BITS]; /* flow and classic */

    /* strict: the solver's theory */
    int32_t *place;      /* of each link's variable: SIDES * cell + side; of a colour's:
                              MAX_COLOURS * cell + path */
    sat_literal *names;  /* by that place: the cell has the colour; 0: not needed yet */
    const int8_t *value; /* of the solver's literals */
    int8_t *now;         /* of each cell: its colour, -1 while that is not known */
    uint64_t *denied;    /* of each cell: colours that it was found not to have */

    sat_literal *clause; /* scratch, which cannot be given back while the solver allocates */
    int32_t *owner;      /* of a cell: its path, or a loop, numbered after the paths; -1 for none */
    int32_t *cells;      /* of a loop */
};

/* ---- colours, under strict ------------------------------------------------------------------- */

static sat_literal has_colour(const struct clause_search *s, int32_t cell, int path)
{
    int32_t place = MAX_COLOURS * cell + path;
    if (!s->names[place]) {
        uint32_t variable = sat_variable(s->sat);
        s->place[variable] = place;
        s->names[place] = 2 * variable;
    }
    return s->names[place];
}

/* Of two neighbours, the first of which has a colour. */
static bool follow_meeting(struct clause_search *s, int32_t cell, int side)
{
    int32_t other = s->board->next[cell][side];
    sat_literal link = s->link[cell][side];
    sat_literal this = has_colour(s, cell, s->now[cell]), like = has_colour(s, other, s->now[cell]);
    int linked = s->value[link], alike = s->value[like];
    if (linked > 0)
        return sat_imply(s->sat, like, this, link);
    if (alike > 0)
        return sat_imply(s->sat, link, this, like);
    if (linked < 0)
        return true;
    if (alike < 0)
        return sat_imply(s->sat, link ^ 1, this, like ^ 1);
    int colour = s->now[other];
    return colour < 0 || sat_imply(s->sat, link ^ 1, this, has_colour(s, other, colour));
}

static bool follow_meetings(struct clause_search *s, int32_t cell)
{
    for (int side = 0; side < SIDES; side++)
        if (s->board->next[cell][side] >= 0 && s->link[cell][side] >= 2 &&
            !follow_meeting(s, cell, side))
            return false;
    return true;
}

static bool follow_colour(struct clause_search *s, sat_literal literal, int32_t cell, int path)
{
    uint64_t bit = UINT64_C(1) << path;
    if (s->now[cell] >= 0) /* two at once */
        return sat_imply(s->sat, has_colour(s, cell, s->now[cell]) ^ 1, literal, literal);
    s->now[cell] = (int8_t)path;
    for (uint64_t left = s->denied[cell] & ~bit; left; left &= left - 1)
        if (!sat_imply(s->sat, has_colour(s, cell, __builtin_ctzll(left)) ^ 1, literal, literal))
            return false;
    return follow_meetings(s, cell);
}

static bool follow_link(struct clause_search *s, int32_t cell, int side)
{
    if (s->now[cell] >= 0)
        return follow_meeting(s, cell, side);
    int32_t other = s->board->next[cell][side];
    return s->now[other] < 0 || follow_meeting(s, other, opposite(side));
}

static bool follow_literal(void *search, sat_literal literal)
{
    struct clause_search *s = search;
    uint32_t variable = literal >> 1;
    if (!variable)
        return true;
    if (variable < s->variables)
        return follow_link(s, s->place[variable] / SIDES, s->place[variable] % SIDES);
    int32_t cell = s->place[variable] / MAX_COLOURS;
    int path = s->place[variable] % MAX_COLOURS;
    if (!(literal & 1))
        return follow_colour(s, literal, cell, path);
    s->denied[cell] |= UINT64_C(1) << path;
    return true;
}

static void take_back_literal(void *search, sat_literal literal)
{
    struct clause_search *s = search;
    uint32_t variable = literal >> 1;
    if (variable < s->variables || literal & 1)
        return;
    int32_t cell = s->place[variable] / MAX_COLOURS;
    if (s->now[cell] == s->place[variable] % MAX_COLOURS)
        s->now[cell] = -1;
}

/* ---- variables ------------------------------------------------------------------------------- */

static sat_literal new_literal(struct clause_search *s) { return 2 * s->variables++; }

/* How far a cell is from the rim. */
static int32_t depth_of(const struct board *b, int32_t cell)
{
    int32_t x = cell % b->width, y = cell / b->width;
    return mw_min(mw_min(x, b->width - 1 - x), mw_min(y, b->height - 1 - y));
}

/* Under strict from the rim inwards: with all else equal, the solver decides them in this order. */
static void name_links(struct clause_search *s)
{
    const struct board *b = s->board;
    for (int32_t cell = 0; cell < b->cells; cell++)
        for (int side = 0; side < SIDES; side++)
            s->link[cell][side] = FAILS;
    for (int32_t depth = 0; depth < (s->rule == STRICT ? (b->height + 1) / 2 : 1); depth++)
        for (int32_t cell = 0; cell < b->cells; cell++)
            for (int side = RIGHT; side <= DOWN; side++) {
                int32_t other = b->next[cell][side];
                bool apart = s->rule == STRICT && depth_of(b, cell) != depth;
                if (other >= 0 && !apart &&
                    (!board_is_end(s->board, cell) || !board_is_end(s->board, other) ||
                     b->path[cell] == b->path[other]))
                    s->link[cell][side] = s->link[other][opposite(side)] = new_literal(s);
            }
}

/* Under flow and classic: the number of a cell's path in binary, known at the ends. */
static void name_colours(struct clause_search *s)
{
    for (int32_t cell = 0; cell < s->board->cells; cell++)
        for (int k = 0; k < s->bits; k++) {
            if (s->board->path[cell] == OPEN)
                s->colour[cell][k] = new_literal(s);
            else
                s->colour[cell][k] = s->board->path[cell] >> k & 1 ? HOLDS : FAILS;
        }
}

/* ---- clauses --------------------------------------------------------------------------------- */

/* At least `least` of the four links of a cell, or none of them where `or_none`. */
static void at_least(struct clause_search *s, const sat_literal *link, int least, bool or_none)
{
    for (int a = 0; a < SIDES; a++) {
        sat_literal rest[SIDES];
        uint32_t count = 0;
        for (int side = 0; side < SIDES; side++)
            if (side != a)
                rest[count++] = link[side];
        if (or_none || least == 1)
            rest[count++] = link[a] ^ or_none;
        sat_add(s->sat, rest, count);
    }
}

/* At most `most` of the four links: no larger set of them holds. */
static void at_most(struct clause_search *s, const sat_literal *link, int most)
{
    for (unsigned set = 0; set < 1u << SIDES; set++) {
        sat_literal clause[SIDES];
        uint32_t count = 0;
        for (int side = 0; side < SIDES; side++)
            if (set >> side & 1)
                clause[count++] = link[side] ^ 1;
        if ((int)count == most + 1)
            sat_add(s->sat, clause, count);
    }
}

static void add_degrees(struct clause_search *s)
{
    for (int32_t cell = 0; cell < s->board->cells; cell++) {
        if (s->board->path[cell] == WALL)
            continue;
        int degree = board_is_end(s->board, cell) ? 1 : 2;
        at_least(s, s->link[cell], degree, s->rule == CLASSIC && degree == 2);
        at_most(s, s->link[cell], degree);
    }
}

/* Linked cells have one colour; bits that would name no path are not to be. */
static void add_colours(struct clause_search *s)
{
    const struct board *b = s->board;
    for (int32_t cell = 0; cell < b->cells; cell++) {
        for (int side = RIGHT; side <= DOWN; side++) {
            sat_literal link = s->link[cell][side];
            for (int k = 0; link != FAILS && k < s->bits; k++) {
                sat_literal a = s->colour[cell][k], c = s->colour[b->next[cell][side]][k];
                sat_add(s->sat, (sat_literal[]){link ^ 1, a ^ 1, c}, 3);
                sat_add(s->sat, (sat_literal[]){link ^ 1, a, c ^ 1}, 3);
            }
        }
        for (int code = b->paths; s->board->path[cell] == OPEN && code < 1 << s->bits; code++) {
            sat_literal clause[MAX_BITS];
            for (int k = 0; k < s->bits; k++)
                clause[k] = s->colour[cell][k] ^ (code >> k & 1);
            sat_add(s->sat, clause, (uint32_t)s->bits);
        }
    }
}

/* Strict: a bend makes the cell inside it bend the same way, or be an end or a wall. Where the
   diagonal ends at the rim, it cannot be. */
static void add_bends(struct clause_search *s)
{
    const struct board *b = s->board;
    const uint8_t *bends = path_bends(s->run, b);
    for (int32_t cell = 0; cell < b->cells; cell++)
        for (int side = 0; side < SIDES; side++) {
            int turn = (side + 1) % SIDES;
            int32_t x = b->next[cell][side], y = b->next[cell][turn];
            if (s->board->path[cell] != OPEN || x < 0 || y < 0)
                continue;
            sat_literal no = s->link[cell][side] ^ 1, nor = s->link[cell][turn] ^ 1;
            int32_t inside = b->next[x][turn];
            if (!(bends[cell] >> side & 1)) {
                sat_add(s->sat, (sat_literal[]){no, nor}, 2);
            } else if (inside >= 0 && !board_is_end(s->board, inside)) {
                sat_add(s->sat, (sat_literal[]){no, nor, s->link[inside][side]}, 3);
                sat_add(s->sat, (sat_literal[]){no, nor, s->link[inside][turn]}, 3);
            }
        }
}

/* No loop of four cells; strict: not even three sides of one. */
static void add_squares(struct clause_search *s)
{
    const struct board *b = s->board;
    for (int32_t cell = 0; cell < b->cells; cell++) {
        int32_t right = b->next[cell][RIGHT], down = b->next[cell][DOWN];
        if (right < 0 || down < 0)
            continue;
        sat_literal square[SIDES] = {s->link[cell][RIGHT], s->link[cell][DOWN],
                                     s->link[right][DOWN], s->link[down][RIGHT]};
        at_most(s, square, s->rule == STRICT ? 2 : 3);
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void read_links(const struct clause_search *s, uint8_t *links)
{
    const struct board *b = s->board;
    const int8_t *value = sat_values(s->sat);
    memset(links, 0, (size_t)b->cells);
    for (int32_t cell = 0; cell < b->cells; cell++)
        for (int side = 0; side < SIDES; side++)
            if (value[s->link[cell][side]] > 0)
                links[cell] |= (uint8_t)(1 << side);
}

/* Cuts a loop of so many cells: where any of its links holds, some link leads out of its cells, as
   none of them is an end. */
static void cut_loop(struct clause_search *s, const uint8_t *links, int32_t count)
{
    const struct board *b = s->board;
    const int32_t *loop = s->cells, *owner = s->owner;
    sat_literal *clause = s->clause;
    uint32_t out = 0;
    for (int32_t i = 0; i < count; i++)
        for (int side = 0; side < SIDES; side++) {
            int32_t other = b->next[loop[i]][side];
            if (other >= 0 && owner[other] != owner[loop[i]] && s->link[loop[i]][side] != FAILS)
                clause[out++] = s->link[loop[i]][side];
        }
    if (s->rule != CLASSIC)
        sat_add(s->sat, clause, out);
    for (int32_t i = 0; s->rule == CLASSIC && i < count; i++)
        for (int side = RIGHT; side <= DOWN; side++)
            if (links[loop[i]] >> side & 1) {
                clause[out] = s->link[loop[i]][side] ^ 1;
                sat_add(s->sat, clause, out + 1);
            }
}

/* Cuts all loops; false where there was none. */
static bool cut_loops(struct clause_search *s, const uint8_t *links)
{
    const struct board *b = s->board;
    int32_t number = b->paths;
    path_owners(s->run, b, links, s->owner);
    for (int32_t cell = 0; cell < b->cells; cell++) {
        if (s->owner[cell] >= 0 || !links[cell])
            continue;
        int32_t count = 0, at = cell;
        for (int from = SIDES; at >= 0 && s->owner[at] < 0; at = path_step(b, links, at, &from)) {
            assert(count < b->cells);
            s->owner[at] = number;
            s->cells[count++] = at;
        }
        assert(at == cell && count > 4); /* squares are forbidden from the beginning */
        cut_loop(s, links, count);
        number++;
    }
    return number > b->paths;
}

/* ---- the search ------------------------------------------------------------------------------ */

static void begin_theory(struct clause_search *s)
{
    const struct board *b = s->board;
    uint32_t most = s->variables + (uint32_t)(b->cells * b->paths);
    s->sat = sat_new(s->run, s->variables, s->variables, most,
                     (struct sat_theory){s, follow_literal, take_back_literal});
    s->value = sat_values(s->sat);
    s->place = MW_NEW(s->run, int32_t, most);
    s->names = MW_NEW0(s->run, sat_literal, MAX_COLOURS * b->cells);
    s->now = MW_NEW(s->run, int8_t, b->cells);
    memset(s->now, 0xff, (size_t)b->cells);
    s->denied = MW_NEW0(s->run, uint64_t, b->cells);
    for (int32_t cell = 0; cell < b->cells; cell++)
        for (int side = RIGHT; side <= DOWN; side++)
            s->place[s->link[cell][side] >> 1] = SIDES * cell + side;
    sat_add(s->sat, (sat_literal[]){HOLDS}, 1);
    for (int32_t cell = 0; cell < b->cells; cell++)
        if (board_is_end(b, cell))
            sat_add(s->sat, (sat_literal[]){has_colour(s, cell, b->path[cell])}, 1);
}

/* With colours as a theory, or as clauses: under strict, where neighbours keep apart, a theory
   takes half of the time; under the other rules what is learnt of bits leads on farther. */
static void begin_solver(struct clause_search *s)
{
    const struct board *b = s->board;
    const uint32_t links = s->variables;
    assert(b->paths <= 1 << MAX_BITS && links <= 2 * (uint32_t)b->cells + 1);
    while (1 << s->bits < b->paths)
        s->bits++;
    if (s->rule != STRICT) {
        s->colour = mw_alloc(s->run, (size_t)b->cells, sizeof *s->colour);
        name_colours(s);
        s->sat = sat_new(s->run, links, s->variables, s->variables, (struct sat_theory){0});
        sat_add(s->sat, (sat_literal[]){HOLDS}, 1);
        return;
    }
    begin_theory(s);
}

struct clause_search *search_new(struct mw_run *run, const struct board *b, enum rule rule)
{
    struct clause_search *s = MW_NEW0(run, struct clause_search, 1);
    *s = (struct clause_search){.run = run, .board = b, .rule = rule, .variables = 1};
    s->link = mw_alloc(run, (size_t)b->cells, sizeof *s->link);
    s->clause = MW_NEW(run, sat_literal, 4 * b->cells + 1);
    s->cells = MW_NEW(run, int32_t, b->cells);
    s->owner = MW_NEW(run, int32_t, b->cells);
    mw_tick(run, (uint64_t)b->cells * 64);
    name_links(s);
    begin_solver(s);
    add_degrees(s);
    add_squares(s);
    if (rule == STRICT)
        add_bends(s);
    else
        add_colours(s);
    return s;
}

/* From now on some link of the solution does not hold. */
static void forbid(struct clause_search *s, const uint8_t *links)
{
    uint32_t count = 0;
    for (int32_t cell = 0; cell < s->board->cells; cell++)
        for (int side = RIGHT; side <= DOWN; side++)
            if (links[cell] >> side & 1) {
                assert(count < 4 * (uint32_t)s->board->cells);
                s->clause[count++] = s->link[cell][side] ^ 1;
            }
    sat_add(s->sat, s->clause, count);
}

void search_exclude(struct clause_search *s, const uint8_t *links)
{
    forbid(s, links);
    for (int32_t cell = 0; cell < s->board->cells && s->rule == STRICT; cell++)
        for (int side = RIGHT; side <= DOWN; side++)
            sat_prefer(s->sat, s->link[cell][side] ^ (links[cell] >> side & 1));
}

enum answer search_next(struct clause_search *s, uint64_t steps, uint8_t *links)
{
    uint64_t start = mw_steps(s->run);
    for (;;) {
        uint64_t spent = mw_steps(s->run) - start;
        enum sat_answer answer = spent < steps ? sat_solve(s->sat, steps - spent) : SAT_UNKNOWN;
        if (answer != SAT_SATISFIABLE)
            return answer == SAT_UNSATISFIABLE ? EXHAUSTED : UNDECIDED;
        read_links(s, links);
        if (cut_loops(s, links))
            continue;
        forbid(s, links);
        return FOUND;
    }
}
