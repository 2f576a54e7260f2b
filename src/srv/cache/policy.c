/*
 * policy.c: which answers the cache keeps.
 *
 * S3-FIFO (Yang, Zhang, Qiu, Yue and Rashmi, «FIFO Queues are All You Need for Cache Eviction»,
 * SOSP 2023), with credits by the cost of an answer. There are two queues, first in, first out. A
 * new answer enters the small one, a share of all bytes. At its end, an answer that was asked for
 * again moves to the main queue; any other goes, and a table of ghosts remembers its name for a
 * while: if it is made again, it enters the main queue at once. So a scan, a long run of answers
 * asked for once each, passes through the small queue and leaves the main one as it is. A heavy
 * answer would push too many out of the small queue: it enters the main queue, if there is free
 * room for it or a ghost has its name, and else goes at once.
 *
 * Each ask gives an answer a credit, and up to CLASSES - 1 more, the longer it took to make for its
 * size. At the end of the main queue an answer with credits pays one and goes round again; one
 * without them goes. So an answer stays by how often it is asked for times what a byte of it cost,
 * as in GreedyDual-Size-Frequency (Cherkasova, HP Labs 1998-69).
 *
 * An ask is an addition, and each step of an eviction was paid for by an ask.
 */
#include "policy.h"

#include <assert.h>
#include <stdlib.h>

enum {
    SMALL_SHARE = 5, /* the small queue has a fifth of the bytes */
    HEAVY_SHARE = 2, /* and an answer that is more than half of it is heavy */
    CLASSES = 5,     /* classes of cost per byte, each four times the one before */
    CHEAP = 4,       /* the lowest class: at most so many nanoseconds per byte */
    MOST_CREDITS = 15,
    LEAST_GHOSTS = 1024,
    MOST_GHOSTS = 1 << 16,
    BYTES_A_GHOST = 4096,
};

struct fifo {
    struct rated ends; /* `next` is the first to be evicted */
    size_t bytes;
};

struct policy {
    size_t limit, entries;
    uint64_t evicted;
    struct fifo small, main;
    size_t ghost_count; /* a power of two */
    uint64_t ghosts[];  /* marks of evicted answers, by their low bits; 0: none */
};

/* ---- queues ---------------------------------------------------------------------------------- */

static struct fifo *queue_of(struct policy *policy, const struct rated *rated)
{
    return rated->in_main ? &policy->main : &policy->small;
}

static void put_last(struct policy *policy, struct rated *rated, bool in_main)
{
    rated->in_main = in_main;
    struct fifo *fifo = queue_of(policy, rated);
    rated->next = &fifo->ends;
    rated->before = fifo->ends.before;
    rated->before->next = rated->next->before = rated;
    fifo->bytes += rated->weight;
}

static void take_out(struct policy *policy, struct rated *rated)
{
    struct fifo *fifo = queue_of(policy, rated);
    assert(rated->next->before == rated && rated->before->next == rated);
    assert(fifo->bytes >= rated->weight);
    rated->before->next = rated->next;
    rated->next->before = rated->before;
    fifo->bytes -= rated->weight;
}

static size_t bytes_of(const struct policy *policy)
{
    return policy->small.bytes + policy->main.bytes;
}

/* ---- ghosts ---------------------------------------------------------------------------------- */

static uint64_t *ghost_of(struct policy *policy, const struct rated *rated)
{
    return &policy->ghosts[rated->mark & (policy->ghost_count - 1)];
}

/* Whether it was evicted not long ago; removes the ghost. */
static bool take_ghost(struct policy *policy, const struct rated *rated)
{
    uint64_t *ghost = ghost_of(policy, rated);
    bool known = *ghost == rated->mark;
    if (known)
        *ghost = 0;
    return known;
}

/* ---- eviction -------------------------------------------------------------------------------- */

void policy_ask(struct rated *rated)
{
    uint64_t by_byte = rated->cost / (rated->weight + 1);
    unsigned credit = 1;
    for (uint64_t bound = CHEAP; credit < CLASSES && by_byte > bound; bound *= 4)
        credit++;
    rated->credits =
        rated->credits + credit < MOST_CREDITS ? rated->credits + credit : MOST_CREDITS;
}

static void dismiss(struct policy *policy, struct rated *rated, struct rated **gone)
{
    *ghost_of(policy, rated) = rated->mark;
    policy->entries--;
    policy->evicted++;
    rated->next = *gone;
    *gone = rated;
}

/* One step: the first of a queue moves on or is evicted. */
static void evict(struct policy *policy, struct rated **gone)
{
    bool from_small = policy->small.bytes > policy->limit / SMALL_SHARE || !policy->main.bytes;
    struct rated *first = from_small ? policy->small.ends.next : policy->main.ends.next;
    take_out(policy, first);
    if (!first->credits) {
        dismiss(policy, first, gone);
        return;
    }
    first->credits -= !from_small;
    put_last(policy, first, true);
}

struct rated *policy_admit(struct policy *policy, struct rated *rated)
{
    assert(rated->weight > 0);
    struct rated *gone = NULL;
    bool known = take_ghost(policy, rated),
         heavy = rated->weight > policy->limit / SMALL_SHARE / HEAVY_SHARE;
    size_t room = policy->limit - bytes_of(policy);
    policy->entries++;
    if (rated->weight > policy->limit || (heavy && !known && rated->weight > room)) {
        dismiss(policy, rated, &gone);
        return gone;
    }
    while (bytes_of(policy) + rated->weight > policy->limit)
        evict(policy, &gone);
    put_last(policy, rated, known || heavy);
    return gone;
}

void policy_remove(struct policy *policy, struct rated *rated)
{
    assert(policy->entries > 0);
    take_out(policy, rated);
    policy->entries--;
}

struct policy_state policy_state(const struct policy *policy)
{
    return (struct policy_state){bytes_of(policy), policy->entries, policy->evicted};
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void fifo_init(struct fifo *fifo) { fifo->ends.next = fifo->ends.before = &fifo->ends; }

/* One for each answer of usual size that fits into so many bytes. */
static size_t ghosts_for(size_t bytes)
{
    size_t ghosts = LEAST_GHOSTS;
    while (ghosts < MOST_GHOSTS && ghosts < bytes / BYTES_A_GHOST)
        ghosts *= 2;
    return ghosts;
}

struct policy *policy_new(size_t bytes)
{
    size_t ghosts = ghosts_for(bytes);
    struct policy *policy = calloc(1, sizeof *policy + ghosts * sizeof *policy->ghosts);
    if (!policy)
        return NULL;
    policy->ghost_count = ghosts;
    policy->limit = bytes;
    fifo_init(&policy->small);
    fifo_init(&policy->main);
    return policy;
}

void policy_drop(struct policy *policy) { free(policy); }
