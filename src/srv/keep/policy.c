/*
 * policy.c: which answers stay.
 *
 * The idea is W-TinyLFU's (Einziger, Friedman and Manes, «TinyLFU: A Highly Efficient Cache
 * Admission Policy», ACM Transactions on Storage 13, 2017), in its form for answers of all sizes
 * (Einziger, Eytan, Friedman and Manes, «Lightweight Robust Size Aware Cache Management», in its
 * volume 18, 2022), by the measure of GreedyDual-Size-Frequency (Cherkasova, HP Labs
 * 1998-69): what an answer is worth is what making it costs times how often it is asked for, and
 * what it is worth by the byte says who goes first.
 *
 * A newcomer comes into a window, a quarter of all bytes, first in, first out: there a burst of
 * requests finds it, and an id that was just given out. When it is pushed out of there, or is too
 * heavy for it, it wants a place on the shelves, which hold the rest. Where there is no room, it
 * gets one if it is worth more than all those together that would have to go for it; else it goes
 * itself. So an admission never lowers what is kept, by that measure, and this is why no scan
 * empties the shelves: of things asked for once each, whatever their size, one displaces only what
 * is worth less than itself. All that a scan can take is the window.
 *
 * How often is a count that fades: an ask adds to the heat of an answer, and every epoch, some
 * asks for each answer that is kept, halves all heat. So what was loved long ago goes as well. The
 * halving is done to an answer when it is next looked at. Of those that are not kept, a sketch
 * remembers the heat: the least of four cells that its mark names, each the hottest of those that
 * share it (Cormode and Muthukrishnan 2005, with the conservative update of Estan and Varghese).
 * It may tell too much of one, never too little, and fades likewise.
 *
 * Shelf s is for worths by the byte from 2^s to below 2^(s+1). Heat that has halved is a shelf less
 * for everyone, so an epoch lets all shelves sink by one, which is a shift of their numbers. Asks
 * move nobody: an answer can only stand too low, and is moved up when its turn to go comes. So an
 * ask costs an addition; what goes is found within 64 steps, and a move up was paid by an ask.
 * Weighing a newcomer takes a step for each answer that it would displace, until their worth
 * reaches its own: cheap to refuse for the cheap, and dear only for what took long to make.
 */
#include "policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW_SHARE = 4,
    SHELVES = 64,
    ASK = 16, /* heat of one */
    HOTTEST = 1 << 20,
    EPOCH_ASKS = 16, /* for each answer, at least for so many */
    LEAST_ANSWERS = 1024,
    ROWS = 4, /* of the sketch */
    LEAST_CELLS = 256,
    MOST_CELLS = 1 << 16,
    BYTES_A_CELL = 4096,
    CELL_HEAT = 4, /* that a cell counts by */
};

#define DEAREST ((uint64_t)1 << 36) /* nanoseconds: times HOTTEST, 56 bits */

struct policy {
    size_t limit, bytes; /* of the shelves */
    size_t window_limit, window_bytes, entries;
    uint64_t evicted;
    uint32_t epoch;
    uint64_t asks;                 /* in this epoch */
    struct rated window;           /* heads of rings: `next` is the first to go */
    struct rated shelves[SHELVES]; /* shelf s stands at (s + epoch) % SHELVES */
    size_t cells;                  /* of a row, a power of two */
    uint8_t sketch[];
};

/* ---- rings ----------------------------------------------------------------------------------- */

static void ring_init(struct rated *ring) { ring->next = ring->before = ring; }

static bool is_empty(const struct rated *ring) { return ring->next == ring; }

/* Puts it behind another. */
static void link_behind(struct rated *at, struct rated *rated)
{
    rated->before = at;
    rated->next = at->next;
    at->next->before = rated;
    at->next = rated;
}

static void take_out(struct rated *rated)
{
    assert(rated->next->before == rated && rated->before->next == rated);
    rated->before->next = rated->next;
    rated->next->before = rated->before;
}

