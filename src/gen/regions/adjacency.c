/*
 * adjacency.c: who borders on whom, and where.
 *
 * The countries are the nodes of a graph, joined by links where they share a border; a link lists
 * the places that face the other. On a map of many countries most of that is never asked for, so a
 * country's links are listed when they are first asked for, from the list of its places on the
 * boundary, which is made in one pass.
 *
 * When a place changes hands, what is known of giver and taker is stale, but not wrong in a way
 * that matters: a place that is no longer the giver's is passed over, and a move is judged by the
 * board alone. So links are listed anew only when a country finds none of its places fit to go.
 * The room for lists is bounded; when it is used up, no country has any links, and whoever uses
 * them must begin anew.
 */
#include "kit/integer.h"
#include "regions.h"

/* Places looked at when one that may go was found, and a gain that ends the look at once. Where
   there is water, once no more than one cell in so many is off, and some on small land: countries
   of fewer places are looked through for cut vertices, and others from a place as far as that. */
enum { ENOUGH = 48, GOOD = 1, RARE = 64, SOME = 4096, LARGE = 1 << 16, FAR = 4096 };
/* So often the links of all countries may be listed, on the mean: six of each country, or some more
   on small maps. */
enum { LISTINGS = 3, LINKS = 6, MORE = 16 };

/* Puts the boundary in order of countries, and lists the places of each: so that what is looked at
   together lies together. */
static void sort_places(struct adjacency *a)
{
    struct ground *g = a->ground;
    int32_t *end = a->slot, *sorted = a->next, n = g->boundary_count;
    assert(n <= a->places_room);
    memset(end, 0, ((size_t)a->countries + 1) * sizeof *end);
    for (int32_t i = 0; i < n; i++)
        end[regions_country(g, g->boundary[i])]++;
    for (int32_t k = 0, first = 0; k <= a->countries; k++) {
        a->head[k] = end[k] ? first : -1;
        first += end[k];
        end[k] = first - end[k];
    }
    for (int32_t i = 0; i < n; i++)
        sorted[end[regions_country(g, g->boundary[i])]++] = g->boundary[i];
    memcpy(g->boundary, sorted, (size_t)n * sizeof *sorted);
    for (int32_t i = 0; i < n; i++)
        a->next[i] = i + 1;
    for (int32_t k = 0; k <= a->countries; k++)
        if (a->head[k] >= 0)
            a->next[end[k] - 1] = -1;
    a->entered = n;
    mw_tick(g->run, (uint64_t)n);
}

void regions_new_adjacency(struct ground *g, struct adjacency *a)
{
    int32_t countries = g->balance->count, n = g->boundary_count;
    /* Most places face one country; but where links meet at a corner one faces both. */
    int32_t links = LINKS * countries + MORE;
    size_t by_country = (size_t)countries + 1;
    *a = (struct adjacency){.ground = g,
                            .countries = countries,
                            .far = g->stamp && regions_excess(g->balance) * RARE <= g->count + SOME,
                            .places_room = n + n / 2 + 1024,
                            .links_room = LISTINGS * links,
                            .facing_room = LISTINGS * (n + n / 4 + links)};
    a->country = MW_NEW(g->run, struct country, by_country);
    a->head = MW_NEW(g->run, int32_t, by_country);
    a->slot = MW_NEW(g->run, int32_t, by_country);
    a->next = MW_NEW(g->run, int32_t, a->places_room);
    a->links = MW_NEW(g->run, struct link, a->links_room);
    a->facing = MW_NEW(g->run, int32_t, a->facing_room);
    sort_places(a);
    for (int32_t k = 0; k <= countries; k++) {
        a->country[k] = (struct country){.count = REGIONS_UNLISTED};
        a->slot[k] = -1;
    }
}

/* ---- listing --------------------------------------------------------------------------------- */

/* Puts the places that came onto the boundary into the lists of their countries. */
static void enter_places(struct adjacency *a)
{
    const struct ground *g = a->ground;
    int32_t count = mw_min(g->boundary_count, a->places_room);
    mw_tick(g->run, (uint64_t)(count - a->entered));
    for (; a->entered < count; a->entered++) {
        uint16_t k = regions_country(g, g->boundary[a->entered]);
        a->next[a->entered] = a->head[k];
        a->head[k] = a->entered;
    }
}

