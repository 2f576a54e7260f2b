/*
 * balance.c: evens out sizes and makes them exact, by moving places between neighbours.
 *
 * Adjacency. Countries are the nodes of a graph, joined by links where they share a border; a link
 * lists the places that face the other. On a map of many countries most links are never needed, so
 * those of a country are listed when they are first used, from the list of its places on the
 * boundary. When a place moves, the lists of both countries become stale, which does no harm: a
 * place that no longer belongs to the country is skipped, and a move is judged by the grid alone.
 * So links are listed again only when a country finds none of its places fit to go. The room for
 * lists is bounded; once it is used up no country has any links, and the round is over.
 *
 * Flows. Think of the surplus as charge: a potential that solves Poisson's equation on the graph of
 * countries gives, as its differences along the links, the flows of least squares that even
 * everything out, as in Hu and Blake's balancing of loads (1999). The country with the highest
 * potential goes first and passes its surplus to its lower neighbours, in proportion to the
 * difference; then the next, with what it received. So rounding errors move downhill, no country
 * gives cells before it has them, and one pass over all countries is enough.
 *
 * Chains. A country with a cell too many sends one along a shortest chain of neighbours to one that
 * has room, each passing a cell of its own to the next; one with too few gets one from the nearest
 * that can spare it. The chain starts at the giver: each country in between gains before it loses,
 * so none is ever empty, not even when all have a single cell. If a country has nothing to pass at
 * a border (a cell there may be what holds it together), the chain stops there, with every country
 * whole and the surplus nearer its goal; that link is closed for the round, and the next chain goes
 * another way. All chains are found at once, by one breadth-first search from all countries that
 * can help; where several need the same one, the first gets it.
 *
 * A round begins with flows where much is uneven, and ends with chains. Rounds go on while they
 * help; where they do not, a short sweep shakes the borders. The number of rounds is bounded, and
 * so is what the searches of a round may visit.
 */
#include "kit/integer.h"
#include "regions.h"

/* ---- sizes ----------------------------------------------------------------------------------- */

void regions_new_balance(struct mw_run *run, struct balance *c, int32_t count)
{
    c->count = count;
    c->size = MW_NEW0(run, int32_t, count + 1);
    c->low = MW_NEW0(run, int32_t, count + 1);
    c->high = MW_NEW0(run, int32_t, count + 1);
    c->pressure = MW_NEW0(run, int64_t, count + 1);
    c->weight = MW_NEW0(run, int64_t, count + 1);
}

int64_t regions_excess(const struct balance *c)
{
    int64_t excess = 0;
    for (int32_t k = 1; k <= c->count; k++) {
        excess += mw_max(c->size[k] - c->high[k], 0);
        excess += mw_max(c->low[k] - c->size[k], 0);
    }
    return excess;
}

/* ---- adjacency ------------------------------------------------------------------------------- */

enum { UNLISTED = -1 };

/* A border of a country: the places of the country that face a neighbour. */
struct border_link {
    int32_t first, count; /* facing[first] .. */
    bool closed;          /* no place may go there; set by chains */
};

struct country_links {
    int32_t first, count; /* links[first] ..; or UNLISTED */
    bool stale;           /* places came or went since */
};

struct adjacency {
    struct label_grid *grid;
    int32_t countries;
    struct country_links *country;
    struct border_link *links;
    uint16_t *to; /* by link: the neighbour that it leads to */
    int32_t *facing;
    int32_t *head, *next; /* by country, by place on the boundary: its places, as a list */
    int32_t *slot;        /* by country, while another is listed: its link */
    int32_t entered;      /* places of the boundary that are in a list */
    int32_t places_room, links_used, links_room, facing_used, facing_room;
    bool full; /* the room for links is used up: no country has any */
};

/* Places that are tried once one that may move was found; and a gain that ends the search. */
enum { ENOUGH = 48, GOOD = 1 };
/* How often the links of all countries may be listed, on average: six of each, some more on small
   maps. */
