/*
 * grade.h: how hard a board is for a solver who does not guess.
 */
#ifndef MAPWRIGHT_GRADE_H
#define MAPWRIGHT_GRADE_H

#include "deduce.h"

/* Whether there is a simple reason why no solution can exist (obstacle.c). */
bool path_obstacle(struct mw_run *, const struct board *, enum rule);

enum difficulty { EASY, NORMAL, HARD, EXTREME, DIFFICULTIES, ANY = DIFFICULTIES };
extern const char *const path_difficulties[]; /* in the order of `enum difficulty` */

/* Rounds of rules of that difficulty, until all links are known, nothing is found, or it is late;
   false at a contradiction. EASY rules are followed anyway; EXTREME: assumptions that reach farther
   than HARD ones. */
bool path_settle(struct deduce *, enum difficulty);

struct grade {
    enum difficulty difficulty; /* the weakest rules that settle all links; EXTREME: none do */
    bool broken;                /* a contradiction was found: there is no solution */
    int32_t deductions;         /* made by these rules */
    int32_t effort;             /* 0 to 100 */
    int32_t open[EXTREME];      /* links that the rules up to each leave open; 0 if not tried */
    uint8_t *stuck;             /* for each cell the sides that are open in the end */
};

/* By rules up to `most`, which is not EXTREME; `links` is a solution, or NULL. */
struct grade path_grade(struct mw_run *, const struct board *, enum rule, const uint8_t *links,
                        enum difficulty most);

/* The parts of a result that a grade sets, in the order of difficulty, effort, deductions. */
#define PATH_GRADE_PARTS \
    MW_CHOICE_PART("difficulty", path_difficulties, \
                   "The weakest rules of deduction that solve it without a guess; null: it is " \
                   "not known to have one solution, or the steps ended", \
                   .nullable = true), \
        MW_VALUE_PART("effort", MW_INTEGER, \
                      "How long it takes, 0 to 100: rises with the number of deductions and " \
                      "their depth; null: as for difficulty", \
                      .nullable = true), \
        MW_VALUE_PART("deductions", MW_INTEGER, \
                      "How many deductions these rules make, some more or fewer where the board " \
                      "is turned; of extreme: those before they get stuck", \
                      .nullable = true)
/* `part` is that of the difficulty; NULL: not known. */
void path_set_grade(struct mw_map *, int part, const struct grade *);

/* How many links even EXTREME rules leave open, and in `stuck` the sides of those; 0: the board has
   one solution. */
int32_t path_open(struct mw_run *, const struct board *, enum rule, const uint8_t *links,
                  uint8_t *stuck);

/* The guesses of a plain search that follows each by easy rules, from the best of several starts;
   counted up to `most`. */
int32_t path_guesses(struct mw_run *, const struct board *, enum rule, int32_t most);

/* The first deduction that makes progress, and its reason in words. */
struct hint {
    int32_t count, cells[2];
    const char *reason;
};
struct hint path_hint(struct mw_run *, const struct board *, enum rule, const uint8_t *links);

#endif
