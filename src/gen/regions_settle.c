/*
 * regions_settle.c: sizes made exact.
 *
 * Countries are the nodes of a graph, joined where they share a border. A country with a cell too many
 * sends one along the shortest chain to a country that has room, each handing a cell of its own to
 * the next; one with too few is sent one by the nearest that can spare it. The chain starts at the
 * giver: each country in between gains before it loses, so none is ever empty, not even when all have
 * a single cell. If a hand has nothing to give at its border (a cell there may be what holds it
 * together), the chain stops there, with every country whole and the surplus nearer its goal; that hand
 * is closed for the round, and the next chain goes another way.
 *
 * A round lists who borders on whom, then works off the surplus country by country. Rounds go on while
 * they help; where they do not, a short sweep shakes the borders. The number of both is bounded.
 */
#include "regions.h"

enum { CANDIDATES = 6, PATIENCE = 32, FAR = 4096, FORCED_ROUNDS = 400 };

struct atlas {
    struct ground *ground;
    int32_t countries;
    int32_t *first, *places; /* rim places of country k: places[first[k]] .. places[first[k + 1] - 1] */
    int32_t *link, *links;   /* its neighbours: links[link[k]] .. ; -k when closed for this round */
    int32_t *back;           /* of the present search: who reached it */
    int32_t *seen, *queue, *chain;
    int32_t stamp;
    int64_t patience; /* countries that may still be visited in this round's searches */
    uint8_t *lost; /* bit 1: no chain leads from here to anyone with room; bit 0: nor to anyone with a spare */
};

int64_t regions_excess(const struct census *c)
{
    int64_t excess = 0;
    for (int32_t k = 1; k <= c->count; k++) {
        excess += c->size[k] > c->high[k] ? c->size[k] - c->high[k] : 0;
        excess += c->size[k] < c->low[k] ? c->low[k] - c->size[k] : 0;
    }
    return excess;
}

/* ---- who borders on whom ------------------------------------------------------------------------------- */

static void list_places(struct atlas *a)
{
    const struct ground *g = a->ground;
    memset(a->first, 0, ((size_t)a->countries + 2) * sizeof *a->first);
    for (int32_t i = 0; i < g->rims; i++)
        a->first[regions_holder(g, g->rim[i]) + 1]++;
    for (int32_t k = 0; k <= a->countries; k++)
        a->first[k + 1] += a->first[k];
    int32_t *next = a->queue;
    memcpy(next, a->first, ((size_t)a->countries + 1) * sizeof *next);
    for (int32_t i = 0; i < g->rims; i++)
        a->places[next[regions_holder(g, g->rim[i])]++] = g->rim[i];
}

static void list_links(struct atlas *a)
{
    const struct ground *g = a->ground;
    int32_t n = 0;
    memset(a->seen, 0, ((size_t)a->countries + 1) * sizeof *a->seen);
    for (int32_t k = 1; k <= a->countries; k++) {
        a->link[k] = n;
        for (int32_t i = a->first[k]; i < a->first[k + 1]; i++) {
            for (int side = 0, p; (p = g->beside(g, a->places[i], side)) >= 0; side++) {
                int32_t other = regions_holder(g, p);
                if (other == 0 || other == k || a->seen[other] == k)
                    continue;
                a->seen[other] = k;
                a->links[n++] = other;
            }
        }
    }
    a->link[a->countries + 1] = n;
    memset(a->seen, 0, ((size_t)a->countries + 1) * sizeof *a->seen);
    a->stamp = 0;
}

/* ---- chains ----------------------------------------------------------------------------------------------- */

/*
 * The shortest chain from country k to one that can take a cell (giving) or spare one, by way of open
 * hands. Its length, with chain[0] the giver; 0 when there is none.
 */
