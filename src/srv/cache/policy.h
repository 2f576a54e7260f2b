/*
 * policy.h: which answers the cache keeps: those that are asked for again, and among these those
 * that took long to make for their size.
 *
 * It holds no bytes and takes no lock: it says which answers must go. What it knows of an answer
 * is in the answer's own record.
 */
#ifndef MAPWRIGHT_POLICY_H
#define MAPWRIGHT_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rated {
    struct rated *next, *before; /* in the queue that holds it */
    uint64_t mark;               /* a hash of its name */
    uint64_t cost;               /* nanoseconds that making it took */
    size_t weight;               /* bytes */
    unsigned credits;            /* rounds of the main queue that it survives */
    bool in_main;                /* it has left the queue of new answers */
};

struct policy;
struct policy_state {
    size_t bytes, entries; /* kept */
    uint64_t evicted;
};

/* For at most so many bytes. NULL: out of memory. */
struct policy *policy_new(size_t bytes);
void policy_drop(struct policy *);

/* An answer was asked for again; it may still be under way. */
void policy_ask(struct rated *);
/*
 * It is made: `mark`, `cost` and `weight` are set. Answers those that must go, linked by `next`;
 * the new one may be among them.
 */
struct rated *policy_admit(struct policy *, struct rated *);
/* Removes an answer for another reason. */
void policy_remove(struct policy *, struct rated *);

struct policy_state policy_state(const struct policy *);

#endif
