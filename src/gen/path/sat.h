/*
 * sat.h: satisfiability of clauses, by conflict-driven clause learning.
 *
 * Literals are numbers: 2 * variable, and 2 * variable + 1 for its negation. A solver lives in the
 * memory of a run, counts its work in the run's steps, and answers the same everywhere.
 */
#ifndef MAPWRIGHT_SAT_H
#define MAPWRIGHT_SAT_H

#include "lib/gen.h"

typedef uint32_t sat_literal;

/* What the run may have in use before a search stops learning. */
#define SAT_MEMORY ((size_t)1 << 30)

enum sat_answer { SAT_UNKNOWN, SAT_YES, SAT_NO };

struct sat;

struct sat *sat_new(struct mw_run *, uint32_t variables);
/* Branching is on these variables alone: once all of them have a value, the answer is «yes». The
   caller sees to it that propagation then knows all that matters. `phase` is the value tried
   first. */
void sat_branch_on(struct sat *, uint32_t variable, bool phase);
/* The search will try this literal first, when it comes to its variable. */
void sat_prefer(struct sat *, sat_literal);
/* Adds a clause; allowed at any time between calls of sat_solve. */
void sat_add(struct sat *, const sat_literal *, uint32_t count);
/* Searches for at most so many steps, or as long as an allowance of memory lasts. */
enum sat_answer sat_solve(struct sat *, uint64_t steps);
/* After «yes»: whether the literal holds. */
bool sat_holds(const struct sat *, sat_literal);

#endif