static int32_t find_chain(struct atlas *a, int32_t k, bool giving)
{
    const struct census *c = a->ground->census;
    int32_t head = 0, tail = 0, found = 0;
    a->stamp++;
    a->seen[k] = a->stamp;
    a->queue[tail++] = k;
    if (a->lost[k] >> giving & 1 || a->patience < 0)
        return 0;
    while (head < tail && !found) {
        int32_t u = a->queue[head++];
        mw_tick(a->ground->run, 4);
        for (int32_t i = a->link[u]; i < a->link[u + 1] && !found; i++) {
            int32_t v = a->links[i];
            if (v < 0 || a->seen[v] == a->stamp || a->lost[v] >> giving & 1)
                continue;
            a->seen[v] = a->stamp;
            a->back[v] = u;
            a->queue[tail++] = v;
            if (giving ? c->size[v] < c->high[v] : c->size[v] > c->low[v])
                found = v;
        }
    }
    a->patience -= tail;
    if (!found) { /* nor will anyone who was reached: not to be searched again in this round */
        for (int32_t i = 0; i < tail; i++)
            a->lost[a->queue[i]] |= (uint8_t)(1 << giving);
        return 0;
    }
    int32_t n = 0;
    for (int32_t v = found; v != k; v = a->back[v])
        a->chain[n++] = v;
    a->chain[n++] = k;
    for (int32_t i = 0; giving && i < n / 2; i++) {
        int32_t swap = a->chain[i];
        a->chain[i] = a->chain[n - 1 - i];
        a->chain[n - 1 - i] = swap;
    }
    return n;
}

/* Which of a country's places may best go to the next; -1 when none may. */
static int32_t find_gift(struct atlas *a, struct mw_rng *rng, int32_t from, int32_t to)
{
    struct ground *g = a->ground;
    int32_t count = a->first[from + 1] - a->first[from], best = -1, best_gain = REGIONS_NEVER;
    if (!count)
        return -1;
    int32_t start = (int32_t)mw_below(rng, (uint32_t)count), looked = 0;
    for (int32_t fit = 0; looked < count && fit < CANDIDATES; looked++) {
        int32_t j = start + looked < count ? start + looked : start + looked - count;
        int32_t place = a->places[a->first[from] + j];
        if (regions_holder(g, place) != from)
            continue;
        int gain = g->gain(g, place, (uint16_t)to);
        fit += gain != REGIONS_NEVER;
        if (gain > best_gain) {
            best_gain = gain;
            best = place;
        }
    }
    mw_tick(g->run, (uint64_t)looked);
    return best;
}

/* Moves a place from one country to the next; where there is water, searches when that must be. */
static bool hand_over(struct atlas *a, struct mw_rng *rng, int32_t from, int32_t to)
{
    struct ground *g = a->ground;
    int32_t gift = find_gift(a, rng, from, to), near = g->reach;
    if (gift < 0 && g->stamp) {
        g->reach = FAR;
        gift = find_gift(a, rng, from, to);
        g->reach = near;
    }
    if (gift >= 0)
        g->move(g, gift, (uint16_t)to);
    return gift >= 0;
}

static void close_hand(struct atlas *a, int32_t from, int32_t to)
{
    for (int32_t i = a->link[from]; i < a->link[from + 1]; i++)
        if (a->links[i] == to)
            a->links[i] = -to;
}

/* Sends a cell along the chain, as far as hands are not empty. */
static void send(struct atlas *a, struct mw_rng *rng, int32_t length, bool giving)
{
    for (int32_t i = 0; i + 1 < length; i++) {
        int32_t from = a->chain[i], to = a->chain[i + 1];
        if (hand_over(a, rng, from, to))
            continue;
        close_hand(a, giving ? from : to, giving ? to : from);
        return;
    }
}

/* Works off what country k has too much or too little, as far as it can. */
static void even_out(struct atlas *a, struct mw_rng *rng, int32_t k)
{
    const struct census *c = a->ground->census;
    while (c->size[k] > c->high[k] || c->size[k] < c->low[k]) {
        bool giving = c->size[k] > c->high[k];
        int32_t length = find_chain(a, k, giving);
        if (!length)
            break;
        send(a, rng, length, giving);
    }
}