/* Passes places that changed hands on to whom they belong to now. */
static void weed_places(struct adjacency *a, int32_t k)
{
    const struct ground *g = a->ground;
    int32_t left = a->entered; /* each is in one list */
    for (int32_t *at = &a->head[k]; *at >= 0 && left-- > 0;) {
        int32_t i = *at, owner = regions_country(g, g->boundary[i]);
        if (owner == k) {
            at = &a->next[i];
            continue;
        }
        *at = a->next[i];
        a->next[i] = a->head[owner];
        a->head[owner] = i;
    }
    assert(left >= 0);
}

/* The link to a neighbour of the country that is being listed, whose first is told; -1: there is no
   room for more. */
static inline int32_t slot_of(struct adjacency *a, int32_t first, int32_t to)
{
    int32_t slot = a->slot[to];
    if (slot >= first || a->links_used == a->links_room)
        return slot >= first ? slot : -1;
    a->links[a->links_used] = (struct link){.to = to};
    return a->slot[to] = a->links_used++;
}

/* Notes at the far end of the room, from there down, every place and the link it is for, and counts
   them by link. How many there are; -1: there is no room. */
static int32_t note_facing(struct adjacency *a, int32_t k)
{
    const struct ground *g = a->ground;
    const int32_t *next = a->next, first = a->links_used;
    uint16_t face[REGIONS_FACES];
    int32_t *end = a->facing + a->facing_room, *note = end, *room = a->facing + a->facing_used;
    int32_t left = a->entered;
    for (int32_t i = a->head[k]; i >= 0 && left-- > 0; i = next[i]) {
        int32_t place = g->boundary[i], n = regions_faces(g, place, face);
        while (n--) {
            if (!face[n])
                continue;
            int32_t slot = slot_of(a, first, face[n]);
            if (slot < 0 || note - room < 3 + (end - note) / 2)
                return -1;
            a->links[slot].count++;
            *--note = place;
            *--note = slot;
        }
    }
    return (int32_t)(end - note) / 2;
}

/* Lists the places by the neighbour they face. False when there is no room for them. */
static bool list_facing(struct adjacency *a, int32_t k, struct country *country)
{
    country->first = a->links_used;
    int32_t notes = note_facing(a, k);
    if (notes < 0)
        return false;
    country->count = a->links_used - country->first;
    for (struct link *link = a->links + country->first; link < a->links + a->links_used; link++) {
        link->first = a->facing_used;
        a->facing_used += link->count;
        link->count = 0;
    }
    const int32_t *note = a->facing + a->facing_room;
    for (; notes--; note -= 2) {
        struct link *link = &a->links[note[-2]];
        a->facing[link->first + link->count++] = note[-1];
    }
    return true;
}

static void list_country(struct adjacency *a, int32_t k)
{
    struct country *country = &a->country[k];
    enter_places(a);
    if (country->stale)
        weed_places(a, k);
    country->stale = false;
    if (list_facing(a, k, country))
        return;
    country->count = 0;
    a->full = true;
}

const struct country *regions_links_of(struct adjacency *a, int32_t k)
{
    if (a->country[k].count == REGIONS_UNLISTED)
        list_country(a, k);
    return &a->country[k];
}

struct link *regions_link(struct adjacency *a, int32_t from, int32_t to)
{
    const struct country *country = regions_links_of(a, from);
    for (int32_t i = country->first; i < country->first + country->count; i++)
        if (a->links[i].to == to)
            return &a->links[i];
    return NULL;
}

/* ---- passing places -------------------------------------------------------------------------- */