enum { LISTINGS = 3, LINKS = 6, MORE = 16 };

/* Puts a place on the boundary into the list of its country. */
static void enter_place(struct adjacency *a, int32_t i)
{
    uint16_t k = regions_country(a->grid, a->grid->boundary[i]);
    a->next[i] = a->head[k];
    a->head[k] = i;
}

/* Sorts the boundary by country, for locality, and lists the places of each country. */
static void sort_places(struct adjacency *a)
{
    struct label_grid *g = a->grid;
    int32_t *end = a->slot, *sorted = a->next, n = g->boundary_count;
    assert(n <= a->places_room);
    memset(end, 0, ((size_t)a->countries + 1) * sizeof *end);
    for (int32_t i = 0; i < n; i++)
        end[regions_country(g, g->boundary[i])]++;
    for (int32_t k = 0, first = 0; k <= a->countries; k++) {
        first += end[k];
        end[k] = first - end[k];
        a->head[k] = -1;
    }
    for (int32_t i = 0; i < n; i++)
        sorted[end[regions_country(g, g->boundary[i])]++] = g->boundary[i];
    memcpy(g->boundary, sorted, (size_t)n * sizeof *sorted);
    for (int32_t i = n; i-- > 0;)
        enter_place(a, i);
    a->entered = n;
    mw_tick(g->run, (uint64_t)n);
}

static void new_adjacency(struct label_grid *g, struct adjacency *a)
{
    assert(g->balance->count > 0 && g->boundary_count >= 0);
    int32_t countries = g->balance->count, n = g->boundary_count;
    /* Most places face one country; but where links meet at a corner one faces both. */
    int32_t links = LINKS * countries + MORE;
    size_t by_country = (size_t)countries + 1;
    *a = (struct adjacency){.grid = g,
                            .countries = countries,
                            .places_room = n + n / 2 + 1024,
                            .links_room = LISTINGS * links,
                            .facing_room = LISTINGS * (n + n / 4 + links)};
    a->country = MW_NEW(g->run, struct country_links, by_country);
    a->head = MW_NEW(g->run, int32_t, by_country);
    a->slot = MW_NEW(g->run, int32_t, by_country);
    a->next = MW_NEW(g->run, int32_t, a->places_room);
    a->links = MW_NEW(g->run, struct border_link, a->links_room);
    a->to = MW_NEW(g->run, uint16_t, a->links_room);
    a->facing = MW_NEW(g->run, int32_t, a->facing_room);
    sort_places(a);
    for (int32_t k = 0; k <= countries; k++) {
        a->country[k] = (struct country_links){.count = UNLISTED};
        a->slot[k] = -1;
    }
}

/* ---- listing --------------------------------------------------------------------------------- */

/* Puts the places that came onto the boundary into the lists of their countries. */
static void enter_places(struct adjacency *a)
{
    const struct label_grid *g = a->grid;
    int32_t count = mw_min(g->boundary_count, a->places_room);
    mw_tick(g->run, (uint64_t)(count - a->entered));
    while (a->entered < count)
        enter_place(a, a->entered++);
}

/* Moves places that changed hands to the list of their new country. */
static void weed_places(struct adjacency *a, int32_t k)
{
    const struct label_grid *g = a->grid;
    int32_t left = a->entered; /* each is in one list */
    for (int32_t *at = &a->head[k]; *at >= 0 && left-- > 0;) {
        int32_t i = *at;
        if (regions_country(g, g->boundary[i]) == k) {
            at = &a->next[i];
            continue;
        }
        *at = a->next[i];
        enter_place(a, i);
    }
    assert(left >= 0);
}

/* The link to a neighbour of the country that is being listed, whose links begin at `first`; -1:
   there is no room for more. */
