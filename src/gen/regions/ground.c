/*
 * ground.c: what boards of cells and graphs of blocks have in common: sizes and their pressure, the
 * chances of a Metropolis sweep, and the search whether a country holds together without a place.
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

/* ---- chance ---------------------------------------------------------------------------------- */

void regions_fill_chances(uint32_t *chances)
{
    uint64_t chance = UINT32_MAX;
    for (int i = 0; i < REGIONS_CHANCES; i++) {
        chances[i] = (uint32_t)chance;
        chance = (chance * UINT64_C(4228380000)) >> 32; /* 2^32 e^-(1/64) */
    }
}

/* ---- searches -------------------------------------------------------------------------------- */

int32_t regions_fresh_stamp(struct ground *g)
{
    if (g->stamps > INT32_MAX - 4) {
        memset(g->stamp, 0, (size_t)g->indices * sizeof *g->stamp);
        g->stamps = 0;
    }
    g->stamps += 2;
    return g->stamps;
}

bool regions_is_cut_vertex(struct ground *g, int32_t place)
{
    uint16_t own = regions_country(g, place);
    assert(own && g->stamp && g->reach > 0);
    int32_t found = regions_fresh_stamp(g), wanted = found - 1, left = 0, head = 0, tail = 0;
    for (int i = 0, p; (p = g->beside(g, place, i)) >= 0; i++)
        if (p != place && regions_country(g, p) == own && g->stamp[p >> g->shift] != wanted) {
            g->stamp[p >> g->shift] = wanted;
            g->queue[0] = p;
            left++;
        }
    if (left <= 1)
        return left == 0;
    g->stamp[g->queue[tail++] >> g->shift] = found;
    left--;
    while (head < tail && left && tail < g->reach) {
        int32_t u = g->queue[head++];
        for (int i = 0, p; (p = g->beside(g, u, i)) >= 0; i++) {
            int32_t *stamp = &g->stamp[p >> g->shift];
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
bool regions_is_sound(struct ground *g)
{
    if (!g->stamp)
        return true;
    const struct balance *c = g->balance;
    bool sound = true;
    char *mark = mw_mark(g->run);
    int32_t *met = MW_NEW0(g->run, int32_t, c->count + 1), seen = regions_fresh_stamp(g);
    for (int32_t i = 0; i < g->count; i++) {
        int32_t place = g->place[i], head = 0, tail = 0, own = regions_country(g, place);
        if (met[own])
            continue;
        g->stamp[place >> g->shift] = seen;
        for (g->queue[tail++] = place; head < tail; head++) {
            met[own] += regions_weight(g, g->queue[head]);
            for (int s = 0, p; (p = g->beside(g, g->queue[head], s)) >= 0; s++) {
                if (regions_country(g, p) != own || g->stamp[p >> g->shift] == seen)
                    continue;
                g->stamp[p >> g->shift] = seen;
                g->queue[tail++] = p;
            }
        }
        sound &= met[own] == c->size[own];
    }
    mw_rewind(g->run, mark);
    return sound;
}
