/*
 * settle.c: sizes made exact.
 *
 * A round begins with flows where much is uneven (flow.c), and ends with chains. A country with a
 * cell too many sends one along a shortest chain of neighbours to a country that has room, each
 * passing a cell of its own to the next; one with too few is sent one by the nearest that can
 * spare it. The chain starts at the giver: each country in between gains before it loses, so
 * none is ever empty, not even when all have a single cell. If a country has nothing to pass at a
 * border (a cell there may be what holds it together), the chain stops there, with every country
 * whole and the surplus nearer its goal; that link is closed for the round, and the next chain
 * goes another way.
 *
 * The chains of all are found at once, by one search from all who can help, as water spreads from
 * many springs: whoever is reached knows whom to ask next, and so a way to the nearest of them.
 * When several want the same, the first gets it, and the others wait for the next search.
 *
 * Rounds go on while they help; where they do not, a short sweep shakes the borders. The number of
 * rounds is bounded, and so is what the searches of a round may visit.
 */
#include "kit/integer.h"
#include "regions.h"

/* What all searches of a round may visit, for each country. Flows in a round, turns of relaxation
   for one. Cells off that are left to chains: so many, and one for so many countries; or, on levels
   above the map, to the next level. */
enum { PATIENCE = 64, FLOWS = 4, FULL_TURNS = 256, FEW = 16, RARE = 64, FREQUENT = 2 };

struct search {
    struct adjacency adjacency;
    int32_t *next; /* by country, of the present search: whom to ask; itself: can help; 0: nobody */
    int32_t *queue, *chain;
    int64_t patience; /* countries that may still be visited in this round */
    bool news;        /* a cell was sent, or a link closed, since the last searches */
};

static void new_search(struct ground *g, struct search *s)
{
    size_t by_country = (size_t)g->balance->count + 1;
    *s = (struct search){.patience = PATIENCE * ((int64_t)by_country + 64) + g->boundary_count};
    regions_new_adjacency(g, &s->adjacency);
    s->next = MW_NEW(g->run, int32_t, by_country);
    s->queue = MW_NEW(g->run, int32_t, by_country);
    s->chain = MW_NEW(g->run, int32_t, by_country);
}

/* ---- chains ---------------------------------------------------------------------------------- */

/* Whether a country must give a cell, or must get one. */
static bool is_in_need(const struct balance *c, int32_t k, bool giving)
{
    return giving ? c->size[k] > c->high[k] : c->size[k] < c->low[k];
}

/* Whether it can take one from who gives, or spare one. */
static bool can_help(const struct balance *c, int32_t k, bool giving)
{
    return giving ? c->size[k] < c->high[k] : c->size[k] > c->low[k];
}

/* Whether a cell may come over a link of a country from the other side (giving), or go there. */
static bool is_open(struct adjacency *a, int32_t country, const struct link *link, bool giving)
{
    if (!giving)
        return !link->closed;
    if (a->country[link->to].count == REGIONS_UNLISTED)
        return true;
    const struct link *back = regions_link(a, link->to, country);
    return back && !back->closed;
}

/* Goes out from all who can help, by way of open links, until all in need are reached. */
static void search(struct search *s, bool giving)
{
    struct adjacency *a = &s->adjacency;
    const struct balance *c = a->ground->balance;
    int32_t head = 0, tail = 0, needy = 0;
    for (int32_t k = 1; k <= c->count; k++) {
        bool helps = can_help(c, k, giving);
        s->next[k] = helps ? k : 0;
        s->queue[tail] = k;
        tail += helps;
        needy += is_in_need(c, k, giving);
    }
    while (head < tail && needy) {
        int32_t u = s->queue[head++];
        const struct country *country = regions_links_of(a, u);
        for (int32_t i = 0; i < country->count; i++) {
            const struct link *link = &a->links[country->first + i];
            int32_t v = link->to;
            if (s->next[v] || !is_open(a, u, link, giving))
                continue;
            s->next[v] = u;
            s->queue[tail++] = v;
            needy -= is_in_need(c, v, giving);
        }
    }
    mw_tick(a->ground->run, (uint64_t)(c->count / 4 + 4 * head));
    s->patience -= c->count / 4 + head;
}

/* The chain of a country in need, with chain[0] the giver. Its length; 0 when there is none, or who
   could help no longer can. */
