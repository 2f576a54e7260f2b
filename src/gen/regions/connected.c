/*
 * connected.c: searches whether a country stays connected without a place, from the places beside
 * that one. A search stamps what it visits with a fresh number, so that nothing has to be cleared.
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

int32_t regions_home(const struct label_grid *g, int32_t at)
{
    assert(g->flag[at] & REGIONS_HALO && !(g->flag[at] & REGIONS_WATER));
    int32_t y = at / g->stride - 1, x = at % g->stride - 1;
    x = x < 0 ? x + g->width : x >= g->width ? x - g->width : x;
    y = y < 0 ? y + g->height : y >= g->height ? y - g->height : y;
    return regions_at(g, x, y);
}

int32_t regions_beyond(const struct label_grid *g, int32_t place, int32_t at)
{
    if (g->flag[at] & REGIONS_WATER)
        return place;
    at = regions_home(g, at);
    return g->flag[at] & REGIONS_WATER ? place : at * 2 + ((at / g->stride - 1) & 1);
}

/* ---- searches -------------------------------------------------------------------------------- */

int32_t regions_fresh_stamp(struct label_grid *g)
{
    assert(g->stamp);
    if (!g->stamps || g->stamps > INT32_MAX - 4) {
        memset(g->stamp, 0, (size_t)g->indices * sizeof *g->stamp);
        g->stamps = 0;
    }
    return g->stamps += 2;
}

void regions_prepare_search(struct label_grid *g, int32_t places)
{
    assert(places > 0 && g->indices >= places);
    enum { NEAR = 40 };
    g->stamp = MW_NEW(g->run, int32_t, g->indices); /* cleared when one is asked for */
    g->queue = MW_NEW(g->run, int32_t, places + 8);
    g->stamps = 0;
    g->reach = NEAR;
}

bool regions_is_cut_vertex(struct label_grid *g, int32_t place)
{
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

/* Counts what hangs together with each country's first place; all of its cells do. */
bool regions_is_sound(struct label_grid *g)
{
    if (!g->place)
        return true;
    const struct balance *c = g->balance;
    bool sound = true;
    char *mark = mw_mark(g->run);
    int32_t *met = MW_NEW0(g->run, int32_t, c->count + 1), seen = regions_fresh_stamp(g);
    for (int32_t i = 0; i < g->land; i++) {
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
