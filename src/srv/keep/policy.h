/*
 * policy.h: which answers stay, by what they cost to make and how often they are asked for.
 *
 * It holds no bytes and takes no lock: it says who has to go. What it knows of an answer stands in
 * the answer's own record.
 */
#ifndef MAPWRIGHT_POLICY_H
#define MAPWRIGHT_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rated {
    struct rated *next, *before; /* where it stands: in the window or on a shelf */
    uint64_t mark;               /* a hash of its name */
    uint64_t cost;               /* nanoseconds that making it takes */
    size_t weight;               /* bytes that it takes */
    uint32_t heat, epoch;        /* how often it is asked for, as of then */
    bool shelved;                /* it has left the window */
};

struct policy;
struct policy_state {
    size_t bytes, entries; /* that stay */
    uint64_t evicted;      /* that were told to go */
};

/* All that stays weighs at most so many bytes. NULL without memory. */
struct policy *policy_new(size_t bytes);
void policy_drop(struct policy *);

/* It is asked for the first time, as far as its record goes. Only `mark` is set. */
void policy_begin(struct policy *, struct rated *);
/* It is asked for again. */
void policy_ask(struct policy *, struct rated *);

/*
 * It is made: `cost` and `weight` are set. Answers those who have to go, linked by `next`; it may
 * be one of them.
 */
struct rated *policy_admit(struct policy *, struct rated *);
/* It leaves for reasons of its own. */
void policy_remove(struct policy *, struct rated *);

struct policy_state policy_state(const struct policy *);

#endif