/* Which of a country's places may best go to a neighbour; -1 when none may. */
static int32_t find_near(struct adjacency *a, struct mw_rng *rng, const struct link *link,
                         int32_t from)
{
    struct ground *g = a->ground;
    const int32_t *facing = a->facing + link->first;
    int32_t count = link->count, best = -1, best_gain = REGIONS_NEVER, looked = 0;
    int32_t start = (int32_t)mw_below(rng, (uint32_t)count);
    for (; looked < count && best_gain < GOOD && (best < 0 || looked < ENOUGH); looked++) {
        int32_t place = facing[start + looked < count ? start + looked : start + looked - count];
        if (regions_country(g, place) != from)
            continue;
        int gain = regions_gain(g, place, (uint16_t)link->to, best_gain + 1);
        if (gain == REGIONS_NEVER)
            continue;
        best_gain = gain;
        best = place;
    }
    mw_tick(g->run, (uint64_t)looked);
    return best;
}

/* Flags the cut vertices of a country, if they are not. */
static void flag_cut_vertices(struct adjacency *a, const struct link *link, int32_t from)
{
    struct ground *g = a->ground;
    const int32_t *facing = a->facing + link->first;
    struct country *country = &a->country[from];
    for (int32_t i = 0; i < link->count && !country->flagged && g->balance->size[from] < LARGE; i++)
        if (regions_country(g, facing[i]) == from) {
            regions_flag_cut_vertices(g, facing[i]);
            country->flagged = true;
        }
}

/* Which may best go: where none was found near, and it is worth while, by a search of the whole
   country, which holds until a place goes or comes. */
static int32_t find_place(struct adjacency *a, struct mw_rng *rng, const struct link *link,
                          int32_t from)
{
    struct ground *g = a->ground;
    int32_t near = g->reach, place = find_near(a, rng, link, from);
    if (place >= 0 || !a->far)
        return place;
    flag_cut_vertices(a, link, from);
    g->flagged = a->country[from].flagged;
    g->reach = FAR;
    place = find_near(a, rng, link, from);
    g->reach = near;
    g->flagged = false;
    return place;
}

/* Notes that places went from one to the other. */
static void note_change(struct country *from, struct country *to)
{
    from->stale = to->stale = true;
    from->flagged = to->flagged = false;
}

static bool holds_capital(const struct ground *g, int32_t cape)
{
    uint8_t flags = 0;
    for (int32_t i = 0; i < cape; i++)
        flags |= g->flag[g->queue[i] >> 1];
    return flags & REGIONS_HELD;
}

/* Where there is water all that may face a neighbour may hold a cape behind it, a strip along a
   shore as a rule: then that goes with it, if the country can spare so much. */
static bool pass_cape(struct adjacency *a, const struct link *link, int32_t from)
{
    enum { MOST_TRIES = 64 };
    struct ground *g = a->ground;
    int32_t spare = g->balance->size[from] - g->balance->low[from] - 1;
    const int32_t *facing = a->facing + link->first;
    for (int32_t i = 0; g->stamp && spare > 0 && i < mw_min(link->count, MOST_TRIES); i++) {
        int32_t cape = 0, place = facing[i];
        if (regions_country(g, place) == from && regions_leads_to(g, place, (uint16_t)link->to))
            cape = regions_find_cape(g, place, spare);
        if (!cape || holds_capital(g, cape))
            continue;
        regions_move(g, place, (uint16_t)link->to);
        for (int32_t j = 0; j < cape; j++)
            regions_move(g, g->queue[j], (uint16_t)link->to);
        note_change(&a->country[from], &a->country[link->to]);
        return true;
    }
    return false;
}

bool regions_pass(struct adjacency *a, struct mw_rng *rng, int32_t from, int32_t to)
{
    struct ground *g = a->ground;
    const struct link *link = regions_link(a, from, to);
    int32_t place = link ? find_place(a, rng, link, from) : -1;
    if (place < 0 && a->country[from].stale) {
        list_country(a, from);
        link = regions_link(a, from, to);
        place = link ? find_place(a, rng, link, from) : -1;
    }
    if (place < 0)
        return link && pass_cape(a, link, from);
    assert(regions_country(g, place) == from);
    regions_move(g, place, (uint16_t)to);
    note_change(&a->country[from], &a->country[to]);
    assert(g->balance->size[from] > 0);
    return true;
}
