/*
 * meet.h: the two halves of a board, counted by frontiers that have met between two rows.
 */
#ifndef MAPWRIGHT_MEET_H
#define MAPWRIGHT_MEET_H

#include "gen/path/board/board.h"
#include "kit/frontier.h"

/* The code at a column: nothing; a piece of path whose other end is at column c (MEET_MATE + c);
   one that leads to an end of path p (MEET_COLOUR + p); one of a pair that leads to both ends of
   a path, which needs only a number of its own in its half (MEET_COLOUR + n, n from MEET_PAIR in
   the upper half and from MEET_PAIR + MEET_PAIRS in the lower one). */
enum { MEET_NOTHING = 0, MEET_MATE = 1, MEET_COLOUR = 128 };
enum {
    MEET_PAIRS = MAX_SIDE / 2,
    MEET_PAIR = MAX_PATHS,
    MEET_COLOURS = MEET_PAIR + 2 * MEET_PAIRS
};
_Static_assert(MEET_COLOUR + MEET_COLOURS <= 256, "a code has room in a byte");

/* The states of a half as a tree: a level for each column, from the left. */
struct meet_node {
    struct meet_node *first, *next; /* child; sibling */
    uint64_t *ways;                 /* to the state, of a leaf */
    uint8_t code;                   /* at the column before its children */
};

/* Adds a state of the frontier to its half, whose root is all 0 at first. */
void meet_add(struct frontier *, struct meet_node *half, const uint8_t *codes, int width,
              uint64_t *ways);
/* The number of ways to join the halves, in decimal digits. NULL: given up at the limits of the
   frontier, one of the two. */
const char *meet(const struct frontier *, int width, const struct meet_node *upper,
                 const struct meet_node *lower);

#endif
