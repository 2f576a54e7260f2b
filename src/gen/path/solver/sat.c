/*
 * sat.c: satisfiability by conflict-driven clause learning (CDCL).
 *
 * Given clauses (each wants one of its literals to hold), finds values for all variables or proves
 * that there are none. The search decides a value, propagates what follows from it, and learns from
 * every conflict:
 *
 *     decide ──> propagate ──conflict──> back to one literal of the present level
 *       ^            |                              |
 *       |          quiet                            v
 *       +------------+<──── learn the clause, jump back to where it forces a literal
 *
 * PROPAGATION watches two literals of each clause: only when a watched one becomes false is the
 * clause looked at, and nothing has to be undone on the way back. Clauses of two literals live in
 * the watch lists alone. Each watch carries another literal of its clause (the blocker), and where
 * that one holds the clause itself stays untouched in memory. Once propagation is quiet, no clause
 * has a false watch unless a literal of it holds that was set no later.
 *
 * A THEORY may know more about the literals than the clauses. It is called for each that holds, and
 * names others that one or two imply: like clauses of two or three literals that are never stored.
 *
 * LEARNING resolves the conflict with the reasons of its literals, latest first, until one literal
 * of the present level is left (the first unique implication point); literals that follow from
 * others of the clause are dropped. The learnt clause is implied by the clauses given, so no answer
 * is ever lost, and it forces its one literal after the jump back, so no partial assignment is met
 * twice: that is why the search ends. A conflict without any decision proves that there is no
 * answer.
 *
 * ORDER (VSIDS). Variables that take part in conflicts gain activity; the most active one is
 * decided next, and gets the value that it had last (its phase). Activities are integers; the
 * increment grows by a sixteenth with each conflict, so that the past decays (by half with a
 * theory: best for paths under strict), and all are scaled down together before they overflow. Ties
 * go by the variable's number, also among those that became zero. The search restarts without
 * decisions when recent clauses span more levels (their glue, or LBD) than the average of all, and
 * the half of the learnt clauses with the most glue is dropped now and then. No clock, pointer or
 * hash takes part in any of this, so every machine makes the same search.
 *
 * MEMORY comes from the run in blocks of powers of two; a list that outgrows its block leaves it to
 * the next list of that size. Learning stops (SAT_UNKNOWN) while there is still room for the rest
 * of the run.
 *
 * COST. One step is one watch looked at. The method is that of Marques-Silva and Sakallah (GRASP),
 * Moskewicz and others (Chaff), Een and Sorensson (MiniSat), Audemard and Simon (Glucose); there is
 * no preprocessing.
 */
#include "sat_core.h"

enum { RESTART_AFTER = 20 };

/* ---- the search ------------------------------------------------------------------------------ */

static bool should_restart(const struct sat *s)
{
    return s->since_restart >= RESTART_AFTER &&
           s->recent_glue / 5 * 4 > (s->all_glue << 16) / s->conflicts;
}

/* The literal that is decided before all others, or NONE. */
static sat_literal next_preferred(const struct sat *s)
{
    for (uint32_t i = 0; !s->levels && i < s->preferred_count; i++)
        if (!s->value[s->preferred[i]])
            return s->preferred[i];
    return NONE;
}

/* Decides the value of the most active open variable; false where none is open. */
static bool decide(struct sat *s)
{
    sat_literal literal = next_preferred(s);
    while (literal == NONE || s->value[literal]) {
        if (!s->heap.count)
            return false;
        uint32_t variable = (uint32_t)mw_heap_pop(&s->heap, sat_is_more_active, s);
        literal = 2 * variable + !s->phase[variable];
    }
    assert(s->levels >= 0 && (uint32_t)s->levels < s->most);
    s->level_start[s->levels++] = s->trail_count;
    sat_assign(s, literal, NO_REASON);
    return true;
}

