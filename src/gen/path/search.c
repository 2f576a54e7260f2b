/*
 * path_solve.c: the engines put together.
 *
 * FIRST. Strict puzzles are by far easier than the others, as a bend forces so much, and a strict
 * solution is one under every rule. So the first solution is sought under the strict rule and
 * under the one asked for in turn, each time with twice the steps, strict with the larger share.
 *
 * ANOTHER. A proof that there is none needs the rule itself. Most boards with several solutions
 * show it in a small window of the first one (path_window.c). Then two searches take turns: one
 * begins near the first solution, the other where it likes.
 *
 * COUNTING (path_count.c) says both whether there is any and whether there is one alone, on
 * boards that are not too wide, however hard they are for a search. It cannot be taken up again
 * where it was left, so it is tried a few times only, with more steps each time.
 *
 * All of it ends with the run's steps, but for a few that are kept to write the answer down.
 * UNDECIDED is the answer then: never «unsolvable» and never «the only one» without a proof.
 */
#include "path.h"

enum { FIRST_SLICE = 1 << 22, LAST_STEPS = 1 << 18, LARGEST_WINDOW = 7 };
/* Counting is tried on boards of this many cells on the shorter side, with so many times the steps
   of a search: early on small boards, which are nearly always counted then. */
enum { COUNT_SIDE = 20, COUNT_STEPS = 16, SMALL = 200 };

struct solver {
    struct mw_run *run;
    const struct board *board;
    enum rule rule;
    struct search *own, *strict, *near; /* made when they are first needed */
    bool strict_over;
    uint64_t slice;
    uint8_t *first; /* the solution given */
};

/* Steps that the run has left, but for those that writing the answer takes. */
static uint64_t steps_left(const struct mw_run *run)
{
    uint64_t spent = mw_steps(run) + LAST_STEPS;
    return spent < run->budget ? run->budget - spent : 0;
}

static uint64_t at_most(uint64_t steps, const struct mw_run *run)
{
    uint64_t left = steps_left(run);
    return steps < left ? steps : left;
}

static enum answer search_for(struct solver *s, struct search **search, enum rule rule,
                              uint64_t steps, uint8_t *links)
{
    if (!*search)
        *search = search_new(s->run, s->board, rule);
    return search_next(*search, at_most(steps, s->run), links);
}

/* Counting tells whether there are as many as `known` solutions and no more. It begins anew each
   time, so it is tried now and then. */
static enum answer count(struct solver *s, const char *known)
{
    const struct board *b = s->board;
    uint64_t slices = s->slice / FIRST_SLICE;
    bool due = slices == (b->cells <= SMALL ? 1 : 4) || slices == 16;
    if (!due || (b->width < b->height ? b->width : b->height) > COUNT_SIDE)
        return UNDECIDED;
    char *mark = mw_mark(s->run);
    const char *number = path_count(s->run, b, s->rule, at_most(s->slice * COUNT_STEPS, s->run));
    enum answer answer = !number ? UNDECIDED : strcmp(number, known) ? FOUND : EXHAUSTED;
    mw_rewind(s->run, mark);
    return answer;
}

static enum answer find_first(struct solver *s, uint8_t *links)
{
    for (; steps_left(s->run); s->slice *= 2) {
        if (s->rule != STRICT && !s->strict_over) {
            enum answer answer = search_for(s, &s->strict, STRICT, 4 * s->slice, links);
            if (answer == FOUND)
                return FOUND;
            s->strict_over = answer == EXHAUSTED;
        }
        enum answer answer = search_for(s, &s->own, s->rule, s->slice, links);
        if (answer != UNDECIDED)
            return answer;
        if (count(s, "0") == EXHAUSTED)
            return EXHAUSTED;
    }
    return UNDECIDED;
}

/* Small changes to the solution given, which show most boards that have several. */
static bool vary(struct solver *s, uint8_t *links)
{
    memcpy(links, s->first, (size_t)s->board->cells);
    for (int32_t side = 4; s->rule != STRICT && side <= LARGEST_WINDOW; side++)
        if (path_vary(s->run, s->board, s->rule, side, 1, links))
            return true;
    return false;
}

/* Two searches in turn: one stays near the solution given, the other goes where it likes, and may
   meet the same solution first. */
static enum answer find_other(struct solver *s, uint8_t *links)
{
    for (; steps_left(s->run); s->slice *= 2) {
        enum answer answer = search_for(s, &s->near, s->rule, s->slice, links);
        if (answer == UNDECIDED && s->rule != STRICT)
            answer = search_for(s, &s->own, s->rule, s->slice, links);
        if (answer == FOUND && !memcmp(links, s->first, (size_t)s->board->cells))
            answer = search_for(s, &s->own, s->rule, s->slice, links);
        if (answer == UNDECIDED)
            answer = count(s, "1");
        if (answer != UNDECIDED)
            return answer;
    }
    return UNDECIDED;
}

struct solver *solver_new(struct mw_run *run, const struct board *b, enum rule rule)
{
    struct solver *s = MW_NEW0(run, struct solver, 1);
    *s = (struct solver){.run = run, .board = b, .rule = rule, .slice = FIRST_SLICE};
    s->first = MW_NEW(run, uint8_t, b->cells);
    return s;
}

enum answer solver_first(struct solver *s, uint8_t *links)
{
    enum answer answer = find_first(s, s->first);
    if (answer == FOUND)
        memcpy(links, s->first, (size_t)s->board->cells);
    return answer;
}

enum answer solver_other(struct solver *s)
{
    uint8_t *links = MW_NEW(s->run, uint8_t, s->board->cells);
    if (vary(s, links))
        return FOUND;
    if (s->rule == STRICT) {
        s->near = s->own; /* which found the first, and goes on alone */
    } else {
        s->near = search_new(s->run, s->board, s->rule);
        search_exclude(s->near, s->first);
    }
    s->slice = FIRST_SLICE;
    return find_other(s, links);
}
