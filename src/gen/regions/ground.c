/*
 * ground.c: what boards of cells and graphs of blocks have in common: sizes and their pressure,
 * what lies across a seam, and the searches whether a country holds together without a place: from
 * the places beside that one, or by depth first for all of its places at once (Hopcroft and Tarjan
 * 1973).
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

void regions_weigh(struct balance *c, int32_t factor)
{
    assert(factor > 0);
    for (int32_t k = 1; k <= c->count; k++) {
        c->weight[k] = (int64_t)factor * 256 / mw_root((int64_t)mw_max(c->low[k], 1) << 16);
        c->pressure[k] = (c->size[k] - c->low[k]) * c->weight[k];
    }
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

/* ---- the seam -------------------------------------------------------------------------------- */

int32_t regions_home(const struct label_grid *b, int32_t at)
{
    assert(b->g.flag[at] & REGIONS_HALO && !(b->g.flag[at] & REGIONS_WATER));
    int32_t y = at / b->stride - 1, x = at % b->stride - 1;
    x = x < 0 ? x + b->width : x >= b->width ? x - b->width : x;
    y = y < 0 ? y + b->height : y >= b->height ? y - b->height : y;
    return regions_at(b, x, y);
}

int32_t regions_beyond(const struct label_grid *b, int32_t place, int32_t at)
{
    if (b->g.flag[at] & REGIONS_WATER)
        return place;
    at = regions_home(b, at);
    return b->g.flag[at] & REGIONS_WATER ? place : at * 2 + ((at / b->stride - 1) & 1);
}

/* ---- searches -------------------------------------------------------------------------------- */

bool regions_leads_to(const struct ground *g, int32_t place, uint16_t to)
{
    bool leads = false;
    for (int i = 0, p; !leads && (p = regions_beside(g, place, i)) >= 0; i++)
        leads = regions_country(g, p) == to;
    return leads;
}

int32_t regions_fresh_stamps(struct ground *g, int32_t count)
{
    assert(g->stamp && count > 0);
    if (!g->stamps || g->stamps > INT32_MAX - 4 - count) {
        const struct label_grid *b = (const struct label_grid *)g;
        for (int32_t i = 0; i < b->strips; i++)
            memset(g->stamp + b->strip[i].at, 0, (size_t)b->strip[i].cells * sizeof *g->stamp);
        g->stamps = 0;
    }
    g->stamps += count;
    return g->stamps - count + 1;
}

int32_t regions_fresh_stamp(struct ground *g) { return regions_fresh_stamps(g, 2) + 1; }

void regions_prepare_search(struct ground *g, int32_t places)
{
    assert(places > 0 && g->indices >= places);
    enum { NEAR = 40 };
    g->stamp = MW_NEW(g->run, int32_t, g->indices); /* cleared when one is asked for */
    g->queue = MW_NEW(g->run, int32_t, places + 8);
    g->stamps = 0;
    g->reach = NEAR;
}

bool regions_is_cut_vertex(struct ground *g, int32_t place)
{
    if (g->flagged)
        return g->flag[place >> 1] & REGIONS_CUT_VERTEX;
    uint16_t own = regions_country(g, place);
    assert(own && g->stamp && g->reach > 0);
    int32_t found = regions_fresh_stamp(g), wanted = found - 1, left = 0, head = 0, tail = 0;
    for (int i = 0, p; (p = regions_beside(g, place, i)) >= 0; i++)
        if (p != place && regions_country(g, p) == own && g->stamp[p >> 1] != wanted) {
            g->stamp[p >> 1] = wanted;
            g->queue[0] = p;
            left++;
        }
    if (left <= 1)
        return left == 0;
    g->stamp[g->queue[tail++] >> 1] = found;
    left--;
    while (head < tail && left && tail < g->reach) {
        int32_t u = g->queue[head++];
        for (int i = 0, p; (p = regions_beside(g, u, i)) >= 0; i++) {
            int32_t *stamp = &g->stamp[p >> 1];
            if (p == place || *stamp == found || regions_country(g, p) != own)
                continue;
            left -= *stamp == wanted;
            *stamp = found;
            g->queue[tail++] = p;
        }
    }
    mw_tick(g->run, (uint64_t)tail);
    return left > 0;
}

/* A place that a search by depth first has come to, by rank: from whom, and the least rank that it,
   or who came after it by way of it, lies beside. */
struct visit {
    int32_t place, parent, low;
    int32_t side; /* to be looked across next */
    int32_t heirs;
};

/* Goes back from a place. Who comes after it by way of another, and lies beside none before that,
   would be cut off without that. */
static void leave(struct ground *g, struct visit *visits, const struct visit *v)
{
    if (v->parent < 0)
        return;
    struct visit *parent = &visits[v->parent];
    parent->low = mw_min(parent->low, v->low);
    parent->heirs++;
    if (v->low >= v->parent && v->parent > 0)
        g->flag[parent->place >> 1] |= REGIONS_CUT_VERTEX;
}