static int32_t trace_chain(struct search *s, int32_t k, bool giving)
{
    int32_t n = 0;
    if (!s->next[k])
        return 0;
    for (; s->next[k] != k && n < s->adjacency.countries; k = s->next[k])
        s->chain[n++] = k;
    assert(s->next[k] == k); /* each was reached from one that was there before */
    s->chain[n++] = k;
    if (!can_help(s->adjacency.ground->balance, k, giving))
        return 0;
    for (int32_t i = 0; !giving && i < n / 2; i++) {
        int32_t swap = s->chain[i];
        s->chain[i] = s->chain[n - 1 - i];
        s->chain[n - 1 - i] = swap;
    }
    return n;
}

/* Sends a cell along the chain, as far as links are open; whether it arrived. */
static bool send(struct search *s, struct mw_rng *rng, int32_t length)
{
    struct adjacency *a = &s->adjacency;
    for (int32_t i = 0; i + 1 < length; i++) {
        struct link *link = regions_link(a, s->chain[i], s->chain[i + 1]);
        if (link && link->closed)
            return false;
        s->news = true;
        if (regions_pass(a, rng, s->chain[i], s->chain[i + 1]))
            continue;
        link = regions_link(a, s->chain[i], s->chain[i + 1]);
        if (link)
            link->closed = true;
        return false;
    }
    return true;
}

/* Works off what country k has too much or too little, as far as it can. */
static void even_out(struct search *s, struct mw_rng *rng, int32_t k, bool giving)
{
    const struct balance *c = s->adjacency.ground->balance;
    int32_t length = trace_chain(s, k, giving);
    bool more = length > 0;
    while (more && send(s, rng, length))
        more = is_in_need(c, k, giving) && trace_chain(s, k, giving);
}

static void send_chains(struct search *s, struct mw_rng *rng)
{
    struct adjacency *a = &s->adjacency;
    const struct balance *c = a->ground->balance;
    s->news = true;
    while (s->news && s->patience > 0 && !a->full && regions_excess(c)) {
        s->news = false;
        for (int giving = 1; giving >= 0; giving--) {
            search(s, giving);
            for (int32_t k = 1; k <= c->count; k++)
                if (is_in_need(c, k, giving))
                    even_out(s, rng, k, giving);
        }
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Flows, as long as they halve what is uneven. */
static void flow(struct adjacency *a, struct mw_rng *rng, int32_t turns, int64_t few)
{
    const struct balance *c = a->ground->balance;
    int64_t excess = regions_excess(c), before = INT64_MAX;
    for (int i = 0; i < FLOWS && excess > few && excess < before / 2; i++) {
        regions_flow(a, rng, turns);
        before = excess;
        excess = regions_excess(c);
    }
}

void regions_even_out(struct ground *g, struct mw_rng *rng, int32_t turns)
{
    char *mark = mw_mark(g->run);
    struct adjacency a;
    regions_new_adjacency(g, &a);
    flow(&a, rng, turns, FEW + g->balance->count / FREQUENT);
    mw_rewind(g->run, mark);
}

static void settle_round(struct ground *g, struct mw_rng *rng)
{
    char *mark = mw_mark(g->run);
    struct search s;
    new_search(g, &s);
    flow(&s.adjacency, rng, FULL_TURNS, FEW + g->balance->count / RARE);
    send_chains(&s, rng);
    mw_rewind(g->run, mark);
}

/* Moves borders about. Where countries have fewer than so many cells, borders are all that there
   is: to move them all would undo the whole map for the last cell that is off, and a few places for
   each such cell do. Not so on land with water, where it may have a long way to go. */
static void shake(struct ground *g, struct mw_rng *rng, int32_t tension, int64_t excess)
{
    enum { SMALL = 4, SHAKEN = 64 };
    int64_t places = g->boundary_count;
    if (!g->stamp && SMALL * g->balance->count > g->count)
        places = mw_min64(places, SHAKEN * excess);
    regions_sweep(g, rng, tension, (int32_t)places);
}

bool regions_settle(struct ground *g, struct mw_rng *rng, int32_t tension, int rounds)
{
    assert(tension >= 0 && rounds > 0);
    mw_assert_costly(regions_is_sound(g));
    int64_t excess = regions_excess(g->balance);
    for (int round = 0; excess && round < rounds; round++) {
        settle_round(g, rng);
        int64_t before = excess;
        excess = regions_excess(g->balance);
        if (excess && excess >= before) {
            shake(g, rng, tension, excess);
            excess = regions_excess(g->balance);
        }
    }
    mw_assert_costly(regions_is_sound(g));
    return !excess;
}