static inline int32_t slot_of(struct adjacency *a, int32_t first, int32_t to)
{
    int32_t slot = a->slot[to];
    if (slot >= first || a->links_used == a->links_room)
        return slot >= first ? slot : -1;
    a->links[a->links_used] = (struct border_link){0};
    a->to[a->links_used] = (uint16_t)to;
    return a->slot[to] = a->links_used++;
}

/* Writes every place and its link to the end of facing[], backwards, and counts the places of each
   link. Returns how many there are; -1: no room. */
static int32_t note_facing(struct adjacency *a, int32_t k)
{
    enum { SOME = 128 };
    int32_t place[SOME], places, first = a->links_used;
    uint32_t face[SOME * REGIONS_FACES + 1];
    int32_t *end = a->facing + a->facing_room, *note = end, *room = a->facing + a->facing_used;
    for (int32_t i = a->head[k]; i >= 0;) {
        for (places = 0; i >= 0 && places < SOME; i = a->next[i])
            place[places++] = a->grid->boundary[i];
        int32_t faces = regions_list_faces(a->grid, place, places, face);
        for (int32_t j = 0; j < faces; j++) {
            int32_t slot = slot_of(a, first, (int32_t)(face[j] & 0xffff));
            if (slot < 0 || note - room < 3 + (end - note) / 2)
                return -1;
            a->links[slot].count++;
            *--note = place[face[j] >> 16];
            *--note = slot;
        }
    }
    return (int32_t)(end - note) / 2;
}

/* Lists the places by the neighbour they face. False when there is no room for them. */
static bool list_facing(struct adjacency *a, int32_t k, struct country_links *country)
{
    country->first = a->links_used;
    int32_t notes = note_facing(a, k);
    if (notes < 0)
        return false;
    country->count = a->links_used - country->first;
    for (struct border_link *link = a->links + country->first; link < a->links + a->links_used;
         link++) {
        link->first = a->facing_used;
        a->facing_used += link->count;
        link->count = 0;
    }
    const int32_t *note = a->facing + a->facing_room;
    for (; notes--; note -= 2) {
        struct border_link *link = &a->links[note[-2]];
        a->facing[link->first + link->count++] = note[-1];
    }
    return true;
}

static void list_country(struct adjacency *a, int32_t k)
{
    struct country_links *country = &a->country[k];
    enter_places(a);
    if (country->stale)
        weed_places(a, k);
    country->stale = false;
    if (list_facing(a, k, country))
        return;
    country->count = 0;
    a->full = true;
}

/* The links of a country, listed if they are not yet. */
static const struct country_links *links_of(struct adjacency *a, int32_t k)
{
    assert(0 < k && k <= a->countries);
    if (a->country[k].count == UNLISTED)
        list_country(a, k);
    return &a->country[k];
}

/* The link of a country to another; NULL: there is none. */
static struct border_link *link_between(struct adjacency *a, int32_t from, int32_t to)
{
    assert(from != to && 0 < to && to <= a->countries);
    const struct country_links *country = links_of(a, from);
    for (int32_t i = country->first; i < country->first + country->count; i++)
        if (a->to[i] == to)
            return &a->links[i];
    return NULL;
}

/* ---- passing places -------------------------------------------------------------------------- */

/* The place of a country that is best given to a neighbour; -1: none may be. */
static int32_t find_place(struct adjacency *a, struct mw_rng *rng, int32_t from, int32_t to)
{
    struct label_grid *g = a->grid;
    const struct border_link *link = link_between(a, from, to);
    if (!link)
        return -1;
    const int32_t *facing = a->facing + link->first;
    int32_t count = link->count, best = -1, best_gain = REGIONS_NEVER, looked = 0;
    int32_t start = (int32_t)mw_below(rng, (uint32_t)count);
    for (; looked < count && best_gain < GOOD && (best < 0 || looked < ENOUGH); looked++) {
        int32_t place = facing[start + looked < count ? start + looked : start + looked - count];
        if (regions_country(g, place) != from)
            continue;
        int gain = regions_gain(g, place, (uint16_t)to, best_gain + 1);
        if (gain == REGIONS_NEVER)
            continue;
        best_gain = gain;
        best = place;
    }
    mw_tick(g->run, (uint64_t)looked);
    return best;
}

