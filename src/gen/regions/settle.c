/*
 * settle.c: sizes made exact.
 *
 * Countries are the nodes of a graph, joined where they share a border. A country with a cell
 * too many sends one along the shortest chain to a country that has room, each passing a cell of
 * its own to the next; one with too few is sent one by the nearest that can spare it. The chain
 * starts at the giver: each country in between gains before it loses, so none is ever empty, not
 * even when all have a single cell. If a country has nothing to pass at a border (a cell there
 * may be what holds it together), the chain stops there, with every country whole and the
 * surplus nearer its goal; that link is closed for the round, and the next chain goes another
 * way.
 *
 * A round lists who borders on whom, then works off the surplus country by country:
 * first what has its match nearby, by chains, then the rest all at once, by balance flows. Rounds
 * go on while they help; where they do not, a short sweep shakes the borders. The number of both is
 * bounded.
 */
#include "regions.h"

/* Places looked at when one that may go was found, and a gain that ends the look at once. */
enum { ENOUGH = 48, GOOD = 1 };
/*
 * Countries that a chain may visit, by turns; flows in a round, and cells that a country passes
 * on in each: more at once, through one border, would grow horns. Cells that a search may
 * visit.
 */
enum { NEAREST = 32, FARTHEST = 128, FLOWS = 14, FLOW_CELLS = 3, FAR = 4096 };
/* What long searches may visit in all, for each country. */
enum { PATIENCE = 32 };

struct adjacency {
    struct ground *ground;
    int32_t countries;
    int32_t *first,
        *places; /* of country k on the boundary: places[first[k]] .. places[first[k + 1] - 1] */
    int32_t *link,
        *links; /* its neighbours: links[link[k]] .. ; negative when closed in this round */
    int32_t *facing_from,
        *facing;   /* its places that face neighbour links[i]: facing[facing_from[i]] .. */
    int32_t *back; /* of the present search: who reached it */
    int32_t *seen, *queue, *chain;
    int32_t stamp;
    int64_t patience; /* countries that may still be visited in this round's searches */
    int32_t radius;   /* countries that a search may visit */
};

/* ---- who borders on whom --------------------------------------------------------------------- */

static void list_places(struct adjacency *a)
{
    const struct ground *g = a->ground;
    memset(a->first, 0, ((size_t)a->countries + 2) * sizeof *a->first);
    for (int32_t i = 0; i < g->boundary_count; i++)
        a->first[regions_country(g, g->boundary[i]) + 1]++;
    for (int32_t k = 0; k <= a->countries; k++)
        a->first[k + 1] += a->first[k];
    int32_t *next = a->queue;
    memcpy(next, a->first, ((size_t)a->countries + 1) * sizeof *next);
    for (int32_t i = 0; i < g->boundary_count; i++)
        a->places[next[regions_country(g, g->boundary[i])]++] = g->boundary[i];
}

/*
 * Lists each country's neighbours and, for each of them, the places that face it: first who is
 * there, and how often, with a note of what every place faces; then the places, by these notes.
 */
static void list_neighbours(struct adjacency *a, uint16_t *note, uint8_t *faces)
{
    const struct ground *g = a->ground;
    int32_t n = 0, *slot = a->back;
    for (int32_t k = 1; k <= a->countries; k++) {
        a->link[k] = n;
        for (int32_t i = a->first[k]; i < a->first[k + 1]; i++) {
            int count = g->faces(g, a->places[i], note);
            faces[i] = (uint8_t)count;
            for (; count--; note++) {
                if (a->seen[*note] != k) {
                    a->seen[*note] = k;
                    slot[*note] = n;
                    a->facing_from[n + 1] = 0;
                    a->links[n++] = *note;
                }
                a->facing_from[slot[*note] + 1]++;
            }
        }
    }
    assert(n <= 6 * a->countries + 16); /* at most three borders a country, on plane and torus */
    a->link[a->countries + 1] = n;
    a->facing_from[0] = 0;
    for (int32_t i = 0; i < n; i++)
        a->facing_from[i + 1] += a->facing_from[i];
}

