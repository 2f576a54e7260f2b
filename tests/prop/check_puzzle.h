/*
 * check_puzzle.h: a judge of path puzzles that shares nothing with the code it judges.
 *
 * It works on characters in a square of its own, by the rules as they are told to a player.
 */
#ifndef MAPWRIGHT_CHECK_PUZZLE_H
#define MAPWRIGHT_CHECK_PUZZLE_H

#include "mapwright_host.h"

#include <stddef.h>

enum { PUZZLE_SIDE = 64 };
enum puzzle_rule { PUZZLE_FLOW, PUZZLE_STRICT, PUZZLE_CLASSIC, PUZZLE_RULES };
extern const char *const puzzle_rule_names[];

struct puzzle {
    int width, height;
    char cell[PUZZLE_SIDE + 2]
             [PUZZLE_SIDE + 2]; /* with a rim of walls; (x, y) lies at [y + 1][x + 1] */
};

/* Open cells, with walls around. */
void puzzle_blank(struct puzzle *, int width, int height);
/* Rows joined by `/`, as in an address, or by ends of lines; false where that is no board. */
bool puzzle_parse(struct puzzle *, const char *text);
void puzzle_read(struct puzzle *, struct mw_rows);
bool puzzle_load(struct puzzle *, const char *file);
/* The rows as a query spells them, `#` escaped. */
enum { PUZZLE_TEXT = PUZZLE_SIDE * (3 * PUZZLE_SIDE + 1) + 1 };
const char *puzzle_query(const struct puzzle *, char room[static PUZZLE_TEXT]);
/* The number of its labels. */
int puzzle_paths(const struct puzzle *);

/* Why `rows` and the table of paths (label, length, cells) are not a solution, or NULL. */
const char *puzzle_fault(const struct puzzle *, enum puzzle_rule, struct mw_rows rows,
                         const struct mw_rowset *paths);

/* The rule in an address. */
enum puzzle_rule puzzle_rule_of(const char *address);

/* What a map of /puzzle/solve or /puzzle/generate breaks of its promises; NULL when all is well.
   Takes the request from its address. */
const char *check_puzzle(const struct mw_map *, char *why, size_t room);

/* In how many solutions a cell is linked with its right neighbour [0] and the one below [1]. */
struct puzzle_links {
    uint64_t with[PUZZLE_RULES][PUZZLE_SIDE + 2][PUZZLE_SIDE + 2][2];
};

/* All solutions under each rule, by trying all ways; false where that took more than so many
   steps. The links are counted too, unless they are NULL. */
bool puzzle_brute(const struct puzzle *, uint64_t steps, uint64_t counts[static PUZZLE_RULES],
                  struct puzzle_links *);

/* The number of solutions, but for more than `most`, by another solver on other clauses
   (puzzle_sat.c, with libcadical); -1 where it was not done in so many seconds. */
long puzzle_reference(const struct puzzle *, enum puzzle_rule, long most, double seconds);

/* Conflicts until that solver knows that a board has one solution: how hard it is. */
long puzzle_conflicts(const struct puzzle *, enum puzzle_rule);

#endif