/* Moves the best place from one country to another. Stale lists are renewed before it gives up.
   False: no place may move. */
static bool pass(struct adjacency *a, struct mw_rng *rng, int32_t from, int32_t to)
{
    assert(from != to && a->grid->balance->size[from] > 0);
    struct label_grid *g = a->grid;
    int32_t place = find_place(a, rng, from, to);
    if (place < 0 && a->country[from].stale) {
        list_country(a, from);
        place = find_place(a, rng, from, to);
    }
    if (place < 0)
        return false;
    assert(regions_country(g, place) == from);
    regions_move(g, place, (uint16_t)to);
    a->country[from].stale = a->country[to].stale = true;
    assert(g->balance->size[from] > 0);
    return true;
}

/* ---- flows ----------------------------------------------------------------------------------- */

/* Fixed point of potentials; and their limit: borders that were listed at different times need not
   agree, and then the equation may have no solution. */
enum { UNIT = 1 << 16 };
static const int64_t STEEP = INT64_C(1) << 36;

/* A plan of flows, by country. */
struct flow_plan {
    int64_t *potential;
    int32_t *want; /* cells that it is to have: from low to high; their sum is that of all sizes */
};

/* Sets the cells that countries are to have: one more for every n-th where some are to spare. */
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

/*
 * A potential for each country, such that the flows along its borders, from the higher to the lower
 * by their difference, add up to its surplus: Poisson's equation on the graph of countries, by
 * successive over-relaxation (Young 1954), which takes about as many turns as the map is countries
 * wide.
 */
static void relax(struct adjacency *a, const struct flow_plan *flow, int32_t most_turns)
{
    const struct balance *c = a->grid->balance;
    const struct country_links *country = a->country;
    const uint16_t *to = a->to;
    int64_t *potential = flow->potential, turns = mw_min64(mw_root(c->count) + 9, most_turns);
    int64_t over =
        2 * UNIT * turns / (turns + 3); /* the best for a square is 2 / (1 + pi / wide) */
    int32_t *rate = MW_NEW(a->grid->run, int32_t, a->countries + 1);
    for (int32_t k = 1; k <= a->countries; k++)
        rate[k] = (int32_t)(over / mw_max(links_of(a, k)->count, 1));
    for (int64_t turn = 0; turn < turns; turn++)
        for (int32_t k = 1; k <= a->countries; k++) {
            int32_t count = country[k].count, end = country[k].first + count;
            int64_t sum = (int64_t)(c->size[k] - flow->want[k]) * UNIT - count * potential[k];
            for (int32_t i = country[k].first; i < end; i++)
                sum += potential[to[i]];
            int64_t better = potential[k] + sum * rate[k] / UNIT;
            potential[k] = mw_max64(mw_min64(better, STEEP), -STEEP);
        }
    mw_tick(a->grid->run, (uint64_t)(a->countries * turns));
}

/* Passes the surplus of a country to neighbours of lower potential, in proportion to the
   difference. Its links may be listed again meanwhile, which leaves these as they are. */
static void pass_on(struct adjacency *a, struct mw_rng *rng, const struct flow_plan *flow,
                    int32_t from)
{
    const struct label_grid *g = a->grid;
    const int64_t *potential = flow->potential;
    const uint16_t *to = a->to + a->country[from].first, *end = to + a->country[from].count;
    int64_t slope = 0;
    for (const uint16_t *k = to; k < end; k++)
        slope += mw_max64(potential[from] - potential[*k], 0);
    for (const uint16_t *k = to; k < end; k++) {
        int32_t spare = g->balance->size[from] - flow->want[from];
        int64_t down = potential[from] - potential[*k];
        if (spare <= 0 || down <= 0)
            continue;
        int64_t keep = g->balance->size[from] - (spare * down + slope - 1) / slope;
        slope -= down;
        while (g->balance->size[from] > keep && pass(a, rng, from, *k))
            ;
    }
}