void regions_flag_cut_vertices(struct ground *g, int32_t place)
{
    assert(regions_country(g, place) && g->balance->size[regions_country(g, place)] > 0);
    uint16_t own = regions_country(g, place);
    int32_t size = g->balance->size[own], first = regions_fresh_stamps(g, size), count = 0;
    char *mark = mw_mark(g->run);
    struct visit *visits = MW_NEW(g->run, struct visit, size);
    visits[count++] = (struct visit){.place = place, .parent = -1};
    for (int32_t rank = 0; rank >= 0;) {
        struct visit *v = &visits[rank];
        int32_t p = v->place;
        if (!v->side) {
            g->flag[p >> 1] &= (uint8_t)~REGIONS_CUT_VERTEX;
            g->stamp[p >> 1] = first + rank;
        }
        p = regions_beside(g, v->place, v->side++);
        if (p < 0) {
            leave(g, visits, v);
            rank = v->parent;
        } else if (regions_country(g, p) == own && g->stamp[p >> 1] >= first) {
            v->low = mw_min(v->low, g->stamp[p >> 1] - first);
        } else if (regions_country(g, p) == own) {
            assert(count < size);
            visits[count] = (struct visit){.place = p, .parent = rank, .low = count};
            rank = count++;
        }
    }
    if (visits[0].heirs != 1)
        g->flag[place >> 1] |= REGIONS_CUT_VERTEX;
    mw_tick(g->run, (uint64_t)size * 4);
    mw_rewind(g->run, mark);
}

/* Stamps what hangs together with a place of the same country, but for one, up to `most` more
   places of the queue; false when it comes to a place of stamp `large`, or there is more. */
static bool flood_cape(struct ground *g, int32_t from, int32_t without, int32_t large, int32_t most,
                       int32_t *tail)
{
    uint16_t own = regions_country(g, from);
    int32_t head = *tail, first = head, seen = large + 1;
    bool whole = true;
    g->stamp[from >> 1] = seen;
    for (g->queue[(*tail)++] = from; head < *tail && whole; head++)
        for (int i = 0, p; (p = regions_beside(g, g->queue[head], i)) >= 0 && whole; i++) {
            int32_t *stamp = &g->stamp[p >> 1];
            if (p == without || *stamp == seen || regions_country(g, p) != own)
                continue;
            whole = *stamp != large && *tail - first < most;
            if (!whole)
                break;
            *stamp = seen;
            g->queue[(*tail)++] = p;
        }
    mw_tick(g->run, (uint64_t)(*tail - first));
    return whole;
}

int32_t regions_find_cape(struct ground *g, int32_t place, int32_t most)
{
    assert(regions_country(g, place) && most > 0);
    uint16_t own = regions_country(g, place);
    int32_t seen = regions_fresh_stamp(g), large = seen - 1, tail = 0, mainlands = 0;
    for (int i = 0, p; (p = regions_beside(g, place, i)) >= 0; i++) {
        int32_t stamp = g->stamp[p >> 1], first = tail;
        if (p == place || regions_country(g, p) != own || stamp == seen || stamp == large)
            continue;
        if (flood_cape(g, p, place, large, most, &tail))
            continue;
        bool known = false; /* part of what was found before to be more than a cape */
        for (int32_t j = first; j < tail; j++)
            for (int k = 0, q; (q = regions_beside(g, g->queue[j], k)) >= 0; k++)
                known |= q != place && g->stamp[q >> 1] == large;
        for (int32_t j = first; j < tail; j++)
            g->stamp[g->queue[j] >> 1] = large;
        mainlands += !known;
        tail = first;
    }
    return mainlands == 1 && tail <= most ? tail : 0;
}

/* Counts what hangs together with each country's first place; all of its cells do. */
bool regions_is_sound(struct ground *g)
{
    if (!g->place)
        return true;
    const struct balance *c = g->balance;
    bool sound = true;
    char *mark = mw_mark(g->run);
    int32_t *met = MW_NEW0(g->run, int32_t, c->count + 1), seen = regions_fresh_stamp(g);
    for (int32_t i = 0; i < g->count; i++) {
        int32_t place = g->place[i], head = 0, tail = 0, own = regions_country(g, place);
        if (!own || met[own])
            continue;
        g->stamp[place >> 1] = seen;
        for (g->queue[tail++] = place; head < tail; head++) {
            met[own]++;
            for (int s = 0, p; (p = regions_beside(g, g->queue[head], s)) >= 0; s++) {
                if (regions_country(g, p) != own || g->stamp[p >> 1] == seen)
                    continue;
                g->stamp[p >> 1] = seen;
                g->queue[tail++] = p;
            }
        }
        sound &= met[own] == c->size[own];
    }
    mw_rewind(g->run, mark);
    return sound;
}
