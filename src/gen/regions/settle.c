/*
 * settle.c: sizes made exact.
 *
 * A round begins with flows where much is uneven (flow.c), and ends with chains. A country with a
 * cell too many sends one along the shortest chain of neighbours to a country that has room, each
 * passing a cell of its own to the next; one with too few is sent one by the nearest that can
 * spare it. The chain starts at the giver: each country in between gains before it loses, so
 * none is ever empty, not even when all have a single cell. If a country has nothing to pass at a
 * border (a cell there may be what holds it together), the chain stops there, with every country
 * whole and the surplus nearer its goal; that link is closed for the round, and the next chain
 * goes another way. Near matches are made first: the searches of a turn look no farther than its
 * radius.
 *
 * Rounds go on while they help; where they do not, a short sweep shakes the borders. The number of
 * rounds is bounded, and so is what the searches of a round may visit.
 */
#include "kit/integer.h"
#include "regions.h"

/* Countries that a search may visit in the first turn; what all of a round may visit, for each
   country. Flows in a round, turns of relaxation for one, and so few cells that they are left to
   chains. */
enum { NEAREST = 32, PATIENCE = 32, FLOWS = 2, FULL_TURNS = 256, FEW = 16 };

struct search {
    struct adjacency adjacency;
    int32_t *back; /* of the present search: who reached it */
    int32_t *seen, *queue, *chain;
    int32_t stamp;
    int64_t patience; /* countries that may still be visited in this round */
    int32_t radius;   /* countries that one search may visit */
};

static void new_search(struct ground *g, struct search *s)
{
    size_t by_country = (size_t)g->balance->count + 1;
    *s = (struct search){.patience = PATIENCE * ((int64_t)by_country + 64) + g->boundary_count};
    regions_new_adjacency(g, &s->adjacency);
    s->back = MW_NEW(g->run, int32_t, by_country);
    s->seen = MW_NEW0(g->run, int32_t, by_country);
    s->queue = MW_NEW(g->run, int32_t, by_country);
    s->chain = MW_NEW(g->run, int32_t, by_country);
}

/* ---- chains ---------------------------------------------------------------------------------- */

static void close_link(struct adjacency *a, int32_t from, int32_t to)
{
    struct link *link = regions_link(a, from, to);
    if (link)
        link->closed = true;
}

/* The neighbour at a link, if a cell may go there (giving) or come from there; else 0. */
static int32_t partner(struct adjacency *a, int32_t country, const struct link *link, bool giving)
{
    if (giving)
        return link->closed ? 0 : link->to;
    if (a->country[link->to].count == REGIONS_UNLISTED)
        return link->to;
    const struct link *back = regions_link(a, link->to, country);
    return back && !back->closed ? link->to : 0;
}

/*
 * The shortest chain from country k to one that can take a cell (giving) or spare one, by way of
 * open links. Its length, with chain[0] the giver; 0 when there is none.
 */
static int32_t find_chain(struct search *s, int32_t k, bool giving)
{
    const struct balance *c = s->adjacency.ground->balance;
    int32_t head = 0, tail = 0, found = 0;
    s->stamp++;
    s->seen[k] = s->stamp;
    s->queue[tail++] = k;
    if (s->patience < 0 || s->adjacency.full)
        return 0;
    while (head < tail && !found && head < s->radius) {
        int32_t u = s->queue[head++];
        mw_tick(s->adjacency.ground->run, 4);
        const struct country *country = regions_links_of(&s->adjacency, u);
        for (int32_t i = 0; i < country->count && !found; i++) {
            int32_t v = partner(&s->adjacency, u, &s->adjacency.links[country->first + i], giving);
            if (!v || s->seen[v] == s->stamp)
                continue;
            s->seen[v] = s->stamp;
            s->back[v] = u;
            s->queue[tail++] = v;
            bool will_do = giving ? c->size[v] < c->high[v] : c->size[v] > c->low[v];
            if (will_do)
                found = v;
        }
    }
    assert(tail <= s->adjacency.countries);
    s->patience -= tail;
    if (!found)
        return 0;
    int32_t n = 0;
    for (int32_t v = found; v != k; v = s->back[v])
        s->chain[n++] = v;
    s->chain[n++] = k;
    for (int32_t i = 0; giving && i < n / 2; i++) {
        int32_t swap = s->chain[i];
        s->chain[i] = s->chain[n - 1 - i];
        s->chain[n - 1 - i] = swap;
    }
    return n;
}

/* Sends a cell along the chain, as far as links are open; whether it arrived. */
static bool send(struct search *s, struct mw_rng *rng, int32_t length)
{
    for (int32_t i = 0; i + 1 < length; i++) {
        int32_t from = s->chain[i], to = s->chain[i + 1];
        if (regions_pass(&s->adjacency, rng, from, to, true))
            continue;
        close_link(&s->adjacency, from, to);
        return false;
    }
    return true;
}

static bool too_large(const struct balance *c, int32_t k) { return c->size[k] > c->high[k]; }

static bool too_small(const struct balance *c, int32_t k) { return c->size[k] < c->low[k]; }

/* Works off what country k has too much or too little, as far as it can. */
static void even_out(struct search *s, struct mw_rng *rng, int32_t k)
{
    const struct balance *c = s->adjacency.ground->balance;
    while (too_large(c, k) || too_small(c, k)) {
        bool giving = too_large(c, k);
        int32_t length = find_chain(s, k, giving);
        if (!length)
            return;
        int32_t other = s->chain[giving ? length - 1 : 0];
        bool more = true;
        while (more && send(s, rng, length))
            more = giving ? too_large(c, k) && c->size[other] < c->high[other]
                          : too_small(c, k) && c->size[other] > c->low[other];
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Flows, each by borders listed anew, as long as they halve what is uneven. */
void regions_even_out(struct ground *g, struct mw_rng *rng, int32_t turns)
{
    const struct balance *c = g->balance;
    int64_t excess = regions_excess(c), before = INT64_MAX;
    for (int i = 0; i < FLOWS && excess > FEW + c->count / 4 && excess < before / 2; i++) {
        char *mark = mw_mark(g->run);
        struct adjacency a;
        regions_new_adjacency(g, &a);
        regions_flow(&a, rng, turns);
        mw_rewind(g->run, mark);
        before = excess;
        excess = regions_excess(c);
    }
}

static void settle_round(struct ground *g, struct mw_rng *rng)
{
    char *mark = mw_mark(g->run);
    struct search s;
    regions_even_out(g, rng, FULL_TURNS);
    new_search(g, &s);
    int32_t countries = g->balance->count, most = 4 * mw_max(countries, NEAREST);
    for (s.radius = NEAREST; s.radius < most && s.patience > 0 && regions_excess(g->balance);
         s.radius *= 4)
        for (int32_t k = 1; k <= countries; k++)
            even_out(&s, rng, k);
    mw_rewind(g->run, mark);
}

bool regions_settle(struct ground *g, struct mw_rng *rng, int32_t tension, int rounds)
{
    assert(tension >= 0 && rounds > 0);
    mw_assert_costly(regions_is_sound(g));
    int64_t excess = regions_excess(g->balance);
    for (int round = 0; excess && round < rounds; round++) {
        settle_round(g, rng);
        int64_t now = regions_excess(g->balance);
        if (now && now >= excess)
            regions_sweep(g, rng, tension, g->boundary_count);
        excess = regions_excess(g->balance);
    }
    mw_assert_costly(regions_is_sound(g));
    return !excess;
}
