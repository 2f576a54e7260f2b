/*
 * connected.c: searches whether a country stays connected without a place, from the places beside
 * that one. A search stamps what it visits with a fresh number, so that nothing has to be cleared.
 */
#include "kit/integer.h"
#include "regions.h"

/* ---- the seam -------------------------------------------------------------------------------- */

int32_t regions_beyond(const struct label_grid *g, int32_t place, int32_t at)
{
    if (g->flag[at] & REGIONS_WATER)
        return place;
    assert(g->flag[at] & REGIONS_HALO);
    int32_t y = at / g->stride - 1, x = at % g->stride - 1;
    x = x < 0 ? x + g->width : x >= g->width ? x - g->width : x;
    y = y < 0 ? y + g->height : y >= g->height ? y - g->height : y;
    at = regions_at(g, x, y);
    return g->flag[at] & REGIONS_WATER ? place : at * 2 + (y & 1);
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