/* Evens out all surpluses at once, as far as possible, with so many turns of relaxation. */
static void flow_all(struct adjacency *a, struct mw_rng *rng, int32_t turns)
{
    assert(turns > 0);
    const struct label_grid *g = a->grid;
    char *mark = mw_mark(g->run);
    struct flow_plan flow = {.potential = MW_NEW0(g->run, int64_t, a->countries + 1),
                             .want = MW_NEW(g->run, int32_t, a->countries + 1)};
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

/* ---- chains ---------------------------------------------------------------------------------- */

/* Visits that all searches of a round may make, for each country; flows in a round, and turns of
   relaxation of one; above the map no surplus need go far. Surpluses that flows leave to chains:
   FEW, and one for RARE countries; or to the next level, one for FREQUENT. */
enum { PATIENCE = 64, FLOWS = 4, FULL_TURNS = 256, NEAR_TURNS = 64 };
enum { FEW = 16, RARE = 64, FREQUENT = 2 };

struct chain_search {
    struct adjacency *adjacency;
    int32_t *next; /* by country: the next of its chain; itself: it can help; 0: none */
    int32_t *queue, *chain;
    int64_t patience; /* countries that may still be visited in this round */
    bool news;        /* a cell was sent, or a link closed, since the last searches */
};

/* Whether a country must give a cell, or must get one. */
static bool is_in_need(const struct balance *c, int32_t k, bool giving)
{
    return giving ? c->size[k] > c->high[k] : c->size[k] < c->low[k];
}

/* Whether it can take a cell from a country that must give one, or can spare one. */
static bool can_help(const struct balance *c, int32_t k, bool giving)
{
    return giving ? c->size[k] < c->high[k] : c->size[k] > c->low[k];
}

/* Whether a cell may come over a link of a country from the other side (giving), or go there. */
static bool is_open(struct adjacency *a, int32_t country, int32_t link, bool giving)
{
    if (!giving)
        return !a->links[link].closed;
    if (a->country[a->to[link]].count == UNLISTED)
        return true;
    const struct border_link *back = link_between(a, a->to[link], country);
    return back && !back->closed;
}

/* Searches from all countries that can help, through open links, until all in need are reached. */
static void find_ways(struct chain_search *s, bool giving)
{
    struct adjacency *a = s->adjacency;
    const struct balance *c = a->grid->balance;
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
        const struct country_links *country = links_of(a, u);
        for (int32_t i = country->first; i < country->first + country->count; i++) {
            int32_t v = a->to[i];
            if (s->next[v] || !is_open(a, u, i, giving))
                continue;
            s->next[v] = u;
            s->queue[tail++] = v;
            needy -= is_in_need(c, v, giving);
        }
    }
    mw_tick(a->grid->run, (uint64_t)(c->count / 4 + 4 * head));
    s->patience -= c->count / 4 + head;
}

/* Writes the chain of a country in need, the giver first. Its length; 0: there is none, or the
   country at its end can no longer help. */
static int32_t trace_chain(struct chain_search *s, int32_t k, bool giving)
{
    int32_t n = 0;
    if (!s->next[k])
        return 0;
    for (; s->next[k] != k && n < s->adjacency->countries; k = s->next[k])
        s->chain[n++] = k;
    assert(s->next[k] == k); /* each was reached from one that was there before */
    s->chain[n++] = k;
    if (!can_help(s->adjacency->grid->balance, k, giving))
        return 0;
    for (int32_t i = 0; !giving && i < n / 2; i++) {
        int32_t swap = s->chain[i];
        s->chain[i] = s->chain[n - 1 - i];
        s->chain[n - 1 - i] = swap;
    }
    return n;
}

