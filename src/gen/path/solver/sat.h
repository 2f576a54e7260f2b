/*
 * sat.h: satisfiability of clauses, by conflict-driven clause learning.
 *
 * Literals are numbers: 2 * variable, and 2 * variable + 1 for its negation. A solver lives in the
 * memory of a run, counts its work in the run's steps, and gives the same answers everywhere.
 */
#ifndef MAPWRIGHT_SAT_H
#define MAPWRIGHT_SAT_H

#include "lib/gen.h"

typedef uint32_t sat_literal;

enum sat_answer { SAT_UNKNOWN, SAT_SATISFIABLE, SAT_UNSATISFIABLE };

struct sat;

/* What else is known about the literals. */
struct sat_theory {
    void *data;
    /* The literal holds from now on: calls sat_imply for what follows, and returns false as soon
       as that does. Called for all that hold, in the order in which they were found. */
    bool (*follow)(void *data, sat_literal);
    /* The literal holds no longer; called in reverse order. */
    void (*take_back)(void *data, sat_literal);
};

/* Variables from 0 to variables - 1, at least one, later up to `most`, fewer than 2^30. The
   search decides those below `branches` alone: once all of them have a value, the clauses count as
   satisfied. The caller guarantees that propagation then settles all that matters. The theory may
   be empty. */
struct sat *sat_new(struct mw_run *, uint32_t branches, uint32_t variables, uint32_t most,
                    struct sat_theory);
/* Another variable. */
uint32_t sat_variable(struct sat *);
/* For the theory: the literal holds because two others do, which may be the same; false where it is
   known to be false. */
bool sat_imply(struct sat *, sat_literal, sat_literal because, sat_literal and);
/* By literal: 1 holds, -1 does not, 0 is open; once satisfied none that matters is open. */
const int8_t *sat_values(const struct sat *);
/* As the first decision, the variable gets the value by which this holds. */
void sat_prefer(struct sat *, sat_literal);
/* Adds a clause of different literals, without those that are settled already. If none is left,
   there is no answer any more. Resets the answer. */
void sat_add(struct sat *, const sat_literal *, uint32_t count);
/* Searches for at most so many steps and a conflict, or as long as an allowance of memory lasts.
   What was learnt stays for the next time. */
enum sat_answer sat_solve(struct sat *, uint64_t steps);

#endif