static void list_facing(struct adjacency *a, const uint16_t *note, const uint8_t *faces)
{
    int32_t *next = a->back;
    for (int32_t k = 1; k <= a->countries; k++) {
        for (int32_t i = a->link[k]; i < a->link[k + 1]; i++)
            next[a->links[i]] = a->facing_from[i];
        for (int32_t i = a->first[k]; i < a->first[k + 1]; i++)
            for (int count = faces[i]; count--; note++)
                a->facing[next[*note]++] = a->places[i];
    }
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Where `to` stands among the neighbours of `from`; -1 when the link is closed. */
static int32_t link_to(const struct adjacency *a, int32_t from, int32_t to)
{
    for (int32_t i = a->link[from]; i < a->link[from + 1]; i++)
        if (a->links[i] == to)
            return i;
    return -1;
}

static void close_link(struct adjacency *a, int32_t from, int32_t to)
{
    int32_t link = link_to(a, from, to);
    if (link >= 0)
        a->links[link] = -to;
}

/* The neighbour at a link, if a cell may go there (giving) or come from there; else 0. */
static int32_t partner(const struct adjacency *a, int32_t country, int32_t link, bool giving)
{
    int32_t other = a->links[link];
    if (giving)
        return other > 0 ? other : 0;
    other = other < 0 ? -other : other;
    return link_to(a, other, country) >= 0 ? other : 0;
}

/* Which of a country's places may best go to a neighbour; -1 when none may. */
static int32_t find_cell(struct adjacency *a, struct mw_rng *rng, int32_t link, int32_t from)
{
    struct ground *g = a->ground;
    const int32_t *facing = a->facing + a->facing_from[link];
    int32_t count = a->facing_from[link + 1] - a->facing_from[link], best = -1,
            best_gain = REGIONS_NEVER, looked = 0;
    int32_t start = (int32_t)mw_below(rng, (uint32_t)count);
    for (; looked < count && best_gain < GOOD && (best < 0 || looked < ENOUGH); looked++) {
        int32_t place = facing[start + looked < count ? start + looked : start + looked - count];
        if (regions_country(g, place) != from)
            continue;
        int gain = g->gain(g, place, (uint16_t)a->links[link], best_gain + 1);
        if (gain == REGIONS_NEVER)
            continue;
        best_gain = gain;
        best = place;
    }
    mw_tick(g->run, (uint64_t)looked);
    return best;
}

/* Moves a place from one country to the next; where there is water, searches when that must be. */
static bool pass_cell(struct adjacency *a, struct mw_rng *rng, int32_t from, int32_t to)
{
    struct ground *g = a->ground;
    int32_t link = link_to(a, from, to), near = g->reach;
    if (link < 0)
        return false;
    int32_t place = find_cell(a, rng, link, from);
    if (place < 0 && g->stamp) {
        g->reach = FAR;
        place = find_cell(a, rng, link, from);
        g->reach = near;
    }
    assert(place < 0 || regions_country(g, place) == from);
    if (place >= 0)
        g->move(g, place, (uint16_t)to);
    assert(g->balance->size[from] > 0);
    return place >= 0;
}

/* ---- chains ---------------------------------------------------------------------------------- */

/*
 * The shortest chain from country k to one that can take a cell (giving) or spare one, by way of
 * open links. Its length, with chain[0] the giver; 0 when there is none.
 */
static int32_t find_chain(struct adjacency *a, int32_t k, bool giving)
{
    const struct balance *c = a->ground->balance;
    int32_t head = 0, tail = 0, found = 0;
    a->stamp++;
    a->seen[k] = a->stamp;
    a->queue[tail++] = k;
    if (a->patience < 0)
        return 0;
    while (head < tail && !found && head < a->radius) {
        int32_t u = a->queue[head++];
        mw_tick(a->ground->run, 4);
        for (int32_t i = a->link[u]; i < a->link[u + 1] && !found; i++) {
            int32_t v = partner(a, u, i, giving);
            if (!v || a->seen[v] == a->stamp)
                continue;
            a->seen[v] = a->stamp;
            a->back[v] = u;
            a->queue[tail++] = v;
            bool will_do = giving ? c->size[v] < c->high[v] : c->size[v] > c->low[v];
            if (will_do)
                found = v;
        }
    }
    assert(tail <= a->countries);
    a->patience -= tail;
    if (!found)
        return 0;
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

/* Sends a cell along the chain, as far as links are open; whether it arrived. */
static bool send(struct adjacency *a, struct mw_rng *rng, int32_t length)
{
    for (int32_t i = 0; i + 1 < length; i++) {
        int32_t from = a->chain[i], to = a->chain[i + 1];
        if (pass_cell(a, rng, from, to))
            continue;
        close_link(a, from, to);
        return false;
    }
    return true;
}

static bool too_large(const struct balance *c, int32_t k) { return c->size[k] > c->high[k]; }

static bool too_small(const struct balance *c, int32_t k) { return c->size[k] < c->low[k]; }

/* Works off what country k has too much or too little, as far as it can. */
static void even_out(struct adjacency *a, struct mw_rng *rng, int32_t k)
{
    const struct balance *c = a->ground->balance;
    while (too_large(c, k) || too_small(c, k)) {
        bool giving = too_large(c, k);
        int32_t length = find_chain(a, k, giving);
        if (!length)
            return;
        int32_t other = a->chain[giving ? length - 1 : 0];
        bool more = true;
        while (more && send(a, rng, length))
            more = giving ? too_large(c, k) && c->size[other] < c->high[other]
                          : too_small(c, k) && c->size[other] > c->low[other];
    }
}

/* ---- flows ----------------------------------------------------------------------------------- */

/*
 * What is left has far to go. From all countries with room at once, a search spreads over the map;
 * then, the farthest first, each country passes some of what it has too much to the one it was
 * reached from, and so on down to where there is room. Who gets too much there is one of those with
 * too much in the next flow. Likewise with too little, upwards. One flow costs no more than one
 * long chain. Whether anything moved.
 */
static bool flow(struct adjacency *a, struct mw_rng *rng, bool giving)
{
    const struct balance *c = a->ground->balance;
    int32_t head = 0, tail = 0;
    bool moved = false;
    a->stamp++;
    for (int32_t k = 1; k <= a->countries; k++)
        if (giving ? c->size[k] < c->high[k] : c->size[k] > c->low[k]) {
            a->seen[k] = a->stamp;
            a->back[k] = 0;
            a->queue[tail++] = k;
        }
    for (; head < tail; head++)
        for (int32_t u = a->queue[head], i = a->link[u]; i < a->link[u + 1]; i++) {
            int32_t v = partner(a, u, i, !giving);
            if (!v || a->seen[v] == a->stamp)
                continue;
            a->seen[v] = a->stamp;
            a->back[v] = u;
            a->queue[tail++] = v;
        }
    mw_tick(a->ground->run, (uint64_t)tail * 8);
    while (tail--) {
        int32_t k = a->queue[tail], to = giving ? a->back[k] : k, from = giving ? k : a->back[k];
        for (int n = 0;
             n < FLOW_CELLS && a->back[k] && (giving ? too_large(c, k) : too_small(c, k)); n++) {
            if (!pass_cell(a, rng, from, to)) {
                close_link(a, from, to);
                break;
            }
            moved = true;
        }
    }
    return moved;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void list_adjacency(struct ground *g, struct adjacency *a)
{
    size_t countries = (size_t)g->balance->count;
    *a = (struct adjacency){.ground = g, .countries = g->balance->count};
    a->first = MW_NEW(g->run, int32_t, countries + 2);
    a->places = MW_NEW(g->run, int32_t, g->boundary_count);
    a->link = MW_NEW(g->run, int32_t, countries + 2);
    a->links = MW_NEW(g->run, int32_t, 6 * countries + 16);
    a->facing_from = MW_NEW(g->run, int32_t, 6 * countries + 17);
    a->back = MW_NEW(g->run, int32_t, countries + 1);
    a->seen = MW_NEW0(g->run, int32_t, countries + 1);
    a->queue = MW_NEW(g->run, int32_t, countries + 2);
    a->chain = MW_NEW(g->run, int32_t, countries + 1);
    a->patience = PATIENCE * ((int64_t)a->countries + 64) + g->boundary_count;
    mw_tick(g->run, (uint64_t)g->boundary_count * 2);
    uint16_t *note =
        MW_NEW(g->run, uint16_t, (size_t)g->most_faces * (size_t)(g->boundary_count + 1));
    uint8_t *faces = MW_NEW(g->run, uint8_t, g->boundary_count);
    list_places(a);
    list_neighbours(a, note, faces);
    a->facing = MW_NEW(g->run, int32_t, a->facing_from[a->link[a->countries + 1]]);
    list_facing(a, note, faces);
    memset(a->seen, 0, (countries + 1) * sizeof *a->seen);
}

static void settle_round(struct ground *g, struct mw_rng *rng)
{
    char *mark = mw_mark(g->run);
    struct adjacency a;
    list_adjacency(g, &a);
    for (a.radius = NEAREST; a.radius <= FARTHEST; a.radius *= 4)
        for (int32_t k = 1; k <= a.countries; k++)
            even_out(&a, rng, k);
    for (int i = 0; i < (g->weight ? 0 : FLOWS) && regions_excess(g->balance); i++) {
        bool moved = flow(&a, rng, true);
        if (!flow(&a, rng, false) && !moved)
            break;
    }
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
            g->sweep(g, rng, tension, g->boundary_count);
        excess = regions_excess(g->balance);
    }
    mw_assert_costly(regions_is_sound(g));
    return !excess;
}