enum sat_answer sat_solve(struct sat *s, uint64_t steps)
{
    uint64_t start = mw_steps(s->run);
    sat_backtrack(s, 0);
    while (!s->refuted) {
        bool quiet = sat_propagate(s);
        if (!quiet && !s->levels) {
            s->refuted = true;
        } else if (!quiet) {
            sat_learn(s);
            if (!sat_has_room(s) || mw_steps(s->run) - start > steps) {
                sat_backtrack(s, 0);
                return SAT_UNKNOWN;
            }
        } else if (s->learnt_count >= s->reduce_at) {
            sat_reduce(s);
        } else if (should_restart(s)) {
            sat_backtrack(s, 0);
            s->since_restart = 0;
            s->recent_glue = (s->all_glue << 16) / s->conflicts;
        } else if (!decide(s)) {
            return SAT_SATISFIABLE;
        }
    }
    return SAT_UNSATISFIABLE;
}

const int8_t *sat_values(const struct sat *s) { return s->value; }

/* ---- setting up ------------------------------------------------------------------------------ */

void sat_add(struct sat *s, const sat_literal *literals, uint32_t count)
{
    sat_backtrack(s, 0);
    mw_tick(s->run, count + 1);
    uint32_t open = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert(variable_of(literals[i]) < s->variables && open < 2 * s->variables);
        if (s->value[literals[i]] > 0)
            return;
        if (!s->value[literals[i]])
            s->clause[open++] = literals[i];
    }
    if (open > 1)
        sat_attach(s, s->clause, open, 0);
    else if (open)
        sat_assign(s, s->clause[0], NO_REASON);
    else
        s->refuted = true;
}

void sat_branch_on(struct sat *s, uint32_t variable)
{
    assert(variable < s->variables);
    s->branch[variable] = true;
    if (!s->value[2 * variable])
        sat_heap_insert(s, variable);
}

void sat_prefer(struct sat *s, const sat_literal *literals, uint32_t count)
{
    assert(count <= s->variables);
    s->preferred = MW_NEW(s->run, sat_literal, count);
    memcpy(s->preferred, literals, count * sizeof *literals);
    s->preferred_count = count;
}

uint32_t sat_variable(struct sat *s)
{
    assert(s->variables < s->most);
    uint32_t v = s->variables++;
    s->value[2 * v] = s->value[2 * v + 1] = 0;
    s->watches[2 * v] = s->watches[2 * v + 1] = (struct watches){0};
    s->activity[v] = s->level_stamp[v + 1] = 0;
    s->heap.place[v] = -1;
    s->phase[v] = s->branch[v] = s->seen[v] = false;
    return v;
}

struct sat *sat_new(struct mw_run *run, uint32_t variables, uint32_t most, struct sat_theory theory)
{
    assert(variables > 0 && variables <= most);
    assert(most < UINT32_C(1) << 30); /* a literal leaves the PAIR bit */
    struct sat *s = MW_NEW0(run, struct sat, 1);
    s->run = run;
    s->theory = theory;
    s->most = most;
    s->value = MW_NEW(run, int8_t, 2 * most);
    s->watches = MW_NEW(run, struct watches, 2 * most);
    s->level = MW_NEW(run, int32_t, most);
    s->reasons = MW_NEW(run, struct reason, most);
    s->activity = MW_NEW(run, uint64_t, most);
    s->heap.place = MW_NEW(run, int32_t, most);
    s->phase = MW_NEW(run, bool, most);
    s->branch = MW_NEW(run, bool, most);
    s->seen = MW_NEW(run, bool, most);
    s->heap.at = MW_NEW(run, int32_t, most);
    s->trail = MW_NEW(run, sat_literal, most);
    s->level_start = MW_NEW(run, uint32_t, most);
    s->clause = MW_NEW(run, sat_literal, 2 * most);
    s->stack = MW_NEW(run, sat_literal, most);
    s->marked = MW_NEW(run, uint32_t, most);
    s->level_stamp = MW_NEW(run, uint64_t, most + 1);
    while (s->variables < variables)
        sat_variable(s);
    s->arena_class = 16;
    s->arena = sat_take_block(s, s->arena_class);
    s->increment = 1 << 10;
    s->reduce_at = REDUCE_FIRST;
    return s;
}