/* All of one ring, before the first of another. */
static void splice(struct rated *from, struct rated *to)
{
    if (is_empty(from))
        return;
    from->before->next = to->next;
    to->next->before = from->before;
    to->next = from->next;
    from->next->before = to;
    ring_init(from);
}

/* ---- the sketch: heat of those that are not kept --------------------------------------------- */

static uint8_t *cell_of(struct policy *policy, uint64_t mark, int row)
{
    return &policy->sketch[(size_t)row * policy->cells + (mark >> 16 * row) % policy->cells];
}

static uint32_t remembered_heat(struct policy *policy, uint64_t mark)
{
    uint32_t least = UINT8_MAX;
    for (int row = 0; row < ROWS; row++) {
        uint32_t cell = *cell_of(policy, mark, row);
        least = cell < least ? cell : least;
    }
    return least * CELL_HEAT;
}

static void remember_heat(struct policy *policy, uint64_t mark, uint32_t heat)
{
    uint32_t level = heat / CELL_HEAT;
    for (int row = 0; row < ROWS; row++) {
        uint8_t *cell = cell_of(policy, mark, row);
        if (*cell < level)
            *cell = level < UINT8_MAX ? (uint8_t)level : UINT8_MAX;
    }
}

/* ---- epochs, heat and worth ------------------------------------------------------------------ */

static struct rated *shelf(struct policy *policy, int number)
{
    return &policy->shelves[(policy->epoch + (uint32_t)number) % SHELVES];
}

/* Halves all heat: the lowest shelf joins the next, and all are one lower. */
static void begin_epoch(struct policy *policy)
{
    splice(shelf(policy, 0), shelf(policy, 1));
    policy->epoch++;
    policy->asks = 0;
    for (size_t i = 0; i < ROWS * policy->cells; i++)
        policy->sketch[i] >>= 1;
}

static uint32_t heat_of(const struct policy *policy, const struct rated *rated)
{
    uint32_t epochs = policy->epoch - rated->epoch;
    return epochs < 32 ? rated->heat >> epochs : 0;
}

static uint64_t worth_of(const struct policy *policy, const struct rated *rated)
{
    return rated->cost * heat_of(policy, rated);
}

/* Where it belongs now. */
static int shelf_number(const struct policy *policy, const struct rated *rated)
{
    uint64_t by_byte = worth_of(policy, rated) / rated->weight;
    return by_byte ? 63 - __builtin_clzll(by_byte) : 0;
}

static void heat_up(struct policy *policy, struct rated *rated, uint32_t heat)
{
    rated->heat = heat + ASK < HOTTEST ? heat + ASK : HOTTEST;
    rated->epoch = policy->epoch;
    size_t answers = policy->entries > LEAST_ANSWERS ? policy->entries : LEAST_ANSWERS;
    if (++policy->asks > EPOCH_ASKS * answers)
        begin_epoch(policy);
}

void policy_begin(struct policy *policy, struct rated *rated)
{
    heat_up(policy, rated, remembered_heat(policy, rated->mark));
}

void policy_ask(struct policy *policy, struct rated *rated)
{
    heat_up(policy, rated, heat_of(policy, rated));
}

/* ---- who stays ------------------------------------------------------------------------------- */

static void put_on_shelf(struct policy *policy, struct rated *rated)
{
    link_behind(shelf(policy, shelf_number(policy, rated))->before, rated);
    rated->shelved = true;
    policy->bytes += rated->weight;
    assert(policy->bytes <= policy->limit);
}

static void take_off(struct policy *policy, struct rated *rated)
{
    take_out(rated);
    size_t *bytes = rated->shelved ? &policy->bytes : &policy->window_bytes;
    assert(*bytes >= rated->weight);
    *bytes -= rated->weight;
}

/* The one that is worth the least by the byte, to a factor of two. What was asked for since it was
   put there moves up. */
