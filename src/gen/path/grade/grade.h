/*
 * grade.h: how hard a board is for one who does not guess.
 */
#ifndef MAPWRIGHT_GRADE_H
#define MAPWRIGHT_GRADE_H

#include "deduce.h"

/* Whether there is a simple reason why no solution can exist (obstacle.c). */
bool path_obstacle(struct mw_run *, const struct board *, enum rule);

enum difficulty { EASY, NORMAL, HARD, EXTREME, DIFFICULTIES, ANY = DIFFICULTIES };
extern const char *const path_difficulties[]; /* in the order of `enum difficulty` */

/* Rounds by rules of that difficulty, until they are over, find nothing, or it is late; false where
   they come to a contradiction. EASY ones are followed by themselves; EXTREME: assumptions that
   reach farther than those of the hard. */
bool path_settle(struct deduce *, enum difficulty);

struct grade {
    enum difficulty difficulty; /* the weakest rules that settle all; EXTREME: none do */
    bool broken;                /* they found a contradiction: there is no solution */
    int32_t deductions;         /* that were made */
    int32_t effort;             /* 0 to 100 */
    int32_t open[EXTREME];      /* links that the rules up to each leave open; 0 where not tried */
    uint8_t *stuck;             /* a byte for each cell: sides that are open after the last */
};

/* By rules up to `most` (which is not EXTREME); the links are those of a solution. */
struct grade path_grade(struct mw_run *, const struct board *, enum rule, const uint8_t *links,
                        enum difficulty most);

/* How many links even EXTREME rules leave open; 0: the board has one solution. The sides that are
   open stand in `stuck`. */
int32_t path_open(struct mw_run *, const struct board *, enum rule, const uint8_t *links,
                  uint8_t *stuck);

/* Guesses that a plain search takes, which follows each by easy rules, one way and the other, where
   it begins best; no more than `most`. */
int32_t path_guesses(struct mw_run *, const struct board *, enum rule, int32_t most);

/* The first deduction that helps on, and why, in words. */
struct hint {
    int32_t count, cells[2];
    const char *reason;
};
struct hint path_hint(struct mw_run *, const struct board *, enum rule, const uint8_t *links);

#endif