/* Sends a cell along the chain, as far as links are open; whether it arrived. */
static bool send(struct chain_search *s, struct mw_rng *rng, int32_t length)
{
    assert(length > 1 && length <= s->adjacency->countries);
    struct adjacency *a = s->adjacency;
    for (int32_t i = 0; i + 1 < length; i++) {
        struct border_link *link = link_between(a, s->chain[i], s->chain[i + 1]);
        if (link && link->closed)
            return false;
        s->news = true;
        if (pass(a, rng, s->chain[i], s->chain[i + 1]))
            continue;
        link = link_between(a, s->chain[i], s->chain[i + 1]);
        if (link)
            link->closed = true;
        return false;
    }
    return true;
}

/* Sends cells until country k has neither too many nor too few, as far as possible. */
static void even_out(struct chain_search *s, struct mw_rng *rng, int32_t k, bool giving)
{
    const struct balance *c = s->adjacency->grid->balance;
    int32_t length = trace_chain(s, k, giving);
    bool more = length > 0;
    while (more && send(s, rng, length))
        more = is_in_need(c, k, giving) && trace_chain(s, k, giving);
}

/* Sends chains, as long as they help, with so many visits in all. */
static void send_chains(struct adjacency *a, struct mw_rng *rng, int64_t patience)
{
    const struct balance *c = a->grid->balance;
    struct mw_run *run = a->grid->run;
    struct chain_search s = {.adjacency = a,
                             .next = MW_NEW(run, int32_t, c->count + 1),
                             .queue = MW_NEW(run, int32_t, c->count + 1),
                             .chain = MW_NEW(run, int32_t, c->count + 1),
                             .patience = patience,
                             .news = true};
    while (s.news && s.patience > 0 && !a->full && regions_excess(c)) {
        s.news = false;
        for (int giving = 1; giving >= 0; giving--) {
            find_ways(&s, giving);
            for (int32_t k = 1; k <= c->count; k++)
                if (is_in_need(c, k, giving))
                    even_out(&s, rng, k, giving);
        }
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Flows, as long as they halve what is uneven. */
static void flow(struct adjacency *a, struct mw_rng *rng, int32_t turns, int64_t few)
{
    const struct balance *c = a->grid->balance;
    int64_t excess = regions_excess(c), before = INT64_MAX;
    for (int i = 0; i < FLOWS && excess > few && excess < before / 2; i++) {
        flow_all(a, rng, turns);
        before = excess;
        excess = regions_excess(c);
    }
}

void regions_even_out(struct label_grid *g, struct mw_rng *rng, bool exactly)
{
    int32_t count = g->balance->count;
    int64_t patience = PATIENCE * ((int64_t)count + 65) + g->boundary_count;
    char *mark = mw_mark(g->run);
    struct adjacency a;
    new_adjacency(g, &a);
    if (exactly) {
        flow(&a, rng, FULL_TURNS, FEW + count / RARE);
        send_chains(&a, rng, patience);
    } else {
        flow(&a, rng, NEAR_TURNS, FEW + count / FREQUENT);
    }
    mw_rewind(g->run, mark);
}

bool regions_settle(struct label_grid *g, struct border_style *style)
{
    enum { ROUNDS = 60, MUCH = 1 << 22, HOPELESS = 128, SHAKEN = 64 };
    int64_t excess = regions_excess(g->balance);
    for (int round = 0; excess && round < ROUNDS; round++) {
        if (g->sides && (int64_t)round * g->land > MUCH && excess * HOPELESS > g->land)
            break; /* bisect.c does that sooner */
        regions_even_out(g, &style->rng, true);
        int64_t before = excess;
        excess = regions_excess(g->balance);
        if (excess < before)
            continue;
        /* Without water a few places for each cell of excess are enough, which leaves most of the
           map as it is. With water a surplus may have a long way to go. */
        int64_t all = g->boundary_count;
        regions_sweep(g, style, false, g->stamp ? all : mw_min64(all, SHAKEN * excess));
        excess = regions_excess(g->balance);
    }
    return !excess;
}