/* ---- rounds ------------------------------------------------------------------------------------------------ */

static void open_atlas(struct ground *g, struct atlas *a)
{
    size_t countries = (size_t)g->census->count;
    *a = (struct atlas){.ground = g, .countries = g->census->count};
    a->first = MW_NEW(g->run, int32_t, countries + 2);
    a->places = MW_NEW(g->run, int32_t, g->rims);
    a->link = MW_NEW(g->run, int32_t, countries + 2);
    a->links = MW_NEW(g->run, int32_t, 6 * countries + 16);
    a->back = MW_NEW(g->run, int32_t, countries + 1);
    a->seen = MW_NEW(g->run, int32_t, countries + 1);
    a->queue = MW_NEW(g->run, int32_t, countries + 2);
    a->chain = MW_NEW(g->run, int32_t, countries + 1);
    a->lost = MW_NEW0(g->run, uint8_t, countries + 1);
    a->patience = PATIENCE * ((int64_t)a->countries + 64);
    mw_tick(g->run, (uint64_t)g->rims * 2);
    list_places(a);
    list_links(a);
}

static void settle_round(struct ground *g, struct mw_rng *rng)
{
    char *mark = mw_mark(g->run);
    struct atlas a;
    open_atlas(g, &a);
    for (int32_t k = 1; k <= a.countries; k++)
        even_out(&a, rng, k);
    mw_rewind(g->run, mark);
}

bool regions_settle(struct ground *g, struct mw_rng *rng, int32_t tension, int rounds)
{
    int64_t excess = regions_excess(g->census);
    for (int round = 0; excess && round < rounds; round++) {
        settle_round(g, rng);
        int64_t now = regions_excess(g->census);
        if (now && now >= excess)
            g->sweep(g, rng, tension, g->rims);
        excess = regions_excess(g->census);
    }
    return !excess;
}

/* ---- by force ------------------------------------------------------------------------------------------------ */

/* A place that country k had when the atlas was made, and that it or the other one has still; else -1. */
static int32_t place_of(const struct atlas *a, int32_t k, int32_t other)
{
    for (int32_t i = a->first[k]; i < a->first[k + 1]; i++) {
        int32_t holder = regions_holder(a->ground, a->places[i]);
        if (holder == k || holder == other)
            return a->places[i];
    }
    return -1;
}

/* Passes what is wrong with country k along the shortest chain to where it can be mended, or to some neighbour. */
static void pass_on(struct atlas *a, struct mw_rng *rng, int32_t k)
{
    const struct census *c = a->ground->census;
    int32_t degree = a->link[k + 1] - a->link[k], length = 0;
    if (!degree)
        return;
    bool giving = c->size[k] > c->high[k];
    if (mw_below(rng, 4))
        length = find_chain(a, k, giving);
    for (int32_t i = 0; i < length / 2 && !giving; i++) { /* from k onwards, either way */
        int32_t swap = a->chain[i];
        a->chain[i] = a->chain[length - 1 - i];
        a->chain[length - 1 - i] = swap;
    }
    if (!length) {
        a->chain[length++] = k;
        a->chain[length++] = a->links[a->link[k] + (int32_t)mw_below(rng, (uint32_t)degree)];
    }
    for (int32_t i = 0; i + 1 < length; i++) {
        int32_t from = a->chain[i], to = a->chain[i + 1], root = place_of(a, to, from);
        if (root < 0 || !regions_recombine(a->ground, rng, from, to, root))
            return;
    }
}

bool regions_force(struct ground *g, struct mw_rng *rng)
{
    for (int round = 0; round < FORCED_ROUNDS && regions_excess(g->census); round++) {
        char *mark = mw_mark(g->run);
        struct atlas a;
        open_atlas(g, &a);
        for (int32_t k = 1; k <= a.countries; k++)
            if (g->census->size[k] > g->census->high[k] || g->census->size[k] < g->census->low[k])
                pass_on(&a, rng, k);
        mw_rewind(g->run, mark);
    }
    return !regions_excess(g->census);
}