static struct rated *find_least(struct policy *policy)
{
    for (int number = 0; number < SHELVES; number++)
        while (!is_empty(shelf(policy, number))) {
            struct rated *first = shelf(policy, number)->next;
            if (shelf_number(policy, first) <= number)
                return first;
            take_off(policy, first);
            put_on_shelf(policy, first);
        }
    return NULL;
}

/* Collects those that have to go so that it fits. False: they are worth as much as it is. */
static bool collect_lesser(struct policy *policy, const struct rated *rated, struct rated *lesser)
{
    uint64_t worth = worth_of(policy, rated), sum = 0;
    while (policy->bytes + rated->weight > policy->limit) {
        struct rated *least = find_least(policy);
        assert(least);
        sum += worth_of(policy, least);
        if (sum >= worth)
            return false;
        take_off(policy, least);
        link_behind(lesser->before, least);
    }
    return true;
}

static void dismiss(struct policy *policy, struct rated *rated, struct rated **gone)
{
    remember_heat(policy, rated->mark, heat_of(policy, rated));
    policy->entries--;
    policy->evicted++;
    rated->next = *gone;
    *gone = rated;
}

/* It is in no ring, and wants a place on the shelves. */
static void judge(struct policy *policy, struct rated *rated, struct rated **gone)
{
    struct rated lesser;
    ring_init(&lesser);
    bool fits = rated->weight <= policy->limit && collect_lesser(policy, rated, &lesser);
    while (!is_empty(&lesser)) {
        struct rated *last = lesser.before;
        take_out(last);
        if (fits) {
            dismiss(policy, last, gone);
            continue;
        }
        link_behind(shelf(policy, shelf_number(policy, last)), last);
        policy->bytes += last->weight;
    }
    if (fits)
        put_on_shelf(policy, rated);
    else
        dismiss(policy, rated, gone);
}

static void put_in_window(struct policy *policy, struct rated *rated)
{
    link_behind(policy->window.before, rated);
    rated->shelved = false;
    policy->window_bytes += rated->weight;
}

struct rated *policy_admit(struct policy *policy, struct rated *rated)
{
    assert(rated->weight > 0);
    struct rated *gone = NULL;
    rated->cost = rated->cost < DEAREST ? rated->cost + !rated->cost : DEAREST;
    policy->entries++;
    if (rated->weight > policy->window_limit) {
        judge(policy, rated, &gone);
        return gone;
    }
    put_in_window(policy, rated);
    while (policy->window_bytes > policy->window_limit) {
        struct rated *first = policy->window.next;
        take_off(policy, first);
        judge(policy, first, &gone);
    }
    return gone;
}

void policy_remove(struct policy *policy, struct rated *rated)
{
    assert(policy->entries > 0);
    take_off(policy, rated);
    policy->entries--;
}

struct policy_state policy_state(const struct policy *policy)
{
    return (struct policy_state){policy->bytes + policy->window_bytes, policy->entries,
                                 policy->evicted};
}

/* ---- beginning and end ----------------------------------------------------------------------- */

/* As many as answers of a usual size may be kept. */
static size_t cells_for(size_t bytes)
{
    size_t cells = LEAST_CELLS;
    while (cells < MOST_CELLS && cells < bytes / BYTES_A_CELL)
        cells *= 2;
    return cells;
}

struct policy *policy_new(size_t bytes)
{
    size_t cells = cells_for(bytes);
    struct policy *policy = calloc(1, sizeof *policy + ROWS * cells);
    if (!policy)
        return NULL;
    policy->cells = cells;
    policy->window_limit = bytes / WINDOW_SHARE;
    policy->limit = bytes - policy->window_limit;
    ring_init(&policy->window);
    for (int i = 0; i < SHELVES; i++)
        ring_init(&policy->shelves[i]);
    return policy;
}

void policy_drop(struct policy *policy) { free(policy); }
