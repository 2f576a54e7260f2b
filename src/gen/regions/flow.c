/*
 * flow.c: sizes evened out all over the map at once.
 *
 * Every country has too much or too little, mostly a few cells, and none of it should travel far.
 * Think of the surplus as charge: a potential that solves Poisson's equation on the graph of
 * countries gives, as its differences along the links, the flows of least squares that even
 * everything out, as in Hu and Blake's balancing of loads (1999). The country with the
 * highest potential goes first and passes on what it has too much, to its lower neighbours by the
 * difference; then the next, with what it got. So whatever is rounded goes on downhill, nothing
 * is asked of a country before it has it, and one pass over all countries does it.
 *
 * What cannot be passed, as no place is fit to go, is left over, and so is what the equation was
 * not solved for in a bounded number of turns: chains do the rest (settle.c).
 */
#include "kit/integer.h"
#include "regions.h"

/* Fixed point of potentials. And where they end: borders that were listed at different times need
   not agree with each other, and then the equation may have no solution to come near to. */
enum { UNIT = 1 << 16 };
static const int64_t STEEP = INT64_C(1) << 36;

/* Who borders on whom, by country: to[first[k]] .. to[first[k + 1] - 1]. */
struct web {
    int32_t *first;
    uint16_t *to;
};

struct flow {
    struct web web;
    int64_t *potential; /* by country */
    int32_t *want;      /* cells that it is to have: from low to high, and all cells in all */
};

/* Decides who is to have a cell more where there are some to spare: every n-th. */
static void set_wants(const struct balance *c, int32_t *want)
{
    int64_t spare = 0;
    for (int32_t k = 1; k <= c->count; k++)
        spare += c->size[k] - c->low[k];
    for (int32_t k = 1; k <= c->count; k++) {
        int64_t more = k * spare / c->count - (k - 1) * spare / c->count;
        want[k] = mw_clamp(c->low[k] + (int32_t)more, c->low[k], c->high[k]);
    }
}

static struct web spin_web(struct adjacency *a)
{
    int32_t n = 0;
    for (int32_t k = 1; k <= a->countries; k++)
        n += regions_links_of(a, k)->count;
    struct web web = {MW_NEW(a->ground->run, int32_t, a->countries + 2),
                      MW_NEW(a->ground->run, uint16_t, n)};
    n = 0;
    for (int32_t k = 1; k <= a->countries; k++) {
        const struct country *country = &a->country[k];
        web.first[k] = n;
        for (int32_t i = 0; i < country->count; i++)
            web.to[n++] = (uint16_t)a->links[country->first + i].to;
    }
    web.first[a->countries + 1] = n;
    return web;
}

/*
 * A potential for each country, such that the flows along its borders, from the higher to the lower
 * by their difference, add up to its surplus: Poisson's equation on the graph of countries, by
 * successive over-relaxation (Young 1954), which takes about as many turns as the map is countries
 * wide.
 */
static void relax(struct adjacency *a, const struct flow *flow, int32_t most_turns)
{
    const struct balance *c = a->ground->balance;
    const struct web web = flow->web;
    int64_t *potential = flow->potential, turns = mw_min64(mw_root(c->count) + 9, most_turns);
    int64_t over =
        2 * UNIT * turns / (turns + 3); /* the best for a square is 2 / (1 + pi / wide) */
    int32_t *rate = MW_NEW(a->ground->run, int32_t, a->countries + 1);
    for (int32_t k = 1; k <= a->countries; k++)
        rate[k] = (int32_t)(over / mw_max(web.first[k + 1] - web.first[k], 1));
    for (int64_t turn = 0; turn < turns; turn++)
        for (int32_t k = 1; k <= a->countries; k++) {
            int32_t count = web.first[k + 1] - web.first[k];
            int64_t sum = (int64_t)(c->size[k] - flow->want[k]) * UNIT - count * potential[k];
            for (int32_t i = web.first[k]; i < web.first[k + 1]; i++)
                sum += potential[web.to[i]];
            int64_t better = potential[k] + sum * rate[k] / UNIT;
            potential[k] = mw_max64(mw_min64(better, STEEP), -STEEP);
        }
    mw_tick(a->ground->run, (uint64_t)(a->countries * turns));
}

/* Passes on what a country has too much, to those of lower potential by the difference. */
static void pass_on(struct adjacency *a, struct mw_rng *rng, const struct flow *flow, int32_t from)
{
    const struct ground *g = a->ground;
    const int64_t *potential = flow->potential;
    const uint16_t *to = flow->web.to, *end = to + flow->web.first[from + 1];
    int64_t slope = 0;
    to += flow->web.first[from];
    for (const uint16_t *k = to; k < end; k++)
        slope += mw_max64(potential[from] - potential[*k], 0);
    for (const uint16_t *k = to; k < end; k++) {
        int32_t spare = g->balance->size[from] - flow->want[from];
        int64_t down = potential[from] - potential[*k];
        if (spare <= 0 || down <= 0)
            continue;
        int64_t keep = g->balance->size[from] - (spare * down + slope - 1) / slope;
        slope -= down;
        while (g->balance->size[from] > keep && regions_pass(a, rng, from, *k))
            ;
    }
}

void regions_flow(struct adjacency *a, struct mw_rng *rng, int32_t turns)
{
    const struct ground *g = a->ground;
    char *mark = mw_mark(g->run);
    struct flow flow = {spin_web(a), MW_NEW0(g->run, int64_t, a->countries + 1),
                        MW_NEW(g->run, int32_t, a->countries + 1)};
    uint64_t *key = MW_NEW(g->run, uint64_t, a->countries);
    int32_t *order = MW_NEW(g->run, int32_t, a->countries);
    set_wants(g->balance, flow.want);
    relax(a, &flow, turns);
    for (int32_t k = 1; k <= a->countries; k++) {
        key[k - 1] = (uint64_t)(INT64_MAX / 2 - flow.potential[k]);
        order[k - 1] = k;
    }
    mw_sort(g->run, key, order, a->countries);
    for (int32_t i = 0; i < a->countries; i++)
        pass_on(a, rng, &flow, order[i]);
    mw_rewind(g->run, mark);
}
